//! What a terminal shows of odd names and of numbers of any size.

use std::fmt::Write as _;

use crate::folder::Folder;

/// A level with a line end and an escape, a class and a column with marks that turn the direction of writing.
const LEVEL: &str = "new\nline\u{1b}[31m";
const CLASS: &str = "yes\u{202e}";
const COLUMN: &str = "k\u{2066}ind";

fn with_odd_names() -> Folder {
    let mut text = format!("{COLUMN},x,{}\n", "answer\u{200f}");
    for row in 0..240 {
        let (level, class) = if row % 3 == 0 { (LEVEL, CLASS) } else { ("plain", "no") };
        let class = if row % 17 == 0 { "no" } else { class };
        let _ = writeln!(text, "\"{level}\",{},{class}", row * 7 % 50);
    }
    let folder = Folder::new();
    folder.write("odd.csv", text);
    folder
}

/// Whether a text has characters that act on a terminal, other than ends of lines.
fn acts(text: &str) -> bool {
    text.chars().any(|character| {
        (character.is_control() && character != '\n')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200f}')
    })
}

#[test]
fn odd_names_are_escaped_in_every_table_and_nowhere_else() {
    let folder = with_odd_names();
    let target = "answer\u{200f}";
    let fit =
        ["fit", "odd.csv", "--target", target, "--gamma", "0.01", "--lambda", "0.01", "--n-estimators", "20"];
    let fitted = folder.lire(&fit).succeeds();
    let run = |arguments: &[&str]| folder.lire(arguments).succeeds();
    let model = "odd.lire.json";
    let tables = [
        fitted,
        run(&["explain", model, "odd.csv", "--rows", "1-3"]),
        run(&["show", model, "-v"]),
        run(&["predict", model, "odd.csv", "--format", "table"]),
        run(&["evaluate", "odd.csv", "--target", target, "--model", model]),
        run(&["explain", model, "odd.csv", "--row", "1", "--format", "markdown"]),
    ];
    for table in &tables {
        assert!(!acts(&table.stdout) && !acts(&table.stderr), "{table:?}");
    }
    // Rows of such a level are lines of the table like all others.
    let explained = &tables[1].stdout;
    assert!(!explained.lines().any(|line| line.starts_with("line")), "{explained}");
    for part in ["answer\\u{200f} = no", "probability of yes\\u{202e}", "new\\nline\\u{1b}[31m"] {
        assert!(explained.contains(part), "{part} is lacking in {explained}");
    }
    assert!(tables[2].stdout.contains("target = \"answer\\u200F\""), "{}", tables[2].stdout);

    let csv = run(&["predict", model, "odd.csv"]).stdout;
    assert!(csv.lines().any(|line| line.ends_with(&format!(",{CLASS}"))), "{csv}");
    let json = folder.json(&["explain", model, "odd.csv", "--row", "1"]);
    let value = |feature: &str| {
        let values = json["values"].as_array().unwrap();
        values.iter().find(|value| value["feature"] == feature).unwrap()["value"].clone()
    };
    assert_eq!((&json["class"], value(COLUMN)), (&CLASS.into(), LEVEL.into()));
}

/// Rows with a number that follows from two columns, in units of any size.
fn with_numbers(unit: &str) -> Folder {
    let mut text = String::from("a,b,y\n");
    for row in 0..200 {
        let (a, b) = (row * 7 % 50, row * 3 % 40);
        let y = 2 + a / 10 + if b > 20 { 3 } else { 0 } + row % 2;
        let _ = writeln!(text, "{a}{unit},{b},{y}{unit}");
    }
    let folder = Folder::new();
    folder.write("n.csv", text);
    folder
}

/// The longest run of digits.
fn longest_number(text: &str) -> usize {
    let is_digit = |character: char| character.is_ascii_digit();
    text.split(|character: char| !is_digit(character)).map(str::len).max().unwrap_or(0)
}

#[test]
fn numbers_of_any_size_are_short() {
    for unit in ["e90", "e15", "", "e-12"] {
        let folder = with_numbers(unit);
        let options = ["--target", "y", "--task", "regression", "--n-estimators", "20"];
        let lire = [&options[..], &["--gamma", "0.002", "--lambda", "0.01"]].concat();
        let rulefit = [&options[..], &["--method", "rulefit", "--gamma", "0.01", "--linear-terms"]].concat();
        for options in [lire, rulefit] {
            let mut outputs = vec![
                folder.lire(&[&["fit", "n.csv"], &options[..]].concat()),
                folder.lire(&[&["evaluate", "n.csv", "--folds", "2"], &options[..]].concat()),
                folder.lire(&["predict", "n.lire.json", "n.csv", "--format", "table"]),
            ];
            for form in ["table", "markdown"] {
                outputs.push(folder.lire(&["show", "n.lire.json", "--format", form]));
                outputs.push(folder.lire(&[
                    "explain",
                    "n.lire.json",
                    "n.csv",
                    "--rows",
                    "1-9",
                    "--format",
                    form,
                ]));
            }
            for output in outputs {
                let told = output.succeeds().stdout;
                assert!(longest_number(&told) < 17, "{unit}: {told}");
                assert!(!told.contains("inf") && !told.contains("NaN"), "{unit}: {told}");
            }
        }
    }
}

#[test]
fn tiny_numbers_are_not_all_zero() {
    let folder = with_numbers("e-12");
    let options = ["--target", "y", "--task", "regression", "--gamma", "0.002", "--lambda", "0.01"];
    folder.lire(&[&["fit", "n.csv", "--no-holdout"], &options[..]].concat()).succeeds();
    for form in ["table", "markdown"] {
        let shown = folder.lire(&["show", "n.lire.json", "--format", form]).succeeds().stdout;
        assert!(shown.contains("e−1") && !shown.contains("0.000"), "{shown}");
    }
}

#[test]
fn a_rule_of_some_rows_never_covers_none() {
    let folder = Folder::new();
    let model =
        include_str!("fixtures/loan.lire.json").replace("\"coverage\": 0.015", "\"coverage\": 0.00015");
    folder.write("loan.lire.json", model);
    for form in ["table", "markdown"] {
        let shown = folder.lire(&["show", "loan.lire.json", "--format", form]).succeeds().stdout;
        assert!(shown.contains("0.1 %") && !shown.contains(" 0.0 %"), "{shown}");
    }
    assert!(folder.lire(&["show", "loan.lire.json"]).succeeds().stdout.contains("  <0.1 %     3"));
    let csv = folder.lire(&["show", "loan.lire.json", "--format", "csv"]).succeeds().stdout;
    assert!(csv.contains(",0.00015,3,"), "{csv}");
}
