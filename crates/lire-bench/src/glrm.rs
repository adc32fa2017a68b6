//! Times GLRM's column generation for each price of the paper's study.

use std::time::Instant;

use anyhow::Result;
use lire::Watch;
use lire::binning::{BinnedTable, Rows};
use lire::config::GlrmOptions;
use lire::methods::Training;
use lire::methods::glrm::{Binarised, fit_glrm};
use lire::objective::LossKind;

use crate::data::{Data, Source};
use crate::table::markdown;

/// The data and the prices.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The prices λ0; λ1 is a fifth of each.
    #[arg(long, value_delimiter = ',', default_values_t = [0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1])]
    prices: Vec<f64>,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(arguments.threads)?;
    let Data { dataset, config } = arguments.source.read()?;
    let training = Training::of(&dataset, &config);
    let binned = BinnedTable::of(&training.table, &training.weights);
    let rows = Rows::merge(&binned, &training.target, &training.weights);
    let binarised = Binarised::of(&rows, training.table.schema(), &[]);
    let mut table = markdown(&["λ0", "s", "rounds", "rules", "objective"]);
    let mut total = 0.0;
    for &lambda0 in &arguments.prices {
        let settings = GlrmOptions { lambda0, ..GlrmOptions::default() };
        let start = Instant::now();
        let fit =
            fit_glrm(&binarised, &binarised.masses[0], LossKind::Logistic, &settings, &Watch::default());
        let seconds = start.elapsed().as_secs_f64();
        total += seconds;
        table.add_row([
            lambda0.to_string(),
            format!("{seconds:.3}"),
            fit.trace.len().to_string(),
            fit.rules.len().to_string(),
            format!("{:.8}", fit.objective),
        ]);
    }
    println!("{table}\n\n{} literals, all prices: {total:.2} s", binarised.literals.len());
    Ok(())
}
