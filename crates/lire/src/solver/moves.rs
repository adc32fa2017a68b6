//! The objective after each single insertion, removal and swap, from a few scans.

use super::candidate_sums::CandidateSums;
use super::entry::Entrance;
use super::rows::{MemoryRows, Pair, RowStore};
use super::{CERTIFICATE_TOLERANCE, Problem, State};
use crate::objective::{Loss, MIN_WEIGHT, Penalty, Spread, Steps, Sums, SupportSummary, Total};
use rayon::prelude::*;
use std::sync::OnceLock;

/// A change of the support by at most one rule each way, with the objective it leads to before re-fitting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// The position that leaves the support.
    pub out: Option<usize>,
    /// The rule that enters, with its weight.
    pub enter: Option<(usize, f64)>,
    /// What is added to the intercept.
    pub shift: f64,
    /// G after the move, the other weights as they are.
    pub objective: f64,
}

impl Move {
    /// Makes the move, without re-fitting.
    pub fn apply<L: Loss, R: RowStore>(&self, state: &mut State<L, R>) {
        if let Some(position) = self.out {
            state.remove(position, 0.0);
        }
        match self.enter {
            Some((rule, weight)) => state.insert(rule, weight, self.shift),
            None => state.shift_intercept(self.shift),
        }
    }

    /// The better of two, the first on a tie.
    pub fn better(self, other: Self) -> Self {
        if other.objective < self.objective { other } else { self }
    }
}

/// The sums that every move from one state is valued by.
pub struct Neighbourhood<'s, 'p, L, R: RowStore = MemoryRows> {
    pub(super) problem: &'p Problem<R>,
    pub(super) state: &'s State<'p, L, R>,
    pub(super) penalty: Penalty,
    pub(super) candidates: CandidateSums<'s, 'p, L, R>,
    pub(super) summary: SupportSummary,
    pub(super) in_support: Vec<bool>,
    pub(super) estimates: OnceLock<Vec<f64>>,
}

impl<'s, 'p, L: Steps, R: RowStore> Neighbourhood<'s, 'p, L, R> {
    /// Scans all candidates once. A taboo rule does not enter.
    pub fn of(
        problem: &'p Problem<R>,
        state: &'s State<'p, L, R>,
        penalty: Penalty,
        taboo: Option<usize>,
    ) -> Self {
        let candidates = CandidateSums::of(problem, state);
        let mut in_support = vec![false; problem.shares.len()];
        for &rule in state.support() {
            in_support[rule] = true;
        }
        if let Some(rule) = taboo {
            in_support[rule] = true;
        }
        let (summary, estimates) = (state.summary(), OnceLock::new());
        Self { problem, state, penalty, candidates, summary, in_support, estimates }
    }

    /// Whether no single move lowers G by more than the certificate's tolerance.
    pub fn is_local_optimum(&self) -> bool {
        let limit = self.state.objective(&self.penalty) - CERTIFICATE_TOLERANCE;
        self.best_insertion(limit).is_none()
            && self.best_removal(limit).is_none()
            && self.next_swap(0, limit).is_none()
    }

    /// Step 1 of the paper: the best weight of a rule of the support with all else as it is, or none if the
    /// rule is not worth its price (Theorem 1 with the support without it).
    pub fn best_weight_in_place(&self, position: usize) -> Option<f64> {
        let rule = self.state.support()[position];
        let (all, summary, ridge) = self.without(position);
        let sums = self.own_sums_without(position, all);
        let rows = || self.candidates.spread(&self.candidates.levels(Some(position)), rule);
        let step = L::single_step(&sums, &self.limits(rule), f64::INFINITY, rows)?;
        let out = L::loss_of(all) + ridge + self.penalty.of(summary);
        let kept = step.loss + ridge + self.penalty.of(self.summary);
        (kept < out && step.weight.abs() >= MIN_WEIGHT).then_some(step.weight)
    }

    /// The sums of a rule of the support with itself taken out: what all rows lose, its own do.
    fn own_sums_without(&self, position: usize, all: Total) -> Sums {
        let before = self.candidates.of_all.sums;
        let covered = self.candidates.of_rules[self.state.support()[position]];
        let covered =
            L::tidy([covered[0] + (all.sums[0] - before[0]), covered[1] + (all.sums[1] - before[1])]);
        Sums::of::<L>(covered, all)
    }

    /// Step 2 of the paper: the first rule, in index order, that in the place of one of the support and with its
    /// best weight lowers G.
    pub fn first_better_in_place(&self, position: usize) -> Option<Move> {
        let sums = self.candidates.sums_without(&[position]).pop()?;
        let entrance = self.entrance_without(position, &sums);
        let limit = self.state.objective(&self.penalty) - CERTIFICATE_TOLERANCE;
        let mut rules = (0..sums.len()).filter(|&rule| self.may_enter(rule));
        rules.find_map(|rule| self.entry_in_place(&entrance, rule, limit))
    }

    /// The best weight of a rule that enters, the intercept as it is, if it leads below `limit`.
    fn entry_in_place(&self, entrance: &Entrance, rule: usize, limit: f64) -> Option<Move> {
        let sums = Sums::of::<L>(entrance.sums[rule], entrance.all);
        let price = self.price(entrance, rule);
        if L::single_lower_bound(&sums, self.problem.ridge) + price >= limit {
            return None;
        }
        let rows = || self.spread(entrance, rule);
        let step = L::single_step(&sums, &self.limits(rule), limit - price, rows)?;
        let objective = step.loss + price;
        let enters = objective < limit && step.weight.abs() >= MIN_WEIGHT;
        enters.then_some(Move { out: entrance.out, enter: Some((rule, step.weight)), shift: 0.0, objective })
    }

    /// The best removal that leads below `cutoff`, the intercept re-optimised and the other weights as they are.
    pub fn best_removal(&self, cutoff: f64) -> Option<Move> {
        let positions = 0..self.state.support().len();
        let mut order: Vec<(f64, usize)> =
            positions.map(|position| (self.bound_of_removal(position), position)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut best: Option<Move> = None;
        for (bound, position) in order {
            let lowest = best.map_or(cutoff, |best| best.objective);
            if bound >= lowest {
                break;
            }
            best = Some(self.removal(position)).filter(|removal| removal.objective < lowest).or(best);
        }
        best
    }

    /// No removal of a rule leads lower, whatever becomes of the intercept.
    fn bound_of_removal(&self, position: usize) -> f64 {
        let (rule, weight) = (self.state.support()[position], self.state.weight(position));
        let sums = Sums::of::<L>(self.candidates.of_rules[rule], self.candidates.of_all);
        let fixed = self.ridge_without(position) + self.penalty.of(self.summary_without(position));
        L::removal_lower_bound(&sums, weight) + fixed
    }

    fn removal(&self, position: usize) -> Move {
        let (all, summary, ridge) = self.without(position);
        let rows = || Spread { covered: Vec::new(), uncovered: self.candidates.levels(Some(position)) };
        let removal = L::intercept_step(all, self.state.intercept(), rows);
        let objective = removal.loss + ridge + self.penalty.of(summary);
        Move { out: Some(position), enter: None, shift: removal.shift, objective }
    }

    /// The best swap of the first few positions that have any below `cutoff`, beginning behind `start`, with the
    /// position it was found at.
    ///
    /// Positions are examined in batches of a fixed size, so that the result does not depend on the thread count, and
    /// an improvement is taken before all others are examined: it changes their values anyway.
    pub fn next_swap(&self, start: usize, cutoff: f64) -> Option<Move> {
        self.next_of_swaps(start, |position, sums| self.best_swap(position, sums, cutoff))
    }

    /// The same among the swaps that look best, which may miss some: for rough descents.
    pub fn next_good_swap(&self, start: usize, cutoff: f64) -> Option<Move> {
        self.next_of_swaps(start, |position, sums| self.good_swap(position, sums, cutoff))
    }

    fn next_of_swaps(
        &self,
        start: usize,
        swap: impl Fn(usize, &[Pair]) -> Option<Move> + Sync,
    ) -> Option<Move> {
        const BATCH: usize = 8;
        let n_rules = self.state.support().len();
        let positions: Vec<usize> = (0..n_rules).map(|nth| (start + nth) % n_rules).collect();
        positions.chunks(BATCH).find_map(|batch| {
            let sums = self.candidates.sums_without(batch);
            let swaps: Vec<Option<Move>> =
                batch.par_iter().zip(&sums).map(|(&position, sums)| swap(position, sums)).collect();
            swaps.into_iter().flatten().reduce(Move::better)
        })
    }

    /// The best rule in the place of one of the support, given the sums without that, if it leads below `cutoff`.
    pub(super) fn best_swap(&self, position: usize, sums: &[Pair], cutoff: f64) -> Option<Move> {
        let entrance = self.entrance_without(position, sums);
        self.best_entry(&entrance, &self.of_entries(&entrance, L::joint_lower_bound), cutoff)
    }

    /// Total sums, summary and ridge with a rule taken out.
    pub(super) fn without(&self, position: usize) -> (Total, SupportSummary, f64) {
        (self.candidates.all_without(position), self.summary_without(position), self.ridge_without(position))
    }

    fn summary_without(&self, position: usize) -> SupportSummary {
        self.summary.without(self.problem.shares[self.state.support()[position]])
    }

    fn ridge_without(&self, position: usize) -> f64 {
        let weight = self.state.weight(position);
        self.state.ridge_part() - 0.5 * self.problem.ridge * weight * weight
    }
}
