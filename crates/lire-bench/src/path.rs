//! Compares a grid of (γ, λ) in one call with single calls: times and objectives.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use lire::Watch;
use lire::objective::{LossKind, PenaltyKind};
use lire::solver::{PathEnd, Prices, Problem, Solution, SolverConfig, Weights, solve, solve_path};

use crate::instance::{Instance, Training};
use crate::solve::from_name;
use crate::table::markdown;

/// The problem to solve.
#[derive(clap::Args)]
pub struct Arguments {
    /// The instance file.
    instance: PathBuf,
    /// The prices of a rule in the model.
    #[arg(long, value_delimiter = ',', default_value = "0.0005,0.00075,0.001,0.0025,0.005")]
    gamma: Vec<f64>,
    /// The prices of rules per explanation.
    #[arg(long, value_delimiter = ',', default_value = "0.1,0.5,1,5,10")]
    lambda: Vec<f64>,
    /// Ridge.
    #[arg(long, default_value_t = 0.0)]
    rho: f64,
    /// The form of the penalty: ratio or count.
    #[arg(long, default_value = "ratio", value_parser = from_name::<PenaltyKind>)]
    penalty: PenaltyKind,
    /// The loss: exponential or logistic.
    #[arg(long, default_value = "exponential", value_parser = from_name::<LossKind>)]
    loss: LossKind,
    /// Threads; all cores by default.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(arguments.threads)?;
    let instance = Instance::read(&arguments.instance)?;
    let Training { coverage, masses, .. } = instance.training();
    let problem = Problem::new(coverage, &masses, arguments.loss, arguments.rho, arguments.penalty);
    let prices: Vec<Prices> = arguments
        .lambda
        .iter()
        .flat_map(|&lambda| arguments.gamma.iter().map(move |&gamma| Prices { gamma, lambda }))
        .collect();
    let (config, watch) = (SolverConfig::default(), Watch::default());

    let timed = |end: PathEnd| {
        let start = Instant::now();
        let path = solve_path(&problem, &prices, &[], end, config, &watch);
        (path, start.elapsed().as_secs_f64())
    };
    let (path, path_seconds) = timed(PathEnd::Certified);
    let (close, close_seconds) = timed(PathEnd::Close);
    let start = Instant::now();
    let single = |at: &Prices| solve(&problem, &Weights::default(), at.gamma, at.lambda, config, &watch);
    let singles: Vec<Solution> = prices.iter().map(single).collect();
    let single_seconds = start.elapsed().as_secs_f64();

    let mut table = markdown(&[
        "γ",
        "λ",
        "G of the path",
        "G alone",
        "difference",
        "without certificates",
        "rules",
        "alone",
        "certified",
    ]);
    for (((at, of_path), close), alone) in prices.iter().zip(&path).zip(&close).zip(&singles) {
        table.add_row([
            at.gamma.to_string(),
            at.lambda.to_string(),
            format!("{:.6}", of_path.objective),
            format!("{:.6}", alone.objective),
            format!("{:+.2e}", of_path.objective / alone.objective - 1.0),
            format!("{:+.2e}", close.objective / alone.objective - 1.0),
            of_path.weights.rules.len().to_string(),
            alone.weights.rules.len().to_string(),
            if of_path.certified { "yes" } else { "no" }.to_string(),
        ]);
    }
    let n_models = prices.len();
    println!(
        "{table}\n\npath of {n_models} models {path_seconds:.3} s (without certificates {close_seconds:.3} s), single calls {single_seconds:.3} s: as long as {:.1} single ones",
        path_seconds / single_seconds * n_models as f64
    );
    Ok(())
}
