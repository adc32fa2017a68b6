//! Rules: conjunctions of conditions, each on one feature. A rule is a predicate and nothing more.
//!
//! ```text
//! rules ⇄ text
//!       ⇄ data (the model file)
//! ```
//!
//! A rule is in normal form when it has at most one condition a feature, ordered by feature, none of
//! which is always or never true. [`Rule::conjunction`], [`parse`] and [`RuleData::to_rule`]
//! give nothing else, so that rules are equal exactly when their texts are.

#[cfg(any(test, feature = "testing"))]
pub mod arbitrary;
mod conjunction;
mod data;
mod direction;
mod packed;
mod parse;
mod predicate;
mod reader;
mod spelling;
mod text;

pub use data::{Bound, ConditionData, RuleData};
pub use direction::{Allowed, Direction};
pub use packed::{all_rows, keep_sparse, keep_where, n_words, pack};
pub use parse::parse;

/// A conjunction of conditions, at most one a feature, ordered by feature. Without conditions it
/// holds always.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rule {
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// What a rule asks of one feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The feature's position in the schema.
    pub feature: usize,
    /// What is asked of a known value.
    pub test: Test,
    /// Whether a missing value satisfies the condition.
    pub takes_missing: bool,
}

/// What a condition asks of a known value.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// `above < x ≤ at_most`; a side that is `None` is open, but not both.
    Interval {
        /// The value must be greater.
        above: Option<f64>,
        /// The value must not be greater.
        at_most: Option<f64>,
    },
    /// The value is one of these levels (sorted, without repetition, at least one).
    In(Vec<u32>),
    /// The value is none of these levels (sorted, without repetition, at least one).
    NotIn(Vec<u32>),
    /// Any known value of any column: `x is known`.
    Known,
    /// No known value of any column: with [`Condition::takes_missing`], `x is missing`.
    Missing,
}

impl Rule {
    /// The positions of the features that the rule asks about, in ascending order.
    pub fn features(&self) -> impl Iterator<Item = usize> + '_ {
        self.conditions.iter().map(|condition| condition.feature)
    }

    /// The number of conditions, the "length" of a rule.
    pub fn n_conditions(&self) -> usize {
        self.conditions.len()
    }
}

impl Condition {
    /// `x is known`.
    pub fn known(feature: usize) -> Self {
        Self { feature, test: Test::Known, takes_missing: false }
    }

    /// `x is missing`.
    pub fn missing(feature: usize) -> Self {
        Self { feature, test: Test::Missing, takes_missing: true }
    }
}
