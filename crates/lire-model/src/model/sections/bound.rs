//! How far a model can be from the best one.

use serde::{Deserialize, Serialize};

use super::Section;

/// A lower bound on the objective of all models that were considered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bound {
    /// The objective of this model.
    pub objective: f64,
    /// No model that was considered has a lower objective.
    pub lower_bound: f64,
    /// Whether this model is proven to be the best of them, within the tolerance of the solver.
    pub proven: bool,
    /// Which models were considered.
    pub scope: String,
    /// How long the proof took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Bound {
    /// The distance of the objective from the bound, as a share of the objective.
    pub fn gap(&self) -> f64 {
        (self.objective - self.lower_bound) / self.objective.abs().max(f64::MIN_POSITIVE)
    }
}

impl Section for Bound {
    const NAME: &'static str = "bound";
}
