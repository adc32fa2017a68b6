//! The exact weights of a fixed support: objective against coordinate descent, optimality conditions from rows.

use lire::objective::{Bounds, Exponential, Logistic, LossKind, MIN_WEIGHT, Squared, Steps, WEIGHT_LIMIT};
use lire::solver::{Precision, Problem, State, Weights};

use crate::convex::solve;
use crate::draws::Draws;
use crate::naive::{LOSSES, Naive, loss_at};

/// Re-fits a support by the product.
fn refitted(naive: &Naive, support: &[usize]) -> Weights {
    let problem = naive.problem();
    let start = Weights { intercept: 0.0, rules: support.iter().map(|&rule| (rule, 0.1)).collect() };
    let (weights, loss) = match naive.loss {
        LossKind::Exponential => refitted_by::<Exponential>(&problem, &start),
        LossKind::Logistic => refitted_by::<Logistic>(&problem, &start),
        LossKind::Squared => refitted_by::<Squared>(&problem, &start),
    };
    let value = naive.loss(&weights) + naive.ridge_part(&weights);
    assert!((loss - value).abs() < 1e-9, "the loss is that of the weights");
    weights
}

fn refitted_by<L: Steps>(problem: &Problem, start: &Weights) -> (Weights, f64) {
    let mut state = State::<L>::of(problem, start);
    state.refit(Precision::Exact);
    (state.weights(), state.loss())
}

/// How much a slope promises that the box still allows: 0 at the optimum.
fn promise(slope: f64, at: f64, bounds: Bounds) -> f64 {
    let blocked = (at <= bounds.low && slope > 0.0) || (at >= bounds.high && slope < 0.0);
    if blocked { 0.0 } else { slope.abs() }
}

/// The largest slope of loss and ridge that the box does not hold, computed from rows.
fn stationarity(naive: &Naive, weights: &Weights) -> f64 {
    let total = naive.total();
    let slope_of = |row: usize| loss_at(naive.loss, naive.masses[row], naive.score(weights, row)).1 / total;
    let slopes: Vec<f64> = (0..naive.masses.len()).map(slope_of).collect();
    let slope: f64 = slopes.iter().sum();
    let mut largest = promise(slope, weights.intercept, Bounds::default());
    for &(rule, weight) in &weights.rules {
        let covered = slopes.iter().zip(&naive.columns[rule]).filter(|(_, covered)| **covered);
        let slope = covered.map(|(slope, _)| slope).sum::<f64>() + naive.ridge * weight;
        largest = largest.max(promise(slope, weight, naive.bounds[rule]));
    }
    largest
}

fn check(naive: &Naive, support: &[usize], seed: u64) {
    let weights = refitted(naive, support);
    let value = naive.loss(&weights) + naive.ridge_part(&weights);
    // Rules below the least weight are out, so the truth is that of the support that is left.
    let left: Vec<usize> = weights.rules.iter().map(|&(rule, _)| rule).collect();
    let expected = naive.refit(&left);
    let best = naive.loss(&expected) + naive.ridge_part(&expected);
    // Coordinate descent creeps where rules overlap much; the stationarity below is the sharper test.
    assert!(value < best + 1e-9 && value > best - 1e-7, "seed {seed}: {value} against {best}");
    assert!(stationarity(naive, &weights) < 2e-5, "seed {seed}: {}", stationarity(naive, &weights));
    assert!(weights.rules.iter().all(|(_, weight)| weight.abs() >= MIN_WEIGHT));
    for &(rule, weight) in &weights.rules {
        assert!((naive.bounds[rule].low..=naive.bounds[rule].high).contains(&weight));
    }
}

#[test]
fn random_supports() {
    for seed in 0..150 {
        let mut draws = Draws::new(seed);
        let mut naive = Naive::with_loss(&mut draws, LOSSES[seed as usize % 3], 30 + seed as usize, 8);
        naive.ridge = [0.0, 1e-4, 0.01, 0.5][seed as usize % 4];
        let support: Vec<usize> = (0..8).filter(|_| draws.chance(0.6)).collect();
        check(&naive, &support, seed);
    }
}

#[test]
fn weights_within_bounds_of_their_own() {
    for seed in 0..100 {
        let mut draws = Draws::new(1000 + seed);
        let mut naive = Naive::with_loss(&mut draws, LOSSES[seed as usize % 3], 60, 7);
        naive.ridge = if seed % 2 == 0 { 0.0 } else { 0.01 };
        for bounds in &mut naive.bounds {
            *bounds = match draws.below(4) {
                0 => Bounds { low: 0.0, high: WEIGHT_LIMIT },
                1 => Bounds { low: -WEIGHT_LIMIT, high: 0.0 },
                2 => Bounds { low: -0.3, high: 0.3 },
                _ => Bounds::default(),
            };
        }
        check(&naive, &[0, 1, 2, 3, 4, 5, 6], seed);
    }
}

/// Few rows and many rules: rows can be told apart, and the loss falls until the box holds the weights.
#[test]
fn separable_rows_end_at_the_box() {
    for seed in 0..60 {
        let mut draws = Draws::new(2000 + seed);
        let mut naive = Naive::with_loss(&mut draws, LOSSES[seed as usize % 2], 12, 5);
        // The first rule decides alone.
        for row in 0..12 {
            let weight = naive.masses[row][0] + naive.masses[row][1];
            naive.masses[row] = if naive.columns[0][row] { [weight, 0.0] } else { [0.0, weight] };
        }
        let weights = refitted(&naive, &[0]);
        if naive.columns[0].contains(&true) && naive.columns[0].contains(&false) {
            assert!(weights.rules[0].1 > 19.0, "seed {seed}: {weights:?}");
        }
        for (ridge, support) in [(0.0, vec![0]), (0.01, vec![0, 1, 2, 3, 4])] {
            naive.ridge = ridge;
            check(&naive, &support, seed);
        }
        // Many ways lead to the least loss: only the value is compared.
        naive.ridge = 0.0;
        let all = [0, 1, 2, 3, 4];
        let (value, best) = (naive.loss(&refitted(&naive, &all)), naive.loss(&naive.refit(&all)));
        assert!(value < best + 1e-9, "seed {seed}: {value} against {best}");
    }
}

/// Equal and complementary rules: without ridge the weights are not unique, the loss is.
#[test]
fn dependent_rules() {
    for seed in 0..80 {
        let mut draws = Draws::new(3000 + seed);
        let mut naive = Naive::with_loss(&mut draws, LOSSES[seed as usize % 3], 50, 6);
        naive.columns[1] = naive.columns[0].clone();
        naive.columns[3] = naive.columns[2].iter().map(|covered| !covered).collect();
        naive.ridge = if seed % 2 == 0 { 0.0 } else { 0.02 };
        check(&naive, &[0, 1, 2, 3, 4], seed);
    }
}

#[test]
fn the_empty_support_has_the_best_intercept() {
    for seed in 0..50 {
        let naive = Naive::random(&mut Draws::new(4000 + seed), 40, 2);
        let sums = naive.masses.iter().fold([0.0; 2], |sum, mass| [sum[0] + mass[0], sum[1] + mass[1]]);
        let expected = 0.5 * (sums[0] / sums[1]).ln();
        assert!((refitted(&naive, &[]).intercept - expected).abs() < 1e-5);
    }
}

/// One class only: the intercept runs to its box.
#[test]
fn one_class_alone_is_finite() {
    let mut naive = Naive::random(&mut Draws::new(5000), 40, 2);
    for mass in &mut naive.masses {
        *mass = [mass[0] + mass[1], 0.0];
    }
    let weights = refitted(&naive, &[]);
    assert!(weights.intercept > 19.0 && weights.intercept <= WEIGHT_LIMIT);
}

/// The squared loss has normal equations: they are set up from rows and solved by elimination.
#[test]
fn squared_weights_solve_the_normal_equations() {
    for seed in 0..60 {
        let mut draws = Draws::new(6000 + seed);
        let mut naive = Naive::with_loss(&mut draws, LossKind::Squared, 60, 6);
        naive.ridge = [0.0, 0.001, 0.1][seed as usize % 3];
        let support: Vec<usize> = (0..6).filter(|_| draws.chance(0.7)).collect();
        let size = support.len() + 1;
        let one = |at: usize, row: usize| at == 0 || naive.columns[support[at - 1]][row];
        let mut matrix = vec![vec![0.0; size]; size];
        let mut side = vec![0.0; size];
        for (row, mass) in naive.masses.iter().enumerate() {
            for a in (0..size).filter(|&a| one(a, row)) {
                side[a] += mass[0] / naive.total();
                for b in (0..size).filter(|&b| one(b, row)) {
                    matrix[a][b] += mass[1] / naive.total();
                }
            }
        }
        for (at, line) in matrix.iter_mut().enumerate().skip(1) {
            line[at] += naive.ridge;
        }
        let expected = solve(matrix, side);
        let weights = refitted(&naive, &support);
        assert!((weights.intercept - expected[0]).abs() < 1e-6, "seed {seed}");
        for (&rule, expected) in support.iter().zip(&expected[1..]) {
            let found = weights.rules.iter().find(|(other, _)| *other == rule).map_or(0.0, |found| found.1);
            assert!((found - expected).abs() < 2.0 * MIN_WEIGHT, "seed {seed}: {found} against {expected}");
        }
    }
}

/// Around the re-fitted weights the objective is flat: central differences of it, made from rows.
#[test]
fn finite_differences_vanish_at_the_re_fit() {
    const H: f64 = 1e-4;
    for (seed, loss) in (0..60).zip(LOSSES.into_iter().cycle()) {
        let mut naive = Naive::with_loss(&mut Draws::new(7000 + seed), loss, 80, 5);
        naive.ridge = 0.01;
        let weights = refitted(&naive, &[0, 1, 2, 3, 4]);
        let value = |weights: &Weights| naive.loss(weights) + naive.ridge_part(weights);
        for at in 0..=weights.rules.len() {
            let moved = |by: f64| {
                let mut moved = weights.clone();
                match at {
                    0 => moved.intercept += by,
                    _ => moved.rules[at - 1].1 += by,
                }
                value(&moved)
            };
            let slope = (moved(H) - moved(-H)) / (2.0 * H);
            assert!(slope.abs() < 2e-5, "{loss:?}, seed {seed}: slope {slope} along {at}");
        }
    }
}
