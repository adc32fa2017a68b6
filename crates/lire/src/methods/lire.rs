//! LIRE: for each output the support and weights that minimise the objective.

use std::time::Instant;

use super::candidates::Clock;
use super::{GrownCandidates, Learned, LearnedOutput};
use crate::config::Settings;
use crate::solver::{Weights, solve};
use crate::watch::Watch;

/// Chooses among the candidates, for each output by itself.
pub fn choose(candidates: GrownCandidates, settings: &Settings, watch: &Watch) -> Learned {
    let mut clock = Clock(Instant::now());
    let gamma = settings.gamma.unwrap_or(0.0);
    let solve_output = |output: usize| {
        let problem = candidates.problem(output, settings);
        let solution = solve(&problem, &Weights::default(), gamma, settings.lambda, settings.solver, watch);
        LearnedOutput::of(solution)
    };
    let outputs = (0..candidates.masses.len()).map(solve_output).collect();
    let GrownCandidates { rules, mut timings, .. } = candidates;
    clock.lap(&mut timings.solver);
    Learned { n_candidates: rules.len(), rules, linear: Vec::new(), outputs, timings }
}
