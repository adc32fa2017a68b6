//! Measures how many rows per second one core scores, including which rules fired.

use std::time::Instant;

use anyhow::{Result, ensure};
use lire::Watch;
use lire::fit::fit;
use lire::table::Table;

use crate::data::{Data, Source};

/// The data to fit and to score.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The minimum number of rules of the model: γ is halved until it has them.
    #[arg(long, default_value_t = 60)]
    rules: usize,
    /// The table is repeated to at least this many rows.
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
    /// The number of timed runs, of which the median is reported.
    #[arg(long, default_value_t = 5)]
    runs: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(1)?;
    let Data { dataset, config } = arguments.source.read()?;
    let mut gamma = 0.002;
    let model = loop {
        let config = config.clone().with(|config| config.objective.gamma = Some(gamma));
        let model = fit(&dataset, &config, &Watch::default())?.model;
        if model.rules().len() >= arguments.rules {
            break model;
        }
        ensure!(gamma > 1e-6, "no γ gives {} rules", arguments.rules);
        gamma /= 2.0;
    };
    let n_source = dataset.n_rows();
    let repeated: Vec<usize> = (0..arguments.rows.max(n_source)).map(|row| row % n_source).collect();
    let table: Table = dataset.table.select(&repeated)?;
    let mut seconds: Vec<f64> = (0..arguments.runs.max(1))
        .map(|_| {
            let start = Instant::now();
            let scored = model.score(&table)?;
            let n_fired =
                (0..table.n_rows()).map(|row| scored.fired.count(row)).sum::<lire::Result<usize>>()?;
            std::hint::black_box(n_fired);
            Ok(start.elapsed().as_secs_f64())
        })
        .collect::<Result<_>>()?;
    seconds.sort_by(f64::total_cmp);
    let median = seconds[seconds.len() / 2];
    println!(
        "{} rules, {} rows, one core: {:.1} million rows a second, fired rules and their count included",
        model.rules().len(),
        table.n_rows(),
        table.n_rows() as f64 / median / 1e6
    );
    Ok(())
}
