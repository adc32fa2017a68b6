//! What weights change and what not: floors on real rows, and the number of rows.

use lire::config::{ClassWeight, ClassWeightRule};
use lire::fit::{Given, fit, fit_with};
use lire::methods::{GivenRules, RuleSource};
use lire::rules::{Rule, parse};
use lire::table::{Dataset, Values};
use lire::{Config, Model, Watch};

use crate::tables::dataset;

fn config() -> Config {
    Config { target: "y".into(), n_estimators: 20, ..Config::default() }
}

fn fitted(data: &Dataset, config: &Config) -> Model {
    fit(data, config, &Watch::default()).unwrap().model
}

#[test]
fn the_same_weight_on_every_row_changes_nothing() {
    let data = dataset(21, 4000);
    let plain = fitted(&data, &config());
    assert!(!plain.rules().is_empty());
    for weight in [1000.0, 3.0, 0.125] {
        let weighted = Dataset { weights: Some(vec![weight; 4000]), ..data.clone() };
        let model = fitted(&weighted, &config());
        assert_eq!(model.rules(), plain.rules(), "weight {weight}");
        assert_eq!(model.file().outputs, plain.file().outputs, "weight {weight}");
        assert_eq!(model.file().config.ridge, plain.file().config.ridge);
    }
}

#[test]
fn rows_are_counted_by_whole_weights_and_else_by_kish() {
    let data = dataset(22, 4);
    let rows =
        |weights: [f64; 4]| Dataset { weights: Some(weights.to_vec()), ..data.clone() }.effective_rows();
    assert_eq!(rows([1000.0; 4]), 4.0);
    assert_eq!(rows([2.0, 2.0, 0.0, 0.0]), 2.0);
    assert_eq!(rows([1.0, 1.0, 2.0, 4.0]), 8.0);
    assert_eq!(rows([500.0, 500.0, 1000.0, 2000.0]), 8.0);
    // (2 + 2 + 3 + 9)² / (4 + 4 + 9 + 81)
    assert!((rows([2.0, 2.0, 3.0, 9.0]) - 256.0 / 98.0).abs() < 1e-12);
}

/// Rows of which the two oldest weigh so much that every rule about them reaches any floor by weight.
fn with_heavy_rows() -> Dataset {
    let mut data = dataset(23, 600);
    let Values::Numbers(income) = &data.table.columns()[0] else { panic!("numbers") };
    let mut by_income: Vec<usize> = (0..600).filter(|&row| !income[row].is_nan()).collect();
    by_income.sort_by(|&a, &b| income[b].total_cmp(&income[a]));
    let mut weights = vec![1.0; 600];
    for &row in &by_income[..3] {
        weights[row] = 50.0;
    }
    data.weights = Some(weights);
    data
}

fn fewest(model: &Model) -> usize {
    model.rule_terms().map(|term| term.rows).min().unwrap_or(usize::MAX)
}

#[test]
fn a_floor_that_is_asked_for_holds_on_rows_as_they_are() {
    let data = with_heavy_rows();
    let balanced = Some(ClassWeight::Rule(ClassWeightRule::Balanced));
    for class_weight in [None, balanced] {
        let greedy = Config {
            gamma: Some(1e-5),
            lambda: Some(0.0),
            min_coverage: 0.0,
            ridge: Some(0.0002),
            class_weight,
            ..config()
        };
        let without = fitted(&data, &Config { min_rows: None, ..greedy.clone() });
        assert!(fewest(&without) < 20, "there are rules of few rows to leave out: {}", fewest(&without));
        let with = fitted(&data, &Config { min_rows: Some(20.0), ..greedy.clone() });
        assert!(!with.rules().is_empty() && fewest(&with) >= 20, "{} rows", fewest(&with));
        let share = fitted(&data, &Config { min_coverage: 0.05, ..greedy });
        assert!(!share.rules().is_empty() && fewest(&share) >= 30, "{} rows", fewest(&share));
    }
}

#[test]
fn floors_hold_for_given_rules_too() {
    let data = with_heavy_rows();
    let texts = ["income > 49.5", "age > 50", "income > 20", "region = north"];
    let rules: Vec<Rule> = texts.iter().map(|text| parse(text, data.table.schema()).unwrap()).collect();
    let source = RuleSource::Given(GivenRules { rules: rules.into(), ..GivenRules::default() });
    let given = Given { splits: None, source };
    let n_candidates = |min_rows| {
        let config = Config { gamma: Some(0.001), lambda: Some(0.0), min_rows, ..config() };
        fit_with(&data, &config, &given, &Watch::default()).unwrap().model.file().training.candidates
    };
    assert_eq!((n_candidates(None), n_candidates(Some(40.0))), (4, 3));
}
