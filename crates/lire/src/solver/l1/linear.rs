//! Columns of numbers beside the rules.

use crate::objective::Bounds;

/// A column with a number for each distinct row, to be weighted like a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseColumn {
    /// The number of each distinct row of the problem.
    pub values: Vec<f64>,
    /// What γ is multiplied by for this column.
    pub factor: f64,
    /// Where its weight may lie.
    pub bounds: Bounds,
}

impl DenseColumn {
    /// A column that costs what a rule costs.
    pub fn new(values: Vec<f64>) -> Self {
        Self { values, factor: 1.0, bounds: Bounds::default() }
    }
}
