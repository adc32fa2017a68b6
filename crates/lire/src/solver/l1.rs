//! The weights of `RuleFit`: the logistic loss with an l1 penalty, intercept free.
//!
//! Minimises `(1/W) Σ_n w_n log(1 + exp(−y_n f(x_n))) + γ Σ_m |α_m|` by proximal Newton steps on a working
//! set of rules, which grows by those that violate the optimality conditions most. Like the re-fit it works on
//! activation patterns, so that only the scans touch rows.

use super::expansion::Expansion;
use super::linalg::Cholesky;
use super::{Problem, Weights};
use crate::coverage::{Pair, Patterns};
use crate::objective::WEIGHT_LIMIT;

/// What came out, with how far the optimality conditions are fulfilled.
#[derive(Debug, Clone, PartialEq)]
pub struct L1Solution {
    /// The weights; those that are 0 are not listed.
    pub weights: Weights,
    /// Loss and penalty.
    pub objective: f64,
    /// The largest violation of the optimality conditions, over all candidates and the intercept.
    pub violation: f64,
}

/// Optimality conditions are fulfilled up to this unless the caller asks for less.
pub const L1_TOLERANCE: f64 = 1e-8;
/// Rules taken into the working set at a time, at the least: doubling it keeps the number of scans logarithmic.
const MIN_GROWTH: usize = 16;
/// Rounds of scan and solve; each but the last enlarges the working set.
const MAX_ROUNDS: usize = 200;
/// Newton steps on one working set.
const MAX_NEWTON_STEPS: usize = 100;
/// Coordinate sweeps over the quadratic model of one Newton step.
const MAX_SWEEPS: usize = 500;
/// The weights of the working set are found up to this share of the largest violation outside of it.
const ROUND_ACCURACY: f64 = 0.1;
/// Sweeps before the first Newton step within the signs, and at least between two of them.
const SWEEPS_BEFORE_LEAP: usize = 4;
/// A Newton step over n rules costs about n / 6 sweeps: it should not be most of the work.
const RULES_PER_SWEEP_BETWEEN_LEAPS: usize = 12;
/// The quadratic model is minimised up to this share of the violation that is left.
const SWEEP_ACCURACY: f64 = 0.1;

/// Solves for one γ from a start, until the optimality conditions hold up to a tolerance.
pub fn solve_l1(problem: &Problem, start: &Weights, gamma: f64, tolerance: f64) -> L1Solution {
    let mut working = WorkingSet::new(problem, start);
    let mut violation = f64::INFINITY;
    // While rules are missing, the weights of those in the set need not be more exact than what is missing.
    let mut inner = tolerance.max(gamma);
    for _ in 0..MAX_ROUNDS {
        working.minimise(gamma, inner);
        working.drop_zeros();
        let gradient = problem.coverage.sums(&working.row_gradients());
        let in_set = working.membership();
        let mut violators: Vec<(f64, usize)> = (0..gradient.len())
            .filter(|&rule| problem.eligible[rule] && !in_set[rule])
            .map(|rule| (gradient[rule][0].abs() - gamma, rule))
            .filter(|&(excess, _)| excess > tolerance)
            .collect();
        violators.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let missing = violators.first().map_or(0.0, |worst| worst.0);
        violation = working.violation(gamma).max(missing);
        if violation <= tolerance || (violators.is_empty() && inner <= tolerance) {
            break;
        }
        inner = tolerance.max(ROUND_ACCURACY * missing.min(inner));
        for &(_, rule) in violators.iter().take(MIN_GROWTH.max(working.rules.len())) {
            working.push(rule, 0.0);
        }
    }
    let objective = working.value(&working.parameters, gamma);
    L1Solution { weights: working.weights(), objective, violation }
}

/// A few rules with their weights, zeros among them.
struct WorkingSet<'p> {
    problem: &'p Problem,
    rules: Vec<usize>,
    /// The intercept, then a weight for each rule.
    parameters: Vec<f64>,
    patterns: Patterns,
}

impl<'p> WorkingSet<'p> {
    fn new(problem: &'p Problem, start: &Weights) -> Self {
        let patterns = Patterns::of_no_rules(&problem.masses);
        let mut set = Self { problem, rules: Vec::new(), parameters: vec![start.intercept], patterns };
        for &(rule, weight) in &start.rules {
            set.push(rule, weight);
        }
        set
    }

    fn push(&mut self, rule: usize, weight: f64) {
        self.patterns.insert(&self.problem.coverage, rule, self.rules.len(), &self.problem.masses);
        self.rules.push(rule);
        self.parameters.push(weight);
    }

    fn drop_zeros(&mut self) {
        for position in
            (0..self.rules.len()).rev().filter(|&at| self.parameters[at + 1] == 0.0).collect::<Vec<_>>()
        {
            let rule = self.rules.remove(position);
            self.parameters.remove(position + 1);
            self.patterns.remove(rule, position);
        }
    }

    fn membership(&self) -> Vec<bool> {
        let mut member = vec![false; self.problem.shares.len()];
        for &rule in &self.rules {
            member[rule] = true;
        }
        member
    }

    fn weights(&self) -> Weights {
        let mut rules: Vec<_> =
            self.rules.iter().copied().zip(self.parameters[1..].iter().copied()).collect();
        rules.retain(|&(_, weight)| weight != 0.0);
        rules.sort_unstable_by_key(|&(rule, _)| rule);
        Weights { intercept: self.parameters[0], rules }
    }

    /// Loss and penalty.
    fn value(&self, parameters: &[f64], gamma: f64) -> f64 {
        let loss: f64 = self
            .patterns
            .iter()
            .map(|(active, mass)| {
                let score = score(parameters, active);
                mass[0] * softplus(-score) + mass[1] * softplus(score)
            })
            .sum();
        loss + gamma * parameters[1..].iter().map(|weight| weight.abs()).sum::<f64>()
    }

    /// The derivative of the loss by the score of each distinct row; the second number of the pair is unused.
    fn row_gradients(&self) -> Vec<Pair> {
        let probability: Vec<f64> =
            self.patterns.iter().map(|(active, _)| sigmoid(score(&self.parameters, active))).collect();
        let gradient = |(mass, &pattern): (&Pair, &u32)| {
            [(mass[0] + mass[1]) * probability[pattern as usize] - mass[0], 0.0]
        };
        self.problem.masses.iter().zip(self.patterns.of_row()).map(gradient).collect()
    }

    /// Proximal Newton steps until the optimality conditions hold within the set.
    fn minimise(&mut self, gamma: f64, tolerance: f64) {
        let mut value = self.value(&self.parameters, gamma);
        for _ in 0..MAX_NEWTON_STEPS {
            let (gradient, curvature) = self.expand();
            let violation = largest_violation(&self.parameters, &gradient, gamma);
            if violation < tolerance {
                return;
            }
            // Far from the solution the model itself is wrong by more than its rough minimum.
            let accuracy = SWEEP_ACCURACY * violation.max(tolerance);
            let target = quadratic_minimum(&self.parameters, &gradient, &curvature, gamma, accuracy);
            let mut length = 1.0;
            loop {
                let next: Vec<f64> = self
                    .parameters
                    .iter()
                    .zip(&target)
                    .map(|(from, to)| if length == 1.0 { *to } else { from + length * (to - from) })
                    .collect();
                let lower = self.value(&next, gamma);
                if lower < value {
                    (self.parameters, value) = (next, lower);
                    break;
                }
                length *= 0.5;
                if length < 1e-8 {
                    return;
                }
            }
        }
    }

    fn violation(&self, gamma: f64) -> f64 {
        largest_violation(&self.parameters, &self.expand().0, gamma)
    }

    /// Gradient and curvature of the loss; the curvature in full.
    fn expand(&self) -> (Vec<f64>, Vec<f64>) {
        let size = self.parameters.len();
        let mut expansion = Expansion::zero(size);
        for (active, mass) in self.patterns.iter() {
            let probability = sigmoid(score(&self.parameters, active));
            let total = mass[0] + mass[1];
            expansion.add(active, total * probability - mass[0], total * probability * (1.0 - probability));
        }
        let Expansion { gradient, mut curvature, .. } = expansion;
        for row in 0..size {
            for column in row + 1..size {
                curvature[row * size + column] = curvature[column * size + row];
            }
        }
        (gradient, curvature)
    }
}

/// Minimises the quadratic model around `from`, with the penalty, by coordinate descent; once in a while a Newton
/// step within the signs found so far saves the many sweeps that correlated rules would need.
fn quadratic_minimum(
    from: &[f64],
    gradient: &[f64],
    curvature: &[f64],
    gamma: f64,
    accuracy: f64,
) -> Vec<f64> {
    let mut model = QuadraticModel { at: from.to_vec(), slope: gradient.to_vec(), curvature, gamma };
    let mut next_leap = SWEEPS_BEFORE_LEAP;
    for sweep in 0..MAX_SWEEPS {
        if model.sweep() < accuracy {
            break;
        }
        if sweep == next_leap {
            let n_signed = model.leap();
            next_leap += SWEEPS_BEFORE_LEAP.max(n_signed / RULES_PER_SWEEP_BETWEEN_LEAPS);
        }
    }
    model.at
}

/// A quadratic function plus `γ‖·‖₁`, the intercept unpenalised, at a point.
struct QuadraticModel<'a> {
    at: Vec<f64>,
    /// The gradient of the quadratic part at `at`.
    slope: Vec<f64>,
    /// In full, row by row.
    curvature: &'a [f64],
    gamma: f64,
}

impl QuadraticModel<'_> {
    /// Minimises along each coordinate in turn; gives the largest change of a slope.
    fn sweep(&mut self) -> f64 {
        /// Keeps a rule whose rows are all decided from taking an infinite step.
        const DAMPING: f64 = 1e-12;
        let mut largest = 0.0f64;
        for coordinate in 0..self.at.len() {
            let bend = self.line(coordinate)[coordinate] + DAMPING;
            let free = self.at[coordinate] - self.slope[coordinate] / bend;
            let price = if coordinate == 0 { 0.0 } else { self.gamma / bend };
            let next = soft_threshold(free, price).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
            let step = next - self.at[coordinate];
            if step != 0.0 {
                self.at[coordinate] = next;
                self.move_slope(coordinate, step);
                largest = largest.max(step.abs() * bend);
            }
        }
        largest
    }

    /// A Newton step over the intercept and the weights that are neither zero nor at their limit, as far as they keep
    /// their signs; gives their number.
    fn leap(&mut self) -> usize {
        let inside = |at: f64| at != 0.0 && at.abs() < WEIGHT_LIMIT;
        let signed: Vec<usize> =
            (0..self.at.len()).filter(|&coordinate| coordinate == 0 || inside(self.at[coordinate])).collect();
        let size = signed.len();
        let mut step: Vec<f64> = signed
            .iter()
            .map(|&at| -self.slope[at] - if at == 0 { 0.0 } else { self.gamma * self.at[at].signum() })
            .collect();
        let mut reduced = vec![0.0; size * size];
        for (nth, &row) in signed.iter().enumerate() {
            let line = self.line(row);
            for (column, &from) in signed[..=nth].iter().enumerate() {
                reduced[nth * size + column] = line[from];
            }
        }
        let Some(factor) = Cholesky::of(reduced, size) else { return size };
        factor.solve(&mut step);
        // The first weight to reach zero, or its limit, ends the step and stays there.
        let reach = |(&at, &step): (&usize, &f64)| {
            let (from, to) = (self.at[at], self.at[at] + step);
            let end = if at > 0 && to * from < 0.0 { 0.0 } else { to.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT) };
            if end == to { (1.0, at, to) } else { ((end - from) / step, at, end) }
        };
        let first = signed.iter().zip(&step).map(reach).min_by(|a, b| a.0.total_cmp(&b.0));
        let (length, stopped, end) = first.expect("the intercept is among them");
        for (&at, &step) in signed.iter().zip(&step) {
            let next = if at == stopped { end } else { self.at[at] + length * step };
            let moved = next - self.at[at];
            self.at[at] = next;
            self.move_slope(at, moved);
        }
        size
    }

    fn line(&self, coordinate: usize) -> &[f64] {
        let size = self.at.len();
        &self.curvature[coordinate * size..(coordinate + 1) * size]
    }

    fn move_slope(&mut self, coordinate: usize, step: f64) {
        let size = self.at.len();
        let line = &self.curvature[coordinate * size..(coordinate + 1) * size];
        for (slope, bend) in self.slope.iter_mut().zip(line) {
            *slope += step * bend;
        }
    }
}

/// How far the optimality conditions are from holding.
fn largest_violation(parameters: &[f64], gradient: &[f64], gamma: f64) -> f64 {
    let of = |at: usize| match parameters[at] {
        _ if at == 0 => gradient[0].abs(),
        0.0 => (gradient[at].abs() - gamma).max(0.0),
        weight if weight.abs() >= WEIGHT_LIMIT => (gradient[at] * weight.signum() + gamma).max(0.0),
        weight => (gradient[at] + gamma * weight.signum()).abs(),
    };
    (0..parameters.len()).map(of).fold(0.0, f64::max)
}

fn soft_threshold(value: f64, by: f64) -> f64 {
    value.signum() * (value.abs() - by).max(0.0)
}

fn score(parameters: &[f64], active: &[u16]) -> f64 {
    active.iter().fold(parameters[0], |sum, &at| sum + parameters[at as usize + 1])
}

fn sigmoid(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

/// `ln(1 + e^x)` without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
