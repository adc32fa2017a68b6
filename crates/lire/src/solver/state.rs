//! A support with its weights, kept together with all that follows from them.

use super::refit::{AdaptedRemoval, Factors, Precision, Refit};
use super::{Problem, Weights};
use crate::coverage::{Pair, Patterns};
use crate::objective::{Bounds, MIN_WEIGHT, Penalty, SupportSummary};

/// A model in the making. Loss and summary always belong to the weights.
#[derive(Clone)]
pub struct State<'p> {
    problem: &'p Problem,
    support: Vec<usize>,
    /// The intercept, then the weight of each rule of the support.
    parameters: Vec<f64>,
    patterns: Patterns,
    /// Loss with ridge.
    loss: f64,
}

impl<'p> State<'p> {
    /// The intercept-only model.
    pub fn empty(problem: &'p Problem) -> Self {
        let patterns = Patterns::of_no_rules(&problem.masses);
        let mut state = Self { problem, support: Vec::new(), parameters: vec![0.0], patterns, loss: 0.0 };
        state.refit(Precision::Exact);
        state
    }

    /// The model with the given weights, as they are.
    pub fn of(problem: &'p Problem, weights: &Weights) -> Self {
        let mut state = Self::empty(problem);
        state.parameters[0] = weights.intercept;
        for &(rule, weight) in &weights.rules {
            state.push(rule, weight);
        }
        state.loss = state.as_refit(&state.bounds()).value(&state.parameters);
        state
    }

    /// The weights, by rule index.
    pub fn weights(&self) -> Weights {
        let mut rules: Vec<_> =
            self.support.iter().copied().zip(self.parameters[1..].iter().copied()).collect();
        rules.sort_unstable_by_key(|&(rule, _)| rule);
        Weights { intercept: self.parameters[0], rules }
    }

    /// The rules, in the order they came in.
    pub fn support(&self) -> &[usize] {
        &self.support
    }

    /// The weight of the rule at a position of the support.
    pub fn weight(&self, position: usize) -> f64 {
        self.parameters[position + 1]
    }

    /// The intercept.
    pub fn intercept(&self) -> f64 {
        self.parameters[0]
    }

    /// Loss with ridge.
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// The ridge part of the loss.
    pub fn ridge_part(&self) -> f64 {
        0.5 * self.problem.ridge * self.parameters[1..].iter().map(|weight| weight * weight).sum::<f64>()
    }

    /// What the penalty needs to know.
    pub fn summary(&self) -> SupportSummary {
        let coverage_sum = self.support.iter().map(|&rule| self.problem.shares[rule]).sum();
        SupportSummary { n_rules: self.support.len(), coverage_sum }
    }

    /// G.
    pub fn objective(&self, penalty: &Penalty) -> f64 {
        self.loss + penalty.of(self.summary())
    }

    /// Adds a rule, not yet re-fitted.
    pub fn insert(&mut self, rule: usize, weight: f64, shift: f64) {
        self.parameters[0] += shift;
        self.push(rule, weight);
    }

    /// Takes a rule out, not yet re-fitted.
    pub fn remove(&mut self, position: usize, shift: f64) {
        self.parameters[0] += shift;
        let rule = self.support.remove(position);
        self.patterns.remove(rule, position);
        self.parameters.remove(position + 1);
    }

    /// Gives one rule another weight.
    pub fn set_weight(&mut self, position: usize, weight: f64) {
        self.parameters[position + 1] = weight;
        self.loss = self.as_refit(&self.bounds()).value(&self.parameters);
    }

    /// Moves the intercept.
    pub fn shift_intercept(&mut self, shift: f64) {
        self.parameters[0] += shift;
    }

    /// Re-optimises all weights; rules that end below [`MIN_WEIGHT`] are dropped.
    pub fn refit(&mut self, precision: Precision) {
        loop {
            let bounds = self.bounds();
            let mut parameters = std::mem::take(&mut self.parameters);
            self.loss = self.as_refit(&bounds).minimise(&mut parameters, precision);
            self.parameters = parameters;
            match self.parameters[1..].iter().position(|weight| weight.abs() < MIN_WEIGHT) {
                Some(position) => self.remove(position, 0.0),
                None => return,
            }
        }
    }

    /// What taking each rule out leads to once the others have adapted, to second order.
    pub fn removals(&self) -> Vec<AdaptedRemoval> {
        self.as_refit(&self.bounds()).removals(&self.parameters)
    }

    /// Takes a rule out and gives the others the weights that they adapt to.
    pub fn remove_adapted(&mut self, position: usize, removal: &AdaptedRemoval) {
        self.remove(position, 0.0);
        self.parameters.copy_from_slice(&removal.parameters);
        self.loss = self.as_refit(&self.bounds()).value(&self.parameters);
    }

    /// For each rule of the support the weight that it shares with the one at a position, as a share of the smaller.
    pub fn overlaps(&self, position: usize) -> Vec<f64> {
        let mut common = vec![0.0; self.support.len()];
        for (active, mass) in self.patterns.iter() {
            if active.contains(&(position as u16)) {
                for &at in active {
                    common[at as usize] += mass[0] + mass[1];
                }
            }
        }
        let share = |at: usize| self.problem.shares[self.support[at]];
        (0..common.len()).map(|at| common[at] / share(at).min(share(position))).collect()
    }

    /// The losses of positive and negative rows behind each distinct row.
    pub fn row_losses(&self) -> Vec<Pair> {
        let factors = Factors::of(&self.parameters);
        let losses = |(active, _): (&[u16], &Pair)| {
            let up = factors.exp_score(active);
            [1.0 / up, up]
        };
        let of_pattern: Vec<Pair> = self.patterns.iter().map(losses).collect();
        let scaled = |(mass, &pattern): (&Pair, &u32)| {
            let factor = of_pattern[pattern as usize];
            [mass[0] * factor[0], mass[1] * factor[1]]
        };
        self.problem.masses.iter().zip(self.patterns.of_row()).map(scaled).collect()
    }

    fn push(&mut self, rule: usize, weight: f64) {
        self.patterns.insert(&self.problem.coverage, rule, self.support.len(), &self.problem.masses);
        self.support.push(rule);
        self.parameters.push(weight);
    }

    fn bounds(&self) -> Vec<Bounds> {
        self.support.iter().map(|&rule| self.problem.bounds[rule]).collect()
    }

    fn as_refit<'a>(&'a self, bounds: &'a [Bounds]) -> Refit<'a> {
        Refit { patterns: &self.patterns, bounds, ridge: self.problem.ridge }
    }
}
