//! The losses as functions of a score, for rows that share it.
//!
//! Rows are summed up into a *mass*, two numbers that say all a loss depends on: for a class the weight of its rows
//! and of all others, for a number `Σ w·y` and `Σ w`.

use serde::{Deserialize, Serialize};

use super::exp;
use crate::coverage::Pair;
use crate::model::Link;

/// The loss that is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LossKind {
    /// `exp(−y f)`, whose score is half the log-odds.
    #[default]
    Exponential,
    /// `log(1 + exp(−y f))`, whose score is the log-odds.
    Logistic,
    /// `½ (y − f)²`, for numbers.
    Squared,
}

/// Runs an expression with the type of a loss. This is the one place where a loss chosen at run time becomes a type.
macro_rules! with_loss {
    ($kind:expr, $Loss:ident => $work:expr) => {
        match $kind {
            $crate::objective::LossKind::Exponential => {
                type $Loss = $crate::objective::Exponential;
                $work
            }
            $crate::objective::LossKind::Logistic => {
                type $Loss = $crate::objective::Logistic;
                $work
            }
            $crate::objective::LossKind::Squared => {
                type $Loss = $crate::objective::Squared;
                $work
            }
        }
    };
}
pub(crate) use with_loss;

impl LossKind {
    /// How a score that minimises the loss becomes a probability.
    pub fn link(self) -> Link {
        match self {
            Self::Exponential => Link::Logistic { scale: 2.0 },
            Self::Logistic => Link::Logistic { scale: 1.0 },
            Self::Squared => Link::Identity {},
        }
    }

    /// The weight of the rows behind a mass.
    pub fn weight(self, mass: Pair) -> f64 {
        with_loss!(self, L => L::weight(mass))
    }

    /// The loss of rows that share a score; that of a number without `½ Σ w·y²`, which no score changes.
    pub fn value(self, mass: Pair, score: f64) -> f64 {
        with_loss!(self, L => L::value(mass, score))
    }

    /// What the loss of standardised numbers starts from, `½ Σ w·y²`; nothing for classes.
    pub fn constant(self) -> f64 {
        match self {
            Self::Exponential | Self::Logistic => 0.0,
            Self::Squared => 0.5,
        }
    }

    /// The loss that l1 problems minimise in its place: for classes always the logistic one, as `RuleFit` and GLRM do.
    pub fn of_l1(self) -> Self {
        match self {
            Self::Exponential | Self::Logistic => Self::Logistic,
            Self::Squared => Self::Squared,
        }
    }

    /// What a score of the loss that l1 problems minimise is multiplied by to become one of this loss.
    pub fn per_l1_score(self) -> f64 {
        match self {
            Self::Exponential => 0.5,
            Self::Logistic | Self::Squared => 1.0,
        }
    }
}

/// Value and derivatives of a loss by the score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derivatives {
    /// The loss.
    pub value: f64,
    /// Its first derivative.
    pub slope: f64,
    /// Its second derivative.
    pub bend: f64,
}

/// A score with its exponential, which re-fitting has as a product and need not compute for each pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The score.
    pub sum: f64,
    /// `exp` of it, cut to what numbers can hold.
    pub exp: f64,
}

impl Score {
    /// Of a score alone.
    pub fn of(sum: f64) -> Self {
        Self { sum, exp: exp(sum) }
    }

    /// Of a score whose exponential was made as a product. Far out that may leave the range of numbers, which the score,
    /// cut to its limit, does not.
    pub fn of_product(sum: f64, product: f64) -> Self {
        if (1e-300..1e300).contains(&product) { Self { sum, exp: product } } else { Self::of(sum) }
    }
}

/// A convex loss of rows that share a score.
pub trait Loss: Copy + Send + Sync + 'static {
    /// The weight of the rows behind a mass.
    fn weight(mass: Pair) -> f64;

    /// The loss at a score of which the exponential is known.
    fn value_at(mass: Pair, score: Score) -> f64;

    /// The loss with its derivatives at a score of which the exponential is known.
    fn derivatives_at(mass: Pair, score: Score) -> Derivatives;

    /// The loss; that of a number without `½ Σ w·y²`, which no score changes.
    fn value(mass: Pair, score: f64) -> f64 {
        Self::value_at(mass, Score::of(score))
    }

    /// The loss with its derivatives.
    fn derivatives(mass: Pair, score: f64) -> Derivatives {
        Self::derivatives_at(mass, Score::of(score))
    }
}

/// `exp(−y f)`.
#[derive(Debug, Clone, Copy)]
pub struct Exponential;

impl Loss for Exponential {
    fn weight(mass: Pair) -> f64 {
        mass[0] + mass[1]
    }

    fn value_at(mass: Pair, score: Score) -> f64 {
        mass[0] / score.exp + mass[1] * score.exp
    }

    fn derivatives_at(mass: Pair, score: Score) -> Derivatives {
        let (inside, outside) = (mass[0] / score.exp, mass[1] * score.exp);
        Derivatives { value: outside + inside, slope: outside - inside, bend: outside + inside }
    }
}

/// `log(1 + exp(−y f))`.
#[derive(Debug, Clone, Copy)]
pub struct Logistic;

impl Loss for Logistic {
    fn weight(mass: Pair) -> f64 {
        mass[0] + mass[1]
    }

    fn value_at(mass: Pair, score: Score) -> f64 {
        LogOdds::of(score).value(mass)
    }

    fn derivatives_at(mass: Pair, score: Score) -> Derivatives {
        let odds = LogOdds::of(score);
        let [inside, outside] = odds.probabilities();
        Derivatives {
            value: odds.value(mass),
            slope: mass[1] * inside - mass[0] * outside,
            bend: (mass[0] + mass[1]) * inside * outside,
        }
    }
}

/// Log-odds with the smaller of the odds for and against: nothing overflows, and no small probability is a difference.
struct LogOdds {
    score: f64,
    smaller: f64,
}

impl LogOdds {
    fn of(score: Score) -> Self {
        Self { score: score.sum, smaller: if score.sum > 0.0 { 1.0 / score.exp } else { score.exp } }
    }

    /// The probabilities of the class and of all others.
    fn probabilities(&self) -> Pair {
        let larger = 1.0 / (1.0 + self.smaller);
        let smaller = self.smaller * larger;
        if self.score > 0.0 { [larger, smaller] } else { [smaller, larger] }
    }

    fn value(&self, mass: Pair) -> f64 {
        // `ln_1p` would take twice as long; of a loss below 1e-16 nothing is to be known.
        let least = (1.0 + self.smaller).ln();
        let wrong = if self.score > 0.0 { mass[1] } else { mass[0] };
        (mass[0] + mass[1]) * least + wrong * self.score.abs()
    }
}

/// `½ (y − f)²`.
#[derive(Debug, Clone, Copy)]
pub struct Squared;

impl Loss for Squared {
    fn weight(mass: Pair) -> f64 {
        mass[1]
    }

    fn value_at(mass: Pair, score: Score) -> f64 {
        score.sum * (0.5 * mass[1] * score.sum - mass[0])
    }

    fn derivatives_at(mass: Pair, score: Score) -> Derivatives {
        let value = Self::value_at(mass, score);
        Derivatives { value, slope: mass[1] * score.sum - mass[0], bend: mass[1] }
    }
}

/// The probability that belongs to log-odds.
pub fn sigmoid(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

/// `ln(1 + e^x)` without overflow.
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivatives against central differences.
    fn check<L: Loss>(mass: Pair, score: f64) {
        const H: f64 = 1e-5;
        let at = L::derivatives(mass, score);
        let slope = (L::value(mass, score + H) - L::value(mass, score - H)) / (2.0 * H);
        let bend =
            (L::derivatives(mass, score + H).slope - L::derivatives(mass, score - H).slope) / (2.0 * H);
        assert!((at.value - L::value(mass, score)).abs() < 1e-12);
        assert!((at.slope - slope).abs() < 1e-6 * (1.0 + slope.abs()), "{at:?}, slope {slope}");
        assert!((at.bend - bend).abs() < 1e-6 * (1.0 + bend.abs()), "{at:?}, bend {bend}");
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        for score in [-3.0, -0.4, 0.0, 0.7, 2.5] {
            for mass in [[0.3, 0.7], [0.0, 0.2], [1.5, 0.0]] {
                check::<Exponential>(mass, score);
                check::<Logistic>(mass, score);
                check::<Squared>(mass, score);
            }
        }
    }

    /// The score of the least loss of a mass, by bisection of the slope.
    fn best_score(loss: LossKind, mass: Pair) -> f64 {
        let slope = |score: f64| with_loss!(loss, L => L::derivatives(mass, score).slope);
        let (mut low, mut high) = (-50.0, 50.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if slope(middle) < 0.0 { low = middle } else { high = middle }
        }
        low
    }

    #[test]
    fn scores_of_l1_problems_become_scores_of_the_loss() {
        for loss in [LossKind::Exponential, LossKind::Logistic, LossKind::Squared] {
            for mass in [[0.3, 0.7], [2.0, 0.1]] {
                let converted = loss.per_l1_score() * best_score(loss.of_l1(), mass);
                assert!((converted - best_score(loss, mass)).abs() < 1e-9, "{loss:?}");
            }
        }
    }
}
