//! Model files that are old, broken or ill-meant: read, or refused with a message, and never a panic.

use lire::table::{RawColumn, RawTable, Table, Values};
use lire::{Error, Model};
use serde_json::{Value, json};

use crate::draws::Draws;
use crate::model::random_model;
use crate::tables::table;

/// A small model of the first version of the format, written by hand. It must stay readable for ever.
const VERSION_1: &str = include_str!("models/v1.json");
/// The same in the second.
const VERSION_2: &str = include_str!("models/v2.json");
/// The same in the present version, where texts stand for missing values in a column of numbers.
const VERSION_3: &str = include_str!("models/v3.json");

fn refused(json: &[u8]) -> String {
    match Model::from_json(json, "bad.json") {
        Err(error @ Error::Model { .. }) => {
            let message = error.to_string();
            assert!(message.starts_with("bad.json"), "{message}");
            message
        }
        other => panic!("{other:?}"),
    }
}

/// The model with one value changed.
fn changed(pointer: &str, value: Value) -> String {
    let mut file: Value = serde_json::from_str(VERSION_3).unwrap();
    *file.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    refused(file.to_string().as_bytes())
}

#[test]
fn version_1_is_read_and_predicts() {
    let model = Model::from_json(VERSION_1.as_bytes(), "v1.json").unwrap();
    assert_eq!(model.rules().len(), 3);
    let table = table(&mut Draws::new(1), 300, true);
    let scored = model.score(&table).unwrap();
    for (row, &score) in scored.scores.iter().enumerate() {
        let mut expected = -0.5;
        for (rule, weight) in model.rules().iter().zip([1.25, -0.75, 0.5]) {
            expected += if rule.covers(&table, row).unwrap() { weight } else { 0.0 };
        }
        assert_eq!(score, expected);
    }
    let same = Model::from_json(VERSION_2.as_bytes(), "v2.json").unwrap();
    assert_eq!(same.file().outputs, model.file().outputs);
    assert_eq!(same.to_json(), model.to_json(), "the upgrade gives what the present version writes");
    let again = Model::from_json(model.to_json().as_bytes(), "again").unwrap();
    assert_eq!(again.file(), model.file());
}

#[test]
fn version_3_remembers_what_stood_for_missing_values() {
    let model = Model::from_json(VERSION_3.as_bytes(), "v3.json").unwrap();
    assert_eq!(model.schema().features[0].missing, ["?", "NA"]);
    let again = Model::from_json(model.to_json().as_bytes(), "again").unwrap();
    assert_eq!(again.file(), model.file());
    let cells = |name: &str, cells: [&'static str; 4]| RawColumn::of_texts(name, cells);
    let columns = vec![
        cells("income", ["?", "NA", "", "20"]),
        cells("age", ["60", "60", "60", "60"]),
        cells("region", ["west", "west", "west", "west"]),
        cells("smokes", ["no", "no", "no", "no"]),
    ];
    let table = Table::for_schema(&RawTable::new("x.csv", columns, 4).unwrap(), model.schema(), &[]).unwrap();
    let Values::Numbers(incomes) = &table.columns()[0] else { panic!("numbers") };
    assert!(incomes[..3].iter().all(|income| income.is_nan()) && incomes[3] == 20.0);
    let columns = vec![
        cells("income", ["1", "2", "3", "4"]),
        cells("age", ["60", "?", "60", "60"]),
        cells("region", ["west", "west", "west", "west"]),
        cells("smokes", ["no", "no", "no", "no"]),
    ];
    let other = Table::for_schema(&RawTable::new("x.csv", columns, 4).unwrap(), model.schema(), &[]);
    assert!(other.unwrap_err().to_string().starts_with("column `age`, row 2: `?` is not a number"));
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    for whole in [VERSION_1, VERSION_2, VERSION_3].map(|text| text.trim_end().as_bytes()) {
        for end in 0..whole.len() {
            let message = refused(&whole[..end]);
            assert!(message.contains("cut off") || message.contains("not a lire model"), "{message}");
        }
    }
    let written = random_model(&mut Draws::new(2), 3).to_json();
    for end in 0..written.trim_end().len() {
        refused(&written.as_bytes()[..end]);
    }
}

/// Single bytes changed at random: whatever comes of it is read or refused.
#[test]
fn damaged_bytes_never_panic() {
    let mut draws = Draws::new(7);
    for _ in 0..4000 {
        let version = if draws.chance(0.5) { VERSION_1 } else { VERSION_3 };
        let mut bytes = version.as_bytes().to_vec();
        for _ in 0..=draws.below(3) {
            let at = draws.below(bytes.len());
            bytes[at] = match draws.below(3) {
                0 => draws.below(256) as u8,
                1 => b"0123456789-eE.\"[]{},:"[draws.below(21)],
                _ => bytes[draws.below(bytes.len())],
            };
        }
        match Model::from_json(&bytes, "bad.json") {
            Ok(model) => drop(model.score(&table_of(&model)).unwrap()),
            Err(Error::Model { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// No rows of whatever schema the model has.
fn table_of(model: &Model) -> lire::table::Table {
    let empty = |feature: &lire::table::Feature| match feature.kind.levels() {
        None => Values::Numbers(Vec::new()),
        Some(_) => Values::Codes(Vec::new()),
    };
    Table::new(model.schema().clone(), model.schema().features.iter().map(empty).collect(), 0).unwrap()
}

#[test]
fn other_files_and_versions_are_told_apart() {
    assert!(refused(b"").contains("cut off"));
    assert!(refused(b"age,income\n1,2\n").contains("not a lire model"));
    assert!(refused(b"{}").contains("not a lire model"));
    assert!(refused(b"[1, 2]").contains("model"));
    assert!(refused(b"\xff\xfe\x00").contains("not a lire model"));
    assert!(changed("/format", json!("other")).contains("not a lire model"));
    assert!(changed("/format_version", json!(4)).contains("format version 4 is unknown"));
    assert!(changed("/format_version", json!(0)).contains("format version 0 is unknown"));
    assert!(changed("/format_version", json!(null)).contains("`format_version` is missing"));
}

#[test]
fn weights_must_be_numbers_within_the_box() {
    assert!(changed("/outputs/0/weights/1", json!(20.5)).contains("not within ±20"));
    assert!(changed("/outputs/0/intercept", json!(-1e300)).contains("not within ±20"));
    changed("/outputs/0/weights/1", json!(null));
    changed("/outputs/0/weights/1", json!("1"));
    for number in ["NaN", "1e999", "-1e999", "Infinity", "0x10", "1e"] {
        let text = VERSION_3.replacen("1.25", number, 1);
        assert_ne!(text, VERSION_3);
        refused(text.as_bytes());
    }
}

#[test]
fn parts_must_fit_each_other() {
    assert!(changed("/outputs/0/weights", json!([1.0])).contains("1 weights for 3 terms"));
    assert!(changed("/outputs", json!([])).contains("0 outputs"));
    assert!(changed("/outputs/0/class", json!("no")).contains("its class is not the class of `target`"));
    assert!(changed("/target/classes/0", json!("yes")).contains("listed twice"));
    assert!(changed("/terms/0/rule", json!("age > 51 & region ≠ west")).contains("but the conditions say"));
    assert!(changed("/terms/0/conditions/0/above", json!(51)).contains("but the conditions say"));
    assert!(changed("/terms/0/coverage", json!(1.5)).contains("`coverage` is not a share"));
    assert!(changed("/terms/2/conditions/1/in", json!(["maybe"])).contains("no level `maybe`"));
    assert!(changed("/terms/2/conditions/1/feature", json!("drinks")).contains("no such feature"));
    assert!(changed("/threshold", json!(1.01)).contains("not a probability"));
    assert!(changed("/link/scale", json!(0)).contains("not a positive number"));
    assert!(changed("/link/kind", json!("probit")).contains("probit"));
    assert!(changed("/link", json!({ "kind": "identity" })).contains("does not belong"));
    assert!(changed("/target/task", json!("regression")).contains("does not belong"));
    assert!(changed("/target/classes", json!(["a", "b", "yes"])).contains("are not the shares"));
    assert!(changed("/training/class_shares", json!([0.5])).contains("are not the shares"));
    let linear = |feature: &str, low: f64| json!({ "kind": "linear", "feature": feature, "low": low, "high": 9.0, "mean": 5.0, "std": 2.0 });
    assert!(changed("/terms/0", linear("age", 1.0)).contains("a rule comes after a linear term"));
    assert!(changed("/terms/2", linear("smokes", 1.0)).contains("not a numeric feature"));
    assert!(changed("/terms/2", linear("shoes", 1.0)).contains("no feature `shoes`"));
    assert!(changed("/terms/2", linear("age", 6.0)).contains("do not describe a spread"));
    assert!(changed("/features/1/name", json!("income")).contains("two features are named `income`"));
    assert!(changed("/features/3/levels", json!(["no", "yes", "perhaps"])).contains("exactly two levels"));
    let twice: Value = serde_json::from_str::<Value>(VERSION_3).unwrap()["terms"][0].clone();
    assert!(changed("/terms/1", twice).contains("listed twice"));
}

#[test]
fn unknown_fields_of_what_predicts_and_repeated_ones_are_refused() {
    for (place, name) in [("/terms/0", "weight"), ("/outputs/0", "bias"), ("/target", "kind")] {
        let mut file: Value = serde_json::from_str(VERSION_3).unwrap();
        file.pointer_mut(place).unwrap()[name] = json!(1);
        assert!(refused(file.to_string().as_bytes()).contains(name));
    }
    for (once, twice) in [
        ("\"intercept\": -0.5", "\"intercept\": -0.5, \"intercept\": 0.5"),
        ("\"format_version\": 3", "\"format_version\": 3, \"format_version\": 3"),
        ("\"threshold\": null", "\"threshold\": null, \"threshold\": 0.5"),
        ("\"target\": \"ill\"", "\"target\": \"ill\", \"target\": \"well\""),
    ] {
        let text = VERSION_3.replacen(once, twice, 1);
        assert!(refused(text.as_bytes()).contains("duplicate field"));
    }
}

#[test]
fn deep_and_large_files_do_not_exhaust_the_stack() {
    refused("[".repeat(1_000_000).as_bytes());
    refused(format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000)).as_bytes());
    refused("{\"format\":".repeat(300_000).as_bytes());
    for nested in ["terms", "config", "anything"] {
        let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
        refused(format!("{{\"format\":\"lire-model\",\"format_version\":3,\"{nested}\":{deep}}}").as_bytes());
    }
}

/// A file with very many terms is read in a time that grows like its size. Like the square of it, this test would take
/// minutes.
#[test]
fn very_many_terms_are_no_trap() {
    let n_terms = 100_000;
    let mut file: Value = serde_json::from_str(VERSION_3).unwrap();
    let term = |index: usize| {
        json!({ "kind": "rule", "rule": format!("age > {index}"), "conditions": [{ "feature": "age", "above": index }],
                "coverage": 0.5, "rows": 1 })
    };
    file["terms"] = (0..n_terms).map(term).collect();
    file["outputs"][0]["weights"] = (0..n_terms).map(|_| json!(0.001)).collect();
    let model = Model::from_json(file.to_string().as_bytes(), "many.json").unwrap();
    assert_eq!(model.rules().len(), n_terms);
}
