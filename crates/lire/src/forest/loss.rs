//! What trees are fitted to: the gradients and curvatures of a loss at the scores so far.

use super::sampling::RowDraws;
use super::tally::Scale;

/// What the drawn part of a row brings to a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pull {
    /// Minus the slope of the row's loss: towards higher scores if positive.
    pub(super) gradient: f64,
    pub(super) curvature: f64,
    pub(super) mass: f64,
}

/// A loss together with the rows that it is summed over.
///
/// A row is told by two numbers. Its score is kept in the form that is quickest to go on from, its state.
pub(super) trait Loss: Sync {
    /// The largest curvature of a mass of one.
    const MAX_CURVATURE: f64;
    /// The largest gradient of a mass of one, whatever its score; none where gradients have no bound.
    const MAX_GRADIENT: Option<f64>;
    /// Leaf values stay within this.
    const LEAF_LIMIT: f64 = f64::INFINITY;

    /// The two numbers of each row.
    fn columns(&self) -> [&[f64]; 2];

    /// The mass of a row.
    fn mass(row: [f64; 2]) -> f64;

    /// The score that all rows start from.
    fn base(&self) -> f64;

    /// Gradients of a mass of one that differ by less than this differ by rounding.
    fn resolution(&self) -> f64;

    /// What a row brings to a tree that is grown on these draws.
    fn pull(row: [f64; 2], state: f64, hash: u64, draws: &RowDraws) -> Pull;

    /// The state of a row with this score; also what a state is advanced by for a leaf of this value.
    fn state(score: f64) -> f64 {
        score
    }

    /// The state of a row after a step.
    fn advance(state: f64, step: f64) -> f64 {
        state + step
    }
}

/// The resolution of probabilities.
const RESOLUTION: f64 = 1e-5;

/// The squared loss of a class told as 1 and all others as 0, whose best score is the share of the class.
pub(super) struct Shares<'a> {
    pub(super) inside: &'a [f64],
    pub(super) outside: &'a [f64],
}

impl Loss for Shares<'_> {
    const MAX_CURVATURE: f64 = 1.0;
    const MAX_GRADIENT: Option<f64> = Some(1.0);

    fn columns(&self) -> [&[f64]; 2] {
        [self.inside, self.outside]
    }

    fn mass([inside, outside]: [f64; 2]) -> f64 {
        inside + outside
    }

    fn base(&self) -> f64 {
        0.0
    }

    fn resolution(&self) -> f64 {
        RESOLUTION
    }

    fn pull([inside, outside]: [f64; 2], share: f64, hash: u64, draws: &RowDraws) -> Pull {
        let (inside, outside) = draws.masses(inside, outside, hash);
        let mass = inside + outside;
        Pull { gradient: inside - mass * share, curvature: mass, mass }
    }
}

/// The squared loss of a number, `½ weight (value − score)²`.
pub(super) struct Squared<'a> {
    values: &'a [f64],
    weights: Vec<f64>,
    mean: f64,
    resolution: f64,
}

impl<'a> Squared<'a> {
    pub(super) fn of(values: &'a [f64], weights: &[f64]) -> Self {
        /// Beside the mean distance from the mean: so small that the differences among other values count
        /// even where a single one is so far away that it alone makes this mean.
        const RESOLUTION: f64 = 1e-10;
        let total = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        // Weights are what tallies can hold, so that the gradients of equal values are in exact proportion to
        // them and a split among equal values gains nothing.
        let grain = Scale::of(0.0, total, total).mass;
        let weights: Vec<f64> = weights.iter().map(|weight| (weight * grain).round() / grain).collect();
        let total = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mean_of = |distance: &dyn Fn(f64) -> f64| {
            values.iter().zip(&weights).map(|(&value, weight)| weight * distance(value)).sum::<f64>() / total
        };
        // Summed as differences, so that equal values are their mean exactly.
        let first = values.first().copied().unwrap_or(0.0);
        let mean = first + mean_of(&|value| value - first);
        let resolution = RESOLUTION * mean_of(&|value| (value - mean).abs());
        Self { values, weights, mean, resolution }
    }
}

impl Loss for Squared<'_> {
    const MAX_CURVATURE: f64 = 1.0;
    const MAX_GRADIENT: Option<f64> = None;

    fn columns(&self) -> [&[f64]; 2] {
        [self.values, &self.weights]
    }

    fn mass([_, weight]: [f64; 2]) -> f64 {
        weight
    }

    fn base(&self) -> f64 {
        self.mean
    }

    fn resolution(&self) -> f64 {
        self.resolution
    }

    fn pull([value, weight]: [f64; 2], score: f64, hash: u64, draws: &RowDraws) -> Pull {
        let mass = draws.mass(weight, hash);
        Pull { gradient: mass * (value - score), curvature: mass, mass }
    }
}

/// The logistic loss of a class against all others. Its scores are log-odds.
///
/// The state of a row is the odds of the other classes, `exp(−score)`. They spare an exponential a row: a
/// tree multiplies them by one factor for each of its leaves.
pub(super) struct Logistic<'a> {
    inside: &'a [f64],
    outside: &'a [f64],
    base: f64,
}

/// Log-odds start within these bounds, so that a single class does not start at infinity.
const BASE_LIMIT: f64 = 15.0;
/// Odds stay within this and its inverse, so that they can always come back.
const ODDS_LIMIT: f64 = 1e200;

impl<'a> Logistic<'a> {
    pub(super) fn of(inside: &'a [f64], outside: &'a [f64]) -> Self {
        let [positive, negative] = [inside, outside].map(|masses| masses.iter().sum::<f64>());
        let log_odds = (positive / negative).ln().clamp(-BASE_LIMIT, BASE_LIMIT);
        Self { inside, outside, base: if log_odds.is_nan() { 0.0 } else { log_odds } }
    }
}

impl Loss for Logistic<'_> {
    const MAX_CURVATURE: f64 = 0.25;
    const MAX_GRADIENT: Option<f64> = Some(1.0);
    /// Steps beyond this only chase rows that are certain already.
    const LEAF_LIMIT: f64 = 20.0;

    fn columns(&self) -> [&[f64]; 2] {
        [self.inside, self.outside]
    }

    fn mass([inside, outside]: [f64; 2]) -> f64 {
        inside + outside
    }

    fn base(&self) -> f64 {
        self.base
    }

    fn resolution(&self) -> f64 {
        RESOLUTION
    }

    fn pull([inside, outside]: [f64; 2], odds: f64, hash: u64, draws: &RowDraws) -> Pull {
        let (inside, outside) = draws.masses(inside, outside, hash);
        let probability = 1.0 / (1.0 + odds);
        let mass = inside + outside;
        Pull {
            gradient: inside - mass * probability,
            curvature: mass * probability * (1.0 - probability),
            mass,
        }
    }

    fn state(score: f64) -> f64 {
        (-score).exp()
    }

    fn advance(odds: f64, factor: f64) -> f64 {
        (odds * factor).clamp(1.0 / ODDS_LIMIT, ODDS_LIMIT)
    }
}
