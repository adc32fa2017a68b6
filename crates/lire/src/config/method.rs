//! The methods by name.

use serde::{Deserialize, Serialize};

/// How a model is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Few rules per explanation: rules of trees, chosen by the objective with its local penalty.
    #[default]
    Lire,
    /// Rules of trees, chosen by an l1 penalty (Friedman and Popescu 2008).
    Rulefit,
    /// Rules built up from single conditions by column generation, with an l1 penalty (Wei et al. 2019).
    Glrm,
}

impl Method {
    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lire => "lire",
            Self::Rulefit => "rulefit",
            Self::Glrm => "glrm",
        }
    }
}
