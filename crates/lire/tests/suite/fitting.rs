//! The whole way from a table to a model: what weights, order, threads and options may and may not change.

use std::sync::atomic::AtomicBool;

use lire::binning::{BinnedTable, Rows};
use lire::coverage::Candidates;
use lire::fit::{Fit, fit};
use lire::forest::{ForestConfig, TreeGenerator, grow};
use lire::objective::{LossKind, MIN_WEIGHT};
use lire::rules::{DistinctBy, Rule, RuleConfig, distinct_by_text, extract};
use lire::solver::Search;
use lire::table::{Dataset, Schema, Table, Values};
use lire::{Config, Error, Model, Watch};

use crate::draws::Draws;
use crate::tables::dataset;

fn config() -> Config {
    let (gamma, lambda, loss) = (Some(0.004), Some(0.1), Some(LossKind::Exponential));
    Config::default().with(|config| {
        config.data.target = "ill".into();
        config.trees.n_estimators = 30;
        config.objective.gamma = gamma;
        config.objective.lambda = lambda;
        config.objective.loss = loss;
    })
}

fn fitted(data: &Dataset, config: &Config) -> Fit {
    fit(data, config, &Watch::default()).unwrap()
}

/// Rules as text, weights and intercept as bits.
fn essence(model: &Model) -> (Vec<String>, Vec<u64>, u64) {
    let texts = model.rule_terms().map(|term| term.rule.clone()).collect();
    (
        texts,
        model.outputs()[0].weights.iter().map(|weight| weight.to_bits()).collect(),
        model.outputs()[0].intercept.to_bits(),
    )
}

fn generators() -> [Config; 5] {
    let with = |tree_generator| config().with(|config| config.trees.tree_generator = tree_generator);
    [
        config(),
        with(TreeGenerator::RandomForest),
        with(TreeGenerator::ExtraTrees),
        config().with(|config| config.trees.subsample = Some(lire::forest::RowSampling::Share(0.5))),
        config().with(|config| {
            config.search.search = Search::Paper;
            config.candidates.paper_candidates = true;
            config.objective.ridge = Some(0.0);
            config.trees.n_estimators = 10;
        }),
    ]
}

#[test]
fn a_weight_of_two_is_the_row_twice_and_of_zero_no_row() {
    for (seed, config) in generators().into_iter().enumerate() {
        let data = dataset(40 + seed as u64, 700);
        let mut draws = Draws::new(seed as u64);
        let counts: Vec<usize> = (0..data.n_rows()).map(|_| draws.below(4)).collect();
        let weighted =
            Dataset { weights: Some(counts.iter().map(|&count| count as f64).collect()), ..data.clone() };
        let mut repeated: Vec<usize> =
            counts.iter().enumerate().flat_map(|(row, &count)| vec![row; count]).collect();
        let in_order = essence(&fitted(&data.select(&repeated).unwrap(), &config).model);
        draws.shuffle(&mut repeated);
        let shuffled = essence(&fitted(&data.select(&repeated).unwrap(), &config).model);
        assert!(!in_order.0.is_empty());
        assert_eq!(essence(&fitted(&weighted, &config).model), in_order, "{:?}", config.trees.tree_generator);
        assert_eq!(shuffled, in_order, "{:?}", config.trees.tree_generator);
    }
}

#[test]
fn the_order_of_rows_with_any_weights_does_not_matter() {
    let mut data = dataset(50, 600);
    let mut draws = Draws::new(5);
    data.weights = Some((0..600).map(|_| draws.between(0.1, 3.0)).collect());
    let mut order: Vec<usize> = (0..600).collect();
    let expected = essence(&fitted(&data, &config()).model);
    for _ in 0..3 {
        draws.shuffle(&mut order);
        assert_eq!(essence(&fitted(&data.select(&order).unwrap(), &config()).model), expected);
    }
}

#[test]
fn threads_do_not_change_a_byte_of_the_file() {
    for config in generators() {
        let data = dataset(60, 900);
        let with = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| fitted(&data, &config).model.to_json())
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(4));
        assert_eq!(one, with(1), "the same seed gives the same model");
    }
}

#[test]
fn the_seed_reaches_whatever_is_drawn() {
    let data = dataset(61, 600);
    let forest = config().with(|config| config.trees.tree_generator = TreeGenerator::ExtraTrees);
    let other = forest.clone().with(|config| config.seed = 1);
    assert_ne!(essence(&fitted(&data, &forest).model), essence(&fitted(&data, &other).model));
}

/// What the file tells of the training, computed from the table row by row.
#[test]
fn the_record_of_the_training_is_true() {
    let mut data = dataset(62, 800);
    let mut draws = Draws::new(62);
    data.weights = Some((0..800).map(|_| draws.below(3) as f64).collect());
    let Fit { model, .. } = fitted(&data, &config());
    let weights = data.row_weights();
    let total: f64 = weights.iter().sum();
    let (mut covered_weight, mut loss, mut right) = (0.0, 0.0, 0.0);
    for (row, (&row_weight, &label)) in weights.iter().zip(&data.target.positives()).enumerate() {
        let mut score = model.outputs()[0].intercept;
        for (rule, weight) in model.rules().iter().zip(&model.outputs()[0].weights) {
            if rule.covers(&data.table, row).unwrap() {
                score += weight;
                covered_weight += row_weight;
            }
        }
        let sign = if label { 1.0 } else { -1.0 };
        loss += row_weight * (-sign * score).exp() / total;
        right += row_weight * f64::from((score > 0.0) == label) / total;
    }
    let training = &model.file().training;
    assert!((training.loss - loss).abs() < 1e-9);
    assert!((training.local_support_mean - covered_weight / total).abs() < 1e-9);
    assert!((training.accuracy.unwrap() - right).abs() < 1e-9);
    assert_eq!(training.weight, total);
    let used = Config::of_model(&model).0;
    let (gamma, ridge) = (used.objective.gamma.unwrap(), used.objective.ridge.unwrap());
    assert_eq!((gamma, ridge), (0.004, (60.0 / total).clamp(0.001, 0.03)));
    let n_rules = model.rules().len() as f64;
    let penalty = gamma * n_rules + 0.1 * covered_weight / total / n_rules;
    let ridge = 0.5 * ridge * model.outputs()[0].weights.iter().map(|weight| weight * weight).sum::<f64>();
    assert!((training.objective - (loss + ridge + penalty)).abs() < 1e-9);
    for (term, rule) in model.rule_terms().zip(model.rules()) {
        let rows = (0..800).filter(|&row| weights[row] > 0.0 && rule.covers(&data.table, row).unwrap());
        assert_eq!(term.rows, rows.clone().count());
        assert!((term.coverage - rows.map(|row| weights[row]).sum::<f64>() / total).abs() < 1e-12);
    }
    assert!(
        model.outputs()[0].weights.windows(2).all(|pair| pair[0].abs() >= pair[1].abs()),
        "heaviest first"
    );
    assert!(model.outputs()[0].weights.iter().all(|weight| weight.abs() >= MIN_WEIGHT));
}

#[test]
fn sensitive_columns_stay_out_of_rules_unless_allowed() {
    let data = dataset(63, 800);
    let sensitive = config().with(|config| config.features.sensitive = vec!["age".into(), "smokes".into()]);
    let uses = |config: &Config| {
        let model = fitted(&data, config).model;
        let used = model.rules().iter().flat_map(Rule::features).any(|feature| feature == 1 || feature == 3);
        (used, model.file().sensitive.clone())
    };
    assert_eq!(uses(&sensitive), (false, vec!["age".to_owned(), "smokes".to_owned()]));
    assert!(uses(&sensitive.with(|config| config.features.allow_sensitive = true)).0);
}

#[test]
fn rules_cover_as_much_as_they_must_and_are_as_short() {
    let data = dataset(64, 600);
    for (min_coverage, min_rows) in [(0.2, 5.0), (0.0, 100.0), (0.05, 0.0)] {
        let config = config().with(|config| {
            config.candidates.min_coverage = min_coverage;
            config.candidates.min_rows = Some(min_rows);
            config.candidates.max_rule_length = Some(2);
        });
        let model = fitted(&data, &config).model;
        assert!(!model.rules().is_empty());
        for (term, rule) in model.rule_terms().zip(model.rules()) {
            assert!(term.coverage >= min_coverage && term.rows as f64 >= min_rows);
            assert!(rule.n_conditions() <= 2);
        }
    }
}

#[test]
fn without_anything_to_learn_from_the_intercept_is_the_model() {
    let mut data = dataset(65, 200);
    let columns: Vec<Values> = vec![Values::Numbers(vec![3.0; 200])];
    let constant = Schema { features: vec![data.table.schema().features[1].clone()] };
    for (schema, columns) in [(constant, columns), (Schema::default(), Vec::new())] {
        data.table = Table::new(schema, columns, 200).unwrap();
        for config in generators() {
            let model = fitted(&data, &config).model;
            assert!(model.rules().is_empty());
            let positive = data.target.positives().iter().filter(|label| **label).count() as f64;
            let expected = 0.5 * (positive / (200.0 - positive)).ln();
            assert!((model.outputs()[0].intercept - expected).abs() < 1e-5);
            let read = Model::from_json(model.to_json().as_bytes(), "again").unwrap();
            assert_eq!(read.file(), model.file());
        }
    }
}

/// The candidates of a forest under a configuration.
fn candidates(data: &Dataset, config: &RuleConfig) -> (Vec<Rule>, Candidates, Rows) {
    let weights = data.row_weights();
    let schema = data.table.schema();
    let rows = Rows::merge(&BinnedTable::of(&data.table, &weights), &data.target.values, &weights);
    let forest = grow(
        &rows,
        &rows.outcomes[0],
        &ForestConfig { n_trees: 20, ..Default::default() },
        &Watch::default(),
    );
    let rules = distinct_by_text(extract(&forest, &rows.binned, schema, config), schema);
    (rules.clone(), Candidates::of(rules, &rows, schema, config), rows)
}

#[test]
fn candidates_cover_enough_and_differ() {
    let data = dataset(66, 500);
    let config = RuleConfig { min_coverage: 0.05, min_rows: 10.0, ..RuleConfig::default() };
    let (all, kept, _) = candidates(&data, &config);
    let covers =
        |rule: &Rule| -> Vec<bool> { (0..500).map(|row| rule.covers(&data.table, row).unwrap()).collect() };
    let enough = |rule: &&Rule| covers(rule).iter().filter(|covered| **covered).count() >= 25;
    // Of equal coverage the one with the fewest conditions and then the shortest text, in order of occurrence.
    let brevity = |rule: &Rule| lire::rules::brevity(rule, data.table.schema());
    let mut expected: Vec<(Vec<bool>, &Rule)> = Vec::new();
    for rule in all.iter().filter(enough) {
        let coverage = covers(rule);
        match expected.iter_mut().find(|(other, _)| *other == coverage) {
            Some((_, other)) if brevity(rule) < brevity(other) => *other = rule,
            Some(_) => {}
            None => expected.push((coverage, rule)),
        }
    }
    let texts = |rules: &mut dyn Iterator<Item = &Rule>| {
        let mut texts: Vec<String> = rules.map(|rule| rule.text(data.table.schema()).unwrap()).collect();
        texts.sort();
        texts
    };
    assert_eq!(texts(&mut kept.rules.iter()), texts(&mut expected.iter().map(|(_, rule)| *rule)));
    assert!(all.len() > kept.rules.len());
    // What the solver sees sums up to the rows.
    let sums = kept.coverage.sums(&kept.masses[0]);
    for (rule, sum) in kept.rules.iter().zip(sums) {
        let of_class = |label: bool| {
            (0..500)
                .filter(|&row| {
                    data.target.positives()[row] == label && rule.covers(&data.table, row).unwrap()
                })
                .count() as f64
        };
        assert_eq!(sum, [of_class(true), of_class(false)]);
    }
}

#[test]
fn the_papers_candidates_keep_rules_of_equal_coverage() {
    let data = dataset(67, 300);
    let (all, paper, _) = candidates(&data, &RuleConfig::paper());
    assert_eq!(paper.rules, all);
    let by_coverage = RuleConfig { distinct: DistinctBy::Coverage, ..RuleConfig::paper() };
    assert!(candidates(&data, &by_coverage).1.rules.len() < all.len());
}

#[test]
fn an_interrupted_fit_says_so_and_a_deadline_gives_a_model() {
    let data = dataset(68, 300);
    let flag = AtomicBool::new(true);
    let interrupted = fit(&data, &config(), &Watch { interrupt: Some(&flag), ..Watch::default() });
    assert!(matches!(interrupted, Err(Error::Interrupted)));
    let late = Watch { deadline: Some(std::time::Instant::now()), ..Watch::default() };
    assert!(fit(&data, &config(), &late).is_ok());
    assert!(fit(&data, &config(), &Watch { enough: Some(&flag), ..Watch::default() }).is_ok());
}

#[test]
fn impossible_options_are_refused() {
    let data = dataset(69, 100);
    let refused = |change: fn(&mut Config)| {
        let mut config = config();
        change(&mut config);
        match fit(&data, &config, &Watch::default()) {
            Err(Error::Config { parameter, .. }) => parameter,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(|config| config.objective.gamma = Some(-1.0)), "gamma");
    assert_eq!(refused(|config| config.objective.lambda = Some(f64::NAN)), "lambda");
    assert_eq!(refused(|config| config.objective.ridge = Some(f64::INFINITY)), "ridge");
    assert_eq!(refused(|config| config.meaning.threshold = Some(1.5)), "threshold");
    assert_eq!(refused(|config| config.time_limit = Some(0.0)), "time_limit");
    assert_eq!(refused(|config| config.trees.n_estimators = 0), "n_estimators");
    assert_eq!(refused(|config| config.candidates.min_coverage = 1.0), "min_coverage");
}
