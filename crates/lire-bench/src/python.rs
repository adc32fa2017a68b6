//! Measures the overhead of the Python package over the library, and times its fits beside other Python packages.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use lire::Watch;
use lire::fit::fit;
use serde::Deserialize;

use crate::data::{Data, Source};
use crate::fit::seconds;
use crate::table::markdown;

/// The data to fit, and the Python to use.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// A Python with lire, pandas and the peers; `make bench-python` makes one.
    #[arg(long, default_value = "target/peers/bin/python")]
    python: PathBuf,
    /// The script that times the package.
    #[arg(long, default_value = "crates/lire-bench/peers/python_layer.py")]
    script: PathBuf,
    /// The number of threads, for all peers.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The number of timed runs, of which the median is reported.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// The table is repeated to this many rows.
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
    /// Skip the peers.
    #[arg(long)]
    quick: bool,
}

/// The output of the script: seconds by kind of table, and the peers.
#[derive(Deserialize)]
struct Timed {
    fit: BTreeMap<String, f64>,
    predict: BTreeMap<String, f64>,
    peers: Vec<Peer>,
}

#[derive(Deserialize)]
struct Peer {
    name: String,
    seconds: f64,
    auc: f64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(arguments.threads)?;
    let Data { dataset, config } = arguments.source.read()?;
    let fitting = seconds(arguments.runs, || drop(fit(&dataset, &config, &Watch::default())));
    let model = fit(&dataset, &config, &Watch::default())?.model;
    let repeated: Vec<usize> = (0..arguments.rows).map(|row| row % dataset.n_rows()).collect();
    let table = dataset.table.select(&repeated)?;
    let predicting = seconds(arguments.runs, || {
        let decided = model.score(&table).and_then(|scored| model.decisions(&scored));
        std::hint::black_box(decided.is_ok());
    });

    let timed = timed(arguments)?;
    let mut table = markdown(&["what", "table", "library s", "Python s", "Python / library"]);
    for (what, own, of_kind) in [("fit", fitting, timed.fit), ("predict_proba", predicting, timed.predict)] {
        for (kind, seconds) in of_kind {
            let numbers = [own, seconds, seconds / own].map(|number| format!("{number:.3}"));
            let [library, python, ratio] = numbers;
            table.add_row([what.to_string(), kind, library, python, ratio]);
        }
    }
    println!(
        "{table}\n\n{} rows to fit, {} to predict; the library's tables are in memory",
        dataset.n_rows(),
        arguments.rows
    );
    if let Some(own) = timed.peers.first().map(|own| own.seconds) {
        let mut table = markdown(&["fit, some rows", "s", "to lire", "AUC on its training rows"]);
        for Peer { name, seconds, auc } in timed.peers {
            let ratio = seconds / own;
            table.add_row([name, format!("{seconds:.3}"), format!("{ratio:.2}"), format!("{auc:.4}")]);
        }
        println!("\n{table}");
    }
    Ok(())
}

fn timed(arguments: &Arguments) -> Result<Timed> {
    let mut command = Command::new(&arguments.python);
    command.arg(&arguments.script).arg(&arguments.source.data).arg(&arguments.source.target);
    command.args(["--threads", &arguments.threads.to_string(), "--runs", &arguments.runs.to_string()]);
    command.args(["--rows", &arguments.rows.to_string()]);
    if let Some(positive) = &arguments.source.positive {
        command.args(["--positive", positive]);
    }
    if arguments.quick {
        command.arg("--quick");
    }
    // It prints its progress on stderr: some peers take minutes.
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{}: run `make bench-python` first", arguments.python.display()))?;
    ensure!(output.status.success(), "the script failed; its message is above");
    serde_json::from_slice(&output.stdout).context("what the script printed is not the expected JSON")
}
