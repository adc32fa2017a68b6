//! The squared loss along one rule: residual and weight of the covered rows give the best step in closed form.

use super::quadratic::Quadratic;
use super::steps::shifts;
use super::{Limits, Loss, Removal, RowValue, Score, Spread, Squared, Step, Steps, Sums, Total};
use crate::coverage::Pair;

impl RowValue for Squared {
    fn rates(score: Score) -> Pair {
        [score.sum, 0.0]
    }

    /// `Σ w·(y − f)` and `Σ w`.
    fn row(mass: Pair, rates: Pair) -> Pair {
        [mass[0] - mass[1] * rates[0], mass[1]]
    }
}

impl Steps for Squared {
    const CLOSED: bool = true;

    fn tidy(sums: Pair) -> Pair {
        [sums[0], sums[1].max(0.0)]
    }

    fn base(loss: f64) -> f64 {
        loss
    }

    fn loss_of(all: Total) -> f64 {
        all.base
    }

    fn without(all: Total, covered: Pair, weight: f64) -> Option<Total> {
        let back = weight * covered[1];
        let base = all.base + weight * (covered[0] + 0.5 * back);
        Some(Total { sums: [all.sums[0] + back, all.sums[1]], base, ..all })
    }

    fn single_lower_bound(sums: &Sums, ridge: f64) -> f64 {
        sums.base - gain([sums.covered[0], sums.covered[1] + ridge])
    }

    fn joint_lower_bound(sums: &Sums, ridge: f64) -> f64 {
        // With the intercept adapting, the covered rows tell of the weight what is left of them beside the others.
        let all = [sums.covered[0] + sums.uncovered[0], sums.covered[1] + sums.uncovered[1]];
        let share = if all[1] > 0.0 { sums.covered[1] / all[1] } else { 0.0 };
        let beside = [sums.covered[0] - share * all[0], share * sums.uncovered[1] + ridge];
        sums.base - gain(all) - gain(beside)
    }

    fn removal_lower_bound(_: &Sums, _: f64) -> f64 {
        f64::NEG_INFINITY
    }

    fn single_step(sums: &Sums, limits: &Limits, cutoff: f64, rows: impl FnOnce() -> Spread) -> Option<Step> {
        Self::joint_step(sums, &limits.unshifted(), cutoff, rows)
    }

    fn joint_step(sums: &Sums, limits: &Limits, _: f64, _: impl FnOnce() -> Spread) -> Option<Step> {
        let quadratic = Quadratic {
            covered: [-sums.covered[0], sums.covered[1]],
            uncovered: [-sums.uncovered[0], sums.uncovered[1]],
            ridge: limits.ridge,
            weight: 0.0,
        };
        let (weight, shift) = quadratic.minimum(limits);
        Some(Step { weight, shift, loss: sums.base + quadratic.value(weight, shift) })
    }

    fn intercept_step(all: Total, intercept: f64, _: impl FnOnce() -> Spread) -> Removal {
        let shift = shifts(intercept).clamp(if all.sums[1] > 0.0 { all.sums[0] / all.sums[1] } else { 0.0 });
        Removal { shift, loss: all.base + Self::value(all.sums, shift) }
    }
}

/// How much a step without limits gains: `r² / 2w`.
fn gain(sums: Pair) -> f64 {
    if sums[1] > 0.0 { 0.5 * sums[0] * sums[0] / sums[1] } else { 0.0 }
}
