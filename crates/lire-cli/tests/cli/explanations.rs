//! `lire explain` and `lire show`.

use crate::folder::{Folder, HEART};

#[test]
fn one_row_is_an_object_and_several_are_a_list() {
    let folder = Folder::with_heart_model();
    let one = folder.json(&["explain", "heart.lire.json", HEART, "--row", "2"]);
    for key in ["row", "score", "probability", "label", "intercept", "rules", "values"] {
        assert!(!one[key].is_null(), "{key} is lacking");
    }
    assert_eq!(one["row"], 2);
    for key in ["index", "rule", "conditions", "coverage", "rows", "weight", "contribution"] {
        assert!(!one["rules"][0][key].is_null(), "{key} is lacking");
    }
    let several = folder.json(&["explain", "heart.lire.json", HEART, "--rows", "2-4"]);
    assert_eq!(several.as_array().unwrap().len(), 3);
    assert_eq!(several[0], one);
    assert_eq!(
        folder.json(&["explain", "heart.lire.json", HEART, "--rows", "2-2"]).as_array().unwrap().len(),
        1
    );
}

#[test]
fn rows_that_are_not_there_are_a_mistake() {
    let folder = Folder::with_heart_model();
    let explain = |rows: &[&str]| folder.lire(&[&["explain", "heart.lire.json", HEART], rows].concat());
    explain(&["--row", "304"]).fails(2, "there is no row 304; the data has 303 rows");
    explain(&["--row", "0"]).fails(2, "rows are counted from 1");
    explain(&["--rows", "300-310"]).fails(2, "there is no row 310");
    explain(&["--rows", "9-2"]).fails(2, "give the smaller one first");
    explain(&[]).fails(2, "--row");
    explain(&["--row", "1", "--all"]).fails(2, "cannot be used with");
}

#[test]
fn the_long_table_sums_to_the_score() {
    let folder = Folder::with_heart_model();
    let csv = folder
        .lire(&["explain", "heart.lire.json", HEART, "--row", "5", "--format", "csv"])
        .succeeds()
        .stdout;
    assert!(csv.starts_with("row,rule,contribution\n5,(intercept),"), "{csv}");
    let sum = csv.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse::<f64>().unwrap());
    let sum = sum.reduce(|sum, one| sum + one).unwrap();
    let one = folder.json(&["explain", "heart.lire.json", HEART, "--row", "5"]);
    assert_eq!(one["score"].as_f64().unwrap().to_bits(), sum.to_bits());
}

#[test]
fn show_speaks_all_forms() {
    let folder = Folder::with_heart_model();
    let text = folder.lire(&["show", "heart.lire.json", "-v"]).succeeds().stdout;
    assert!(text.contains("every rule rests on") && text.contains("target = \"disease\""), "{text}");
    let json = folder.json(&["show", "heart.lire.json"]);
    assert_eq!(json["n_rules"], json["rules"].as_array().unwrap().len());
    assert!(json["training"]["certified"].is_boolean());
    let csv = folder.lire(&["show", "heart.lire.json", "--format", "csv"]).succeeds().stdout;
    assert_eq!(csv.lines().count() as u64, 1 + json["n_rules"].as_u64().unwrap());
    folder.lire(&["show", "heart.lire.json", "--format", "markdown"]).succeeds();
}

/// The numbers of the column `adds`, in thousandths: the parts and, last, their sum.
fn thousandths(lines: &str) -> Vec<i64> {
    let is_number = |word: &&str| word.starts_with(['+', '−']) && word.contains('.');
    let number = |word: &str| word.replace('+', "").replace('−', "-").replace('.', "").parse().unwrap();
    lines.lines().filter_map(|line| line.split(['|', ' ']).find(is_number)).map(number).collect()
}

#[test]
fn the_parts_shown_add_to_the_sum_shown() {
    let folder = Folder::with_heart_model();
    let explain = |format: &str| {
        folder.lire(&["explain", "heart.lire.json", HEART, "--all", "--format", format]).succeeds().stdout
    };
    let exact = folder.json(&["explain", "heart.lire.json", HEART, "--all"]);
    for (format, heading) in [("table", "Row "), ("markdown", "### Row ")] {
        let text = explain(format);
        let blocks: Vec<&str> = text.split(heading).skip(1).collect();
        assert_eq!(blocks.len(), 303, "{format}");
        for (block, exact) in blocks.iter().zip(exact.as_array().unwrap()) {
            let numbers = thousandths(block);
            let (sum, parts) = numbers.split_last().unwrap();
            assert_eq!(parts.iter().sum::<i64>(), *sum, "{format}: {block}");
            let score = exact["score"].as_f64().unwrap();
            assert!((score * 1e3 - *sum as f64).abs() < 0.5 + 1e-9, "{format}: {score} in {block}");
            assert_eq!(parts.len(), 1 + exact["rules"].as_array().unwrap().len(), "{format}: {block}");
        }
    }
}
