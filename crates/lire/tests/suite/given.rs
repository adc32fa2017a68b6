//! Rules that are given instead of grown.

use lire::config::{CalibrationKind, Config};
use lire::fit::{Fit, Given, fit_with, splits_of};
use lire::measure::Measure;
use lire::methods::{GivenRules, RuleSource};
use lire::rules::{Direction, Rule, parse};
use lire::split::Holdout;
use lire::table::Dataset;
use lire::{Error, Watch};

use crate::tables::{dataset, schema};

fn config() -> Config {
    Config::default().with(|config| {
        config.objective.gamma = Some(1e-4);
        config.objective.lambda = Some(0.01);
    })
}

fn rules(texts: &[&str]) -> Vec<Rule> {
    texts.iter().map(|text| parse(text, &schema()).unwrap()).collect()
}

fn given(texts: &[&str]) -> Given {
    let rules = GivenRules { rules: rules(texts).into(), of_splits: Vec::new(), origin: "elsewhere".into() };
    Given { splits: None, source: RuleSource::Given(rules) }
}

fn fitted(data: &Dataset, config: &Config, given: &Given) -> Fit {
    fit_with(data, config, given, &Watch::default()).unwrap()
}

const TEXTS: [&str; 6] = [
    "age > 50.00000000000001",
    "region in {north, south} or missing",
    "income is missing",
    "age > 35.125 & smokes = yes",
    "30.000000000000004 < income ≤ 1e300",
    "age ≤ 50.00000000000001 & region not in {north, south}",
];

#[test]
fn rules_stay_as_they_are() {
    let data = dataset(1, 600);
    let fit = fitted(&data, &config(), &given(&TEXTS));
    let training = &fit.model.file().training;
    assert_eq!((training.candidates, training.trees_from.as_deref()), (TEXTS.len(), Some("elsewhere")));
    let texts: Vec<String> = fit.model.rules().iter().map(|rule| rule.text(&schema()).unwrap()).collect();
    assert!(texts.len() >= 4 && texts.iter().all(|text| TEXTS.contains(&text.as_str())), "{texts:?}");
    assert!(training.auc.unwrap() > 0.7);
}

/// The rules that may become candidates, told one by one.
fn n_candidates(data: &Dataset, config: &Config, texts: &[&str]) -> usize {
    fitted(data, config, &given(texts)).model.file().training.candidates
}

#[test]
fn what_the_options_exclude_is_no_candidate() {
    let data = dataset(2, 400);
    let covered =
        |text: &str| (0..400).filter(|&row| rules(&[text])[0].covers(&data.table, row).unwrap()).count();
    let share = covered("income is missing") as f64 / 400.0;
    assert_eq!(
        n_candidates(&data, &config().with(|config| config.candidates.min_coverage = share), &TEXTS),
        6
    );
    assert_eq!(
        n_candidates(&data, &config().with(|config| config.candidates.min_coverage = share + 1e-6), &TEXTS),
        5
    );
    assert_eq!(
        n_candidates(&data, &config().with(|config| config.candidates.max_rule_length = Some(1)), &TEXTS),
        4
    );
    let forbidden = config().with(|config| config.features.forbid_in_rules = vec!["region".into()]);
    assert_eq!(n_candidates(&data, &forbidden, &TEXTS), 4);
    let monotone =
        config().with(|config| config.features.monotone = [("income".into(), Direction::Increasing)].into());
    assert_eq!(n_candidates(&data, &monotone, &TEXTS), 4);
    // The same text twice, and the same rows in other words: ages are whole numbers.
    assert_eq!(n_candidates(&data, &config(), &["age > 50", "age > 50", "age > 50.5", "age > 51"]), 2);
}

#[test]
fn a_weight_is_a_repetition_and_order_does_not_matter() {
    let data = dataset(3, 300);
    let weights: Vec<f64> = (0..300).map(|row| [1.0, 2.0, 0.0, 3.0][row % 4]).collect();
    let repeated: Vec<usize> = (0..300).rev().flat_map(|row| vec![row; weights[row] as usize]).collect();
    let weighted = Dataset { weights: Some(weights), ..data.clone() };
    let one = fitted(&weighted, &config(), &given(&TEXTS)).model;
    let other = fitted(&data.select(&repeated).unwrap(), &config(), &given(&TEXTS)).model;
    assert_eq!(one.rules(), other.rules());
    assert_eq!(one.file().outputs, other.file().outputs);
}

fn halves() -> Vec<Holdout> {
    let (even, odd): (Vec<usize>, Vec<usize>) = (0..600).partition(|row| row % 2 == 0);
    vec![Holdout { train: even.clone(), test: odd.clone() }, Holdout { train: odd, test: even }]
}

/// The same rules for the model, others for the splits.
fn with_splits(of_split: &[&str]) -> Given {
    let of_splits = vec![rules(of_split).into(); 2];
    let all = GivenRules { rules: rules(&TEXTS).into(), of_splits, origin: String::new() };
    Given { splits: Some(halves()), source: RuleSource::Given(all) }
}

#[test]
fn each_split_learns_from_its_own_rules() {
    let data = dataset(4, 600);
    let best_auc = |given: &Given| {
        let fit = fitted(&data, &Config::default(), given);
        let models = fit.selection.unwrap().models;
        let auc = |model: &lire::selection::PathModel| model.validation.as_ref()?.get(Measure::Auc);
        models.iter().filter_map(|model| Some(auc(model)?.mean)).fold(0.0, f64::max)
    };
    // Without rules nothing tells the rows left out apart.
    assert_eq!(best_auc(&with_splits(&[])), 0.5);
    let (own, same) =
        (best_auc(&with_splits(&TEXTS)), best_auc(&Given { splits: Some(halves()), ..given(&TEXTS) }));
    assert!(own > 0.65 && own == same);
}

#[test]
fn rulefit_and_calibration_learn_from_the_rules_of_splits_too() {
    let data = dataset(5, 600);
    let rulefit = Config::default().with(|config| config.method = lire::config::Method::Rulefit);
    let gamma = |given: &Given| fitted(&data, &rulefit, given).config.objective.gamma.unwrap();
    // Where rules gain nothing on the rows left out, the largest γ is the best.
    assert!(gamma(&with_splits(&[])) > 5.0 * gamma(&with_splits(&TEXTS)));

    let calibrated = config().with(|config| config.meaning.calibrate = Some(CalibrationKind::Platt));
    let probabilities = |given: &Given| {
        let model = fitted(&data, &calibrated, given).model;
        let decided = model.decide(model.score(&data.table).unwrap().of_row(0).unwrap()).unwrap().unwrap();
        decided.probabilities
    };
    let own = probabilities(&with_splits(&TEXTS));
    assert_eq!(own, probabilities(&Given { splits: Some(halves()), ..given(&TEXTS) }));
    assert_ne!(own, probabilities(&with_splits(&["age > 60"])));
}

#[test]
fn splits_are_told_where_they_are_needed() {
    let data = dataset(6, 200);
    let n_splits = |config: &Config| splits_of(&data, config).unwrap().map(|splits| splits.len());
    assert_eq!(n_splits(&config()), None);
    assert_eq!(
        n_splits(&config().with(|config| {
            config.objective.lambda = None;
            config.selection.cv = 4;
        })),
        Some(4)
    );
    assert_eq!(
        n_splits(&config().with(|config| {
            config.selection.max_rules = Some(3);
            config.selection.cv = 3;
        })),
        Some(3)
    );
    assert_eq!(
        n_splits(&config().with(|config| {
            config.meaning.calibrate = Some(CalibrationKind::Platt);
            config.selection.cv = 3;
        })),
        Some(3)
    );
    let rulefit = config().with(|config| {
        config.method = lire::config::Method::Rulefit;
        config.objective.lambda = None;
    });
    assert_eq!(n_splits(&rulefit), None);
    assert_eq!(n_splits(&rulefit.with(|config| config.objective.gamma = None)), Some(5));
}

#[test]
fn rules_of_splits_need_the_splits() {
    let data = dataset(7, 600);
    let alone = Given { splits: None, ..with_splits(&TEXTS) };
    let error = fit_with(&data, &config(), &alone, &Watch::default()).unwrap_err();
    assert!(matches!(error, Error::Config { parameter, .. } if parameter == "splits"));
}
