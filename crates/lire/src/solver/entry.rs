//! The objective with each rule that may enter a support: bounds from sums first, the best step only where they leave a chance.

use super::moves::{Move, Neighbourhood};
use super::rows::{CoveredSums, Pair, RowStore};
use crate::objective::{Level, Limits, Lumps, MIN_WEIGHT, Spread, Step, Steps, Sums, SupportSummary, Total};
use std::cell::OnceCell;

/// So many candidates are looked at closely in a rough descent. With one or four, solutions on the benchmark instances
/// are as good.
const CLOSER_LOOKS: usize = 2;
/// A further scan, which rules out most of the candidates left, costs less than the best steps of so many.
const WORTH_A_SCAN: usize = 4;

/// A support that a rule enters: the present one, or without one of its rules.
pub(super) struct Entrance<'a> {
    pub out: Option<usize>,
    pub sums: &'a [Pair],
    pub all: Total,
    pub summary: SupportSummary,
    pub ridge: f64,
    levels: OnceCell<Vec<Level>>,
    /// The same levels in lumps, if these save anything.
    lumps: OnceCell<Option<Lumps>>,
}

impl<L: Steps, R: RowStore> Neighbourhood<'_, '_, L, R> {
    /// About the G that inserting each rule leads to; infinite for rules that cannot enter.
    pub fn insertion_estimates(&self) -> &[f64] {
        self.estimates.get_or_init(|| self.of_entries(&self.entrance(), L::joint_estimate))
    }

    /// For each rule that may enter a support its loss by two sums, and the price; infinite for the others.
    pub(super) fn of_entries(&self, entrance: &Entrance, loss: impl Fn(&Sums, f64) -> f64) -> Vec<f64> {
        (0..entrance.sums.len())
            .map(|rule| {
                if !self.may_enter(rule) {
                    return f64::INFINITY;
                }
                let sums = Sums::of::<L>(entrance.sums[rule], entrance.all);
                loss(&sums, self.problem.ridge) + self.price(entrance, rule)
            })
            .collect()
    }

    /// The best insertion that leads below `cutoff`.
    pub fn best_insertion(&self, cutoff: f64) -> Option<Move> {
        let entrance = self.entrance();
        if L::CLOSED {
            return self.best_entry(&entrance, self.insertion_estimates(), cutoff);
        }
        self.best_entry(&entrance, &self.of_entries(&entrance, L::joint_lower_bound), cutoff)
    }

    /// An insertion that leads below `cutoff`: the best of those that look best, where looking closer takes long.
    pub fn good_insertion(&self, cutoff: f64) -> Option<Move> {
        if L::CLOSED {
            return self.best_insertion(cutoff);
        }
        self.good_entry(&self.entrance(), self.insertion_estimates(), cutoff)
    }

    /// A rule in the place of one of the support, given the sums without that, if it leads below `cutoff`: the best of
    /// those that look best.
    pub fn good_swap(&self, position: usize, sums: &[Pair], cutoff: f64) -> Option<Move> {
        if L::CLOSED {
            return self.best_swap(position, sums, cutoff);
        }
        let entrance = self.entrance_without(position, sums);
        self.good_entry(&entrance, &self.of_entries(&entrance, L::joint_estimate), cutoff)
    }

    /// The best of the few rules with the lowest estimates, if it leads below `cutoff`.
    fn good_entry(&self, entrance: &Entrance, estimates: &[f64], cutoff: f64) -> Option<Move> {
        let mut likely: Vec<usize> = (0..estimates.len()).filter(|&rule| estimates[rule] < cutoff).collect();
        likely.sort_unstable_by(|&a, &b| estimates[a].total_cmp(&estimates[b]).then(a.cmp(&b)));
        likely.truncate(CLOSER_LOOKS);
        let spreads = self.candidates.spreads(self.levels(entrance), &likely);
        let entries = likely.into_iter().zip(spreads);
        entries
            .filter_map(|(rule, spread)| self.entry_on(entrance, rule, cutoff, || spread))
            .reduce(Move::better)
    }

    fn entrance(&self) -> Entrance<'_> {
        Entrance {
            out: None,
            sums: &self.candidates.of_rules,
            all: self.candidates.of_all,
            summary: self.summary,
            ridge: self.state.ridge_part(),
            levels: OnceCell::new(),
            lumps: OnceCell::new(),
        }
    }

    pub(super) fn entrance_without<'a>(&self, position: usize, sums: &'a [Pair]) -> Entrance<'a> {
        let (all, summary, ridge) = self.without(position);
        Entrance {
            out: Some(position),
            sums,
            all,
            summary,
            ridge,
            levels: OnceCell::new(),
            lumps: OnceCell::new(),
        }
    }

    pub(super) fn may_enter(&self, rule: usize) -> bool {
        !self.in_support[rule] && self.problem.eligible[rule]
    }

    /// What G holds beside the loss when a rule has entered, without the ridge of its own weight.
    pub(super) fn price(&self, entrance: &Entrance, rule: usize) -> f64 {
        entrance.ridge + self.penalty.of(entrance.summary.with(self.problem.shares[rule]))
    }

    pub(super) fn limits(&self, rule: usize) -> Limits {
        Limits::new(self.problem.bounds[rule], self.problem.ridge, self.state.intercept())
    }

    pub(super) fn spread(&self, entrance: &Entrance, rule: usize) -> Spread {
        self.candidates.spread(self.levels(entrance), rule)
    }

    fn levels<'a>(&self, entrance: &'a Entrance) -> &'a [Level] {
        entrance.levels.get_or_init(|| self.candidates.levels(entrance.out))
    }

    /// The best rule to enter, if it leads below `cutoff`.
    pub(super) fn best_entry(&self, entrance: &Entrance, bounds: &[f64], cutoff: f64) -> Option<Move> {
        // A bound is much cheaper than a step. The rule of the lowest bound first: its step rules out most others.
        let first = (0..bounds.len()).min_by(|&a, &b| bounds[a].total_cmp(&bounds[b]))?;
        if bounds[first] >= cutoff {
            return None;
        }
        let mut best = self.entry(entrance, first, cutoff);
        let mut lowest = best.map_or(cutoff, |best| best.objective);
        let mut left: Vec<(f64, usize)> = (0..bounds.len())
            .filter(|&rule| bounds[rule] < lowest && rule != first)
            .map(|rule| (bounds[rule], rule))
            .collect();
        if !L::CLOSED && left.len() > WORTH_A_SCAN {
            left = self.closer_bounds(entrance, left);
        }
        left.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (bound, rule) in left {
            if bound < lowest
                && let Some(entry) = self.entry(entrance, rule, lowest)
            {
                lowest = entry.objective;
                best = Some(entry);
            }
        }
        best
    }

    /// Bounds of some rules that take another scan.
    fn closer_bounds(&self, entrance: &Entrance, rules: Vec<(f64, usize)>) -> Vec<(f64, usize)> {
        let losses = self.candidates.losses(entrance.out);
        rules
            .into_iter()
            .map(|(bound, rule)| (bound.max(self.bound_by_losses(entrance, &losses, rule)), rule))
            .collect()
    }

    /// A bound of one rule that knows the present losses of its rows.
    fn bound_by_losses(&self, entrance: &Entrance, losses: &CoveredSums, rule: usize) -> f64 {
        let sums = Sums::of::<L>(entrance.sums[rule], entrance.all);
        let (covered, all) = (losses.of_rules[rule], losses.of_all);
        let uncovered = [(all[0] - covered[0]).max(0.0), (all[1] - covered[1]).max(0.0)];
        L::lower_bound_by_losses(&sums, covered, uncovered) + self.price(entrance, rule)
    }

    /// The best step of one rule that enters, if it leads below `cutoff`.
    fn entry(&self, entrance: &Entrance, rule: usize, cutoff: f64) -> Option<Move> {
        if L::CLOSED {
            return self.entry_on(entrance, rule, cutoff, || self.spread(entrance, rule));
        }
        let levels = self.levels(entrance);
        let covered = self.candidates.covered(rule);
        if let Some(lumps) = entrance.lumps.get_or_init(|| Lumps::of(levels)) {
            let sums = Sums::of::<L>(entrance.sums[rule], entrance.all);
            let (limits, price) = (self.limits(rule), self.price(entrance, rule));
            if !L::may_lead_below(&sums, &limits, cutoff - price, || lumps.spread(&covered)) {
                return None;
            }
        }
        self.entry_on(entrance, rule, cutoff, || Spread::of(levels, &covered))
    }

    /// The same, given the rows by score.
    fn entry_on(
        &self,
        entrance: &Entrance,
        rule: usize,
        cutoff: f64,
        rows: impl FnOnce() -> Spread,
    ) -> Option<Move> {
        let price = self.price(entrance, rule);
        let sums = Sums::of::<L>(entrance.sums[rule], entrance.all);
        let Step { weight, shift, loss } = L::joint_step(&sums, &self.limits(rule), cutoff - price, rows)?;
        let objective = loss + price;
        let enters = objective < cutoff && weight.abs() >= MIN_WEIGHT;
        enters.then_some(Move { out: entrance.out, enter: Some((rule, weight)), shift, objective })
    }
}
