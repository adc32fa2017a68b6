//! The rows of the l1 problem. Whatever has their size stays here; the solver sees columns and patterns.
//!
//! They are in memory: columns of numbers differ between the rows of a pattern, and the duality gap is a sum over rows.

use super::DenseColumn;
use super::dual::Dual;
use crate::coverage::{Pair, Patterns, RowPatterns};
use crate::solver::rows::{MemoryRows, RowStore};

/// The rows by the pattern of the working set's rules, with the numbers of the linear columns.
pub(super) struct WorkingRows {
    patterns: RowPatterns,
    /// The values of the linear columns, row by row.
    linear: Vec<f64>,
    n_linear: usize,
}

/// The derivatives of the loss by the weight of each column.
pub(super) struct Slopes {
    /// First and second derivative by the score of each row.
    rows: Vec<Pair>,
    /// By the intercept and each linear column.
    pub head: Vec<f64>,
    /// First and second derivative by the weight of each rule, in the set or not.
    pub rules: Vec<Pair>,
}

/// The second derivative of the loss by the score of each row.
pub(super) struct Bends(Vec<f64>);

/// The loss of zero weights.
pub(super) fn loss_at_zero<L: Dual>(rows: &MemoryRows) -> f64 {
    rows.masses().iter().map(|&mass| L::at_zero(mass)).sum()
}

impl Slopes {
    /// What the dual value of the slopes, multiplied by a scale, pays for the rows.
    pub fn conjugate<L: Dual>(&self, rows: &MemoryRows, scale: f64) -> f64 {
        let of_row = |(&mass, slope): (&Pair, &Pair)| L::conjugate(mass, scale * slope[0]);
        rows.masses().iter().zip(&self.rows).map(of_row).sum()
    }
}

impl WorkingRows {
    /// Of no rules yet.
    pub fn new(rows: &MemoryRows, linear: &[DenseColumn]) -> Self {
        let values = |row: usize| linear.iter().map(move |column| column.values[row]);
        Self {
            patterns: RowPatterns::of_no_rules(rows.masses()),
            linear: (0..rows.n_rows()).flat_map(values).collect(),
            n_linear: linear.len(),
        }
    }

    /// Sorts the rows by the patterns of other rules, in ascending order.
    pub fn set_rules(&mut self, rows: &MemoryRows, rules: &[usize]) {
        self.patterns = RowPatterns::of(rows.coverage(), rules, rows.masses());
    }

    /// The patterns of the rules.
    pub fn patterns(&self) -> &Patterns {
        self.patterns.patterns()
    }

    /// The number of parameters before those of the rules: the intercept and the linear columns.
    pub fn n_head(&self) -> usize {
        1 + self.n_linear
    }

    /// The loss, without the problem's constant.
    pub fn loss<L: Dual>(&self, rows: &MemoryRows, parameters: &[f64]) -> f64 {
        let mut loss = 0.0;
        self.for_each_score(rows, parameters, |_, _, mass, score| loss += L::value(mass, score));
        loss
    }

    /// The derivative of the loss by each parameter.
    pub fn gradient<L: Dual>(&self, rows: &MemoryRows, parameters: &[f64]) -> Vec<f64> {
        let n_head = self.n_head();
        let mut gradient = vec![0.0; parameters.len()];
        let mut slopes = vec![0.0; self.patterns().len()];
        self.for_each_score(rows, parameters, |pattern, values, mass, score| {
            let [slope, _] = L::slope_and_bend(mass, score);
            slopes[pattern] += slope;
            for (sum, value) in gradient[1..n_head].iter_mut().zip(values) {
                *sum += slope * value;
            }
        });
        for ((active, _), slope) in self.patterns().iter().zip(slopes) {
            gradient[0] += slope;
            let of_rules = &mut gradient[n_head..];
            for &rule in active {
                of_rules[rule as usize] += slope;
            }
        }
        gradient
    }

    /// One scan over all rules.
    pub fn slopes<L: Dual>(&self, rows: &MemoryRows, parameters: &[f64]) -> Slopes {
        let (of_rows, head) = self.slopes_of_rows::<L>(rows, parameters);
        let rules = rows.coverage().sums(&of_rows);
        Slopes { rows: of_rows, head, rules }
    }

    /// The second derivatives by the scores.
    pub fn bends<L: Dual>(&self, rows: &MemoryRows, parameters: &[f64]) -> Bends {
        let (of_rows, _) = self.slopes_of_rows::<L>(rows, parameters);
        Bends(of_rows.iter().map(|row| row[1]).collect())
    }

    /// For each pattern the sum of the bends, and of the bends times each linear column.
    pub fn pattern_sums(&self, bends: &Bends) -> Vec<f64> {
        let n_head = self.n_head();
        let mut sums = vec![0.0; self.patterns().len() * n_head];
        for (row, (&pattern, bend)) in self.patterns.of_row().iter().zip(&bends.0).enumerate() {
            let sums = &mut sums[pattern as usize * n_head..][..n_head];
            sums[0] += bend;
            for (sum, value) in sums[1..].iter_mut().zip(self.values(row)) {
                *sum += bend * value;
            }
        }
        sums
    }

    /// The sum of the bends times the product of each pair of linear columns, on and below the diagonal: calls with both
    /// and a part of it.
    pub fn for_each_linear_pair(&self, bends: &Bends, mut call: impl FnMut(usize, usize, f64)) {
        if self.n_linear == 0 {
            return;
        }
        for (row, bend) in bends.0.iter().enumerate() {
            let values = self.values(row);
            for (nth, &value) in values.iter().enumerate() {
                for (other, other_value) in values[..=nth].iter().enumerate() {
                    call(nth, other, bend * value * other_value);
                }
            }
        }
    }

    /// The derivatives by the score of each row, and by the weights of intercept and linear columns.
    fn slopes_of_rows<L: Dual>(&self, rows: &MemoryRows, parameters: &[f64]) -> (Vec<Pair>, Vec<f64>) {
        let mut head = vec![0.0; self.n_head()];
        let of_rows: Vec<Pair> = if self.n_linear == 0 {
            let scores = self.pattern_scores(parameters);
            let of_row = rows.masses().iter().zip(self.patterns.of_row());
            of_row.map(|(&mass, &pattern)| L::slope_and_bend(mass, scores[pattern as usize])).collect()
        } else {
            let mut of_rows = Vec::with_capacity(rows.n_rows());
            self.for_each_score(rows, parameters, |_, values, mass, score| {
                let at = L::slope_and_bend(mass, score);
                of_rows.push(at);
                for (sum, value) in head[1..].iter_mut().zip(values) {
                    *sum += at[0] * value;
                }
            });
            of_rows
        };
        head[0] = of_rows.iter().map(|row| row[0]).sum();
        (of_rows, head)
    }

    /// Calls with pattern, values of the linear columns, mass and score: once a pattern, or, where linear columns
    /// tell its rows apart, once a row.
    fn for_each_score(
        &self,
        rows: &MemoryRows,
        parameters: &[f64],
        mut call: impl FnMut(usize, &[f64], Pair, f64),
    ) {
        if self.n_linear == 0 {
            for (pattern, (active, mass)) in self.patterns().iter().enumerate() {
                call(pattern, &[], *mass, self.score(parameters, active));
            }
            return;
        }
        let scores = self.pattern_scores(parameters);
        let weights = &parameters[1..self.n_head()];
        for (row, (&pattern, mass)) in self.patterns.of_row().iter().zip(rows.masses()).enumerate() {
            let values = self.values(row);
            let linear: f64 = weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
            call(pattern as usize, values, *mass, scores[pattern as usize] + linear);
        }
    }

    /// The part of each pattern's score that does not differ between its rows.
    fn pattern_scores(&self, parameters: &[f64]) -> Vec<f64> {
        self.patterns().iter().map(|(active, _)| self.score(parameters, active)).collect()
    }

    fn score(&self, parameters: &[f64], active: &[u16]) -> f64 {
        let of_rules = &parameters[self.n_head()..];
        active.iter().fold(parameters[0], |sum, &at| sum + of_rules[at as usize])
    }

    /// The values of the linear columns for one row.
    fn values(&self, row: usize) -> &[f64] {
        &self.linear[row * self.n_linear..(row + 1) * self.n_linear]
    }
}
