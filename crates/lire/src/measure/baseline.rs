//! What every model should beat: to know the target alone, and nothing of the features.

use super::checks::check_weights;
use super::measures::Measures;
use super::sums::order_free_sum;
use crate::error::Result;
use crate::model::{ClassPredictions, Predictions};
use crate::table::TargetValues;

/// All that is known of a target without features.
#[derive(Debug, Clone, PartialEq)]
pub enum Baseline {
    /// The share of each class. Every row gets the most frequent one (the first of equals) and the
    /// shares as probabilities.
    Shares(Vec<f64>),
    /// The mean, which every row gets.
    Mean(f64),
}

impl Baseline {
    /// The baseline that training rows give. They have some weight.
    pub fn of(training: &TargetValues, weights: &[f64]) -> Result<Self> {
        check_weights(training.n_rows(), weights)?;
        let total = order_free_sum(weights);
        Ok(match training {
            TargetValues::Classes(of) => {
                Self::Shares(of.weights(weights)?.into_iter().map(|weight| weight / total).collect())
            }
            TargetValues::Numbers(values) => {
                let terms: Vec<f64> =
                    values.iter().zip(weights).map(|(value, weight)| value * weight).collect();
                Self::Mean(order_free_sum(&terms) / total)
            }
        })
    }

    /// How good it is on some rows.
    pub fn measure(&self, truth: &TargetValues, weights: &[f64]) -> Result<Measures> {
        Measures::of(truth, &self.predict(weights.len()), weights)
    }

    /// The same for each of so many rows.
    pub fn predict(&self, n_rows: usize) -> Predictions {
        let shares = match self {
            Self::Shares(shares) => shares,
            Self::Mean(mean) => return Predictions::Numbers(vec![*mean; n_rows]),
        };
        let most = shares.iter().copied().fold(0.0, f64::max);
        let label = shares.iter().position(|&share| share == most).unwrap_or(0) as u32;
        // Of two classes the positive one stands for both.
        let columns = if let [_, positive] = &shares[..] { std::slice::from_ref(positive) } else { shares };
        let columns: Vec<Vec<f64>> = columns.iter().map(|&share| vec![share; n_rows]).collect();
        let labels = vec![label; n_rows];
        Predictions::Classes(ClassPredictions { scores: columns.clone(), probabilities: columns, labels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ClassLabels;

    fn classes(n_classes: usize, labels: &[u32]) -> TargetValues {
        let classes = (0..n_classes).map(|class| class.to_string()).collect();
        TargetValues::Classes(ClassLabels { classes, labels: labels.to_vec(), positive_chosen: false })
    }

    #[test]
    fn several_classes_have_their_training_shares() {
        let baseline = Baseline::of(&classes(3, &[2, 1, 0, 2]), &[1.0, 2.0, 1.0, 4.0]).unwrap();
        assert_eq!(baseline, Baseline::Shares(vec![0.125, 0.25, 0.625]));
        let measures = baseline.measure(&classes(3, &[0, 1, 2, 2]), &[1.0; 4]).unwrap();
        let measures = measures.classes().unwrap();
        assert_eq!((measures.accuracy, measures.auc), (0.5, Some(0.5)));
        let log_loss = -(0.125_f64.ln() + 0.25_f64.ln() + 2.0 * 0.625_f64.ln()) / 4.0;
        assert!((measures.log_loss - log_loss).abs() < 1e-15);
    }

    #[test]
    fn of_two_equal_classes_the_negative_one_is_said() {
        let truth = classes(2, &[0, 1]);
        let baseline = Baseline::of(&truth, &[1.0, 1.0]).unwrap();
        let Predictions::Classes(said) = baseline.predict(2) else { panic!("classes") };
        assert_eq!((said.labels, said.probabilities), (vec![0, 0], vec![vec![0.5, 0.5]]));
    }

    #[test]
    fn numbers_have_their_training_mean() {
        let baseline = Baseline::of(&TargetValues::Numbers(vec![1.0, 4.0]), &[2.0, 1.0]).unwrap();
        assert_eq!(baseline, Baseline::Mean(2.0));
        let measures = baseline.measure(&TargetValues::Numbers(vec![1.0, 3.0]), &[1.0, 1.0]).unwrap();
        let measures = measures.numbers().unwrap();
        assert_eq!((measures.r2, measures.rmse, measures.mae), (Some(0.0), 1.0, 1.0));
    }
}
