//! The certificate of a solution, by pricing every single move from rows.

use lire::Watch;
use lire::objective::{LossKind, MIN_WEIGHT, PenaltyKind};
use lire::solver::{CERTIFICATE_TOLERANCE, Search, SolverConfig, Weights, solve};

use crate::draws::Draws;
use crate::naive::{LOSSES, Naive};

/// The lowest G that any single insertion, removal or swap leads to.
fn best_single_move(naive: &Naive, weights: &Weights, gamma: f64, lambda: f64) -> f64 {
    let mut best = best_insertion(naive, weights, gamma, lambda, None);
    for out in 0..weights.rules.len() {
        let mut without = weights.clone();
        let (rule, _) = without.rules.remove(out);
        best = best.min(removal(naive, &without, gamma, lambda));
        best = best.min(best_insertion(naive, &without, gamma, lambda, Some(rule)));
    }
    best
}

/// G with the intercept re-optimised.
fn removal(naive: &Naive, weights: &Weights, gamma: f64, lambda: f64) -> f64 {
    naive.objective(&naive.refit_some(weights, &[], true), gamma, lambda)
}

/// The best joint step of any rule that is neither in the support nor `taboo`.
fn best_insertion(naive: &Naive, weights: &Weights, gamma: f64, lambda: f64, taboo: Option<usize>) -> f64 {
    let in_support = |rule: usize| weights.rules.iter().any(|&(other, _)| other == rule);
    let mut best = f64::INFINITY;
    for rule in (0..naive.n_rules()).filter(|&rule| !in_support(rule) && Some(rule) != taboo) {
        let column = &naive.columns[rule];
        if column.iter().all(|&covered| covered) || !column.contains(&true) {
            continue;
        }
        let with = naive.refit_some(weights, &[rule], true);
        if with.rules.iter().all(|(_, weight)| weight.abs() >= MIN_WEIGHT) {
            best = best.min(naive.objective(&with, gamma, lambda));
        }
    }
    best
}

/// A problem of every kind in turn, with its prices.
fn problem(loss: LossKind, seed: u64) -> (Naive, f64, f64) {
    let mut draws = Draws::new(11_000 + seed);
    let n_rows = 30 + draws.below(120);
    let mut naive = Naive::with_loss(&mut draws, loss, n_rows, 12);
    naive.ridge = [0.0, 0.001, 0.03][seed as usize % 3];
    naive.kind = [PenaltyKind::Ratio, PenaltyKind::Count][seed as usize % 2];
    if seed.is_multiple_of(5) {
        // One rule decides: weights run to the box.
        naive.columns[0] = naive.masses.iter().map(|mass| mass[0] > 0.0).collect();
    }
    if seed.is_multiple_of(7) {
        naive.bounds.iter_mut().step_by(3).for_each(|bounds| bounds.low = 0.0);
    }
    (naive, [0.0, 0.001, 0.01][draws.below(3)], [0.0, 0.05, 0.5][draws.below(3)])
}

#[test]
fn no_single_move_improves_a_certified_solution() {
    const N_PROBLEMS: u64 = 20;
    for loss in LOSSES {
        let mut n_certified = 0;
        for seed in 0..N_PROBLEMS {
            let (naive, gamma, lambda) = problem(loss, seed);
            let config = SolverConfig::default();
            let solution =
                solve(&naive.problem(), &Weights::default(), gamma, lambda, config, &Watch::default());
            let best = best_single_move(&naive, &solution.weights, gamma, lambda);
            let improves = best < solution.objective - CERTIFICATE_TOLERANCE - 1e-9;
            assert!(
                !(solution.certified && improves),
                "{loss:?}, seed {seed}: {} can become {best}",
                solution.objective
            );
            n_certified += u64::from(solution.certified);
        }
        assert!(n_certified * 20 >= N_PROBLEMS * 19, "{loss:?}: {n_certified} solutions are certified");
    }
}

/// The published search claims neither more nor less than is true.
#[test]
fn the_papers_search_claims_no_false_certificate() {
    for loss in LOSSES {
        let (mut n_certified, mut n_not) = (0, 0);
        for seed in 0..16 {
            let mut draws = Draws::new(12_000 + seed);
            let naive = Naive::with_loss(&mut draws, loss, 120, 10);
            let config = SolverConfig { search: Search::Paper, ..Default::default() };
            let solution =
                solve(&naive.problem(), &Weights::default(), 0.005, 0.02, config, &Watch::default());
            let best = best_single_move(&naive, &solution.weights, 0.005, 0.02);
            if (best - solution.objective + CERTIFICATE_TOLERANCE).abs() < 1e-9 {
                continue;
            }
            let holds = best >= solution.objective - CERTIFICATE_TOLERANCE;
            assert_eq!(solution.certified, holds, "{loss:?}, seed {seed}");
            if solution.certified { n_certified += 1 } else { n_not += 1 }
        }
        assert!(n_certified > 0 && n_not > 0, "{loss:?}: both were seen: {n_certified} and {n_not}");
    }
}
