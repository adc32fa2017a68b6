//! Gradient boosting: each tree is a Newton step down the loss of the trees before it.

use std::ops::Add;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::config::{ForestConfig, RowSampling};
use super::features::FeatureDraws;
use super::lanes::lay_out;
use super::loss::{Loss, Pull};
use super::sampling::RowDraws;
use super::search::Criterion;
use super::tally::{Scale, Tally};
use super::tree::{Grower, Sample};
use super::{Combination, Forest, Tree};
use crate::binning::Rows;
use crate::watch::{Progress, Watch};

/// Grows the trees one after the other; threads share the work within each.
pub(super) fn grow<L: Loss>(rows: &Rows, loss: &L, config: &ForestConfig, watch: &Watch) -> Forest {
    let lanes = lay_out(&rows.binned, &config.excluded);
    let features = FeatureDraws::of(&lanes, config);
    let mut state = State::of(loss, &rows.hashes, config.row_sampling);
    let all_rows: Vec<u32> = (0..rows.len() as u32).collect();
    let mut trees = Vec::with_capacity(config.n_trees);
    for number in 0..config.n_trees {
        if watch.stop().is_some() {
            break;
        }
        let draws = RowDraws::of(config.row_sampling, config.seed, number);
        let (scale, total) = state.update(trees.last(), &draws);
        let grower = Grower {
            binned: &rows.binned,
            lanes: &lanes,
            features: &features,
            config,
            criterion: Criterion::new(config.l2, config.min_leaf_weight, loss.resolution(), &scale),
            scale,
            rate: config.learning_rate,
            leaf_limit: L::LEAF_LIMIT,
            spread: true,
        };
        // Rows left out of the sample come along with empty tallies, so that they too learn their leaf.
        let sample = Sample { tallies: &state.tallies, total, leaf_of: Some(&state.leaf_of) };
        trees.push(grower.grow(number, all_rows.clone(), &sample));
        watch.report(Progress::Trees { done: trees.len(), total: config.n_trees });
    }
    Forest { trees, base: loss.base(), combination: Combination::Sum }
}

/// Rows that one thread takes at a time.
const BLOCK: usize = 4096;

/// Where boosting stands.
struct State<'a, L> {
    loss: &'a L,
    hashes: &'a [u64],
    /// What the mass drawn for a tree never exceeds.
    mass_limit: f64,
    /// The score of each row, in the loss's form.
    states: Vec<f64>,
    tallies: Vec<Tally>,
    /// The leaf of each row in the last tree.
    leaf_of: Vec<AtomicU32>,
}

impl<'a, L: Loss> State<'a, L> {
    fn of(loss: &'a L, hashes: &'a [u64], sampling: RowSampling) -> Self {
        let [first, second] = loss.columns();
        let mass = first.iter().zip(second).map(|(&a, &b)| L::mass([a, b])).sum();
        Self {
            loss,
            hashes,
            mass_limit: sampling.mass_limit(mass),
            states: vec![L::state(loss.base()); hashes.len()],
            tallies: vec![Tally::default(); hashes.len()],
            leaf_of: hashes.iter().map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// Adds the last tree to the scores, computes the tallies of the sampled rows, and returns their sum.
    fn update(&mut self, last: Option<&Tree>, draws: &RowDraws) -> (Scale, Tally) {
        let mut steps: Vec<f64> = last
            .map_or(vec![L::state(0.0)], |tree| tree.nodes.iter().map(|node| L::state(node.value)).collect());
        let gradient_limit = if let Some(most) = L::MAX_GRADIENT {
            most * self.mass_limit
        } else {
            // Without a bound, the gradients themselves tell how finely they can be counted.
            let sum = self.pass(&steps, draws, |pull, _| pull.gradient.abs());
            steps.fill(L::state(0.0));
            sum
        };
        let scale = Scale::of(gradient_limit, L::MAX_CURVATURE * self.mass_limit, self.mass_limit);
        let total = self.pass(&steps, draws, |pull, tally| {
            *tally = scale.tally(pull.gradient, pull.curvature, pull.mass);
            *tally
        });
        (scale, total)
    }

    /// Adds to each score the step of its leaf, and up what `each` makes of a row and its tally: block by
    /// block, so that the sum does not depend on the number of threads.
    fn pass<T>(&mut self, steps: &[f64], draws: &RowDraws, each: impl Fn(Pull, &mut Tally) -> T + Sync) -> T
    where
        T: Add<Output = T> + Default + Send,
    {
        let [first, second] = self.loss.columns();
        let blocks = self.states.par_chunks_mut(BLOCK).zip(self.tallies.par_chunks_mut(BLOCK)).enumerate();
        let sums = blocks.map(|(block, (states, tallies))| {
            let start = block * BLOCK;
            let leaf_of = &self.leaf_of[start..];
            let rows = first[start..].iter().zip(&second[start..]).zip(&self.hashes[start..]);
            let mut sum = T::default();
            for (((state, tally), leaf), ((&a, &b), &hash)) in
                states.iter_mut().zip(tallies).zip(leaf_of).zip(rows)
            {
                *state = L::advance(*state, steps[leaf.load(Ordering::Relaxed) as usize]);
                sum = sum + each(L::pull([a, b], *state, hash, draws), tally);
            }
            sum
        });
        sums.collect::<Vec<T>>().into_iter().fold(T::default(), |sum, block| sum + block)
    }
}
