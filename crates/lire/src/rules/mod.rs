//! Rules: conjunctions of conditions, each on one feature. A rule is a predicate and nothing more.

/// A conjunction of conditions, at most one a feature, ordered by feature.
#[derive(Debug, Clone, PartialEq)]
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
    /// `above < x ≤ at_most`; a side that is `None` is open. Both `None`: any known number.
    Interval {
        /// The value must be greater.
        above: Option<f64>,
        /// The value must not be greater.
        at_most: Option<f64>,
    },
    /// The value is one of these levels (sorted, without repetition). Empty: no known value.
    In(Vec<u32>),
    /// The value is none of these levels (sorted, without repetition). Empty: any known value.
    NotIn(Vec<u32>),
}
