//! Times the path of `RuleFit`'s weights beside liblinear and skglm, in one run on the same columns.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use lire::objective::{LossKind, PenaltyKind};
use lire::solver::Problem;
use lire::solver::l1::{L1_TOLERANCE, L1Problem, L1Solution};
use serde::Deserialize;

use crate::instance::{Instance, Training};
use crate::table::markdown;

/// The problem to solve, and the Python to use.
#[derive(clap::Args)]
pub struct Arguments {
    /// The instance file.
    instance: PathBuf,
    /// The prices of the path.
    #[arg(long, value_delimiter = ',', default_values_t = [0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.0075, 0.01, 0.025, 0.05])]
    gammas: Vec<f64>,
    /// The tolerance of the optimality conditions.
    #[arg(long, default_value_t = L1_TOLERANCE)]
    tolerance: f64,
    /// A Python with scikit-learn and skglm; `make bench-rulefit` makes one.
    #[arg(long, default_value = "target/peers/bin/python")]
    python: PathBuf,
    /// The script that times the peers.
    #[arg(long, default_value = "crates/lire-bench/peers/l1.py")]
    script: PathBuf,
    /// Threads of lire; the peers use one.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The number of timed runs of ours, of which the median is reported.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Skip the peers.
    #[arg(long)]
    alone: bool,
}

/// The result of a peer.
#[derive(Deserialize)]
struct Peer {
    name: String,
    /// For each γ.
    fits: Vec<PeerFit>,
}

#[derive(Deserialize)]
struct PeerFit {
    seconds: f64,
    objective: f64,
    n_rules: usize,
}

/// The path, with its times in seconds.
struct Ours {
    /// From the file's bit arrays in memory to the problem.
    build_seconds: f64,
    path_seconds: f64,
    path: Vec<L1Solution>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(arguments.threads)?;
    let instance = Instance::read(&arguments.instance)?;
    let mut runs: Vec<Ours> = (0..arguments.runs.max(1)).map(|_| solve(&instance, arguments)).collect();
    runs.sort_by(|a, b| a.path_seconds.total_cmp(&b.path_seconds));
    let ours = runs.swap_remove(runs.len() / 2);
    let peers = if arguments.alone { Vec::new() } else { peers(arguments)? };

    let mut header =
        vec!["γ".to_string(), "lire: rules".into(), "objective".into(), "gap".into(), "violation".into()];
    for peer in &peers {
        header.extend([format!("{}: rules", peer.name), "objective".into(), "s".into()]);
    }
    let mut table = markdown(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for (nth, (gamma, solution)) in arguments.gammas.iter().zip(&ours.path).enumerate() {
        let mut cells = vec![
            gamma.to_string(),
            solution.weights.rules.len().to_string(),
            format!("{:.8}", solution.objective),
            format!("{:.0e}", solution.gap),
            format!("{:.0e}", solution.violation),
        ];
        for fit in peers.iter().map(|peer| &peer.fits[nth]) {
            cells.extend([
                fit.n_rules.to_string(),
                format!("{:.8}", fit.objective),
                format!("{:.3}", fit.seconds),
            ]);
        }
        table.add_row(cells);
    }
    println!("{table}");
    println!("lire's path: {:.3} s, after {:.3} s for the coverage", ours.path_seconds, ours.build_seconds);
    for peer in peers {
        let seconds: f64 = peer.fits.iter().map(|fit| fit.seconds).sum();
        let (path, whole) = (seconds / ours.path_seconds, seconds / (ours.path_seconds + ours.build_seconds));
        println!(
            "{}: {seconds:.3} s, {path:.1} times lire's path, {whole:.1} times with the coverage",
            peer.name
        );
    }
    Ok(())
}

fn solve(instance: &Instance, arguments: &Arguments) -> Ours {
    let start = Instant::now();
    let Training { coverage, masses, .. } = instance.training();
    let problem = Problem::new(coverage, &masses, LossKind::Logistic, 0.0, PenaltyKind::Ratio);
    let build_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let path = L1Problem::new(&problem).path(&arguments.gammas, arguments.tolerance);
    Ours { build_seconds, path_seconds: start.elapsed().as_secs_f64(), path }
}

fn peers(arguments: &Arguments) -> Result<Vec<Peer>> {
    let output = Command::new(&arguments.python)
        .arg(&arguments.script)
        .arg(&arguments.instance)
        .args(arguments.gammas.iter().map(f64::to_string))
        .output()
        .with_context(|| format!("{}: run `make bench-rulefit` first", arguments.python.display()))?;
    ensure!(output.status.success(), "the peers failed: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("what the peers printed is not the expected JSON")
}
