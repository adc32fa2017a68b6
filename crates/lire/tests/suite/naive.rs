//! The objective spelled out over rows, and slow optimisers that need no cleverness to be right.

use std::sync::Arc;

use lire::coverage::{Coverage, MergedRows, PackedColumn, Pair};
use lire::objective::{Bounds, LossKind, MIN_WEIGHT, PenaltyKind, WEIGHT_LIMIT};
use lire::solver::{Problem, Weights};

use crate::convex::{Point, minimise};
use crate::draws::Draws;

/// Every loss.
pub const LOSSES: [LossKind; 3] = [LossKind::Exponential, LossKind::Logistic, LossKind::Squared];

/// A small problem, row by row.
#[derive(Clone)]
pub struct Naive {
    /// For each rule whether it covers each row.
    pub columns: Vec<Vec<bool>>,
    /// The weight of positive and negative rows with this coverage; for numbers `w·y` and `w`.
    pub masses: Vec<Pair>,
    pub loss: LossKind,
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

/// Value, slope and curvature of the loss of some rows by their score, as the definitions say.
pub fn loss_at(loss: LossKind, mass: Pair, score: f64) -> (f64, f64, f64) {
    match loss {
        LossKind::Exponential => {
            let (down, up) = (mass[0] * (-score).exp(), mass[1] * score.exp());
            (down + up, up - down, up + down)
        }
        LossKind::Logistic => {
            let log = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
            let (p, q) = (1.0 / (1.0 + (-score).exp()), 1.0 / (1.0 + score.exp()));
            let value = mass[0] * log(-score) + mass[1] * log(score);
            (value, mass[1] * p - mass[0] * q, (mass[0] + mass[1]) * p * q)
        }
        LossKind::Squared => {
            let (weight, target) = (mass[1], if mass[1] > 0.0 { mass[0] / mass[1] } else { 0.0 });
            let gap = score - target;
            (0.5 * weight * gap * gap, weight * gap, weight)
        }
    }
}

impl Naive {
    /// Rows whose classes depend on a few of the rules.
    pub fn random(draws: &mut Draws, n_rows: usize, n_rules: usize) -> Self {
        Self::with_loss(draws, LossKind::Exponential, n_rows, n_rules)
    }

    /// The same for any loss. Numbers are standardised, as the solver expects them.
    pub fn with_loss(draws: &mut Draws, loss: LossKind, n_rows: usize, n_rules: usize) -> Self {
        let columns: Vec<Vec<bool>> = (0..n_rules)
            .map(|_| {
                let share = draws.between(0.15, 0.6);
                (0..n_rows).map(|_| draws.chance(share)).collect()
            })
            .collect();
        let effects: Vec<f64> =
            (0..n_rules).map(|_| if draws.chance(0.5) { draws.between(-2.0, 2.0) } else { 0.0 }).collect();
        let weighted = draws.chance(0.5);
        let mut masses: Vec<Pair> = (0..n_rows)
            .map(|row| {
                let score: f64 =
                    (0..n_rules).filter(|&rule| columns[rule][row]).map(|rule| effects[rule]).sum();
                let weight = if weighted { draws.between(0.2, 3.0) } else { 1.0 };
                if loss == LossKind::Squared {
                    return [weight * (score + draws.between(-2.0, 2.0)), weight];
                }
                if draws.chance(1.0 / (1.0 + (0.3 - score).exp())) { [weight, 0.0] } else { [0.0, weight] }
            })
            .collect();
        if loss == LossKind::Squared {
            standardise(&mut masses);
        }
        let bounds = vec![Bounds::default(); n_rules];
        Self { columns, masses, loss, ridge: 0.0, kind: PenaltyKind::Ratio, bounds }
    }

    pub fn n_rules(&self) -> usize {
        self.columns.len()
    }

    /// The same for the solver.
    pub fn problem(&self) -> Problem {
        let rows = MergedRows::of(coverage_of(&self.columns, self.masses.len()));
        let masses = rows.merge(&self.masses);
        let coverage = Arc::new(rows.coverage);
        let problem = Problem::new(coverage, &masses, self.loss, self.ridge, self.kind);
        Problem { bounds: self.bounds.clone(), constant: self.constant(), ..problem }
    }

    /// `½ Σ w·y²` as a share of the total weight, for numbers.
    pub fn constant(&self) -> f64 {
        if self.loss != LossKind::Squared {
            return 0.0;
        }
        self.masses.iter().map(|mass| 0.5 * mass[0] * mass[0] / mass[1]).sum::<f64>() / self.total()
    }

    pub fn weight(&self, row: usize) -> f64 {
        let mass = self.masses[row];
        if self.loss == LossKind::Squared { mass[1] } else { mass[0] + mass[1] }
    }

    pub fn total(&self) -> f64 {
        (0..self.masses.len()).map(|row| self.weight(row)).sum()
    }

    /// The share of the weight that a rule covers.
    pub fn share(&self, rule: usize) -> f64 {
        let covered = (0..self.masses.len()).filter(|&row| self.columns[rule][row]);
        covered.map(|row| self.weight(row)).sum::<f64>() / self.total()
    }

    pub fn score(&self, weights: &Weights, row: usize) -> f64 {
        let fired = weights.rules.iter().filter(|&&(rule, _)| self.columns[rule][row]);
        weights.intercept + fired.map(|&(_, weight)| weight).sum::<f64>()
    }

    /// L.
    pub fn loss(&self, weights: &Weights) -> f64 {
        let value = |row: usize| loss_at(self.loss, self.masses[row], self.score(weights, row)).0;
        (0..self.masses.len()).map(value).sum::<f64>() / self.total()
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

    /// The best weights of a support within the box.
    pub fn refit(&self, support: &[usize]) -> Weights {
        self.refit_some(&Weights::default(), support, true)
    }

    /// The best weights of rules that are added to a model, the others as they are; with the intercept or without.
    pub fn refit_some(&self, fixed: &Weights, added: &[usize], with_intercept: bool) -> Weights {
        let total = self.total();
        let offset: Vec<f64> = (0..self.masses.len()).map(|row| self.score(fixed, row)).collect();
        // What each row adds up: the intercept, and the rules that cover it.
        let active: Vec<Vec<usize>> = (0..self.masses.len())
            .map(|row| {
                let rules = (0..added.len()).filter(|&at| self.columns[added[at]][row]).map(|at| at + 1);
                std::iter::once(0).chain(rules).collect()
            })
            .collect();
        let function = |x: &[f64]| {
            let mut point = Point::zero(x.len());
            for (row, active) in active.iter().enumerate() {
                let score = offset[row] + active.iter().map(|&at| x[at]).sum::<f64>();
                let (value, slope, bend) = loss_at(self.loss, self.masses[row], score);
                point.add(active, value / total, slope / total, bend / total);
            }
            for (at, &weight) in x.iter().enumerate().skip(1) {
                let ridge = self.ridge;
                point.add(&[at], ridge / 2.0 * weight * weight, ridge * weight, ridge);
            }
            point
        };
        let (mut low, mut high) = if with_intercept {
            (vec![-WEIGHT_LIMIT - fixed.intercept], vec![WEIGHT_LIMIT - fixed.intercept])
        } else {
            (vec![0.0], vec![0.0])
        };
        low.extend(added.iter().map(|&rule| self.bounds[rule].low));
        high.extend(added.iter().map(|&rule| self.bounds[rule].high));
        let x = minimise(function, &low, &high, &vec![0.0; low.len()]);
        let mut weights = fixed.clone();
        weights.intercept += x[0];
        weights.rules.extend(added.iter().copied().zip(x[1..].iter().copied()));
        weights
    }

    /// The best of all supports: each re-fitted, those with a weight below the least one left out.
    pub fn best_support(&self, gamma: f64, lambda: f64) -> (f64, Weights) {
        // No support can bring loss and ridge below what all rules together do.
        let all: Vec<usize> = (0..self.n_rules()).collect();
        let with_all = self.refit(&all);
        let least = self.loss(&with_all) + self.ridge_part(&with_all) - 1e-8;
        let mut best = (f64::INFINITY, Weights::default());
        for code in 0..1usize << self.n_rules() {
            let support: Vec<usize> = (0..self.n_rules()).filter(|rule| code >> rule & 1 == 1).collect();
            if self.penalty(&support, gamma, lambda) + least >= best.0 {
                continue;
            }
            let weights = self.refit(&support);
            let value = self.objective(&weights, gamma, lambda);
            if value < best.0 && weights.rules.iter().all(|(_, weight)| weight.abs() >= MIN_WEIGHT) {
                best = (value, weights);
            }
        }
        best
    }
}

/// Numbers with mean 0 and variance 1.
fn standardise(masses: &mut [Pair]) {
    let total: f64 = masses.iter().map(|mass| mass[1]).sum();
    let mean = masses.iter().map(|mass| mass[0]).sum::<f64>() / total;
    let spread: f64 = masses.iter().map(|mass| mass[1] * (mass[0] / mass[1] - mean).powi(2)).sum();
    let deviation = (spread / total).sqrt();
    for mass in masses {
        mass[0] = mass[1] * (mass[0] / mass[1] - mean) / deviation;
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

/// Minimises the exponential loss of covered and other rows over a weight and a shift within boxes; gives the value too.
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

/// The exponential loss after a weight and a shift.
pub fn pair_loss(covered: Pair, other: Pair, weight: f64, shift: f64) -> f64 {
    covered[0] * (-weight - shift).exp()
        + covered[1] * (weight + shift).exp()
        + other[0] * (-shift).exp()
        + other[1] * shift.exp()
}
