//! How good predictions are: of two classes, of several, and of numbers.

use serde::{Deserialize, Serialize};

use super::checks::{check_classes, check_numbers, check_weights};
use super::confusion::Confusion;
use super::kinds::Measure;
use super::ranking::{area_under_curve, average_precision};
use super::reliability::Reliability;
use super::sums::order_free_sum;
use crate::error::{Error, Result};
use crate::model::{ClassPredictions, Predictions};
use crate::table::{ClassLabels, TargetValues};

/// How good predictions are, each measure as scikit-learn defines it and by row weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Measures {
    /// Of classes.
    Classes(ClassMeasures),
    /// Of numbers.
    Numbers(NumberMeasures),
}

/// How good predicted classes are.
///
/// Of two classes, F1, AUC and average precision are those of the positive one. Of several they are
/// plain means over the classes, each against all others, however frequent they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassMeasures {
    /// The share of rows with the right label.
    pub accuracy: f64,
    /// The mean over the classes that occur of the share of their rows with the right label.
    pub balanced_accuracy: f64,
    /// The harmonic mean of precision and recall of the positive class; 0 where neither exists. Of
    /// several classes the mean over those that occur or were predicted.
    pub f1: f64,
    /// The chance that a positive row scores above a negative one, ties counting half. Of several
    /// classes the mean over those with rows inside and outside the class. None if there is no such.
    pub auc: Option<f64>,
    /// The precision at each score, averaged by the recall that it adds. None without positive rows.
    /// Of several classes the mean over those that occur.
    pub average_precision: Option<f64>,
    /// The mean of −ln of the probability that the right class was given.
    pub log_loss: f64,
    /// Of two classes the mean squared distance of the probability from 1 for positive and 0 for
    /// negative rows. Of several the squared distances of all classes' probabilities added up, which
    /// makes 2 the worst and would be twice the former if there were two.
    pub brier: f64,
    /// The expected calibration error: over ten ranges of probability how far the probabilities are from the share of
    /// rows that are of the class. Of two classes the positive one counts, of several the predicted one.
    pub calibration_error: f64,
    /// What that comes from.
    pub reliability: Reliability,
    /// Right and wrong labels by weight.
    pub confusion: Confusion<f64>,
    /// Right and wrong labels by number of rows, those without weight left out.
    pub counts: Confusion<usize>,
}

/// How good predicted numbers are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumberMeasures {
    /// The share of the target's variance that is explained: 1 less the squared error as a share of
    /// that of the rows' own mean; below 0 if worse than that mean. None if all rows have the same
    /// value.
    pub r2: Option<f64>,
    /// The root of the mean squared error.
    pub rmse: f64,
    /// The mean absolute error.
    pub mae: f64,
}

impl Measures {
    /// Measures predictions against the truth. Both must be of the same kind and number, the weights
    /// 0 or more and not all 0.
    pub fn of(truth: &TargetValues, predictions: &Predictions, weights: &[f64]) -> Result<Self> {
        match (truth, predictions) {
            (TargetValues::Classes(truth), Predictions::Classes(said)) => {
                check_classes(said, truth)?;
                check_weights(truth.labels.len(), weights)?;
                Ok(Self::Classes(ClassMeasures::of(truth, said, weights)?))
            }
            (TargetValues::Numbers(truth), Predictions::Numbers(said)) => {
                check_numbers(truth, said)?;
                check_weights(truth.len(), weights)?;
                Ok(Self::Numbers(NumberMeasures::of(truth, said, weights)))
            }
            (TargetValues::Classes(_), Predictions::Numbers(_)) => {
                Err(Error::data("evaluation", "numbers were predicted, but the target has classes"))
            }
            (TargetValues::Numbers(_), Predictions::Classes(_)) => {
                Err(Error::data("evaluation", "classes were predicted, but the target has numbers"))
            }
        }
    }

    /// The measures of classes, if it is them that were predicted.
    pub fn classes(&self) -> Option<&ClassMeasures> {
        match self {
            Self::Classes(measures) => Some(measures),
            Self::Numbers(_) => None,
        }
    }

    /// The measures of numbers, if it is them that were predicted.
    pub fn numbers(&self) -> Option<&NumberMeasures> {
        match self {
            Self::Classes(_) => None,
            Self::Numbers(measures) => Some(measures),
        }
    }

    /// The measures that there are for the task.
    pub fn kinds(&self) -> &'static [Measure] {
        match self {
            Self::Classes(_) => &Measure::OF_CLASSES,
            Self::Numbers(_) => &Measure::OF_NUMBERS,
        }
    }

    /// One of the measures; none if it belongs to another task, or could not be measured.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        match self {
            Self::Classes(m) => match measure {
                Measure::Accuracy => Some(m.accuracy),
                Measure::BalancedAccuracy => Some(m.balanced_accuracy),
                Measure::F1 => Some(m.f1),
                Measure::Auc => m.auc,
                Measure::AveragePrecision => m.average_precision,
                Measure::LogLoss => Some(m.log_loss),
                Measure::Brier => Some(m.brier),
                Measure::CalibrationError => Some(m.calibration_error),
                _ => None,
            },
            Self::Numbers(m) => match measure {
                Measure::R2 => m.r2,
                Measure::Rmse => Some(m.rmse),
                Measure::Mae => Some(m.mae),
                _ => None,
            },
        }
    }
}

impl ClassMeasures {
    fn of(truth: &ClassLabels, said: &ClassPredictions, weights: &[f64]) -> Result<Self> {
        let (confusion, counts) = confusions(truth, said, weights)?;
        // Those with a column of their own: of two classes only the positive one.
        let outputs = || truth.outputs().zip(&said.scores);
        let is_of = |class: u32| truth.labels.iter().map(|&label| label == class).collect::<Vec<bool>>();
        let areas: Vec<Option<f64>> = outputs()
            .map(|(class, scores)| area_under_curve(&is_of(class), scores, weights))
            .collect::<Result<_>>()?;
        let precisions: Vec<Option<f64>> = outputs()
            .map(|(class, scores)| average_precision(&is_of(class), scores, weights))
            .collect::<Result<_>>()?;
        let f1s = confusion.f1s();
        let f1s = truth.outputs().filter_map(|class| f1s[class as usize]);
        let likelihood = |row: usize| likelihood(said, row, truth.labels[row]);
        let brier = |row: usize| squared_distance(said, row, truth.labels[row]);
        let reliability = reliability(said, truth, weights);
        Ok(Self {
            accuracy: confusion.right() / confusion.total(),
            balanced_accuracy: mean(confusion.recalls().into_iter().flatten()).unwrap_or(0.0),
            f1: mean(f1s).unwrap_or(0.0),
            auc: mean(areas.into_iter().flatten()),
            average_precision: mean(precisions.into_iter().flatten()),
            log_loss: weighted_mean(weights, |row| -clipped(likelihood(row)).ln()),
            brier: weighted_mean(weights, brier),
            calibration_error: reliability.error(),
            reliability,
            confusion,
            counts,
        })
    }
}

/// The probability that a class was given.
fn likelihood(said: &ClassPredictions, row: usize, class: u32) -> f64 {
    match &said.probabilities[..] {
        [positive] if class == 0 => 1.0 - positive[row],
        [positive] => positive[row],
        columns => columns[class as usize][row],
    }
}

/// Rows by probability: of two classes that of the positive one, of several that of the predicted one.
fn reliability(said: &ClassPredictions, truth: &ClassLabels, weights: &[f64]) -> Reliability {
    let class = |row: usize| if said.probabilities.len() == 1 { 1 } else { said.labels[row] };
    let of_row =
        |row: usize| (likelihood(said, row, class(row)), truth.labels[row] == class(row), weights[row]);
    Reliability::of((0..weights.len()).map(of_row))
}

/// How far the probabilities are from certainty of a class; of two only the positive one counts.
fn squared_distance(said: &ClassPredictions, row: usize, class: u32) -> f64 {
    if said.probabilities.len() == 1 {
        return (1.0 - likelihood(said, row, class)).powi(2);
    }
    let certain = |column: usize| f64::from(u8::from(column == class as usize));
    let columns = said.probabilities.iter().enumerate();
    columns.map(|(column, p)| (p[row] - certain(column)).powi(2)).sum()
}

impl NumberMeasures {
    fn of(truth: &[f64], said: &[f64], weights: &[f64]) -> Self {
        let error = |row: usize| said[row] - truth[row];
        let squared = weighted_mean(weights, |row| error(row).powi(2));
        let centre = weighted_mean(weights, |row| truth[row]);
        let variance = weighted_mean(weights, |row| (truth[row] - centre).powi(2));
        // Not by the variance: the mean of equal numbers may be rounded off them.
        let mut counted = truth.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(y, _)| y);
        let first = counted.next();
        let varies = counted.any(|value| Some(value) != first);
        Self {
            r2: varies.then(|| 1.0 - squared / variance).filter(|r2| r2.is_finite()),
            rmse: squared.sqrt(),
            mae: weighted_mean(weights, |row| error(row).abs()),
        }
    }
}

/// By weight, and by number of rows that have one.
fn confusions(
    truth: &ClassLabels,
    said: &ClassPredictions,
    weights: &[f64],
) -> Result<(Confusion<f64>, Confusion<usize>)> {
    let (mut confusion, mut counts) = (Confusion::new(&truth.classes), Confusion::new(&truth.classes));
    for ((&label, &said), &weight) in truth.labels.iter().zip(&said.labels).zip(weights) {
        confusion.add(label as usize, said as usize, weight)?;
        counts.add(label as usize, said as usize, usize::from(weight > 0.0))?;
    }
    Ok((confusion, counts))
}

/// Keeps the log loss finite where a probability of 0 or 1 was wrong; the bound is scikit-learn's.
fn clipped(probability: f64) -> f64 {
    probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

/// The weighted mean over the rows.
fn weighted_mean(weights: &[f64], value: impl Fn(usize) -> f64) -> f64 {
    // A row without weight is no row, whatever its value.
    let counted = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
    let terms: Vec<f64> = counted.map(|(row, weight)| weight * value(row)).collect();
    order_free_sum(&terms) / order_free_sum(weights)
}

#[cfg(test)]
mod tests;
