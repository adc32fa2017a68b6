//! Numbers that can be computed with: neither so large nor so close together that their squares leave the range.

use super::{Dataset, TargetValues};
use crate::error::{Error, Result};

/// The largest number that can be predicted: its square, times weights and rows, stays finite.
const LARGEST: f64 = 1e100;
/// The smallest distance between numbers to predict whose square is still exact.
const SMALLEST: f64 = 1e-100;
/// The largest weight of a row; one over it is the smallest that the largest may be.
const LARGEST_WEIGHT: f64 = 1e50;

impl Dataset {
    /// Refuses numbers that no model can be computed from.
    pub fn check_magnitudes(&self) -> Result<()> {
        self.check_sizes()?;
        let TargetValues::Numbers(values) = &self.target.values else { return Ok(()) };
        let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
            (low.min(value), high.max(value))
        });
        if high > low && high - low < SMALLEST {
            let message = format!(
                "its numbers differ by at most {:e}, which is too little to compute with; multiply them by a power of ten",
                high - low
            );
            return Err(Error::data(self.target_place(), message));
        }
        Ok(())
    }

    /// Refuses numbers that are too large, and weights that are too large or too small. Part of the rows of a table
    /// that passes, passes too.
    pub fn check_sizes(&self) -> Result<()> {
        self.check()?;
        if let TargetValues::Numbers(values) = &self.target.values
            && let Some(value) = values.iter().find(|value| value.is_nan() || value.abs() > LARGEST)
        {
            let message = format!(
                "{value:e} is too large to compute with (at most {LARGEST:e}); divide the column by a \
                 power of ten"
            );
            return Err(Error::data(self.target_place(), message));
        }
        let weights = self.weights.as_deref().unwrap_or(&[1.0]);
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if largest > LARGEST_WEIGHT || (largest > 0.0 && largest < 1.0 / LARGEST_WEIGHT) {
            let message = format!(
                "the largest weight is {largest:e}; scale the weights so that it lies between {:e} and {LARGEST_WEIGHT:e}",
                1.0 / LARGEST_WEIGHT
            );
            return Err(Error::data("weights", message));
        }
        Ok(())
    }

    fn target_place(&self) -> String {
        format!("column `{}`", self.target.name)
    }
}
