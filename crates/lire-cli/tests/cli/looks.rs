//! What people see, on a model written by hand.

use insta::assert_snapshot;

use crate::folder::Folder;

const ROWS: &str = "income,purpose,age\n20000,car,23\n60000,house,\n,boat,71\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("loan.lire.json", include_str!("fixtures/loan.lire.json")).write("new.csv", ROWS);
    folder
}

#[test]
fn show_looks_like_this() {
    assert_snapshot!(folder().lire(&["show", "loan.lire.json"]).succeeds().stdout);
}

#[test]
fn show_looks_like_this_in_documents() {
    assert_snapshot!(folder().lire(&["show", "loan.lire.json", "--format", "markdown"]).succeeds().stdout);
}

#[test]
fn explain_looks_like_this() {
    let outcome = folder().lire(&["explain", "loan.lire.json", "new.csv", "--all"]).succeeds();
    assert_snapshot!(outcome.stdout);
    assert_snapshot!(outcome.stderr, @"note: column `purpose`: 1 cell with a category that training did not see; it equals no other");
}

#[test]
fn explain_looks_like_this_in_documents_and_to_programs() {
    let folder = folder();
    let explain = |format: &str| {
        let arguments = ["explain", "loan.lire.json", "new.csv", "--row", "1", "--format", format];
        folder.lire(&arguments).succeeds().stdout
    };
    assert_snapshot!("explain_markdown", explain("markdown"));
    assert_snapshot!("explain_csv", explain("csv"));
    assert_snapshot!("explain_json", explain("json"));
}

#[test]
fn predictions_look_like_this() {
    let arguments = ["predict", "loan.lire.json", "new.csv", "--local-support", "--format", "table"];
    assert_snapshot!(folder().lire(&arguments).succeeds().stdout);
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let folder = folder();
    let colored = |arguments: &[&str]| folder.lire(arguments).succeeds().stdout.contains('\x1b');
    assert!(!colored(&["show", "loan.lire.json"]));
    assert!(colored(&["show", "loan.lire.json", "--color", "always"]));
    assert!(!colored(&["show", "loan.lire.json", "--color", "never"]));
    let refused = folder.command(&["show", "loan.lire.json"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!String::from_utf8_lossy(&refused.stdout).contains('\x1b'));
}
