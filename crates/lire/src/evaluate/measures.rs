//! How good the predictions for two classes are.

use schemars::JsonSchema;
use serde::Serialize;

use super::ranking::{area_under_curve, average_precision};
use crate::error::{Error, Result};

/// Predictions for some rows, beside the truth.
#[derive(Debug, Clone, Copy)]
pub struct Predictions<'a> {
    /// Whether each row is positive.
    pub labels: &'a [bool],
    /// What orders the rows, the likely positives highest; the probabilities may serve.
    pub scores: &'a [f64],
    /// The probability of each row to be positive.
    pub probabilities: &'a [f64],
    /// Whether each row was said to be positive.
    pub predicted: &'a [bool],
    /// The weight of each row.
    pub weights: &'a [f64],
}

/// How good predictions are, each as scikit-learn defines it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Measures {
    /// The share of rows with the right label.
    pub accuracy: f64,
    /// The mean over the classes that occur of the share of their rows with the right label.
    pub balanced_accuracy: f64,
    /// The harmonic mean of precision and recall of the positive class; 0 where neither exists.
    pub f1: f64,
    /// The chance that a positive row scores above a negative one, ties counting half. None if a
    /// class does not occur.
    pub auc: Option<f64>,
    /// The precision at each score, averaged by the recall that it adds. None without positive rows.
    pub average_precision: Option<f64>,
    /// The mean of −ln of the probability that the right class was given.
    pub log_loss: f64,
    /// The mean squared distance of the probability from 1 for positive and 0 for negative rows.
    pub brier: f64,
    /// Right and wrong labels by weight.
    pub confusion: Confusion<f64>,
    /// Right and wrong labels by number of rows, those without weight left out.
    pub counts: Confusion<usize>,
}

/// Right and wrong labels of both classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Confusion<T> {
    /// Positive rows said to be positive.
    pub true_positive: T,
    /// Negative rows said to be positive.
    pub false_positive: T,
    /// Negative rows said to be negative.
    pub true_negative: T,
    /// Positive rows said to be negative.
    pub false_negative: T,
}

impl Measures {
    /// Measures predictions. They must be of equal number, not NaN, and have some weight.
    pub fn of(predictions: &Predictions) -> Result<Self> {
        predictions.check()?;
        let Predictions { labels, scores, predicted, weights, .. } = *predictions;
        let (mut confusion, mut counts) = (Confusion::<f64>::default(), Confusion::<usize>::default());
        for ((&label, &said), &weight) in labels.iter().zip(predicted).zip(weights) {
            *confusion.cell(label, said) += weight;
            *counts.cell(label, said) += usize::from(weight > 0.0);
        }
        Ok(Self {
            accuracy: (confusion.true_positive + confusion.true_negative) / confusion.total(),
            balanced_accuracy: confusion.balanced_accuracy(),
            f1: confusion.f1(),
            auc: area_under_curve(labels, scores, weights),
            average_precision: average_precision(labels, scores, weights),
            log_loss: predictions.mean(|label, p| -likelihood(label, clipped(p)).ln()),
            brier: predictions.mean(|label, p| (1.0 - likelihood(label, p)).powi(2)),
            confusion,
            counts,
        })
    }
}

impl Predictions<'_> {
    fn check(&self) -> Result<()> {
        let Self { labels, scores, probabilities, predicted, weights } = self;
        let n_rows = labels.len();
        let lengths = [scores.len(), probabilities.len(), predicted.len(), weights.len()];
        if lengths.iter().any(|&length| length != n_rows) {
            let message =
                format!("{n_rows} labels, but {lengths:?} scores, probabilities, predictions, weights");
            return Err(Error::data("evaluation", message));
        }
        let at =
            |row: usize, message: &str| Err(Error::data(format!("evaluation, row {}", row + 1), message));
        if let Some(row) = scores.iter().position(|score| score.is_nan()) {
            return at(row, "the score is not a number");
        }
        if let Some(row) = probabilities.iter().position(|p| !(0.0..=1.0).contains(p)) {
            return at(row, "the probability is not from 0 to 1");
        }
        if let Some(row) = weights.iter().position(|&weight| !(weight >= 0.0 && weight.is_finite())) {
            return at(row, "the weight is not a finite number of 0 or more");
        }
        if weights.iter().sum::<f64>() <= 0.0 {
            return Err(Error::data(
                "evaluation",
                "there are no rows with a weight; nothing can be measured",
            ));
        }
        Ok(())
    }

    /// The weighted mean over the rows of what a label and a probability cost.
    fn mean(&self, cost: impl Fn(bool, f64) -> f64) -> f64 {
        let rows = self.labels.iter().zip(self.probabilities).zip(self.weights);
        rows.map(|((&label, &p), weight)| weight * cost(label, p)).sum::<f64>()
            / self.weights.iter().sum::<f64>()
    }
}

/// The probability that the right class was given.
fn likelihood(label: bool, probability: f64) -> f64 {
    if label { probability } else { 1.0 - probability }
}

/// Keeps the log loss finite where a probability of 0 or 1 was wrong; the bound is scikit-learn's.
fn clipped(probability: f64) -> f64 {
    probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON)
}

impl<T> Confusion<T> {
    fn cell(&mut self, label: bool, said: bool) -> &mut T {
        match (label, said) {
            (true, true) => &mut self.true_positive,
            (false, true) => &mut self.false_positive,
            (false, false) => &mut self.true_negative,
            (true, false) => &mut self.false_negative,
        }
    }
}

impl Confusion<f64> {
    fn total(&self) -> f64 {
        self.true_positive + self.false_positive + self.true_negative + self.false_negative
    }

    fn balanced_accuracy(&self) -> f64 {
        let positive = self.true_positive + self.false_negative;
        let negative = self.true_negative + self.false_positive;
        match (positive > 0.0, negative > 0.0) {
            (true, true) => f64::midpoint(self.true_positive / positive, self.true_negative / negative),
            (true, false) => self.true_positive / positive,
            _ => self.true_negative / negative,
        }
    }

    fn f1(&self) -> f64 {
        let parts = 2.0 * self.true_positive + self.false_positive + self.false_negative;
        if parts > 0.0 { 2.0 * self.true_positive / parts } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LABELS: [bool; 10] = [true, false, true, true, false, false, true, false, true, false];
    /// With ties within and between the classes, and certainties both right and wrong.
    const PROBABILITIES: [f64; 10] = [0.9, 0.9, 0.8, 0.4, 0.4, 0.1, 0.4, 0.0, 1.0, 1.0];
    const WEIGHTS: [f64; 10] = [1.0, 2.0, 0.5, 3.0, 1.0, 0.0, 2.0, 1.0, 0.25, 4.0];

    fn measure(labels: &[bool], probabilities: &[f64], weights: &[f64]) -> Result<Measures> {
        let predicted: Vec<bool> = probabilities.iter().map(|&p| p > 0.5).collect();
        Measures::of(&Predictions {
            labels,
            scores: probabilities,
            probabilities,
            predicted: &predicted,
            weights,
        })
    }

    fn assert_close(measures: &Measures, expected: [f64; 7]) {
        let m = measures;
        let (auc, average_precision) = (m.auc.unwrap(), m.average_precision.unwrap());
        let found = [m.accuracy, m.balanced_accuracy, m.f1, auc, average_precision, m.log_loss, m.brier];
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!((found - expected).abs() < 1e-13, "measure {index}: {found} is not {expected}");
        }
    }

    // The expected numbers of the next two tests are scikit-learn 1.9.1's: accuracy_score,
    // balanced_accuracy_score, f1_score, roc_auc_score, average_precision_score, log_loss and
    // brier_score_loss, with and without sample_weight.

    #[test]
    fn measures_are_those_of_scikit_learn() {
        let measures = measure(&LABELS, &PROBABILITIES, &[1.0; 10]).unwrap();
        assert_close(&measures, [0.6, 0.6, 0.6, 0.64, 0.57, 4.112_351_015_225_537, 0.275]);
        let counts = Confusion { true_positive: 3, false_positive: 2, true_negative: 3, false_negative: 2 };
        assert_eq!(measures.counts, counts);
    }

    #[test]
    fn weighted_measures_are_those_of_scikit_learn() {
        let measures = measure(&LABELS, &PROBABILITIES, &WEIGHTS).unwrap();
        let expected = [
            0.254_237_288_135_593_2,
            0.254_629_629_629_629_65,
            0.241_379_310_344_827_6,
            0.240_740_740_740_740_76,
            0.408_084_200_860_488_2,
            10.446_711_546_909_045,
            0.515_932_203_389_830_5,
        ];
        assert_close(&measures, expected);
        let confusion =
            Confusion { true_positive: 1.75, false_positive: 6.0, true_negative: 2.0, false_negative: 5.0 };
        assert_eq!(measures.confusion, confusion);
        assert_eq!(measures.counts.true_negative, 2, "the row without weight does not count");
    }

    #[test]
    fn a_single_class_has_no_auc() {
        let measures = measure(&[true, true], &[0.9, 0.2], &[1.0, 1.0]).unwrap();
        assert_eq!((measures.auc, measures.balanced_accuracy), (None, 0.5));
        let measures = measure(&[false, false], &[0.1, 0.2], &[1.0, 1.0]).unwrap();
        assert_eq!((measures.auc, measures.average_precision, measures.f1), (None, None, 0.0));
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        assert!(measure(&[], &[], &[]).is_err());
        assert!(measure(&[true], &[0.5], &[0.0]).is_err());
        assert!(measure(&[true], &[f64::NAN], &[1.0]).is_err());
        assert!(measure(&[true], &[1.5], &[1.0]).is_err());
        assert!(measure(&[true], &[0.5], &[-1.0]).is_err());
        assert!(measure(&[true, false], &[0.5], &[1.0]).is_err());
    }

    proptest! {
        #[test]
        fn a_weight_is_a_repetition(rows in proptest::collection::vec((any::<bool>(), 0u8..=4, 0usize..4), 1..30)) {
            let unzip = |rows: &[(bool, f64, f64)]| {
                let labels: Vec<bool> = rows.iter().map(|row| row.0).collect();
                let probabilities: Vec<f64> = rows.iter().map(|row| row.1).collect();
                let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
                measure(&labels, &probabilities, &weights)
            };
            let weighted: Vec<_> = rows.iter().map(|&(y, p, w)| (y, f64::from(p) / 4.0, w as f64)).collect();
            let repeated: Vec<_> = rows
                .iter()
                .flat_map(|&(y, p, w)| std::iter::repeat_n((y, f64::from(p) / 4.0, 1.0), w))
                .collect();
            match (unzip(&weighted), unzip(&repeated)) {
                (Ok(one), Ok(other)) => {
                    prop_assert_eq!(one.confusion, other.confusion);
                    prop_assert!((one.log_loss - other.log_loss).abs() < 1e-12);
                    let auc = one.auc.zip(other.auc);
                    prop_assert_eq!(one.auc.is_some(), other.auc.is_some());
                    prop_assert!(auc.is_none_or(|(one, other)| (one - other).abs() < 1e-12));
                }
                (one, other) => prop_assert!(one.is_err() && other.is_err()),
            }
        }
    }
}
