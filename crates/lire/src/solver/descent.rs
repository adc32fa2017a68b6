//! Descent by single moves: the best insertion or removal while it pays, then swaps, down to a certificate.

use super::budget::Budget;
use super::moves::{Move, Neighbourhood};
use super::{Precision, Problem, State};
use crate::objective::Penalty;

/// No single move may lower G by more than this in a certified solution.
pub const CERTIFICATE_TOLERANCE: f64 = 1e-7;
/// Gains below this are not worth a step of a rough descent.
pub(super) const ROUGH_GAIN: f64 = 1e-6;

/// A state under one penalty, with the way it came.
#[derive(Clone)]
pub(super) struct Walk<'p> {
    pub problem: &'p Problem,
    pub penalty: Penalty,
    pub state: State<'p>,
    pub objective: f64,
    /// G after each accepted move.
    pub trace: Vec<f64>,
}

impl<'p> Walk<'p> {
    pub fn new(problem: &'p Problem, penalty: Penalty, state: State<'p>) -> Self {
        let objective = state.objective(&penalty);
        Self { problem, penalty, state, objective, trace: Vec::new() }
    }

    /// Insertions and removals, re-fitted roughly, while they pay. `seen` is told of every scan.
    pub fn descend(&mut self, budget: &mut Budget, mut seen: impl FnMut(&Neighbourhood)) {
        while budget.allows() {
            let neighbourhood = Neighbourhood::of(self.problem, &self.state, self.penalty, None);
            seen(&neighbourhood);
            let Some(best) = best_of([neighbourhood.best_insertion(), neighbourhood.best_removal()]) else {
                return;
            };
            if best.objective > self.objective - ROUGH_GAIN
                || !self.accept(best, Precision::Rough, ROUGH_GAIN, budget)
            {
                return;
            }
        }
    }

    /// All three kinds of moves, re-fitted exactly, until none pays. Says whether that is certain.
    pub fn polish(&mut self, budget: &mut Budget) -> bool {
        self.state.refit(Precision::Exact);
        self.objective = self.state.objective(&self.penalty);
        while budget.allows() {
            let neighbourhood = Neighbourhood::of(self.problem, &self.state, self.penalty, None);
            let limit = self.objective - CERTIFICATE_TOLERANCE;
            let single = best_of([neighbourhood.best_insertion(), neighbourhood.best_removal()]);
            let best = single
                .filter(|best| best.objective < limit)
                .or_else(|| neighbourhood.best_swap_of_all(limit));
            let Some(best) = best else { return true };
            if !self.accept(best, Precision::Exact, 0.0, budget) {
                // The move pays, but what re-fitting makes of it does not: a weight below the least one
                // was dropped. The state is as good as it was, without a certificate.
                return false;
            }
        }
        false
    }

    /// Makes a move and re-fits; undone if G does not fall by more than `gain`.
    pub fn accept(&mut self, step: Move, precision: Precision, gain: f64, budget: &mut Budget) -> bool {
        let mut next = self.state.clone();
        step.apply(&mut next);
        next.refit(precision);
        let objective = next.objective(&self.penalty);
        if objective >= self.objective - gain {
            return false;
        }
        self.take(next, objective, budget);
        true
    }

    /// Goes on from a better state.
    pub fn take(&mut self, state: State<'p>, objective: f64, budget: &mut Budget) {
        debug_assert!(objective <= self.objective, "G never rises");
        self.state = state;
        self.objective = objective;
        self.trace.push(objective);
        budget.spend(objective, self.state.support().len());
    }
}

/// The better move, the first on a tie.
fn best_of<const N: usize>(moves: [Option<Move>; N]) -> Option<Move> {
    moves.into_iter().flatten().reduce(Move::better)
}
