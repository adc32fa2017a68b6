//! What people changed in a model after it was fitted, and what that cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Section;

/// The changes, the first one first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditHistory {
    /// The changes.
    pub edits: Vec<Edit>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edit {
    /// What was done, such as `drop_rule`, `add_rule`, `change_rule`, `fix_weight` or `refit`.
    pub action: String,
    /// The term as it was, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The term as it is, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When, in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// How the measures changed, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cost: BTreeMap<String, f64>,
    /// The checksum of the file before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum_before: Option<String>,
}

impl Section for EditHistory {
    const NAME: &'static str = "edits";
}
