//! The weights of `RuleFit`: a loss with an l1 penalty, intercept free.
//!
//! ```text
//! minimise   L(b, α, β) + γ ( Σ_m φ_m |α_m| + Σ_j φ_j |β_j| )      each weight within its bounds
//! L = (1/W) Σ_n w_n · loss(y_n, b + Σ_m α_m r_m(x_n) + Σ_j β_j z_j(x_n))
//! ```
//!
//! | symbol | name | default | meaning | range |
//! |---|---|---|---|---|
//! | γ | `gamma` | | price of a unit of weight | ≥ 0 |
//! | φ | `factors`, `factor` | 1 | multiplies the price of a column | ≥ 0 |
//! | z | `linear` | none | columns of numbers beside the rules | |
//!
//! The loss is the squared one where the problem's is (the lasso), otherwise the logistic one. Proximal Newton steps
//! run on a working set of rules, which grows by those that violate the optimality conditions most. Like the re-fit
//! they work on activation patterns, so that only the scans touch all rules. A dual point bounds how far the result
//! is from the minimum.

mod curvature;
mod dual;
mod linear;
mod path;
mod quadratic;
mod rows;
mod working;
mod working_set_solver;

pub use linear::DenseColumn;
pub use path::{L1Path, gamma_grid};
pub use working::Paused;

use super::{Problem, Weights};
use crate::objective::{Logistic, LossKind, Squared};
use crate::watch::Watch;

/// Optimality conditions are fulfilled up to this unless the caller asks for less.
pub const L1_TOLERANCE: f64 = 1e-8;
/// The duality gap ends below this share of the loss of zero weights, or below the tolerance where that is larger.
pub const GAP_TOLERANCE: f64 = 1e-6;

/// How near to the minimum a solution must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// The optimality conditions hold up to this.
    pub tolerance: f64,
    /// The duality gap is at most this share of the loss of zero weights.
    pub gap_share: f64,
}

impl Accuracy {
    /// A tolerance for the optimality conditions, and a gap to match.
    pub fn of(tolerance: f64) -> Self {
        Self { tolerance, gap_share: GAP_TOLERANCE.max(tolerance) }
    }
}

/// Solves with equal prices for one γ from a start, until the optimality conditions hold up to a tolerance.
pub fn solve_l1(problem: &Problem, start: &Weights, gamma: f64, tolerance: f64) -> L1Solution {
    L1Problem::new(problem).solve(start, gamma, tolerance)
}

/// Which columns there are and what a unit of their weights costs.
#[derive(Debug, Clone)]
pub struct L1Problem<'p> {
    /// Rules, masses, loss and bounds. Its ridge and its penalty play no part.
    pub problem: &'p Problem,
    /// What γ is multiplied by for each rule; 1 if there are none.
    pub factors: Option<Vec<f64>>,
    /// Columns of numbers beside the rules.
    pub linear: Vec<DenseColumn>,
    /// What ends the solver early, with the weights that it has reached.
    pub watch: Watch<'p>,
}

/// What came out, with how far it may be from the minimum.
#[derive(Debug, Clone, PartialEq)]
pub struct L1Solution {
    /// Intercept and weights of the rules; those that are 0 are not listed.
    pub weights: Weights,
    /// The weight of each linear column, zeros included.
    pub linear: Vec<f64>,
    /// Loss, with the problem's constant, and penalty.
    pub objective: f64,
    /// The largest violation of the optimality conditions, over all columns and the intercept.
    pub violation: f64,
    /// What no other weights can lower the objective by more than: the duality gap.
    pub gap: f64,
    /// What the gap was to come down to; above it, the solver ended at its limits or was stopped.
    pub gap_tolerance: f64,
}

impl L1Solution {
    /// Whether the duality gap proves that this is the minimum, up to its tolerance.
    pub fn is_proven(&self) -> bool {
        self.gap <= self.gap_tolerance
    }
}

impl<'p> L1Problem<'p> {
    /// Rules of equal price and nothing beside them, and nothing that ends the solver early.
    pub fn new(problem: &'p Problem) -> Self {
        Self { problem, factors: None, linear: Vec::new(), watch: Watch::default() }
    }

    /// Solves for one γ from a start, until the optimality conditions hold up to a tolerance and the duality gap is
    /// small as well. Linear columns start from 0.
    pub fn solve(&self, start: &Weights, gamma: f64, tolerance: f64) -> L1Solution {
        self.path_from(start, &[gamma], tolerance).pop().expect("one γ has one solution")
    }

    fn factor(&self, rule: usize) -> f64 {
        self.factors.as_ref().map_or(1.0, |factors| factors[rule])
    }
}
