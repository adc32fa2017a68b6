//! The columns that may have a weight: intercept, linear columns and some of the rules.

use super::L1Problem;
use super::dual::{Column, Dual};
use super::quadratic::{QuadraticModel, Terms};
use crate::coverage::{Pair, Patterns};
use crate::objective::Bounds;
use crate::solver::Weights;
use std::marker::PhantomData;

/// Newton steps on one working set.
const MAX_NEWTON_STEPS: usize = 100;
/// The quadratic model is minimised up to this share of the violation that is left.
const SWEEP_ACCURACY: f64 = 0.1;
/// Steps are not shortened beyond this.
const SHORTEST_STEP: f64 = 1e-8;
/// Values that differ by less than this share are the same number summed in another way.
const ROUNDING: f64 = 1e-14;

/// Intercept, linear columns and a few rules with their weights, zeros among them.
pub(super) struct WorkingSet<'p, L> {
    l1: &'p L1Problem<'p>,
    pub rules: Vec<usize>,
    /// The intercept, then a weight for each linear column, then one for each rule; the next two alike.
    pub parameters: Vec<f64>,
    factors: Vec<f64>,
    bounds: Vec<Bounds>,
    patterns: Patterns,
    /// The values of the linear columns, row by row.
    linear: Vec<f64>,
    loss: PhantomData<L>,
}

/// The derivatives of the loss by the score of each distinct row, and by the weight of each column.
pub(super) struct Slopes {
    /// By row; the second number of the pair is unused.
    pub rows: Vec<Pair>,
    /// By the intercept and each linear column.
    pub head: Vec<f64>,
    /// By each rule, in the set or not; the second number is unused.
    pub rules: Vec<Pair>,
}

/// Value, gradient and curvature of the loss by the parameters; the curvature in full.
struct Expansion {
    value: f64,
    gradient: Vec<f64>,
    curvature: Vec<f64>,
}

impl<'p, L: Dual> WorkingSet<'p, L> {
    pub fn new(l1: &'p L1Problem<'p>, start: &Weights) -> Self {
        let problem = l1.problem;
        let n_rows = problem.masses.len();
        let mut set = Self {
            l1,
            rules: Vec::new(),
            parameters: vec![0.0; 1 + l1.linear.len()],
            factors: std::iter::once(0.0).chain(l1.linear.iter().map(|column| column.factor)).collect(),
            bounds: std::iter::once(Bounds::default())
                .chain(l1.linear.iter().map(|column| column.bounds))
                .collect(),
            patterns: Patterns::of_no_rules(&problem.masses),
            linear: (0..n_rows)
                .flat_map(|row| l1.linear.iter().map(move |column| column.values[row]))
                .collect(),
            loss: PhantomData,
        };
        set.parameters[0] = set.bounds[0].clamp(start.intercept);
        for &(rule, weight) in &start.rules {
            set.push(rule, problem.bounds[rule].clamp(weight));
        }
        set
    }

    /// The number of parameters before those of the rules.
    pub fn n_head(&self) -> usize {
        1 + self.l1.linear.len()
    }

    pub fn push(&mut self, rule: usize, weight: f64) {
        let problem = self.l1.problem;
        self.patterns.insert(&problem.coverage, rule, self.rules.len(), &problem.masses);
        self.rules.push(rule);
        self.parameters.push(weight);
        self.factors.push(self.l1.factor(rule));
        self.bounds.push(problem.bounds[rule]);
    }

    pub fn drop_zeros(&mut self) {
        let n_head = self.n_head();
        for position in (0..self.rules.len()).rev() {
            if self.parameters[n_head + position] == 0.0 {
                let rule = self.rules.remove(position);
                self.patterns.remove(rule, position);
                self.parameters.remove(n_head + position);
                self.factors.remove(n_head + position);
                self.bounds.remove(n_head + position);
            }
        }
    }

    pub fn weights_of_rules(&self) -> &[f64] {
        &self.parameters[self.n_head()..]
    }

    /// Intercept and rules as the outside knows them.
    pub fn weights(&self) -> Weights {
        let mut rules: Vec<_> =
            self.rules.iter().copied().zip(self.weights_of_rules().iter().copied()).collect();
        rules.retain(|&(_, weight)| weight != 0.0);
        rules.sort_unstable_by_key(|&(rule, _)| rule);
        Weights { intercept: self.parameters[0], rules }
    }

    /// Intercept and linear columns, at their present weights.
    pub fn head_columns(&self, slopes: &Slopes, gamma: f64) -> Vec<Column> {
        (0..self.n_head()).map(|at| self.column(at, slopes.head[at], gamma)).collect()
    }

    fn column(&self, at: usize, slope: f64, gamma: f64) -> Column {
        let (weight, bounds) = (self.parameters[at], self.bounds[at]);
        Column { weight, slope, price: gamma * self.factors[at], bounds }
    }

    /// Loss, without the problem's constant, and penalty.
    pub fn value(&self, gamma: f64) -> f64 {
        self.value_at(&self.parameters, gamma)
    }

    fn value_at(&self, parameters: &[f64], gamma: f64) -> f64 {
        let mut loss = 0.0;
        self.for_each_score(parameters, |_, _, mass, score| loss += L::value(mass, score));
        loss + gamma * self.price_at(parameters)
    }

    fn price_at(&self, parameters: &[f64]) -> f64 {
        parameters.iter().zip(&self.factors).map(|(weight, factor)| factor * weight.abs()).sum()
    }

    /// Calls with pattern, values of the linear columns, mass and score: once a pattern, or, where linear columns
    /// tell its rows apart, once a row.
    fn for_each_score(&self, parameters: &[f64], mut call: impl FnMut(usize, &[f64], Pair, f64)) {
        if self.l1.linear.is_empty() {
            for (pattern, (active, mass)) in self.patterns.iter().enumerate() {
                call(pattern, &[], *mass, self.score(parameters, active));
            }
        } else {
            let scores: Vec<f64> =
                self.patterns.iter().map(|(active, _)| self.score(parameters, active)).collect();
            let weights = &parameters[1..self.n_head()];
            let rows = self.patterns.of_row().iter().zip(&self.l1.problem.masses);
            for ((&pattern, mass), values) in rows.zip(self.linear.chunks_exact(weights.len())) {
                let linear: f64 = weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
                call(pattern as usize, values, *mass, scores[pattern as usize] + linear);
            }
        }
    }

    /// The part of a pattern's score that does not differ between its rows.
    fn score(&self, parameters: &[f64], active: &[u16]) -> f64 {
        let of_rules = &parameters[self.n_head()..];
        active.iter().fold(parameters[0], |sum, &at| sum + of_rules[at as usize])
    }

    /// One scan over all rules.
    pub fn slopes(&self) -> Slopes {
        let problem = self.l1.problem;
        let mut head = vec![0.0; self.n_head()];
        let rows: Vec<Pair> = if self.l1.linear.is_empty() {
            let scores: Vec<f64> =
                self.patterns.iter().map(|(active, _)| self.score(&self.parameters, active)).collect();
            let of_row = problem.masses.iter().zip(self.patterns.of_row());
            of_row
                .map(|(&mass, &pattern)| [L::derivatives(mass, scores[pattern as usize]).slope, 0.0])
                .collect()
        } else {
            let mut rows = Vec::with_capacity(problem.masses.len());
            self.for_each_score(&self.parameters, |_, values, mass, score| {
                let slope = L::derivatives(mass, score).slope;
                rows.push([slope, 0.0]);
                for (sum, value) in head[1..].iter_mut().zip(values) {
                    *sum += slope * value;
                }
            });
            rows
        };
        head[0] = rows.iter().map(|row| row[0]).sum();
        let rules = problem.coverage.sums(&rows);
        Slopes { rows, head, rules }
    }

    /// Proximal Newton steps until the optimality conditions hold within the set.
    pub fn minimise(&mut self, gamma: f64, tolerance: f64) {
        let prices: Vec<f64> = self.factors.iter().map(|factor| gamma * factor).collect();
        let mut before = (f64::INFINITY, f64::INFINITY);
        for _ in 0..MAX_NEWTON_STEPS {
            let Expansion { value, gradient, curvature } = self.expand();
            let value = value + gamma * self.price_at(&self.parameters);
            let violation =
                gradient.iter().enumerate().map(|(at, &slope)| self.column(at, slope, gamma).violation());
            let violation = violation.fold(0.0, f64::max);
            let stalled = value > before.0 - ROUNDING * value.abs() && violation > 0.5 * before.1;
            if violation <= tolerance || stalled {
                return;
            }
            before = (value, violation);
            // Far from the solution the model itself is wrong by more than its rough minimum.
            let accuracy =
                SWEEP_ACCURACY * if L::IS_QUADRATIC { tolerance } else { violation.max(tolerance) };
            let terms = Terms { prices: &prices, bounds: &self.bounds };
            let model =
                QuadraticModel { at: self.parameters.clone(), slope: gradient, curvature: &curvature, terms };
            let target = model.minimum(accuracy);
            if !self.step_towards(&target, value, gamma) {
                return;
            }
        }
    }

    /// Goes to the target, or as far towards it as the value does not rise; says whether it went at all.
    fn step_towards(&mut self, target: &[f64], value: f64, gamma: f64) -> bool {
        let mut next = target.to_vec();
        let mut length = 1.0;
        while self.value_at(&next, gamma) > value + ROUNDING * value.abs() {
            length *= 0.5;
            if length < SHORTEST_STEP {
                return false;
            }
            for ((next, from), to) in next.iter_mut().zip(&self.parameters).zip(target) {
                *next = from + length * (to - from);
            }
        }
        self.parameters = next;
        true
    }

    fn expand(&self) -> Expansion {
        let (n_head, size) = (self.n_head(), self.parameters.len());
        let mut gradient = vec![0.0; size];
        let mut curvature = vec![0.0; size * size];
        let mut value = 0.0;
        // For each pattern the sums of slope and bend, and of the bend times each linear column.
        let mut slopes = vec![0.0; self.patterns.len()];
        let mut bends = vec![0.0; self.patterns.len() * n_head];
        self.for_each_score(&self.parameters, |pattern, values, mass, score| {
            let at = L::derivatives(mass, score);
            value += at.value;
            slopes[pattern] += at.slope;
            let bends = &mut bends[pattern * n_head..(pattern + 1) * n_head];
            bends[0] += at.bend;
            for (nth, &number) in values.iter().enumerate() {
                gradient[nth + 1] += at.slope * number;
                let bent = at.bend * number;
                bends[nth + 1] += bent;
                let line = &mut curvature[(nth + 1) * size..][1..=nth + 1];
                for (sum, other) in line.iter_mut().zip(values) {
                    *sum += bent * other;
                }
            }
        });
        for (((active, _), &slope), bends) in
            self.patterns.iter().zip(&slopes).zip(bends.chunks_exact(n_head))
        {
            gradient[0] += slope;
            for (column, bend) in bends.iter().enumerate() {
                curvature[column * size] += bend;
            }
            for (nth, &rule) in active.iter().enumerate() {
                let row = n_head + rule as usize;
                gradient[row] += slope;
                let line = &mut curvature[row * size..(row + 1) * size];
                for (sum, bend) in line.iter_mut().zip(bends) {
                    *sum += bend;
                }
                for &other in &active[..=nth] {
                    line[n_head + other as usize] += bends[0];
                }
            }
        }
        for row in 0..size {
            for column in row + 1..size {
                curvature[row * size + column] = curvature[column * size + row];
            }
        }
        Expansion { value, gradient, curvature }
    }
}
