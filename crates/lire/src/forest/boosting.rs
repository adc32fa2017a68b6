//! Gradient boosting: each tree is a Newton step down the logistic loss of the trees before it.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::config::{ForestConfig, RowSampling};
use super::features::FeatureDraws;
use super::lanes::lay_out;
use super::sampling::RowDraws;
use super::search::Criterion;
use super::tally::{Scale, Tally};
use super::tree::{Grower, Sample};
use super::{Combination, Forest, Tree};
use crate::binning::{Outcome, Rows};
use crate::watch::{Progress, Watch};

/// Grows the trees one after the other; threads share the work within each.
pub(super) fn grow(rows: &Rows, outcome: &Outcome, config: &ForestConfig, watch: &Watch) -> Forest {
    let Outcome::Class { inside, outside } = outcome else { todo!() };
    let groups = lay_out(&rows.binned, &config.excluded);
    let features = FeatureDraws::of(&groups, config);
    let mut state = State::of(inside, outside, config.row_sampling);
    let grower = Grower {
        binned: &rows.binned,
        groups: &groups,
        features: &features,
        config,
        criterion: Criterion::new(config.l2, config.min_leaf_weight, &state.scale),
        scale: state.scale,
        rate: config.learning_rate,
        spread: true,
    };
    let all_rows: Vec<u32> = (0..rows.len() as u32).collect();
    let mut trees = Vec::with_capacity(config.n_trees);
    for number in 0..config.n_trees {
        if watch.stop().is_some() {
            break;
        }
        let total = state.update(
            rows,
            inside,
            outside,
            trees.last(),
            &RowDraws::of(config.row_sampling, config.seed, number),
        );
        // Rows left out of the sample come along with empty tallies, so that they too learn their leaf.
        let sample = Sample { tallies: &state.tallies, total, leaf_of: Some(&state.leaf_of) };
        trees.push(grower.grow(number, all_rows.clone(), &sample));
        watch.report(Progress::Trees { done: trees.len(), total: config.n_trees });
    }
    Forest { trees, base: state.base, combination: Combination::Sum }
}

/// Log-odds start within these bounds, so that a single class does not start at infinity.
const BASE_LIMIT: f64 = 15.0;
/// Odds stay within this and its inverse, so that they can always come back.
const ODDS_LIMIT: f64 = 1e200;
/// The largest curvature of the logistic loss for a mass of one.
const MAX_CURVATURE: f64 = 0.25;
/// Rows that one thread takes at a time.
const BLOCK: usize = 4096;

/// Where boosting stands.
struct State {
    base: f64,
    scale: Scale,
    /// The odds of the negative class, `exp(−score)`, for each row. They spare an exponential a row: a tree
    /// multiplies them by one factor for each of its leaves.
    odds: Vec<f64>,
    tallies: Vec<Tally>,
    /// The leaf of each row in the last tree.
    leaf_of: Vec<AtomicU32>,
}

impl State {
    fn of(inside: &[f64], outside: &[f64], sampling: RowSampling) -> Self {
        let positive: f64 = inside.iter().sum();
        let negative: f64 = outside.iter().sum();
        let log_odds = (positive / negative).ln().clamp(-BASE_LIMIT, BASE_LIMIT);
        let base = if log_odds.is_nan() { 0.0 } else { log_odds };
        Self {
            base,
            scale: Scale::of(sampling.mass_limit(positive + negative), MAX_CURVATURE),
            odds: vec![(-base).exp(); inside.len()],
            tallies: vec![Tally::default(); inside.len()],
            leaf_of: (0..inside.len()).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// Adds the last tree to the scores, computes the tallies of the sampled rows, and returns their sum.
    fn update(
        &mut self,
        rows: &Rows,
        inside: &[f64],
        outside: &[f64],
        last: Option<&Tree>,
        draws: &RowDraws,
    ) -> Tally {
        let factors: Vec<f64> =
            last.map_or(vec![1.0], |tree| tree.nodes.iter().map(|node| (-node.value).exp()).collect());
        let scale = self.scale;
        let blocks = self.odds.par_chunks_mut(BLOCK).zip(self.tallies.par_chunks_mut(BLOCK)).enumerate();
        let totals = blocks.map(|(block, (odds, tallies))| {
            let first = block * BLOCK;
            let leaf_of = &self.leaf_of[first..];
            let masses = inside[first..].iter().zip(&outside[first..]).zip(&rows.hashes[first..]);
            let mut total = Tally::default();
            for (((odds, tally), leaf), ((&positive, &negative), &hash)) in
                odds.iter_mut().zip(tallies).zip(leaf_of).zip(masses)
            {
                let factor = factors[leaf.load(Ordering::Relaxed) as usize];
                *odds = (*odds * factor).clamp(1.0 / ODDS_LIMIT, ODDS_LIMIT);
                let (positive, negative) = draws.masses(positive, negative, hash);
                let probability = 1.0 / (1.0 + *odds);
                let mass = positive + negative;
                let gradient = positive - mass * probability;
                *tally = scale.tally(gradient, mass * probability * (1.0 - probability), mass);
                total += *tally;
            }
            total
        });
        totals.reduce(Tally::default, |a, b| a + b)
    }
}
