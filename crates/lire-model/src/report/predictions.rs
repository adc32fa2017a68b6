//! What a model predicts for rows.

use serde::{Deserialize, Serialize};

use super::Version;
use crate::error::Result;
use crate::model::{Model, Scores};
use crate::table::Task;

/// What a model predicts for rows, column by column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredictionReport {
    /// The version of this form.
    pub version: Version,
    /// The target column.
    pub target: String,
    /// Whether it is a class or a number.
    pub task: Task,
    /// The classes; of two the second is positive. None for a number.
    pub classes: Vec<String>,
    /// The number of rows.
    pub n_rows: usize,
    /// The score of each row, for each output. Of a number it is the prediction.
    pub scores: Vec<Vec<f64>>,
    /// The same for probabilities: of two classes that of the positive one. None for a number.
    pub probabilities: Vec<Vec<f64>>,
    /// The position of each row's predicted class. None for a number.
    pub labels: Vec<usize>,
    /// How many terms explain each row, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<usize>>,
}

impl PredictionReport {
    /// What scores mean. They are those of this model.
    pub fn of(model: &Model, scored: &Scores, with_rules: bool) -> Result<Self> {
        let decisions = model.decisions(scored)?.unwrap_or_default();
        let n_outputs = model.n_outputs();
        let column = |output: usize| scored.rows().map(|row| row[output]).collect();
        let probabilities = |output: usize| -> Vec<f64> {
            // Of two classes the one output is that of the second.
            let of_row = |probabilities: &[f64]| probabilities[probabilities.len() - n_outputs + output];
            decisions.iter().map(|decision| of_row(&decision.probabilities)).collect()
        };
        let is_number = model.task() == Task::Regression;
        Ok(Self {
            version: Version,
            target: model.file().target.name.clone(),
            task: model.task(),
            classes: model.classes().to_vec(),
            n_rows: scored.n_rows(),
            scores: (0..n_outputs).map(column).collect(),
            probabilities: if is_number { vec![] } else { (0..n_outputs).map(probabilities).collect() },
            labels: decisions.iter().map(|decision| decision.class).collect(),
            rules: if with_rules { Some(model.local_support(scored)?) } else { None },
        })
    }
}
