//! What predictions, truth and weights must fulfil before anything is measured.

use crate::error::{Error, Result};
use crate::model::ClassPredictions;
use crate::table::ClassLabels;

/// How far the probabilities of a row may add up to something else than 1: rounding, no more.
const SUM_TOLERANCE: f64 = 1e-6;

/// Fails unless there is all that is needed for each row of the truth.
pub(super) fn check_classes(said: &ClassPredictions, truth: &ClassLabels) -> Result<()> {
    let (n_rows, n_classes) = (truth.labels.len(), truth.classes.len());
    let n_columns = truth.outputs().len();
    if n_classes < 2 {
        return Err(Error::data("evaluation", "there is a single class; a target needs two"));
    }
    if said.scores.len() != n_columns || said.probabilities.len() != n_columns {
        let (scores, probabilities) = (said.scores.len(), said.probabilities.len());
        let message = format!(
            "{n_classes} classes need as many columns of scores and probabilities as they have outputs, \
             {n_columns}, not {scores} and {probabilities}"
        );
        return Err(Error::data("evaluation", message));
    }
    check_length(n_rows, said.labels.len(), "predicted labels")?;
    check_rows(&truth.labels, "the class is not one of the target's", |&label| (label as usize) < n_classes)?;
    check_rows(&said.labels, "the predicted class is not one of the target's", |&label| {
        (label as usize) < n_classes
    })?;
    for scores in &said.scores {
        check_length(n_rows, scores.len(), "scores")?;
        check_rows(scores, "the score is not a number", |score| !score.is_nan())?;
    }
    for column in &said.probabilities {
        check_length(n_rows, column.len(), "probabilities")?;
        check_rows(column, "the probability is not from 0 to 1", |p| (0.0..=1.0).contains(p))?;
    }
    if n_classes > 2 {
        let sum = |row: usize| said.probabilities.iter().map(|column| column[row]).sum::<f64>();
        let sums: Vec<f64> = (0..n_rows).map(sum).collect();
        check_rows(&sums, "the probabilities of the classes do not add up to 1", |sum| {
            (sum - 1.0).abs() <= SUM_TOLERANCE
        })?;
    }
    Ok(())
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

/// Fails unless there is one of a thing for each row.
pub(super) fn check_length(n_rows: usize, length: usize, what: &str) -> Result<()> {
    if length == n_rows {
        return Ok(());
    }
    Err(Error::data("evaluation", format!("there are {n_rows} rows, but {length} {what}")))
}

/// Fails on the first row that is not right.
pub(super) fn check_rows<T>(values: &[T], message: &str, is_right: impl Fn(&T) -> bool) -> Result<()> {
    match values.iter().position(|value| !is_right(value)) {
        Some(row) => Err(Error::data(format!("evaluation, row {}", row + 1), message)),
        None => Ok(()),
    }
}
