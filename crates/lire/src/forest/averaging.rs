//! Random forests and extra trees: independent trees whose leaf values are averaged.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::config::ForestConfig;
use super::features::FeatureDraws;
use super::lanes::{LaneGroup, lay_out};
use super::sampling::RowDraws;
use super::search::Criterion;
use super::tally::{Scale, Tally};
use super::tree::{Grower, Sample};
use super::{Combination, Forest, Tree};
use crate::binning::{Outcome, Rows};
use crate::watch::{Progress, Watch};

/// Grows the trees in parallel, each from its own draws.
pub(super) fn grow(rows: &Rows, outcome: &Outcome, config: &ForestConfig, watch: &Watch) -> Forest {
    let groups = lay_out(&rows.binned, &config.excluded);
    let features = FeatureDraws::of(&groups, config);
    let done = AtomicUsize::new(0);
    let trees = (0..config.n_trees)
        .into_par_iter()
        .with_max_len(1)
        .map_init(Bootstrap::default, |sample, tree| {
            if watch.stop().is_some() {
                return None;
            }
            sample.draw(rows, outcome, config, tree);
            let tree = sample.grow(rows, config, &groups, &features, tree);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch.report(Progress::Trees { done, total: config.n_trees });
            Some(tree)
        })
        .flatten()
        .collect();
    Forest { trees, base: 0.0, combination: Combination::Mean }
}

/// The rows of one tree; kept from tree to tree for its memory.
#[derive(Default)]
struct Bootstrap {
    /// The rows drawn.
    rows: Vec<u32>,
    /// Positive and total mass of each row drawn.
    masses: Vec<(f64, f64)>,
    /// The tally of each row of the table; meaningless for rows not drawn.
    tallies: Vec<Tally>,
}

impl Bootstrap {
    fn draw(&mut self, rows: &Rows, outcome: &Outcome, config: &ForestConfig, tree: usize) {
        let Outcome::Class { inside, outside } = outcome else { todo!() };
        let draws = RowDraws::of(config.row_sampling, config.seed, tree);
        self.rows.resize(rows.len(), 0);
        self.masses.resize(rows.len(), (0.0, 0.0));
        let mut n_drawn = 0;
        for (row, ((&positive, &negative), &hash)) in inside.iter().zip(outside).zip(&rows.hashes).enumerate()
        {
            let (positive, negative) = draws.masses(positive, negative, hash);
            let mass = positive + negative;
            // A row not drawn is overwritten by the next: a branch here would often be mispredicted.
            self.rows[n_drawn] = row as u32;
            self.masses[n_drawn] = (positive, mass);
            n_drawn += usize::from(mass > 0.0);
        }
        self.rows.truncate(n_drawn);
        self.masses.truncate(n_drawn);
    }

    fn grow(
        &mut self,
        rows: &Rows,
        config: &ForestConfig,
        groups: &[LaneGroup],
        features: &FeatureDraws,
        tree: usize,
    ) -> Tree {
        const CURVATURE: f64 = 1.0; // of one unit of mass: the squared error's
        let scale = Scale::of(self.masses.iter().map(|(_, mass)| mass).sum(), CURVATURE);
        self.tallies.resize(rows.len(), Tally::default());
        let mut total = Tally::default();
        for (&row, &(positive, mass)) in self.rows.iter().zip(&self.masses) {
            let tally = scale.tally(positive, mass * CURVATURE, mass);
            self.tallies[row as usize] = tally;
            total += tally;
        }
        let grower = Grower {
            binned: &rows.binned,
            groups,
            features,
            config,
            criterion: Criterion::new(0.0, config.min_leaf_weight, &scale),
            scale,
            rate: 1.0,
            spread: false,
        };
        grower.grow(tree, self.rows.clone(), &Sample { tallies: &self.tallies, total, leaf_of: None })
    }
}
