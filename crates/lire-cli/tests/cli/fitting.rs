//! `lire fit` as people use it.

use crate::folder::{Folder, HEART, generated};

#[test]
fn a_fit_tells_its_story_and_stores_the_model() {
    let folder = Folder::new();
    let outcome = folder.lire(&["fit", HEART, "--target", "disease"]).succeeds();
    for part in [
        "rules; a prediction needs",
        "majority class",
        "For example, row",
        "Model written to heart.lire.json",
    ] {
        assert!(outcome.stdout.contains(part), "{part} is lacking in {}", outcome.stdout);
    }
    assert!(outcome.stderr.contains("note: positive class: `yes`"), "{}", outcome.stderr);
    assert_eq!(folder.files(), ["heart.lire.json"]);
}

#[test]
fn a_fit_for_programs_is_one_object() {
    let folder = Folder::new();
    let report = folder.json(&["fit", HEART, "--target", "disease", "--gamma", "0.01"]);
    assert_eq!(report["model"], "heart.lire.json");
    assert_eq!(report["n_rules"], report["rules"].as_array().unwrap().len());
    assert!(report["measures"]["accuracy"].as_f64().unwrap() > 0.5);
    assert!(report["measures"]["majority_class"]["accuracy"].as_f64().unwrap() > 0.5);
    assert!(report["measures"].get("training_mean").is_none());
    assert!(report["measures"]["local_support_mean"].is_number());
}

#[test]
fn rules_come_as_csv_and_markdown_too() {
    let folder = Folder::new();
    let options = ["fit", HEART, "--target", "disease", "--gamma", "0.01", "--no-holdout"];
    let csv = folder.lire(&[&options[..], &["--format", "csv"]].concat()).succeeds().stdout;
    assert!(csv.starts_with("rule,weight,coverage,rows,importance,sensitive\n"), "{csv}");
    let markdown = folder.lire(&[&options[..], &["--format", "markdown"]].concat()).succeeds().stdout;
    assert!(
        markdown.starts_with("| weight | rule | covers | rows | importance |\n| ---: | --- |"),
        "{markdown}"
    );
}

#[test]
fn threads_do_not_change_a_byte() {
    let folder = Folder::new();
    for threads in ["1", "2"] {
        folder
            .lire(&[
                "fit",
                HEART,
                "--target",
                "disease",
                "--threads",
                threads,
                "--out",
                &format!("{threads}.json"),
            ])
            .succeeds();
    }
    assert_eq!(folder.read("1.json"), folder.read("2.json"));
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = Folder::new();
    let data = std::fs::read(HEART).unwrap();
    let outcome = folder.lire_with_input(&["fit", "-", "--target", "disease"], &data).succeeds();
    assert!(outcome.stdout.contains("Model written to model.lire.json"));
    folder.lire(&["fit", HEART, "--target", "disease"]).succeeds();
    assert_eq!(folder.read("model.lire.json"), folder.read("heart.lire.json"));
}

#[test]
fn quiet_leaves_out_what_was_not_asked_for() {
    let outcome = Folder::new().lire(&["fit", HEART, "--target", "disease", "--quiet"]).succeeds();
    assert_eq!(outcome.stderr, "");
    assert!(!outcome.stdout.contains("lire explain"), "{}", outcome.stdout);
}

#[test]
fn verbose_tells_timings_and_the_search() {
    let stderr = Folder::new().lire(&["fit", HEART, "--target", "disease", "-v"]).succeeds().stderr;
    assert!(stderr.contains("candidate rules,"), "{stderr}");
    let spent: Vec<f64> = ["comparison on held-out rows ", "choice of rules "]
        .iter()
        .map(|stage| {
            let (_, rest) = stderr.split_once(stage).unwrap_or_else(|| panic!("{stage} in {stderr}"));
            rest.split(' ').next().unwrap().parse().unwrap()
        })
        .collect();
    assert!(spent.iter().all(|&seconds| seconds > 0.0), "{stderr}");
}

#[test]
fn few_rows_are_not_held_out() {
    let folder = Folder::new();
    folder.write("few.csv", "a,y\n1,no\n2,no\n3,yes\n4,yes\n");
    let outcome = folder.lire(&["fit", "few.csv", "--target", "y"]).succeeds();
    assert!(outcome.stderr.contains("note: there are too few rows to hold some out"), "{}", outcome.stderr);
    assert!(!outcome.stdout.contains("majority class"));
    assert!(folder.json(&["fit", "few.csv", "--target", "y"])["measures"].is_null());
}

#[test]
fn a_model_without_rules_is_a_warning() {
    let folder = Folder::new();
    let outcome = folder.lire(&["fit", HEART, "--target", "disease", "--gamma", "100"]).succeeds();
    assert!(
        outcome.stderr.contains("warning: the model has no rules, only an intercept"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stdout.starts_with("No rules: every row gets the same prediction"), "{}", outcome.stdout);
    folder.lire(&["show", "heart.lire.json"]).succeeds();
    folder.lire(&["explain", "heart.lire.json", HEART, "--row", "1"]).succeeds();
}

#[test]
fn no_usable_feature_is_a_warning() {
    let folder = Folder::new();
    let rows: String = (0..40).map(|row| if row % 3 == 0 { "same,yes\n" } else { "same,no\n" }).collect();
    folder.write("flat.csv", format!("a,y\n{rows}"));
    let outcome = folder.lire(&["fit", "flat.csv", "--target", "y"]).succeeds();
    assert!(outcome.stderr.contains("warning: there is no usable feature"), "{}", outcome.stderr);
    let scores = folder.lire(&["predict", "flat.lire.json", "flat.csv"]).succeeds().stdout;
    assert_eq!(scores.lines().count(), 41);
}

#[test]
fn sensitive_columns_stay_out_of_the_rules() {
    let folder = Folder::new();
    let options = ["fit", HEART, "--target", "disease", "--no-holdout", "--sensitive", "sex,age"];
    let report = folder.json(&options);
    let texts: Vec<&str> =
        report["rules"].as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap()).collect();
    assert!(texts.iter().all(|text| !text.contains("sex") && !text.contains("age ")), "{texts:?}");
    let shown = folder.lire(&["show", "heart.lire.json"]).succeeds().stdout;
    assert!(shown.contains("no rule uses sex, age"), "{shown}");

    folder.json(&[&options[..], &["--allow-sensitive"]].concat());
    let shown = folder.lire(&["show", "heart.lire.json"]).succeeds().stdout;
    assert!(shown.contains("caution: rule") && shown.contains("(sensitive)"), "{shown}");
    folder
        .lire(&["fit", HEART, "--target", "disease", "--sensitive", "sexx"])
        .fails(3, "no column `sexx`; did you mean `sex`?");
}

#[test]
fn time_limits_end_the_search_with_a_model() {
    let folder = Folder::new();
    folder.write("big.csv", generated(20_000));
    let slow =
        ["--n-estimators", "400", "--max-depth", "6", "--gamma", "0", "--time-limit", "1", "--no-holdout"];
    let outcome = folder.lire(&[&["fit", "big.csv", "--target", "y"], &slow[..]].concat()).succeeds();
    assert!(outcome.stderr.contains("note: the time limit ended the search"), "{}", outcome.stderr);
    assert!(folder.read("big.lire.json").contains("\"stop_reason\": \"time_limit\""));
}

#[test]
fn weights_and_dropped_rows_are_told() {
    let folder = Folder::new();
    let rows: Vec<String> =
        (0..60).map(|row| format!("{row},{},{}", if row < 30 { "no" } else { "yes" }, row % 2)).collect();
    folder.write("w.csv", format!("a,y,w\n{}\n5,,1\n", rows.join("\n")));
    let options = ["fit", "w.csv", "--target", "y", "--weight-column", "w", "--drop-missing-target"];
    let outcome = folder.lire(&options).succeeds();
    assert!(outcome.stderr.contains("30 rows of weight zero are left out"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("1 rows without a target are left out"), "{}", outcome.stderr);
}

/// 400 rows of which some are `yes`, all of them with a high `x`.
fn table_with_positives(n_positive: usize) -> String {
    let row = |at: usize| {
        let (x, y) = (if at < n_positive { 900 + at % 7 } else { at % 890 }, at < n_positive);
        format!("{x},{},{}\n", at * 37 % 101, if y { "yes" } else { "no" })
    };
    format!("x,z,y\n{}", (0..400).map(row).collect::<String>())
}

#[test]
fn a_model_without_rules_says_why() {
    let folder = Folder::new();
    folder.write("t.csv", table_with_positives(100)).write("rare.csv", table_with_positives(4));
    let fit = |table: &str, options: &[&str]| {
        let arguments = [&["fit", table, "--target", "y", "--no-holdout", "--force"], options].concat();
        folder.lire(&arguments).succeeds().stderr
    };
    for (table, options, why) in [
        ("t.csv", &["--max-rules", "0"][..], "--max-rules asks for none; raise it"),
        (
            "t.csv",
            &["--sensitive", "x,z"],
            "all columns are kept out of rules; leave some out of --sensitive",
        ),
        ("t.csv", &["--gamma", "50", "--lambda", "0"], "at --gamma 50 a rule costs more than it gains"),
        (
            "t.csv",
            &["--min-rows", "390", "--gamma", "0.01", "--lambda", "0"],
            "no rule covers enough of the 400 rows",
        ),
        (
            "rare.csv",
            &[],
            "only 4 of 400 rows are `yes`, so that rules for it gain little; try --class-weight balanced",
        ),
    ] {
        let said = fit(table, options);
        let said = said.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert!(
            said.contains("has no rules, only an intercept") && said.contains(why),
            "{options:?}: {said}"
        );
    }
    assert!(!fit("t.csv", &["--gamma", "0.01", "--lambda", "0.01"]).contains("no rules"));
}
