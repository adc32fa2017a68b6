//! What `RuleFit` alone has.

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::uses::Purpose;

/// Options of `RuleFit`. Its l1 penalty is the `gamma` of the objective.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RulefitOptions {
    /// `rulefit`: let numeric features enter as they are too, winsorised.
    pub linear_terms: bool,
}

impl Group for RulefitOptions {
    fn purpose(_option: &str) -> Purpose {
        Purpose::Rulefit
    }
}
