//! Where a model comes from: programs, options and data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DividedBy, Section};
use crate::model::Options;

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// The versions of the programs that made the model, by name.
    pub versions: BTreeMap<String, String>,
    /// The options that differ from the defaults; `config` has all of them, with the prices that were chosen.
    pub options: Options,
    /// What the model was learned from.
    pub data: DataProvenance,
    /// When the model was made, in RFC 3339. A fit leaves it out, so that equal fits make equal files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
}

/// What a model was learned from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DataProvenance {
    /// A hash of names, types, cells, target and weights that does not depend on the order of the rows.
    pub fingerprint: String,
    /// The rows that count.
    pub rows: usize,
    /// The feature columns.
    pub features: usize,
    /// Whether rows have weights.
    pub weighted: bool,
    /// The groups and times of the rows, by which they are divided wherever some are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
}

impl Section for Provenance {
    const NAME: &'static str = "provenance";
}
