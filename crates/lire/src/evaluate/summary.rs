//! A measure over several folds.

use schemars::JsonSchema;
use serde::Serialize;

/// Mean and spread of a measure over folds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the sample (divided by n − 1); none for a single value.
    pub std: Option<f64>,
}

impl Summary {
    /// Summarises values; none if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self { mean, std: (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_a_sample() {
        assert_eq!(Summary::of(&[1.0, 2.0, 3.0]), Some(Summary { mean: 2.0, std: Some(1.0) }));
        assert_eq!(Summary::of(&[5.0]), Some(Summary { mean: 5.0, std: None }));
        assert_eq!(Summary::of(&[]), None);
    }
}
