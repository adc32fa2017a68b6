//! Rows of nearly the same score as one: a bound of what a step can do, from far fewer numbers than there are levels.
//!
//! The logistic loss of rows is convex in their scores. So rows that are all moved to their mean score lose no more than
//! before, whatever the step (Jensen's inequality), while what they gain from being in the class stays the same.

use super::{Level, Score, Spread, softplus};
use crate::coverage::Pair;

/// Lumps of this width in score: at 1/16 the bound is within some millionths of the loss.
const LUMPS_PER_UNIT: f64 = 16.0;
/// Rows beyond this score, either way, are in the outermost lumps.
const FARTHEST: f64 = 24.0;
/// With fewer levels than this the levels themselves cost little.
const MIN_LEVELS: usize = 2000;

/// Levels gathered into lumps.
#[derive(Debug, Clone)]
pub struct Lumps {
    /// The lump of each level, with its score and log.
    places: Vec<(u32, f64, f64)>,
    /// All rows of each lump.
    totals: Vec<Lump>,
}

/// The rows of one lump.
#[derive(Debug, Clone, Copy, Default)]
struct Lump {
    mass: Pair,
    /// The sum of weight times score.
    scores: f64,
    /// The sum of weight times `ln(1 + exp(score))`.
    logs: f64,
}

/// Rows as levels of lumps.
#[derive(Debug, Clone, Default)]
pub struct LumpedSpread {
    /// The covered rows and the others, each lump at its mean score.
    pub spread: Spread,
    /// The loss of the rows is so much above that of the lumps.
    pub excess: f64,
}

impl Lumps {
    /// Gathers levels; none where that would save nothing.
    pub fn of(levels: &[Level]) -> Option<Self> {
        if levels.len() < MIN_LEVELS {
            return None;
        }
        let place = |score: f64| ((score.clamp(-FARTHEST, FARTHEST) + FARTHEST) * LUMPS_PER_UNIT) as u32;
        let mut totals = vec![Lump::default(); 1 + place(FARTHEST) as usize];
        let places: Vec<(u32, f64, f64)> =
            levels.iter().map(|level| (place(level.score), level.score, level.log)).collect();
        for (&at, level) in places.iter().zip(levels) {
            totals[at.0 as usize].add(level.mass, at);
        }
        Some(Self { places, totals })
    }

    /// The lumps of the rows that a rule covers, given the covered mass of each level, and of the others.
    pub fn spread(&self, covered: &[Pair]) -> LumpedSpread {
        let mut inside = vec![Lump::default(); self.totals.len()];
        for (&at, &mass) in self.places.iter().zip(covered) {
            inside[at.0 as usize].add(mass, at);
        }
        let mut lumped = LumpedSpread::default();
        for (inside, total) in inside.into_iter().zip(&self.totals) {
            let outside = total.without(inside);
            let LumpedSpread { spread, excess } = &mut lumped;
            for (lump, side) in [(inside, &mut spread.covered), (outside, &mut spread.uncovered)] {
                if lump.weight() > 0.0 {
                    let mean = lump.scores / lump.weight();
                    *excess += lump.logs - lump.weight() * softplus(mean);
                    side.push(Level::new(lump.mass, Score::of(mean)));
                }
            }
        }
        lumped
    }
}

impl Lump {
    fn weight(&self) -> f64 {
        self.mass[0] + self.mass[1]
    }

    // Called for each level and rule.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn add(&mut self, mass: Pair, (_, score, log): (u32, f64, f64)) {
        let weight = mass[0] + mass[1];
        self.mass = [self.mass[0] + mass[0], self.mass[1] + mass[1]];
        self.scores += weight * score;
        self.logs += weight * log;
    }

    /// What is left when some rows are taken out.
    fn without(&self, part: Self) -> Self {
        let mass = [(self.mass[0] - part.mass[0]).max(0.0), (self.mass[1] - part.mass[1]).max(0.0)];
        Self { mass, scores: self.scores - part.scores, logs: self.logs - part.logs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binning::mix;

    #[test]
    fn lumps_lose_no_more_than_their_rows_after_any_step_and_little_less() {
        let random = |n: u64| (mix(n) >> 11) as f64 / (1u64 << 53) as f64;
        let n = 3000;
        let level = |row: u64| {
            let mass = [random(3 * row), 5.0 * random(3 * row + 1)].map(|mass| mass / (3.0 * n as f64));
            Level::new(mass, Score::of(12.0 * random(3 * row + 2) - 8.0))
        };
        let levels: Vec<Level> = (0..n).map(level).collect();
        let covered: Vec<Pair> = levels
            .iter()
            .enumerate()
            .map(|(row, level)| level.mass.map(|mass| if row % 3 == 0 { mass } else { 0.0 }))
            .collect();
        let lumped = Lumps::of(&levels).unwrap().spread(&covered);
        let exact = Spread::of(&levels, &covered);
        let change = |levels: &[Level], by: f64| -> f64 {
            let of_level = |level: &Level| {
                let weight = level.mass[0] + level.mass[1];
                weight * (softplus(level.score + by) - softplus(level.score)) - level.mass[0] * by
            };
            levels.iter().map(of_level).sum()
        };
        for step in [-9.0, -2.0, -0.3, 0.0, 0.2, 1.5, 7.0] {
            let exact = change(&exact.covered, step) + change(&exact.uncovered, -0.5 * step);
            let lumps = &lumped.spread;
            let bound = change(&lumps.covered, step) + change(&lumps.uncovered, -0.5 * step) - lumped.excess;
            assert!(bound <= exact + 1e-12 && bound > exact - 2e-4, "{bound} {exact} {step}");
        }
        assert!(lumped.spread.covered.len() < 300);
        assert!(Lumps::of(&levels[..100]).is_none());
    }
}
