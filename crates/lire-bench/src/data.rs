//! Reads the table of a comparison from a file.

use std::path::PathBuf;

use anyhow::Result;
use lire::Config;
use lire::objective::LossKind;
use lire::table::{Dataset, ReadOptions, read};

/// The table and its target.
#[derive(clap::Args)]
pub struct Source {
    /// The table.
    pub data: PathBuf,
    /// The target column.
    #[arg(long)]
    pub target: String,
    /// The positive class.
    #[arg(long)]
    pub positive: Option<String>,
}

/// A table in memory with the configuration that read it.
pub struct Data {
    pub dataset: Dataset,
    pub config: Config,
}

impl Source {
    /// Reads the table.
    pub fn read(&self) -> Result<Data> {
        // Fixed options, so that measurements stay comparable when the defaults change.
        let config = Config::default().with(|config| {
            config.data.target.clone_from(&self.target);
            config.data.positive.clone_from(&self.positive);
            config.objective.loss = Some(LossKind::Exponential);
            config.objective.gamma = Some(0.0005);
            config.objective.lambda = Some(0.1);
            config.candidates.min_coverage = 0.01;
            config.objective.ridge = Some(0.001);
        });
        let options = config.data.dataset_options();
        let (dataset, _) = Dataset::prepare(read(&self.data, &ReadOptions::default())?, &options)?;
        Ok(Data { dataset, config })
    }
}
