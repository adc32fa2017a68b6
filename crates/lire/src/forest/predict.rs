//! Predictions of grown trees for binned rows.

use rayon::prelude::*;

use super::{Combination, Forest, Tree};
use crate::binning::BinnedTable;

impl Forest {
    /// The prediction for each row: the number where one is predicted; for a class its probability if trees are
    /// averaged, its log-odds if they are boosted.
    ///
    /// Rows of another table are put into the bins of the training rows by [`BinnedTable::like`].
    pub fn predict(&self, binned: &BinnedTable) -> Vec<f64> {
        self.predict_first(binned, self.trees.len())
    }

    /// The same of the first trees alone, at most so many.
    pub fn predict_first(&self, binned: &BinnedTable, n_trees: usize) -> Vec<f64> {
        const BLOCK: usize = 1024; // rows that stay in the cache while the trees pass by
        let first = &self.trees[..n_trees.min(self.trees.len())];
        let factor = match self.combination {
            Combination::Mean => 1.0 / first.len().max(1) as f64,
            Combination::Sum => 1.0,
        };
        let mut predictions = vec![0.0; binned.n_rows];
        predictions.par_chunks_mut(BLOCK).enumerate().for_each(|(block, predictions)| {
            for tree in first {
                for (position, prediction) in predictions.iter_mut().enumerate() {
                    *prediction += tree.nodes[tree.leaf_of(binned, block * BLOCK + position)].value;
                }
            }
            for sum in predictions {
                *sum = self.base + *sum * factor;
            }
        });
        predictions
    }
}

impl Tree {
    /// The position of the leaf that the row reaches.
    pub fn leaf_of(&self, binned: &BinnedTable, row: usize) -> usize {
        let mut node = 0;
        while let Some(split) = &self.nodes[node].split {
            let bin = binned.columns[split.feature].bins[row];
            node = if split.goes_left(bin) { split.left } else { split.right };
        }
        node
    }
}
