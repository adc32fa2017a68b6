//! The models that one is chosen from.

use serde::{Deserialize, Serialize};

use super::Version;
use crate::methods::lire::selection::Selection;

/// The models that were compared, and the one that was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathReport {
    /// The version of this form.
    pub version: Version,
    /// The models, and what the choice went by.
    #[serde(flatten)]
    pub selection: Selection,
}

impl PathReport {
    /// The report of a selection.
    pub fn of(selection: Selection) -> Self {
        Self { version: Version, selection }
    }
}
