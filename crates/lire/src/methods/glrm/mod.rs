//! Generalised linear rule models by column generation (Wei, Dash, Gao and Günlük 2019): no trees.
//!
//! ```text
//! L + Σ over all conjunctions of literals (λ0 + λ1·length)·|α|        L = (1/W) Σ_n w_n · loss(y_n, f(x_n))
//! ```
//!
//! with the logistic loss for a class and the squared for a number, the intercept free. There are far too many
//! conjunctions to list. The l1 problem is solved on a few of them, and those that would lower the objective are
//! searched for and taken in, one a round, until none is found.
//!
//! | symbol | name | default | meaning | range |
//! |---|---|---|---|---|
//! | λ0 | `lambda0` | 0.001 | price of a unit of weight of any conjunction | ≥ 0 |
//! | λ1 | `lambda1` | 0.2·λ0 | the same for each of its literals | ≥ 0, not both 0 |
//! | | `beam_width` | 1 | conjunctions of each length that the search makes longer | ≥ 1 |
//! | | `bound_share` | 0.5 | how much the bound of longer ones counts in choosing these, beside their own value | 0 to 1 |
//! | | `max_degree` | 10 | the most literals | ≥ 1 |
//! | | `max_rounds` | 200 | the most conjunctions taken in, beside the single literals | |
//! | | `debias` | true | re-fit the weights that are not zero without the penalty | |
//!
//! The *length* of a conjunction is its number of literals after those on one feature were joined, as [`n_literals`]
//! counts them: `31 < age ≤ 45` reads as one condition and has the price of two.

mod beam_search;
mod columns;
mod learn;
mod literals;

pub use beam_search::{Found, lowest_reduced_cost};
pub(crate) use learn::learn;
pub use literals::{Binarised, n_literals};

use columns::Columns;

use crate::config::GlrmOptions;
use crate::coverage::Pair;
use crate::objective::LossKind;
use crate::rules::Rule;
use crate::solver::l1::Accuracy;
use crate::solver::{StopReason, Weights};
use crate::watch::{OutputPlace, Progress, Stop, Watch};

/// A model for one outcome with what is worth knowing of how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct GlrmFit {
    /// The conjunctions whose penalised weights are not zero.
    pub rules: Vec<Rule>,
    /// The weights, by position among the rules. A re-fit drops rules that end near zero.
    pub weights: Weights,
    /// The weights before the re-fit without the penalty.
    pub penalised: Weights,
    /// Loss and penalty of those; for numbers without `½ Σ w·y²`, which no weight changes.
    pub objective: f64,
    /// How often the l1 problem was solved and what came out.
    pub trace: Vec<GlrmRound>,
    /// Why no more conjunctions were taken in.
    pub stop_reason: StopReason,
}

/// One solution of the l1 problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlrmRound {
    /// Loss and penalty.
    pub objective: f64,
    /// Conjunctions whose weight is not zero.
    pub n_rules: usize,
    /// The lowest reduced cost that was found then, if any was below zero.
    pub reduced_cost: Option<f64>,
}

/// A conjunction must promise to pay this share of the lowest price, or it is left out.
const LEAST_GAIN: f64 = 1e-3;
/// The l1 problem is solved up to this share of what the last conjunction promised, until none is found.
const ROUND_ACCURACY: f64 = 0.1;

/// Learns the conjunctions and weights of one outcome from the masses of its rows, as in [`Binarised::masses`].
///
/// It is the squared loss for numbers and the logistic one for classes ([`LossKind::of_l1`]). Numbers should have a spread near 1: prices and the box
/// of the weights do not scale with them. An end by a limit or on request gives the model so far.
pub fn fit_glrm(
    binarised: &Binarised,
    masses: &[Pair],
    loss: LossKind,
    settings: &GlrmOptions,
    watch: &Watch,
) -> GlrmFit {
    let least = LEAST_GAIN * settings.price(1);
    let exact = ROUND_ACCURACY * least;
    let mut columns = Columns::of_single_literals(binarised, masses, loss, settings, watch.silent());
    let mut tolerance = ROUND_ACCURACY * settings.price(1);
    let mut solution = columns.solve(roughly(tolerance));
    let mut trace = Vec::new();
    let stop_reason = loop {
        let stop = watch.stop().map(|stop| match stop {
            Stop::TimeLimit => StopReason::TimeLimit,
            Stop::Interrupted => StopReason::Interrupted,
        });
        let stop = stop.or((columns.n_generated() >= settings.max_rounds).then_some(StopReason::MoveLimit));
        let found = match stop {
            None => lowest_reduced_cost(binarised, &columns.slopes(&solution.weights), settings, -least),
            Some(_) => None,
        };
        let (objective, n_rules) = (solution.objective, solution.weights.rules.len());
        let reduced_cost = found.as_ref().map(|found| found.reduced_cost);
        trace.push(GlrmRound { objective, n_rules, reduced_cost });
        watch.report(Progress::Move { objective, n_rules, output: OutputPlace::ONLY });
        let is_new = found.is_some_and(|found| columns.push(&found.literals));
        if !is_new && tolerance <= exact {
            break stop.unwrap_or(StopReason::Converged);
        }
        // What a rough solution offers may be in already, and the last solution is to be exact.
        tolerance = match reduced_cost {
            Some(reduced_cost) if is_new => exact.max(ROUND_ACCURACY * reduced_cost.abs()),
            _ => exact,
        };
        let accuracy = if tolerance <= exact { Accuracy::of(exact) } else { roughly(tolerance) };
        solution = columns.solve(accuracy);
    };
    let weights = if settings.debias { columns.debias(&solution.weights) } else { solution.weights.clone() };
    let (rules, [penalised, weights]) = columns.take(&solution.weights, &weights);
    GlrmFit { rules, weights, penalised, objective: solution.objective, trace, stop_reason }
}

/// Conditions that hold up to a tolerance are all that the search for the next conjunction needs.
fn roughly(tolerance: f64) -> Accuracy {
    Accuracy { tolerance, gap_share: f64::INFINITY }
}
