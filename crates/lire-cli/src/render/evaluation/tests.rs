//! What `evaluate` tells of several classes and of numbers.

use insta::assert_snapshot;
use lire::measure::{Baseline, Measures, RuleMeasures};
use lire::model::{ClassPredictions, Predictions};
use lire::table::{ClassLabels, Target, TargetValues};

use super::*;
use crate::render::measures::{as_csv, as_markdown};

const LOOK: Look = Look { width: 100, color: false };

fn target(values: TargetValues) -> Target {
    Target { name: "y".into(), values }
}

fn report(target: &Target, assessments: Vec<Assessment>) -> EvaluationReport {
    EvaluationReport::of(target, assessments, Measured::Folds { n_folds: 2 }, None).unwrap()
}

/// Six rows of three classes; the rules' weights differ by class.
fn three_classes(said: &[u32; 6]) -> (Target, Assessment) {
    let classes = ["bus", "car", "on foot"].map(str::to_owned).to_vec();
    let labels = vec![0, 1, 2, 0, 1, 1];
    let truth = TargetValues::Classes(ClassLabels { classes, labels, positive_chosen: false });
    let column = |class: u32| said.iter().map(|&one| if one == class { 0.5 } else { 0.25 }).collect();
    let columns: Vec<Vec<f64>> = (0..3).map(column).collect();
    let (scores, probabilities, labels) = (columns.clone(), columns, said.to_vec());
    let said = Predictions::Classes(ClassPredictions { scores, probabilities, labels });
    let (coverage, outputs) = ([[0b11_0101_u64], [0b00_0011]], [[1.0, -0.5], [0.0, 2.0], [0.25, 0.0]]);
    let weights = [1.0; 6];
    let assessment = Assessment {
        measures: Measures::of(&truth, &said, &weights).unwrap(),
        rules: Some(RuleMeasures::of_outputs(&coverage, &outputs, &said.outputs(), &weights).unwrap()),
        baseline: Baseline::of(&truth, &weights).unwrap().measure(&truth, &weights).unwrap(),
        fit_seconds: 0.25,
    };
    (target(truth), assessment)
}

fn numbers(said: [f64; 4]) -> (Target, Assessment) {
    let truth = TargetValues::Numbers(vec![1000.0, 3000.0, 2500.0, 500.0]);
    let weights = [1.0; 4];
    let assessment = Assessment {
        measures: Measures::of(&truth, &Predictions::Numbers(said.to_vec()), &weights).unwrap(),
        rules: Some(RuleMeasures::of(&[[0b0110_u64], [0b0011]], &weights).unwrap()),
        baseline: Baseline::Mean(1600.0).measure(&truth, &weights).unwrap(),
        fit_seconds: 0.25,
    };
    (target(truth), assessment)
}

#[test]
fn several_classes_look_like_this() {
    let (target, one) = three_classes(&[0, 1, 2, 0, 1, 1]);
    let (_, other) = three_classes(&[0, 1, 1, 2, 1, 0]);
    assert_snapshot!(text(&report(&target, vec![one, other]), LOOK), @r"
    75.0 % of the labels are right
    2-fold cross-validation of 6 rows

                                                         model  majority class
      ────────────────────────────────────────────────────────────────────────
      accuracy                                   0.750 ± 0.354   0.500 ± 0.000
      balanced accuracy                          0.694 ± 0.432   0.333 ± 0.000
      F1, mean of the classes                    0.694 ± 0.432   0.222 ± 0.000
      AUC, mean of the classes                   0.782 ± 0.308   0.500 ± 0.000
      average precision, mean of the classes     0.699 ± 0.426   0.333 ± 0.000
      log loss (less is better)                  0.866 ± 0.245   1.011 ± 0.000
      Brier score (less is better)               0.500 ± 0.177   0.611 ± 0.000
      calibration error (less is better)         0.250 ± 0.354   0.000 ± 0.000
      rules                                              2 ± 0
      rules per explanation                        0.67 ± 0.00
      rules per explanation of all classes         1.00 ± 0.00
      most rules per explanation                         2 ± 0
      share of rules per explanation             0.333 ± 0.000
      diversity of rules                         0.800 ± 0.000
      time to fit                             0.25 s ± 0.000 s

      truth, predicted as     bus     car  on foot   found
      ────────────────────────────────────────────────────
      bus                       3       ·        1  75.0 %
      car                       1       5        ·  83.3 %
      on foot                   ·       1        1  50.0 %
      right when said      75.0 %  83.3 %   50.0 %  75.0 %

    Reliability of the probabilities

      given       on average  are the predicted class  rows
      ─────────────────────────────────────────────────────
      50 to 60 %      50.0 %                   75.0 %    12
    ");
}

#[test]
fn several_classes_are_told_to_programs() {
    let (target, one) = three_classes(&[0, 1, 1, 2, 1, 0]);
    let data = serde_json::to_value(report(&target, vec![one])).unwrap();
    assert_eq!(data["classes"], serde_json::json!(["bus", "car", "on foot"]));
    assert_eq!(data["confusion"]["cells"], serde_json::json!([[1, 0, 1], [1, 2, 0], [0, 1, 0]]));
    assert_eq!(data["majority_class"]["accuracy"]["mean"], 0.5);
    assert!(data["local_support_all_mean"]["mean"].is_number());
    assert!(data.get("positive").is_none() && data.get("training_mean").is_none());
}

#[test]
fn numbers_look_like_this() {
    let (target, one) = numbers([1100.0, 2800.0, 2400.0, 900.0]);
    let (_, other) = numbers([1000.0, 3100.0, 2300.0, 600.0]);
    assert_snapshot!(text(&report(&target, vec![one, other]), LOOK), @r"
    Predictions are off by 150.0 on average and explain 96.7 % of the variance
    2-fold cross-validation of 4 rows

                                                           model   training mean
      ──────────────────────────────────────────────────────────────────────────
      R², the share of variance explained          0.967 ± 0.027  −0.021 ± 0.000
      root mean squared error (less is better)      178.5 ± 79.2        1042 ± 0
      mean absolute error (less is better)          150.0 ± 70.7        1000 ± 0
      rules                                                2 ± 0
      rules per explanation                          1.00 ± 0.00
      most rules per explanation                           2 ± 0
      share of rules per explanation               0.500 ± 0.000
      diversity of rules                           0.667 ± 0.000
      time to fit                               0.25 s ± 0.000 s
    ");
    let (target, bad) = numbers([3000.0, 1000.0, 2500.0, 500.0]);
    let headline = "Predictions are off by 1000 on average, which is no better than the mean of the rows";
    assert_eq!(super::headline(&report(&target, vec![bad])), headline);
}

#[test]
fn numbers_are_told_to_programs() {
    let (target, one) = numbers([1100.0, 2800.0, 2400.0, 900.0]);
    let report = report(&target, vec![one]);
    let data = serde_json::to_value(&report).unwrap();
    for measure in ["r2", "rmse", "mae", "support", "local_support_mean", "fit_seconds"] {
        assert!(data[measure]["mean"].is_number(), "{measure}");
    }
    assert_eq!((&data["training_mean"]["mae"]["mean"], &data["n_rows"]), (&1000.0.into(), &4.into()));
    for absent in ["confusion", "classes", "majority_class", "accuracy", "local_support_all_mean"] {
        assert!(data.get(absent).is_none(), "{absent}");
    }
    assert!(as_csv(&Compared::of(&report)).starts_with("measure,mean,std,training_mean\nr2,0."));
    assert!(as_markdown(&Compared::of(&report)).starts_with("| measure | model | training mean |\n"));
}
