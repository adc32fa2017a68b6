//! Rows that belong together, and rows in time: `--groups` and `--time`.

use std::fmt::Write as _;

use serde_json::Value;

use crate::folder::Folder;

const PRICES: [&str; 4] = ["--gamma", "0.0005", "--lambda", "0.01"];

/// Draws numbers from 0 to 1.
fn draws() -> impl FnMut() -> f64 {
    let mut state = 7u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    }
}

/// Ten visits of each of sixty patients, whose label and lasting values are drawn once for each patient: nothing that is
/// learned of some patients holds for others. Only `mood` differs from visit to visit.
fn visits() -> String {
    let mut draw = draws();
    let mut text = String::from("patient,a,b,c,d,e,f,mood,ill\n");
    for patient in 0..60 {
        let lasting: Vec<String> = (0..6).map(|_| format!("{:.3}", draw())).collect();
        let ill = if patient % 2 == 0 { "yes" } else { "no" };
        for _ in 0..10 {
            let _ = writeln!(text, "P{:03},{},{:.4},{ill}", 100 + patient, lasting.join(","), draw());
        }
    }
    text
}

/// Rows of ten years, in which what `x` says of the label turns round after the eighth.
fn years(in_text: impl Fn(usize) -> String) -> String {
    let mut draw = draws();
    let mut text = String::from("when,x,z,y\n");
    for row in 0..500 {
        let (year, x, z) = (row % 10, draw(), draw());
        let label = if (x > 0.5) ^ (year >= 8) { "yes" } else { "no" };
        let _ = writeln!(text, "{},{x:.4},{z:.4},{label}", in_text(year));
    }
    text
}

fn auc(report: &Value) -> f64 {
    report["auc"]["mean"].as_f64().or_else(|| report["measures"]["auc"].as_f64()).unwrap()
}

fn is_chance(auc: f64) -> bool {
    (0.3..0.7).contains(&auc)
}

#[test]
fn what_holds_for_known_groups_only_is_worth_nothing_on_others() {
    let folder = Folder::new();
    folder.write("visits.csv", visits());
    let groups = ["--groups", "patient"];
    let of = |command: &[&str], options: &[&str]| {
        folder.json(&[command, &["visits.csv", "--target", "ill", "--n-estimators", "60"], options].concat())
    };
    for how in [&["--folds", "5"][..], &["--holdout", "0.25"]] {
        let options = [how, &PRICES].concat();
        let plain = of(&["evaluate"], &[&options[..], &["--drop", "patient"]].concat());
        assert!(auc(&plain) > 0.95, "{how:?}: {}", auc(&plain));
        assert!(plain.get("divided_by").is_none());
        let grouped = of(&["evaluate"], &[&options[..], &groups].concat());
        assert!(is_chance(auc(&grouped)), "{how:?}: {}", auc(&grouped));
        let expected = serde_json::json!({ "groups": { "column": "patient", "distinct": 60 } });
        assert_eq!(grouped["divided_by"], expected);
        assert_eq!(grouped["rows_with_copies"], 0);
    }
    // The choice of prices and the rows held out of a fit.
    let grouped = of(&["fit"], &groups);
    assert!(is_chance(auc(&grouped)), "{}", auc(&grouped));
    for of in [&grouped["choice"], &grouped["measures"]] {
        assert_eq!(of["divided_by"]["groups"]["distinct"], 60);
    }
    let best = |models: &Value| {
        let models = models.as_array().unwrap();
        let auc = |model: &Value| model["validation"]["auc"]["mean"].as_f64();
        models.iter().filter_map(auc).fold(0.0, f64::max)
    };
    assert!(is_chance(best(&grouped["path"])), "{}", best(&grouped["path"]));
    assert!(is_chance(best(&of(&["path"], &groups)["models"])));
    let plain = of(&["fit"], &["--drop", "patient"]);
    assert!(best(&plain["path"]) > 0.95 && auc(&plain) > 0.95, "{}", auc(&plain));
}

#[test]
fn groups_are_no_feature_and_predictions_do_not_need_them() {
    let folder = Folder::new();
    folder.write("visits.csv", visits());
    folder.write("options.toml", "groups = \"patient\"\ngamma = 0.0005\nlambda = 0.01\n");
    let options = ["fit", "visits.csv", "--target", "ill", "--config", "options.toml", "--out", "m.json"];
    let outcome = folder.lire(&options).succeeds();
    assert!(
        outcome.stdout.contains("; none of the 60 groups (column `patient`) is on both sides"),
        "{}",
        outcome.stdout
    );
    let model: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    assert!(!model["features"].to_string().contains("patient"), "{}", model["features"]);
    assert_eq!(model["provenance"]["data"]["divided_by"]["groups"]["column"], "patient");
    assert_eq!(model["held_out"]["divided_by"]["groups"]["distinct"], 60);
    folder.write("new.csv", "a,b,c,d,e,f,mood\n0.1,0.2,0.3,0.4,0.5,0.6,0.7\n");
    folder.lire(&["predict", "m.json", "new.csv"]).succeeds();
}

#[test]
fn every_method_keeps_groups_together() {
    let folder = Folder::new();
    folder.write("visits.csv", visits());
    let options = ["--target", "ill", "--groups", "patient", "--folds", "3"];
    let methods = ["--methods", "rulefit,glrm,forest,boosting", "--n-estimators", "40"];
    let report = folder.json(&[&["compare", "visits.csv"], &options[..], &methods].concat());
    for method in report["methods"].as_array().unwrap() {
        let auc = method["auc"]["mean"].as_f64().unwrap();
        assert!(is_chance(auc), "{}: {auc}", method["method"]);
    }
    assert_eq!(report["divided_by"]["groups"]["distinct"], 60);
    let text =
        folder.lire(&[&["compare", "visits.csv"], &options[..], &["--methods", "glrm"]].concat()).succeeds();
    assert!(
        text.stdout.contains("3-fold cross-validation of 600 rows in 60 groups (column `patient`)"),
        "{}",
        text.stdout
    );
}

#[test]
fn calibration_learns_from_other_groups() {
    let folder = Folder::new();
    folder.write("visits.csv", visits());
    let spread = |options: &[&str]| {
        let fit = [
            "fit",
            "visits.csv",
            "--target",
            "ill",
            "--calibrate",
            "platt",
            "--no-holdout",
            "--out",
            "m.json",
        ];
        folder.lire(&[&fit[..], &PRICES, options].concat()).succeeds();
        let predicted = folder.lire(&["predict", "m.json", "visits.csv"]).succeeds().stdout;
        let header: Vec<&str> = predicted.lines().next().unwrap().split(',').collect();
        let column = header.iter().position(|name| name.contains("probability")).unwrap();
        let probability = |line: &str| -> f64 { line.split(',').nth(column).unwrap().parse().unwrap() };
        predicted.lines().skip(1).map(probability).fold(0.0, |most: f64, p| most.max((p - 0.5).abs()))
    };
    assert!(spread(&["--drop", "patient"]) > 0.4, "scores of known patients are sure");
    assert!(spread(&["--groups", "patient"]) < 0.3, "scores of others say nothing");
}

#[test]
fn later_rows_are_predicted_from_earlier_ones() {
    let folder = Folder::new();
    for (name, table) in [
        ("numbers.csv", years(|year| (2010 + year).to_string())),
        ("dates.csv", years(|year| format!("{}-04-01", 2010 + year))),
    ] {
        folder.write(name, table);
        let of = |options: &[&str]| {
            let command =
                ["evaluate", name, "--target", "y", "--time", "when", "--gamma", "0.01", "--lambda", "0.1"];
            folder.json(&[&command[..], options].concat())
        };
        // Of five parts the latest has the two years in which all is the other way round.
        let report = of(&["--folds", "4"]);
        let aucs: Vec<f64> = report["splits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|split| split["measures"]["auc"].as_f64().unwrap())
            .collect();
        assert!(aucs[..3].iter().all(|auc| *auc > 0.9) && aucs[3] < 0.1, "{aucs:?}");
        assert_eq!(report["divided_by"], serde_json::json!({ "time": { "column": "when", "distinct": 10 } }));
        assert!(auc(&of(&["--holdout", "0.2"])) < 0.1);
    }
    let fit = ["fit", "dates.csv", "--target", "y", "--time", "when"];
    let text = folder.lire(&fit).succeeds().stdout;
    assert!(text.contains("that a fit did not see, the latest (column `when`)"), "{text}");
    assert!(text.contains("by AUC on 5 splits forwards in time (column `when`)"), "{text}");
}

#[test]
fn what_cannot_be_is_said_in_a_line() {
    let folder = Folder::new();
    folder.write("visits.csv", visits());
    let fit = |options: &[&str]| folder.lire(&[&["fit", "visits.csv", "--target", "ill"], options].concat());
    let fails = |options: &[&str], message: &str| drop(fit(options).fails(2, message));
    let fails_on_data = |options: &[&str], message: &str| drop(fit(options).fails(3, message));
    fails_on_data(&["--groups", "patent"], "no column `patent`; did you mean `patient`?");
    fails_on_data(&["--time", "mod"], "no column `mod`; did you mean `mood`?");
    fails(&["--groups", "ill"], "--groups: `ill` is the target; groups need a column of their own");
    fails(&["--weight-column", "a", "--groups", "a"], "--groups: `a` holds the weights");
    fails(&["--groups", "a", "--time", "a"], "--time: `a` holds the groups");
    fails(&["--groups", "patient", "--drop", "patient"], "--drop:");
    fails(
        &["--groups", "patient", "--categorical", "patient"],
        "--categorical: column `patient` holds the groups",
    );
    fails_on_data(&["--time", "patient"], "column `patient`, row 1: `P100` is no time");
    folder.write("visits.csv", visits().replacen("P100,", ",", 1));
    fails_on_data(&["--groups", "patient"], "column `patient`, row 1: the group is missing");
    let evaluate = ["evaluate", "visits.csv", "--target", "ill", "--groups", "mood", "--folds"];
    folder.lire(&[&evaluate[..], &["700"]].concat()).fails(2, "groups; give fewer");
}

#[test]
fn a_column_like_an_identifier_gets_a_hint() {
    let folder = Folder::new();
    folder.write("visits.csv", visits());
    let fit = [&["fit", "visits.csv", "--target", "ill", "--no-holdout"], &PRICES[..]].concat();
    let hint = "column `patient`: it looks like an identifier of rows that belong together";
    let stderr = folder.lire(&fit).succeeds().stderr;
    assert!(stderr.contains(hint) && stderr.contains("keep them together with --groups patient"), "{stderr}");
    for options in [["--groups", "patient"], ["--drop", "patient"]] {
        let stderr = folder.lire(&[&fit[..], &options].concat()).succeeds().stderr;
        assert!(!stderr.contains(hint), "{stderr}");
    }
}
