//! Generalised linear rule models: prices by enumeration of all short conjunctions, optimality from rows.

use std::sync::atomic::{AtomicBool, Ordering};

use lire::binning::{BinnedTable, Rows};
use lire::config::GlrmOptions;
use lire::methods::glrm::{Binarised, GlrmFit, fit_glrm, lowest_reduced_cost, n_literals};
use lire::objective::LossKind;
use lire::rules::{Condition, Rule, parse};
use lire::solver::{StopReason, Weights};
use lire::table::{
    Dataset, Feature, FeatureKind, Relations, Schema, Table, Target, TargetValues, Value, Values,
};
use lire::watch::Watch;

use crate::draws::Draws;
use crate::tables;

/// Wide enough to keep every conjunction that the bound does not exclude.
const ALL: usize = usize::MAX;

fn rows_of(data: &Dataset) -> Rows {
    let weights = data.row_weights();
    Rows::merge(&BinnedTable::of(&data.table, &weights), &data.target.values, &weights)
}

fn loss_of(data: &Dataset) -> LossKind {
    match data.target.values {
        TargetValues::Classes(_) => LossKind::Logistic,
        TargetValues::Numbers(_) => LossKind::Squared,
    }
}

fn fitted(data: &Dataset, settings: &GlrmOptions) -> GlrmFit {
    let rows = rows_of(data);
    let binarised = Binarised::of(&rows, data.table.schema(), &[]);
    fit_glrm(&binarised, &binarised.masses[0], loss_of(data), settings, &Watch::default())
}

/// The rows of [`tables::dataset`] with a number that depends on them.
fn numbers(seed: u64, n_rows: usize) -> Dataset {
    let mut data = tables::dataset(seed, n_rows);
    let mut draws = Draws::new(seed + 77);
    let effects = [
        ("age > 50 & smokes = yes", 1.0),
        ("income is missing", -0.8),
        ("region ≠ west & 30 < age ≤ 60", 0.7),
    ];
    let effects = effects.map(|(text, effect)| (parse(text, data.table.schema()).unwrap(), effect));
    let number = |row| {
        let covered = effects.iter().filter(|(rule, _)| rule.covers(&data.table, row).unwrap());
        covered.map(|(_, effect)| effect).sum::<f64>()
    };
    let values = (0..n_rows).map(|row| number(row) + draws.between(-0.5, 0.5)).collect();
    data.target = Target { name: "cost".into(), values: TargetValues::Numbers(values) };
    data
}

fn holds(condition: &Condition, table: &Table, row: usize) -> bool {
    match table.columns()[condition.feature].at(row) {
        Value::Number(number) => condition.holds_number(number),
        Value::Code(code) => condition.holds_code(code),
    }
}

/// Calls with each set of up to three of the literals and the rows that all of them hold for.
fn each_short_conjunction(columns: &[Vec<bool>], mut call: impl FnMut(&[usize], &[bool])) {
    let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect::<Vec<bool>>();
    for a in 0..columns.len() {
        call(&[a], &columns[a]);
        for b in a + 1..columns.len() {
            let two = both(&columns[a], &columns[b]);
            call(&[a, b], &two);
            for (c, third) in columns.iter().enumerate().skip(b + 1) {
                call(&[a, b, c], &both(&two, third));
            }
        }
    }
}

fn columns_over_merged_rows(binarised: &Binarised) -> Vec<Vec<bool>> {
    let rows = 0..binarised.coverage.n_rows();
    let column = |literal| rows.clone().map(|row| binarised.coverage.covers(literal, row)).collect();
    (0..binarised.literals.len()).map(column).collect()
}

fn sum_over(covered: &[bool], slopes: &[f64]) -> f64 {
    covered.iter().zip(slopes).filter(|(covered, _)| **covered).map(|(_, slope)| slope).sum()
}

#[test]
fn an_exhaustive_beam_finds_the_lowest_reduced_cost_of_all_short_conjunctions() {
    let mut n_found = 0;
    for seed in 0..8 {
        let data = tables::dataset(seed, 60);
        let rows = rows_of(&data);
        let binarised = Binarised::of(&rows, data.table.schema(), &[]);
        let mut draws = Draws::new(500 + seed);
        let slopes: Vec<f64> = (0..binarised.coverage.n_rows()).map(|_| draws.between(-0.02, 0.02)).collect();
        let lambda0 = draws.between(0.02, 0.1);
        let settings = GlrmOptions { lambda0, max_degree: 3, beam_width: ALL, ..Default::default() };
        let mut expected = f64::INFINITY;
        each_short_conjunction(&columns_over_merged_rows(&binarised), |literals, covered| {
            let price = lambda0 + 0.2 * lambda0 * literals.len() as f64;
            expected = expected.min(price - sum_over(covered, &slopes).abs());
        });
        let found = lowest_reduced_cost(&binarised, &slopes, &settings, 0.0);
        assert_eq!(found.is_some(), expected < 0.0);
        if let Some(found) = found {
            n_found += 1;
            assert!((found.reduced_cost - expected).abs() < 1e-12, "seed {seed}: {found:?}, {expected}");
            let rule = binarised.rule(&found.literals).unwrap();
            assert_eq!(n_literals(&rule), found.literals.len());
            let narrow =
                lowest_reduced_cost(&binarised, &slopes, &GlrmOptions { beam_width: 1, ..settings }, 0.0)
                    .unwrap();
            assert!(narrow.reduced_cost >= found.reduced_cost);
        }
    }
    assert!(n_found > 4);
}

/// The scores and the derivative of the loss by the score, row by row, from the rules alone.
fn slopes(data: &Dataset, rules: &[Rule], weights: &Weights) -> Vec<f64> {
    let total: f64 = data.row_weights().iter().sum();
    scores(data, rules, weights)
        .into_iter()
        .enumerate()
        .map(|(row, score)| {
            let error = match &data.target.values {
                TargetValues::Classes(of) => 1.0 / (1.0 + (-score).exp()) - f64::from(of.labels[row]),
                TargetValues::Numbers(values) => score - values[row],
            };
            data.row_weights()[row] * error / total
        })
        .collect()
}

fn scores(data: &Dataset, rules: &[Rule], weights: &Weights) -> Vec<f64> {
    let score = |row| {
        let covered = weights.rules.iter().filter(|(rule, _)| rules[*rule].covers(&data.table, row).unwrap());
        weights.intercept + covered.map(|(_, weight)| weight).sum::<f64>()
    };
    (0..data.n_rows()).map(score).collect()
}

fn covered(data: &Dataset, rule: &Rule) -> Vec<bool> {
    (0..data.n_rows()).map(|row| rule.covers(&data.table, row).unwrap()).collect()
}

/// The l1 problem over all conjunctions of up to three literals is solved: none of them would lower the objective.
fn check_optimal(data: &Dataset, lambda0: f64) {
    let settings =
        GlrmOptions { lambda0, max_degree: 3, beam_width: ALL, max_rounds: 1000, ..Default::default() };
    let rows = rows_of(data);
    let binarised = Binarised::of(&rows, data.table.schema(), &[]);
    let masses = &binarised.masses[0];
    let fit = fit_glrm(&binarised, masses, loss_of(data), &settings, &Watch::default());
    assert_eq!(fit.stop_reason, StopReason::Converged);
    assert!(fit.rules.iter().any(|rule| n_literals(rule) > 1), "some conjunction is worth its price");
    let slopes = slopes(data, &fit.rules, &fit.penalised);
    let slack = 0.002 * lambda0;
    assert!(slopes.iter().sum::<f64>().abs() < slack, "the intercept is free");
    let mut penalty = 0.0;
    for &(rule, weight) in &fit.penalised.rules {
        let price = lambda0 * (1.0 + 0.2 * n_literals(&fit.rules[rule]) as f64);
        let slope = sum_over(&covered(data, &fit.rules[rule]), &slopes);
        assert!((slope + price * weight.signum()).abs() < slack, "{:?}", fit.rules[rule]);
        penalty += price * weight.abs();
    }
    let columns: Vec<Vec<bool>> = binarised
        .literals
        .iter()
        .map(|literal| (0..data.n_rows()).map(|row| holds(literal, &data.table, row)).collect())
        .collect();
    each_short_conjunction(&columns, |literals, covered| {
        let price = lambda0 * (1.0 + 0.2 * literals.len() as f64);
        assert!(sum_over(covered, &slopes).abs() < price + slack, "{literals:?}");
    });
    let loss = |(row, score): (usize, f64)| match &data.target.values {
        TargetValues::Classes(of) => {
            let margin = if of.labels[row] == 1 { -score } else { score };
            margin.exp().ln_1p()
        }
        TargetValues::Numbers(values) => 0.5 * score * score - values[row] * score,
    };
    let loss: f64 = scores(data, &fit.rules, &fit.penalised).into_iter().enumerate().map(loss).sum::<f64>()
        / data.n_rows() as f64;
    assert!((fit.objective - loss - penalty).abs() < 1e-9);
    assert!(fit.trace.windows(2).all(|pair| pair[1].objective <= pair[0].objective + 1e-6));
}

#[test]
fn no_short_conjunction_is_worth_its_price_in_the_end() {
    for seed in 0..3 {
        check_optimal(&tables::dataset(20 + seed, 150), [0.01, 0.02, 0.03][seed as usize]);
    }
}

#[test]
fn no_short_conjunction_is_worth_its_price_for_numbers() {
    for seed in 0..3 {
        check_optimal(&numbers(40 + seed, 150), [0.01, 0.02, 0.03][seed as usize]);
    }
}

#[test]
fn debiased_weights_are_stationary() {
    for (data, lambda0) in [(tables::dataset(50, 400), 0.01), (numbers(51, 400), 0.01)] {
        let fit = fitted(&data, &GlrmOptions { lambda0, beam_width: 3, ..Default::default() });
        assert!(fit.weights.rules.len() > 4);
        let slopes = slopes(&data, &fit.rules, &fit.weights);
        assert!(slopes.iter().sum::<f64>().abs() < 1e-7);
        for &(rule, weight) in &fit.weights.rules {
            assert!(weight.abs() < 20.0);
            let slope = sum_over(&covered(&data, &fit.rules[rule]), &slopes);
            assert!(slope.abs() < 1e-7, "{:?}: {slope}", fit.rules[rule]);
        }
        let biased =
            fitted(&data, &GlrmOptions { lambda0, beam_width: 3, debias: false, ..Default::default() });
        assert_eq!(biased.weights, fit.penalised);
    }
}

#[test]
fn literals_hold_for_the_rows_that_they_say() {
    let data = tables::dataset(60, 300);
    let rows = rows_of(&data);
    let binarised = Binarised::of(&rows, data.table.schema(), &[]);
    let sums = binarised.coverage.sums(&binarised.masses[0]);
    for (literal, sum) in binarised.literals.iter().zip(sums) {
        let mut expected = [0.0; 2];
        for row in (0..data.n_rows()).filter(|&row| holds(literal, &data.table, row)) {
            expected[usize::from(!data.target.positives()[row])] += 1.0;
        }
        assert_eq!(sum, expected, "{literal:?}");
    }
    let text =
        |literal: &Condition| Rule { conditions: vec![literal.clone()] }.text(data.table.schema()).unwrap();
    let texts: Vec<String> = binarised.literals.iter().map(text).collect();
    let of = |name: &str| texts.iter().filter(|text| text.starts_with(name)).cloned().collect::<Vec<_>>();
    assert_eq!(of("income").len(), 20);
    assert_eq!(of("age").len(), 18);
    assert_eq!(
        of("region"),
        [
            "region = east",
            "region ≠ east",
            "region = north",
            "region ≠ north",
            "region = south",
            "region ≠ south",
            "region = west",
            "region ≠ west",
            "region is missing",
            "region is known"
        ]
    );
    assert_eq!(of("smokes"), ["smokes = no", "smokes = yes"]);
    let plain: Vec<&String> = binarised.plain.iter().map(|&literal| &texts[literal]).collect();
    assert_eq!(plain.len(), 9 + 1 + 9 + 4 + 1 + 1);
    assert!(plain.iter().all(|text| text.contains('≤')
        || text.contains(" = ") && *text != "smokes = no"
        || text.contains("is missing")));
}

/// One number column as a table, with classes that a fit does not look at.
fn column(values: Vec<f64>, weights: Vec<f64>) -> Dataset {
    let n_rows = values.len();
    let features = vec![Feature::new("x", FeatureKind::Real, false)];
    let table = Table::new(Schema { features }, vec![Values::Numbers(values)], n_rows).unwrap();
    let target = Target { name: "y".into(), values: TargetValues::Numbers(vec![0.0; n_rows]) };
    Dataset { table, target, weights: Some(weights), relations: Relations::default() }
}

fn plain_texts(data: &Dataset) -> Vec<String> {
    let rows = rows_of(data);
    let binarised = Binarised::of(&rows, data.table.schema(), &[]);
    let rule = |&literal: &usize| Rule { conditions: vec![binarised.literals[literal].clone()] };
    binarised.plain.iter().map(|literal| rule(literal).text(data.table.schema()).unwrap()).collect()
}

#[test]
fn numbers_are_cut_at_deciles_of_the_weight() {
    let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
    let expected: Vec<String> = (1..10).map(|decile| format!("x ≤ {}", 10 * decile)).collect();
    assert_eq!(plain_texts(&column(hundred.clone(), vec![1.0; 100])), expected);
    // The upper half weighs three times as much: 200 in all.
    let weights = hundred.iter().map(|&x| if x > 50.0 { 3.0 } else { 1.0 }).collect();
    let weighted = plain_texts(&column(hundred.clone(), weights));
    assert_eq!(weighted[..3], ["x ≤ 20", "x ≤ 40", "x ≤ 54"]);
    let twice = hundred.iter().copied().chain((51..=100).map(f64::from)).chain((51..=100).map(f64::from));
    assert_eq!(plain_texts(&column(twice.collect(), vec![1.0; 200])), weighted);
    // A value that most rows have is met by many deciles, a short list of values by none in particular.
    let heavy = (0..1000).map(|row| f64::from((row - 850).max(0))).collect();
    assert_eq!(plain_texts(&column(heavy, vec![1.0; 1000])), ["x ≤ 0", "x ≤ 49"]);
    let few = (0..1000).map(|row| if row < 10 { f64::from(row % 5) } else { 5.0 }).collect();
    let all = ["x ≤ 0", "x ≤ 1", "x ≤ 2", "x ≤ 3", "x ≤ 4"];
    assert_eq!(plain_texts(&column(few, vec![1.0; 1000])), all);
}

#[test]
fn literals_on_one_feature_read_as_an_interval() {
    let mut draws = Draws::new(70);
    let values: Vec<f64> = (0..2000).map(|_| draws.below(100) as f64).collect();
    let inside = |x: f64| f64::from(x > 29.0 && x <= 59.0);
    let mut data = column(values.clone(), vec![1.0; 2000]);
    let target = values.iter().map(|&x| inside(x) + draws.between(-0.1, 0.1)).collect();
    data.target.values = TargetValues::Numbers(target);
    let fit = fitted(&data, &GlrmOptions { lambda0: 0.02, ..Default::default() });
    let texts: Vec<String> = fit.rules.iter().map(|rule| rule.text(data.table.schema()).unwrap()).collect();
    let interval =
        texts.iter().position(|text| text.contains("< x ≤")).unwrap_or_else(|| panic!("{texts:?}"));
    assert_eq!((fit.rules[interval].n_conditions(), n_literals(&fit.rules[interval])), (1, 2));
}

#[test]
fn excluded_features_are_in_no_rule() {
    let data = tables::dataset(80, 300);
    let rows = rows_of(&data);
    let binarised = Binarised::of(&rows, data.table.schema(), &[1, 2]);
    assert!(binarised.literals.iter().all(|literal| [0, 3].contains(&literal.feature)));
    let none = Binarised::of(&rows, data.table.schema(), &[0, 1, 2, 3]);
    let settings = GlrmOptions::default();
    let fit = fit_glrm(&none, &none.masses[0], LossKind::Logistic, &settings, &Watch::default());
    let share = data.target.positives().iter().filter(|label| **label).count() as f64 / 300.0;
    assert!(fit.rules.is_empty() && (fit.weights.intercept - (share / (1.0 - share)).ln()).abs() < 1e-6);
}

#[test]
fn neither_threads_nor_the_order_of_rows_matter() {
    let data = tables::dataset(90, 3000);
    let settings = GlrmOptions { lambda0: 0.002, beam_width: 2, bound_share: 0.1, ..Default::default() };
    let with_threads = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| fitted(&data, &settings))
    };
    let one = with_threads(1);
    assert!(one.trace.len() > 5);
    assert_eq!(one, with_threads(3));
    let mut order: Vec<usize> = (0..data.n_rows()).collect();
    Draws::new(91).shuffle(&mut order);
    assert_eq!(one, fitted(&data.select(&order).unwrap(), &settings));
    let doubled = Dataset { weights: Some(vec![2.0; 3000]), ..data.clone() };
    order.extend(0..3000);
    assert_eq!(fitted(&doubled, &settings), fitted(&data.select(&order).unwrap(), &settings));
}

#[test]
fn a_stop_ends_with_the_model_so_far() {
    let data = tables::dataset(100, 1000);
    let rows = rows_of(&data);
    let binarised = Binarised::of(&rows, data.table.schema(), &[]);
    let settings = GlrmOptions { lambda0: 0.001, bound_share: 0.1, ..Default::default() };
    let fit =
        |watch: &Watch| fit_glrm(&binarised, &binarised.masses[0], LossKind::Logistic, &settings, watch);
    let whole = fit(&Watch::default());
    let flag = AtomicBool::new(false);
    let steps = std::sync::Mutex::new(0);
    let after_three = |_| {
        *steps.lock().unwrap() += 1;
        flag.store(*steps.lock().unwrap() >= 3, Ordering::Relaxed);
    };
    let stopped =
        fit(&Watch { interrupt: Some(&flag), on_progress: Some(&after_three), ..Default::default() });
    assert_eq!(stopped.stop_reason, StopReason::Interrupted);
    assert!(stopped.trace.len() < whole.trace.len());
    assert_eq!(stopped.trace[..3], whole.trace[..3]);
    assert!(!stopped.weights.rules.is_empty());
    let limited = GlrmOptions { max_rounds: 0, ..settings };
    let limited = fit_glrm(&binarised, &binarised.masses[0], LossKind::Logistic, &limited, &Watch::default());
    assert_eq!(limited.stop_reason, StopReason::MoveLimit);
    assert!(limited.rules.iter().all(|rule| n_literals(rule) == 1));
    assert!(limited.objective > whole.objective);
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let default = GlrmOptions::default();
    assert!(default.check().is_ok());
    assert!(GlrmOptions { lambda0: 0.0, lambda1: Some(0.01), ..default }.check().is_ok());
    for wrong in [
        GlrmOptions { lambda0: -1.0, ..default },
        GlrmOptions { lambda0: f64::NAN, ..default },
        GlrmOptions { lambda0: 0.0, ..default },
        GlrmOptions { lambda1: Some(f64::INFINITY), ..default },
        GlrmOptions { bound_share: 1.5, ..default },
        GlrmOptions { beam_width: 0, ..default },
        GlrmOptions { max_degree: 0, ..default },
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
}
