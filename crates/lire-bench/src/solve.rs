//! Solves one instance and prints everything that a checker needs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, ensure};
use lire::Watch;
use lire::measure::area_under_curve;
use lire::objective::{LossKind, PenaltyKind};
use lire::solver::{Problem, Search, Solution, SolverConfig, StopReason, Weights, solve};
use serde::Serialize;

use crate::instance::{Instance, Training};

/// The problem to solve.
#[derive(clap::Args)]
pub struct Arguments {
    /// The instance file.
    instance: PathBuf,
    /// The price of a rule in the model.
    #[arg(long)]
    gamma: f64,
    /// The price of rules per explanation.
    #[arg(long)]
    lambda: f64,
    /// Ridge.
    #[arg(long, default_value_t = 0.0)]
    rho: f64,
    /// The form of the penalty: ratio or count.
    #[arg(long, default_value = "ratio", value_parser = from_name::<PenaltyKind>)]
    penalty: PenaltyKind,
    /// The search: best or paper.
    #[arg(long, default_value = "best", value_parser = from_name::<Search>)]
    search: Search,
    /// The loss: exponential or logistic.
    #[arg(long, default_value = "exponential", value_parser = from_name::<LossKind>)]
    loss: LossKind,
    /// Threads; all cores by default.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What was found, in the terms of the instance file.
#[derive(Serialize)]
pub struct Report {
    instance: String,
    gamma: f64,
    lambda: f64,
    rho: f64,
    penalty: PenaltyKind,
    search: Search,
    loss: LossKind,
    /// From the file's bit arrays in memory to the result with its certificate.
    pub seconds: f64,
    pub objective: f64,
    loss_value: f64,
    pub n_rules: usize,
    pub omega_local: f64,
    coverage_sum: f64,
    test_accuracy: f64,
    pub test_auc: Option<f64>,
    pub test_local_support: f64,
    pub certified: bool,
    stop_reason: StopReason,
    intercept: f64,
    weights: Vec<(usize, f64)>,
}

/// One problem on an instance.
#[derive(Clone, Copy)]
pub struct Setting {
    pub gamma: f64,
    pub lambda: f64,
    pub rho: f64,
    pub penalty: PenaltyKind,
    pub search: Search,
    pub loss: LossKind,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        arguments.loss != LossKind::Squared,
        "--loss squared: instances have labels, not numbers; take exponential or logistic"
    );
    crate::use_threads(arguments.threads)?;
    let instance = Instance::read(&arguments.instance)?;
    let setting = Setting {
        gamma: arguments.gamma,
        lambda: arguments.lambda,
        rho: arguments.rho,
        penalty: arguments.penalty,
        search: arguments.search,
        loss: arguments.loss,
    };
    let report = solve_instance(&instance, &name_of(&arguments.instance), setting);
    if arguments.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{} {} γ {} λ {}: G {:.5}, {} rules, {:.2} per test row, AUC {:.4}, {} in {:.1} ms",
            report.instance,
            serde_json::to_value(report.loss)?.as_str().unwrap_or_default(),
            report.gamma,
            report.lambda,
            report.objective,
            report.n_rules,
            report.test_local_support,
            report.test_auc.unwrap_or(f64::NAN),
            if report.certified { "certified" } else { "not certified" },
            report.seconds * 1e3
        );
    }
    Ok(())
}

/// The instance's name: its file without folder and ending.
pub fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Solves, timed, and measures the result on the test rows.
pub fn solve_instance(instance: &Instance, name: &str, setting: Setting) -> Report {
    let start = Instant::now();
    let Training { coverage, masses, kept } = instance.training();
    let problem = Problem::new(coverage, &masses, setting.loss, setting.rho, setting.penalty);
    let config = SolverConfig { search: setting.search, ..Default::default() };
    let solution =
        solve(&problem, &Weights::default(), setting.gamma, setting.lambda, config, &Watch::default());
    let seconds = start.elapsed().as_secs_f64();
    report(instance, name, setting, &kept, &solution, seconds)
}

fn report(
    instance: &Instance,
    name: &str,
    setting: Setting,
    kept: &[usize],
    solution: &Solution,
    seconds: f64,
) -> Report {
    let weights: Vec<(usize, f64)> =
        solution.weights.rules.iter().map(|&(rule, weight)| (kept[rule], weight)).collect();
    let mut scores = vec![solution.weights.intercept; instance.n_test];
    let mut n_fired = 0;
    for &(rule, weight) in &weights {
        for (score, covered) in scores.iter_mut().zip(instance.test_coverage(rule)) {
            if covered {
                *score += weight;
                n_fired += 1;
            }
        }
    }
    let labels = instance.test_labels();
    let right = labels.iter().zip(&scores).filter(|&(&label, &score)| (score > 0.0) == label).count();
    let n_test = instance.n_test as f64;
    let n_rules = weights.len();
    Report {
        instance: name.into(),
        gamma: setting.gamma,
        lambda: setting.lambda,
        rho: setting.rho,
        penalty: setting.penalty,
        search: setting.search,
        loss: setting.loss,
        seconds,
        objective: solution.objective,
        loss_value: solution.loss,
        n_rules,
        omega_local: if n_rules == 0 { 0.0 } else { solution.coverage_sum / n_rules as f64 },
        coverage_sum: solution.coverage_sum,
        test_accuracy: right as f64 / n_test,
        test_auc: area_under_curve(&labels, &scores, &vec![1.0; labels.len()]).ok().flatten(),
        test_local_support: f64::from(n_fired) / n_test,
        certified: solution.certified,
        stop_reason: solution.stop_reason,
        intercept: solution.weights.intercept,
        weights,
    }
}

/// Solves several times and gives the run of median time.
pub fn median_run(instance: &Instance, name: &str, setting: Setting, n_runs: usize) -> Report {
    let mut reports: Vec<Report> =
        (0..n_runs.max(1)).map(|_| solve_instance(instance, name, setting)).collect();
    reports.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    reports.swap_remove(reports.len() / 2)
}

/// Reads an enumeration by the name it is stored by.
pub fn from_name<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, String> {
    serde_json::from_value(name.into()).map_err(|error| error.to_string())
}
