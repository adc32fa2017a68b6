//! Re-optimises the intercept and all weights of a support, exactly, on its activation patterns.

use super::expansion::Expansion;
use super::linalg::{Cholesky, dot};
use super::rows::Patterns;
use crate::objective::{Bounds, Loss, Score, WEIGHT_LIMIT, exp};
use std::marker::PhantomData;

/// The convex problem of one support: everything row-sized has been summed up into patterns.
pub(super) struct Refit<'a, L> {
    /// Which rules of the support are active together, with the masses of their rows.
    patterns: &'a Patterns,
    /// Where each weight may lie.
    bounds: &'a [Bounds],
    /// ρ.
    ridge: f64,
    loss: PhantomData<L>,
}

/// How far to go: the decrease that a further Newton step must promise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Precision {
    /// Enough to compare two supports.
    Rough,
    /// As far as the authors of the paper go between the rounds of their algorithm, and somewhat further.
    Close,
    /// As far as the numbers carry.
    Exact,
}

impl Precision {
    fn tolerance(self) -> f64 {
        match self {
            Self::Rough | Self::Close => 1e-5,
            Self::Exact => 1e-11,
        }
    }

    fn max_steps(self) -> usize {
        match self {
            Self::Rough => 2,
            Self::Close => 3,
            // Separable data needs a step for each unit of weight until the box is reached.
            Self::Exact => 100,
        }
    }
}

/// Added to the diagonal, relative to its mean, so that rules that depend on each other can be solved for.
const DAMPING: f64 = 1e-9;
/// A weight that is pushed out of its box from this near, at the most, is put on its edge.
const NEAR_BOUND: f64 = 0.01;

impl<'a, L: Loss> Refit<'a, L> {
    pub fn new(patterns: &'a Patterns, bounds: &'a [Bounds], ridge: f64) -> Self {
        Self { patterns, bounds, ridge, loss: PhantomData }
    }

    /// Loss with ridge at the given parameters (intercept first).
    pub fn value(&self, parameters: &[f64]) -> f64 {
        let ridge: f64 = parameters[1..].iter().map(|weight| weight * weight).sum();
        let scores = Scores::of(parameters);
        let mut loss = 0.0;
        for (active, &mass) in self.patterns.iter() {
            loss += L::value_at(mass, scores.at(active));
        }
        loss + 0.5 * self.ridge * ridge
    }

    /// Minimises from the given parameters (intercept first) within the box by projected Newton steps; gives the value.
    pub fn minimise(&self, parameters: &mut [f64], precision: Precision) -> f64 {
        let mut here = self.expand(parameters);
        for _ in 0..precision.max_steps() {
            let free = self.free(parameters, &mut here);
            let curvature = std::mem::take(&mut here.curvature);
            let Some(direction) = newton_direction(&here.gradient, curvature, &free) else { break };
            let promised: f64 = -0.5 * direction.iter().zip(&here.gradient).map(|(d, g)| d * g).sum::<f64>();
            if promised < precision.tolerance() {
                break;
            }
            let Some((next, there)) = self.line_search(parameters, &direction, &here) else { break };
            parameters.copy_from_slice(&next);
            here = there;
        }
        here.value
    }

    /// What taking each rule out leads to once the others have adapted, to second order: the cost
    /// `½ α² / (H⁻¹)_mm` and the changed parameters, the rule's own left out.
    pub fn removals(&self, parameters: &[f64]) -> Vec<AdaptedRemoval> {
        let Expansion { curvature, .. } = self.expand(parameters);
        let size = parameters.len();
        let inverse = factored(&curvature, size).map(|factor| factor.inverse());
        (1..size)
            .map(|out| {
                let Some(inverse) = &inverse else {
                    return AdaptedRemoval { cost: 0.0, parameters: without(parameters, out) };
                };
                let column = &inverse[out * size..(out + 1) * size];
                let per_unit = parameters[out] / column[out];
                let adapted: Vec<f64> = (0..size)
                    .map(|at| self.bounds(at).clamp(parameters[at] - per_unit * column[at]))
                    .collect();
                AdaptedRemoval { cost: 0.5 * parameters[out] * per_unit, parameters: without(&adapted, out) }
            })
            .collect()
    }

    fn bounds(&self, at: usize) -> Bounds {
        if at == 0 { Bounds { low: -WEIGHT_LIMIT, high: WEIGHT_LIMIT } } else { self.bounds[at - 1] }
    }

    /// The value with its first and second derivatives.
    fn expand(&self, parameters: &[f64]) -> Expansion {
        let size = parameters.len();
        let mut expansion = Expansion::zero(size);
        let scores = Scores::of(parameters);
        for (active, &mass) in self.patterns.iter() {
            let at = L::derivatives_at(mass, scores.at(active));
            expansion.value += at.value;
            expansion.add(active, at.slope, at.bend);
        }
        for (at, weight) in parameters.iter().enumerate().skip(1) {
            expansion.value += 0.5 * self.ridge * weight * weight;
            expansion.gradient[at] += self.ridge * weight;
            expansion.curvature[at * size + at] += self.ridge;
        }
        expansion
    }

    /// The parameters that are not held at their bound by the gradient.
    ///
    /// Those that are pushed out of their box from nearby are put on its edge first: a step that the box cuts short in
    /// one direction would be wrong in all others. How near that is shrinks with the gradient (Bertsekas 1982).
    fn free(&self, parameters: &mut [f64], here: &mut Expansion) -> Vec<usize> {
        let reaches = (0..parameters.len()).map(|at| self.reach(at, parameters[at], here));
        let near = reaches.fold(0.0, f64::max).min(NEAR_BOUND);
        let edged: Vec<f64> =
            (0..parameters.len()).map(|at| self.edge(at, parameters[at], here.gradient[at], near)).collect();
        if edged != parameters {
            let there = self.expand(&edged);
            if there.value <= here.value {
                parameters.copy_from_slice(&edged);
                *here = there;
            }
        }
        (0..parameters.len()).filter(|&at| !self.is_held(at, parameters[at], here.gradient[at])).collect()
    }

    /// How far a step along the gradient goes within the box.
    fn reach(&self, at: usize, value: f64, here: &Expansion) -> f64 {
        let newton = here.gradient[at] / here.curvature[0].max(f64::MIN_POSITIVE);
        (self.bounds(at).clamp(value - newton) - value).abs()
    }

    /// Whether a parameter is on an edge of its box that the slope pushes it against.
    fn is_held(&self, at: usize, value: f64, slope: f64) -> bool {
        let bounds = self.bounds(at);
        (value <= bounds.low && slope > 0.0) || (value >= bounds.high && slope < 0.0)
    }

    /// The edge of the box if it is near and the slope pushes there, else the value as it is.
    fn edge(&self, at: usize, value: f64, slope: f64, near: f64) -> f64 {
        let bounds = self.bounds(at);
        match slope {
            slope if slope > 0.0 && value <= bounds.low + near => bounds.low,
            slope if slope < 0.0 && value >= bounds.high - near => bounds.high,
            _ => value,
        }
    }

    /// The first of 1, ½, ¼ … along the projected direction that lowers the value enough, with the expansion
    /// there: the whole step almost always does, so that nothing is computed twice.
    ///
    /// Where data can be separated the loss falls like `exp(−t)` along the direction and a Newton step covers
    /// one unit of many: then 2, 4, 8 … are tried while they pay.
    fn line_search(
        &self,
        from: &[f64],
        direction: &[f64],
        here: &Expansion,
    ) -> Option<(Vec<f64>, Expansion)> {
        const STILL_STEEP: f64 = 0.2;
        const SHORTEST: f64 = 1e-6;
        let mut length = 1.0;
        let mut best = self.stride(from, direction, length);
        while !suffices(from, &best.0, best.1.value, here) {
            // Shorter steps are many where they are needed at all, and derivatives cost most.
            let shorter = std::iter::successors(Some(0.5 * length), |length| Some(0.5 * length));
            let found = shorter.take_while(|&length| length >= SHORTEST).find(|&length| {
                let to = self.clamped(from, direction, length);
                suffices(from, &to, self.value(&to), here)
            });
            length = found?;
            best = self.stride(from, direction, length);
        }
        if length < 1.0 || dot(&best.1.gradient, direction) >= STILL_STEEP * dot(&here.gradient, direction) {
            return Some(best);
        }
        let mut lowest = best.1.value;
        while 2.0 * length < WEIGHT_LIMIT {
            let further = self.value(&self.clamped(from, direction, 2.0 * length));
            if further >= lowest {
                break;
            }
            (length, lowest) = (2.0 * length, further);
        }
        Some(if length > 1.0 { self.stride(from, direction, length) } else { best })
    }

    /// Where a step of a length along a direction ends within the box.
    fn clamped(&self, from: &[f64], direction: &[f64], length: f64) -> Vec<f64> {
        (0..from.len()).map(|at| self.bounds(at).clamp(from[at] + length * direction[at])).collect()
    }

    /// The same with the expansion there.
    fn stride(&self, from: &[f64], direction: &[f64], length: f64) -> (Vec<f64>, Expansion) {
        let to = self.clamped(from, direction, length);
        let there = self.expand(&to);
        (to, there)
    }
}

/// Whether a value after a step is low enough for what the gradient had promised.
fn suffices(from: &[f64], to: &[f64], value: f64, here: &Expansion) -> bool {
    const SUFFICIENT: f64 = 1e-4;
    let promised: f64 = (0..from.len()).map(|at| here.gradient[at] * (to[at] - from[at])).sum();
    value <= here.value + SUFFICIENT * promised && value < here.value
}

/// A support without one of its rules.
#[derive(Debug, Clone)]
pub struct AdaptedRemoval {
    /// How much the loss rises.
    pub cost: f64,
    /// The intercept and the weights of the rules that are left.
    pub parameters: Vec<f64>,
}

fn without(parameters: &[f64], out: usize) -> Vec<f64> {
    parameters.iter().enumerate().filter(|&(at, _)| at != out).map(|(_, &value)| value).collect()
}

/// The scores of patterns, with `exp` of each parameter: that of a sum of a few of them is a product of these.
pub(super) struct Scores<'a> {
    parameters: &'a [f64],
    factors: Vec<f64>,
}

impl<'a> Scores<'a> {
    pub fn of(parameters: &'a [f64]) -> Self {
        Self { parameters, factors: parameters.iter().map(|&parameter| exp(parameter)).collect() }
    }

    /// The score of a pattern.
    pub fn at(&self, active: &[u16]) -> Score {
        let (mut sum, mut product) = (self.parameters[0], self.factors[0]);
        for &at in active {
            sum += self.parameters[at as usize + 1];
            product *= self.factors[at as usize + 1];
        }
        Score::of_product(sum, product)
    }
}

/// The factor of a curvature, damped as little as it takes: rows that are decided almost surely make it singular up
/// to rounding.
fn factored(curvature: &[f64], size: usize) -> Option<Cholesky> {
    let mean = (0..size).map(|at| curvature[at * size + at]).sum::<f64>() / size as f64;
    let mut damping = DAMPING;
    while damping < 1.0 {
        let mut damped = curvature.to_vec();
        for at in 0..size {
            damped[at * size + at] += damping * mean + f64::MIN_POSITIVE;
        }
        if let Some(factor) = Cholesky::of(damped, size) {
            return Some(factor);
        }
        damping *= 100.0;
    }
    None
}

/// The Newton direction over the free parameters; 0 for the others.
fn newton_direction(gradient: &[f64], curvature: Vec<f64>, free: &[usize]) -> Option<Vec<f64>> {
    let (size, n_free) = (gradient.len(), free.len());
    if n_free == 0 {
        return None;
    }
    let mut reduced = curvature;
    if n_free < size {
        // Free parameters are ascending, so that each entry moves forward or stays.
        for (nth, &row) in free.iter().enumerate() {
            for (column, &from) in free[..=nth].iter().enumerate() {
                reduced[nth * n_free + column] = reduced[row * size + from];
            }
        }
        reduced.truncate(n_free * n_free);
    }
    let factor = factored(&reduced, n_free)?;
    let mut step: Vec<f64> = free.iter().map(|&at| -gradient[at]).collect();
    factor.solve(&mut step);
    let mut direction = vec![0.0; size];
    for (&at, step) in free.iter().zip(step) {
        direction[at] = step;
    }
    Some(direction)
}
