//! Solves the whole table of instances with both searches, beside the reference implementation.

use std::path::PathBuf;

use anyhow::Result;
use lire::objective::{LossKind, PenaltyKind};
use lire::solver::Search;

use crate::instance::Instance;
use crate::reference::{REFERENCE, Reference};
use crate::solve::{self, Report, Setting};
use crate::table::markdown;

/// The instances, and how to solve them.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder with the `.lri` files.
    folder: PathBuf,
    /// Threads; all cores by default.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The number of runs of each, of which the median time is reported.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Also solve with the paper's algorithm.
    #[arg(long)]
    paper: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(arguments.threads)?;
    best(arguments)?;
    if arguments.paper {
        paper(arguments)?;
    }
    Ok(())
}

fn best(arguments: &Arguments) -> Result<()> {
    let mut table = markdown(&[
        "instance",
        "γ",
        "λ",
        "reference s",
        "lire s",
        "times faster",
        "reference G",
        "lire G",
        "rules",
        "best known G",
        "per row",
        "test AUC",
        "certified",
    ]);
    let mut log_ratio = 0.0;
    for reference in &REFERENCE {
        let report = median_run(arguments, reference, Search::Best)?;
        let ratio = reference.seconds / report.seconds;
        log_ratio += ratio.ln() / REFERENCE.len() as f64;
        let mut cells = common_cells(reference, &report);
        cells.extend([
            format!("{:.5}", reference.best_known),
            format!("{:.2}", report.test_local_support),
            format!("{:.4}", report.test_auc.unwrap_or(f64::NAN)),
            if report.certified { "yes" } else { "no" }.to_string(),
        ]);
        table.add_row(cells);
    }
    println!("{table}\n\ngeometric mean of the speed-up: {:.0}\n", log_ratio.exp());
    Ok(())
}

fn paper(arguments: &Arguments) -> Result<()> {
    let mut table = markdown(&[
        "instance",
        "γ",
        "λ",
        "reference s",
        "lire s",
        "times faster",
        "reference G",
        "lire G",
        "rules",
    ]);
    for reference in &REFERENCE {
        let report = median_run(arguments, reference, Search::Paper)?;
        table.add_row(common_cells(reference, &report));
    }
    println!("search = paper\n\n{table}");
    Ok(())
}

/// The cells of a row in both tables.
fn common_cells(reference: &Reference, report: &Report) -> Vec<String> {
    vec![
        reference.instance.to_string(),
        reference.gamma.to_string(),
        reference.lambda.to_string(),
        format!("{:.1}", reference.seconds),
        format!("{:.4}", report.seconds),
        format!("{:.0}", reference.seconds / report.seconds),
        format!("{:.5}", reference.objective),
        format!("{:.5}", report.objective),
        report.n_rules.to_string(),
    ]
}

/// The run of median time.
fn median_run(arguments: &Arguments, reference: &Reference, search: Search) -> Result<Report> {
    let instance = Instance::read(&arguments.folder.join(format!("{}.lri", reference.instance)))?;
    let setting = Setting {
        gamma: reference.gamma,
        lambda: reference.lambda,
        rho: 0.0,
        penalty: PenaltyKind::Ratio,
        search,
        loss: LossKind::Exponential,
    };
    Ok(solve::median_run(&instance, reference.instance, setting, arguments.runs))
}
