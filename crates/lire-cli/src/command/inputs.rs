//! Reads tables and models, with the exit codes and remarks that go with each.

use std::path::Path;

use lire::table::{
    Dataset, EvaluationOptions, RawTable, ReadOptions, Table, TargetValues, UNSEEN, Values, read,
};
use lire::{Config, Model};

use crate::args::ModelAndData;
use crate::console::Console;
use crate::exit::{Failure, Reading};
use crate::progress::Activity;
use crate::render::numbers::count;

/// More unseen columns than this are not told one by one.
const TOLD_COLUMNS: usize = 10;

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

/// Reads a model and the rows that it is to be used on.
pub fn read_model_and_table(inputs: &ModelAndData, console: &Console) -> Result<(Model, Table), Failure> {
    let mut model = read_model(&inputs.model, console)?;
    if let Some(threshold) = inputs.threshold {
        if !(0.0..=1.0).contains(&threshold) {
            return Err(Failure::usage(format!("--threshold: {threshold} is not a probability from 0 to 1")));
        }
        model = model.with_threshold(Some(threshold))?;
    }
    let raw = read_raw(&inputs.data, console)?;
    let missing = inputs.missing.clone().unwrap_or_else(|| model.file().config.missing());
    let table = Table::for_schema(&raw, model.schema(), &missing)?;
    tell_unseen(&model, &table, console);
    Ok((model, table))
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
    tell_unseen(model, &data.table, console);
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

/// Tells categories that the model does not list, unless training had as many that are left out of the file.
fn tell_unseen(model: &Model, table: &Table, console: &Console) {
    let mut unseen = Vec::new();
    for (place, (feature, values)) in table.schema().features.iter().zip(table.columns()).enumerate() {
        let Values::Codes(codes) = values else { continue };
        let cells = codes.iter().filter(|&&code| code == UNSEEN).count();
        if cells > 0 && !model.expects_unlisted(place, cells, table.n_rows()) {
            unseen.push((feature, cells));
        }
    }
    for (feature, cells) in unseen.iter().take(TOLD_COLUMNS) {
        let (name, cells) = (&feature.name, count(*cells, "cell"));
        let which = match feature.levels_left_out {
            0 => "a category that training did not see; it equals no other".to_owned(),
            left_out => format!(
                "a category that the model does not list: training did not see it, or it is one of {left_out} that too \
                 few training rows had"
            ),
        };
        console.note(&format!("column `{name}`: {cells} with {which}"));
    }
    if let Some(more) = unseen.len().checked_sub(TOLD_COLUMNS).filter(|more| *more > 0) {
        console.note(&format!("{} more with categories that the model does not list", count(more, "column")));
    }
}

fn listed(raw: &RawTable) -> String {
    const MOST: usize = 30;
    let names: Vec<String> = raw.columns().iter().map(|column| format!("`{}`", column.name)).collect();
    if names.len() > MOST { String::new() } else { format!(" The columns are {}", names.join(", ")) }
}
