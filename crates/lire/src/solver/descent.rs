//! Descent by single moves: the best insertion or removal while it pays, then swaps, down to a certificate.

use super::budget::Budget;
use super::moves::{Move, Neighbourhood};
use super::rows::RowStore;
use super::{Precision, Problem, State};
use crate::objective::{Penalty, Steps};

/// No single move may lower G by more than this in a certified solution.
pub const CERTIFICATE_TOLERANCE: f64 = 1e-7;
/// Gains below this are not worth a step of a rough descent.
pub(super) const ROUGH_GAIN: f64 = 1e-6;

/// A state under one penalty, with the way it came.
#[derive(Clone)]
pub(super) struct Descent<'p, L, R: RowStore> {
    pub problem: &'p Problem<R>,
    pub penalty: Penalty,
    pub state: State<'p, L, R>,
    pub objective: f64,
    /// G after each accepted move.
    pub trace: Vec<f64>,
}

impl<'p, L: Steps, R: RowStore> Descent<'p, L, R> {
    pub fn new(problem: &'p Problem<R>, penalty: Penalty, state: State<'p, L, R>) -> Self {
        let objective = state.objective(&penalty);
        Self { problem, penalty, state, objective, trace: Vec::new() }
    }

    /// Insertions and removals, re-fitted roughly, while they pay. `seen` is told of every scan.
    pub fn descend(&mut self, budget: &mut Budget, mut seen: impl FnMut(&Neighbourhood<L, R>)) {
        while budget.allows() {
            let neighbourhood = Neighbourhood::of(self.problem, &self.state, self.penalty, None);
            seen(&neighbourhood);
            let cutoff = self.objective - ROUGH_GAIN;
            let insertion = neighbourhood.good_insertion(cutoff);
            let Some(best) = better_single(&neighbourhood, insertion, cutoff) else { return };
            if !self.accept(best, Precision::Rough, ROUGH_GAIN, budget) {
                return;
            }
        }
    }

    /// All three kinds of moves, swaps only among those that look best, re-fitted roughly, while they pay.
    pub fn settle(&mut self, budget: &mut Budget) {
        let mut start = 0;
        while budget.allows() {
            let neighbourhood = Neighbourhood::of(self.problem, &self.state, self.penalty, None);
            let cutoff = self.objective - ROUGH_GAIN;
            let single = better_single(&neighbourhood, neighbourhood.good_insertion(cutoff), cutoff);
            let Some(best) = single.or_else(|| neighbourhood.next_good_swap(start, cutoff)) else { return };
            start = best.out.unwrap_or(start);
            if !self.accept(best, Precision::Rough, ROUGH_GAIN, budget) {
                return;
            }
        }
    }

    /// All three kinds of moves, re-fitted exactly, until none pays. Says whether that is certain.
    pub fn polish(&mut self, budget: &mut Budget) -> bool {
        self.state.refit(Precision::Exact);
        self.objective = self.state.objective(&self.penalty);
        let mut start = 0;
        while budget.allows() {
            let neighbourhood = Neighbourhood::of(self.problem, &self.state, self.penalty, None);
            let limit = self.objective - CERTIFICATE_TOLERANCE;
            let single = better_single(&neighbourhood, neighbourhood.best_insertion(limit), limit);
            let best = single.or_else(|| neighbourhood.next_swap(start, limit));
            let Some(best) = best else { return true };
            start = best.out.unwrap_or(start);
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
    pub fn take(&mut self, state: State<'p, L, R>, objective: f64, budget: &mut Budget) {
        debug_assert!(objective <= self.objective, "G never rises");
        self.state = state;
        self.objective = objective;
        self.trace.push(objective);
        budget.spend(objective, self.state.support().len());
    }
}

/// The insertion or the best removal, whichever leads lower and below `cutoff`; the insertion on a tie.
fn better_single<L: Steps, R: RowStore>(
    neighbourhood: &Neighbourhood<L, R>,
    insertion: Option<Move>,
    cutoff: f64,
) -> Option<Move> {
    let lowest = insertion.map_or(cutoff, |insertion| insertion.objective);
    neighbourhood.best_removal(lowest).or(insertion)
}
