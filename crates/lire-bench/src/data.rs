//! A table from a file, as every comparison needs it.

use std::path::PathBuf;

use anyhow::Result;
use lire::Config;
use lire::table::{Dataset, read};

/// Where the rows are and what is predicted.
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
        let config =
            Config { target: self.target.clone(), positive: self.positive.clone(), ..Default::default() };
        let options = config.dataset_options();
        let (dataset, _) = Dataset::prepare(read(&self.data, &options.read)?, &options)?;
        Ok(Data { dataset, config })
    }
}
