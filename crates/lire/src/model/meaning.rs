//! What scores mean: numbers, or the probabilities of classes and a decision among them.

use super::calibration::Calibration;
use super::file::{Link, ModelFile};
use crate::evaluate::{ClassPredictions, Predictions};

/// How scores are read.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    /// How a score becomes a probability.
    pub link: Link,
    /// For each output what is added to its log-odds, for probabilities only.
    pub shifts: Vec<f64>,
    /// For each output what its probability comes from instead of the link.
    pub calibrations: Vec<Option<Calibration>>,
    /// The probability above which a row is labelled positive, for two classes; without it one half decides.
    pub threshold: Option<f64>,
}

/// What the scores of a row mean where classes are predicted.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The predicted class.
    pub class: usize,
    /// The probability of each class.
    pub probabilities: Vec<f64>,
}

impl Meaning {
    pub(super) fn of(file: &ModelFile) -> Self {
        let shifts = file.outputs.iter().map(|output| output.log_odds_shift).collect();
        let calibrations = file.outputs.iter().map(|output| output.calibration.clone()).collect();
        Self { link: file.link, shifts, calibrations, threshold: file.threshold }
    }

    /// What the scores of a row mean, one for each output; none for a number, which the score is.
    pub fn decide(&self, scores: &[f64]) -> Option<Decision> {
        let Link::Logistic { scale } = self.link else { return None };
        let log_odds = |output: usize| scale * scores[output] + self.shifts[output];
        let probability = |output: usize| match &self.calibrations[output] {
            Some(calibration) => calibration.probability(scores[output]),
            None => 1.0 / (1.0 + (-log_odds(output)).exp()),
        };
        let is_calibrated = self.calibrations.iter().any(Option::is_some);
        if let [_] = scores {
            let positive = probability(0);
            let class = match self.threshold {
                Some(threshold) => positive > threshold,
                None if is_calibrated => positive > 0.5,
                // The base rate is for probabilities; labels are what the weighted rows ask for.
                None => scores[0] > 0.0,
            };
            return Some(Decision {
                class: usize::from(class),
                probabilities: vec![1.0 - positive, positive],
            });
        }
        let mut probabilities: Vec<f64> = (0..scores.len()).map(probability).collect();
        let total: f64 = probabilities.iter().sum();
        let n_classes = probabilities.len() as f64;
        for probability in &mut probabilities {
            *probability = if total > 0.0 { *probability / total } else { 1.0 / n_classes };
        }
        // By the scores, which still differ where probabilities are rounded to 1; the first of equals.
        let strength = |class: usize| if is_calibrated { probabilities[class] } else { scores[class] };
        let class = (0..scores.len()).reduce(|a, b| if strength(b) > strength(a) { b } else { a });
        Some(Decision { class: class.unwrap_or(0), probabilities })
    }

    /// What is predicted from scores that stand row after row, one for each output.
    pub fn predictions(&self, scores: &[f64]) -> Predictions {
        if self.link == (Link::Identity {}) {
            return Predictions::Numbers(scores.to_vec());
        }
        let n_outputs = self.shifts.len();
        let n_rows = scores.len() / n_outputs;
        let mut said = ClassPredictions {
            scores: vec![Vec::with_capacity(n_rows); n_outputs],
            probabilities: vec![Vec::with_capacity(n_rows); n_outputs],
            labels: Vec::with_capacity(n_rows),
        };
        for scores in scores.chunks_exact(n_outputs) {
            let Some(decision) = self.decide(scores) else { continue };
            // Of two classes the one output is that of the second.
            let first = decision.probabilities.len() - n_outputs;
            for (output, &score) in scores.iter().enumerate() {
                let probability = decision.probabilities[first + output];
                // Among several classes only probabilities tell how a class stands to the others.
                said.scores[output].push(if n_outputs == 1 { score } else { probability });
                said.probabilities[output].push(probability);
            }
            said.labels.push(decision.class as u32);
        }
        Predictions::Classes(said)
    }
}
