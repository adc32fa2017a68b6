//! The columns that may have a weight: intercept, linear columns and some of the rules.

use super::L1Problem;
use super::curvature::Curvature;
use super::dual::{Column, Dual};
use super::quadratic::{QuadraticModel, Terms};
use super::rows::{Slopes, WorkingRows};
use crate::objective::Bounds;
use crate::solver::Weights;
use std::marker::PhantomData;

/// Newton steps on one working set.
const MAX_NEWTON_STEPS: usize = 100;
/// The quadratic model is minimised up to this share of the violation that is left.
const SWEEP_ACCURACY: f64 = 0.1;
/// A step that leaves more than this share of the violation was slow.
const SLOW: f64 = 0.5;
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
    rows: WorkingRows,
    /// The second derivatives of the loss by the parameters, where they were last needed.
    curvature: Option<Curvature>,
    loss: PhantomData<L>,
}

/// A working set without its problem, to which columns may be added before it goes on.
pub struct Paused {
    rules: Vec<usize>,
    parameters: Vec<f64>,
    rows: WorkingRows,
    curvature: Option<Curvature>,
}

impl<'p, L: Dual> WorkingSet<'p, L> {
    pub fn new(l1: &'p L1Problem<'p>, start: &Weights) -> Self {
        let problem = l1.problem;
        let mut set = Self {
            l1,
            rules: Vec::new(),
            parameters: vec![0.0; 1 + l1.linear.len()],
            factors: head_factors(l1),
            bounds: head_bounds(l1),
            rows: WorkingRows::new(&problem.rows, &l1.linear),
            curvature: None,
            loss: PhantomData,
        };
        set.parameters[0] = set.bounds[0].clamp(start.intercept);
        let clamp = |&(rule, weight): &(usize, f64)| (rule, problem.bounds[rule].clamp(weight));
        set.replace(start.rules.iter().map(clamp).collect());
        set
    }

    /// Goes on where another one was left, on a problem that has all of its columns at the same places.
    pub fn resumed(l1: &'p L1Problem<'p>, paused: Paused) -> Self {
        let Paused { rules, parameters, rows, curvature } = paused;
        let (factors, bounds) = (head_factors(l1), head_bounds(l1));
        let mut set = Self { l1, rules, parameters, factors, bounds, rows, curvature, loss: PhantomData };
        set.look_up_rules();
        set
    }

    /// What is left without the problem.
    pub fn paused(self) -> Paused {
        let Self { rules, parameters, rows, curvature, .. } = self;
        Paused { rules, parameters, rows, curvature }
    }

    /// The number of parameters before those of the rules.
    pub fn n_head(&self) -> usize {
        self.rows.n_head()
    }

    /// Takes rules in, at a weight of zero, and those out whose weight is zero already.
    pub fn exchange(&mut self, entering: impl Iterator<Item = usize>) {
        let mut weights: Vec<(usize, f64)> =
            self.rules.iter().copied().zip(self.weights_of_rules().iter().copied()).collect();
        weights.retain(|&(_, weight)| weight != 0.0);
        weights.extend(entering.map(|rule| (rule, 0.0)));
        if weights.len() != self.rules.len() || weights.iter().any(|&(_, weight)| weight == 0.0) {
            self.replace(weights);
        }
    }

    /// Has these rules with these weights from now on.
    fn replace(&mut self, mut weights: Vec<(usize, f64)>) {
        weights.sort_unstable_by_key(|&(rule, _)| rule);
        let rules = weights.iter().map(|&(rule, _)| rule).collect();
        let rules_before = std::mem::replace(&mut self.rules, rules);
        self.rows.set_rules(&self.l1.problem.rows, &self.rules);
        let n_head = self.n_head();
        self.parameters.truncate(n_head);
        self.parameters.extend(weights.iter().map(|&(_, weight)| weight));
        self.look_up_rules();
        if let Some(kept) = self.curvature.take() {
            let place = |rule| rules_before.binary_search(rule).ok().map(|place| n_head + place);
            let before: Vec<_> = (0..n_head).map(Some).chain(self.rules.iter().map(place)).collect();
            self.curvature = kept.carried_over(&self.rows, &before);
        }
    }

    /// Factors and bounds of the rules.
    fn look_up_rules(&mut self) {
        let n_head = self.n_head();
        self.factors.truncate(n_head);
        self.factors.extend(self.rules.iter().map(|&rule| self.l1.factor(rule)));
        self.bounds.truncate(n_head);
        self.bounds.extend(self.rules.iter().map(|&rule| self.l1.problem.bounds[rule]));
    }

    pub fn weights_of_rules(&self) -> &[f64] {
        &self.parameters[self.n_head()..]
    }

    /// Intercept and rules as the outside knows them.
    pub fn weights(&self) -> Weights {
        let mut rules: Vec<_> =
            self.rules.iter().copied().zip(self.weights_of_rules().iter().copied()).collect();
        rules.retain(|&(_, weight)| weight != 0.0);
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
        let loss = self.rows.loss::<L>(&self.l1.problem.rows, parameters);
        let prices = parameters.iter().zip(&self.factors).map(|(weight, factor)| factor * weight.abs());
        loss + gamma * prices.sum::<f64>()
    }

    /// One scan over all rules.
    pub fn slopes(&self) -> Slopes {
        self.rows.slopes::<L>(&self.l1.problem.rows, &self.parameters)
    }

    /// Proximal Newton steps until the optimality conditions hold within the set.
    pub fn minimise(&mut self, gamma: f64, tolerance: f64) {
        let prices: Vec<f64> = self.factors.iter().map(|factor| gamma * factor).collect();
        let mut value = self.value(gamma);
        let (mut value_before, mut violation_before) = (f64::INFINITY, f64::INFINITY);
        // Whether the last step was made with the curvature of where it began.
        let mut was_fresh = false;
        for _ in 0..MAX_NEWTON_STEPS {
            let slope = self.rows.gradient::<L>(&self.l1.problem.rows, &self.parameters);
            let violations =
                slope.iter().enumerate().map(|(at, &slope)| self.column(at, slope, gamma).violation());
            let violation = violations.fold(0.0, f64::max);
            let was_slow = violation > SLOW * violation_before;
            let stalled = was_fresh && was_slow && value > value_before - ROUNDING * value.abs();
            if violation <= tolerance || stalled || self.l1.watch.stop().is_some() {
                return;
            }
            // The curvature costs most by far: it is kept while it is good enough.
            let kept = self.curvature.take().filter(|_| L::IS_QUADRATIC || !was_slow);
            was_fresh = L::IS_QUADRATIC || kept.is_none();
            let curvature = kept.unwrap_or_else(|| self.curvature_here());
            let terms = Terms { prices: &prices, bounds: &self.bounds };
            let model =
                QuadraticModel { at: self.parameters.clone(), slope, curvature: &curvature.matrix, terms };
            let target = model.minimum(SWEEP_ACCURACY * violation.max(tolerance), &self.l1.watch);
            (value_before, violation_before) = (value, violation);
            match self.step_towards(&target, value, gamma) {
                Some(lower) => (value, self.curvature) = (lower, Some(curvature)),
                None if was_fresh => return,
                None => {}
            }
        }
    }

    /// Goes to the target, or as far towards it as the value does not rise; gives the value there if it went at all.
    fn step_towards(&mut self, target: &[f64], value: f64, gamma: f64) -> Option<f64> {
        let mut next = target.to_vec();
        let mut length = 1.0;
        while length >= SHORTEST_STEP {
            let lower = self.value_at(&next, gamma);
            if lower <= value + ROUNDING * value.abs() {
                self.parameters = next;
                return Some(lower);
            }
            length *= 0.5;
            for ((next, from), to) in next.iter_mut().zip(&self.parameters).zip(target) {
                *next = from + length * (to - from);
            }
        }
        None
    }

    fn curvature_here(&self) -> Curvature {
        let bends = self.rows.bends::<L>(&self.l1.problem.rows, &self.parameters);
        Curvature::of(&self.rows, self.parameters.len(), bends)
    }
}

fn head_factors(l1: &L1Problem) -> Vec<f64> {
    std::iter::once(0.0).chain(l1.linear.iter().map(|column| column.factor)).collect()
}

fn head_bounds(l1: &L1Problem) -> Vec<Bounds> {
    std::iter::once(Bounds::default()).chain(l1.linear.iter().map(|column| column.bounds)).collect()
}
