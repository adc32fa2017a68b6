//! Reports as data: what is written is read back as it was, and names its version.

use std::fmt::Debug;

use lire::config::Method;
use lire::evaluate::{Contender, assess, folds_to_measure, rows_to_check};
use lire::fit::{Fit, fit};
use lire::report::{
    ComparisonReport, DecisionRule, EvaluationReport, FitReport, HeldOut, Measured, ModelReport, ModelScores,
    PathReport, PredictionReport,
};
use lire::split::Division;
use lire::table::{ClassLabels, Dataset, Target, TargetValues, Values};
use lire::{Config, Watch};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::tables::dataset;

fn config() -> Config {
    Config::default().with(|config| {
        config.data.target = "ill".into();
        config.trees.n_estimators = 10;
        config.objective.gamma = Some(0.005);
        config.objective.lambda = Some(0.1);
    })
}

fn with_target(values: TargetValues, data: Dataset) -> Dataset {
    Dataset { target: Target { name: "ill".into(), values }, ..data }
}

/// Two classes, three classes, numbers.
fn tasks() -> [Dataset; 3] {
    let two = dataset(31, 240);
    let Values::Numbers(ages) = two.table.columns()[1].clone() else { panic!("ages") };
    let label = |(row, age): (usize, &f64)| {
        if row % 9 == 0 { 1 } else { u32::from(*age > 35.0) + u32::from(*age > 60.0) }
    };
    let three = TargetValues::Classes(ClassLabels {
        classes: ["a", "b", "c"].map(String::from).to_vec(),
        labels: ages.iter().enumerate().map(label).collect(),
        positive_chosen: false,
    });
    let numbers =
        TargetValues::Numbers(ages.iter().enumerate().map(|(row, age)| age + (row % 5) as f64).collect());
    [two.clone(), with_target(three, two.clone()), with_target(numbers, two)]
}

fn fitted(data: &Dataset, config: &Config) -> Fit {
    fit(data, config, &Watch::default()).unwrap()
}

/// Writes and reads a report, checks its version, and gives its JSON.
fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(report: &T) -> Value {
    let text = serde_json::to_string_pretty(report).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), report);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["version"], 1);
    let mut later = json.clone();
    later["version"] = 2.into();
    let refused = serde_json::from_value::<T>(later).unwrap_err().to_string();
    assert!(refused.contains("version 2 of the report is unknown"), "{refused}");
    let more = text.replacen('{', "{\"added_later\": [1],", 1);
    let again: T = serde_json::from_str(&more).unwrap();
    assert_eq!(&again, report, "what is added within a version is passed over");
    json
}

#[test]
fn models_and_predictions() {
    let sensitive = config().with(|config| {
        config.features.sensitive = vec!["age".into()];
        config.features.allow_sensitive = true;
    });
    for data in tasks() {
        let model = fitted(&data, &sensitive).model;
        let report = ModelReport::of(&model, "m.json");
        let json = there_and_back(&report);
        assert_eq!(report.scores.all().len(), model.n_outputs());
        assert_eq!(matches!(report.scores, ModelScores::Several { .. }), model.n_outputs() > 1);
        assert_eq!(json["training"], serde_json::to_value(&model.file().training).unwrap());
        let fewest = model.rule_terms().map(|term| term.rows).min();
        assert_eq!(report.fewest_rows, fewest);
        assert!(model.rules().is_empty() || !report.sensitive_uses.is_empty(), "age decides");
        let decision = match model.classes().len() {
            0 => DecisionRule::Number,
            2 => DecisionRule::Score { probability: None, class_weights: false },
            _ => DecisionRule::MostProbable,
        };
        assert_eq!(report.decision, decision);

        let scored = model.score(&data.table).unwrap();
        let predictions = PredictionReport::of(&model, &scored, true).unwrap();
        there_and_back(&predictions);
        assert_eq!(predictions.rules, Some(model.local_support(&scored).unwrap()));
        for (row, scores) in scored.rows().enumerate() {
            let of_row: Vec<f64> = predictions.scores.iter().map(|column| column[row]).collect();
            assert_eq!(of_row, scores);
            let Some(decision) = model.decide(scores).unwrap() else { continue };
            assert_eq!(predictions.labels[row], decision.class);
            let probabilities: Vec<f64> =
                predictions.probabilities.iter().map(|column| column[row]).collect();
            let own = &decision.probabilities;
            assert_eq!(probabilities, own[own.len() - probabilities.len()..]);
        }
    }
    let threshold = fitted(&tasks()[0], &config().with(|config| config.meaning.threshold = Some(0.25))).model;
    assert_eq!(ModelReport::of(&threshold, "").decision, DecisionRule::Probability { above: 0.25 });
}

#[test]
fn fits_and_paths() {
    for data in tasks() {
        let choosing = config().with(|config| {
            config.objective.gamma = None;
            config.objective.lambda = None;
            config.selection.cv = 3;
            config.selection.max_rules = Some(6);
        });
        let fit = fitted(&data, &choosing);
        let division = Division::of(&data).unwrap();
        let split = rows_to_check(&division, &data.target.values, 0).unwrap();
        let assessment = assess(&data, &fit.config.settled(), &split, &Watch::default()).unwrap();
        let held_out = HeldOut::of(split.test.len(), assessment.clone(), &division);
        assert_eq!(held_out.assessment(), Some(assessment));
        let report = FitReport::of(&fit, &data, Some(held_out), "m.json", false).unwrap();
        let json = there_and_back(&report);
        assert_eq!(report.selection(), fit.selection);
        assert!(json["measures"]["n_rows"].is_number() && report.example.is_some());
        let path = PathReport::of(fit.selection.unwrap());
        let json = there_and_back(&path);
        assert_eq!(json["models"].as_array().unwrap().len(), path.selection.models.len());

        let bare = FitReport::of(&fitted(&data, &config()), &data, None, "m.json", true).unwrap();
        let json = there_and_back(&bare);
        assert!(json["measures"].is_null() && json.get("path").is_none() && bare.selection().is_none());
    }
}

#[test]
fn evaluations_and_comparisons() {
    for data in tasks() {
        let division = Division::of(&data).unwrap();
        let folds = folds_to_measure(&division, 3, 0, &data.target.values).unwrap();
        assert_eq!(folds.warning, None);
        let assessed = |config: &Config| {
            let watch = Watch::default();
            folds.splits.iter().map(|split| assess(&data, config, split, &watch).unwrap()).collect::<Vec<_>>()
        };
        let own = assessed(&config());
        let measured = Measured::Folds { n_folds: 3 };
        let report = EvaluationReport::of(&data.target, own.clone(), measured, Some(&division)).unwrap();
        let json = there_and_back(&report);
        assert_eq!((&json["folds"], json["splits"].as_array().unwrap().len()), (&3.into(), 3));
        assert_eq!(json.get("training_mean").is_some(), data.target.classes().is_empty());
        let all_rows = Measured::AllRows { model: "m.json".into() };
        let of_model = EvaluationReport::of(&data.target, own[..1].to_vec(), all_rows, None).unwrap();
        assert!(there_and_back(&of_model).get("fit_seconds").is_none());

        let glrm = Config::default().with(|config| {
            config.data.target = "ill".into();
            config.method = Method::Glrm;
        });
        let contenders = [
            Contender { name: "lire".into(), assessments: own },
            Contender { name: "glrm".into(), assessments: assessed(&glrm) },
        ];
        let compared = ComparisonReport::of(&contenders, &division, data.n_rows()).unwrap();
        let json = there_and_back(&compared);
        assert_eq!((&json["folds"], &json["n_rows"]), (&3.into(), &240.into()));
        assert!(json["methods"][0]["p_values"].is_null());
        for measure in compared.measures() {
            let p = compared.methods[1].p_value(measure);
            assert_eq!(json["methods"][1]["p_values"][measure.key()].as_f64(), p);
            assert!(p.is_none_or(|p| (0.0..=1.0).contains(&p)));
        }
    }
}
