//! Benchmarks of lire: its solver on fixed instances, whole fits beside its peers, growth with rows.

mod data;
mod fit;
mod forest;
mod glrm;
mod instance;
mod instances;
mod losses;
mod memory;
mod path;
mod predict;
mod python;
mod random;
mod reference;
mod rulefit;
mod scale;
mod shapes;
mod solve;
mod sparse;
mod table;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Benchmarks and the solver harness of lire.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve one instance (an `.lri` file) for one γ and λ.
    Solve(solve::Arguments),
    /// Solve the table of instances beside the reference implementation's results.
    Instances(instances::Arguments),
    /// Compare the logistic loss with the exponential one on the table of instances: times, rules and AUC.
    Losses(losses::Arguments),
    /// Compare a grid of γ and λ in one call with single calls.
    Path(path::Arguments),
    /// Time a whole fit beside `LightGBM`, scikit-learn and imodels in one run.
    Fit(fit::Arguments),
    /// Compare AUC and R² of our forests with scikit-learn's over five seeds; count the candidates in paper mode.
    Forest(forest::Arguments),
    /// Time GLRM's column generation over the prices of the paper's study.
    Glrm(glrm::Arguments),
    /// Measure how many rows per second one core scores.
    Predict(predict::Arguments),
    /// Time the Python package and the library, and its fits beside `LightGBM`, interpret and imodels.
    Python(python::Arguments),
    /// Time the path of `RuleFit`'s weights on an instance beside liblinear and skglm in one run.
    Rulefit(rulefit::Arguments),
    /// Measure time and memory of fits of the Python package on a sparse matrix, each in a process of its own.
    Sparse(sparse::Arguments),
    /// Measure time and memory of the `lire` command on growing copies of a table.
    Scale(scale::Arguments),
    /// Fit generated tables of many shapes: many classes.
    Shapes(shapes::Arguments),
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Instances(arguments) => instances::run(&arguments),
        Command::Losses(arguments) => losses::run(&arguments),
        Command::Path(arguments) => path::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Forest(arguments) => forest::run(&arguments),
        Command::Glrm(arguments) => glrm::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Python(arguments) => python::run(&arguments),
        Command::Rulefit(arguments) => rulefit::run(&arguments),
        Command::Sparse(arguments) => sparse::run(&arguments),
        Command::Scale(arguments) => scale::run(&arguments),
        Command::Shapes(arguments) => shapes::run(&arguments),
    }
}

/// Sets the size of rayon's pool before anything is timed.
fn use_threads(n_threads: usize) -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build_global()?;
    rayon::broadcast(|_| ());
    Ok(())
}
