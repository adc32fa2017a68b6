//! Numbers, several classes and the other methods, as people use them.

use std::fmt::Write as _;

use crate::folder::{Folder, HEART};

/// Rows with a number and one of three classes that follow from two columns.
fn with_rows() -> Folder {
    let mut text = String::from("age,region,cost,risk\n");
    for row in 0..240 {
        let (age, region) = (20 + (row * 7) % 60, ["north", "south", "west"][row % 3]);
        let cost = 100 + 5 * age + if region == "south" { 80 } else { 0 } + row % 5;
        let risk = match age {
            60.. => "high",
            35.. if region == "south" => "high",
            35.. => "middle",
            _ => "low",
        };
        let _ = writeln!(text, "{age},{region},{cost}.5,{risk}");
    }
    let folder = Folder::new();
    folder.write("x.csv", text);
    folder
}

#[test]
fn a_number_is_predicted_in_its_own_units() {
    let folder = with_rows();
    let ambiguous = ["fit", "x.csv", "--target", "cost", "--drop", "risk"];
    folder.lire(&ambiguous).fails(2, "say `--task regression`");
    let outcome = folder.lire(&[&ambiguous[..], &["--task", "regression"]].concat()).succeeds();
    for part in ["lower ◂", "▸ higher", "training mean", "the sum is the prediction"] {
        assert!(outcome.stdout.contains(part), "{part} is lacking in {}", outcome.stdout);
    }
    let predictions = folder.lire(&["predict", "x.lire.json", "x.csv"]).succeeds().stdout;
    let mut lines = predictions.lines();
    assert_eq!(lines.next(), Some("prediction"));
    let first: f64 = lines.next().unwrap().parse().unwrap();
    assert!((first - 200.5).abs() < 60.0, "{first}");
    let explanation = folder.json(&["explain", "x.lire.json", "x.csv", "--row", "1"]);
    let rules = explanation["rules"].as_array().unwrap().iter();
    let sum = rules.fold(explanation["intercept"].as_f64().unwrap(), |sum, rule| {
        sum + rule["contribution"].as_f64().unwrap()
    });
    assert_eq!(sum, first);
    assert!(explanation.get("label").is_none() && explanation.get("probability").is_none());
    let shown = folder.lire(&["show", "x.lire.json"]).succeeds().stdout;
    assert!(shown.contains("R²") && shown.contains("squared loss"), "{shown}");
    let fit = ["fit", "x.csv", "--target", "cost", "--drop", "risk", "--task", "regression"];
    let measures = folder.json(&fit)["measures"].take();
    assert!(measures["training_mean"]["r2"].as_f64().unwrap() < measures["r2"].as_f64().unwrap());
    assert!(measures.get("majority_class").is_none(), "numbers have no classes: {measures}");
    let options = ["--target", "cost", "--drop", "risk", "--task", "regression", "--folds", "3"];
    let evaluation = folder.json(&[&["evaluate", "x.csv"], &options[..]].concat());
    assert!(evaluation["r2"]["mean"].as_f64().unwrap() > 0.8, "{evaluation}");
}

#[test]
fn several_classes_each_have_their_say() {
    let folder = with_rows();
    let outcome = folder.lire(&["fit", "x.csv", "--target", "risk", "--drop", "cost"]).succeeds();
    for part in ["What speaks for high", "What speaks for low", "others ◂", "of 3 classes of risk"] {
        assert!(outcome.stdout.contains(part), "{part} is lacking in {}", outcome.stdout);
    }
    let predictions = folder.lire(&["predict", "x.lire.json", "x.csv"]).succeeds().stdout;
    let header =
        "label,probability_high,probability_low,probability_middle,score_high,score_low,score_middle\n";
    assert!(predictions.starts_with(header), "{predictions}");
    let explain = ["explain", "x.lire.json", "x.csv", "--row", "1"];
    let own = folder.json(&explain);
    assert_eq!((&own["label"], &own["class"]), (&"low".into(), &"low".into()));
    let other = folder.json(&[&explain[..], &["--class", "high"]].concat());
    assert_eq!((&other["label"], &other["class"]), (&"low".into(), &"high".into()));
    assert!(other["probability"].as_f64() < own["probability"].as_f64());
    folder
        .lire(&[&explain[..], &["--class", "hihg"]].concat())
        .fails(2, "`hihg` is not a class of the model");
    let shown = folder.json(&["show", "x.lire.json"]);
    assert_eq!(shown["outputs"].as_array().unwrap().len(), 3);
    let options = ["evaluate", "x.csv", "--target", "risk", "--drop", "cost", "--folds", "3"];
    let evaluation = folder.json(&options);
    assert!(evaluation["accuracy"]["mean"].as_f64().unwrap() > 0.9, "{evaluation}");
    assert!(evaluation["local_support_all_mean"]["mean"].is_number());
}

#[test]
fn the_other_methods_explain_themselves() {
    for method in ["rulefit", "glrm"] {
        for target in [["--target", "risk", "--drop", "cost"], ["--target", "cost", "--drop", "risk"]] {
            let folder = with_rows();
            let task = if target[1] == "cost" { "regression" } else { "classification" };
            let mut options = vec!["fit", "x.csv", "--method", method, "--task", task];
            options.extend(target);
            if method == "rulefit" {
                options.push("--linear-terms");
            }
            folder.lire(&options).succeeds();
            let model = folder.json(&["show", "x.lire.json"]);
            assert_eq!(model["config"]["method"], method);
            if method == "rulefit" {
                assert!(model["config"]["gamma"].as_f64().unwrap() > 0.0, "the chosen one is stored");
            }
            let one = folder.json(&["explain", "x.lire.json", "x.csv", "--row", "7"]);
            let parts = ["rules", "linear"].into_iter().filter_map(|part| one.get(part)?.as_array());
            let sum = parts.flatten().fold(one["intercept"].as_f64().unwrap(), |sum, term| {
                sum + term["contribution"].as_f64().unwrap()
            });
            assert_eq!(sum, one["score"].as_f64().unwrap(), "{method} {one}");
        }
    }
}

#[test]
fn methods_are_compared_on_the_same_folds() {
    let folder = Folder::new();
    let options = ["compare", HEART, "--target", "disease", "--folds", "4", "--n-estimators", "20"];
    let table = folder.lire(&options).succeeds().stdout;
    for part in ["lire", "rulefit", "glrm", "forest", "boosting", "AUC", "rules per explanation", "Wilcoxon"]
    {
        assert!(table.contains(part), "{part} is lacking in {table}");
    }
    let methods = ["--methods", "lire,forest"];
    let compared = folder.json(&[&options[..], &methods[..]].concat());
    assert_eq!((&compared["version"], &compared["folds"]), (&1.into(), &4.into()));
    let [lire, forest] = compared["methods"].as_array().unwrap().as_slice() else { panic!("{compared}") };
    assert_eq!((&lire["method"], &forest["method"]), (&"lire".into(), &"forest".into()));
    assert!(lire["support"]["mean"].is_number() && forest["support"].is_null());
    assert!(lire["p_values"].is_null());
    let p = forest["p_values"]["auc"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&p) && (p * 16.0).fract() == 0.0, "exact for four folds: {p}");
    let twice = [&options[..], &["--methods", "lire,lire"]].concat();
    folder.lire(&twice).fails(2, "`lire` is listed twice");
}

#[test]
fn weights_of_classes_and_constraints_can_be_typed() {
    let folder = Folder::new();
    let fit =
        |more: &[&str]| folder.lire(&[&["fit", HEART, "--target", "disease", "--no-holdout"], more].concat());
    fit(&["--class-weight", "balanced", "--base-rate", "data"]).succeeds();
    let model = folder.json(&["show", "heart.lire.json"]);
    assert_eq!(model["config"]["class_weight"], "balanced");
    fit(&["--class-weight", "yes=3", "--monotone", "age=increasing,max_heart_rate=decreasing"]).succeeds();
    fit(&["--forbid-in-rules", "sex,age"]).succeeds();
    let rules = folder.lire(&["show", "heart.lire.json", "--format", "csv"]).succeeds().stdout;
    assert!(!rules.contains("sex") && !rules.contains("age "), "{rules}");
    fit(&["--monotone", "agee=increasing"]).fails(2, "there is no feature `agee`; did you mean `age`?");
    fit(&["--monotone", "age"]).fails(2, "write NAME=VALUE");
    fit(&["--class-weight", "maybe=2"]).fails(2, "`maybe` is not a class of `disease`");
    fit(&["--loss", "squared"]).fails(2, "this loss is for numbers");
    fit(&["--method", "rulefit", "--loss", "exponential"]).fails(2, "the exponential loss is for `lire`");
    fit(&["--task", "regression"]).fails(3, "is not a number, as the target of a regression must be");
}

#[test]
fn many_classes_are_told_a_line_each() {
    let mut text = String::from("a,b,kind\n");
    for row in 0..600 {
        let (a, b) = (row * 7 % 40, row * 11 % 30);
        let _ = writeln!(text, "{a},{b},k{}", a / 10 + 4 * (b / 15));
    }
    let folder = Folder::new();
    folder.write("x.csv", text);
    let fit = ["fit", "x.csv", "--target", "kind", "--gamma", "0.001", "--lambda", "0.1"];
    let outcome = folder.lire(&fit).succeeds();
    let lines: Vec<&str> = outcome.stdout.lines().map(str::trim).collect();
    assert!(lines.contains(&"What speaks most for each class"), "{}", outcome.stdout);
    for class in 0..8 {
        let of_class = format!("k{class} ");
        let line = lines.iter().find(|line| line.starts_with(&of_class)).unwrap();
        assert!(line.contains(" % ") && line.contains(" +"), "{line}");
    }
    let shown = folder.lire(&["show", "x.lire.json"]).succeeds().stdout;
    assert_eq!(shown.matches("What speaks for k").count(), 8);
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(words.join(" ").contains("each class among its own of"), "{shown}");
}
