//! LIRE, `RuleFit` and GLRM: one fit with given settings, out of the parts above.

pub mod baseline;
pub mod candidates;
mod column_order;
mod cross_validation;
pub mod glrm;
pub mod linear;
pub mod lire;
pub mod rulefit;
pub mod source;
pub mod splits;
pub mod training;

pub use candidates::GrownCandidates;
pub use source::{GivenRules, RuleSource};
pub use splits::validation_splits;
pub use training::Training;

use std::time::Duration;

use crate::model::LinearTerm;
use crate::rules::Rule;
use crate::solver::{Solution, StopReason, Weights};

/// What a method learned: terms, and their weights for each output, in the units of [`Training`].
#[derive(Debug, Clone, Default)]
pub struct Learned {
    /// The rules that a weight speaks of; some may have none.
    pub rules: Vec<Rule>,
    /// The linear terms.
    pub linear: Vec<LinearTerm>,
    /// One for each output of the model.
    pub outputs: Vec<LearnedOutput>,
    /// Candidate rules that there were.
    pub n_candidates: usize,
    /// How long the stages took.
    pub timings: Timings,
}

/// The weights of one output, and how they were found.
#[derive(Debug, Clone)]
pub struct LearnedOutput {
    /// The intercept and the weights of rules.
    pub weights: Weights,
    /// For each linear term what one unit of its feature adds.
    pub slopes: Vec<f64>,
    /// The objective.
    pub objective: f64,
    /// Its loss.
    pub loss: f64,
    /// Whether the solution is proven: no single change of the support improves it, or the convex problem is solved.
    pub certified: bool,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// Steps of the search.
    pub n_moves: usize,
}

impl LearnedOutput {
    /// What the solver found.
    pub fn of(solution: Solution) -> Self {
        Self {
            objective: solution.objective,
            loss: solution.loss,
            certified: solution.certified,
            stop_reason: solution.stop_reason,
            n_moves: solution.n_moves,
            weights: solution.weights,
            slopes: Vec::new(),
        }
    }
}

/// How long the stages of a fit took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    /// Binning and merging rows.
    pub binning: Duration,
    /// Growing trees.
    pub forest: Duration,
    /// Extracting rules and evaluating them.
    pub candidates: Duration,
    /// Comparing models on rows left out, everything learned anew on the others.
    pub comparison: Duration,
    /// Choosing rules and weights.
    pub solver: Duration,
}
