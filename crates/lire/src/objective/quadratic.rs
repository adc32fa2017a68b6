//! A quadratic function of a weight and a shift within their boxes, minimised in closed form.

use super::{Bounds, Limits};

/// `g·(a + s) + ½h(a + s)²` on the rows that a rule covers, `g'·s + ½h's²` on the others, and the ridge `½ρ(w + a)²`
/// of a weight that is `w` already.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quadratic {
    /// `g, h`.
    pub covered: [f64; 2],
    /// `g', h'`.
    pub uncovered: [f64; 2],
    pub ridge: f64,
    pub weight: f64,
}

impl Quadratic {
    /// The change from standing still.
    pub fn value(&self, step: f64, shift: f64) -> f64 {
        let along = |[slope, bend]: [f64; 2], by: f64| by * (slope + 0.5 * bend * by);
        along(self.covered, step + shift)
            + along(self.uncovered, shift)
            + self.ridge * step * (self.weight + 0.5 * step)
    }

    /// The step of the weight and the shift that lead lowest, both within limits.
    pub fn minimum(&self, limits: &Limits) -> (f64, f64) {
        let steps = Bounds { low: limits.bounds.low - self.weight, high: limits.bounds.high - self.weight };
        let shifts = limits.shifts;
        if shifts.low == shifts.high {
            return (self.best_step(shifts.low, steps), shifts.low);
        }
        let (slope, bend) = (self.slope(), self.covered[1] + self.ridge);
        let (all_slope, all_bend) = self.all();
        let determinant = bend * self.uncovered[1] + self.ridge * self.covered[1];
        if determinant > 0.0 {
            let step = (self.covered[1] * all_slope - all_bend * slope) / determinant;
            let shift = (self.covered[1] * slope - bend * all_slope) / determinant;
            if steps.clamp(step) == step && shifts.clamp(shift) == shift {
                return (step, shift);
            }
        }
        // Outside of the box, so that the minimum is on one of its edges; without curvature it is there as well.
        let edges = [
            (steps.low, self.best_shift(steps.low, shifts)),
            (steps.high, self.best_shift(steps.high, shifts)),
            (self.best_step(shifts.low, steps), shifts.low),
            (self.best_step(shifts.high, steps), shifts.high),
        ];
        let lower = |a: (f64, f64), b: (f64, f64)| {
            if self.value(b.0, b.1) < self.value(a.0, a.1) { b } else { a }
        };
        edges.into_iter().fold((steps.clamp(0.0), shifts.clamp(0.0)), lower)
    }

    /// The derivative by the step, standing still.
    fn slope(&self) -> f64 {
        self.covered[0] + self.ridge * self.weight
    }

    /// First and second derivative by the shift, standing still.
    fn all(&self) -> (f64, f64) {
        (self.covered[0] + self.uncovered[0], self.covered[1] + self.uncovered[1])
    }

    fn best_step(&self, shift: f64, steps: Bounds) -> f64 {
        lowest(self.slope() + self.covered[1] * shift, self.covered[1] + self.ridge, steps)
    }

    fn best_shift(&self, step: f64, shifts: Bounds) -> f64 {
        let (slope, bend) = self.all();
        lowest(slope + self.covered[1] * step, bend, shifts)
    }
}

/// Where a parabola is lowest within bounds; where it is flat, the place nearest to 0.
fn lowest(slope: f64, bend: f64, bounds: Bounds) -> f64 {
    if slope == 0.0 {
        return bounds.clamp(0.0);
    }
    bounds.clamp(-slope / bend)
}
