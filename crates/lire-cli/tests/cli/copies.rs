//! Rows that are in a table several times: no measure learns from some of them and is taken on the others.

use serde_json::Value;

use crate::folder::Folder;

/// Prices at which a model learns the noise by heart.
const PRICES: [&str; 4] = ["--gamma", "0.0005", "--lambda", "0.001"];
/// What chance gives of so few rows, and copies do not.
const CHANCE: f64 = 0.75;

/// Columns of numbers that have nothing to do with the class, and a weight.
fn noise() -> Vec<String> {
    let mut state = 4u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    };
    (0..150)
        .map(|_| {
            let numbers = [next(), next(), next(), next()];
            let class = if next() < 0.5 { "heads" } else { "tails" };
            format!("{:.4},{:.4},{:.4},{:.4},3,{class}\n", numbers[0], numbers[1], numbers[2], numbers[3])
        })
        .collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    let once = noise();
    let header = "a,b,c,d,w,y\n";
    let thrice: Vec<&str> = once.iter().chain(&once).chain(&once).map(String::as_str).collect();
    let backwards: Vec<&str> = thrice.iter().rev().copied().collect();
    folder.write("once.csv", header.to_owned() + &once.concat());
    folder.write("thrice.csv", header.to_owned() + &thrice.concat());
    folder.write("backwards.csv", header.to_owned() + &backwards.concat());
    folder
}

fn auc(of: &Value) -> f64 {
    of["auc"]["mean"].as_f64().or(of["auc"].as_f64()).unwrap()
}

/// A report without the times that it tells.
fn timeless(mut report: Value) -> Value {
    match &mut report {
        Value::Object(parts) => {
            parts.remove("fit_seconds");
            parts.values_mut().for_each(|part| *part = timeless(part.take()));
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| *part = timeless(part.take())),
        _ => {}
    }
    report
}

#[test]
fn an_evaluation_does_not_leak_through_copies() {
    let folder = folder();
    let evaluated = |table: &str, column: &[&str]| {
        let arguments = ["evaluate", table, "--target", "y", "--folds", "5", "--positive", "heads"];
        timeless(folder.json(&[&arguments[..], &PRICES, column].concat()))
    };
    let thrice = evaluated("thrice.csv", &["--drop", "w"]);
    assert!(auc(&thrice) < CHANCE, "{}", thrice["auc"]);
    assert_eq!(thrice["rows_with_copies"], 450);
    assert_eq!(thrice, evaluated("backwards.csv", &["--drop", "w"]));
    let weighted = evaluated("once.csv", &["--weight-column", "w"]);
    assert!(auc(&weighted) < CHANCE, "{}", weighted["auc"]);
}

#[test]
fn a_fit_does_not_leak_through_copies() {
    let folder = folder();
    for table in ["thrice.csv", "backwards.csv"] {
        let report = folder.json(&[&["fit", table, "--target", "y", "--drop", "w"][..], &PRICES].concat());
        assert!(auc(&report["measures"]) < CHANCE, "{}", report["measures"]["auc"]);
    }
}

#[test]
fn a_comparison_does_not_leak_through_copies() {
    let folder = folder();
    let methods = ["--methods", "lire,forest,boosting", "--folds", "3", "--n-estimators", "50"];
    let report = folder
        .json(&[&["compare", "thrice.csv", "--target", "y", "--drop", "w"][..], &PRICES, &methods].concat());
    assert_eq!(report["rows_with_copies"], 450);
    for method in report["methods"].as_array().unwrap() {
        assert!(auc(method) < CHANCE, "{}: {}", method["method"], method["auc"]);
    }
}
