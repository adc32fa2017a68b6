//! How far the numbers of each feature are spread: what a change of one costs, and where a slider goes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Section;

/// Quantiles of the features of numbers, rounded to a thousandth of their range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeatureSpread {
    /// At least so many training rows lie at or beyond each quantile, on both of its sides.
    pub min_rows: usize,
    /// By feature: nearly the smallest number, the lower quartile, the median, the upper quartile, and nearly the largest
    /// number. Features that are known in too few rows are left out.
    pub quantiles: BTreeMap<String, [f64; 5]>,
}

impl FeatureSpread {
    /// The distance between the quartiles of a feature.
    pub fn interquartile_range(&self, feature: &str) -> Option<f64> {
        self.quantiles.get(feature).map(|quantiles| quantiles[3] - quantiles[1])
    }
}

impl Section for FeatureSpread {
    const NAME: &'static str = "spread";
}
