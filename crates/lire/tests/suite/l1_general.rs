//! l1 for both losses, with factors, bounds and linear columns: optimality from rows, a slow solver, paths and gaps.

use lire::objective::Bounds;
use lire::solver::Weights;
use lire::solver::l1::{Accuracy, GAP_TOLERANCE, L1_TOLERANCE, L1Problem, L1Solution, gamma_grid};

use crate::draws::Draws;
use crate::l1_naive::{Dense, NaiveL1};

/// A random problem of one of the sixteen kinds, with its number.
fn drawn(seed: u64, n_rows: usize, n_rules: usize) -> NaiveL1 {
    let mut draws = Draws::new(40_000 + seed);
    let n_linear = if seed & 1 == 0 { 0 } else { 3 };
    let mut naive = NaiveL1::draw(&mut draws, n_rows, n_rules, n_linear, seed & 2 != 0);
    if seed & 4 == 0 {
        naive.factors.fill(1.0);
    }
    if seed & 8 != 0 {
        naive.bind(&mut draws);
    }
    naive
}

fn solved(naive: &NaiveL1, gamma: f64) -> L1Solution {
    naive.l1(&naive.problem()).solve(&Weights::default(), gamma, L1_TOLERANCE)
}

/// The value from which gaps are measured: that of zero weights.
fn at_zero(naive: &NaiveL1) -> f64 {
    naive.objective(&Dense { intercept: 0.0, weights: vec![0.0; naive.columns.len()] }, 0.0)
}

#[test]
fn optimality_conditions_hold_on_rows() {
    for seed in 0..96 {
        let mut draws = Draws::new(41_000 + seed);
        let (n_rows, n_rules) = (30 + draws.below(300), 1 + draws.below(80));
        let mut naive = drawn(seed, n_rows, n_rules);
        if seed % 5 == 0 && n_rules > 2 {
            naive.columns[1] = naive.columns[0].clone();
        }
        let gamma = 10f64.powf(draws.between(-3.5, -1.0));
        let solution = solved(&naive, gamma);
        let dense = naive.dense(&solution);
        assert!(naive.violation(&dense, gamma) < 1e-6, "seed {seed}");
        assert!(solution.violation < 1e-6 && solution.gap <= GAP_TOLERANCE * at_zero(&naive), "seed {seed}");
        assert!((solution.objective - naive.objective(&dense, gamma)).abs() < 1e-9, "seed {seed}");
        assert!(solution.weights.rules.iter().all(|(_, weight)| *weight != 0.0));
    }
}

#[test]
fn coordinate_descent_finds_no_better() {
    for seed in 0..32 {
        let naive = drawn(seed, 60, 6);
        let gamma = [0.002, 0.01, 0.05][seed as usize % 3];
        let expected = naive.objective(&naive.descend(gamma), gamma);
        let found = solved(&naive, gamma).objective;
        assert!((found - expected).abs() < 1e-8, "seed {seed}: {found} against {expected}");
    }
}

/// At any tolerance, the gap is at least what the objective lies above the minimum.
#[test]
fn the_gap_bounds_the_suboptimality() {
    let mut largest_share = 0.0f64;
    for seed in 0..48 {
        let naive = drawn(seed, 150, 30);
        let gamma = 10f64.powf(Draws::new(seed).between(-3.0, -1.0));
        let least = solved(&naive, gamma).objective;
        for tolerance in [0.3, 0.03, 0.003, 0.0003] {
            let rough = naive.l1(&naive.problem()).solve(&Weights::default(), gamma, tolerance);
            let above = rough.objective - least;
            assert!(rough.gap >= 0.0);
            assert!(above <= rough.gap + 1e-9, "seed {seed}: {above} above, gap {}", rough.gap);
            if rough.gap > 1e-6 {
                largest_share = largest_share.max(above / rough.gap);
            }
        }
    }
    assert!(largest_share > 0.1, "rough solutions were rough, and the gap is no wild guess: {largest_share}");
}

#[test]
fn a_path_equals_single_solutions_in_the_order_asked_for() {
    for seed in 0..16 {
        let naive = drawn(seed, 200, 25);
        let problem = naive.problem();
        let l1 = naive.l1(&problem);
        let gammas = [0.01, 0.001, 0.1, 0.0001, 0.02, 0.02];
        let path = l1.path(&gammas, L1_TOLERANCE);
        assert_eq!(path.len(), gammas.len());
        for (&gamma, solution) in gammas.iter().zip(&path) {
            let single = solved(&naive, gamma);
            assert!((solution.objective - single.objective).abs() < 1e-8, "seed {seed}, γ {gamma}");
            assert!(naive.violation(&naive.dense(solution), gamma) < 1e-6, "seed {seed}, γ {gamma}");
        }
    }
}

#[test]
fn the_largest_useful_price_gives_the_empty_model_and_less_does_not() {
    for seed in 0..48 {
        let naive = drawn(seed, 80, 15);
        let problem = naive.problem();
        let l1 = naive.l1(&problem);
        let largest = l1.gamma_max();
        let is_empty = |solution: &L1Solution| {
            solution.weights.rules.is_empty() && solution.linear.iter().all(|&weight| weight == 0.0)
        };
        for factor in [1.0, 1.000_001, 10.0] {
            assert!(is_empty(&solved(&naive, factor * largest)), "seed {seed}, {factor} times");
        }
        assert!(!is_empty(&solved(&naive, 0.99 * largest)), "seed {seed}");
    }
}

/// Columns without a price have their weights at any γ, and the largest useful price takes them into account.
#[test]
fn columns_without_a_price_are_always_in() {
    for seed in [0, 1, 2, 3] {
        let mut naive = drawn(seed, 120, 12);
        naive.factors[2] = 0.0;
        *naive.factors.last_mut().unwrap() = 0.0;
        let problem = naive.problem();
        let largest = naive.l1(&problem).gamma_max();
        let found = naive.dense(&solved(&naive, 1.000_001 * largest));
        for (nth, weight) in found.weights.iter().enumerate() {
            assert_eq!(*weight != 0.0, naive.factors[nth] == 0.0, "seed {seed}, column {nth}");
        }
        assert!(naive.violation(&found, 1.000_001 * largest) < 1e-6);
        let less = naive.dense(&solved(&naive, 0.99 * largest));
        let n_weights = less.weights.iter().filter(|&&weight| weight != 0.0).count();
        assert!(n_weights > naive.factors.iter().filter(|&&factor| factor == 0.0).count());
    }
}

/// Without any price on separable classes only the box keeps weights finite.
#[test]
fn no_price_at_all_ends_in_the_box() {
    let mut naive = drawn(0, 60, 3);
    naive.targets = naive.columns[0].iter().map(|&value| value - 0.5).collect();
    let solution = solved(&naive, 0.0);
    let dense = naive.dense(&solution);
    let limit = Bounds::default();
    assert!((limit.low..=limit.high).contains(&dense.intercept));
    assert!(dense.weights.iter().all(|weight| (limit.low..=limit.high).contains(weight)));
    // No score of either class gets further than half the limit from zero by one rule and the intercept.
    assert!(solution.objective <= (-10f64).exp().ln_1p() && naive.violation(&dense, 0.0) < 1e-6);
}

#[test]
fn warm_starts_end_in_the_same_place() {
    for seed in 0..16 {
        let naive = drawn(seed, 150, 20);
        let problem = naive.problem();
        let l1 = naive.l1(&problem);
        let far = l1.solve(&Weights::default(), 0.0005, L1_TOLERANCE).weights;
        let warm = l1.solve(&far, 0.03, L1_TOLERANCE);
        assert!((warm.objective - solved(&naive, 0.03).objective).abs() < 1e-8, "seed {seed}");
    }
}

#[test]
fn a_path_goes_on_where_it_was_paused_with_rules_that_came_since() {
    for seed in 0..32 {
        let naive = drawn(seed, 120, 25);
        let (mut fewer, all) = (naive.problem(), naive.problem());
        fewer.eligible[12..].fill(false);
        let fewer_rules = naive.l1(&fewer);
        let mut path = fewer_rules.walk();
        // A rough solution at another price, as column generation leaves them.
        path.reach(0.02, Accuracy { tolerance: 1e-3, gap_share: f64::INFINITY });
        let paused = path.pause();
        let all_rules = naive.l1(&all);
        let entering = (seed % 2 == 0).then_some(12);
        let solution = all_rules.resume(paused, entering).reach(0.005, Accuracy::of(L1_TOLERANCE));
        assert!(naive.violation(&naive.dense(&solution), 0.005) < 1e-6, "seed {seed}");
        assert!((solution.objective - solved(&naive, 0.005).objective).abs() < 1e-8, "seed {seed}");
    }
}

#[test]
fn the_thread_count_changes_nothing() {
    for seed in [0, 3] {
        let naive = drawn(seed, 3000, 400);
        let problem = naive.problem();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| naive.l1(&problem).path(&[0.01, 0.003], 1e-6))
        };
        let alone = on(1);
        assert_eq!(alone, on(2));
        assert_eq!(alone, on(5));
    }
}

#[test]
fn a_grid_falls_by_equal_shares() {
    let grid = gamma_grid(0.5, 0.01, 5);
    assert_eq!(grid.len(), 5);
    assert_eq!(grid[0], 0.5);
    assert!((grid[4] - 0.005).abs() < 1e-15);
    assert!(grid.windows(2).all(|pair| (pair[1] / pair[0] - 0.01f64.powf(0.25)).abs() < 1e-12));
    assert_eq!(gamma_grid(0.5, 0.01, 1), [0.5]);
    assert!(gamma_grid(0.5, 0.01, 0).is_empty());
}

/// Rules that may not enter have no weight and no part in the gap.
#[test]
fn rules_that_are_no_candidates_stay_out() {
    let naive = drawn(0, 100, 10);
    let mut problem = naive.problem();
    problem.eligible[3] = false;
    let solution = L1Problem::new(&problem).solve(&Weights::default(), 0.001, L1_TOLERANCE);
    assert!(solution.weights.rules.iter().all(|&(rule, _)| rule != 3));
    let mut without = naive.clone();
    without.bounds[3] = Bounds { low: 0.0, high: 0.0 };
    assert!((solved(&without, 0.001).objective - solution.objective).abs() < 1e-9);
}
