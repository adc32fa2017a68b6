//! Random forests and extra trees: independent trees whose leaf values are averaged.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::config::ForestConfig;
use super::features::FeatureDraws;
use super::lanes::lay_out;
use super::loss::Loss;
use super::sampling::RowDraws;
use super::search::Criterion;
use super::tally::{Scale, Tally};
use super::tree::{Grower, Sample};
use super::{Combination, Forest};
use crate::binning::Rows;
use crate::watch::{Progress, Watch};

/// Grows the trees in parallel, each from its own draws, on a squared loss.
pub(super) fn grow<L: Loss>(rows: &Rows, loss: &L, config: &ForestConfig, watch: &Watch) -> Forest {
    let lanes = lay_out(&rows.binned, &config.excluded);
    let features = FeatureDraws::of(&lanes, config);
    let done = AtomicUsize::new(0);
    let trees = (0..config.n_trees)
        .into_par_iter()
        .with_max_len(1)
        .map_init(Bootstrap::default, |sample, tree| {
            if watch.stop().is_some() {
                return None;
            }
            sample.draw(loss, &rows.hashes, &RowDraws::of(config.row_sampling, config.seed, tree));
            let scale = sample.tally(rows.len());
            let grower = Grower {
                binned: &rows.binned,
                lanes: &lanes,
                features: &features,
                config,
                criterion: Criterion::new(0.0, config.min_leaf_weight, loss.resolution(), &scale),
                scale,
                rate: 1.0,
                leaf_limit: L::LEAF_LIMIT,
                spread: false,
            };
            let tree = grower.grow(tree, sample.rows.clone(), &sample.of_tree());
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch.report(Progress::Trees { done, total: config.n_trees });
            Some(tree)
        })
        .flatten()
        .collect();
    Forest { trees, base: loss.base(), combination: Combination::Mean }
}

/// The rows of one tree; kept from tree to tree for its memory.
#[derive(Default)]
struct Bootstrap {
    /// The rows drawn.
    rows: Vec<u32>,
    /// Gradient and mass of each row drawn. The mass is the curvature too, as of every squared loss.
    pulls: Vec<(f64, f64)>,
    /// The tally of each row of the table; meaningless for rows not drawn.
    tallies: Vec<Tally>,
    /// The sum of the tallies of the rows drawn.
    total: Tally,
}

impl Bootstrap {
    fn draw<L: Loss>(&mut self, loss: &L, hashes: &[u64], draws: &RowDraws) {
        let [first, second] = loss.columns();
        let state = L::state(loss.base());
        self.rows.resize(hashes.len(), 0);
        self.pulls.resize(hashes.len(), (0.0, 0.0));
        let mut n_drawn = 0;
        for (row, ((&a, &b), &hash)) in first.iter().zip(second).zip(hashes).enumerate() {
            let pull = L::pull([a, b], state, hash, draws);
            // A row not drawn is overwritten by the next: a branch here would often be mispredicted.
            self.rows[n_drawn] = row as u32;
            self.pulls[n_drawn] = (pull.gradient, pull.mass);
            n_drawn += usize::from(pull.mass > 0.0);
        }
        self.rows.truncate(n_drawn);
        self.pulls.truncate(n_drawn);
    }

    /// Counts the rows drawn, of a table with so many, and returns the units.
    fn tally(&mut self, n_rows: usize) -> Scale {
        let gradient = self.pulls.iter().map(|(gradient, _)| gradient.abs()).sum();
        let mass = self.pulls.iter().map(|(_, mass)| mass).sum();
        let scale = Scale::of(gradient, mass, mass);
        self.tallies.resize(n_rows, Tally::default());
        self.total = Tally::default();
        for (&row, &(gradient, mass)) in self.rows.iter().zip(&self.pulls) {
            let tally = scale.tally(gradient, mass, mass);
            self.tallies[row as usize] = tally;
            self.total += tally;
        }
        scale
    }

    fn of_tree(&self) -> Sample<'_> {
        Sample { tallies: &self.tallies, total: self.total, leaf_of: None }
    }
}
