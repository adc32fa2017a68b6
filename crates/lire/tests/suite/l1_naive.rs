//! The l1 problem spelled out over rows, and coordinate descent that needs no cleverness to be right.

use std::sync::Arc;

use lire::coverage::{MergedRows, Pair};
use lire::objective::{Bounds, LossKind, PenaltyKind};
use lire::solver::Problem;
use lire::solver::l1::{DenseColumn, L1Problem, L1Solution};

use crate::draws::Draws;
use crate::naive::coverage_of;

/// Rows with numbers in columns: rules first, then linear columns.
#[derive(Clone)]
pub struct NaiveL1 {
    pub n_rules: usize,
    pub columns: Vec<Vec<f64>>,
    /// What is to be predicted: a number, or a class by its sign.
    pub targets: Vec<f64>,
    pub weights: Vec<f64>,
    pub squared: bool,
    pub factors: Vec<f64>,
    pub bounds: Vec<Bounds>,
}

/// An intercept and a weight for each column.
#[derive(Clone, Debug)]
pub struct Dense {
    pub intercept: f64,
    pub weights: Vec<f64>,
}

impl NaiveL1 {
    /// Draws as the script of the frozen values does, factors included.
    pub fn draw(draws: &mut Draws, n_rows: usize, n_rules: usize, n_linear: usize, squared: bool) -> Self {
        let mut columns: Vec<Vec<f64>> = (0..n_rules)
            .map(|_| {
                let share = draws.between(0.15, 0.6);
                (0..n_rows).map(|_| if draws.chance(share) { 1.0 } else { 0.0 }).collect()
            })
            .collect();
        columns.extend((0..n_linear).map(|_| (0..n_rows).map(|_| draws.between(-1.0, 1.0)).collect()));
        let effects: Vec<f64> = columns.iter().map(|_| draws.between(-1.5, 1.5)).collect();
        let targets = (0..n_rows)
            .map(|row| {
                let score: f64 =
                    effects.iter().zip(&columns).map(|(effect, column)| effect * column[row]).sum();
                score + draws.between(-1.0, 1.0)
            })
            .collect();
        let weights = (0..n_rows).map(|_| 1.0 + draws.below(3) as f64).collect();
        let factors = columns.iter().map(|_| draws.between(0.5, 2.0)).collect();
        let bounds = vec![Bounds::default(); columns.len()];
        Self { n_rules, columns, targets, weights, squared, factors, bounds }
    }

    /// Some weights may only rise, some only fall, some stay near zero.
    pub fn bind(&mut self, draws: &mut Draws) {
        for bounds in &mut self.bounds {
            *bounds = match draws.below(4) {
                0 => Bounds { low: 0.0, ..Bounds::default() },
                1 => Bounds { high: 0.0, ..Bounds::default() },
                2 => Bounds { low: -0.3, high: 0.2 },
                _ => Bounds::default(),
            };
        }
    }

    fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The problem for the solver: rows merged where no linear column tells them apart.
    pub fn problem(&self) -> Problem {
        let rules: Vec<Vec<bool>> = self.columns[..self.n_rules]
            .iter()
            .map(|column| column.iter().map(|&value| value == 1.0).collect())
            .collect();
        let masses: Vec<Pair> = self
            .targets
            .iter()
            .zip(&self.weights)
            .map(|(&target, &weight)| match (self.squared, target > 0.0) {
                (true, _) => [weight * target, weight],
                (false, true) => [weight, 0.0],
                (false, false) => [0.0, weight],
            })
            .collect();
        let mut coverage = coverage_of(&rules, masses.len());
        let mut merged = masses.clone();
        if self.columns.len() == self.n_rules {
            let rows = MergedRows::of(coverage);
            merged = rows.merge(&masses);
            coverage = rows.coverage;
        }
        let loss = if self.squared { LossKind::Squared } else { LossKind::Logistic };
        let problem = Problem::new(Arc::new(coverage), &merged, loss, 0.0, PenaltyKind::Ratio);
        let squares: f64 =
            self.targets.iter().zip(&self.weights).map(|(target, weight)| weight * target * target).sum();
        let constant = if self.squared { 0.5 * squares / self.total() } else { 0.0 };
        Problem { bounds: self.bounds[..self.n_rules].to_vec(), constant, ..problem }
    }

    pub fn l1<'p>(&self, problem: &'p Problem) -> L1Problem<'p> {
        let linear = (self.n_rules..self.columns.len()).map(|at| DenseColumn {
            values: self.columns[at].clone(),
            factor: self.factors[at],
            bounds: self.bounds[at],
        });
        L1Problem {
            factors: Some(self.factors[..self.n_rules].to_vec()),
            linear: linear.collect(),
            ..L1Problem::new(problem)
        }
    }

    pub fn dense(&self, solution: &L1Solution) -> Dense {
        let mut weights = vec![0.0; self.n_rules];
        for &(rule, weight) in &solution.weights.rules {
            weights[rule] = weight;
        }
        weights.extend(&solution.linear);
        Dense { intercept: solution.weights.intercept, weights }
    }

    pub fn objective(&self, at: &Dense, gamma: f64) -> f64 {
        let loss = |row: usize| {
            let score = self.score(at, row);
            let loss = if self.squared {
                0.5 * (self.targets[row] - score).powi(2)
            } else {
                let against = if self.targets[row] > 0.0 { -score } else { score };
                if against > 30.0 { against } else { against.exp().ln_1p() }
            };
            self.weights[row] * loss
        };
        let prices =
            at.weights.iter().zip(&self.factors).map(|(weight, factor)| gamma * factor * weight.abs());
        (0..self.targets.len()).map(loss).sum::<f64>() / self.total() + prices.sum::<f64>()
    }

    fn score(&self, at: &Dense, row: usize) -> f64 {
        at.intercept
            + at.weights.iter().zip(&self.columns).map(|(weight, column)| weight * column[row]).sum::<f64>()
    }

    /// The derivative of the loss of each row by its score.
    fn slopes(&self, scores: impl Iterator<Item = f64>) -> Vec<f64> {
        scores
            .enumerate()
            .map(|(row, score)| {
                let truth = if self.targets[row] > 0.0 { 1.0 } else { 0.0 };
                let slope = if self.squared {
                    score - self.targets[row]
                } else {
                    1.0 / (1.0 + (-score).exp()) - truth
                };
                self.weights[row] * slope / self.total()
            })
            .collect()
    }

    /// How far the optimality conditions are from holding.
    pub fn violation(&self, at: &Dense, gamma: f64) -> f64 {
        let slopes = self.slopes((0..self.targets.len()).map(|row| self.score(at, row)));
        let mut largest = slopes.iter().sum::<f64>().abs();
        for (nth, column) in self.columns.iter().enumerate() {
            let slope: f64 = slopes.iter().zip(column).map(|(slope, value)| slope * value).sum();
            let (weight, price) = (at.weights[nth], gamma * self.factors[nth]);
            let Bounds { low, high } = self.bounds[nth];
            assert!((low..=high).contains(&weight), "column {nth} is within its bounds");
            if weight < high {
                largest = largest.max(-(slope + if weight < 0.0 { -price } else { price }));
            }
            if weight > low {
                largest = largest.max(slope + if weight > 0.0 { price } else { -price });
            }
        }
        largest
    }

    /// One coordinate after the other, each by halving the sign change of its slope, until nothing moves.
    pub fn descend(&self, gamma: f64) -> Dense {
        let mut at = Dense { intercept: 0.0, weights: vec![0.0; self.columns.len()] };
        let ones = vec![1.0; self.targets.len()];
        for _ in 0..20_000 {
            let mut moved = 0.0f64;
            for nth in 0..=self.columns.len() {
                let (column, weight, price, bounds) = match nth {
                    0 => (&ones, at.intercept, 0.0, Bounds::default()),
                    _ => (
                        &self.columns[nth - 1],
                        at.weights[nth - 1],
                        gamma * self.factors[nth - 1],
                        self.bounds[nth - 1],
                    ),
                };
                let rest: Vec<f64> =
                    (0..ones.len()).map(|row| self.score(&at, row) - weight * column[row]).collect();
                let slope = |weight: f64| -> f64 {
                    let slopes =
                        self.slopes(rest.iter().zip(column).map(|(rest, value)| rest + weight * value));
                    slopes.iter().zip(column).map(|(slope, value)| slope * value).sum()
                };
                let next = minimum_on_a_line(slope, price, bounds);
                moved = moved.max((next - weight).abs());
                match nth {
                    0 => at.intercept = next,
                    _ => at.weights[nth - 1] = next,
                }
            }
            if moved < 1e-9 {
                break;
            }
        }
        at
    }
}

/// Where a slope and a price change sign together, within bounds.
fn minimum_on_a_line(slope: impl Fn(f64) -> f64, price: f64, bounds: Bounds) -> f64 {
    let at_zero = slope(0.0);
    let (mut low, mut high, price) = if at_zero + price < 0.0 {
        (0.0, bounds.high, price)
    } else if at_zero - price > 0.0 {
        (bounds.low, 0.0, -price)
    } else {
        return 0.0;
    };
    if slope(high) + price <= 0.0 {
        return high;
    }
    if slope(low) + price >= 0.0 {
        return low;
    }
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if slope(middle) + price > 0.0 { high = middle } else { low = middle }
    }
    f64::midpoint(low, high)
}
