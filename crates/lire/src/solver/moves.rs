//! Prices of all single insertions, removals and swaps from a few scans.

use super::{CERTIFICATE_TOLERANCE, Problem, State};
use crate::coverage::Pair;
use crate::objective::{
    MIN_WEIGHT, Penalty, Step, Sums, SupportSummary, joint_step, optimal_intercept, removal_factors,
    single_step, without_rule,
};
use rayon::prelude::*;

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
    pub fn apply(&self, state: &mut State) {
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

/// The sums that price every move from one state.
pub struct Neighbourhood<'s, 'p> {
    problem: &'p Problem,
    state: &'s State<'p>,
    penalty: Penalty,
    row_losses: Vec<Pair>,
    sums: Vec<Pair>,
    total: Pair,
    summary: SupportSummary,
    in_support: Vec<bool>,
}

impl<'s, 'p> Neighbourhood<'s, 'p> {
    /// Scans all candidates once. A taboo rule does not enter.
    pub fn of(problem: &'p Problem, state: &'s State<'p>, penalty: Penalty, taboo: Option<usize>) -> Self {
        let row_losses = state.row_losses();
        let sums = problem.coverage.sums(&row_losses);
        let total = row_losses.iter().fold([0.0; 2], |sum, loss| [sum[0] + loss[0], sum[1] + loss[1]]);
        let mut in_support = vec![false; problem.shares.len()];
        for &rule in state.support() {
            in_support[rule] = true;
        }
        if let Some(rule) = taboo {
            in_support[rule] = true;
        }
        Self { problem, state, penalty, row_losses, sums, total, summary: state.summary(), in_support }
    }

    /// Whether no single move lowers G by more than the certificate's tolerance.
    pub fn is_local_optimum(&self) -> bool {
        let limit = self.state.objective(&self.penalty) - CERTIFICATE_TOLERANCE;
        let above = |best: Option<Move>| best.is_none_or(|best| best.objective >= limit);
        above(self.best_insertion()) && above(self.best_removal()) && self.next_swap(0, limit).is_none()
    }

    /// Step 1 of the paper: the best weight of a rule of the support with all else as it is, or none if the
    /// rule is not worth its price (Theorem 1 with the support without it).
    pub fn best_weight_in_place(&self, position: usize) -> Option<f64> {
        let rule = self.state.support()[position];
        let (total, summary, ridge) = self.without(position);
        let covered = without_rule(self.sums[rule], self.sums[rule], self.state.weight(position));
        let step = single_step(&Sums::new(covered, total), self.problem.bounds[rule], self.problem.ridge);
        let out = total[0] + total[1] + ridge + self.penalty.of(summary);
        let kept = step.loss + ridge + self.penalty.of(self.summary);
        (kept < out && step.weight.abs() >= MIN_WEIGHT).then_some(step.weight)
    }

    /// Step 2 of the paper: the first rule, in index order, that in the place of one of the support and with its
    /// best weight lowers G.
    pub fn first_better_in_place(&self, position: usize) -> Option<Move> {
        let sums = self.sums_without(position);
        let (total, summary, ridge) = self.without(position);
        let limit = self.state.objective(&self.penalty) - CERTIFICATE_TOLERANCE;
        let mut candidates =
            (0..sums.len()).filter(|&rule| !self.in_support[rule] && self.problem.eligible[rule]);
        let improves = |rule: usize| {
            let sums = Sums::new(sums[rule], total);
            let price = ridge + self.penalty.of(summary.with(self.problem.shares[rule]));
            if sums.single_lower_bound() + price >= limit {
                return None;
            }
            let step = single_step(&sums, self.problem.bounds[rule], self.problem.ridge);
            let objective = step.loss + price;
            let enters = objective < limit && step.weight.abs() >= MIN_WEIGHT;
            enters.then_some(Move {
                out: Some(position),
                enter: Some((rule, step.weight)),
                shift: 0.0,
                objective,
            })
        };
        candidates.find_map(improves)
    }

    /// For each rule a bound below which no insertion of it can bring G; infinite for rules that cannot enter.
    pub fn insertion_bounds(&self) -> Vec<f64> {
        self.entry_bounds(&self.sums, self.total, self.summary, self.state.ridge_part())
    }

    /// The same for rules that enter a support described by its sums.
    fn entry_bounds(&self, sums: &[Pair], total: Pair, summary: SupportSummary, ridge: f64) -> Vec<f64> {
        (0..sums.len())
            .map(|rule| {
                if self.in_support[rule] || !self.problem.eligible[rule] {
                    return f64::INFINITY;
                }
                let fixed = ridge + self.penalty.of(summary.with(self.problem.shares[rule]));
                Sums::new(sums[rule], total).lower_bound() + fixed
            })
            .collect()
    }

    /// The best insertion, whether or not it improves.
    pub fn best_insertion(&self) -> Option<Move> {
        let cutoff = f64::INFINITY;
        self.best_entry(&self.sums, self.total, self.summary, self.state.ridge_part(), cutoff, None)
    }

    /// The best removal, whether or not it improves.
    pub fn best_removal(&self) -> Option<Move> {
        (0..self.state.support().len()).map(|position| self.removal(position)).reduce(Move::better)
    }

    /// What taking one rule out leads to, the intercept re-optimised and the other weights as they are.
    pub fn removal(&self, position: usize) -> Move {
        let (total, summary, ridge) = self.without(position);
        let removal = optimal_intercept(total, self.state.intercept());
        let objective = removal.loss + ridge + self.penalty.of(summary);
        Move { out: Some(position), enter: None, shift: removal.shift, objective }
    }

    /// The best swap of the first few positions that have any below `cutoff`, beginning behind `start`, with the
    /// position it was found at.
    ///
    /// Positions are priced in batches of a fixed size, so that the result does not depend on the thread count, and
    /// an improvement is taken before all others are priced: it changes their prices anyway.
    pub fn next_swap(&self, start: usize, cutoff: f64) -> Option<Move> {
        const BATCH: usize = 8;
        let n_rules = self.state.support().len();
        let positions: Vec<usize> = (0..n_rules).map(|nth| (start + nth) % n_rules).collect();
        positions.chunks(BATCH).find_map(|batch| {
            let swaps: Vec<_> = batch.par_iter().map(|&position| self.best_swap(position, cutoff)).collect();
            swaps.into_iter().flatten().reduce(Move::better)
        })
    }

    /// The best rule in the place of one of the support, if it leads below `cutoff`.
    pub fn best_swap(&self, position: usize, cutoff: f64) -> Option<Move> {
        let sums = self.sums_without(position);
        let (total, summary, ridge) = self.without(position);
        self.best_entry(&sums, total, summary, ridge, cutoff, Some(position))
    }

    /// The sums of every rule with one of the support taken out: they change only on rows that it covers.
    fn sums_without(&self, position: usize) -> Vec<Pair> {
        let rule = self.state.support()[position];
        let rows = self.problem.coverage.rows_of(rule);
        let factors = removal_factors(self.state.weight(position));
        let change: Vec<Pair> = rows
            .iter()
            .map(|&row| {
                let loss = self.row_losses[row as usize];
                [factors[0] * loss[0], factors[1] * loss[1]]
            })
            .collect();
        let mut sums = self.problem.coverage.sums_within(&rows, &change);
        for (sum, before) in sums.iter_mut().zip(&self.sums) {
            *sum = [(before[0] + sum[0]).max(0.0), (before[1] + sum[1]).max(0.0)];
        }
        sums
    }

    /// Total losses, summary and ridge with a rule taken out.
    fn without(&self, position: usize) -> (Pair, SupportSummary, f64) {
        let (rule, weight) = (self.state.support()[position], self.state.weight(position));
        let total = without_rule(self.total, self.sums[rule], weight);
        let ridge = self.state.ridge_part() - 0.5 * self.problem.ridge * weight * weight;
        (total, self.summary.without(self.problem.shares[rule]), ridge)
    }

    /// The best rule to add to a support described by its sums.
    fn best_entry(
        &self,
        sums: &[Pair],
        total: Pair,
        summary: SupportSummary,
        ridge: f64,
        cutoff: f64,
        out: Option<usize>,
    ) -> Option<Move> {
        let fixed = |rule: usize| ridge + self.penalty.of(summary.with(self.problem.shares[rule]));
        let price = |rule: usize| -> Option<Move> {
            let sums = Sums::new(sums[rule], total);
            let Step { weight, shift, loss } =
                joint_step(&sums, self.problem.bounds[rule], self.problem.ridge, self.state.intercept());
            let objective = loss + fixed(rule);
            (weight.abs() >= MIN_WEIGHT).then_some(Move {
                out,
                enter: Some((rule, weight)),
                shift,
                objective,
            })
        };
        // A bound is much cheaper than a price. The rule of the lowest bound first: its price rules out most others.
        let bounds = self.entry_bounds(sums, total, summary, ridge);
        let first = (0..bounds.len()).min_by(|&a, &b| bounds[a].total_cmp(&bounds[b]))?;
        let mut best: Option<Move> = None;
        let mut lowest = cutoff;
        for rule in std::iter::once(first).chain((0..bounds.len()).filter(|&rule| rule != first)) {
            if bounds[rule] < lowest
                && let Some(entry) = price(rule)
                && entry.objective < lowest
            {
                lowest = entry.objective;
                best = Some(entry);
            }
        }
        best
    }
}
