//! `RuleFit`: the same candidates, chosen by an l1 penalty; its γ given or cross-validated.

use std::sync::Arc;
use std::time::Instant;

use super::candidates::Clock;
use super::linear::{LinearColumn, linear_columns};
use super::{GrownCandidates, Learned, LearnedOutput, Training};
use crate::binning::mix;
use crate::config::{Config, Settings};
use crate::coverage::{Coverage, Pair};
use crate::evaluate::Holdout;
use crate::objective::{Logistic, Loss, LossKind, Squared};
use crate::rules::Rule;
use crate::solver::l1::{L1_TOLERANCE, L1Problem, L1Solution, gamma_grid};
use crate::solver::{Problem, StopReason};
use crate::table::{Table, TargetValues};
use crate::watch::Watch;

/// The γ that are compared where none is given, from the least that leaves no rule down to this share of it.
const GRID_SIZE: usize = 15;
const GRID_END: f64 = 0.01;
/// How exactly the models of a cross-validation are solved.
const ROUGH_TOLERANCE: f64 = 1e-5;

/// Chooses among the candidates, for each output by itself; also gives the configuration with the γ that was used.
pub fn choose(
    candidates: GrownCandidates,
    training: &Training,
    settings: &Settings,
    config: Config,
    splits: Option<&[Holdout]>,
    watch: &Watch,
) -> (Learned, Config) {
    let mut clock = Clock(Instant::now());
    let design = Design::of(&candidates, training, settings, config.linear_terms);
    let gamma = settings.gamma.unwrap_or_else(|| {
        let splits = splits.map_or_else(|| content_splits(training, config.cv, config.seed), <[_]>::to_vec);
        cross_validated(&design, training, settings, &config, &splits, watch)
    });
    let stop_reason = StopReason::of(watch);
    let outputs = design.problems.iter().map(|problem| {
        let l1 = design.l1(problem);
        learned(&l1.path(&[gamma], L1_TOLERANCE)[0], gamma, &design.linear, stop_reason)
    });
    let outputs = outputs.collect();
    let linear = design.linear.iter().map(|column| column.for_model(training.table.schema())).collect();
    let GrownCandidates { rules, mut timings, .. } = candidates;
    clock.lap(&mut timings.solver);
    let learned = Learned { n_candidates: rules.len(), rules, linear, outputs, timings };
    (learned, Config { gamma: Some(gamma), ..config })
}

fn learned(
    solution: &L1Solution,
    gamma: f64,
    linear: &[LinearColumn],
    stop_reason: StopReason,
) -> LearnedOutput {
    let size: f64 = solution.weights.rules.iter().map(|(_, weight)| weight.abs()).sum::<f64>()
        + solution.linear.iter().map(|weight| weight.abs()).sum::<f64>();
    LearnedOutput {
        weights: solution.weights.clone(),
        slopes: linear.iter().zip(&solution.linear).map(|(column, &weight)| column.slope(weight)).collect(),
        objective: solution.objective,
        loss: solution.objective - gamma * size,
        certified: true,
        stop_reason,
        n_moves: 0,
    }
}

/// The problems of all outputs over the same columns.
struct Design {
    problems: Vec<Problem>,
    linear: Vec<LinearColumn>,
}

impl Design {
    fn of(candidates: &GrownCandidates, training: &Training, settings: &Settings, linear: bool) -> Self {
        let n_outputs = candidates.masses.len();
        if !linear {
            let problems = (0..n_outputs).map(|output| candidates.problem(output, settings)).collect();
            return Self { problems, linear: Vec::new() };
        }
        // With numbers beside the rules, rows that the rules do not tell apart differ all the same.
        let rules = &candidates.rules;
        let n_rows = training.table.n_rows();
        let coverage = Coverage::build(n_rows, rules.len(), |rule| rules[rule].cover(&training.table));
        let candidates =
            GrownCandidates { coverage: Arc::new(coverage), masses: training.masses(), ..candidates.clone() };
        let problems = (0..n_outputs).map(|output| candidates.problem(output, settings)).collect();
        Self { problems, linear: linear_columns(training, settings) }
    }

    fn l1<'p>(&self, problem: &'p Problem) -> L1Problem<'p> {
        let linear = self.linear.iter().map(|column| column.dense.clone()).collect();
        L1Problem { linear, ..L1Problem::new(problem) }
    }
}

/// The γ of the least loss on rows left out, with everything learned anew on the others.
fn cross_validated(
    design: &Design,
    training: &Training,
    settings: &Settings,
    config: &Config,
    splits: &[Holdout],
    watch: &Watch,
) -> f64 {
    let largest = design.problems.iter().map(|problem| design.l1(problem).gamma_max()).fold(0.0, f64::max);
    let grid = gamma_grid(largest, GRID_END, GRID_SIZE);
    let mut losses = vec![0.0; grid.len()];
    for split in splits.iter().filter(|split| !split.train.is_empty() && !split.test.is_empty()) {
        let (part, left_out) = (training.select(&split.train), training.select(&split.test));
        let candidates = GrownCandidates::grow(&part, settings, watch);
        let design = Design::of(&candidates, &part, settings, config.linear_terms);
        for (problem, masses) in design.problems.iter().zip(left_out.masses()) {
            let path = design.l1(problem).path(&grid, ROUGH_TOLERANCE);
            for (loss, solution) in losses.iter_mut().zip(&path) {
                let scores = scores(solution, &candidates.rules, &design.linear, &left_out.table);
                *loss += total_loss(settings.loss, &masses, &scores);
            }
        }
    }
    let best = (0..grid.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b]));
    best.map_or(0.0, |best| grid[best])
}

/// Divides the distinct rows of each class evenly, in an order that only their content and the seed decide: a row of
/// weight 2 and the row given twice lead to the same folds, whatever the order of the rows.
fn content_splits(training: &Training, n_folds: usize, seed: u64) -> Vec<Holdout> {
    let contents = training.contents();
    let key = |&row: &usize| {
        let class = if let TargetValues::Classes(of) = &training.target { of.labels[row] } else { 0 };
        (class, mix(seed ^ contents[row]))
    };
    let mut order: Vec<usize> = (0..contents.len()).filter(|&row| training.weights[row] > 0.0).collect();
    order.sort_by_key(key);
    let mut folds = vec![Vec::new(); n_folds];
    for (place, same) in order.chunk_by(|a, b| key(a) == key(b)).enumerate() {
        folds[place % n_folds].extend_from_slice(same);
    }
    let split = |fold: usize| {
        let others = (0..n_folds).filter(|&other| other != fold);
        Holdout { train: others.flat_map(|other| folds[other].clone()).collect(), test: folds[fold].clone() }
    };
    (0..n_folds).map(split).collect()
}

/// The scores that a solution gives to the rows of a table.
fn scores(solution: &L1Solution, rules: &[Rule], linear: &[LinearColumn], table: &Table) -> Vec<f64> {
    let mut scores = vec![solution.weights.intercept; table.n_rows()];
    for &(rule, weight) in &solution.weights.rules {
        let covered = rules[rule].cover(table);
        for (row, score) in scores.iter_mut().enumerate() {
            if covered[row / 64] >> (row % 64) & 1 == 1 {
                *score += weight;
            }
        }
    }
    for (column, &weight) in linear.iter().zip(&solution.linear).filter(|(_, weight)| **weight != 0.0) {
        for (score, value) in scores.iter_mut().zip(column.values(table)) {
            *score += weight * value;
        }
    }
    scores
}

fn total_loss(loss: LossKind, masses: &[Pair], scores: &[f64]) -> f64 {
    let of_row = match loss {
        LossKind::Squared => Squared::value,
        LossKind::Exponential | LossKind::Logistic => Logistic::value,
    };
    masses.iter().zip(scores).map(|(&mass, &score)| of_row(mass, score)).sum()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeSet;

    use super::*;
    use crate::table::{Feature, FeatureKind, Schema, Values};

    fn training(values: &[f64], weights: &[f64]) -> Training<'static> {
        let feature = Feature { name: "x".into(), kind: FeatureKind::Real, has_missing: false };
        let columns = vec![Values::Numbers(values.to_vec())];
        let table = Table::new(Schema { features: vec![feature] }, columns, values.len()).unwrap();
        let labels: Vec<bool> = values.iter().map(|&value| value < 4.0).collect();
        let target = TargetValues::of_bools(&labels);
        Training { table: Cow::Owned(table), target, weights: weights.to_vec(), scale: None }
    }

    /// The values that each fold tests on.
    fn tested(values: &[f64], weights: &[f64]) -> Vec<BTreeSet<u64>> {
        let splits = content_splits(&training(values, weights), 3, 7);
        let bits = |split: &Holdout| split.test.iter().map(|&row| values[row].to_bits()).collect();
        splits.iter().map(bits).collect()
    }

    #[test]
    fn folds_know_no_order_and_no_repetition() {
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let plain = tested(&values, &[1.0; 12]);
        let backwards: Vec<f64> = values.iter().rev().copied().collect();
        assert_eq!(plain, tested(&backwards, &[2.0; 12]));
        let twice: Vec<f64> = values.iter().chain(&values).copied().collect();
        assert_eq!(plain, tested(&twice, &[1.0; 24]));
        let with_nothing: Vec<f64> = values.iter().copied().chain([50.0]).collect();
        let mut weights = vec![1.0; 13];
        weights[12] = 0.0;
        assert_eq!(plain, tested(&with_nothing, &weights));
    }

    #[test]
    fn each_row_is_tested_once_and_each_class_in_every_fold() {
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let training = training(&values, &[1.0; 12]);
        let splits = content_splits(&training, 3, 0);
        let mut all: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..12).collect::<Vec<_>>());
        for split in &splits {
            assert_eq!(split.train.len() + split.test.len(), 12);
            assert!(split.test.iter().all(|row| !split.train.contains(row)));
            // Four rows of the first class and eight of the second, evenly over three folds.
            assert!((1..=2).contains(&split.test.iter().filter(|&&row| values[row] < 4.0).count()));
        }
    }
}
