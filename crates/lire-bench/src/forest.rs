//! Our forests beside scikit-learn's: the same settings, the same splits, AUC on held-out rows over five seeds; and
//! the number of candidate rules that they give in paper mode.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use lire::Watch;
use lire::binning::{BinnedTable, Rows};
use lire::evaluate::{area_under_curve, stratified_folds, stratified_holdout};
use lire::forest::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator, grow};
use lire::rules::{RuleConfig, distinct_by_text, extract};
use lire::table::Dataset;
use serde::{Deserialize, Serialize};

use crate::data::{Data, Source};
use crate::table::markdown;

/// What to grow on and with which Python.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// A Python with scikit-learn and pandas; `make bench-peers` makes one.
    #[arg(long, default_value = "target/peers/bin/python")]
    python: PathBuf,
    /// The script that grows scikit-learn's.
    #[arg(long, default_value = "crates/lire-bench/peers/forests.py")]
    script: PathBuf,
}

const SEEDS: [u64; 5] = [0, 1, 2, 3, 4];

/// The held-out rows of each seed, for the script.
#[derive(Serialize)]
struct Splits {
    data: PathBuf,
    target: String,
    positive: String,
    test: Vec<Vec<usize>>,
}

/// The script's AUC on the held-out rows of each seed.
#[derive(Deserialize)]
struct Theirs {
    forest: Vec<f64>,
    boosting: Vec<f64>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(0)?;
    let Data { dataset, .. } = arguments.source.read()?;
    let splits: Vec<_> = SEEDS
        .iter()
        .map(|&seed| stratified_holdout(&dataset.target.positives(), 0.25, seed))
        .collect::<Result<_, _>>()?;
    let ours = |config: &dyn Fn(u64) -> ForestConfig| -> Vec<f64> {
        SEEDS
            .iter()
            .zip(&splits)
            .map(|(&seed, split)| {
                held_out_auc(&dataset.select(&split.train), &dataset.select(&split.test), &config(seed))
            })
            .collect()
    };
    let theirs = theirs(arguments, &dataset, splits.iter().map(|split| split.test.clone()).collect())?;
    let mut table = markdown(&["forest", "scikit-learn AUC", "lire AUC", "difference"]);
    for (name, theirs, ours) in [
        ("random forest, 100 trees, depth 3, paper mode", &theirs.forest, ours(&paper_forest)),
        ("boosting, 100 trees, depth 3, rate 0.1", &theirs.boosting, ours(&boosting)),
    ] {
        let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
        table.add_row([name.into(), spread(theirs), spread(&ours), spread(&differences)]);
    }
    println!("{table}\nmean ± standard deviation over {} seeds\n", SEEDS.len());
    println!(
        "candidate rules in paper mode, mean over the ten training folds: {:.1}",
        mean_candidates(&dataset)?
    );
    Ok(())
}

/// As in the paper: trees of depth 3, each category value a column when features are sampled.
fn paper_forest(seed: u64) -> ForestConfig {
    ForestConfig {
        generator: TreeGenerator::RandomForest,
        n_trees: 100,
        features_per_split: FeatureSampling::Sqrt,
        row_sampling: RowSampling::Bootstrap,
        min_leaf_weight: 1.0,
        levels_as_columns: true,
        seed,
        ..Default::default()
    }
}

fn boosting(seed: u64) -> ForestConfig {
    ForestConfig { n_trees: 100, learning_rate: 0.1, min_leaf_weight: 1.0, seed, ..Default::default() }
}

fn rows_of(data: &Dataset) -> Rows {
    let weights = data.row_weights();
    Rows::merge(&BinnedTable::of(&data.table, &weights), &data.target.values, &weights)
}

fn held_out_auc(train: &Dataset, test: &Dataset, config: &ForestConfig) -> f64 {
    let rows = rows_of(train);
    let forest = grow(&rows, &rows.outcomes[0], config, &Watch::default());
    let scores = forest.predict(&rows.binned.like(&test.table));
    area_under_curve(&test.target.positives(), &scores, &test.row_weights()).unwrap_or(f64::NAN)
}

/// The paper's M: rules distinct by text from a forest on each of ten training folds.
fn mean_candidates(data: &Dataset) -> Result<f64> {
    let folds = stratified_folds(&data.target.positives(), 10)?;
    let counts: Vec<usize> = (0..10)
        .map(|fold| {
            let train = data.select(&folds.split(fold).train);
            let rows = rows_of(&train);
            let forest = grow(&rows, &rows.outcomes[0], &paper_forest(0), &Watch::default());
            let rules = extract(&forest, &rows.binned, train.table.schema(), &RuleConfig::paper());
            distinct_by_text(rules, train.table.schema()).len()
        })
        .collect();
    Ok(counts.iter().sum::<usize>() as f64 / 10.0)
}

fn theirs(arguments: &Arguments, dataset: &Dataset, test: Vec<Vec<usize>>) -> Result<Theirs> {
    let splits = Splits {
        data: arguments.source.data.clone(),
        target: arguments.source.target.clone(),
        positive: dataset.target.classes()[1].clone(),
        test,
    };
    let file = tempfile::NamedTempFile::new()?;
    serde_json::to_writer(&file, &splits)?;
    let output = Command::new(&arguments.python)
        .arg(&arguments.script)
        .arg(file.path())
        .output()
        .with_context(|| format!("{}: run `make bench-peers` first", arguments.python.display()))?;
    ensure!(output.status.success(), "scikit-learn failed: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("what the script printed is not the expected JSON")
}

fn spread(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    format!("{mean:+.4} ± {deviation:.4}")
}
