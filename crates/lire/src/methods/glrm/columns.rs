//! The conjunctions taken in so far, and the l1 problem on them.

use std::sync::Arc;

use super::literals::{Binarised, n_literals};
use crate::config::GlrmOptions;
use crate::coverage::{Coverage, Pair};
use crate::objective::{Bounds, Loss, LossKind, PenaltyKind, with_loss};
use crate::rules::Rule;
use crate::solver::l1::{Accuracy, L1Problem, L1Solution, Paused};
use crate::solver::{Precision, Problem, State, Weights};
use crate::watch::Watch;

/// A growing list of conjunctions.
pub(super) struct Columns<'a> {
    binarised: &'a Binarised<'a>,
    settings: &'a GlrmOptions,
    watch: Watch<'a>,
    rules: Vec<Rule>,
    /// The price of each, as a multiple of that of a single literal.
    factors: Vec<f64>,
    n_singles: usize,
    problem: Problem,
    /// Where the last solution left off.
    paused: Option<Paused>,
}

impl<'a> Columns<'a> {
    /// All literals that are no negations.
    pub fn of_single_literals(
        binarised: &'a Binarised<'a>,
        masses: &[Pair],
        loss: LossKind,
        settings: &'a GlrmOptions,
        watch: Watch<'a>,
    ) -> Self {
        let coverage = Coverage::clone(&binarised.coverage).keep(&binarised.plain);
        let single = |&literal: &usize| Rule { conditions: vec![binarised.literals[literal].clone()] };
        Self {
            binarised,
            settings,
            watch,
            rules: binarised.plain.iter().map(single).collect(),
            factors: vec![1.0; binarised.plain.len()],
            n_singles: binarised.plain.len(),
            problem: Problem::new(Arc::new(coverage), masses, loss.of_l1(), 0.0, PenaltyKind::Count),
            paused: None,
        }
    }

    /// The number of conjunctions beside those of the start.
    pub fn n_generated(&self) -> usize {
        self.rules.len() - self.n_singles
    }

    /// Solves the l1 problem, going on from the last solution; the conjunction found since then is sure to get a weight.
    pub fn solve(&mut self, accuracy: Accuracy) -> L1Solution {
        let l1 = L1Problem {
            factors: Some(self.factors.clone()),
            watch: self.watch,
            ..L1Problem::new(&self.problem)
        };
        let last = self.n_generated().checked_sub(1).map(|nth| self.n_singles + nth);
        let mut path = match self.paused.take() {
            Some(paused) => l1.resume(paused, last),
            None => l1.walk(),
        };
        let solution = path.reach(self.settings.price(1), accuracy);
        self.paused = Some(path.pause());
        solution
    }

    /// The derivative of the loss by the score of each row.
    pub fn slopes(&self, weights: &Weights) -> Vec<f64> {
        let scores = self.problem.rows.coverage().scores(weights.intercept, &weights.rules);
        let rows = self.problem.rows.masses().iter().zip(scores);
        with_loss!(self.problem.loss, L => rows.map(|(&mass, score)| L::derivatives(mass, score).slope).collect())
    }

    /// Takes in a conjunction of literals, without those that the others make idle; false if it is there already.
    pub fn push(&mut self, literals: &[usize]) -> bool {
        let (literals, rows) = self.without_idle(literals.to_vec());
        let Some(rule) = self.binarised.rule(&literals).filter(|rule| !self.rules.contains(rule)) else {
            return false;
        };
        let mass = self.problem.rows.push(&rows);
        self.problem.shares.push(self.problem.loss.weight(mass));
        self.problem.bounds.push(Bounds::default());
        self.problem.eligible.push(true);
        self.factors.push(self.settings.price(n_literals(&rule)) / self.settings.price(1));
        self.rules.push(rule);
        true
    }

    /// Drops literals that hold for all rows of the others, the earliest first; gives the rows of the rest.
    fn without_idle(&self, mut literals: Vec<usize>) -> (Vec<usize>, Vec<u32>) {
        let rows = self.rows_of(literals.iter().copied());
        let mut position = 0;
        while position < literals.len() {
            let others = literals.iter().copied().filter(|&other| other != literals[position]);
            if literals.len() > 1 && self.rows_of(others).len() == rows.len() {
                literals.remove(position);
            } else {
                position += 1;
            }
        }
        (literals, rows)
    }

    fn rows_of(&self, mut literals: impl Iterator<Item = usize>) -> Vec<u32> {
        let coverage = &self.binarised.coverage;
        let first = literals.next().expect("a conjunction has literals");
        literals.fold(coverage.rows_of(first), |rows, literal| coverage.rows_within(literal, &rows))
    }

    /// The weights of the support without the penalty, in their box; those that end near zero are dropped.
    pub fn debias(&self, weights: &Weights) -> Weights {
        with_loss!(self.problem.loss, L => refitted::<L>(&self.problem, weights))
    }

    /// The rules of the support, and its weights, penalised and final, by position among them.
    pub fn take(self, penalised: &Weights, weights: &Weights) -> (Vec<Rule>, [Weights; 2]) {
        let kept: Vec<usize> = penalised.rules.iter().map(|&(rule, _)| rule).collect();
        let rules = kept.iter().map(|&rule| self.rules[rule].clone()).collect();
        (rules, [penalised.restrict(&kept), weights.restrict(&kept)])
    }
}

fn refitted<L: Loss>(problem: &Problem, weights: &Weights) -> Weights {
    let mut state = State::<L>::of(problem, weights);
    state.refit(Precision::Exact);
    state.weights()
}
