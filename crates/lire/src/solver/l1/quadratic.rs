//! The model of one proximal Newton step: a quadratic function with prices on absolute values, within bounds.

use super::super::linalg::Cholesky;
use crate::objective::Bounds;
use crate::watch::Watch;

/// Coordinate sweeps over the model.
const MAX_SWEEPS: usize = 500;
/// Sweeps before the first Newton step within the signs, and at least between two of them.
const SWEEPS_BEFORE_LEAP: usize = 4;
/// A Newton step over n weights costs about n / 6 sweeps: it should not be most of the work.
const WEIGHTS_PER_SWEEP_BETWEEN_LEAPS: usize = 12;
/// Share of a diagonal that is added to it for a Newton step: rules that sum up to another one have no unique weights,
/// and go to where the first of them is not needed any more.
const RIDGE: f64 = 1e-9;
/// Newton steps in a row.
const LEAPS_IN_A_ROW: usize = 10;
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
    pub fn minimum(mut self, accuracy: f64, watch: &Watch) -> Vec<f64> {
        let mut next_leap = SWEEPS_BEFORE_LEAP;
        for sweep in 0..MAX_SWEEPS {
            if self.sweep() < accuracy || watch.stop().is_some() {
                break;
            }
            if sweep == next_leap {
                let work = self.leap();
                next_leap = sweep + SWEEPS_BEFORE_LEAP.max(work / WEIGHTS_PER_SWEEP_BETWEEN_LEAPS);
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

    /// Newton steps over the weights that are free to move, until all of them keep their signs; gives the number of
    /// steps times that of the weights. Sweeps in between would bring back too much of what a step has dropped.
    fn leap(&mut self) -> usize {
        let mut work = 0;
        for _ in 0..LEAPS_IN_A_ROW {
            let (n_signed, went_on) = self.newton_step();
            work += n_signed;
            if !went_on {
                break;
            }
        }
        work
    }

    /// One of them, with whether another may follow.
    fn newton_step(&mut self) -> (usize, bool) {
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
            reduced[nth * size + nth] *= 1.0 + RIDGE;
        }
        let Some(factor) = Cholesky::of(reduced, size) else { return (size, false) };
        factor.solve(&mut step);
        // Where each weight ends, as far as zero and its limits let it go, and which share of its step that is.
        let end = |(&at, &step): (&usize, &f64)| {
            let (from, to) = (self.at[at], self.at[at] + step);
            let crosses = prices[at] > 0.0 && to * from < 0.0;
            let end = if crosses { 0.0 } else { bounds[at].clamp(to) };
            (end, if end == to { 1.0 } else { (end - from) / step })
        };
        let (mut ends, shares): (Vec<f64>, Vec<f64>) = signed.iter().zip(&step).map(end).unzip();
        let (first, &length) =
            shares.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).expect("the intercept is free");
        if self.go(&signed, &ends) {
            return (size, length < 1.0);
        }
        // The first weight to reach zero, or its limit, ends the step and stays there.
        for (nth, (&at, step)) in signed.iter().zip(&step).enumerate() {
            if nth != first {
                ends[nth] = self.at[at] + length * step;
            }
        }
        (size, self.go(&signed, &ends) && length < 1.0)
    }

    /// Gives some weights other values if the value of the model falls by it.
    fn go(&mut self, places: &[usize], ends: &[f64]) -> bool {
        let before = (self.at.clone(), self.slope.clone());
        let mut change = 0.0;
        for (&at, &end) in places.iter().zip(ends) {
            change += self.terms.prices[at] * (end.abs() - self.at[at].abs());
            let step = end - self.at[at];
            self.at[at] = end;
            self.move_slope(at, step);
        }
        for (at, (from, slope)) in before.0.iter().zip(&before.1).enumerate() {
            change += 0.5 * (self.at[at] - from) * (slope + self.slope[at]);
        }
        if change >= 0.0 || change.is_nan() {
            (self.at, self.slope) = before;
        }
        change < 0.0
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
