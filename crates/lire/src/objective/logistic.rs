//! The logistic loss along one rule: slope and curvature of the covered rows bound what a step can do.
//!
//! The third derivative of `log(1 + e^f)` is nowhere larger than the second. So along a step `t` of rows with slope
//! `g` and curvature `h`, from a loss `L`,
//!
//! ```text
//! L + g·t + h·(e^−|t| + |t| − 1)  ≤  L(t)  ≤  L + g·t + h·(e^|t| − |t| − 1)
//! ```
//!
//! The lower bound has its minimum in closed form. Only where it leaves a chance is the step found exactly, by Newton
//! steps over the rows by score; the upper bound says how far each of them may go.

use super::quadratic::Quadratic;
use super::steps::shifts;
use super::{
    Bounds, Level, Limits, Logistic, LumpedSpread, Range, Removal, RowValue, Score, Spread, Step, Steps,
    Sums, Total, WEIGHT_LIMIT, sigmoid, softplus,
};
use crate::coverage::Pair;

/// A Newton step that promises less is not made.
const NEWTON_TOLERANCE: f64 = 1e-11;
/// Pure rules need a step for each doubling of their weight until the box is reached; the others four or five.
const MAX_NEWTON_STEPS: usize = 60;
/// What the least loss of rows in lumps is found to may be off by: a hundredth of what a certificate allows.
const LUMPS_MARGIN: f64 = 1e-9;
/// How far the intercept may move at the most, from one end of its box to the other.
const REACH: f64 = 2.0 * WEIGHT_LIMIT;

impl RowValue for Logistic {
    /// The probability and its variance.
    fn rates(score: Score) -> Pair {
        let (odds, against) = if score.sum > 0.0 { (1.0, 1.0 / score.exp) } else { (score.exp, 1.0) };
        let total = 1.0 / (odds + against);
        [odds * total, odds * against * total * total]
    }

    /// Slope and curvature.
    fn row(mass: Pair, rates: Pair) -> Pair {
        let weight = mass[0] + mass[1];
        [weight * rates[0] - mass[0], weight * rates[1]]
    }
}

/// The present losses of rows of the class and of all others.
#[derive(Debug, Clone, Copy)]
pub struct ClassLosses;

impl RowValue for ClassLosses {
    /// The losses of a unit of weight.
    fn rates(score: Score) -> Pair {
        let level = Level::new([0.0; 2], score);
        [(level.log - level.score).max(0.0), level.log]
    }

    fn row(mass: Pair, rates: Pair) -> Pair {
        [mass[0] * rates[0], mass[1] * rates[1]]
    }
}

impl Steps for Logistic {
    const CLOSED: bool = false;

    fn tidy(sums: Pair) -> Pair {
        [sums[0], sums[1].max(0.0)]
    }

    fn base(loss: f64) -> f64 {
        loss
    }

    fn loss_of(all: Total) -> f64 {
        all.base
    }

    fn without(_: Total, _: Pair, _: f64) -> Option<Total> {
        None
    }

    fn single_lower_bound(sums: &Sums, ridge: f64) -> f64 {
        let [slope, bend] = sums.covered;
        let end = if ridge > 0.0 { -slope / (bend + ridge) } else { 0.0 };
        let ridged = sums.base - 0.5 * ridge * end * end - gain([slope + ridge * end, bend], REACH);
        ridged.max(sums.base - most(sums.covered, REACH, sums.range))
    }

    fn joint_lower_bound(sums: &Sums, ridge: f64) -> f64 {
        let free =
            sums.base - most(sums.covered, 2.0 * REACH, sums.range) - most(sums.uncovered, REACH, sums.range);
        if ridge == 0.0 {
            return free;
        }
        free.max(lower_bound(sums, ridge, 0.0, ridged_weight(sums, ridge, 0.0)))
    }

    fn lower_bound_by_losses(sums: &Sums, covered: Pair, uncovered: Pair) -> f64 {
        // A step upwards gains on positive rows only, and no more than they have.
        let at_most = |slope: Pair, reach: f64, losses: Pair| {
            most(slope, reach, sums.range).min(if slope[0] < 0.0 { losses[0] } else { losses[1] })
        };
        let covered = at_most(sums.covered, 2.0 * REACH, covered);
        sums.base - covered - at_most(sums.uncovered, REACH, uncovered)
    }

    fn joint_estimate(sums: &Sums, ridge: f64) -> f64 {
        let end = if ridge > 0.0 { ridged_weight(sums, ridge, 0.0) } else { 0.0 };
        let pull = ridge * end;
        let covered = likely([sums.covered[0] + pull, sums.covered[1]], sums.range);
        let uncovered = likely([sums.uncovered[0] - pull, sums.uncovered[1]], sums.range);
        sums.base - 0.5 * pull * end - covered - uncovered
    }

    fn removal_lower_bound(sums: &Sums, weight: f64) -> f64 {
        const STEPS: usize = 6;
        let ([slope, bend], [other_slope, other_bend]) = (sums.covered, sums.uncovered);
        // The best shift of the lower bound, by Newton steps of at most one unit.
        let mut shift = 0.0f64;
        let mut tilt = 0.0;
        for nth in 0..=STEPS {
            let (inside, outside) = (shift - weight, shift);
            let (down, other_down) = ((-inside.abs()).exp(), (-outside.abs()).exp());
            tilt = slope
                + other_slope
                + bend * (1.0 - down).copysign(inside)
                + other_bend * (1.0 - other_down).copysign(outside);
            if nth < STEPS {
                let curvature = bend * down + other_bend * other_down;
                shift = (shift - (tilt / curvature).clamp(-1.0, 1.0)).clamp(-REACH, REACH);
                if shift.is_nan() {
                    return f64::NEG_INFINITY;
                }
            }
        }
        let along = |slope: f64, bend: f64, by: f64| slope * by + bend * ((-by.abs()).exp_m1() + by.abs());
        let value = along(slope, bend, shift - weight) + along(other_slope, other_bend, shift);
        // It is convex: nowhere is it below its tangent.
        sums.base + value - tilt.abs() * 2.0 * REACH
    }

    fn single_step(sums: &Sums, limits: &Limits, cutoff: f64, rows: impl FnOnce() -> Spread) -> Option<Step> {
        let sums = Sums { uncovered: [0.0; 2], ..*sums };
        best_step(&sums, &limits.unshifted(), cutoff, &Spread { uncovered: Vec::new(), ..rows() })
    }

    fn joint_step(sums: &Sums, limits: &Limits, cutoff: f64, rows: impl FnOnce() -> Spread) -> Option<Step> {
        best_step(sums, limits, cutoff, &rows())
    }

    fn may_lead_below(
        sums: &Sums,
        limits: &Limits,
        cutoff: f64,
        lumped: impl FnOnce() -> LumpedSpread,
    ) -> bool {
        let LumpedSpread { spread, excess } = lumped();
        let lumps = Place::new(&spread, sums.base - excess, limits.ridge, 0.0, 0.0).sums;
        let cutoff = cutoff + LUMPS_MARGIN;
        best_step(&lumps, limits, cutoff, &spread).is_some_and(|step| step.loss < cutoff)
    }

    fn intercept_step(all: Total, intercept: f64, rows: impl FnOnce() -> Spread) -> Removal {
        let sums = Sums { covered: [0.0; 2], uncovered: all.sums, base: all.base, range: all.range };
        let still = Bounds { low: 0.0, high: 0.0 };
        let limits = Limits { bounds: still, shifts: shifts(intercept), ridge: 0.0 };
        let step = best_step(&sums, &limits, f64::INFINITY, &Spread { covered: Vec::new(), ..rows() });
        step.map_or(Removal { shift: 0.0, loss: all.base }, |Step { shift, loss, .. }| Removal {
            shift,
            loss,
        })
    }
}

/// What a quadratic model says the weight ends at, the intercept adapting.
fn ridged_weight(sums: &Sums, ridge: f64, weight: f64) -> f64 {
    let ([slope, bend], [other_slope, other_bend]) = (sums.covered, sums.uncovered);
    let stiffness = bend * other_bend / (bend + other_bend);
    let free = weight - slope / bend + other_slope / other_bend;
    let ridged = free * stiffness / (stiffness + ridge);
    if ridged.is_finite() { ridged } else { 0.0 }
}

/// A bound below loss and ridge after any step from a weight, given where the weight may end. The ridge is nowhere below
/// its tangent there, and with the tangent in its place covered and uncovered rows separate.
fn lower_bound(sums: &Sums, ridge: f64, weight: f64, end: f64) -> f64 {
    let pull = ridge * end;
    let covered = gain([sums.covered[0] + pull, sums.covered[1]], 2.0 * REACH);
    let uncovered = gain([sums.uncovered[0] - pull, sums.uncovered[1]], REACH);
    sums.base + pull * (weight - 0.5 * end) - covered - uncovered
}

/// The most that a step of rows with this slope and curvature can gain, at least: where it has no minimum, up to `reach`.
fn gain([slope, bend]: Pair, reach: f64) -> f64 {
    let slope = slope.abs();
    if slope >= bend {
        return slope * reach - bend * (reach - 1.0 + (-reach).exp());
    }
    let ratio = slope / bend;
    if ratio < 0.5 {
        // The series of the expression below, its rest as a geometric one: no logarithm for most rules.
        let rest = ratio / (1.0 - ratio) / 20.0;
        return bend * ratio * ratio * (0.5 + ratio * (1.0 / 6.0 + ratio * (1.0 / 12.0 + rest)));
    }
    bend * (ratio + (1.0 - ratio) * (-ratio).ln_1p())
}

/// The same, knowing which scores the rows may be at.
///
/// A step upwards gains on rows of the class only, and from them no more than their loss, which is at most `c` times
/// the part `P` that they have in the slope; from the others it loses at least their part `N` for each unit. Nor does
/// it gain more than `(P − N)·t`. Both together allow `c·(P − N)`.
fn most(slope: Pair, reach: f64, range: Range) -> f64 {
    if slope[0].abs() < slope[1] {
        // The gain is below the slope then, and `c` nowhere below one.
        return gain(slope, reach);
    }
    let worst = if slope[0] < 0.0 { -range.low } else { range.high };
    // `c` is `−ln(1 − p) / p` at the probability that goes wrong most; it rises with it.
    let limit = slope[0].abs() * softplus(worst) / sigmoid(worst);
    if limit.is_nan() { gain(slope, reach) } else { gain(slope, reach).min(limit) }
}

/// What a step is likely to gain: midway between the bounds, which a parabola and its next term are.
fn likely(slope: Pair, range: Range) -> f64 {
    if slope[0].abs() < slope[1] {
        let ratio = slope[0] / slope[1];
        let square = ratio * ratio;
        return slope[1] * square * (0.5 + square / 12.0);
    }
    let parabola = 0.5 * slope[0] * slope[0] / slope[1];
    parabola.min(most(slope, REACH, range))
}

/// Loss, slope and curvature of some rows.
#[derive(Clone, Copy)]
struct Side {
    change: f64,
    slope: f64,
    bend: f64,
}

/// What a step makes of some rows.
fn side(levels: &[Level], by: f64) -> Side {
    let factor = by.exp();
    let (mut logs, mut expected, mut bend, mut positive) = (0.0, 0.0, 0.0, 0.0);
    for level in levels {
        let weight = level.mass[0] + level.mass[1];
        let odds = level.odds * factor;
        let against = 1.0 / (1.0 + odds);
        let probability = odds * against;
        logs += weight * ((1.0 + odds).ln() - level.log);
        expected += weight * probability;
        bend += weight * probability * against;
        positive += level.mass[0];
    }
    Side { change: logs - positive * by, slope: expected - positive, bend }
}

/// The present loss of some rows.
fn loss(levels: &[Level]) -> f64 {
    levels.iter().map(|level| (level.mass[0] + level.mass[1]) * level.log - level.mass[0] * level.score).sum()
}

/// The most that a step of rows can gain: no row can lose more than it has, which for pure rules is the better bound.
fn most_of_levels(slope: Pair, reach: f64, levels: &[Level]) -> f64 {
    gain(slope, reach).min(loss(levels))
}

/// A place that Newton steps have come to.
struct Place {
    weight: f64,
    shift: f64,
    /// Slope and curvature there, and the loss as base.
    sums: Sums,
    /// Loss and ridge.
    value: f64,
}

impl Place {
    fn new(spread: &Spread, base: f64, ridge: f64, weight: f64, shift: f64) -> Self {
        let (inside, outside) = (side(&spread.covered, weight + shift), side(&spread.uncovered, shift));
        let base = base + inside.change + outside.change;
        let (covered, uncovered) = ([inside.slope, inside.bend], [outside.slope, outside.bend]);
        let sums = Sums { covered, uncovered, base, range: Range::NONE };
        Self { weight, shift, sums, value: base + 0.5 * ridge * weight * weight }
    }

    /// The derivative along a direction.
    fn slope(&self, ridge: f64, (weight, shift): (f64, f64)) -> f64 {
        self.sums.covered[0] * (weight + shift)
            + self.sums.uncovered[0] * shift
            + ridge * self.weight * weight
    }
}

/// The best weight and shift within limits by Newton steps; none as soon as they cannot lead below `cutoff`.
fn best_step(sums: &Sums, limits: &Limits, cutoff: f64, spread: &Spread) -> Option<Step> {
    /// A slope that a step leaves so much of calls for longer steps.
    const STILL_STEEP: f64 = 0.2;
    let ridge = limits.ridge;
    let hope = sums.base
        - most_of_levels(sums.covered, 2.0 * REACH, &spread.covered)
        - most_of_levels(sums.uncovered, REACH, &spread.uncovered);
    if hope >= cutoff {
        return None;
    }
    let mut here = Place { weight: 0.0, shift: 0.0, sums: *sums, value: sums.base };
    let mut stretch = 1.0;
    for _ in 0..MAX_NEWTON_STEPS {
        let model = Quadratic {
            covered: here.sums.covered,
            uncovered: here.sums.uncovered,
            ridge,
            weight: here.weight,
        };
        let left = Bounds { low: limits.shifts.low - here.shift, high: limits.shifts.high - here.shift };
        let direction = model.minimum(&Limits { shifts: left, ..*limits });
        if -model.value(direction.0, direction.1) < NEWTON_TOLERANCE {
            break;
        }
        let farthest = (direction.0 + direction.1).abs().max(direction.1.abs());
        // Up to one unit the upper bound promises that the whole step pays, beyond that this part of it.
        let safe = if farthest <= 1.0 { 1.0 } else { farthest.ln_1p() / farthest };
        let mut length = safe * stretch;
        let walk = |length: f64| {
            let weight = limits.bounds.clamp(here.weight + length * direction.0);
            let shift = limits.shifts.clamp(here.shift + length * direction.1);
            Place::new(spread, sums.base, ridge, weight, shift)
        };
        let mut there = walk(length);
        while there.value > here.value && length > NEWTON_TOLERANCE {
            length *= 0.5;
            there = walk(length);
        }
        if there.value > here.value {
            break;
        }
        let steep = there.slope(ridge, direction) < STILL_STEEP * here.slope(ridge, direction);
        stretch = if steep && length >= safe { 2.0 * stretch } else { 1.0 };
        here = there;
        let end = if ridge > 0.0 { ridged_weight(&here.sums, ridge, here.weight) } else { 0.0 };
        if lower_bound(&here.sums, ridge, here.weight, end) >= cutoff {
            return None;
        }
    }
    Some(Step { weight: here.weight, shift: here.shift, loss: here.value })
}
