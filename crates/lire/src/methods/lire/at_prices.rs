//! The support and weights of each output at given prices.

use std::time::Instant;

use crate::config::Settings;
use crate::methods::candidates::Clock;
use crate::methods::outputs::of_outputs;
use crate::methods::{GrownCandidates, Learned, LearnedOutput};
use crate::solver::{PathEnd, Prices, Solution, Weights, certify, solve, solve_path};
use crate::watch::Watch;

/// Chooses among the candidates at given prices, for each output by itself.
pub fn choose(candidates: GrownCandidates, settings: &Settings, at: Prices, watch: &Watch) -> Learned {
    let mut clock = Clock(Instant::now());
    let solve_output = |output: usize, watch: &Watch| {
        let problem = candidates.problem(output, settings);
        let solution = solve(&problem, &Weights::default(), at.gamma, at.lambda, settings.solver, watch);
        among_all(&candidates, output, solution)
    };
    let solutions = of_outputs(candidates.outputs.len(), watch, solve_output);
    let mut learned = learned(candidates, at, solutions);
    clock.lap(&mut learned.timings.solver);
    learned
}

/// The solutions at many prices: for each of these one an output. Those of other prices that are known help.
pub fn path<'a>(
    candidates: &GrownCandidates,
    settings: &Settings,
    prices: &[Prices],
    known: &(impl Iterator<Item = &'a [Solution]> + Clone + Sync),
    end: PathEnd,
    watch: &Watch,
) -> Vec<Vec<Solution>> {
    let path_of_output = |output: usize, watch: &Watch| -> Vec<Solution> {
        let problem = candidates.problem(output, settings);
        let own = &candidates.outputs[output];
        let known: Vec<Weights> =
            known.clone().map(|outputs| own.among_own(&outputs[output].weights)).collect();
        let solutions = solve_path(&problem, prices, &known, end, settings.solver, watch);
        solutions.into_iter().map(|solution| among_all(candidates, output, solution)).collect()
    };
    let paths = of_outputs(candidates.outputs.len(), watch, path_of_output);
    let mut of_prices = vec![Vec::with_capacity(paths.len()); prices.len()];
    for path in paths {
        of_prices.iter_mut().zip(path).for_each(|(outputs, solution)| outputs.push(solution));
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
    let certify_output = |output: usize, watch: &Watch| {
        let own = candidates.outputs[output].among_own(&outputs[output].weights);
        let from = Solution { weights: own, ..outputs[output].clone() };
        let problem = candidates.problem(output, settings);
        among_all(candidates, output, certify(&problem, &from, at, settings.solver, watch))
    };
    of_outputs(outputs.len(), watch, certify_output)
}

/// The solution of one output, its rules by their place among those of all.
fn among_all(candidates: &GrownCandidates, output: usize, solution: Solution) -> Solution {
    Solution { weights: candidates.outputs[output].among_all(&solution.weights), ..solution }
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
