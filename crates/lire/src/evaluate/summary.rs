//! A measure over several folds.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::measure::Measure;

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

/// Mean and spread of several measures; to programs a map by their names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summaries(pub Vec<(Measure, Option<Summary>)>);

impl Summaries {
    /// Summarises what each of several parts has of each measure, over those that have a value.
    pub fn of<T>(kinds: &[Measure], parts: &[T], get: impl Fn(&T, Measure) -> Option<f64>) -> Self {
        let values = |kind| parts.iter().filter_map(|part| get(part, kind)).collect::<Vec<f64>>();
        Self(kinds.iter().map(|&kind| (kind, Summary::of(&values(kind)))).collect())
    }

    /// Mean and spread of a measure, if there is one.
    pub fn get(&self, measure: Measure) -> Option<Summary> {
        self.0.iter().find(|(kind, _)| *kind == measure).and_then(|(_, summary)| *summary)
    }
}

impl Serialize for Summaries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(measure, summary)| (measure, summary)))
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
