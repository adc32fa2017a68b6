//! What a forest is grown by.

use serde::{Deserialize, Serialize};

use super::word_or_number::WordOrNumber;
use crate::error::{Error, Result};

/// How to grow a forest.
///
/// | name | default | meaning | range |
/// |---|---|---|---|
/// | `generator` | boosting | how trees come about | |
/// | `n_trees` | 200 | number of trees | ≥ 1 |
/// | `max_depth` | 3 | conditions from the root to a leaf | ≥ 1, or no limit |
/// | `max_leaves` | no limit | leaves of a tree; with it, the best leaf is split first | ≥ 2, or no limit |
/// | `features_per_split` | all | features tried at each node | |
/// | `row_sampling` | all | rows of each tree | |
/// | `learning_rate` | 0.25 | boosting: the share of each tree's step that is taken | (0, 1] |
/// | `l2` | 3 | boosting: added to a leaf's curvature, so that small leaves take small steps | ≥ 0 |
/// | `min_leaf_weight` | 5 | the least weight of a leaf | ≥ 0 |
/// | `levels_as_columns` | no | each category value counts as a column of its own when features are sampled | |
/// | `excluded` | none | features that never split | |
/// | `seed` | 0 | decides all that is drawn | |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ForestConfig {
    /// How trees come about.
    pub generator: TreeGenerator,
    /// The number of trees.
    pub n_trees: usize,
    /// The largest number of conditions from the root to a leaf.
    pub max_depth: Option<usize>,
    /// The largest number of leaves of a tree. With it, trees grow best leaf first.
    pub max_leaves: Option<usize>,
    /// How many features are tried at each node.
    pub features_per_split: FeatureSampling,
    /// Which rows each tree is grown on.
    pub row_sampling: RowSampling,
    /// Boosting: the share of each tree's step that is taken.
    pub learning_rate: f64,
    /// Boosting: added to a leaf's curvature, so that small leaves take small steps. At the default rate and
    /// number of trees, 3 was measured to predict better than 0 or 1 on tables of 5 to 30 thousand rows,
    /// and 10 better still on the smaller ones but worse on the larger.
    pub l2: f64,
    /// The least weight of a leaf.
    pub min_leaf_weight: f64,
    /// Whether each category value counts as a column of its own when features are sampled. A split on a
    /// category column may then only use the values drawn, as on one-hot encoded data.
    pub levels_as_columns: bool,
    /// Positions of the features that never split.
    pub excluded: Vec<usize>,
    /// Decides all that is drawn.
    pub seed: u64,
}

/// How trees come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TreeGenerator {
    /// Independent trees of best splits; they differ by the rows and features drawn.
    RandomForest,
    /// Each tree is a step down the loss of the trees before it: logistic for classes, squared for numbers.
    #[default]
    Boosting,
    /// Independent trees whose thresholds are drawn too; the best of one draw a feature is taken.
    ExtraTrees,
}

/// How many features are tried at each node.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "WordOrNumber", into = "WordOrNumber")]
#[cfg_attr(feature = "schema", schemars(with = "WordOrNumber"))]
pub enum FeatureSampling {
    /// All of them.
    #[default]
    All,
    /// The square root of their number, rounded down.
    Sqrt,
    /// The binary logarithm of their number, rounded down.
    Log2,
    /// This share of them, rounded down.
    Share(f64),
    /// So many.
    Count(usize),
}

/// Which rows each tree is grown on.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "WordOrNumber", into = "WordOrNumber")]
#[cfg_attr(feature = "schema", schemars(with = "WordOrNumber"))]
pub enum RowSampling {
    /// All of them.
    #[default]
    All,
    /// Each a Poisson number of times, with its weight as the mean: a bootstrap sample that does not
    /// depend on the order of the rows.
    Bootstrap,
    /// This share of them, drawn without replacement.
    Share(f64),
}

impl Default for ForestConfig {
    fn default() -> Self {
        Self {
            generator: TreeGenerator::Boosting,
            n_trees: 200,
            max_depth: Some(3),
            max_leaves: None,
            features_per_split: FeatureSampling::All,
            row_sampling: RowSampling::All,
            learning_rate: 0.25,
            l2: 3.0,
            min_leaf_weight: 5.0,
            levels_as_columns: false,
            excluded: Vec::new(),
            seed: 0,
        }
    }
}

/// Why a learning rate has no effect, and what to do.
pub(crate) const NO_STEPS: &str = "only boosting takes steps; leave it out, or let boosting grow the trees";

impl ForestConfig {
    /// Refuses a learning rate, other than the default, that would have no effect.
    pub fn check_used(&self) -> Result<()> {
        let is_idle = self.generator != TreeGenerator::Boosting;
        if is_idle && self.learning_rate != Self::default().learning_rate {
            return Err(Error::config("learning_rate", NO_STEPS));
        }
        Ok(())
    }

    /// Says which parameter cannot be used, if any.
    pub fn check(&self) -> Result<()> {
        let at_least = |parameter, value: usize, least: usize| {
            (value >= least)
                .then_some(())
                .ok_or_else(|| Error::config(parameter, format!("{value} is too few; at least {least}")))
        };
        at_least("n_trees", self.n_trees, 1)?;
        at_least("max_depth", self.max_depth.unwrap_or(usize::MAX), 1)?;
        at_least("max_leaves", self.max_leaves.unwrap_or(usize::MAX), 2)?;
        check_share("learning_rate", self.learning_rate)?;
        if let RowSampling::Share(share) = self.row_sampling {
            check_share("row_sampling", share)?;
        }
        match self.features_per_split {
            FeatureSampling::Share(share) => check_share("features_per_split", share)?,
            FeatureSampling::Count(count) => at_least("features_per_split", count, 1)?,
            FeatureSampling::All | FeatureSampling::Sqrt | FeatureSampling::Log2 => {}
        }
        for (parameter, value) in [("l2", self.l2), ("min_leaf_weight", self.min_leaf_weight)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::config(parameter, format!("{value} is not a number from 0 up")));
            }
        }
        Ok(())
    }
}

fn check_share(parameter: &str, share: f64) -> Result<()> {
    if share > 0.0 && share <= 1.0 {
        return Ok(());
    }
    Err(Error::config(parameter, format!("{share} is not within 0 (excluded) and 1")))
}

impl RowSampling {
    /// What the mass drawn from rows of this mass never exceeds. A bootstrap sample could in principle; the
    /// odds against a sum of so many deviations are beyond those of a broken memory cell.
    pub(super) fn mass_limit(self, mass: f64) -> f64 {
        match self {
            Self::All => mass,
            Self::Bootstrap | Self::Share(_) => 4.0 * mass + 1000.0,
        }
    }
}

impl FeatureSampling {
    /// How many of so many columns are tried.
    pub(super) fn count(self, n_columns: usize) -> usize {
        let count = match self {
            Self::All => n_columns,
            Self::Sqrt => n_columns.isqrt(),
            Self::Log2 => n_columns.checked_ilog2().unwrap_or(0) as usize,
            Self::Share(share) => (n_columns as f64 * share) as usize,
            Self::Count(count) => count,
        };
        count.clamp(n_columns.min(1), n_columns)
    }
}
