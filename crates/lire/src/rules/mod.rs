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

pub use bins::{BinTest, OnBins, cover_binned};
pub use config::{DistinctBy, RuleConfig};
pub use distinct::{Brevity, brevity, distinct_by_text};
pub use extract::extract;
pub use imported::{ImportedSplit, ImportedTest, ImportedTrees};
pub use lire_model::rules::*;
pub use nested::NestedRules;
pub(crate) use simplify::simplify;

#[cfg(test)]
mod random_trees;
