//! `lire predict`: the same numbers everywhere, and tables that differ a little from the training's.

use crate::folder::{Folder, HEART};

#[test]
fn predictions_come_as_csv() {
    let folder = Folder::with_heart_model();
    let csv = folder.lire(&["predict", "heart.lire.json", HEART]).succeeds().stdout;
    assert!(csv.starts_with("score,probability,label\n"));
    assert_eq!(csv.lines().count(), 304);
    folder.lire(&["predict", "heart.lire.json", HEART, "--out", "labels.csv"]).succeeds();
    assert_eq!(folder.read("labels.csv"), csv);
    let json = folder.json(&["predict", "heart.lire.json", HEART]);
    for (line, object) in csv.lines().skip(1).zip(json.as_array().unwrap()) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize| fields[at].parse::<f64>().unwrap().to_bits();
        assert_eq!(number(0), object["score"].as_f64().unwrap().to_bits());
        assert_eq!(number(1), object["probability"].as_f64().unwrap().to_bits());
        assert_eq!(fields[2], object["label"]);
    }
}

#[test]
fn scores_equal_the_sums_of_explanations_bit_by_bit() {
    let folder = Folder::with_heart_model();
    let csv = folder.lire(&["predict", "heart.lire.json", HEART, "--local-support"]).succeeds().stdout;
    let explained = folder.json(&["explain", "heart.lire.json", HEART, "--all"]);
    assert_eq!(explained.as_array().unwrap().len(), 303);
    for (line, explanation) in csv.lines().skip(1).zip(explained.as_array().unwrap()) {
        let fields: Vec<&str> = line.split(',').collect();
        let rules = explanation["rules"].as_array().unwrap();
        let contributions = rules.iter().map(|rule| rule["contribution"].as_f64().unwrap());
        let sum = contributions.fold(explanation["intercept"].as_f64().unwrap(), |sum, one| sum + one);
        assert_eq!(fields[0].parse::<f64>().unwrap().to_bits(), sum.to_bits());
        assert_eq!(explanation["score"].as_f64().unwrap().to_bits(), sum.to_bits());
        assert_eq!(fields[3], rules.len().to_string());
    }
}

#[test]
fn unseen_categories_and_further_columns_are_fine() {
    let folder = Folder::with_heart_model();
    let heart = std::fs::read_to_string(HEART).unwrap();
    let mut lines = heart.lines();
    let header = format!("extra,{}", lines.next().unwrap());
    let rows: Vec<String> =
        lines.map(|line| format!("x,{}", line.replace("typical angina", "no idea"))).collect();
    folder.write("new.csv", format!("{header}\n{}\n", rows.join("\n")));
    let outcome = folder.lire(&["predict", "heart.lire.json", "new.csv"]).succeeds();
    assert!(
        outcome.stderr.contains("note: column `chest_pain`: ") && outcome.stderr.contains("did not see"),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.stdout.lines().count(), 304);
}

#[test]
fn columns_may_be_in_any_order_without_the_target() {
    let folder = Folder::with_heart_model();
    let heart = std::fs::read_to_string(HEART).unwrap();
    let reversed: Vec<String> =
        heart.lines().map(|line| line.rsplit(',').skip(1).collect::<Vec<_>>().join(",")).collect();
    folder.write("reversed.csv", reversed.join("\n"));
    let one = folder.lire(&["predict", "heart.lire.json", HEART]).succeeds().stdout;
    assert_eq!(folder.lire(&["predict", "heart.lire.json", "reversed.csv"]).succeeds().stdout, one);
}

#[test]
fn a_lacking_column_and_text_among_numbers_are_refused() {
    let folder = Folder::with_heart_model();
    let heart = std::fs::read_to_string(HEART).unwrap();
    folder.write("lacking.csv", heart.replacen("thal", "tal", 1));
    folder
        .lire(&["predict", "heart.lire.json", "lacking.csv"])
        .fails(3, "no column `thal`; did you mean `tal`?");
    folder.write("text.csv", heart.replacen("\n63,", "\nold,", 1));
    folder
        .lire(&["predict", "heart.lire.json", "text.csv", "--out", "labels.csv"])
        .fails(3, "column `age`, row 1: `old` is not a number");
    assert!(!folder.files().contains(&"labels.csv".to_owned()));
    let outcome = folder.lire(&["predict", "heart.lire.json", "text.csv", "--missing", "old"]);
    outcome.succeeds();
}

#[test]
fn thresholds_can_be_changed() {
    let folder = Folder::with_heart_model();
    let all = folder.lire(&["predict", "heart.lire.json", HEART, "--threshold", "0"]).succeeds().stdout;
    assert!(all.lines().skip(1).all(|line| line.ends_with(",yes")));
    folder
        .lire(&["predict", "heart.lire.json", HEART, "--threshold", "1.5"])
        .fails(2, "--threshold: 1.5 is not a probability");
}

#[test]
fn predictions_come_from_standard_input() {
    let folder = Folder::with_heart_model();
    let data = std::fs::read(HEART).unwrap();
    let piped = folder.lire_with_input(&["predict", "heart.lire.json", "-"], &data).succeeds().stdout;
    assert_eq!(piped, folder.lire(&["predict", "heart.lire.json", HEART]).succeeds().stdout);
}
