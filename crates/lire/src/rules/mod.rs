//! Candidate rules: out of trees, simplified, distinct. What a rule is stands in `lire-model`.
//!
//! ```text
//! forest → extract → simplify → distinct → rules
//! ```
//!
//! [`extract`] gives rules in normal form only: rules are equal exactly when their texts are.

mod bins;
mod config;
mod distinct;
mod extract;
mod imported;
mod nested;
mod simplify;

// They trust their caller, and are public for tests and benches only.
#[cfg(feature = "internals")]
pub use bins::{BinTest, OnBins, cover_binned};
#[cfg(not(feature = "internals"))]
pub(crate) use bins::{OnBins, cover_binned};
#[cfg(feature = "internals")]
pub use config::{DistinctBy, RuleConfig};
#[cfg(not(feature = "internals"))]
pub(crate) use config::{DistinctBy, RuleConfig};
#[cfg(feature = "internals")]
pub use distinct::{Brevity, brevity, distinct_by_text};
#[cfg(not(feature = "internals"))]
pub(crate) use distinct::{brevity, distinct_by_text};
#[cfg(feature = "internals")]
pub use extract::extract;
#[cfg(not(feature = "internals"))]
pub(crate) use extract::extract;
pub use imported::{ImportedSplit, ImportedTest, ImportedTrees};
pub use lire_model::rules::*;
pub use nested::NestedRules;
pub(crate) use simplify::simplify;

#[cfg(test)]
mod random_trees;
