//! Plain forests and boosting, to compare with: they predict, but give no rules to read.

use serde::{Deserialize, Serialize};

use super::Training;
use crate::binning::{BinnedTable, Outcome, Rows};
use crate::config::{Config, Settings};
use crate::error::{Error, Result};
use crate::forest::{self, Combination, Forest, ForestConfig, Tree, TreeGenerator};
use crate::model::{ClassPredictions, Predictions};
use crate::objective::sigmoid;
use crate::table::{Dataset, Schema, Table};
use crate::watch::{Stop, Watch};

/// Trees for each output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeModel {
    /// The features.
    pub schema: Schema,
    forests: Vec<Forest>,
    /// Of no rows.
    bins: BinnedTable,
    /// The mean and the standard deviation of the target where it is a number.
    scale: Option<(f64, f64)>,
}

/// How the trees of a baseline are grown: as deep as forests usually are, not as shallow as rules need them.
pub(crate) fn baseline_forest(generator: TreeGenerator, settings: &Settings) -> ForestConfig {
    let own = &settings.forest;
    match generator {
        TreeGenerator::Boosting => ForestConfig { generator, ..own.clone() },
        TreeGenerator::RandomForest | TreeGenerator::ExtraTrees => ForestConfig {
            generator,
            max_depth: None,
            max_leaves: Some(256),
            features_per_split: forest::FeatureSampling::Sqrt,
            row_sampling: forest::RowSampling::Bootstrap,
            ..own.clone()
        },
    }
}

impl TreeModel {
    /// Learns from a data set. `config` says what a fit of rules would be told of the data, `forest` how trees grow.
    pub fn learn(data: &Dataset, config: &Config, forest: &ForestConfig, watch: &Watch) -> Result<Self> {
        forest.check()?;
        data.check_sizes()?;
        let config = config.completed(data.target.task(), data.effective_rows());
        config.check(data.table.schema(), &data.target)?;
        let trees = Self::grow(&Training::of(data, &config), forest, watch);
        if watch.stop() == Some(Stop::Interrupted) { Err(Error::Interrupted) } else { Ok(trees) }
    }

    /// Grows the trees.
    pub(crate) fn grow(training: &Training, config: &ForestConfig, watch: &Watch) -> Self {
        let bins = BinnedTable::of(&training.table, &training.weights);
        let rows = Rows::merge(&bins, &training.target, &training.weights);
        let grow = |outcome: &Outcome| forest::grow(&rows, outcome, config, watch);
        Self {
            schema: training.table.schema().clone(),
            forests: rows.outcomes.iter().map(grow).collect(),
            bins: bins.without_rows(),
            scale: training.scale.map(|scale| (scale.mean, scale.std)),
        }
    }

    /// What the trees say of the rows of a table; if a number is given, the first ones of each output alone.
    pub fn predict(&self, table: &Table, n_trees: Option<usize>) -> Result<Predictions> {
        let binned = self.bins.like(&*table.aligned(&self.schema)?);
        let n_trees = n_trees.unwrap_or(usize::MAX);
        let columns: Vec<Vec<f64>> =
            self.forests.iter().map(|forest| forest.predict_first(&binned, n_trees)).collect();
        if let Some((mean, std)) = self.scale {
            let numbers = columns.first().into_iter().flatten().map(|score| mean + std * score);
            return Ok(Predictions::Numbers(numbers.collect()));
        }
        let probability = |(forest, scores): (&Forest, &Vec<f64>)| -> Vec<f64> {
            match forest.combination {
                Combination::Mean => scores.clone(),
                Combination::Sum => scores.iter().map(|&score| sigmoid(score)).collect(),
            }
        };
        let mut probabilities: Vec<Vec<f64>> = self.forests.iter().zip(&columns).map(probability).collect();
        let labels = labels(&mut probabilities);
        Ok(Predictions::Classes(ClassPredictions { scores: columns, probabilities, labels }))
    }

    /// As text, for another process of the same version.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("trees are finite numbers")
    }

    /// From such a text.
    pub fn from_json(text: &str) -> Result<Self> {
        let wrong = |what: String| Error::model("the trees", what);
        let model: Self = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let n_features = model.schema.features.len();
        let trees = || model.forests.iter().flat_map(|forest| &forest.trees);
        if model.bins.columns.len() != n_features || !trees().all(|tree| is_sound(tree, n_features)) {
            return Err(wrong("they were not written by lire".into()));
        }
        Ok(model)
    }
}

/// Whether a row can go through the tree: it asks for features that there are, and children stand behind their parents.
fn is_sound(tree: &Tree, n_features: usize) -> bool {
    let n_nodes = tree.nodes.len();
    let mut splits = tree.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node.split.as_ref()?)));
    n_nodes > 0
        && splits.all(|(at, split)| {
            let is_behind = |child: usize| at < child && child < n_nodes;
            split.feature < n_features && is_behind(split.left) && is_behind(split.right)
        })
}

/// The predicted classes; probabilities of several classes are made to sum to one.
fn labels(probabilities: &mut [Vec<f64>]) -> Vec<u32> {
    if let [positive] = probabilities {
        return positive.iter().map(|&probability| u32::from(probability > 0.5)).collect();
    }
    let n_rows = probabilities.first().map_or(0, Vec::len);
    let n_classes = probabilities.len();
    let of_row = |row: usize| {
        let total: f64 = probabilities.iter().map(|column| column[row]).sum();
        for column in probabilities.iter_mut() {
            column[row] = if total > 0.0 { column[row] / total } else { 1.0 / n_classes as f64 };
        }
        (0..n_classes).fold(0, |best, class| {
            if probabilities[class][row] > probabilities[best][row] { class } else { best }
        }) as u32
    };
    (0..n_rows).map(of_row).collect()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::table::{Feature, FeatureKind, TargetValues, Values};

    fn table() -> Table {
        let levels = ["a", "b", "c"].map(String::from).to_vec();
        let feature = |name: &str, kind| Feature::new(name, kind, true);
        let features = vec![feature("x", FeatureKind::Real), feature("k", FeatureKind::Category { levels })];
        let numbers = (0..200).map(|row| if row % 17 == 0 { f64::NAN } else { f64::from(row * row % 61) });
        let codes = (0..200).map(|row| row % 7 % 3);
        let columns = vec![Values::Numbers(numbers.collect()), Values::Codes(codes.collect())];
        Table::new(Schema { features }, columns, 200).unwrap()
    }

    fn grown(generator: TreeGenerator, n_trees: usize) -> TreeModel {
        let labels: Vec<bool> = (0..200).map(|row| row * row % 61 > 30 || row % 7 == 2).collect();
        let (target, weights) = (TargetValues::of_bools(&labels), vec![1.0; 200]);
        let training = Training { table: Cow::Owned(table()), target, weights, scale: None };
        let row_sampling = forest::RowSampling::Bootstrap;
        let config = ForestConfig { generator, n_trees, row_sampling, ..ForestConfig::default() };
        TreeModel::grow(&training, &config, &Watch::default())
    }

    #[test]
    fn the_first_trees_are_those_of_a_smaller_forest() {
        for generator in [TreeGenerator::RandomForest, TreeGenerator::Boosting, TreeGenerator::ExtraTrees] {
            let (many, few) = (grown(generator, 9), grown(generator, 4));
            let table = table();
            assert_eq!(many.predict(&table, Some(4)).unwrap(), few.predict(&table, None).unwrap());
            assert_ne!(many.predict(&table, None).unwrap(), few.predict(&table, None).unwrap());
        }
    }

    #[test]
    fn trees_survive_their_text_and_others_are_refused() {
        let model = grown(TreeGenerator::RandomForest, 5);
        let text = model.to_json();
        assert_eq!(TreeModel::from_json(&text).unwrap(), model);
        let broken = [
            text.replacen("\"left\":1", "\"left\":0", 1),
            text.replacen("\"left\":1", "\"left\":1000000", 1),
            text.replacen("\"feature\":0", "\"feature\":2", 1),
            text[..text.len() / 2].to_owned(),
        ];
        for broken in broken {
            assert!(TreeModel::from_json(&broken).is_err());
        }
    }
}
