//! What weights change and what not: floors on real rows, and the number of rows.

use lire::config::{CalibrationKind, ClassWeight, ClassWeightRule, Method};
use lire::fit::{Given, fit, fit_with};
use lire::forest::TreeGenerator;
use lire::methods::{GivenRules, RuleSource};
use lire::rules::{Rule, parse};
use lire::table::{Dataset, Values};
use lire::{Config, Model, Watch};

use crate::tables::dataset;

fn config() -> Config {
    Config::default().with(|config| {
        config.data.target = "y".into();
        config.trees.n_estimators = 20;
    })
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
        assert_eq!(model.file().config.get("ridge"), plain.file().config.get("ridge"));
    }
}

#[test]
fn calibration_knows_no_unit_of_weight_either() {
    let data = dataset(24, 400);
    for kind in [CalibrationKind::Platt, CalibrationKind::Isotonic] {
        let config = config().with(|config| {
            config.objective.gamma = Some(0.003);
            config.objective.lambda = Some(0.1);
            config.meaning.calibrate = Some(kind);
        });
        let plain = fitted(&data, &config);
        assert!(plain.file().outputs[0].calibration.is_some());
        for weight in [1000.0, 0.125] {
            let weighted = Dataset { weights: Some(vec![weight; 400]), ..data.clone() };
            assert_eq!(fitted(&weighted, &config).file().outputs, plain.file().outputs, "weight {weight}");
        }
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

/// The fewest rows of any weight that a rule covers, counted one by one.
fn fewest(model: &Model, data: &Dataset) -> usize {
    let weights = data.row_weights();
    let counts = |row: &usize| weights[*row] > 0.0;
    let rows = |rule: &Rule| {
        (0..data.n_rows()).filter(counts).filter(|&row| rule.covers(&data.table, row).unwrap()).count()
    };
    let of_rules: Vec<usize> = model.rules().iter().map(rows).collect();
    let told: Vec<usize> = model.rule_terms().map(|term| term.rows).collect();
    assert_eq!(of_rules, told, "the model tells what its rules cover");
    of_rules.into_iter().min().unwrap_or(usize::MAX)
}

/// The lightest part of the weight that a rule covers.
fn lightest(model: &Model) -> f64 {
    model.rule_terms().map(|term| term.coverage).fold(1.0, f64::min)
}

/// Options under which each method takes as many rules as it finds.
fn greedy_methods() -> Vec<Config> {
    let greedy = config().with(|config| config.candidates.min_coverage = 0.0);
    let lire = greedy.clone().with(|config| {
        config.objective.gamma = Some(1e-5);
        config.objective.lambda = Some(0.0);
        config.objective.ridge = Some(0.0002);
    });
    let random = lire.clone().with(|config| config.trees.tree_generator = TreeGenerator::RandomForest);
    let paper = random.clone().with(|config| config.candidates.paper_candidates = true);
    let rulefit = greedy.clone().with(|config| {
        config.method = Method::Rulefit;
        config.objective.gamma = Some(1e-4);
    });
    let n_estimators = Config::default().trees.n_estimators;
    let glrm = greedy.with(|config| {
        config.method = Method::Glrm;
        config.glrm.lambda0 = 5e-4;
        config.trees.n_estimators = n_estimators;
    });
    vec![lire, random, paper, rulefit, glrm]
}

#[test]
fn a_floor_that_is_asked_for_holds_on_rows_as_they_are() {
    let mut data = with_heavy_rows();
    if let Some(weights) = &mut data.weights {
        (0..600).step_by(7).for_each(|row| weights[row] = 0.0);
    }
    let total: f64 = data.row_weights().iter().sum();
    let counted = data.row_weights().iter().filter(|weight| **weight > 0.0).count() as f64;
    let balanced = Some(ClassWeight::Rule(ClassWeightRule::Balanced));
    for (class_weight, greedy) in [None, balanced]
        .into_iter()
        .flat_map(|weight| greedy_methods().into_iter().map(move |of| (weight.clone(), of)))
    {
        let greedy = greedy.with(|config| config.classes.class_weight = class_weight);
        let what = format!(
            "{:?} {:?} {:?}",
            greedy.method, greedy.trees.tree_generator, greedy.classes.class_weight
        );
        // The conditions of GLRM are on deciles: its rules are wide.
        let (rows, least) = if greedy.method == Method::Glrm { (90, 0.2) } else { (20, 0.06) };
        let without = fitted(&data, &greedy.clone().with(|config| config.candidates.min_rows = None));
        let few = fewest(&without, &data);
        assert!(few < rows, "{what}: there are rules of few rows to leave out: {few}");
        let with =
            fitted(&data, &greedy.clone().with(|config| config.candidates.min_rows = Some(rows as f64)));
        let few = fewest(&with, &data);
        assert!(!with.rules().is_empty() && few >= rows, "{what}: {few} rows");
        let share = fitted(&data, &greedy.clone().with(|config| config.candidates.min_coverage = least));
        let few = fewest(&share, &data);
        assert!(!share.rules().is_empty() && few as f64 >= least * counted, "{what}: {few} rows");
        if greedy.classes.class_weight.is_none() {
            assert!(lightest(&share) >= least - 1e-12, "{what}: {}", lightest(&share));
            assert!(lightest(&with) * total >= rows as f64 - 1e-9, "{what}: {}", lightest(&with));
        }
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
        let config = Config::default().with(|config| {
            config.objective.gamma = Some(0.001);
            config.objective.lambda = Some(0.0);
            config.candidates.min_rows = min_rows;
        });
        fit_with(&data, &config, &given, &Watch::default()).unwrap().model.file().training.candidates
    };
    assert_eq!((n_candidates(None), n_candidates(Some(40.0))), (4, 3));
}
