//! Measures fits of the Python package on a sparse matrix: seconds of work and the most memory, each in a fresh process.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::table::markdown;

/// The size of the matrix, and the Python to use.
#[derive(clap::Args)]
pub struct Arguments {
    /// A Python with lire; `make bench-sparse` makes one.
    #[arg(long, default_value = "target/peers/bin/python")]
    python: PathBuf,
    /// The script that draws the matrix and fits.
    #[arg(long, default_value = "crates/lire-bench/peers/sparse_fit.py")]
    script: PathBuf,
    /// The number of rows.
    #[arg(long, default_value_t = 10_000)]
    rows: usize,
    /// The number of columns.
    #[arg(long, default_value_t = 50_000)]
    columns: usize,
    /// Entries of each row, zeros left out.
    #[arg(long, default_value_t = 100)]
    entries: usize,
    /// What to fit: `lire`, `prices` (LIRE at given prices), `rulefit`, `glrm`, `forest`, `boosting`.
    #[arg(long, value_delimiter = ',', default_value = "prices,lire,rulefit,glrm,forest,boosting")]
    what: Vec<String>,
    /// How the columns are drawn: `words` (few are frequent), `even`, or `reals` (even, each entry its own number).
    #[arg(long, value_delimiter = ',', default_value = "words,even")]
    kinds: Vec<String>,
}

/// The output of the script.
#[derive(Deserialize)]
struct Measured {
    fit_cpu: f64,
    fit_wall: f64,
    predict_cpu: f64,
    gigabytes: f64,
    rules: Option<usize>,
    megabytes_of_file: Option<f64>,
    accuracy: f64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut table = markdown(&[
        "fit",
        "columns",
        "CPU s",
        "wall s",
        "predict CPU s",
        "peak GB",
        "rules",
        "file MB",
        "accuracy in training",
    ]);
    for kind in &arguments.kinds {
        for what in &arguments.what {
            let found = measured(arguments, what, kind)?;
            let shown = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.2}"));
            table.add_row([
                what.clone(),
                kind.clone(),
                format!("{:.1}", found.fit_cpu),
                format!("{:.1}", found.fit_wall),
                format!("{:.2}", found.predict_cpu),
                format!("{:.2}", found.gigabytes),
                found.rules.map_or(String::new(), |rules| rules.to_string()),
                shown(found.megabytes_of_file),
                format!("{:.3}", found.accuracy),
            ]);
        }
    }
    println!("{table}");
    Ok(())
}

fn measured(arguments: &Arguments, what: &str, kind: &str) -> Result<Measured> {
    let size = [arguments.rows, arguments.columns, arguments.entries].map(|number| number.to_string());
    let output = Command::new(&arguments.python)
        .arg(&arguments.script)
        .args([what, kind])
        .args(size)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{}: run `make bench-sparse` first", arguments.python.display()))?;
    ensure!(output.status.success(), "the script failed; its message is above");
    serde_json::from_slice(&output.stdout).context("what the script printed is not the expected JSON")
}
