//! Plain forests and boosting, to compare with: they predict, but give no rules to read.

use super::Training;
use crate::binning::{BinnedTable, Outcome, Rows};
use crate::config::Settings;
use crate::evaluate::{ClassPredictions, Predictions};
use crate::forest::{self, Combination, Forest, ForestConfig, TreeGenerator};
use crate::objective::sigmoid;
use crate::table::{Table, TargetValues};
use crate::watch::Watch;

/// Trees for each output.
#[derive(Debug, Clone)]
pub struct TreeModel {
    forests: Vec<Forest>,
    bins: BinnedTable,
    /// The mean and the standard deviation of the target where it is a number.
    scale: Option<(f64, f64)>,
}

/// How the trees of a baseline are grown: as deep as forests usually are, not as shallow as rules need them.
pub fn baseline_forest(generator: TreeGenerator, settings: &Settings) -> ForestConfig {
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
    /// Grows the trees.
    pub fn grow(training: &Training, config: &ForestConfig, watch: &Watch) -> Self {
        let bins = BinnedTable::of(&training.table, &training.weights);
        let rows = Rows::merge(&bins, &training.target, &training.weights);
        let grow = |outcome: &Outcome| forest::grow(&rows, outcome, config, watch);
        let forests = rows.outcomes.iter().map(grow).collect();
        Self { forests, bins, scale: training.scale.map(|scale| (scale.mean, scale.std)) }
    }

    /// What the trees say of the rows of a table.
    pub fn predict(&self, table: &Table, target: &TargetValues) -> Predictions {
        let binned = self.bins.like(table);
        let columns: Vec<Vec<f64>> = self.forests.iter().map(|forest| forest.predict(&binned)).collect();
        if let (TargetValues::Numbers(_), Some((mean, std))) = (target, self.scale) {
            return Predictions::Numbers(columns[0].iter().map(|score| mean + std * score).collect());
        }
        let probability = |(forest, scores): (&Forest, &Vec<f64>)| -> Vec<f64> {
            match forest.combination {
                Combination::Mean => scores.clone(),
                Combination::Sum => scores.iter().map(|&score| sigmoid(score)).collect(),
            }
        };
        let mut probabilities: Vec<Vec<f64>> = self.forests.iter().zip(&columns).map(probability).collect();
        let labels = labels(&mut probabilities);
        Predictions::Classes(ClassPredictions { scores: columns, probabilities, labels })
    }
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
