//! `RuleFit`: the same candidates, chosen by an l1 penalty; its γ given or cross-validated.

mod gamma;
mod linear;

use std::sync::Arc;
use std::time::Instant;

use self::gamma::{gamma_of_least_loss, grow_parts};
use self::linear::{LinearColumn, linear_columns};
use super::candidates::Clock;
use super::outputs::of_outputs;
use super::{GrownCandidates, Learned, LearnedOutput, MethodInput, OutputCandidates, Training};
use crate::config::Settings;
use crate::coverage::Coverage;
use crate::side_by_side::side_by_side;
use crate::solver::l1::{L1_TOLERANCE, L1Problem, L1Solution};
use crate::solver::{Problem, StopReason, Weights, stop_reason};
use crate::watch::{OutputPlace, Progress, Watch};

/// With a time limit: the most of what is left that the comparison of prices takes.
const SHARE_OF_COMPARISON: f64 = 0.7;

/// Chooses among the candidates, for each output by itself.
pub(crate) fn learn(input: MethodInput) -> Learned {
    let MethodInput { training, settings, source, splits, watch, .. } = input;
    let mut candidates = source.candidates(training, settings, watch);
    let mut clock = Clock(Instant::now());
    let design = Design::of(&candidates, training, settings);
    clock.lap(&mut candidates.timings.solver);
    let gamma = if let Some(gamma) = settings.gamma {
        gamma
    } else {
        let watch = watch.share(SHARE_OF_COMPARISON);
        let parts = grow_parts(training, settings, source, &splits.all, &watch);
        let gamma = gamma_of_least_loss(&parts, settings.loss, design.gamma_max(), &watch);
        clock.lap(&mut candidates.timings.comparison);
        gamma
    };
    let mut outputs = of_outputs(design.problems.len(), watch, |output, watch| {
        let l1 = design.l1(&design.problems[output], watch);
        let solution = &l1.path(&[gamma], L1_TOLERANCE)[0];
        let stop_reason = stop_reason(watch);
        let weights = candidates.outputs[output].among_all(&solution.weights);
        let learned = learned(solution, weights, gamma, &design.linear, stop_reason);
        let (objective, n_rules) = (learned.objective, learned.weights.rules.len());
        watch.report(Progress::Move { objective, n_rules, output: OutputPlace::ONLY });
        learned
    });
    let used: Vec<usize> = (0..design.linear.len())
        .filter(|&column| outputs.iter().any(|output| output.slopes[column] != 0.0))
        .collect();
    for output in &mut outputs {
        output.slopes = used.iter().map(|&column| output.slopes[column]).collect();
    }
    let linear =
        used.iter().map(|&column| design.linear[column].for_model(training.table.schema())).collect();
    let GrownCandidates { rules, mut timings, .. } = candidates;
    clock.lap(&mut timings.solver);
    Learned {
        n_candidates: rules.len(),
        rules,
        linear,
        outputs,
        gamma: Some(gamma),
        timings,
        ..Learned::default()
    }
}

fn learned(
    solution: &L1Solution,
    weights: Weights,
    gamma: f64,
    linear: &[LinearColumn],
    stop_reason: StopReason,
) -> LearnedOutput {
    let size: f64 = solution.weights.rules.iter().map(|(_, weight)| weight.abs()).sum::<f64>()
        + solution.linear.iter().map(|weight| weight.abs()).sum::<f64>();
    LearnedOutput {
        weights,
        slopes: linear.iter().zip(&solution.linear).map(|(column, &weight)| column.slope(weight)).collect(),
        objective: solution.objective,
        loss: solution.objective - gamma * size,
        certified: solution.is_proven(),
        stop_reason,
        n_moves: 0,
    }
}

/// The problems of all outputs over the same columns.
pub(super) struct Design {
    pub problems: Vec<Problem>,
    pub linear: Vec<LinearColumn>,
}

impl Design {
    pub fn of(candidates: &GrownCandidates, training: &Training, settings: &Settings) -> Self {
        let n_outputs = candidates.outputs.len();
        if !settings.rulefit.linear_terms {
            let problems = (0..n_outputs).map(|output| candidates.problem(output, settings)).collect();
            return Self { problems, linear: Vec::new() };
        }
        // With numbers beside the rules, rows that the rules do not tell apart differ all the same. Their content orders
        // them, so that sums over them round the same way whatever the order of the input.
        let (training, _) = &training.distinct();
        let all_masses = training.masses();
        let of_distinct_rows = |output: usize| {
            let rules = candidates.outputs[output].rules.clone();
            let coverage = Coverage::build(training.table.n_rows(), rules.len(), |rule| {
                let rule = &candidates.rules[rules[rule]];
                rule.cover(&training.table).expect("rules were checked against the schema")
            });
            let masses = all_masses[output].clone();
            OutputCandidates { rules, coverage: Arc::new(coverage), masses }
        };
        let outputs = side_by_side(n_outputs, of_distinct_rows);
        let candidates =
            GrownCandidates { rules: candidates.rules.clone(), outputs, timings: candidates.timings };
        let problems = (0..n_outputs).map(|output| candidates.problem(output, settings)).collect();
        Self { problems, linear: linear_columns(training, settings) }
    }

    /// One of the problems with the columns beside its rules.
    pub fn l1<'p>(&self, problem: &'p Problem, watch: &'p Watch) -> L1Problem<'p> {
        let linear = self.linear.iter().map(|column| column.dense.clone()).collect();
        L1Problem { linear, watch: watch.silent(), ..L1Problem::new(problem) }
    }

    /// The least γ that leaves no rule in any output.
    fn gamma_max(&self) -> f64 {
        self.problems
            .iter()
            .map(|problem| self.l1(problem, &Watch::default()).gamma_max())
            .fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_gap_is_a_certificate() {
        let solution = |gap: f64| L1Solution {
            weights: Weights::default(),
            linear: Vec::new(),
            objective: 0.5,
            violation: 0.0,
            gap,
            gap_tolerance: 1e-6,
        };
        let certified =
            |gap: f64| learned(&solution(gap), Weights::default(), 0.1, &[], StopReason::Converged).certified;
        assert_eq!([0.0, 1e-6, 1e-5, f64::NAN].map(certified), [true, true, false, false]);
    }
}
