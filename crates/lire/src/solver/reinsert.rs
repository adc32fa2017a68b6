//! Takes each rule out once, lets the others adapt, and puts in its place whatever is best then.
//!
//! A swap is priced with all other weights as they are; this finds the exchanges that pay only after
//! re-fitting, which is where most poor local optima are left.

use super::budget::Budget;
use super::descent::{ROUGH_GAIN, Walk};
use super::moves::Neighbourhood;
use super::refit::AdaptedRemoval;
use super::{Precision, State};

/// An exchange that is still so many prices of a rule worse before any further move is given up: of those
/// that succeeded on the benchmark instances four in five were below.
const HOPELESS_RULES: f64 = 1.5;

impl<'p> Walk<'p> {
    /// Tries to exchange every rule of the support once, those that others can replace most easily first. Says
    /// whether anything was gained.
    pub fn reinsert(&mut self, budget: &mut Budget) -> bool {
        let mut tried = vec![false; self.problem.shares.len()];
        let mut gained = false;
        while let Some(better) = self.find_exchange(&mut tried, budget) {
            let objective = better.objective(&self.penalty);
            self.take(better, objective, budget);
            gained = true;
        }
        gained
    }

    /// The first exchange of an untried rule that pays.
    fn find_exchange(&self, tried: &mut [bool], budget: &mut Budget) -> Option<State<'p>> {
        let support = self.state.support();
        let removals = self.state.removals();
        let mut order: Vec<usize> = (0..support.len()).filter(|&position| !tried[support[position]]).collect();
        order.sort_by(|&a, &b| removals[a].cost.total_cmp(&removals[b].cost));
        for position in order {
            if !budget.allows() {
                return None;
            }
            tried[support[position]] = true;
            if let Some(better) = self.exchange(position, &removals[position], budget) {
                return Some(better);
            }
        }
        None
    }

    /// The support with one rule exchanged and whatever moves pay after that, if it all pays.
    fn exchange(&self, position: usize, removal: &AdaptedRemoval, budget: &mut Budget) -> Option<State<'p>> {
        let taken_out = self.state.support()[position];
        let mut state = self.state.clone();
        state.remove_adapted(position, removal);
        let insertion = Neighbourhood::of(self.problem, &state, self.penalty, Some(taken_out)).best_insertion();
        if let Some(insertion) = insertion.filter(|insertion| insertion.objective < state.objective(&self.penalty)) {
            insertion.apply(&mut state);
            state.refit(Precision::Rough);
        }
        let mut trial = Walk::new(self.problem, self.penalty, state);
        if trial.objective > self.objective + HOPELESS_RULES * self.penalty.gamma {
            return None;
        }
        trial.descend(&mut budget.clone(), |_| ());
        (trial.objective < self.objective - ROUGH_GAIN).then_some(trial.state)
    }
}
