//! Compares our forests with scikit-learn's: the same settings and splits, AUC or R² on held-out rows over five seeds;
//! and the number of candidate rules in paper mode.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use lire::Watch;
use lire::binning::{BinnedTable, Rows};
use lire::forest::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator, grow};
use lire::measure::area_under_curve;
use lire::rules::{RuleConfig, distinct_by_text, extract};
use lire::split::{Division, Holdout};
use lire::table::{Dataset, Schema, Table, Target, TargetValues, Values};
use serde::{Deserialize, Serialize};

use crate::data::{Data, Source};
use crate::table::markdown;

/// The data to grow trees on, and the Python to use.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// A column of numbers to predict too, from all other columns but the target.
    #[arg(long)]
    number: Option<String>,
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
    number: Option<String>,
    test: Vec<Vec<usize>>,
}

/// The script's AUC and R² on the held-out rows of each seed, by the name of the forest.
#[derive(Deserialize)]
struct Theirs {
    classes: BTreeMap<String, Vec<f64>>,
    numbers: BTreeMap<String, Vec<f64>>,
}

/// One of our forests for a seed.
type Configure = fn(u64) -> ForestConfig;

/// Name in the script, name in the table, ours.
const CLASSES: [(&str, &str, Configure); 2] = [
    ("forest", "random forest, 100 trees, depth 3, paper mode", paper_forest),
    ("boosting", "boosting, 100 trees, depth 3, rate 0.1", boosting),
];
const NUMBERS: [(&str, &str, Configure); 4] = [
    ("forest", "random forest, 100 trees, depth 3, √columns", paper_forest),
    ("deep_forest", "random forest, 100 trees, depth 10, leaves of 5, √columns", deep_forest),
    ("boosting", "boosting, 100 trees, depth 3, rate 0.1", |seed| ForestConfig { l2: 0.0, ..boosting(seed) }),
    ("extra_trees", "extra trees, 100 trees, depth 10, leaves of 5, √columns", extra_trees),
];

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(0)?;
    let Data { dataset, .. } = arguments.source.read()?;
    let division = Division::of(&dataset)?;
    let splits: Vec<_> = SEEDS.iter().map(|&seed| division.holdout(0.25, seed)).collect::<Result<_, _>>()?;
    let theirs = theirs(arguments, &dataset, splits.iter().map(|split| split.test.clone()).collect())?;
    compare("AUC", &CLASSES, &theirs.classes, &dataset, &splits)?;
    if let Some(name) = &arguments.number {
        compare(&format!("R² of {name}"), &NUMBERS, &theirs.numbers, &predicting(&dataset, name)?, &splits)?;
    }
    println!(
        "candidate rules in paper mode, mean over the ten training folds: {:.1}",
        mean_candidates(&dataset)?
    );
    Ok(())
}

/// Prints the measures of both sides, and their differences.
fn compare(
    measure: &str,
    forests: &[(&str, &str, Configure)],
    theirs: &BTreeMap<String, Vec<f64>>,
    data: &Dataset,
    splits: &[Holdout],
) -> Result<()> {
    let mut table =
        markdown(&["forest", &format!("scikit-learn {measure}"), &format!("lire {measure}"), "difference"]);
    for (key, name, config) in forests {
        let theirs = theirs.get(*key).with_context(|| format!("the script printed no {key}"))?;
        let ours: Vec<f64> = SEEDS
            .iter()
            .zip(splits)
            .map(|(&seed, split)| {
                held_out(&data.select(&split.train)?, &data.select(&split.test)?, &config(seed))
            })
            .collect::<Result<_>>()?;
        let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
        table.add_row([(*name).into(), spread(theirs), spread(&ours), spread(&differences)]);
    }
    println!("{table}\nmean ± standard deviation over {} seeds\n", SEEDS.len());
    Ok(())
}

/// The same rows with a column of numbers as the target.
fn predicting(data: &Dataset, name: &str) -> Result<Dataset> {
    let mut features = data.table.schema().features.clone();
    let mut columns = data.table.columns().to_vec();
    let position = features
        .iter()
        .position(|feature| feature.name == name)
        .with_context(|| format!("there is no feature `{name}`"))?;
    features.remove(position);
    let Values::Numbers(values) = columns.remove(position) else { bail!("`{name}` does not hold numbers") };
    ensure!(values.iter().all(|value| value.is_finite()), "`{name}` has missing values");
    let table = Table::new(Schema { features }, columns, data.n_rows())?;
    let target = Target { name: name.into(), values: TargetValues::Numbers(values) };
    Ok(Dataset { table, target, weights: data.weights.clone(), relations: data.relations.clone() })
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

fn deep_forest(seed: u64) -> ForestConfig {
    ForestConfig { max_depth: Some(10), min_leaf_weight: 5.0, ..paper_forest(seed) }
}

fn extra_trees(seed: u64) -> ForestConfig {
    ForestConfig { generator: TreeGenerator::ExtraTrees, row_sampling: RowSampling::All, ..deep_forest(seed) }
}

fn rows_of(data: &Dataset) -> Rows {
    let weights = data.row_weights();
    Rows::merge(&BinnedTable::of(&data.table, &weights), &data.target.values, &weights)
}

/// The AUC of classes, the R² of numbers.
fn held_out(train: &Dataset, test: &Dataset, config: &ForestConfig) -> Result<f64> {
    let rows = rows_of(train);
    let forest = grow(&rows, &rows.outcomes[0], config, &Watch::default());
    let predictions = forest.predict(&rows.binned.like(&test.table));
    Ok(match &test.target.values {
        TargetValues::Classes(_) => {
            let labels = test.target.positives();
            area_under_curve(&labels, &predictions, &test.row_weights())?.unwrap_or(f64::NAN)
        }
        TargetValues::Numbers(values) => {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let error: f64 = values.iter().zip(&predictions).map(|(y, f)| (y - f).powi(2)).sum();
            1.0 - error / values.iter().map(|y| (y - mean).powi(2)).sum::<f64>()
        }
    })
}

/// The paper's M: rules distinct by text from a forest on each of ten training folds.
fn mean_candidates(data: &Dataset) -> Result<f64> {
    let counts: Vec<usize> = Division::of(data)?
        .folds(10, 0)?
        .iter()
        .map(|split| {
            let train = data.select(&split.train)?;
            let rows = rows_of(&train);
            let forest = grow(&rows, &rows.outcomes[0], &paper_forest(0), &Watch::default());
            let rules = extract(&forest, &rows.binned, train.table.schema(), &RuleConfig::paper());
            Ok(distinct_by_text(rules, train.table.schema()).len())
        })
        .collect::<Result<_>>()?;
    Ok(counts.iter().sum::<usize>() as f64 / 10.0)
}

fn theirs(arguments: &Arguments, dataset: &Dataset, test: Vec<Vec<usize>>) -> Result<Theirs> {
    let splits = Splits {
        data: arguments.source.data.clone(),
        target: arguments.source.target.clone(),
        positive: dataset.target.classes()[1].clone(),
        number: arguments.number.clone(),
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
