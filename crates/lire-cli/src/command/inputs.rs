//! Reads tables and models, with the exit codes and remarks that go with each.

use std::path::Path;

use lire::table::{Dataset, EvaluationOptions, RawTable, ReadOptions, TargetValues, read};
use lire::{Config, Model};

use super::unseen::Unseen;
use crate::args::ModelAndData;
use crate::console::Console;
use crate::exit::{Failure, Reading};
use crate::progress::Activity;

/// Reads rows to learn from, and passes on what there is to say of them.
pub struct TrainingData {
    /// The rows.
    pub data: Dataset,
    /// Whether the rows still have the numbers they have in the file.
    pub all_rows: bool,
}

impl TrainingData {
    /// Reads a file as the configuration says.
    pub fn read(path: &Path, config: &Config, console: &Console) -> Result<Self, Failure> {
        let raw = read_raw(path, console)?;
        if config.data.target.is_empty() {
            return Err(Failure::usage(format!(
                "missing --target: which column should be predicted?{}",
                listed(&raw)
            )));
        }
        // A slip of the pen must not let a sensitive column through.
        for name in &config.features.sensitive {
            raw.column(name)?;
        }
        let n_rows = raw.n_rows();
        let (data, notes) = Dataset::prepare(raw, &config.data.dataset_options())?;
        if let TargetValues::Classes(of) = &data.target.values {
            of.refuse_rare_classes(&data.target.name)?;
        }
        console.notes(&notes);
        let all_rows = data.n_rows() == n_rows;
        Ok(Self { data, all_rows })
    }
}

/// Reads a model to use on rows.
pub fn read_model_to_use(inputs: &ModelAndData, console: &Console) -> Result<Model, Failure> {
    let model = read_model(&inputs.model, console)?;
    let Some(threshold) = inputs.threshold else { return Ok(model) };
    if !(0.0..=1.0).contains(&threshold) {
        return Err(Failure::usage(format!("--threshold: {threshold} is not a probability from 0 to 1")));
    }
    Ok(model.with_threshold(Some(threshold))?)
}

/// Reads rows with known classes, to measure a model on.
pub fn read_measured(
    path: &Path,
    model: &Model,
    options: &EvaluationOptions,
    console: &Console,
) -> Result<Dataset, Failure> {
    let raw = read_raw(path, console)?;
    let (data, notes) = Dataset::for_schema(raw, model.schema(), options)?;
    console.notes(&notes);
    let mut unseen = Unseen::default();
    unseen.add(&data.table);
    unseen.tell(model, console);
    Ok(data)
}

/// Reads a model file.
pub fn read_model(path: &Path, console: &Console) -> Result<Model, Failure> {
    let model = Model::read(path).map_err(|error| Failure::reading(error, Reading::Model))?;
    if model.is_edited() {
        console.warning(&format!(
            "{}: the file was edited after lire wrote it: its checksum does not match its content",
            path.display()
        ));
    }
    Ok(model)
}

fn read_raw(path: &Path, console: &Console) -> Result<RawTable, Failure> {
    let _activity = Activity::start(console, format!("reading {}", path.display()));
    read(path, &ReadOptions::default()).map_err(|error| Failure::reading(error, Reading::Data))
}

fn listed(raw: &RawTable) -> String {
    const MOST: usize = 30;
    let names: Vec<String> = raw.columns().iter().map(|column| format!("`{}`", column.name)).collect();
    if names.len() > MOST { String::new() } else { format!(" The columns are {}", names.join(", ")) }
}
