//! Fits generated tables of many shapes with the command: time, memory, size, and what the model is worth on new rows.

mod classes;
mod table;

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use lire::fit::measure_all;
use lire::measure::Measure;
use lire::model::Model;
use lire::table::{Dataset, DatasetOptions, ReadOptions, read};

use self::table::Generated;
use crate::memory::{Run, measure};
use crate::table::markdown;

/// A generated table, and the fits that are timed on it. A new shape is one more entry of [`SHAPES`].
struct Shape {
    name: &'static str,
    n_rows: usize,
    /// So many more rows are generated to measure on.
    n_new: usize,
    generate: fn(usize) -> Generated,
    fits: &'static [Fit],
}

/// A name, and the options of `lire fit` after the table and its target.
type Fit = (&'static str, &'static [&'static str]);

const NO_OPTIONS: Fit = ("no options", &[]);
const RULEFIT: Fit = ("RuleFit", &["--method", "rulefit"]);
const GIVEN_PRICES: Fit = ("both prices given", &["--gamma", "0.001", "--lambda", "0.1"]);
const IN_20_S: Fit = ("time limit of 20 s", &["--time-limit", "20"]);

const OF_MANY_CLASSES: &[Fit] = &[NO_OPTIONS, RULEFIT, GIVEN_PRICES, IN_20_S];

const SHAPES: &[Shape] = &[
    Shape {
        name: "letters",
        n_rows: 20_000,
        n_new: 5_000,
        generate: classes::letters,
        fits: OF_MANY_CLASSES,
    },
    Shape { name: "blobs", n_rows: 20_000, n_new: 5_000, generate: classes::blobs, fits: OF_MANY_CLASSES },
    Shape {
        name: "interplay",
        n_rows: 20_000,
        n_new: 5_000,
        generate: classes::interplay,
        fits: OF_MANY_CLASSES,
    },
    Shape { name: "ten classes", n_rows: 2_000, n_new: 5_000, generate: classes::ten, fits: OF_MANY_CLASSES },
];

/// Which shapes to fit, and with what.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only these shapes, by name.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only these fits, by name.
    #[arg(long, value_delimiter = ',')]
    fits: Vec<String>,
    /// The lire binary.
    #[arg(long, default_value = "target/release/lire")]
    lire: std::path::PathBuf,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Write the tables into this folder instead and fit nothing.
    #[arg(long)]
    write: Option<std::path::PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let known = |name: &String| SHAPES.iter().any(|shape| shape.name == name);
    ensure!(arguments.only.iter().all(known), "there is no such shape; there are {:?}", names());
    let wanted = |list: &[String], name: &str| list.is_empty() || list.iter().any(|one| one == name);
    let mut results = markdown(&[
        "shape",
        "rows",
        "fit",
        "seconds",
        "CPU s",
        "peak MB",
        "rules",
        "per explanation",
        "accuracy or R²",
    ]);
    for shape in SHAPES.iter().filter(|shape| wanted(&arguments.only, shape.name)) {
        let folder = tempfile::tempdir()?;
        let folder = arguments.write.as_deref().unwrap_or_else(|| folder.path());
        let [known, new] = ["known", "new"].map(|part| folder.join(format!("{}-{part}.csv", shape.name)));
        (shape.generate)(shape.n_rows + shape.n_new).write(&known, &new, shape.n_rows)?;
        if arguments.write.is_some() {
            continue;
        }
        for (name, options) in shape.fits.iter().filter(|(name, _)| wanted(&arguments.fits, name)) {
            let model = folder.join("model.json");
            let run = fit(arguments, &known, &model, options)?;
            let [rules, per_explanation, quality] = measures(&model, &new)?;
            let n_rows = shape.n_rows.to_string();
            let cells =
                [shape.name, &n_rows, name, &figure(run.time.as_secs_f64(), 1), &figure(run.cpu_seconds, 1)];
            let cells = cells.map(str::to_owned).into_iter().chain([
                figure(run.peak_megabytes, 0),
                figure(rules, 0),
                figure(per_explanation, 2),
                figure(quality, 4),
            ]);
            results.add_row(cells.collect::<Vec<String>>());
            eprintln!("{} rows of {}, {name}: {:.1} s", shape.n_rows, shape.name, run.time.as_secs_f64());
        }
    }
    if arguments.write.is_none() {
        println!("{results}");
    }
    Ok(())
}

fn names() -> Vec<&'static str> {
    SHAPES.iter().map(|shape| shape.name).collect()
}

fn figure(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

fn fit(arguments: &Arguments, table: &Path, model: &Path, options: &[&str]) -> Result<Run> {
    let mut command = Command::new(&arguments.lire);
    command.arg("fit").arg(table).args(["--target", table::TARGET, "--quiet", "--force"]).args(options);
    command.args(["--threads", &arguments.threads.to_string(), "--out"]).arg(model).stdout(Stdio::null());
    let run = measure(&mut command)?;
    ensure!(run.status.success(), "{command:?} ended with {}", run.status);
    Ok(run)
}

/// Rules of a model, rules per explanation, and how good it is on new rows.
fn measures(model: &Path, new: &Path) -> Result<[f64; 3]> {
    let model = Model::read(model)?;
    let options = DatasetOptions { target: table::TARGET.to_owned(), ..DatasetOptions::default() };
    let (data, _) = Dataset::prepare(read(new, &ReadOptions::default())?, &options)?;
    let (quality, size) = measure_all(&model, &data)?;
    let value = quality.get(Measure::Accuracy).or_else(|| quality.get(Measure::R2));
    Ok([size.support as f64, size.local_support_mean, value.unwrap_or(f64::NAN)])
}
