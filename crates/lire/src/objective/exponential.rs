//! The exponential loss along one rule: a few sums give the best weight and what it gains.

use super::steps::shifts;
use super::{
    Bounds, Exponential, Limits, Removal, RowValue, Score, Spread, Step, Steps, Sums, Total, WEIGHT_LIMIT,
};
use crate::coverage::Pair;

/// Newton steps on the few sums of one rule; they converge quadratically from the unridged solution.
const MAX_NEWTON_STEPS: usize = 40;
/// A Newton step below this no longer changes the loss.
const NEWTON_TOLERANCE: f64 = 1e-12;

/// The sums are the losses of positive and negative rows: `A⁺, A⁻` covered, `U⁺, U⁻` others.
impl RowValue for Exponential {
    fn rates(score: Score) -> Pair {
        [1.0 / score.exp, score.exp]
    }

    fn row(mass: Pair, rates: Pair) -> Pair {
        [mass[0] * rates[0], mass[1] * rates[1]]
    }
}

impl Steps for Exponential {
    const CLOSED: bool = true;

    fn tidy(sums: Pair) -> Pair {
        [sums[0].max(0.0), sums[1].max(0.0)]
    }

    fn base(_: f64) -> f64 {
        0.0
    }

    fn loss_of(all: Total) -> f64 {
        all.sums[0] + all.sums[1]
    }

    fn without(all: Total, covered: Pair, weight: f64) -> Option<Total> {
        // What a covered row's losses are multiplied by, less one.
        let factors = [weight.exp_m1(), (-weight).exp_m1()];
        let sums = [all.sums[0] + factors[0] * covered[0], all.sums[1] + factors[1] * covered[1]];
        Some(Total { sums: Self::tidy(sums), ..all })
    }

    fn single_lower_bound(sums: &Sums, _: f64) -> f64 {
        2.0 * (sums.covered[0] * sums.covered[1]).sqrt() + sums.uncovered[0] + sums.uncovered[1]
    }

    fn joint_lower_bound(sums: &Sums, _: f64) -> f64 {
        2.0 * ((sums.covered[0] * sums.covered[1]).sqrt() + (sums.uncovered[0] * sums.uncovered[1]).sqrt())
    }

    fn removal_lower_bound(_: &Sums, _: f64) -> f64 {
        f64::NEG_INFINITY
    }

    fn single_step(sums: &Sums, limits: &Limits, _: f64, _: impl FnOnce() -> Spread) -> Option<Step> {
        Some(single_step(sums, limits.bounds, limits.ridge))
    }

    fn joint_step(sums: &Sums, limits: &Limits, _: f64, _: impl FnOnce() -> Spread) -> Option<Step> {
        Some(joint_step(sums, limits))
    }

    fn intercept_step(all: Total, intercept: f64, _: impl FnOnce() -> Spread) -> Removal {
        let shift = shifts(intercept).clamp(half_log_ratio(all.sums));
        Removal { shift, loss: all.sums[0] / shift.exp() + all.sums[1] * shift.exp() }
    }
}

/// The loss after a weight and a shift, without ridge.
fn loss_after(sums: &Sums, weight: f64, shift: f64) -> f64 {
    let (inside, outside) = ((weight + shift).exp(), shift.exp());
    sums.covered[0] / inside
        + sums.covered[1] * inside
        + sums.uncovered[0] / outside
        + sums.uncovered[1] * outside
}

/// The best weight of a rule with the intercept as it is (Theorem 1 without its price, which the caller compares).
fn single_step(sums: &Sums, bounds: Bounds, ridge: f64) -> Step {
    let weight = best_weight(sums.covered, bounds, ridge);
    Step { weight, shift: 0.0, loss: loss_after(sums, weight, 0.0) + 0.5 * ridge * weight * weight }
}

/// The best weight and intercept together.
fn joint_step(sums: &Sums, limits: &Limits) -> Step {
    let Limits { bounds, shifts, ridge } = *limits;
    let outside = half_log_ratio(sums.uncovered);
    let shift = shifts.clamp(outside);
    let free = half_log_ratio(sums.covered) - outside;
    let unbound = shift == outside && bounds.clamp(free) == free;
    if unbound && ridge == 0.0 {
        return Step { weight: free, shift, loss: Exponential::joint_lower_bound(sums, ridge) };
    }
    if ridge == 0.0
        && let Some(step) = step_at_bound(sums, bounds, shifts)
    {
        return step;
    }
    let mut best = single_step(sums, bounds, ridge);
    let consider = |best: &mut Step, weight: f64, shift: f64| {
        let loss = loss_after(sums, weight, shift) + 0.5 * ridge * weight * weight;
        if loss < best.loss {
            *best = Step { weight, shift, loss };
        }
    };
    if ridge > 0.0 {
        let from = if unbound { (free, shift) } else { (best.weight, 0.0) };
        let (weight, shift) = joint_newton(sums, ridge, from.0, from.1);
        consider(&mut best, bounds.clamp(weight), shifts.clamp(shift));
        if bounds.clamp(weight) == weight && shifts.clamp(shift) == shift {
            return best;
        }
    }
    // The box binds: the intercept first, then the weight given it, and so on in turn. The first of these may
    // be far worse than the single step, so that only their own progress tells when to end.
    let mut shift = shift;
    let mut before = f64::INFINITY;
    for _ in 0..MAX_NEWTON_STEPS {
        let (up, down) = (shift.exp(), (-shift).exp());
        let weight = best_weight([sums.covered[0] * down, sums.covered[1] * up], bounds, ridge);
        consider(&mut best, weight, shift);
        let (up, down) = (weight.exp(), (-weight).exp());
        let total = [sums.covered[0] * down + sums.uncovered[0], sums.covered[1] * up + sums.uncovered[1]];
        shift = shifts.clamp(half_log_ratio(total));
        consider(&mut best, weight, shift);
        let loss = loss_after(sums, weight, shift) + 0.5 * ridge * weight * weight;
        if before - loss < NEWTON_TOLERANCE {
            break;
        }
        before = loss;
    }
    best
}

/// The best step without ridge if the rule's own rows push its weight to the end of its box, as those of a pure rule
/// do: the best intercept at that weight, if the weight still wants out there. Both conditions of optimality hold
/// then, and the loss is convex.
fn step_at_bound(sums: &Sums, bounds: Bounds, shifts: Bounds) -> Option<Step> {
    let weight = bounds
        .clamp(half_log_ratio(sums.covered) - half_log_ratio(sums.uncovered).clamp(shifts.low, shifts.high));
    if weight.is_nan() || (weight > bounds.low && weight < bounds.high) {
        return None;
    }
    let up = weight.exp();
    let covered = [sums.covered[0] / up, sums.covered[1] * up];
    let shift =
        shifts.clamp(half_log_ratio([covered[0] + sums.uncovered[0], covered[1] + sums.uncovered[1]]));
    let up = shift.exp();
    let slope = covered[1] * up - covered[0] / up;
    let wants_out = if weight >= bounds.high { slope <= 0.0 } else { slope >= 0.0 };
    let loss = covered[0] / up + covered[1] * up + sums.uncovered[0] / up + sums.uncovered[1] * up;
    wants_out.then_some(Step { weight, shift, loss })
}

/// `½ ln(positive / negative)`, infinite where one of them is 0, and 0 where both are.
fn half_log_ratio(losses: Pair) -> f64 {
    if losses[0] == 0.0 && losses[1] == 0.0 { 0.0 } else { 0.5 * (losses[0] / losses[1]).ln() }
}

/// Minimises `A⁺e^{−a} + A⁻e^{a} + ρa²/2` over the box.
fn best_weight(covered: Pair, bounds: Bounds, ridge: f64) -> f64 {
    let free = half_log_ratio(covered);
    if ridge == 0.0 {
        return bounds.clamp(free);
    }
    // The minimum lies between 0 and the unridged one. The slope is increasing: Newton within the
    // bracket, halving it whenever a step would leave it.
    let free = free.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
    let (mut low, mut high) = (free.min(0.0), free.max(0.0));
    let mut weight = 0.0f64;
    for _ in 0..MAX_NEWTON_STEPS {
        let (positive, negative) = (covered[0] * (-weight).exp(), covered[1] * weight.exp());
        let slope = negative - positive + ridge * weight;
        if slope > 0.0 {
            high = weight;
        } else {
            low = weight;
        }
        let newton = weight - slope / (positive + negative + ridge);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - weight).abs() < NEWTON_TOLERANCE {
            weight = next;
            break;
        }
        weight = next;
    }
    bounds.clamp(weight)
}

/// Minimises loss and ridge over weight and shift by damped Newton steps on the four sums.
fn joint_newton(sums: &Sums, ridge: f64, weight: f64, shift: f64) -> (f64, f64) {
    let value = |weight: f64, shift: f64| loss_after(sums, weight, shift) + 0.5 * ridge * weight * weight;
    let (mut weight, mut shift) = (weight, shift);
    let mut current = value(weight, shift);
    for _ in 0..MAX_NEWTON_STEPS {
        let (inside, outside) = ((weight + shift).exp(), shift.exp());
        let (a, b) = (sums.covered[0] / inside, sums.covered[1] * inside);
        let (c, d) = (sums.uncovered[0] / outside, sums.uncovered[1] * outside);
        let slope_weight = b - a + ridge * weight;
        let slope_shift = b - a + d - c;
        let (ww, ws, ss) = (a + b + ridge, a + b, a + b + c + d);
        let determinant = ww * ss - ws * ws;
        if determinant <= 0.0 {
            break;
        }
        let step_weight = (ws * slope_shift - ss * slope_weight) / determinant;
        let step_shift = (ws * slope_weight - ww * slope_shift) / determinant;
        let mut length = 1.0;
        let mut next = value(weight + step_weight, shift + step_shift);
        while next > current && length > NEWTON_TOLERANCE {
            length *= 0.5;
            next = value(weight + length * step_weight, shift + length * step_shift);
        }
        if next > current {
            break;
        }
        weight += length * step_weight;
        shift += length * step_shift;
        current = next;
        if step_weight.abs().max(step_shift.abs()) < NEWTON_TOLERANCE {
            break;
        }
    }
    (weight, shift)
}
