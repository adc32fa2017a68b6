//! What was predicted for some rows, of any task.

use crate::error::{Error, Result};
use crate::table::ClassLabels;

/// How far the probabilities of a row may add up to something else than 1: rounding, no more.
const SUM_TOLERANCE: f64 = 1e-6;

/// What was predicted, of each row.
#[derive(Debug, Clone, PartialEq)]
pub enum Predictions {
    /// A class.
    Classes(ClassPredictions),
    /// A number.
    Numbers(Vec<f64>),
}

/// The predicted class of each row, and how it came about.
///
/// Of two classes there is one column of scores and probabilities: those of the second, the positive
/// one. Of more there is one for each class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassPredictions {
    /// What orders the rows, those likely of the class highest; the probabilities may serve.
    pub scores: Vec<Vec<f64>>,
    /// The probabilities of the classes; of several they add up to 1 in each row.
    pub probabilities: Vec<Vec<f64>>,
    /// The position of each row's predicted class among the classes.
    pub labels: Vec<u32>,
}

impl Predictions {
    /// The output that each row's prediction rests on: of several classes that of the predicted one,
    /// else the only one.
    pub fn outputs(&self) -> Vec<u32> {
        match self {
            Self::Classes(said) if said.scores.len() > 1 => said.labels.clone(),
            Self::Classes(said) => vec![0; said.labels.len()],
            Self::Numbers(values) => vec![0; values.len()],
        }
    }
}

impl ClassPredictions {
    /// Fails unless there is all that is needed for each row of the truth.
    pub(super) fn check(&self, truth: &ClassLabels) -> Result<()> {
        let (n_rows, n_classes) = (truth.labels.len(), truth.classes.len());
        let n_columns = truth.outputs().len();
        if n_classes < 2 {
            return Err(Error::data("evaluation", "there is a single class; a target needs two"));
        }
        if self.scores.len() != n_columns || self.probabilities.len() != n_columns {
            let (scores, probabilities) = (self.scores.len(), self.probabilities.len());
            let message = format!(
                "{n_classes} classes need as many columns of scores and probabilities as they have outputs, \
                 {n_columns}, not {scores} and {probabilities}"
            );
            return Err(Error::data("evaluation", message));
        }
        check_length(n_rows, self.labels.len(), "predicted labels")?;
        check_rows(&truth.labels, "the class is none of the target", |&label| (label as usize) < n_classes)?;
        check_rows(&self.labels, "the predicted class is none of the target", |&label| {
            (label as usize) < n_classes
        })?;
        for scores in &self.scores {
            check_length(n_rows, scores.len(), "scores")?;
            check_rows(scores, "the score is not a number", |score| !score.is_nan())?;
        }
        for column in &self.probabilities {
            check_length(n_rows, column.len(), "probabilities")?;
            check_rows(column, "the probability is not from 0 to 1", |p| (0.0..=1.0).contains(p))?;
        }
        if n_classes > 2 {
            let sum = |row: usize| self.probabilities.iter().map(|column| column[row]).sum::<f64>();
            let sums: Vec<f64> = (0..n_rows).map(sum).collect();
            check_rows(&sums, "the probabilities of the classes do not add up to 1", |sum| {
                (sum - 1.0).abs() <= SUM_TOLERANCE
            })?;
        }
        Ok(())
    }
}

/// Fails unless there is a finite number for each row of the truth.
pub(super) fn check_numbers(truth: &[f64], said: &[f64]) -> Result<()> {
    check_length(truth.len(), said.len(), "predictions")?;
    check_rows(truth, "the target is not a finite number", |value| value.is_finite())?;
    check_rows(said, "the prediction is not a finite number", |value| value.is_finite())
}

/// Fails unless there is a weight for each row, and some of it.
pub(super) fn check_weights(n_rows: usize, weights: &[f64]) -> Result<()> {
    check_length(n_rows, weights.len(), "weights")?;
    let is_weight = |weight: &f64| *weight >= 0.0 && weight.is_finite();
    check_rows(weights, "the weight is not a finite number of 0 or more", is_weight)?;
    if weights.iter().sum::<f64>() <= 0.0 {
        return Err(Error::data("evaluation", "there are no rows with a weight; nothing can be measured"));
    }
    Ok(())
}

fn check_length(n_rows: usize, length: usize, what: &str) -> Result<()> {
    if length == n_rows {
        return Ok(());
    }
    Err(Error::data("evaluation", format!("there are {n_rows} rows, but {length} {what}")))
}

fn check_rows<T>(values: &[T], message: &str, is_right: impl Fn(&T) -> bool) -> Result<()> {
    match values.iter().position(|value| !is_right(value)) {
        Some(row) => Err(Error::data(format!("evaluation, row {}", row + 1), message)),
        None => Ok(()),
    }
}
