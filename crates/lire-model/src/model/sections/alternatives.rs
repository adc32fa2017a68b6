//! Other models that are about as good, for people to choose from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Section;

/// Models that are about as good as the one of this file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alternatives {
    /// The models, the best first.
    pub models: Vec<Alternative>,
}

/// One of the models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// The intercept of each output.
    pub intercepts: Vec<f64>,
    /// The terms.
    pub terms: Vec<AlternativeTerm>,
    /// The objective.
    pub objective: f64,
    /// How good it is, by the name of the measure.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, f64>,
}

/// A term of another model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlternativeTerm {
    /// The rule as text, or the feature of a linear term.
    pub term: String,
    /// Its weight in each output.
    pub weights: Vec<f64>,
}

impl Section for Alternatives {
    const NAME: &'static str = "alternatives";
}
