//! The best step along one rule: what a loss says of it from two sums over the rows that the rule covers.

use super::{Bounds, Loss, LumpedSpread, Score, WEIGHT_LIMIT};
use crate::coverage::Pair;

/// Sums over the rows that a rule covers and over the others; the loss says of what ([`RowValue::row`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sums {
    /// On covered rows.
    pub covered: Pair,
    /// On the others.
    pub uncovered: Pair,
    /// What the sums do not hold of the present loss.
    pub base: f64,
    /// The scores that rows may be at.
    pub range: Range,
}

impl Sums {
    /// From what a rule covers and all rows.
    pub fn of<L: Steps>(covered: Pair, all: Total) -> Self {
        let uncovered = L::tidy([all.sums[0] - covered[0], all.sums[1] - covered[1]]);
        Self { covered, uncovered, base: all.base, range: all.range }
    }
}

/// Sums over all rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    /// The sums.
    pub sums: Pair,
    /// What they do not hold of the present loss.
    pub base: f64,
    /// The scores that rows may be at.
    pub range: Range,
}

/// Between which scores the rows of a class lie that go wrong most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// No row of the class has a lower score.
    pub low: f64,
    /// No other row has a higher one.
    pub high: f64,
}

impl Range {
    /// Of no rows.
    pub const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// With rows of a mass at a score.
    pub fn with(self, mass: Pair, score: f64) -> Self {
        Self {
            low: if mass[0] > 0.0 { self.low.min(score) } else { self.low },
            high: if mass[1] > 0.0 { self.high.max(score) } else { self.high },
        }
    }
}

/// A weight for a rule, with a shift of the intercept, and the loss that they lead to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The rule's weight.
    pub weight: f64,
    /// What is added to the intercept.
    pub shift: f64,
    /// The loss of all rows afterwards, with the ridge term of this weight.
    pub loss: f64,
}

/// A rule taken out, the intercept re-optimised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Removal {
    /// What is added to the intercept.
    pub shift: f64,
    /// The loss of all rows afterwards.
    pub loss: f64,
}

/// Where a step may end, and what its weight costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Where the weight may lie.
    pub bounds: Bounds,
    /// Where the shift may lie.
    pub shifts: Bounds,
    /// ρ.
    pub ridge: f64,
}

impl Limits {
    /// Of a step whose weight lies in `bounds`, `intercept` being the present one.
    pub fn new(bounds: Bounds, ridge: f64, intercept: f64) -> Self {
        Self { bounds, shifts: shifts(intercept), ridge }
    }

    /// The same with the intercept as it is.
    pub fn unshifted(self) -> Self {
        Self { shifts: Bounds { low: 0.0, high: 0.0 }, ..self }
    }
}

/// Where a shift of the intercept may lie.
pub(super) fn shifts(intercept: f64) -> Bounds {
    Bounds { low: -WEIGHT_LIMIT - intercept, high: WEIGHT_LIMIT - intercept }
}

/// Rows that share a score, with what steps from it start from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// Their mass.
    pub mass: Pair,
    /// The score.
    pub score: f64,
    /// `exp` of the score, cut so that steps from it stay finite.
    pub odds: f64,
    /// `ln(1 + odds)`.
    pub log: f64,
}

impl Level {
    /// Rows of a mass at a score.
    pub fn new(mass: Pair, score: Score) -> Self {
        let odds = score.exp.clamp(1.0 / ODDS_LIMIT, ODDS_LIMIT);
        Self { mass, score: odds_score(score.sum), odds, log: (1.0 + odds).ln() }
    }
}

/// Keeps odds finite when steps of a few times the largest weight are added.
const ODDS_LIMIT: f64 = 1e200;

/// The score within what odds may be.
fn odds_score(score: f64) -> f64 {
    score.clamp(-ODDS_LIMIT.ln(), ODDS_LIMIT.ln())
}

/// The rows that a rule covers and the others, by score: all that any step depends on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spread {
    /// The covered rows.
    pub covered: Vec<Level>,
    /// The others.
    pub uncovered: Vec<Level>,
}

impl Spread {
    /// From all rows and the covered mass of each level.
    pub fn of(levels: &[Level], covered: &[Pair]) -> Self {
        let mut spread = Self::default();
        for (&level, &inside) in levels.iter().zip(covered) {
            let outside = [(level.mass[0] - inside[0]).max(0.0), (level.mass[1] - inside[1]).max(0.0)];
            for (mass, side) in [(inside, &mut spread.covered), (outside, &mut spread.uncovered)] {
                if mass[0] + mass[1] > 0.0 {
                    side.push(Level { mass, ..level });
                }
            }
        }
        spread
    }
}

/// Two numbers of each row that are summed up over the rows of candidates: a linear function of the row's mass, which
/// depends on its score.
pub trait RowValue: Send + Sync + 'static {
    /// Two numbers of a score that the values are made from.
    fn rates(score: Score) -> Pair;

    /// The value of rows of a mass at a score of these rates.
    fn row(mass: Pair, rates: Pair) -> Pair;
}

/// A loss whose best step along a rule follows from two sums, or is bounded by them.
///
/// Each step takes a function that gives the rows by score; only losses for which two sums are not enough call it.
pub trait Steps: Loss + RowValue {
    /// Whether the sums give the best step itself, and not only bounds of it.
    const CLOSED: bool;

    /// Undoes what rounding makes of a difference of sums.
    fn tidy(sums: Pair) -> Pair;

    /// What the sums over all rows do not hold of a loss.
    fn base(loss: f64) -> f64;

    /// The loss that sums over all rows stand for.
    fn loss_of(all: Total) -> f64;

    /// The sums over all rows when a rule of the given weight, covering `covered`, is taken out; none if they do not
    /// follow from these.
    fn without(all: Total, covered: Pair, weight: f64) -> Option<Total>;

    /// No weight leads to a lower loss while the intercept stays as it is, whatever the box.
    fn single_lower_bound(sums: &Sums, ridge: f64) -> f64;

    /// No step leads to a lower loss, whatever the box.
    fn joint_lower_bound(sums: &Sums, ridge: f64) -> f64;

    /// The same without ridge, knowing the present losses of positive and negative rows, covered and not.
    fn lower_bound_by_losses(sums: &Sums, _covered: Pair, _uncovered: Pair) -> f64 {
        Self::joint_lower_bound(sums, 0.0)
    }

    /// About the loss that the best step leads to, whatever the box: enough to tell which rules are worth a closer look.
    fn joint_estimate(sums: &Sums, ridge: f64) -> f64 {
        Self::joint_lower_bound(sums, ridge)
    }

    /// Taking out a rule of the given weight, with whatever shift, does not lead to a lower loss.
    fn removal_lower_bound(sums: &Sums, weight: f64) -> f64;

    /// The best weight of a rule with the intercept as it is, if it may lead below `cutoff`.
    fn single_step(sums: &Sums, limits: &Limits, cutoff: f64, rows: impl FnOnce() -> Spread) -> Option<Step>;

    /// The best weight and intercept together, if they may lead below `cutoff`.
    fn joint_step(sums: &Sums, limits: &Limits, cutoff: f64, rows: impl FnOnce() -> Spread) -> Option<Step>;

    /// Whether the best weight and intercept together may lead below `cutoff`, by rows in lumps. Where it says no, no
    /// step does.
    fn may_lead_below(
        _sums: &Sums,
        _limits: &Limits,
        _cutoff: f64,
        _lumped: impl FnOnce() -> LumpedSpread,
    ) -> bool {
        true
    }

    /// The best intercept for all rows, `intercept` being the present one; the rows count as uncovered.
    fn intercept_step(all: Total, intercept: f64, rows: impl FnOnce() -> Spread) -> Removal;
}
