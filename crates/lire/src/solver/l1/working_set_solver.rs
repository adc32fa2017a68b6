//! Grows the working set until no rule outside of it is worth its price.

use super::dual::{Column, Dual};
use super::rows::{Slopes, loss_at_zero};
use super::working::{Paused, WorkingSet};
use super::{Accuracy, L1Problem, L1Solution};
use crate::solver::Weights;

/// Rules taken into the working set at a time, at the least, and one more for so many that it has: most of those that
/// enter leave again, and cost more than another scan.
const MIN_GROWTH: usize = 16;
const RULES_PER_GROWTH: usize = 4;
/// Rounds of scan and solve; each but the last ones enlarges the working set.
const MAX_ROUNDS: usize = 200;
/// The weights of the working set are found up to this share of the largest violation outside of it.
const ROUND_ACCURACY: f64 = 0.1;
/// No conditions are asked to hold more exactly than this, which is where rounding begins.
const LEAST_TOLERANCE: f64 = 1e-15;
/// A γ that no column with a price can pay.
const PROHIBITIVE: f64 = 1e100;

/// A working set on its way, which can go on to another γ.
pub(super) struct WorkingSetSolver<'p, L> {
    l1: &'p L1Problem<'p>,
    working: WorkingSet<'p, L>,
    /// The slopes at the present weights, if they are known.
    slopes: Option<Slopes>,
    /// The loss of zero weights, which the duality gap is measured by.
    scale: f64,
}

impl<'p, L: Dual> WorkingSetSolver<'p, L> {
    pub fn new(l1: &'p L1Problem<'p>, start: &Weights) -> Self {
        let mut working = WorkingSet::new(l1, start);
        if start.rules.is_empty() {
            // The model at any large γ: the intercept, and rules that cost nothing. Exact, as it costs next to nothing,
            // so that no column enters for want of the right intercept.
            let free = |&rule: &usize| l1.problem.eligible[rule] && l1.factor(rule) == 0.0;
            working.exchange((0..l1.problem.shares.len()).filter(free));
            working.minimise(PROHIBITIVE, LEAST_TOLERANCE);
        }
        Self::with(l1, working)
    }

    /// Goes on where another one was left, with one rule more to begin with.
    pub fn resumed(l1: &'p L1Problem<'p>, paused: Paused, entering: Option<usize>) -> Self {
        let mut working = WorkingSet::resumed(l1, paused);
        working.exchange(entering.into_iter());
        Self::with(l1, working)
    }

    /// What is left without the problem.
    pub fn paused(self) -> Paused {
        self.working.paused()
    }

    fn with(l1: &'p L1Problem<'p>, working: WorkingSet<'p, L>) -> Self {
        let at_zero = loss_at_zero::<L>(&l1.problem.rows);
        Self { l1, working, slopes: None, scale: at_zero.max(l1.problem.constant) }
    }

    /// Goes to the solution for one γ.
    pub fn reach(&mut self, gamma: f64, accuracy: Accuracy) -> L1Solution {
        let Accuracy { tolerance, gap_share } = accuracy;
        let gap_tolerance = gap_share * self.scale;
        let mut inner = tolerance.max(ROUND_ACCURACY * gamma);
        let mut slopes = self.slopes.take().unwrap_or_else(|| {
            self.working.minimise(gamma, inner);
            self.working.slopes()
        });
        let mut found = self.judge(&slopes, gamma, gap_tolerance);
        for _ in 0..MAX_ROUNDS {
            let is_done = found.violation <= tolerance && found.gap <= gap_tolerance;
            if is_done || inner <= LEAST_TOLERANCE || self.l1.watch.stop().is_some() {
                break;
            }
            let growth = MIN_GROWTH.max(self.working.rules.len() / RULES_PER_GROWTH);
            let entering = &found.missing[..growth.min(found.missing.len())];
            let missing = entering.iter().map(|missing| missing.violation).fold(0.0, f64::max);
            inner = if missing > tolerance || inner > tolerance {
                // Weights need not be more exact than what is missing.
                tolerance.max(ROUND_ACCURACY * missing)
            } else {
                // The set is right but not yet exact enough.
                ROUND_ACCURACY * inner
            };
            self.working.exchange(entering.iter().map(|missing| missing.rule));
            self.working.minimise(gamma, inner);
            slopes = self.working.slopes();
            found = self.judge(&slopes, gamma, gap_tolerance);
        }
        self.slopes = Some(slopes);
        L1Solution {
            weights: self.working.weights(),
            linear: self.working.parameters[1..self.working.n_head()].to_vec(),
            objective: self.working.value(gamma) + self.l1.problem.constant,
            violation: found.violation,
            gap: found.gap,
            gap_tolerance,
        }
    }

    /// The smallest γ at which every column with a price stays at zero, found from an empty start.
    pub fn gamma_max(self) -> f64 {
        let slopes = self.working.slopes();
        let priced = self.columns(&slopes, 1.0).into_iter().filter(|at| at.column.price > 0.0);
        priced.map(|at| at.column.pull() / at.column.price).fold(0.0, f64::max)
    }

    /// How far the present weights are from the minimum, and which rules are missing.
    fn judge(&self, slopes: &Slopes, gamma: f64, gap_tolerance: f64) -> Judgement {
        let columns = self.columns(slopes, gamma);
        let violation = columns.iter().map(|at| at.column.violation()).fold(0.0, f64::max);
        let mut gap = columns.iter().map(|at| at.column.gap()).sum();
        if gap > gap_tolerance {
            gap = self.gap_of_scaled_slopes(slopes, &columns, gamma).min(gap);
        }
        let mut missing: Vec<Missing> = columns
            .iter()
            .filter_map(|at| {
                let (rule, violation) = (at.outside?, at.column.violation());
                let gain = violation * violation / slopes.rules[rule][1].max(f64::MIN_POSITIVE);
                (violation > 0.0).then_some(Missing { rule, violation, gain })
            })
            .collect();
        missing.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.rule.cmp(&b.rule)));
        Judgement { violation, gap, missing }
    }

    /// Every column that may have a weight, at the present weights.
    fn columns(&self, slopes: &Slopes, gamma: f64) -> Vec<Placed> {
        let problem = self.l1.problem;
        let mut in_set = vec![None; problem.shares.len()];
        for (&rule, &weight) in self.working.rules.iter().zip(self.working.weights_of_rules()) {
            in_set[rule] = Some(weight);
        }
        let head = self.working.head_columns(slopes, gamma);
        let mut columns: Vec<Placed> =
            head.into_iter().map(|column| Placed { outside: None, column }).collect();
        let eligible = (0..in_set.len()).filter(|&rule| problem.eligible[rule]);
        columns.extend(eligible.map(|rule| self.placed(rule, in_set[rule], slopes, gamma)));
        columns
    }

    /// A rule with its weight, if it is in the working set.
    fn placed(&self, rule: usize, in_set: Option<f64>, slopes: &Slopes, gamma: f64) -> Placed {
        Placed {
            outside: if in_set.is_none() { Some(rule) } else { None },
            column: Column {
                weight: in_set.unwrap_or(0.0),
                slope: slopes.rules[rule][0],
                price: gamma * self.l1.factor(rule),
                bounds: self.l1.problem.bounds[rule],
            },
        }
    }

    /// The gap to the dual value of the slopes shrunk so far that no priced column pays.
    fn gap_of_scaled_slopes(&self, slopes: &Slopes, columns: &[Placed], gamma: f64) -> f64 {
        let scale = columns.iter().map(|at| at.column.scale()).fold(1.0, f64::min);
        let of_rows = slopes.conjugate::<L>(&self.l1.problem.rows, scale);
        let of_columns: f64 = columns.iter().map(|at| at.column.conjugate(scale)).sum();
        (self.working.value(gamma) + of_rows + of_columns).max(0.0)
    }
}

/// A column, and which rule it is if that is outside of the working set.
struct Placed {
    outside: Option<usize>,
    column: Column,
}

/// What a scan says of the present weights.
struct Judgement {
    violation: f64,
    gap: f64,
    /// Rules outside of the working set that are worth more than their price, the largest gain first.
    missing: Vec<Missing>,
}

struct Missing {
    rule: usize,
    violation: f64,
    /// What the rule alone would gain, roughly.
    gain: f64,
}
