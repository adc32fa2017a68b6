//! Model files that cannot be relied on: exit code 4, and one line that says what is wrong.

use serde_json::Value;

use crate::folder::{Folder, HEART};

/// A model of the current version of the format.
const CURRENT: &str = include_str!("../../../lire/tests/suite/models/v3.json");

/// The model of the looks, with something changed, shown.
fn show(change: impl FnOnce(&mut Value), message: &str) {
    let mut model: Value = serde_json::from_str(include_str!("fixtures/loan.lire.json")).unwrap();
    change(&mut model);
    show_text(&model.to_string(), message);
}

fn show_text(text: &str, message: &str) {
    let folder = Folder::new();
    folder.write("m.json", text);
    folder.lire(&["show", "m.json"]).fails(4, message);
}

#[test]
fn files_that_are_no_models() {
    Folder::new().lire(&["show", "none.json"]).fails(4, "none.json: there is no such file");
    Folder::new().lire(&["predict", "none.json", HEART]).fails(4, "none.json: there is no such file");
    Folder::new().lire(&["show", "."]).fails(4, "");
    show_text("", "m.json: the file is cut off");
    show_text("a,b\n1,2\n", "m.json: this is not a lire model");
    show_text("{\"a\": 1}", "m.json: this is JSON, but not a lire model");
    show_text(&"[".repeat(1_000_000), "m.json");
    let whole = include_str!("fixtures/loan.lire.json");
    show_text(&whole[..whole.len() / 2], "m.json: the file is cut off");
}

#[test]
fn versions_of_the_future() {
    show(|model| model["format_version"] = 99.into(), "format version 99 is unknown");
}

#[test]
fn hostile_content() {
    show(|model| model["outputs"][0]["weights"][0] = 1e9.into(), "is not within");
    show(|model| model["outputs"][0]["weights"][0] = Value::Null, "m.json");
    show(|model| model["outputs"][0]["weights"] = serde_json::json!([0.5]), "1 weights for 3 terms");
    show(
        |model| model["terms"][0]["conditions"][0]["feature"] = "wage".into(),
        "`wage`: the schema has no such feature",
    );
    show(|model| model["terms"][0]["rule"] = "income > 1".into(), "but the conditions say");
    show(|model| model["threshold"] = 7.into(), "`threshold` is not a probability");
    show(|model| model["outputs"][0]["surprise"] = true.into(), "unknown field `surprise`");
    let mut model: Value = serde_json::from_str(CURRENT).unwrap();
    model["requires"] = serde_json::json!(["splines"]);
    show_text(&model.to_string(), "requires `splines`");
    let nan = include_str!("fixtures/loan.lire.json").replacen("-0.9", "NaN", 1);
    show_text(&nan, "m.json");
}

#[test]
fn sections_of_a_newer_lire_and_edits_by_hand_are_readable() {
    let folder = Folder::new();
    let mut model: Value = serde_json::from_str(CURRENT).unwrap();
    model["surprise"] = true.into();
    folder.write("m.json", model.to_string());
    let shown = folder.lire(&["show", "m.json"]).succeeds();
    assert!(!shown.stdout.contains("edited") && shown.stderr.is_empty(), "{}{}", shown.stdout, shown.stderr);
    model["checksum"] = "sha256:0".into();
    folder.write("m.json", model.to_string());
    let shown = folder.lire(&["show", "m.json"]).succeeds();
    assert!(shown.stdout.contains("edited") && shown.stderr.contains("was edited"), "{}", shown.stderr);
}
