//! The codes and texts by which the reasons for an unfavourable decision are told.

use serde::{Deserialize, Serialize};

use super::Section;

/// The codes by which reasons are told. Each term belongs to one code; terms that no code names have one of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasonCodes {
    /// The class that a person hopes for.
    pub favourable: String,
    /// The most reasons that are told.
    pub most: usize,
    /// The codes.
    pub codes: Vec<ReasonCode>,
}

/// One code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasonCode {
    /// The code.
    pub code: String,
    /// What the person reads.
    pub text: String,
    /// The positions of its terms in the model.
    pub terms: Vec<usize>,
}

impl Section for ReasonCodes {
    const NAME: &'static str = "reason_codes";
}
