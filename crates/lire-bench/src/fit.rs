//! Times a whole fit and its peers in one run, on the same rows and with the same number of threads.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use lire::Watch;
use lire::binning::{BinnedTable, Rows};
use lire::fit::fit;
use lire::forest::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator, grow};
use lire::table::Dataset;
use serde::Deserialize;

use crate::data::{Data, Source};
use crate::table::markdown;

/// The data to fit, and the Python to use.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// A Python with lightgbm, scikit-learn, imodels and pandas; `make bench-peers` makes one.
    #[arg(long, default_value = "target/peers/bin/python")]
    python: PathBuf,
    /// The script that times the peers.
    #[arg(long, default_value = "crates/lire-bench/peers/peers.py")]
    script: PathBuf,
    /// The number of threads, for all peers.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The number of timed runs, of which the median is reported.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Skip the peers that take minutes.
    #[arg(long)]
    quick: bool,
}

/// The result of a peer.
#[derive(Deserialize)]
struct Peer {
    name: String,
    seconds: f64,
    auc: f64,
    /// The result of lire to compare it with.
    against: String,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    crate::use_threads(arguments.threads)?;
    let Data { dataset: data, config } = arguments.source.read()?;
    let boosted = config.with(|config| {
        config.trees.n_estimators = 100;
        config.objective.gamma = Some(0.001);
    });
    let ours = [
        ("fit", seconds(arguments.runs, || drop(fit(&data, &boosted, &Watch::default())))),
        ("forest", seconds(arguments.runs, || grow_forest(&data))),
    ];
    let peers = peers(arguments)?;
    let mut table =
        markdown(&["peer", "peer s", "lire", "lire s", "peer / lire", "peer's AUC on its training rows"]);
    for peer in peers {
        let (name, own) = ours
            .iter()
            .find(|(name, _)| *name == peer.against)
            .with_context(|| format!("no row {}", peer.against))?;
        table.add_row([
            peer.name,
            format!("{:.3}", peer.seconds),
            (*name).to_string(),
            format!("{own:.3}"),
            format!("{:.2}", peer.seconds / own),
            format!("{:.4}", peer.auc),
        ]);
    }
    let model = fit(&data, &boosted, &Watch::default())?;
    println!("{table}\n\nlire's fit by stage: {:?}", model.timings);
    println!("its AUC on the training rows: {:.4}", model.model.file().training.auc.unwrap_or(f64::NAN));
    Ok(())
}

/// A random forest with scikit-learn's settings: depth 3, bootstrap, √features.
fn grow_forest(data: &Dataset) {
    let weights = data.row_weights();
    let binned = BinnedTable::of(&data.table, &weights);
    let rows = Rows::merge(&binned, &data.target.values, &weights);
    let config = ForestConfig {
        generator: TreeGenerator::RandomForest,
        n_trees: 100,
        features_per_split: FeatureSampling::Sqrt,
        row_sampling: RowSampling::Bootstrap,
        min_leaf_weight: 1.0,
        ..Default::default()
    };
    std::hint::black_box(grow(&rows, &rows.outcomes[0], &config, &Watch::default()));
}

fn peers(arguments: &Arguments) -> Result<Vec<Peer>> {
    let mut command = Command::new(&arguments.python);
    command.arg(&arguments.script).arg(&arguments.source.data).arg(&arguments.source.target);
    command.args(["--threads", &arguments.threads.to_string(), "--runs", &arguments.runs.to_string()]);
    if let Some(positive) = &arguments.source.positive {
        command.args(["--positive", positive]);
    }
    if arguments.quick {
        command.arg("--quick");
    }
    let output = command
        .output()
        .with_context(|| format!("{}: run `make bench-peers` first", arguments.python.display()))?;
    ensure!(output.status.success(), "the peers failed: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("what the peers printed is not the expected JSON")
}

/// The median time of some runs.
pub fn seconds(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..runs.max(1))
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
