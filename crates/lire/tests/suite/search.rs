//! The default search against all supports, and what every solution promises.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lire::Watch;
use lire::objective::{Bounds, LossKind, MIN_WEIGHT, PenaltyKind, WEIGHT_LIMIT};
use lire::solver::{Solution, SolverConfig, StopReason, Weights, solve};

use crate::draws::Draws;
use crate::naive::{LOSSES, Naive};

/// A small problem with its prices, of every kind in turn.
pub fn small_problem(loss: LossKind, seed: u64) -> (Naive, f64, f64) {
    let mut draws = Draws::new(seed);
    let (n_rows, n_rules) = (25 + draws.below(50), 5 + draws.below(5));
    let mut naive = Naive::with_loss(&mut draws, loss, n_rows, n_rules);
    naive.kind = if seed.is_multiple_of(2) { PenaltyKind::Ratio } else { PenaltyKind::Count };
    naive.ridge = [0.0, 0.002, 0.05][seed as usize % 3];
    let gamma = [0.0005, 0.005, 0.02][draws.below(3)];
    let lambda = [0.0, 0.01, 0.1, 0.5][draws.below(4)];
    (naive, gamma, lambda)
}

fn solved(naive: &Naive, gamma: f64, lambda: f64) -> Solution {
    let start = Weights::default();
    solve(&naive.problem(), &start, gamma, lambda, SolverConfig::default(), &Watch::default())
}

/// Everything that a solution says of itself, computed again from rows.
pub fn check_claims(naive: &Naive, solution: &Solution, gamma: f64, lambda: f64) {
    let weights = &solution.weights;
    assert!((solution.objective - naive.objective(weights, gamma, lambda)).abs() < 1e-9);
    assert!((solution.loss - naive.loss(weights)).abs() < 1e-9);
    let covered = naive.coverage_sum(weights.rules.iter().map(|&(rule, _)| rule));
    assert!((solution.coverage_sum - covered).abs() < 1e-9);
    assert!(weights.rules.windows(2).all(|pair| pair[0].0 < pair[1].0), "rules come by index, each once");
    for &(rule, weight) in &weights.rules {
        assert!((MIN_WEIGHT..=WEIGHT_LIMIT).contains(&weight.abs()));
        assert!((naive.bounds[rule].low..=naive.bounds[rule].high).contains(&weight));
    }
    assert!(weights.intercept.abs() <= WEIGHT_LIMIT);
    assert!(solution.trace.windows(2).all(|pair| pair[1] <= pair[0]), "G never rises: {:?}", solution.trace);
    if let Some(last) = solution.trace.last() {
        assert!(solution.objective <= last + 1e-12);
    }
}

#[test]
fn the_best_of_all_supports_is_found_nearly_always() {
    for loss in LOSSES {
        compare_with_all_supports(loss);
    }
}

fn compare_with_all_supports(loss: LossKind) {
    const N_PROBLEMS: u64 = 20;
    let mut missed = Vec::new();
    for seed in 0..N_PROBLEMS {
        let (naive, gamma, lambda) = small_problem(loss, seed);
        let solution = solved(&naive, gamma, lambda);
        check_claims(&naive, &solution, gamma, lambda);
        let (best, weights) = naive.best_support(gamma, lambda);
        assert!(
            solution.objective > best - 1e-7,
            "{loss:?}, seed {seed}: {} is below the best of all, {best}: {:?} {weights:?}",
            solution.objective,
            solution.weights
        );
        let single = (0..naive.n_rules()).map(|rule| {
            let weights = naive.refit(&[rule]);
            naive.objective(&weights, gamma, lambda)
        });
        let intercept_only = naive.objective(&naive.refit(&[]), gamma, lambda);
        let simplest = single.fold(intercept_only, f64::min);
        assert!(solution.objective < simplest + 1e-6, "{loss:?}, seed {seed}: a single rule is better");
        if solution.objective > best + 1e-6 {
            missed.push((seed, solution.objective - best));
        }
    }
    assert!(missed.len() as u64 * 20 <= N_PROBLEMS, "{loss:?}: {missed:?}");
}

#[test]
fn claims_hold_on_larger_problems() {
    for seed in 0..30 {
        let mut draws = Draws::new(900 + seed);
        let n_rows = 200 + draws.below(2000);
        let mut naive = Naive::with_loss(&mut draws, LOSSES[seed as usize % 3], n_rows, 60);
        naive.ridge = [0.0, 0.001][seed as usize % 2];
        naive.kind = [PenaltyKind::Ratio, PenaltyKind::Count][seed as usize / 2 % 2];
        let lambda = [0.01, 0.3][draws.below(2)];
        check_claims(&naive, &solved(&naive, 0.001, lambda), 0.001, lambda);
    }
}

/// Equal and complementary rules, rules that cover nothing or everything, and rows that rules separate.
#[test]
fn claims_hold_on_degenerate_problems() {
    for seed in 0..60 {
        let mut draws = Draws::new(1300 + seed);
        let mut naive = Naive::with_loss(&mut draws, LOSSES[seed as usize % 3], 40, 12);
        naive.columns[1] = naive.columns[0].clone();
        naive.columns[3] = naive.columns[2].iter().map(|covered| !covered).collect();
        naive.columns[4] = vec![true; 40];
        naive.columns[5] = vec![false; 40];
        naive.columns[6] = naive.masses.iter().map(|mass| mass[0] > 0.0).collect();
        naive.ridge = [0.0, 0.001][seed as usize % 2];
        naive.kind = [PenaltyKind::Ratio, PenaltyKind::Count][seed as usize / 2 % 2];
        let (gamma, lambda) = ([0.0, 0.001, 0.05][draws.below(3)], [0.0, 0.1, 1.0][draws.below(3)]);
        let solution = solved(&naive, gamma, lambda);
        check_claims(&naive, &solution, gamma, lambda);
        let chosen = |rule: usize| solution.weights.rules.iter().any(|&(other, _)| other == rule);
        assert!(!chosen(4) && !chosen(5), "seed {seed}: a rule that covers all or nothing");
    }
}

#[test]
fn bounds_of_single_rules_are_kept() {
    for seed in 0..12 {
        let (mut naive, gamma, lambda) = small_problem(LOSSES[seed as usize % 3], 5000 + seed);
        for bounds in naive.bounds.iter_mut().step_by(2) {
            bounds.low = 0.0;
        }
        let solution = solved(&naive, gamma, lambda);
        check_claims(&naive, &solution, gamma, lambda);
        let (best, _) = naive.best_support(gamma, lambda);
        assert!(solution.objective > best - 1e-7, "seed {seed}: {} against {best}", solution.objective);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let solve_with = |n_threads: usize, naive: &Naive| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| solved(naive, 0.001, 0.1))
    };
    for seed in 0..6 {
        let (loss, n_rows) = (LOSSES[seed as usize % 3], 1500 + 500 * seed as usize);
        let mut naive = Naive::with_loss(&mut Draws::new(70 + seed), loss, n_rows, 130);
        naive.ridge = 0.001;
        let one = solve_with(1, &naive);
        for other in [solve_with(2, &naive), solve_with(4, &naive)] {
            assert_eq!(bits(&one.weights), bits(&other.weights), "seed {seed}");
            assert_eq!(one.trace, other.trace);
            assert_eq!(
                (one.objective, one.loss, one.certified),
                (other.objective, other.loss, other.certified)
            );
        }
    }
}

fn bits(weights: &Weights) -> (u64, Vec<(usize, u64)>) {
    let rules = weights.rules.iter().map(|&(rule, weight)| (rule, weight.to_bits())).collect();
    (weights.intercept.to_bits(), rules)
}

#[test]
fn a_warm_start_never_ends_worse() {
    for seed in 0..60 {
        let (naive, gamma, lambda) = small_problem(LOSSES[seed as usize % 3], 700 + seed);
        let problem = naive.problem();
        let again = |start: &Weights, gamma, lambda| {
            solve(&problem, start, gamma, lambda, SolverConfig::default(), &Watch::default())
        };
        let first = again(&Weights::default(), gamma, lambda);
        let second = again(&first.weights, gamma, lambda);
        assert!(second.objective <= first.objective + 1e-9, "seed {seed}");
        // From the solution at other prices: never worse than that solution at these prices.
        let other = again(&Weights::default(), 0.2 * gamma, 0.2 * lambda);
        let from_other = again(&other.weights, gamma, lambda);
        assert!(from_other.objective <= naive.objective(&other.weights, gamma, lambda) + 1e-9, "seed {seed}");
    }
}

#[test]
fn every_reason_to_stop_leaves_a_usable_solution() {
    let mut naive = Naive::random(&mut Draws::new(8), 600, 50);
    naive.ridge = 0.001;
    let problem = naive.problem();
    let (gamma, lambda) = (0.0005, 0.02);
    let run = |max_moves: usize, watch: Watch| {
        let config = SolverConfig { max_moves, ..Default::default() };
        let solution = solve(&problem, &Weights::default(), gamma, lambda, config, &watch);
        check_claims(&naive, &solution, gamma, lambda);
        let intercept_only = naive.objective(&naive.refit(&[]), gamma, lambda);
        assert!(solution.objective <= intercept_only + 1e-9);
        assert!(solution.stop_reason == StopReason::Converged || !solution.certified);
        solution
    };
    let free = run(5000, Watch::default());
    assert_eq!(free.stop_reason, StopReason::Converged);
    assert!(free.n_moves > 3 && free.weights.rules.len() > 3);
    for max_moves in [0, 1, 3] {
        let solution = run(max_moves, Watch::default());
        assert_eq!(solution.stop_reason, StopReason::MoveLimit);
        assert!(solution.n_moves <= max_moves && solution.weights.rules.len() <= max_moves);
    }
    let flag = AtomicBool::new(true);
    let interrupted = run(5000, Watch { interrupt: Some(&flag), ..Watch::default() });
    assert_eq!(interrupted.stop_reason, StopReason::Interrupted);
    let late = run(5000, Watch { deadline: Some(Instant::now()), ..Watch::default() });
    assert_eq!(late.stop_reason, StopReason::TimeLimit);
    let enough = run(5000, Watch { enough: Some(&flag), ..Watch::default() });
    assert_eq!(enough.stop_reason, StopReason::TimeLimit);
    let hour = Instant::now() + Duration::from_secs(3600);
    assert_eq!(run(5000, Watch { deadline: Some(hour), ..Watch::default() }).objective, free.objective);
}

/// The flag may be set while the search runs, here by the callback that it reports to.
#[test]
fn an_interrupt_in_the_middle_keeps_what_was_found() {
    let naive = Naive::random(&mut Draws::new(8), 600, 50);
    let flag = AtomicBool::new(false);
    let on_progress = |_| flag.store(true, std::sync::atomic::Ordering::Relaxed);
    let watch = Watch { interrupt: Some(&flag), on_progress: Some(&on_progress), ..Watch::default() };
    let config = SolverConfig::default();
    let solution = solve(&naive.problem(), &Weights::default(), 0.0005, 0.02, config, &watch);
    assert_eq!(solution.stop_reason, StopReason::Interrupted);
    check_claims(&naive, &solution, 0.0005, 0.02);
    assert!(!solution.weights.rules.is_empty());
}

#[test]
fn without_candidates_the_intercept_is_the_model() {
    let mut naive = Naive::random(&mut Draws::new(5), 50, 3);
    for columns in [Vec::new(), vec![vec![true; 50]; 2], vec![vec![false; 50]]] {
        naive.bounds.truncate(columns.len());
        naive.bounds.resize(columns.len(), Bounds::default());
        naive.columns = columns;
        let solution = solved(&naive, 0.001, 0.1);
        check_claims(&naive, &solution, 0.001, 0.1);
        assert!(solution.weights.rules.is_empty() && solution.certified);
        assert!((solution.weights.intercept - naive.refit(&[]).intercept).abs() < 1e-5);
        assert_eq!(solution.stop_reason, StopReason::Converged);
    }
}
