//! Optimality conditions and the duality gap, one column at a time.
//!
//! With `h(α) = π|α|` within its bounds, the problem `min Σ_n ℓ_n(f_n) + Σ_m h_m(α_m)` has the dual
//! `max −Σ_n ℓ*_n(θ_n) − Σ_m h*_m(−g_m)`, where `g_m = Σ_n θ_n x_nm`. The intercept is a column of ones with π = 0.
//! As all bounds are finite, every θ is feasible; one that obeys `|g_m| ≤ π_m` pays nothing for the bounds.

use crate::coverage::Pair;
use crate::objective::{Bounds, Logistic, Loss, Squared, sigmoid};

/// A loss with its conjugate.
pub(super) trait Dual: Loss {
    /// Whether the curvature does not depend on the score, so that one Newton step is exact.
    const IS_QUADRATIC: bool;

    /// First and second derivative by the score: those of [`Loss::derivatives`] without the value, which costs most.
    fn slope_and_bend(mass: Pair, score: f64) -> Pair;

    /// The largest `slope·f − value(mass, f)` over the scores f.
    fn conjugate(mass: Pair, slope: f64) -> f64;

    /// The loss of a row whose score is 0, without what no score changes.
    fn at_zero(mass: Pair) -> f64;
}

impl Dual for Logistic {
    const IS_QUADRATIC: bool = false;

    fn slope_and_bend(mass: Pair, score: f64) -> Pair {
        let (probability, total) = (sigmoid(score), mass[0] + mass[1]);
        [total * probability - mass[0], total * probability * (1.0 - probability)]
    }

    fn conjugate(mass: Pair, slope: f64) -> f64 {
        let total = mass[0] + mass[1];
        // Products of the weight of a probability with its logarithm; nothing where there is no weight.
        let part = |weight: f64| if weight > 0.0 { weight * (weight / total).ln() } else { 0.0 };
        part(mass[0] + slope) + part(mass[1] - slope)
    }

    fn at_zero(mass: Pair) -> f64 {
        Self::value(mass, 0.0)
    }
}

impl Dual for Squared {
    const IS_QUADRATIC: bool = true;

    fn slope_and_bend(mass: Pair, score: f64) -> Pair {
        [mass[1] * score - mass[0], mass[1]]
    }

    fn conjugate(mass: Pair, slope: f64) -> f64 {
        if mass[1] > 0.0 { (slope + mass[0]).powi(2) / (2.0 * mass[1]) } else { 0.0 }
    }

    fn at_zero(mass: Pair) -> f64 {
        Self::conjugate(mass, 0.0)
    }
}

/// A weight with its price and bounds, and the derivative of the loss by it.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub weight: f64,
    pub slope: f64,
    pub price: f64,
    pub bounds: Bounds,
}

impl Column {
    /// How much the objective would fall for a small step, for each unit of it: 0 at the minimum.
    pub fn violation(self) -> f64 {
        let Self { weight, slope, price, bounds } = self;
        let to_the_right = slope + if weight >= 0.0 { price } else { -price };
        let to_the_left = slope + if weight > 0.0 { price } else { -price };
        let right = if weight < bounds.high { -to_the_right } else { 0.0 };
        let left = if weight > bounds.low { to_the_left } else { 0.0 };
        right.max(left).max(0.0)
    }

    /// How strongly the loss pulls the weight away from zero, as far as its bounds let it go.
    pub fn pull(self) -> f64 {
        let up = if self.bounds.high > 0.0 { -self.slope } else { 0.0 };
        let down = if self.bounds.low < 0.0 { self.slope } else { 0.0 };
        up.max(down).max(0.0)
    }

    /// This column's part of the gap between the objective and the dual value of the slopes: never negative.
    pub fn gap(self) -> f64 {
        (self.price * self.weight.abs() + self.weight * self.slope + self.conjugate(1.0)).max(0.0)
    }

    /// `h*(−scale·slope)`: what the dual value pays for this column.
    pub fn conjugate(self, scale: f64) -> f64 {
        let pull = -scale * self.slope;
        let up = self.bounds.high * (pull - self.price);
        let down = self.bounds.low * (pull + self.price);
        up.max(down).max(0.0)
    }

    /// What the slopes must be multiplied by for this column to cost the dual value nothing; 1 if they need not.
    pub fn scale(self) -> f64 {
        if self.price > 0.0 && self.conjugate(1.0) > 0.0 { self.price / self.slope.abs() } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The conjugate is the largest of `slope·f − value` over a fine grid of scores.
    fn check<L: Dual>(mass: Pair, slope: f64) {
        let values = (-60_000..=60_000).map(|nth| {
            let score = f64::from(nth) / 4000.0;
            slope * score - L::value(mass, score)
        });
        let largest = values.fold(f64::NEG_INFINITY, f64::max);
        let found = L::conjugate(mass, slope);
        assert!((found - largest).abs() < 1e-6, "{mass:?}, {slope}: {found} against {largest}");
    }

    #[test]
    fn derivatives_are_those_of_the_loss() {
        fn check<L: Dual>(mass: Pair, score: f64) {
            let (found, expected) = (L::slope_and_bend(mass, score), L::derivatives(mass, score));
            assert!((found[0] - expected.slope).abs() < 1e-15 && (found[1] - expected.bend).abs() < 1e-15);
        }
        for score in [-30.0, -0.7, 0.0, 2.5] {
            check::<Logistic>([0.3, 0.6], score);
            check::<Squared>([0.3, 0.6], score);
        }
    }

    #[test]
    fn conjugates_are_suprema() {
        for mass in [[0.3, 0.7], [0.5, 0.5], [0.0, 0.4], [0.9, 0.0]] {
            for share in [0.05, 0.4, 0.8] {
                check::<Logistic>(mass, share * (mass[0] + mass[1]) - mass[0]);
            }
        }
        for mass in [[0.3, 0.7], [-0.5, 0.5], [0.0, 0.4]] {
            for slope in [-0.4, 0.0, 0.3] {
                check::<Squared>(mass, slope);
            }
        }
    }

    /// The price of a column and its conjugate: the largest of `−slope·a − π|a|` over a grid of the bounds.
    #[test]
    fn a_column_pays_its_supremum() {
        for bounds in [Bounds { low: -2.0, high: 3.0 }, Bounds { low: 0.0, high: 1.0 }] {
            for (slope, price) in [(0.3, 0.1), (-0.3, 0.1), (0.05, 0.1), (-0.2, 0.0), (0.2, 0.0)] {
                let column = Column { weight: 0.0, slope, price, bounds };
                let values = (0..=1000).map(|nth| {
                    let weight = bounds.low + (bounds.high - bounds.low) * f64::from(nth) / 1000.0;
                    -slope * weight - price * weight.abs()
                });
                let largest = values.fold(0.0, f64::max);
                assert!((column.conjugate(1.0) - largest).abs() < 1e-9);
            }
        }
    }
}
