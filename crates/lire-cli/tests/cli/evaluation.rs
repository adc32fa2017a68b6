//! `lire evaluate`.

use crate::folder::{Folder, HEART};

const MEASURES: [&str; 13] = [
    "accuracy",
    "balanced_accuracy",
    "f1",
    "auc",
    "average_precision",
    "log_loss",
    "brier",
    "support",
    "local_support_mean",
    "local_support_max",
    "support_ratio",
    "diversity",
    "fit_seconds",
];

#[test]
fn folds_give_means_and_spreads() {
    let report =
        Folder::new().json(&["evaluate", HEART, "--target", "disease", "--gamma", "0.01", "--folds", "3"]);
    for measure in MEASURES {
        assert!(report[measure]["mean"].is_number(), "{measure}: {}", report[measure]);
        assert!(report[measure]["std"].is_number(), "{measure}: {}", report[measure]);
    }
    assert_eq!(report["folds"], 3);
    assert_eq!(report["n_rows"], 303);
    let confusion = report["confusion"].as_object().unwrap();
    let cells = ["true_positive", "false_positive", "true_negative", "false_negative"];
    assert_eq!(cells.map(|cell| confusion[cell].as_u64().unwrap()).iter().sum::<u64>(), 303);
    assert_eq!(confusion["classes"].as_array().unwrap().len(), 2);
}

#[test]
fn a_holdout_has_no_spread() {
    let report = Folder::new().json(&["evaluate", HEART, "--target", "disease", "--gamma", "0.01"]);
    for measure in MEASURES {
        assert!(
            report[measure]["mean"].is_number() && report[measure]["std"].is_null(),
            "{measure}: {}",
            report[measure]
        );
    }
}

#[test]
fn evaluation_speaks_all_forms() {
    let folder = Folder::new();
    let run = |format: &str| {
        let options = ["--target", "disease", "--gamma", "0.01", "--holdout", "0.3", "--format", format];
        folder.lire(&[&["evaluate", HEART], &options[..]].concat()).succeeds().stdout
    };
    assert!(run("table").contains("truly yes"));
    assert!(run("csv").starts_with("measure,mean,std,majority_class\naccuracy,0."));
    assert!(run("markdown").starts_with("| measure | model | majority class |\n"));
    assert!(folder.files().is_empty(), "nothing is stored");
}

#[test]
fn a_given_model_can_be_measured() {
    let folder = Folder::with_heart_model();
    let report = folder.json(&["evaluate", HEART, "--model", "heart.lire.json"]);
    let shown = folder.json(&["show", "heart.lire.json"]);
    assert_eq!(report["accuracy"]["mean"], shown["training"]["accuracy"]);
    assert!(report["fit_seconds"].is_null());
    let all_positive = ["evaluate", HEART, "--model", "heart.lire.json", "--threshold", "0"];
    let confusion = &folder.json(&all_positive)["confusion"];
    assert_eq!((&confusion["true_negative"], &confusion["false_negative"]), (&0.into(), &0.into()));
}

#[test]
fn impossible_splits_are_refused() {
    let folder = Folder::new();
    folder
        .lire(&["evaluate", HEART, "--target", "disease", "--folds", "1"])
        .fails(2, "--folds: 1 is too few");
    folder
        .lire(&["evaluate", HEART, "--target", "disease", "--folds", "1000"])
        .fails(2, "--folds: 1000 is more than");
    folder
        .lire(&["evaluate", HEART, "--target", "disease", "--holdout", "1"])
        .fails(2, "--holdout: 1 is not a share");
    folder
        .lire(&["evaluate", HEART, "--target", "disease", "--holdout", "0.2", "--folds", "3"])
        .fails(2, "cannot be used with");
}
