//! What is solved: candidate rules on fixed rows, and what of the objective does not change from call to call.

use super::rows::{MemoryRows, Pair, RowStore};
use crate::coverage::Coverage;
use crate::objective::{Bounds, LossKind, PenaltyKind};
use std::sync::Arc;

/// A fixed set of candidate rules on fixed rows.
#[derive(Debug, Clone)]
pub struct Problem<R = MemoryRows> {
    /// The rows, the weights behind their masses as shares of the total.
    pub rows: R,
    /// The loss of those masses.
    pub loss: LossKind,
    /// What no score changes, added to the loss: `½ Σ w·y²` for numbers.
    pub constant: f64,
    /// `p_m`: the share of the total weight that each rule covers.
    pub shares: Vec<f64>,
    /// Where each rule's weight may lie.
    pub bounds: Vec<Bounds>,
    /// Whether a rule may enter the support at all.
    pub eligible: Vec<bool>,
    /// ρ.
    pub ridge: f64,
    /// The form of the penalty.
    pub penalty: PenaltyKind,
}

impl Problem {
    /// A problem over merged rows in memory, whose masses may have any total.
    pub fn new(
        coverage: Arc<Coverage>,
        masses: &[Pair],
        loss: LossKind,
        ridge: f64,
        penalty: PenaltyKind,
    ) -> Self {
        let total: f64 = masses.iter().map(|&mass| loss.weight(mass)).sum();
        let masses: Vec<Pair> = masses.iter().map(|mass| [mass[0] / total, mass[1] / total]).collect();
        Self::over(MemoryRows::new(coverage, masses), loss, ridge, penalty)
    }
}

impl<R: RowStore> Problem<R> {
    /// A problem over rows whose total weight is 1. Rules that cover no weight, or all of it, are no candidates.
    pub fn over(rows: R, loss: LossKind, ridge: f64, penalty: PenaltyKind) -> Self {
        let shares: Vec<f64> = rows.masses_of_rules().iter().map(|&mass| loss.weight(mass)).collect();
        // Shares are sums of rounded quotients; a rule covering everything comes out within this of 1.
        let eligible = shares.iter().map(|&share| share > 0.0 && share < 1.0 - 1e-12).collect();
        let bounds = vec![Bounds::default(); shares.len()];
        Self { rows, loss, constant: 0.0, shares, bounds, eligible, ridge, penalty }
    }

    /// The same problem with some of the rules only, given in ascending order.
    pub fn restrict(&self, rules: &[usize]) -> Self {
        Self {
            rows: self.rows.restrict(rules),
            loss: self.loss,
            constant: self.constant,
            shares: rules.iter().map(|&rule| self.shares[rule]).collect(),
            bounds: rules.iter().map(|&rule| self.bounds[rule]).collect(),
            eligible: rules.iter().map(|&rule| self.eligible[rule]).collect(),
            ridge: self.ridge,
            penalty: self.penalty,
        }
    }
}
