//! A support with its weights, kept together with all that follows from them.

use super::refit::{AdaptedRemoval, Precision, Refit, Scores};
use super::rows::{MemoryRows, Patterns, RowStore, WeightedSupport};
use super::{Problem, Weights};
use crate::objective::{Bounds, Loss, MIN_WEIGHT, Penalty, Score, SupportSummary};
use std::marker::PhantomData;

/// A model in the making. Loss and summary always belong to the weights.
#[derive(Clone)]
pub struct State<'p, L, R: RowStore = MemoryRows> {
    problem: &'p Problem<R>,
    support: Vec<usize>,
    /// The intercept, then the weight of each rule of the support.
    parameters: Vec<f64>,
    /// The rules as the rows know them.
    rows: R::Support,
    /// Loss with ridge.
    loss: f64,
    kind: PhantomData<L>,
}

impl<'p, L: Loss, R: RowStore> State<'p, L, R> {
    /// The intercept-only model.
    pub fn empty(problem: &'p Problem<R>) -> Self {
        let rows = problem.rows.support(&[]);
        let (support, parameters) = (Vec::new(), vec![0.0]);
        let mut state = Self { problem, support, parameters, rows, loss: 0.0, kind: PhantomData };
        state.refit(Precision::Exact);
        state
    }

    /// The model with the given weights, as they are.
    pub fn of(problem: &'p Problem<R>, weights: &Weights) -> Self {
        let support: Vec<usize> = weights.rules.iter().map(|&(rule, _)| rule).collect();
        let of_rules = weights.rules.iter().map(|&(_, weight)| weight);
        let parameters = std::iter::once(weights.intercept).chain(of_rules).collect();
        let rows = problem.rows.support(&support);
        let mut state = Self { problem, support, parameters, rows, loss: 0.0, kind: PhantomData };
        state.evaluate();
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
        self.support.remove(position);
        self.problem.rows.remove(&mut self.rows, position);
        self.parameters.remove(position + 1);
    }

    /// Gives one rule another weight.
    pub fn set_weight(&mut self, position: usize, weight: f64) {
        self.parameters[position + 1] = weight;
        self.evaluate();
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
            self.loss = self.problem.constant + self.as_refit(&bounds).minimise(&mut parameters, precision);
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
        self.evaluate();
    }

    /// For each rule of the support the weight that it shares with the one at a position, as a share of the smaller.
    pub fn overlaps(&self, position: usize) -> Vec<f64> {
        let mut common = vec![0.0; self.support.len()];
        for (active, mass) in self.patterns().iter() {
            if active.contains(&(position as u16)) {
                for &at in active {
                    common[at as usize] += L::weight(*mass);
                }
            }
        }
        let share = |at: usize| self.problem.shares[self.support[at]];
        (0..common.len()).map(|at| common[at] / share(at).min(share(position))).collect()
    }

    /// The activation patterns of the support.
    pub(super) fn patterns(&self) -> &Patterns {
        self.problem.rows.patterns(&self.rows)
    }

    /// The rules with their weights, as questions to the rows name them; `scores` are those of the patterns.
    pub(super) fn weighted<'a>(&'a self, scores: &'a [Score]) -> WeightedSupport<'a, R::Support> {
        WeightedSupport { support: &self.rows, parameters: &self.parameters, scores }
    }

    /// The score of each pattern.
    pub(super) fn scores(&self) -> Vec<Score> {
        let scores = Scores::of(&self.parameters);
        self.patterns().iter().map(|(active, _)| scores.at(active)).collect()
    }

    /// The loss of the present weights.
    fn evaluate(&mut self) {
        self.loss = self.problem.constant + self.as_refit(&self.bounds()).value(&self.parameters);
    }

    fn push(&mut self, rule: usize, weight: f64) {
        self.problem.rows.insert(&mut self.rows, rule);
        self.support.push(rule);
        self.parameters.push(weight);
    }

    fn bounds(&self) -> Vec<Bounds> {
        self.support.iter().map(|&rule| self.problem.bounds[rule]).collect()
    }

    fn as_refit<'a>(&'a self, bounds: &'a [Bounds]) -> Refit<'a, L> {
        Refit::new(self.patterns(), bounds, self.problem.ridge)
    }
}
