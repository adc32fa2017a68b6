//! Grows shallow trees on binned columns: random forest, gradient boosting, extra trees.
//!
//! All three are one algorithm. A row carries a gradient and a curvature; a split is worth the rise of
//! `(Σ gradient)² / (Σ curvature + l2)`, and a leaf's value is `Σ gradient / (Σ curvature + l2)`. Which they are
//! is a matter of the loss:
//!
//! | | gradient | curvature | a split's worth | a leaf's value |
//! |---|---|---|---|---|
//! | boosting, class | `w (y − p)` | `w p (1 − p)` | fall of the logistic loss | step of the log-odds |
//! | boosting, number | `w (y − f)` | `w` | fall of the squared error | mean residual |
//! | averages, class | `w y` | `w` | half the fall of the Gini impurity | share of the class |
//! | averages, number | `w (y − mean)` | `w` | fall of the squared error | mean, less that of all rows |
//!
//! Sums are whole numbers, so that no order of summation, and thus no number of threads, can
//! change a tree.

mod averaging;
mod boosting;
mod config;
mod features;
mod lanes;
mod loss;
mod partition;
mod predict;
mod sampling;
mod search;
mod sparse_lanes;
mod tally;
mod tree;
mod word_or_number;

pub(crate) use config::NO_STEPS;
pub use config::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator};

use serde::{Deserialize, Serialize};

use self::loss::{Logistic, Shares, Squared};
use crate::binning::{Outcome, Rows};
use crate::watch::Watch;

/// Grows a forest for one of the rows' outcomes. When the watch says stop, it ends with the trees there are.
pub fn grow(rows: &Rows, outcome: &Outcome, config: &ForestConfig, watch: &Watch) -> Forest {
    match config.generator {
        TreeGenerator::RandomForest | TreeGenerator::ExtraTrees => match outcome {
            Outcome::Class { inside, outside } => {
                averaging::grow(rows, &Shares { inside, outside }, config, watch)
            }
            Outcome::Number { values, weights } => {
                averaging::grow(rows, &Squared::of(values, weights), config, watch)
            }
        },
        // Within the thread pool from the start: each tree hands out work many times, and doing that from
        // outside would cost two changes of thread each time.
        TreeGenerator::Boosting => rayon::scope(|_| match outcome {
            Outcome::Class { inside, outside } => {
                boosting::grow(rows, &Logistic::of(inside, outside), config, watch)
            }
            Outcome::Number { values, weights } => {
                boosting::grow(rows, &Squared::of(values, weights), config, watch)
            }
        }),
    }
}

/// Trees whose nodes become candidate rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Forest {
    /// The trees, in the order they were grown.
    pub trees: Vec<Tree>,
    /// What prediction starts from: the mean where a number is predicted; for a class the log-odds of the
    /// training rows if trees are boosted, 0 if they are averaged.
    pub base: f64,
    /// How the trees make one prediction.
    pub combination: Combination,
}

/// How the leaf values of the trees make one prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combination {
    /// Their mean. With the base it is the probability of the class, or the number.
    Mean,
    /// Their sum. With the base it is the log-odds of the class, or the number.
    Sum,
}

/// A binary tree; node 0 is the root, and children stand behind their parents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// One node of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// How an inner node divides its rows; none for a leaf.
    pub split: Option<Split>,
    /// The training weight in the node, as counted in [`Rows`] and sampled for this tree.
    pub weight: f64,
    /// What a leaf adds to the prediction; for an inner node, what it would add if it were a leaf.
    pub value: f64,
}

/// A test of one feature. Rows for which it holds go to the left child.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The feature's position in the table.
    pub feature: usize,
    /// What is asked of a known value.
    pub test: SplitTest,
    /// Whether missing values go left. Only meaningful where the column has missing values.
    pub missing_left: bool,
    /// The left child's position among the nodes.
    pub left: usize,
    /// The right child's position among the nodes.
    pub right: usize,
}

/// What a split asks of a known value, in bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SplitTest {
    /// `bin ≤ b`, that is `x ≤ cuts[b]`.
    AtMost(u8),
    /// `bin = b`, that is `x = level of b`.
    Equals(u8),
    /// Any known value: the split asks only whether the value is missing.
    Known,
}

#[cfg(test)]
mod tests;
