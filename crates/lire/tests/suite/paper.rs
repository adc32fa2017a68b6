//! Algorithm 1 of the paper: what holds at its end, recomputed from rows.

use lire::Watch;
use lire::objective::{LossKind, MIN_WEIGHT, PenaltyKind};
use lire::solver::l1::{L1_TOLERANCE, solve_l1};
use lire::solver::{Search, Solution, SolverConfig, StopReason, Weights, solve};

use crate::draws::Draws;
use crate::naive::{LOSSES, Naive};

fn problem(loss: LossKind, seed: u64) -> (Naive, f64, f64) {
    let mut draws = Draws::new(20_000 + seed);
    let (n_rows, n_rules) = (40 + draws.below(150), 6 + draws.below(20));
    let mut naive = Naive::with_loss(&mut draws, loss, n_rows, n_rules);
    naive.kind = [PenaltyKind::Ratio, PenaltyKind::Count][seed as usize % 2];
    naive.ridge = [0.0, 0.01][seed as usize / 2 % 2];
    (naive, [0.001, 0.003, 0.01][draws.below(3)], [0.0, 0.006, 0.1][draws.below(3)])
}

/// Forty of each loss. Of the exponential ones, 72 changes no support in the first round, but the re-fit after it makes
/// a rule superfluous.
fn problems() -> impl Iterator<Item = (LossKind, u64)> {
    LOSSES.into_iter().flat_map(|loss| (40..80).map(move |seed| (loss, seed)))
}

fn solved(naive: &Naive, gamma: f64, lambda: f64) -> Solution {
    let config = SolverConfig { search: Search::Paper, ..Default::default() };
    solve(&naive.problem(), &Weights::default(), gamma, lambda, config, &Watch::default())
}

#[test]
fn the_objective_is_that_of_the_weights() {
    for (loss, seed) in problems() {
        let (naive, gamma, lambda) = problem(loss, seed);
        let solution = solved(&naive, gamma, lambda);
        assert!((solution.objective - naive.objective(&solution.weights, gamma, lambda)).abs() < 1e-9);
        assert!(solution.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12), "{:?}", solution.trace);
        assert_eq!(solution.stop_reason, StopReason::Converged);
    }
}

#[test]
fn the_support_never_grows_beyond_the_start() {
    for (loss, seed) in problems() {
        let (naive, gamma, lambda) = problem(loss, seed);
        let start = solve_l1(&naive.problem(), &Weights::default(), gamma, L1_TOLERANCE);
        assert!(solved(&naive, gamma, lambda).weights.rules.len() <= start.weights.rules.len());
    }
}

/// Steps 1 and 2 find nothing more: neither dropping a rule pays, nor any other in its place.
#[test]
fn no_removal_and_no_exchange_in_place_improves_the_end() {
    let mut n_rules = 0;
    for (loss, seed) in problems() {
        let (naive, gamma, lambda) = problem(loss, seed);
        let weights = solved(&naive, gamma, lambda).weights;
        let objective = naive.objective(&weights, gamma, lambda);
        for out in 0..weights.rules.len() {
            n_rules += 1;
            let mut without = weights.clone();
            without.rules.remove(out);
            let removed = naive.objective(&without, gamma, lambda);
            assert!(
                removed > objective - 1e-7,
                "{loss:?}, seed {seed}: dropping {out}: {objective} to {removed}"
            );
            let outside = |rule: &usize| weights.rules.iter().all(|(other, _)| other != rule);
            for rule in (0..naive.n_rules()).filter(outside) {
                let exchanged = naive.refit_some(&without, &[rule], false);
                let weight = exchanged.rules[exchanged.rules.len() - 1].1;
                let value = naive.objective(&exchanged, gamma, lambda);
                assert!(
                    value > objective - 2e-7 || weight.abs() < MIN_WEIGHT,
                    "{loss:?}, seed {seed}: {rule} in place of {out}: {objective} to {value}"
                );
            }
        }
    }
    assert!(n_rules > 100, "models are not all empty");
}
