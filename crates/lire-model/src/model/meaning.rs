//! What scores mean: numbers, or the probabilities of classes and a decision among them.

use super::calibration::Calibration;
use super::file::{Link, ModelFile};
use super::predictions::{ClassPredictions, Predictions};
use crate::error::{Error, Result};

/// How scores are read.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    /// How a score becomes a probability.
    pub link: Link,
    /// For each output what is added to its log-odds, for probabilities only.
    pub shifts: Vec<f64>,
    /// For each output what its probability comes from instead of the link.
    pub calibrations: Vec<Option<Calibration>>,
    /// The probability above which a row is labelled positive, for two classes; without it a score above 0 decides.
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
    pub fn decide(&self, scores: &[f64]) -> Result<Option<Decision>> {
        self.check(scores.len(), 1)?;
        Ok(self.decision(scores))
    }

    /// Fails unless there are scores of all outputs for so many rows.
    fn check(&self, n_scores: usize, n_rows: usize) -> Result<()> {
        let n_outputs = self.shifts.len();
        if self.calibrations.len() != n_outputs {
            let message = format!("{} calibrations for {n_outputs} outputs", self.calibrations.len());
            return Err(Error::data("scores", message));
        }
        if n_outputs == 0 || n_rows.checked_mul(n_outputs) != Some(n_scores) {
            let message =
                format!("there are {n_scores}; the model makes {n_outputs} for each of {n_rows} rows");
            return Err(Error::data("scores", message));
        }
        Ok(())
    }

    /// The same of scores that are one for each output.
    pub(super) fn decision(&self, scores: &[f64]) -> Option<Decision> {
        let Link::Logistic { scale } = self.link else { return None };
        let log_odds = |output: usize| scale * scores[output] + self.shifts[output];
        let probability = |output: usize| match &self.calibrations[output] {
            Some(calibration) => calibration.probability(scores[output]),
            None => 1.0 / (1.0 + (-log_odds(output)).exp()),
        };
        if let [_] = scores {
            let positive = probability(0);
            // Calibration and base rate are for probabilities; labels are what the scores, and their explanations, say.
            let class = self.threshold.map_or(scores[0] > 0.0, |threshold| positive > threshold);
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
        let class = (0..scores.len()).reduce(|a, b| if scores[b] > scores[a] { b } else { a });
        Some(Decision { class: class.unwrap_or(0), probabilities })
    }

    /// What is predicted from scores that stand row after row, one for each output.
    pub fn predictions(&self, scores: &[f64]) -> Result<Predictions> {
        let n_outputs = self.shifts.len();
        let n_rows = scores.len() / n_outputs.max(1);
        self.check(scores.len(), n_rows)?;
        if self.link == (Link::Identity {}) {
            return Ok(Predictions::Numbers(scores.to_vec()));
        }
        let mut said = ClassPredictions {
            scores: vec![Vec::with_capacity(n_rows); n_outputs],
            probabilities: vec![Vec::with_capacity(n_rows); n_outputs],
            labels: Vec::with_capacity(n_rows),
        };
        for scores in scores.chunks_exact(n_outputs) {
            let Some(decision) = self.decision(scores) else { continue };
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
        Ok(Predictions::Classes(said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(shifts: &[f64], calibrations: Vec<Option<Calibration>>) -> Meaning {
        let link = Link::Logistic { scale: 1.0 };
        Meaning { link, shifts: shifts.to_vec(), calibrations, threshold: None }
    }

    #[test]
    fn corrections_move_probabilities_and_not_labels() {
        let flat = Calibration::Isotonic { scores: vec![-1.0, 1.0], probabilities: vec![0.2, 0.2] };
        let steep = Calibration::Platt { slope: 3.0, offset: -2.0 };
        let corrected = [
            meaning(&[-3.0], vec![None]),
            meaning(&[0.0], vec![Some(flat)]),
            meaning(&[0.0], vec![Some(steep)]),
        ];
        for meaning in &corrected {
            for (score, class) in [(-0.5, 0), (0.0, 0), (1e-9, 1), (0.5, 1)] {
                let decision = meaning.decide(&[score]).unwrap().unwrap();
                assert_eq!(decision.class, class, "{meaning:?} at {score}");
                assert!(decision.probabilities[1] < 0.5);
            }
        }
        let by_threshold = Meaning { threshold: Some(0.1), ..corrected[1].clone() };
        assert_eq!(by_threshold.decide(&[-0.5]).unwrap().unwrap().class, 1);
        let of_three = meaning(&[0.0, -5.0, 0.0], vec![None; 3]);
        let decision = of_three.decide(&[0.1, 0.3, 0.2]).unwrap().unwrap();
        assert!(decision.class == 1 && decision.probabilities[1] < decision.probabilities[0]);
    }
}
