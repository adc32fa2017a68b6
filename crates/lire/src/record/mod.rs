//! What a model file remembers of its training: the sections that cost nothing and that nobody can make later.
//!
//! None of them tells of fewer rows than [`least_rows`], nor of a single value of a row.

mod cells;
mod held_out;
mod monitoring;
mod origin;
mod spread;

pub use cells::merged;
pub use held_out::evaluation;

use crate::config::Config;
use crate::error::Result;
use crate::measure::order_free_sum;
use crate::methods::lire::selection::Selection;
use crate::model::sections::BaselineContributions;
use crate::model::{LEAST_ROWS_TOLD, Model, Term};
use crate::table::Dataset;

/// The fewest rows that a part of a model file may tell of, except a rule: `min_rows`, and at least five.
pub fn least_rows(config: &Config) -> usize {
    config.candidates.min_rows.map_or(LEAST_ROWS_TOLD, |rows| (rows.ceil() as usize).max(LEAST_ROWS_TOLD))
}

/// The model without levels of few rows, and with its sections. `given` are the options before defaults were filled in.
pub fn record(
    model: Model,
    data: &Dataset,
    (given, config): (&Config, &Config),
    selection: Option<&Selection>,
) -> Result<Model> {
    let least_rows = least_rows(config);
    let weights = data.row_weights();
    let model = model.without_rare_levels(&data.table, |row| weights[row] > 0.0, least_rows)?;
    let provenance = origin::provenance(&model, data, given)?;
    let monitoring = monitoring::monitoring(&model, data, least_rows)?;
    let spread = spread::spread(&model, data, least_rows);
    let mut model = model
        .with_section(&provenance)?
        .with_section(&monitoring)?
        .with_section(&spread)?
        .with_conformance()?;
    if model.file().training.rows >= least_rows {
        let baseline = baseline(&model, data);
        model = model.with_section(&baseline)?;
    }
    match selection {
        Some(selection) => model.with_section(&origin::selection(selection)),
        None => Ok(model),
    }
}

/// The mean of each term over the training rows.
fn baseline(model: &Model, data: &Dataset) -> BaselineContributions {
    let weights = data.row_weights();
    let total = order_free_sum(&weights);
    let mut linear = model.linear().iter();
    let mean = |term: &Term| match term {
        Term::Rule(rule) => rule.coverage,
        Term::Linear(_) => linear.next().map_or(0.0, |linear| {
            // Levels are of no matter here, so that the training table may list others than the model.
            let Some(values) = data.table.columns()[linear.feature].numbers() else { return 0.0 };
            let counts: Vec<f64> =
                values.iter().zip(&weights).map(|(&value, weight)| weight * linear.count(value)).collect();
            order_free_sum(&counts) / total
        }),
    };
    BaselineContributions {
        population: "training rows".into(),
        rows: model.file().training.rows,
        means: model.file().terms.iter().map(mean).collect(),
    }
}
