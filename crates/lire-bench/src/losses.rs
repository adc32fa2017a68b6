//! Compares the logistic loss with the exponential one on the table of instances, in one run.

use std::path::PathBuf;

use anyhow::Result;
use lire::objective::{LossKind, PenaltyKind};
use lire::solver::Search;

use crate::instance::Instance;
use crate::reference::REFERENCE;
use crate::solve::{Setting, from_name, median_run};
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
    /// Ridge.
    #[arg(long, default_value_t = 0.0)]
    rho: f64,
    /// The search: best or paper.
    #[arg(long, default_value = "best", value_parser = from_name::<Search>)]
    search: Search,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(arguments.threads)?;
    let mut table = markdown(&[
        "instance",
        "γ",
        "λ",
        "exponential s",
        "logistic s",
        "ratio",
        "rules",
        "logistic rules",
        "test AUC",
        "logistic AUC",
        "logistic G",
        "certified",
    ]);
    let (mut log_ratio, mut largest) = (0.0, 0.0f64);
    for reference in &REFERENCE {
        let instance = Instance::read(&arguments.folder.join(format!("{}.lri", reference.instance)))?;
        let solved = |loss: LossKind| {
            let setting = Setting {
                gamma: reference.gamma,
                lambda: reference.lambda,
                rho: arguments.rho,
                penalty: PenaltyKind::Ratio,
                search: arguments.search,
                loss,
            };
            median_run(&instance, reference.instance, setting, arguments.runs)
        };
        let (exponential, logistic) = (solved(LossKind::Exponential), solved(LossKind::Logistic));
        let ratio = logistic.seconds / exponential.seconds;
        log_ratio += ratio.ln() / REFERENCE.len() as f64;
        largest = largest.max(ratio);
        let auc = |auc: Option<f64>| format!("{:.4}", auc.unwrap_or(f64::NAN));
        table.add_row([
            reference.instance.to_string(),
            reference.gamma.to_string(),
            reference.lambda.to_string(),
            format!("{:.4}", exponential.seconds),
            format!("{:.4}", logistic.seconds),
            format!("{ratio:.1}"),
            exponential.n_rules.to_string(),
            logistic.n_rules.to_string(),
            auc(exponential.test_auc),
            auc(logistic.test_auc),
            format!("{:.5}", logistic.objective),
            if logistic.certified { "yes" } else { "no" }.to_string(),
        ]);
    }
    println!(
        "{table}\n\nlogistic / exponential: geometric mean {:.2}, largest {largest:.2}",
        log_ratio.exp()
    );
    Ok(())
}
