//! LIRE, `RuleFit` and GLRM, out of the parts above. All have one shape: options with their checks are groups of
//! [`Config`](crate::config::Config), and `learn` makes terms with weights out of a `MethodInput`.

pub mod baseline;
mod candidates;
mod column_order;
#[cfg(feature = "internals")]
pub mod glrm;
#[cfg(not(feature = "internals"))]
mod glrm;
pub mod lire;
mod others;
mod outputs;
mod row_order;
mod rulefit;
mod sampled;
mod source;
mod splits;
pub(crate) mod training;

pub(crate) use sampled::{learn_sampled, rows_of_choice};
pub use source::{GivenRules, RuleSource};
// They trust their caller, and are public for tests and benches only.
pub(crate) use candidates::OutputCandidates;
#[cfg(not(feature = "internals"))]
pub(crate) use {candidates::GrownCandidates, splits::validation_splits, training::Training};
#[cfg(feature = "internals")]
pub use {candidates::GrownCandidates, splits::validation_splits, training::Training};

use std::time::Duration;

use self::lire::selection::Selection;
use crate::config::{Method, Settings};
use crate::error::Result;
use crate::model::LinearTerm;
use crate::rules::Rule;
use crate::solver::{Solution, StopReason, Weights};
use crate::split::Splits;
use crate::table::Dataset;
use crate::watch::Watch;

/// What a method learns from, whichever it is.
#[derive(Clone, Copy)]
pub(crate) struct MethodInput<'a> {
    /// The rows as they are.
    pub data: &'a Dataset,
    /// The rows as methods see them.
    pub training: &'a Training<'a>,
    /// The checked options.
    pub settings: &'a Settings,
    /// Where candidate rules come from.
    pub source: &'a RuleSource,
    /// The rows that models are compared on, if they are.
    pub splits: &'a Splits,
    /// Deadlines, interruption and progress.
    pub watch: &'a Watch<'a>,
}

/// Learns by the method that the settings name.
pub(crate) fn learn(input: MethodInput) -> Result<Learned> {
    match input.settings.method {
        Method::Lire => lire::learn(input),
        Method::Rulefit => Ok(rulefit::learn(input)),
        Method::Glrm => Ok(glrm::learn(input)),
    }
}

/// What a method learned: terms, and their weights for each output, in the units of [`Training`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Learned {
    /// The rules that a weight speaks of; some may have none.
    pub rules: Vec<Rule>,
    /// The linear terms.
    pub linear: Vec<LinearTerm>,
    /// One for each output of the model.
    pub outputs: Vec<LearnedOutput>,
    /// γ, if the method has one: given, or chosen.
    pub gamma: Option<f64>,
    /// λ, if the method has one: given, or chosen.
    pub lambda: Option<f64>,
    /// The models that this one was chosen from, if it was.
    pub selection: Option<Selection>,
    /// How many rows its prices were chosen on, if that were not all.
    pub sampled_rows: Option<usize>,
    /// Candidate rules that there were.
    pub n_candidates: usize,
    /// How long the stages took.
    pub timings: Timings,
}

/// The weights of one output, and how they were found.
#[derive(Debug, Clone)]
pub(crate) struct LearnedOutput {
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

impl Timings {
    /// All stages together.
    pub fn total(&self) -> Duration {
        self.binning + self.forest + self.candidates + self.comparison + self.solver
    }
}
