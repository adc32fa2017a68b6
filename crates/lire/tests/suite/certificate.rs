//! The certificate of a solution, by pricing every single move from rows.

use lire::Watch;
use lire::coverage::Pair;
use lire::objective::{Bounds, MIN_WEIGHT, PenaltyKind, WEIGHT_LIMIT};
use lire::solver::{CERTIFICATE_TOLERANCE, Search, SolverConfig, Weights, solve};

use crate::draws::Draws;
use crate::naive::{Naive, minimise_pair, minimise_weight};

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
    let total = naive.row_losses(weights).iter().fold([0.0; 2], add);
    let low = -WEIGHT_LIMIT - weights.intercept;
    let bounds = Bounds { low, high: low + 2.0 * WEIGHT_LIMIT };
    let shift = minimise_weight(total, bounds, 0.0);
    naive.objective(&Weights { intercept: weights.intercept + shift, ..weights.clone() }, gamma, lambda)
}

/// The best joint step of any rule that is neither in the support nor `taboo`.
fn best_insertion(naive: &Naive, weights: &Weights, gamma: f64, lambda: f64, taboo: Option<usize>) -> f64 {
    let losses = naive.row_losses(weights);
    let support: Vec<usize> = weights.rules.iter().map(|&(rule, _)| rule).collect();
    let mut best = f64::INFINITY;
    for rule in (0..naive.n_rules()).filter(|rule| !support.contains(rule) && Some(*rule) != taboo) {
        let column = &naive.columns[rule];
        if column.iter().all(|&covered| covered) || !column.contains(&true) {
            continue;
        }
        let side = |wanted: bool| -> Pair {
            losses
                .iter()
                .zip(column)
                .filter(|(_, covered)| **covered == wanted)
                .map(|(loss, _)| loss)
                .fold([0.0; 2], add)
        };
        let (weight, _, loss) =
            minimise_pair(side(true), side(false), naive.bounds[rule], naive.ridge, weights.intercept);
        if weight.abs() >= MIN_WEIGHT {
            let with: Vec<usize> = support.iter().copied().chain([rule]).collect();
            best = best.min(loss + naive.ridge_part(weights) + naive.penalty(&with, gamma, lambda));
        }
    }
    best
}

fn add(sum: Pair, loss: &Pair) -> Pair {
    [sum[0] + loss[0], sum[1] + loss[1]]
}

#[test]
fn no_single_move_improves_a_certified_solution() {
    let mut n_certified = 0;
    for seed in 0..100 {
        let mut draws = Draws::new(11_000 + seed);
        let n_rows = 30 + draws.below(200);
        let mut naive = Naive::random(&mut draws, n_rows, 14);
        naive.ridge = [0.0, 0.001, 0.03][seed as usize % 3];
        naive.kind = [PenaltyKind::Ratio, PenaltyKind::Count][seed as usize % 2];
        if seed % 5 == 0 {
            // One rule decides: weights run to the box.
            naive.columns[0] = naive.masses.iter().map(|mass| mass[0] > 0.0).collect();
        }
        let (gamma, lambda) = ([0.0, 0.001, 0.01][draws.below(3)], [0.0, 0.05, 0.5][draws.below(3)]);
        let solution = solve(
            &naive.problem(),
            &Weights::default(),
            gamma,
            lambda,
            SolverConfig::default(),
            &Watch::default(),
        );
        let best = best_single_move(&naive, &solution.weights, gamma, lambda);
        let improves = best < solution.objective - CERTIFICATE_TOLERANCE - 1e-10;
        assert!(!(solution.certified && improves), "seed {seed}: {} can become {best}", solution.objective);
        n_certified += usize::from(solution.certified);
    }
    assert!(n_certified >= 95, "{n_certified} of 100 solutions are certified");
}

/// The published search claims no more than is true either.
#[test]
fn the_papers_search_claims_no_false_certificate() {
    let (mut n_certified, mut n_not) = (0, 0);
    for seed in 0..60 {
        let mut draws = Draws::new(12_000 + seed);
        let naive = Naive::random(&mut draws, 120, 10);
        let config = SolverConfig { search: Search::Paper, ..Default::default() };
        let solution = solve(&naive.problem(), &Weights::default(), 0.005, 0.02, config, &Watch::default());
        let best = best_single_move(&naive, &solution.weights, 0.005, 0.02);
        if (best - solution.objective + CERTIFICATE_TOLERANCE).abs() < 1e-9 {
            continue;
        }
        assert_eq!(solution.certified, best >= solution.objective - CERTIFICATE_TOLERANCE, "seed {seed}");
        if solution.certified { n_certified += 1 } else { n_not += 1 }
    }
    assert!(n_certified > 0 && n_not > 0, "both were seen: {n_certified} and {n_not}");
}
