//! The objective spelled out over rows, and slow optimisers that need no cleverness to be right.

use std::sync::Arc;

use lire::coverage::{Coverage, MergedRows, PackedColumn, Pair};
use lire::objective::{Bounds, LossKind, MIN_WEIGHT, PenaltyKind, WEIGHT_LIMIT};
use lire::solver::{Problem, Weights};

use crate::draws::Draws;

/// A small problem, row by row.
#[derive(Clone)]
pub struct Naive {
    /// For each rule whether it covers each row.
    pub columns: Vec<Vec<bool>>,
    /// The weight of positive and negative rows with this coverage.
    pub masses: Vec<Pair>,
    pub ridge: f64,
    pub kind: PenaltyKind,
    /// Where each rule's weight may lie.
    pub bounds: Vec<Bounds>,
}

/// Packs one column.
pub fn pack(column: &[bool]) -> PackedColumn {
    let mut words = vec![0u64; column.len().div_ceil(64)];
    for (row, _) in column.iter().enumerate().filter(|(_, covered)| **covered) {
        words[row / 64] |= 1 << (row % 64);
    }
    words
}

/// The coverage of some columns.
pub fn coverage_of(columns: &[Vec<bool>], n_rows: usize) -> Coverage {
    Coverage::build(n_rows, columns.len(), |rule| pack(&columns[rule]))
}

impl Naive {
    /// Rows whose classes depend on a few of the rules.
    pub fn random(draws: &mut Draws, n_rows: usize, n_rules: usize) -> Self {
        let columns: Vec<Vec<bool>> = (0..n_rules)
            .map(|_| {
                let share = draws.between(0.15, 0.6);
                (0..n_rows).map(|_| draws.chance(share)).collect()
            })
            .collect();
        let effects: Vec<f64> =
            (0..n_rules).map(|_| if draws.chance(0.5) { draws.between(-2.0, 2.0) } else { 0.0 }).collect();
        let weighted = draws.chance(0.5);
        let masses = (0..n_rows)
            .map(|row| {
                let score: f64 =
                    (0..n_rules).filter(|&rule| columns[rule][row]).map(|rule| effects[rule]).sum();
                let weight = if weighted { draws.between(0.2, 3.0) } else { 1.0 };
                if draws.chance(1.0 / (1.0 + (0.3 - score).exp())) { [weight, 0.0] } else { [0.0, weight] }
            })
            .collect();
        let bounds = vec![Bounds::default(); n_rules];
        Self { columns, masses, ridge: 0.0, kind: PenaltyKind::Ratio, bounds }
    }

    pub fn n_rules(&self) -> usize {
        self.columns.len()
    }

    /// The same for the solver.
    pub fn problem(&self) -> Problem {
        let rows = MergedRows::of(coverage_of(&self.columns, self.masses.len()));
        let masses = rows.merge(&self.masses);
        let coverage = Arc::new(rows.coverage);
        let problem = Problem::new(coverage, &masses, LossKind::Exponential, self.ridge, self.kind);
        Problem { bounds: self.bounds.clone(), ..problem }
    }

    pub fn total(&self) -> f64 {
        self.masses.iter().map(|mass| mass[0] + mass[1]).sum()
    }

    /// The share of the weight that a rule covers.
    pub fn share(&self, rule: usize) -> f64 {
        let covered: f64 = self
            .masses
            .iter()
            .zip(&self.columns[rule])
            .filter(|(_, covered)| **covered)
            .map(|(mass, _)| mass[0] + mass[1])
            .sum();
        covered / self.total()
    }

    pub fn score(&self, weights: &Weights, row: usize) -> f64 {
        let fired = weights.rules.iter().filter(|&&(rule, _)| self.columns[rule][row]);
        weights.intercept + fired.map(|&(_, weight)| weight).sum::<f64>()
    }

    /// Losses of the positive and the negative rows, as shares of the total weight.
    pub fn row_losses(&self, weights: &Weights) -> Vec<Pair> {
        let total = self.total();
        (0..self.masses.len())
            .map(|row| {
                let score = self.score(weights, row);
                [self.masses[row][0] / total * (-score).exp(), self.masses[row][1] / total * score.exp()]
            })
            .collect()
    }

    /// L.
    pub fn loss(&self, weights: &Weights) -> f64 {
        self.row_losses(weights).iter().map(|loss| loss[0] + loss[1]).sum()
    }

    pub fn ridge_part(&self, weights: &Weights) -> f64 {
        self.ridge / 2.0 * weights.rules.iter().map(|(_, weight)| weight * weight).sum::<f64>()
    }

    pub fn coverage_sum(&self, support: impl IntoIterator<Item = usize>) -> f64 {
        support.into_iter().map(|rule| self.share(rule)).sum()
    }

    pub fn penalty(&self, support: &[usize], gamma: f64, lambda: f64) -> f64 {
        if support.is_empty() {
            return 0.0;
        }
        let covered = self.coverage_sum(support.iter().copied());
        let count = support.len() as f64;
        gamma * count
            + lambda
                * match self.kind {
                    PenaltyKind::Ratio => covered / count,
                    PenaltyKind::Count => covered,
                }
    }

    /// G.
    pub fn objective(&self, weights: &Weights, gamma: f64, lambda: f64) -> f64 {
        let support: Vec<usize> = weights.rules.iter().map(|&(rule, _)| rule).collect();
        self.loss(weights) + self.ridge_part(weights) + self.penalty(&support, gamma, lambda)
    }

    /// The best weights of a support within the box, by coordinate descent until nothing moves. Now and then all
    /// go on together the way they went: single coordinates creep along narrow valleys.
    pub fn refit(&self, support: &[usize]) -> Weights {
        self.refit_within(support, 200_000)
    }

    fn refit_within(&self, support: &[usize], max_sweeps: usize) -> Weights {
        let mut weights =
            Weights { intercept: 0.0, rules: support.iter().map(|&rule| (rule, 0.0)).collect() };
        let mut losses = self.row_losses(&weights);
        let mut before = weights.clone();
        for sweep in 0..max_sweeps {
            let mut largest = 0.0f64;
            for at in 0..=support.len() {
                let (covers, before, bounds, ridge): (Option<&Vec<bool>>, _, _, _) = if at == 0 {
                    (None, weights.intercept, Bounds::default(), 0.0)
                } else {
                    let (rule, weight) = weights.rules[at - 1];
                    (Some(&self.columns[rule]), weight, self.bounds[rule], self.ridge)
                };
                let covered = |row: usize| covers.is_none_or(|column| column[row]);
                let mut sums = [0.0; 2];
                for (_, loss) in losses.iter().enumerate().filter(|&(row, _)| covered(row)) {
                    sums[0] += loss[0];
                    sums[1] += loss[1];
                }
                // Without this coordinate's own contribution.
                let sums = [sums[0] * before.exp(), sums[1] * (-before).exp()];
                let after = minimise_weight(sums, bounds, ridge);
                let (down, up) = ((before - after).exp(), (after - before).exp());
                for (_, loss) in losses.iter_mut().enumerate().filter(|(row, _)| covered(*row)) {
                    *loss = [loss[0] * down, loss[1] * up];
                }
                largest =
                    largest.max((after - before).abs() * (sums[0] / after.exp() + sums[1] * after.exp()));
                match at {
                    0 => weights.intercept = after,
                    _ => weights.rules[at - 1].1 = after,
                }
            }
            if largest < 1e-12 {
                break;
            }
            if sweep % 10 == 9 {
                weights = self.go_on(&before, &weights);
                losses = self.row_losses(&weights);
                before = weights.clone();
            }
        }
        weights
    }

    /// Follows the way from one point to another further, twice as far each time, while the value falls.
    fn go_on(&self, from: &Weights, to: &Weights) -> Weights {
        let value = |weights: &Weights| self.loss(weights) + self.ridge_part(weights);
        let further = |length: f64| {
            let on = |a: f64, b: f64, bounds: Bounds| (b + length * (b - a)).max(bounds.low).min(bounds.high);
            let rules = from.rules.iter().zip(&to.rules);
            Weights {
                intercept: on(from.intercept, to.intercept, Bounds::default()),
                rules: rules.map(|(&(rule, a), &(_, b))| (rule, on(a, b, self.bounds[rule]))).collect(),
            }
        };
        let (mut best, mut length) = (to.clone(), 1.0);
        while length < 1e6 && value(&further(length)) < value(&best) {
            best = further(length);
            length *= 2.0;
        }
        best
    }

    /// The best of all supports: each re-fitted, those with a weight below the least one left out.
    pub fn best_support(&self, gamma: f64, lambda: f64) -> (f64, Weights) {
        /// How far from its optimum a rough re-fit may end.
        const NEAR: f64 = 1e-2;
        // No support can bring loss and ridge below what all rules together do.
        let all: Vec<usize> = (0..self.n_rules()).collect();
        let with_all = self.refit(&all);
        let least = self.loss(&with_all) + self.ridge_part(&with_all) - 1e-8;
        // Roughly first, then those exactly that come near.
        let mut near: Vec<(f64, Vec<usize>)> = Vec::new();
        let mut lowest = f64::INFINITY;
        for code in 0..1usize << self.n_rules() {
            let support: Vec<usize> = (0..self.n_rules()).filter(|rule| code >> rule & 1 == 1).collect();
            if self.penalty(&support, gamma, lambda) + least < lowest + NEAR {
                let weights = self.refit_within(&support, 250);
                let value = self.objective(&weights, gamma, lambda);
                // A rule near 0 may end below the least weight, so that this support does not count.
                if weights.rules.iter().all(|(_, weight)| weight.abs() > 100.0 * MIN_WEIGHT) {
                    lowest = lowest.min(value);
                }
                near.push((value, support));
            }
        }
        let mut best = (f64::INFINITY, Weights::default());
        for (_, support) in near.iter().filter(|(value, _)| *value < lowest + NEAR) {
            let weights = self.refit(support);
            let value = self.objective(&weights, gamma, lambda);
            if value < best.0 && weights.rules.iter().all(|(_, weight)| weight.abs() >= MIN_WEIGHT) {
                best = (value, weights);
            }
        }
        best
    }
}

/// Minimises `sums[0] e^{−a} + sums[1] e^{a} + ridge a²/2` within bounds by halving the sign change of the slope.
pub fn minimise_weight(sums: Pair, bounds: Bounds, ridge: f64) -> f64 {
    if ridge == 0.0 && sums[0] > 0.0 && sums[1] > 0.0 {
        return ((sums[0].ln() - sums[1].ln()) / 2.0).max(bounds.low).min(bounds.high);
    }
    let slope = |a: f64| sums[1] * a.exp() - sums[0] * (-a).exp() + ridge * a;
    let (mut low, mut high) = (bounds.low, bounds.high);
    if slope(low) >= 0.0 {
        return low;
    }
    if slope(high) <= 0.0 {
        return high;
    }
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { high = middle } else { low = middle }
    }
    f64::midpoint(low, high)
}

/// Minimises the loss of covered and other rows over a weight and a shift within boxes; gives the value too.
pub fn minimise_pair(
    covered: Pair,
    other: Pair,
    bounds: Bounds,
    ridge: f64,
    intercept: f64,
) -> (f64, f64, f64) {
    let weight_at =
        |shift: f64| minimise_weight([covered[0] * (-shift).exp(), covered[1] * shift.exp()], bounds, ridge);
    // The slope of the best value by the shift is the partial slope at the best weight.
    let slope = |shift: f64| {
        let inside = shift + weight_at(shift);
        covered[1] * inside.exp() - covered[0] * (-inside).exp() + other[1] * shift.exp()
            - other[0] * (-shift).exp()
    };
    let (mut low, mut high) = (-WEIGHT_LIMIT - intercept, WEIGHT_LIMIT - intercept);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { high = middle } else { low = middle }
    }
    let shift = f64::midpoint(low, high);
    let weight = weight_at(shift);
    (weight, shift, pair_loss(covered, other, weight, shift) + ridge / 2.0 * weight * weight)
}

/// The loss after a weight and a shift.
pub fn pair_loss(covered: Pair, other: Pair, weight: f64, shift: f64) -> f64 {
    covered[0] * (-weight - shift).exp()
        + covered[1] * (weight + shift).exp()
        + other[0] * (-shift).exp()
        + other[1] * shift.exp()
}
