//! How LIRE searches.

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::uses::Purpose;
use crate::solver::{Search, SolverConfig};

/// How LIRE chooses rules at given prices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SearchOptions {
    /// How the rules are chosen.
    pub search: Search,
    /// The maximum number of moves of the search.
    pub max_moves: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let SolverConfig { search, max_moves } = SolverConfig::default();
        Self { search, max_moves }
    }
}

impl Group for SearchOptions {
    fn purpose(_option: &str) -> Purpose {
        Purpose::Lire
    }
}

impl SearchOptions {
    /// As the solver takes them.
    pub(super) fn solver(&self) -> SolverConfig {
        SolverConfig { search: self.search, max_moves: self.max_moves }
    }
}
