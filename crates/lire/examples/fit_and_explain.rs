//! Learns a model from a CSV file and explains its first rows.
//!
//!     cargo run --release -p lire --example fit_and_explain -- examples/heart.csv disease

use std::path::PathBuf;

use lire::explain::{LocalExplanation, explain_rows};
use lire::fit::fit;
use lire::table::{Dataset, ReadOptions, read};
use lire::{Config, Result, Watch};

/// The rows that are explained.
const ROWS: [usize; 3] = [0, 1, 2];
const DECIMALS: usize = 3;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let shipped = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/heart.csv");
    let path = arguments.next().map_or_else(shipped, PathBuf::from);
    let target = arguments.next().unwrap_or_else(|| "disease".into());
    let config = Config::default().with(|config| config.data.target = target);

    let raw = read(&path, &ReadOptions::default())?;
    let (data, notes) = Dataset::prepare(raw, &config.data.dataset_options())?;
    for note in notes {
        println!("note: {note}");
    }
    let model = fit(&data, &config, &Watch::default())?.model;
    println!("{} rules", model.rules().len());

    let first = data.table.select(&ROWS)?;
    for explanation in explain_rows(&model, &first, 1, None)? {
        print(&explanation);
    }
    Ok(())
}

/// Prints a decision with its reasons, rounded so that what is shown adds up.
fn print(explanation: &LocalExplanation) {
    println!("row {}: {}", explanation.row, explanation.label.as_deref().unwrap_or("a number"));
    let shown = explanation.shown(DECIMALS);
    let reasons = std::iter::once("intercept").chain(explanation.rules.iter().map(|rule| rule.rule.as_str()));
    for (addend, reason) in shown.parts.iter().zip(reasons) {
        println!("  {addend:+.DECIMALS$}  {reason}");
    }
    println!("  {:+.DECIMALS$}  score", shown.sum);
}
