//! Chooses a sparse set of weighted rules: minimises the objective over supports and weights.
//!
//! The search sees rows only through the questions of [`rows::RowStore`]; features, thresholds and names are unknown
//! here.

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
mod problem;
mod refit;
mod reinsert;
pub mod rows;
mod state;

pub use descent::CERTIFICATE_TOLERANCE;
pub use path::{PathEnd, Prices, certify, solve_path};
pub use problem::Problem;
pub use refit::Precision;
pub use state::State;

pub use crate::model::StopReason;

use crate::objective::{Loss, Penalty, Steps, with_loss};
use crate::watch::{Stop, Watch};
use rows::RowStore;

use serde::{Deserialize, Serialize};

/// Minimises G for one (γ, λ) from a start. Pure: the same arguments give the same result, at any thread count.
pub fn solve<R: RowStore>(
    problem: &Problem<R>,
    start: &Weights,
    gamma: f64,
    lambda: f64,
    config: SolverConfig,
    watch: &Watch,
) -> Solution {
    let penalty = Penalty { kind: problem.penalty, gamma, lambda };
    with_loss!(problem.loss, L => search::<L, R>(problem, start, penalty, config, watch))
}

fn search<L: Steps, R: RowStore>(
    problem: &Problem<R>,
    start: &Weights,
    penalty: Penalty,
    config: SolverConfig,
    watch: &Watch,
) -> Solution {
    match config.search {
        Search::Best => best::search_best::<L, R>(problem, start, penalty, &config, watch),
        Search::Paper => paper::search_paper::<L, R>(problem, penalty, &config, watch),
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
    fn of<L: Loss, R: RowStore>(
        state: &State<L, R>,
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
