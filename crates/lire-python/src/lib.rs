//! The native part of the Python package `lire`: conversion and nothing else.
//!
//! | here | what |
//! |---|---|
//! | `columns` | numpy arrays to tables |
//! | `config` | parameters to a configuration |
//! | `work` | threads, Ctrl-C, progress, panics |
//! | `errors` | kinds of failure to exceptions |
//! | `model` | the handle that Python holds |

// Python hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

mod columns;
mod config;
mod errors;
mod model;
mod work;

use std::time::Duration;

use lire::evaluate::Holdout;
use lire::fit::{Fit, fit_with_splits};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use columns::{Column, Truth, View};
use model::Model;

/// Rows to train on and rows to test on.
type Split<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>);

/// Learns a model; also gives the number of steps of the search, and the models that it was chosen from as JSON text.
// The signature is Python's, where arguments have names.
#[allow(clippy::too_many_arguments)]
#[pyfunction]
#[pyo3(signature = (columns, target, weights, config, *, splits=None, n_threads=0, on_progress=None))]
fn fit(
    py: Python<'_>,
    columns: Vec<Column<'_>>,
    target: Truth<'_>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    config: &str,
    splits: Option<Vec<Split<'_>>>,
    n_threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(Model, usize, Option<String>)> {
    let config = config::parse(config).map_err(config::exception)?;
    let columns: Vec<View> = columns.iter().map(Column::view).collect();
    let target = target.to_own();
    let weights: Option<Vec<f64>> = weights.map(|weights| weights.as_array().iter().copied().collect());
    let splits: Option<Vec<Holdout>> = splits.map(|splits| splits.iter().map(holdout).collect());
    let limit = config.time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let fitted: Fit = work::watched(py, n_threads, limit, on_progress.as_ref(), move |watch| {
        let (data, rows) = columns::dataset(&columns, target, weights)?;
        let splits = splits.map(|splits| among(&rows, splits));
        fit_with_splits(&data, &config, splits.as_deref(), watch).map_err(config::as_python_knows_it)
    })?;
    let selection = fitted.selection.map(|selection| serde_json::to_string(&selection)).transpose();
    Ok((Model::new(fitted.model), fitted.n_moves, selection.map_err(|_| errors::mistake())?))
}

/// The configuration where nothing is said, as JSON text.
#[pyfunction]
fn default_config() -> PyResult<String> {
    serde_json::to_string(&lire::Config::default()).map_err(|_| errors::mistake())
}

fn holdout((train, test): &Split<'_>) -> Holdout {
    let rows = |rows: &PyReadonlyArray1<'_, i64>| rows.as_array().iter().map(|&row| row as usize).collect();
    Holdout { train: rows(train), test: rows(test) }
}

/// The splits counted in the rows that stay.
fn among(rows: &[usize], splits: Vec<Holdout>) -> Vec<Holdout> {
    let places = |part: Vec<usize>| part.iter().filter_map(|row| rows.binary_search(row).ok()).collect();
    splits.into_iter().map(|split| Holdout { train: places(split.train), test: places(split.test) }).collect()
}

/// The native part of lire.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Model>()?;
    module.add_function(wrap_pyfunction!(default_config, module)?)?;
    module.add_function(wrap_pyfunction!(fit, module)?)
}
