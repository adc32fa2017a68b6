//! What is minimised.
//!
//! ```text
//! G = L + (ρ/2)·Σ α_m² + penalty(K, P)       L = (1/W) Σ_n w_n · loss(y_n, f(x_n))
//! penalty = γK + λP/K   (ratio, the paper's)     or     γK + λP   (count)
//! ```
//!
//! The loss is `exp(−y f)` (exponential), `log(1 + exp(−y f))` (logistic), or for numbers `½(y − f)²` (squared).
//!
//! | symbol | name | default | meaning | range |
//! |---|---|---|---|---|
//! | γ | `gamma` | chosen by validation | price of a rule in the model | ≥ 0 |
//! | λ | `lambda` | chosen by validation | price of rules per explanation | ≥ 0 |
//! | ρ | `ridge` | 60 / rows, less beyond 10,000, within 0.0002 and 0.03 | shrinks the weights; the intercept is free | ≥ 0 |
//! | K | `n_rules` | | rules in the support | |
//! | P | `coverage_sum` | | Σ of the shares of training weight that they cover: the mean rules per explanation | |
//!
//! Weights and intercept live in boxes inside `|·| ≤` [`WEIGHT_LIMIT`]; a rule of the support has a
//! weight of at least [`MIN_WEIGHT`].

mod exponential;
mod logistic;
mod loss;
mod lumps;
mod penalty;
mod quadratic;
mod squared;
mod steps;

pub use logistic::ClassLosses;
pub(crate) use loss::with_loss;
pub use loss::{Derivatives, Exponential, Logistic, Loss, LossKind, Score, Squared, sigmoid, softplus};
pub use lumps::{LumpedSpread, Lumps};
pub use penalty::{Penalty, PenaltyKind, SupportSummary};
pub use steps::{Level, Limits, Range, Removal, RowValue, Spread, Step, Steps, Sums, Total};

// Bounds every weight and the intercept, so that the re-fit stays finite on separable data.
pub use crate::model::WEIGHT_LIMIT;

use serde::{Deserialize, Serialize};

/// A rule with a smaller weight is not in the support: the ratio penalty could otherwise be lowered
/// by padding with rules that do nothing.
pub const MIN_WEIGHT: f64 = 1e-4;
/// Scores are cut here before `exp`, which would overflow at 710.
const SCORE_LIMIT: f64 = 700.0;

/// The closed interval that a weight may lie in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The smallest weight.
    pub low: f64,
    /// The largest weight.
    pub high: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { low: -WEIGHT_LIMIT, high: WEIGHT_LIMIT }
    }
}

impl Bounds {
    /// The nearest weight inside.
    pub fn clamp(&self, weight: f64) -> f64 {
        weight.clamp(self.low, self.high)
    }
}

/// `exp` of a score, cut to what numbers can hold.
pub fn exp(score: f64) -> f64 {
    score.clamp(-SCORE_LIMIT, SCORE_LIMIT).exp()
}
