//! The model of one proximal Newton step: a quadratic function with prices on absolute values, within bounds.

use super::super::linalg::Cholesky;
use crate::objective::Bounds;

/// Coordinate sweeps over the model.
const MAX_SWEEPS: usize = 500;
/// Sweeps before the first Newton step within the signs, and at least between two of them.
const SWEEPS_BEFORE_LEAP: usize = 4;
/// A Newton step over n weights costs about n / 6 sweeps: it should not be most of the work.
const WEIGHTS_PER_SWEEP_BETWEEN_LEAPS: usize = 12;
/// Keeps a column whose rows are all decided from taking an infinite step.
const DAMPING: f64 = 1e-12;

/// What each weight costs and where it may lie.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    /// The price of a unit of each weight; 0 for the intercept.
    pub prices: &'a [f64],
    /// Where each weight may lie.
    pub bounds: &'a [Bounds],
}

/// A quadratic function plus the prices, at a point.
pub(super) struct QuadraticModel<'a> {
    /// The point.
    pub at: Vec<f64>,
    /// The gradient of the quadratic part there.
    pub slope: Vec<f64>,
    /// In full, row by row.
    pub curvature: &'a [f64],
    pub terms: Terms<'a>,
}

impl QuadraticModel<'_> {
    /// The minimum by coordinate descent, until no sweep changes a slope by more than `accuracy`; once in a while a
    /// Newton step within the signs found so far saves the many sweeps that correlated columns would need.
    pub fn minimum(mut self, accuracy: f64) -> Vec<f64> {
        let mut next_leap = SWEEPS_BEFORE_LEAP;
        for sweep in 0..MAX_SWEEPS {
            if self.sweep() < accuracy {
                break;
            }
            if sweep == next_leap {
                let n_signed = self.leap();
                next_leap += SWEEPS_BEFORE_LEAP.max(n_signed / WEIGHTS_PER_SWEEP_BETWEEN_LEAPS);
            }
        }
        self.at
    }

    /// Minimises along each coordinate in turn; gives the largest change of a slope.
    fn sweep(&mut self) -> f64 {
        let mut largest = 0.0f64;
        for coordinate in 0..self.at.len() {
            let bend = self.line(coordinate)[coordinate] + DAMPING;
            let free = self.at[coordinate] - self.slope[coordinate] / bend;
            let next = soft_threshold(free, self.terms.prices[coordinate] / bend);
            let next = self.terms.bounds[coordinate].clamp(next);
            let step = next - self.at[coordinate];
            if step != 0.0 {
                self.at[coordinate] = next;
                self.move_slope(coordinate, step);
                largest = largest.max(step.abs() * bend);
            }
        }
        largest
    }

    /// A Newton step over the weights that are free to move, as far as they keep their signs; gives their number.
    fn leap(&mut self) -> usize {
        let Terms { prices, bounds } = self.terms;
        // A weight that costs nothing has no corner at zero.
        let moves = |&at: &usize| {
            let weight = self.at[at];
            (weight != 0.0 || prices[at] == 0.0) && weight > bounds[at].low && weight < bounds[at].high
        };
        let signed: Vec<usize> = (0..self.at.len()).filter(moves).collect();
        let size = signed.len();
        let mut step: Vec<f64> =
            signed.iter().map(|&at| -self.slope[at] - prices[at] * self.at[at].signum()).collect();
        let mut reduced = vec![0.0; size * size];
        for (nth, &row) in signed.iter().enumerate() {
            let line = self.line(row);
            for (column, &from) in signed[..=nth].iter().enumerate() {
                reduced[nth * size + column] = line[from];
            }
        }
        let Some(factor) = Cholesky::of(reduced, size) else { return size };
        factor.solve(&mut step);
        // The first weight to reach zero, or its limit, ends the step and stays there.
        let reach = |(&at, &step): (&usize, &f64)| {
            let (from, to) = (self.at[at], self.at[at] + step);
            let crosses = prices[at] > 0.0 && to * from < 0.0;
            let end = if crosses { 0.0 } else { bounds[at].clamp(to) };
            if end == to { (1.0, at, to) } else { ((end - from) / step, at, end) }
        };
        let first = signed.iter().zip(&step).map(reach).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((length, stopped, end)) = first else { return size };
        for (&at, &step) in signed.iter().zip(&step) {
            let next = if at == stopped { end } else { self.at[at] + length * step };
            let moved = next - self.at[at];
            self.at[at] = next;
            self.move_slope(at, moved);
        }
        size
    }

    fn line(&self, coordinate: usize) -> &[f64] {
        let size = self.at.len();
        &self.curvature[coordinate * size..(coordinate + 1) * size]
    }

    fn move_slope(&mut self, coordinate: usize, step: f64) {
        let size = self.at.len();
        let line = &self.curvature[coordinate * size..(coordinate + 1) * size];
        for (slope, bend) in self.slope.iter_mut().zip(line) {
            *slope += step * bend;
        }
    }
}

fn soft_threshold(value: f64, by: f64) -> f64 {
    value.signum() * (value.abs() - by).max(0.0)
}
