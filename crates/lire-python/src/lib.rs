//! The native part of the Python package `lire`: conversion and nothing else.
//!
//! | here | what |
//! |---|---|
//! | `columns` | numpy arrays to tables |
//! | `config` | parameters to a configuration |
//! | `texts` | texts to codes |
//! | `moments` | dates, times and durations to numbers |
//! | `work` | threads, Ctrl-C, progress, panics |
//! | `errors` | kinds of failure to exceptions |
//! | `notes` | remarks in the words of Python |
//! | `trees` | trees of other libraries to rules |
//! | `model` | the handle that Python holds |
//! | `forest` | the same for trees that predict by themselves |

// Python hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

mod columns;
mod config;
mod errors;
mod forest;
mod model;
mod moments;
mod notes;
mod texts;
mod trees;
mod work;

use lire::fit::{Fit, Given, fit_with, splits_of};
use lire::leaks::possible_leaks;
use lire::methods::RuleSource;
use lire::report::PathReport;
use lire::split::Holdout;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use columns::{Column, Truth, Typing, View};
use model::Model;
use trees::{OwnTrees, Trees};

/// Rows to train on and rows to test on.
type Split<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>);

/// A model, the number of steps of the search, the models that it was chosen from as JSON text, and remarks.
type Fitted = (Model, usize, Option<String>, Vec<String>);

/// Learns a model.
// The signature is Python's, where arguments have names.
#[allow(clippy::too_many_arguments)]
#[pyfunction]
#[pyo3(signature = (
    columns, target, weights, config, *, groups=None, time=None, splits=None, trees=None, n_threads=0, on_progress=None
))]
fn fit(
    py: Python<'_>,
    columns: Vec<Column<'_>>,
    target: Truth<'_>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    config: &str,
    groups: Option<Column<'_>>,
    time: Option<Column<'_>>,
    splits: Option<Vec<Split<'_>>>,
    trees: Option<Trees<'_>>,
    n_threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Fitted> {
    let config: lire::Config = config::parse(config).map_err(errors::exception)?;
    let columns: Vec<View> = columns.iter().map(Column::view).collect();
    let target = target.to_own();
    let weights: Option<Vec<f64>> = weights.map(|weights| weights.as_array().iter().copied().collect());
    let (groups, time) = (groups.as_ref().map(Column::view), time.as_ref().map(Column::view));
    let splits: Option<Vec<Holdout>> = splits.map(|splits| splits.iter().map(holdout).collect());
    let trees = trees.as_ref().map(OwnTrees::of).transpose().map_err(errors::exception)?;
    let deadline = work::deadline(config.time_limit);
    // Reading Python's arrays ends with this: what follows owns its rows.
    let read = work::briefly(py, n_threads, || {
        let known = trees.as_ref().map(OwnTrees::known_levels);
        let typing = match &known {
            Some(known) => Typing::AsGiven { known },
            None => Typing::AsFound { categorical: &config.data.categorical },
        };
        let relations = columns::relations(groups.as_ref(), time.as_ref())?;
        let (data, rows, notes) = columns::dataset(&columns, target, weights, relations, typing)?;
        let source = match trees {
            Some(trees) => trees.rules(&columns, data.table.schema())?,
            None => RuleSource::Grown,
        };
        Ok((data, rows, notes, source))
    });
    let (data, rows, mut notes, source) = read?;
    let given = Given { splits: splits.map(|splits| among(&rows, splits)), source };
    let (fitted, notes): (Fit, Vec<String>) =
        work::watched(py, n_threads, deadline, on_progress.as_ref(), move |watch| {
            let fitted = fit_with(&data, &config, &given, watch).map_err(config::as_python_knows_it)?;
            notes.extend(possible_leaks(&fitted.model, &data)?);
            let notes = notes.iter().map(notes::in_python).chain(notes::no_rules(&fitted, &data)).collect();
            Ok((fitted, notes))
        })?;
    let path = fitted.selection.map(PathReport::of);
    let selection = path.map(|path| serde_json::to_string(&path)).transpose();
    let selection = selection.map_err(|_| errors::mistake())?;
    Ok((Model::new(fitted.model), fitted.n_moves, selection, notes))
}

/// Arrays of the rows to train on and of those to test on.
type SplitRows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// The splits that a fit would learn anew on; none if it does not.
#[pyfunction]
// The signature is Python's, where arguments have names.
#[allow(clippy::too_many_arguments)]
#[pyo3(signature = (columns, target, weights, config, *, groups=None, time=None, n_threads=0))]
fn splits<'py>(
    py: Python<'py>,
    columns: Vec<Column<'py>>,
    target: Truth<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    config: &str,
    groups: Option<Column<'py>>,
    time: Option<Column<'py>>,
    n_threads: usize,
) -> PyResult<Option<Vec<SplitRows<'py>>>> {
    let config: lire::Config = config::parse(config).map_err(errors::exception)?;
    let columns: Vec<View> = columns.iter().map(Column::view).collect();
    let target = target.to_own();
    let weights: Option<Vec<f64>> = weights.map(|weights| weights.as_array().iter().copied().collect());
    let (groups, time) = (groups.as_ref().map(Column::view), time.as_ref().map(Column::view));
    let found = work::briefly(py, n_threads, || {
        let relations = columns::relations(groups.as_ref(), time.as_ref())?;
        let typing = Typing::AsFound { categorical: &config.data.categorical };
        let (data, rows, _) = columns::dataset(&columns, target, weights, relations, typing)?;
        Ok((splits_of(&data, &config).map_err(config::as_python_knows_it)?, rows))
    });
    let (splits, rows) = found?;
    let place = |row: usize| i64::try_from(rows[row]).unwrap_or(i64::MAX);
    let places = |part: Vec<usize>| PyArray1::from_iter(py, part.into_iter().map(place));
    let arrays = |split: Holdout| (places(split.train), places(split.test));
    Ok(splits.map(|splits| splits.into_iter().map(arrays).collect()))
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
    module.add_class::<forest::Forest>()?;
    module.add_function(wrap_pyfunction!(forest::grow, module)?)?;
    module.add_function(wrap_pyfunction!(default_config, module)?)?;
    module.add_function(wrap_pyfunction!(model::shown_sum, module)?)?;
    module.add_function(wrap_pyfunction!(splits, module)?)?;
    module.add_function(wrap_pyfunction!(texts::encode_texts, module)?)?;
    module.add_function(wrap_pyfunction!(texts::encode_objects, module)?)?;
    module.add_function(wrap_pyfunction!(texts::text_of_number, module)?)?;
    module.add_function(wrap_pyfunction!(moments::moments, module)?)?;
    module.add_function(wrap_pyfunction!(moments::texts_of_moments, module)?)?;
    module.add_function(wrap_pyfunction!(trees::reached, module)?)?;
    module.add_function(wrap_pyfunction!(fit, module)?)
}
