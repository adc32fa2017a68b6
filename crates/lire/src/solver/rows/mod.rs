//! All that the search asks of rows: one trait, whose questions and answers never have the size of the rows.
//!
//! A question names rules, and weights for them; an answer has a number for each rule or for each activation pattern.
//! So the same search runs on rows in memory ([`MemoryRows`]), and on any other store that can answer, from disk or by
//! adding up the answers of several parts.

mod memory;

pub use crate::coverage::{Pair, Patterns};
pub use memory::{MemoryRows, MemorySupport};

use super::{Problem, Weights};
use crate::objective::{RowValue, Score, exp};

/// Rows with the rules that cover them.
pub trait RowStore: Clone + Send + Sync {
    /// A list of rules, with whatever the store keeps to answer questions about it faster: its rows by pattern, say.
    type Support: Clone + Send + Sync;

    /// The number of rules.
    fn n_rules(&self) -> usize;

    /// The number of distinct rows, which says what a question costs. No answer depends on it.
    fn n_rows(&self) -> usize;

    /// The mass of the rows that each rule covers.
    fn masses_of_rules(&self) -> Vec<Pair>;

    /// The same rows with some of the rules only, given in ascending order.
    #[must_use]
    fn restrict(&self, rules: &[usize]) -> Self;

    /// A list of rules.
    fn support(&self, rules: &[usize]) -> Self::Support;

    /// Adds a rule behind the others.
    fn insert(&self, support: &mut Self::Support, rule: usize);

    /// Takes a rule out; the positions behind it move up by one.
    fn remove(&self, support: &mut Self::Support, position: usize);

    /// The distinct sets of the rules that cover a row, each with the masses of its rows.
    fn patterns<'s>(&self, support: &'s Self::Support) -> &'s Patterns;

    /// For each of some other rules the part of every pattern's mass that it covers.
    fn masses_under(&self, support: &Self::Support, rules: &[usize]) -> Vec<Vec<Pair>>;

    /// The values of rows at their scores, summed up over the rows that each rule covers, and over all. These sums are
    /// what every candidate is valued by.
    fn sums<V: RowValue>(&self, at: &WeightedSupport<Self::Support>) -> CoveredSums;

    /// For each of some positions of the support, the sums over the rows that each rule covers with the rule at that
    /// position taken out. `sums` are those with all of them: a store may add to these what changes on the rows of the
    /// rule. Positions come several at a time, for stores that read all rows to answer.
    fn sums_without<V: RowValue>(
        &self,
        at: &WeightedSupport<Self::Support>,
        positions: &[usize],
        sums: &[Pair],
    ) -> Vec<Vec<Pair>>;

    /// The weights that an l1 penalty leads to, from which the published search starts.
    fn l1_weights(problem: &Problem<Self>, gamma: f64, tolerance: f64) -> Weights;
}

/// Sums over the rows that each rule covers, and over all rows.
#[derive(Debug, Clone, PartialEq)]
pub struct CoveredSums {
    /// For each rule.
    pub of_rules: Vec<Pair>,
    /// Over all rows.
    pub of_all: Pair,
}

/// A support with its weights.
#[derive(Debug, Clone, Copy)]
pub struct WeightedSupport<'a, S> {
    /// The rules.
    pub support: &'a S,
    /// The intercept, then the weight of each rule.
    pub parameters: &'a [f64],
    /// The score of each pattern that follows from these.
    pub scores: &'a [Score],
}

/// The patterns in which a rule is active, by number, with their scores once the rule is taken out.
///
/// `scores` are those with the rule, whose position and weight are given.
pub fn scores_without<'a>(
    patterns: &'a Patterns,
    scores: &'a [Score],
    position: usize,
    weight: f64,
) -> impl Iterator<Item = (usize, Score)> + use<'a> {
    let factor = exp(-weight);
    let is_active = move |&pattern: &usize| patterns.active(pattern).contains(&(position as u16));
    (0..patterns.len()).filter(is_active).map(move |pattern| {
        let before = scores[pattern];
        (pattern, Score::of_product(before.sum - weight, before.exp * factor))
    })
}
