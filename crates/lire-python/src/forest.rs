//! The handle on trees that predict by themselves, to compare with.

use std::sync::Arc;

use lire::Config;
use lire::forest::ForestConfig;
use lire::methods::baseline::TreeModel;
use lire::model::Predictions;
use lire::table::Relations;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::columns::{Column, Truth, Typing, View, dataset, table};
use crate::config;
use crate::errors::exception;
use crate::work::{briefly, watched};

/// Trees for each class, or for a number.
#[pyclass(frozen, module = "lire._native")]
pub struct Forest(Arc<TreeModel>);

/// Grows trees. `config` says what a fit of rules would be told of the data, `forest` how trees grow.
// The signature is Python's, where arguments have names.
#[allow(clippy::too_many_arguments)]
#[pyfunction]
#[pyo3(signature = (columns, target, weights, config, forest, *, n_threads=0, on_progress=None))]
pub fn grow(
    py: Python<'_>,
    columns: Vec<Column<'_>>,
    target: Truth<'_>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    config: &str,
    forest: &str,
    n_threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Forest> {
    let config: Config = config::parse(config).map_err(exception)?;
    let forest: ForestConfig = config::parse(forest).map_err(exception)?;
    let checked = forest.check().and_then(|()| forest.check_used());
    checked.map_err(config::as_python_knows_it).map_err(exception)?;
    let columns: Vec<View> = columns.iter().map(Column::view).collect();
    let target = target.to_own();
    let weights: Option<Vec<f64>> = weights.map(|weights| weights.as_array().iter().copied().collect());
    let data = briefly(py, n_threads, || {
        let typing = Typing::AsFound { categorical: &config.data.categorical };
        Ok(dataset(&columns, target, weights, Relations::default(), typing)?.0)
    })?;
    let grown = watched(py, n_threads, None, on_progress.as_ref(), move |watch| {
        TreeModel::learn(&data, &config, &forest, watch).map_err(config::as_python_knows_it)
    })?;
    Ok(Forest(Arc::new(grown)))
}

#[pymethods]
impl Forest {
    /// Reads trees from JSON text.
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        TreeModel::from_json(text).map(|model| Self(Arc::new(model))).map_err(exception)
    }

    /// The name of each feature, and whether it is a category.
    fn features(&self) -> Vec<(String, bool)> {
        let feature =
            |feature: &lire::table::Feature| (feature.name.clone(), feature.kind.levels().is_some());
        self.0.schema.features.iter().map(feature).collect()
    }

    /// The number of each row, or the probabilities of its classes (of two only the second), by the first trees or all.
    #[pyo3(signature = (columns, n_rows, *, n_trees=None, n_threads=0))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Column<'py>>,
        n_rows: usize,
        n_trees: Option<usize>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns: Vec<View> = columns.iter().map(Column::view).collect();
        let predicted = briefly(py, n_threads, || {
            let rows = table(&columns, &self.0.schema, &[], n_rows)?;
            Ok(match self.0.predict(&rows, n_trees)? {
                Predictions::Numbers(numbers) => vec![numbers],
                Predictions::Classes(classes) => classes.probabilities,
            })
        })?;
        let by_rows = (0..n_rows).flat_map(|row| predicted.iter().map(move |column| column[row]));
        PyArray1::from_iter(py, by_rows).reshape([n_rows, predicted.len()])
    }

    /// Trees are pickled as text.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().0.to_json(),)))
    }
}
