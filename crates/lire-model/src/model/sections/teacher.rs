//! The model that this one imitates, where it was learned from another model's predictions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Section;

/// The model whose predictions were learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Teacher {
    /// What kind of model it is.
    pub kind: String,
    /// Its library with the version, or the name of the file that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How well this model agrees with it, by the name of the measure.
    pub fidelity: BTreeMap<String, f64>,
    /// How good the teacher is itself, by the name of the measure, on the same rows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, f64>,
    /// The rows that both were measured on.
    pub rows: usize,
}

impl Section for Teacher {
    const NAME: &'static str = "teacher";
}
