//! The weights of `RuleFit`: the logistic loss with an l1 penalty, intercept free.
//!
//! Minimises `(1/W) Σ_n w_n log(1 + exp(−y_n f(x_n))) + γ Σ_m |α_m|` by proximal Newton steps on a working
//! set of rules, which grows by those that violate the optimality conditions most. Like the re-fit it works on
//! activation patterns, so that only the scans touch rows.

use super::expansion::Expansion;
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

/// Solves for one γ from a start, until the optimality conditions hold up to a tolerance.
pub fn solve_l1(problem: &Problem, start: &Weights, gamma: f64, tolerance: f64) -> L1Solution {
    let mut working = WorkingSet::new(problem, start);
    let mut violation = f64::INFINITY;
    for _ in 0..MAX_ROUNDS {
        working.minimise(gamma, tolerance);
        working.drop_zeros();
        let gradient = problem.coverage.sums(&working.row_gradients());
        let in_set = working.membership();
        let mut violators: Vec<(f64, usize)> = (0..gradient.len())
            .filter(|&rule| problem.eligible[rule] && !in_set[rule])
            .map(|rule| (gradient[rule][0].abs() - gamma, rule))
            .filter(|&(excess, _)| excess > tolerance)
            .collect();
        violators.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        violation = working.violation(gamma).max(violators.first().map_or(0.0, |worst| worst.0));
        if violators.is_empty() {
            break;
        }
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
            if largest_violation(&self.parameters, &gradient, gamma) < tolerance {
                return;
            }
            let target = quadratic_minimum(&self.parameters, &gradient, &curvature, gamma, tolerance);
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

/// Minimises the quadratic model around `from`, with the penalty, by coordinate descent.
fn quadratic_minimum(
    from: &[f64],
    gradient: &[f64],
    curvature: &[f64],
    gamma: f64,
    tolerance: f64,
) -> Vec<f64> {
    /// Keeps a rule whose rows are all decided from taking an infinite step.
    const DAMPING: f64 = 1e-12;
    let size = from.len();
    let mut at = from.to_vec();
    // The gradient of the model at `at`.
    let mut slope = gradient.to_vec();
    for _ in 0..MAX_SWEEPS {
        let mut largest = 0.0f64;
        for coordinate in 0..size {
            let line = &curvature[coordinate * size..(coordinate + 1) * size];
            let bend = line[coordinate] + DAMPING;
            let free = at[coordinate] - slope[coordinate] / bend;
            let price = if coordinate == 0 { 0.0 } else { gamma / bend };
            let next = soft_threshold(free, price).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
            let step = next - at[coordinate];
            if step != 0.0 {
                at[coordinate] = next;
                for (slope, bend) in slope.iter_mut().zip(line) {
                    *slope += step * bend;
                }
                largest = largest.max(step.abs() * bend);
            }
        }
        if largest < 0.1 * tolerance {
            break;
        }
    }
    at
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
