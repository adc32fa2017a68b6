//! Chooses a sparse set of weighted rules: minimises the objective over supports and weights.
//!
//! The solver sees coverage and masses only; features, thresholds and names are unknown here.

mod best;
mod budget;
mod candidate_sums;
mod descent;
mod entry;
mod expansion;
pub mod l1;
mod linalg;
pub mod moves;
mod paper;
mod path;
mod refit;
mod reinsert;
mod state;

pub use descent::CERTIFICATE_TOLERANCE;
pub use path::{PathEnd, Prices, certify, solve_path};
pub use refit::Precision;
pub use state::State;

pub use crate::model::StopReason;

use crate::coverage::{Coverage, MergedRows, Pair};
use crate::objective::{Bounds, Exponential, Logistic, Loss, LossKind, Penalty, PenaltyKind, Squared, Steps};
use crate::watch::{Stop, Watch};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Minimises G for one (γ, λ) from a start. Pure: the same arguments give the same result, at any thread count.
pub fn solve(
    problem: &Problem,
    start: &Weights,
    gamma: f64,
    lambda: f64,
    config: SolverConfig,
    watch: &Watch,
) -> Solution {
    let penalty = Penalty { kind: problem.penalty, gamma, lambda };
    match problem.loss {
        LossKind::Exponential => search::<Exponential>(problem, start, penalty, config, watch),
        LossKind::Logistic => search::<Logistic>(problem, start, penalty, config, watch),
        LossKind::Squared => search::<Squared>(problem, start, penalty, config, watch),
    }
}

fn search<L: Steps>(
    problem: &Problem,
    start: &Weights,
    penalty: Penalty,
    config: SolverConfig,
    watch: &Watch,
) -> Solution {
    match config.search {
        Search::Best => best::search_best::<L>(problem, start, penalty, &config, watch),
        Search::Paper => paper::search_paper::<L>(problem, penalty, &config, watch),
    }
}

/// A fixed set of candidate rules on fixed rows.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Which rule covers which distinct row.
    pub coverage: Arc<Coverage>,
    /// The mass of the rows behind each distinct row, their weights as shares of the total.
    pub masses: Vec<Pair>,
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
    /// A problem over merged rows. Rules that cover no weight, or all of it, are no candidates.
    pub fn new(
        coverage: Arc<Coverage>,
        masses: &[Pair],
        loss: LossKind,
        ridge: f64,
        penalty: PenaltyKind,
    ) -> Self {
        let total: f64 = masses.iter().map(|&mass| loss.weight(mass)).sum();
        let masses: Vec<Pair> = masses.iter().map(|mass| [mass[0] / total, mass[1] / total]).collect();
        let shares: Vec<f64> = coverage.sums(&masses).iter().map(|&sum| loss.weight(sum)).collect();
        // Shares are sums of rounded quotients; a rule covering everything comes out within this of 1.
        let eligible = shares.iter().map(|&share| share > 0.0 && share < 1.0 - 1e-12).collect();
        let bounds = vec![Bounds::default(); shares.len()];
        Self { coverage, masses, loss, constant: 0.0, shares, bounds, eligible, ridge, penalty }
    }
}

impl Problem {
    /// The same problem with some of the rules only, given in ascending order; rows that they do not tell apart are merged.
    pub fn restrict(&self, rules: &[usize]) -> Self {
        let coverage = Coverage::clone(&self.coverage).keep(rules);
        let rows = MergedRows::of(coverage);
        Self {
            masses: rows.merge(&self.masses),
            coverage: Arc::new(rows.coverage),
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

/// How rules are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// Ours: insertions, removals and swaps from several starts.
    #[default]
    Best,
    /// Algorithm 1 of the paper, started from the l1 solution.
    Paper,
}

/// How long and by which search to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverConfig {
    /// The search.
    pub search: Search,
    /// The most accepted moves.
    pub max_moves: usize,
}

impl Default for SolverConfig {
    fn default() -> Self {
        Self { search: Search::Best, max_moves: 5000 }
    }
}

/// A sparse set of weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Weights {
    /// The intercept `b`.
    pub intercept: f64,
    /// Rules of the support with their weights, by rule index.
    pub rules: Vec<(usize, f64)>,
}

impl Weights {
    /// By position among some of the rules, given in ascending order, that hold all of these.
    pub(crate) fn restrict(&self, rules: &[usize]) -> Self {
        let place = |rule| rules.binary_search(&rule).expect("the rules hold the support");
        let rules = self.rules.iter().map(|&(rule, weight)| (place(rule), weight)).collect();
        Self { intercept: self.intercept, rules }
    }

    /// Undoes [`Weights::restrict`].
    fn extend(&self, rules: &[usize]) -> Self {
        let rules = self.rules.iter().map(|&(place, weight)| (rules[place], weight)).collect();
        Self { intercept: self.intercept, rules }
    }
}

/// What the solver found.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The weights.
    pub weights: Weights,
    /// G.
    pub objective: f64,
    /// L, without ridge and penalty.
    pub loss: f64,
    /// P: the mean number of rules per training row.
    pub coverage_sum: f64,
    /// Whether no single insertion, removal or swap lowers G by more than the certificate's tolerance.
    pub certified: bool,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// G after each accepted move on the way that led to the result, never rising.
    pub trace: Vec<f64>,
    /// Accepted moves in all.
    pub n_moves: usize,
}

impl Solution {
    fn of<L: Loss>(
        state: &State<L>,
        penalty: Penalty,
        certified: bool,
        trace: Vec<f64>,
        budget: &budget::Budget,
    ) -> Self {
        Self {
            weights: state.weights(),
            objective: state.objective(&penalty),
            loss: state.loss() - state.ridge_part(),
            coverage_sum: state.summary().coverage_sum,
            certified,
            stop_reason: budget.stop_reason(),
            trace,
            n_moves: budget.n_moves(),
        }
    }
}

/// Why a search that asks now has to end.
pub fn stop_reason(watch: &Watch) -> StopReason {
    match watch.stop() {
        None => StopReason::Converged,
        Some(Stop::TimeLimit) => StopReason::TimeLimit,
        Some(Stop::Interrupted) => StopReason::Interrupted,
    }
}
