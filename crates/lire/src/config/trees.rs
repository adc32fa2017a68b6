//! How to grow the trees whose nodes become candidate rules.

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::uses::Purpose;
use crate::error::{Error, Result};
use crate::forest::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator};

/// The depth that gives rules a person can read.
const DEFAULT_DEPTH: usize = 3;

/// Number, size and sampling of the trees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TreeOptions {
    /// How to grow the trees whose nodes become candidate rules.
    pub tree_generator: TreeGenerator,
    /// The number of trees.
    pub n_estimators: usize,
    /// The depth of the trees, and so the maximum number of conditions in a rule.
    pub max_depth: usize,
    /// The maximum number of leaves of a tree; if it is given, the best leaf is split first.
    pub max_leaves: Option<usize>,
    /// Features tried at each split: `all`, `sqrt`, `log2`, a share or a number. By default all for boosting,
    /// `sqrt` for forests.
    pub max_features: Option<FeatureSampling>,
    /// Rows of each tree: `all`, `bootstrap` or a share. By default `bootstrap` for a random forest, else all.
    pub subsample: Option<RowSampling>,
    /// Boosting: the learning rate, as a share of each tree's step.
    pub learning_rate: f64,
    /// The minimum weight of a leaf, in rows.
    pub min_leaf_weight: f64,
}

impl Default for TreeOptions {
    fn default() -> Self {
        let forest = ForestConfig::default();
        Self {
            tree_generator: forest.generator,
            n_estimators: forest.n_trees,
            max_depth: DEFAULT_DEPTH,
            max_leaves: None,
            max_features: None,
            subsample: None,
            learning_rate: forest.learning_rate,
            min_leaf_weight: forest.min_leaf_weight,
        }
    }
}

impl Group for TreeOptions {
    fn purpose(option: &str) -> Purpose {
        match option {
            "tree_generator" => Purpose::Generator,
            "n_estimators" | "min_leaf_weight" => Purpose::Trees,
            "learning_rate" => Purpose::Steps,
            _ => Purpose::TreeShape,
        }
    }

    fn check(&self) -> Result<()> {
        self.forest().check().map_err(as_users_know_it)
    }
}

impl TreeOptions {
    /// As the forest takes them.
    pub(super) fn forest(&self) -> ForestConfig {
        let forests = self.tree_generator != TreeGenerator::Boosting;
        let features = if forests { FeatureSampling::Sqrt } else { FeatureSampling::All };
        let bootstrap = self.tree_generator == TreeGenerator::RandomForest;
        let rows = if bootstrap { RowSampling::Bootstrap } else { RowSampling::All };
        ForestConfig {
            generator: self.tree_generator,
            n_trees: self.n_estimators,
            max_depth: Some(self.max_depth),
            max_leaves: self.max_leaves,
            features_per_split: self.max_features.unwrap_or(features),
            row_sampling: self.subsample.unwrap_or(rows),
            learning_rate: self.learning_rate,
            min_leaf_weight: self.min_leaf_weight,
            ..Default::default()
        }
    }
}

/// The forest's own parameter names, as users of the configuration know them.
fn as_users_know_it(error: Error) -> Error {
    match error {
        Error::Config { parameter, message } => {
            let known = match parameter.as_str() {
                "n_trees" => "n_estimators",
                "features_per_split" => "max_features",
                "row_sampling" => "subsample",
                other => other,
            };
            Error::config(known, message)
        }
        other => other,
    }
}
