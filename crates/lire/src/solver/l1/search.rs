//! Grows the working set until no rule outside of it is worth its price.

use super::dual::{Column, Dual};
use super::working::{Slopes, WorkingSet};
use super::{GAP_TOLERANCE, L1Problem, L1Solution};
use crate::solver::Weights;

/// Rules taken into the working set at a time, at the least: doubling it keeps the number of scans logarithmic.
const MIN_GROWTH: usize = 16;
/// Rounds of scan and solve; each but the last ones enlarges the working set.
const MAX_ROUNDS: usize = 200;
/// The weights of the working set are found up to this share of the largest violation outside of it.
const ROUND_ACCURACY: f64 = 0.1;
/// No conditions are asked to hold more exactly than this, which is where rounding begins.
const LEAST_TOLERANCE: f64 = 1e-15;

/// A working set on its way, which can go on to another γ.
pub(super) struct Search<'p, L> {
    l1: &'p L1Problem<'p>,
    working: WorkingSet<'p, L>,
    /// The slopes at the present weights, if they are known.
    slopes: Option<Slopes>,
    /// The loss of zero weights, which the duality gap is measured by.
    scale: f64,
}

impl<'p, L: Dual> Search<'p, L> {
    pub fn new(l1: &'p L1Problem<'p>, start: &Weights) -> Self {
        let at_zero: f64 = l1.problem.masses.iter().map(|&mass| L::at_zero(mass)).sum();
        let scale = at_zero.max(l1.problem.constant);
        Self { l1, working: WorkingSet::new(l1, start), slopes: None, scale }
    }

    /// Goes to the solution for one γ.
    pub fn reach(&mut self, gamma: f64, tolerance: f64) -> L1Solution {
        let gap_tolerance = GAP_TOLERANCE.max(tolerance) * self.scale;
        // While rules are missing, the weights of those in the set need not be more exact than what is missing.
        let mut inner = tolerance.max(ROUND_ACCURACY * gamma);
        let mut slopes = self.slopes.take().unwrap_or_else(|| {
            self.working.minimise(gamma, inner);
            self.working.slopes()
        });
        let mut found = self.judge(&slopes, gamma, gap_tolerance);
        for _ in 0..MAX_ROUNDS {
            if found.violation <= tolerance && found.gap <= gap_tolerance || inner <= LEAST_TOLERANCE {
                break;
            }
            let missing = found.missing.first().map_or(0.0, |worst| worst.0);
            inner = match inner > tolerance {
                true => tolerance.max(ROUND_ACCURACY * missing.min(inner)),
                false if missing > tolerance => tolerance,
                // The set is right but not yet exact enough.
                false => ROUND_ACCURACY * inner,
            };
            for &(_, rule) in found.missing.iter().take(MIN_GROWTH.max(self.working.rules.len())) {
                self.working.push(rule, 0.0);
            }
            self.working.minimise(gamma, inner);
            self.working.drop_zeros();
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
        }
    }

    /// How far the present weights are from the minimum, and which rules are missing.
    fn judge(&self, slopes: &Slopes, gamma: f64, gap_tolerance: f64) -> Judgement {
        let problem = self.l1.problem;
        let mut weights = vec![0.0; problem.shares.len()];
        for (&rule, &weight) in
            self.working.rules.iter().zip(&self.working.parameters[self.working.n_head()..])
        {
            weights[rule] = weight;
        }
        let column = |rule: usize| Column {
            weight: weights[rule],
            slope: slopes.rules[rule][0],
            price: gamma * self.l1.factor(rule),
            bounds: problem.bounds[rule],
        };
        let mut columns = self.working.head_columns(slopes, gamma);
        columns.extend((0..weights.len()).filter(|&rule| problem.eligible[rule]).map(column));
        let violation = columns.iter().map(|column| column.violation()).fold(0.0, f64::max);
        let mut gap = columns.iter().map(|column| column.gap()).sum();
        if gap > gap_tolerance {
            gap = self.gap_of_scaled_slopes(slopes, &columns, gamma).min(gap);
        }
        let mut in_set = vec![false; weights.len()];
        for &rule in &self.working.rules {
            in_set[rule] = true;
        }
        let mut missing: Vec<(f64, usize)> = (0..weights.len())
            .filter(|&rule| problem.eligible[rule] && !in_set[rule])
            .map(|rule| (column(rule).violation(), rule))
            .filter(|&(violation, _)| violation > 0.0)
            .collect();
        missing.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Judgement { violation, gap, missing }
    }

    /// The gap to the dual value of the slopes shrunk so far that no priced column pays.
    fn gap_of_scaled_slopes(&self, slopes: &Slopes, columns: &[Column], gamma: f64) -> f64 {
        let scale = columns.iter().map(|column| column.scale()).fold(1.0, f64::min);
        let rows = self.l1.problem.masses.iter().zip(&slopes.rows);
        let of_rows: f64 = rows.map(|(&mass, slope)| L::conjugate(mass, scale * slope[0])).sum();
        let of_columns: f64 = columns.iter().map(|column| column.conjugate(scale)).sum();
        (self.working.value(gamma) + of_rows + of_columns).max(0.0)
    }
}

/// What a scan says of the present weights.
struct Judgement {
    violation: f64,
    gap: f64,
    /// Violations and rules outside of the working set, the largest first.
    missing: Vec<(f64, usize)>,
}
