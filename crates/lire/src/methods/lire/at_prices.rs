//! The support and weights of each output at given prices.

use std::time::Instant;

use crate::config::Settings;
use crate::methods::candidates::Clock;
use crate::methods::{GrownCandidates, Learned, LearnedOutput};
use crate::solver::{PathEnd, Prices, Solution, Weights, certify, solve, solve_path};
use crate::watch::Watch;

/// Chooses among the candidates at given prices, for each output by itself.
pub fn choose(candidates: GrownCandidates, settings: &Settings, at: Prices, watch: &Watch) -> Learned {
    let mut clock = Clock(Instant::now());
    let solve_output = |output: usize| {
        let problem = candidates.problem(output, settings);
        solve(&problem, &Weights::default(), at.gamma, at.lambda, settings.solver, watch)
    };
    let solutions = (0..candidates.masses.len()).map(solve_output).collect();
    let mut learned = learned(candidates, at, solutions);
    clock.lap(&mut learned.timings.solver);
    learned
}

/// The solutions at many prices: for each of these one an output. Those of other prices that are known help.
pub fn path<'a>(
    candidates: &GrownCandidates,
    settings: &Settings,
    prices: &[Prices],
    known: &(impl Iterator<Item = &'a [Solution]> + Clone),
    end: PathEnd,
    watch: &Watch,
) -> Vec<Vec<Solution>> {
    let mut of_prices = vec![Vec::new(); prices.len()];
    for output in 0..candidates.masses.len() {
        let problem = candidates.problem(output, settings);
        let known: Vec<Weights> = known.clone().map(|outputs| outputs[output].weights.clone()).collect();
        let solutions = solve_path(&problem, prices, &known, end, settings.solver, watch);
        of_prices.iter_mut().zip(solutions).for_each(|(outputs, solution)| outputs.push(solution));
    }
    of_prices
}

/// The solutions of a path, one an output, brought to their certificates.
pub fn certified(
    candidates: &GrownCandidates,
    settings: &Settings,
    at: Prices,
    outputs: &[Solution],
    watch: &Watch,
) -> Vec<Solution> {
    let certify_output = |(output, from): (usize, &Solution)| {
        certify(&candidates.problem(output, settings), from, at, settings.solver, watch)
    };
    outputs.iter().enumerate().map(certify_output).collect()
}

/// What one of the solutions makes of the candidates.
pub fn learned(candidates: GrownCandidates, at: Prices, solutions: Vec<Solution>) -> Learned {
    let GrownCandidates { rules, timings, .. } = candidates;
    let outputs = solutions.into_iter().map(LearnedOutput::of).collect();
    Learned {
        n_candidates: rules.len(),
        rules,
        outputs,
        gamma: Some(at.gamma),
        lambda: Some(at.lambda),
        timings,
        ..Learned::default()
    }
}
