//! What decided how rows were divided into those to learn from and those to measure on.

use serde::{Deserialize, Serialize};

/// What decided how rows were divided, if it was not only that rows of equal features stay together.
///
/// With groups, no group has rows on both sides. With times, models learn from earlier rows and are measured on later
/// ones. With both, rows of a group that is measured on are not learned from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DividedBy {
    /// The groups of rows that stayed together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<DividingColumn>,
    /// The times of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<DividingColumn>,
}

/// A column by which rows were divided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DividingColumn {
    /// Its name, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// How many different values it has.
    pub distinct: usize,
}
