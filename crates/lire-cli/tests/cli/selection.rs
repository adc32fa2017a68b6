//! The choice of a model: paths, budgets, calibration.

use crate::folder::{Folder, HEART};

#[test]
fn a_path_is_told_drawn_and_stored() {
    let folder = Folder::new();
    let path =
        ["path", HEART, "--target", "disease", "--n-estimators", "20", "--cv", "3", "--plot", "frontier.svg"];
    let report = folder.json(&path);
    assert_eq!((&report["version"], &report["metric"]), (&1.into(), &"auc".into()));
    let models = report["models"].as_array().unwrap();
    assert!(models.len() > 5);
    assert_eq!(models.iter().filter(|model| model["chosen"] == true).count(), 1);
    for model in models {
        for number in ["gamma", "lambda", "n_rules", "local_support_mean"] {
            assert!(model[number].is_number(), "{number} of {model}");
        }
        assert!(model["train"]["auc"].is_number() && model["validation"]["auc"]["mean"].is_number());
        assert!(model["validation"]["auc"]["std"].is_number());
    }
    let picture = folder.read("frontier.svg");
    assert!(picture.starts_with("<svg") && picture.contains("rules per explanation"));
    let table = folder.lire(&path).succeeds().stdout;
    assert!(table.contains("◂ chosen") && table.contains("3-fold cross-validation"), "{table}");
    let csv = folder.lire(&[&path[..], &["--format", "csv", "--out", "m.json"]].concat()).succeeds().stdout;
    assert!(csv.starts_with("gamma,lambda,n_rules,local_support_mean,chosen,train_accuracy"), "{csv}");
    folder.lire(&["show", "m.json"]).succeeds();
}

#[test]
fn what_cannot_be_a_path_is_refused() {
    let folder = Folder::new();
    let path = ["path", HEART, "--target", "disease"];
    let with = |more: &[&str]| folder.lire(&[&path[..], more].concat());
    with(&["--gamma", "0.01", "--lambda", "0.1"]).fails(2, "with both given there is one model");
    with(&["--max-rules", "-3"]).fails(2, "--max-rules");
    with(&["--metric", "rmse"]).fails(2, "this is a measure of numbers");
    with(&["--max-local-rules-any"]).fails(2, "give both");
    with(&["--method", "rulefit"]).fails(2, "only `lire` has a path of models");
    let glrm = ["fit", HEART, "--target", "disease", "--method", "glrm", "--max-rules", "3"];
    folder.lire(&glrm).fails(2, "--max-rules: `glrm` cannot limit the number of rules");
    folder.write("notes.txt", "mine");
    with(&["--plot", "notes.txt"]).fails(2, "is not an SVG file");
    assert_eq!(folder.read("notes.txt"), "mine");
}

#[test]
fn a_fit_keeps_to_its_budget_and_shows_what_it_was_chosen_from() {
    let folder = Folder::new();
    let fit = [
        "fit",
        HEART,
        "--target",
        "disease",
        "--n-estimators",
        "20",
        "--cv",
        "3",
        "--max-local-rules",
        "1.5",
    ];
    let shown = folder.lire(&fit).succeeds().stdout;
    assert!(shown.contains("Selected from"), "{shown}");
    let told = folder.json(&[&fit[..], &["--max-rules", "4"]].concat());
    assert!(told["local_support_mean"].as_f64().unwrap() <= 1.5);
    assert!(told["n_rules"].as_u64().unwrap() <= 4);
    assert!(
        told["path"].as_array().unwrap().iter().any(|model| model["validation"].is_null()),
        "some are outside"
    );
}

#[test]
fn probabilities_can_be_calibrated() {
    let folder = Folder::new();
    let fit = ["fit", HEART, "--target", "disease", "--gamma", "0.01", "--lambda", "0.1", "--no-holdout"];
    for kind in ["platt", "isotonic"] {
        folder.lire(&[&fit[..], &["--calibrate", kind]].concat()).succeeds();
        let model: serde_json::Value = serde_json::from_str(&folder.read("heart.lire.json")).unwrap();
        assert_eq!(model["outputs"][0]["calibration"]["kind"], kind);
        let evaluation =
            folder.json(&["evaluate", HEART, "--target", "disease", "--model", "heart.lire.json"]);
        assert!(evaluation["calibration_error"]["mean"].as_f64().unwrap() < 0.2);
        assert_eq!(evaluation["reliability"].as_array().unwrap().len(), 10);
    }
    folder
        .lire(&[&fit[..], &["--calibrate", "platt", "--base-rate", "0.1"]].concat())
        .fails(2, "leave --base-rate out");
}

#[test]
fn few_different_rows_are_a_path_without_validation() {
    let folder = Folder::new();
    folder.write("two.csv", format!("x,y\n{}", "0,no\n1,yes\n".repeat(30)));
    let shown = folder.lire(&["path", "two.csv", "--target", "y", "--numeric", "x"]).succeeds().stdout;
    assert!(shown.contains("without rows to compare them on") && shown.contains("–"), "{shown}");
    assert!(!shown.contains("outside"), "{shown}");
    let fitted = folder.lire(&["fit", "two.csv", "--target", "y", "--numeric", "x", "--method", "rulefit"]);
    assert!(fitted.succeeds().stdout.contains("x > 0"), "RuleFit keeps the one rule that there is");
    let calibrated = ["fit", "two.csv", "--target", "y", "--numeric", "x", "--calibrate", "platt", "--force"];
    folder.lire(&calibrated).fails(2, "too few rows differ");
}
