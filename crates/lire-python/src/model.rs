//! The handle that Python holds: a model that scores, decides and explains.

use std::path::PathBuf;
use std::sync::Arc;

use lire::config::{Config, Learner};
use lire::explain::{explain_outputs, explain_rows, feature_importances};
use lire::report::ModelReport;
use lire::table::Task;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;
use rayon::prelude::*;

use crate::columns::{Column, View, table};
use crate::errors::{exception, mistake};
use crate::work::briefly;

/// Rows that a thread takes at least.
const ROWS_AT_ONCE: usize = 4096;

/// A rule ensemble.
#[pyclass(frozen, module = "lire._native")]
pub struct Model(Arc<lire::Model>);

/// Classes and the probabilities of all classes.
type Decided<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray2<f64>>);

impl Model {
    /// A handle on a model.
    pub fn new(model: lire::Model) -> Self {
        Self(Arc::new(model))
    }

    /// Rows to predict. What was declared missing in the fit is missing here too.
    fn table(&self, columns: &[View<'_>], n_rows: usize) -> lire::Result<lire::table::Table> {
        table(columns, self.0.schema(), &self.0.file().config.missing(), n_rows)
    }
}

#[pymethods]
impl Model {
    /// Reads a model from JSON text.
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        lire::Model::from_json(text.as_bytes(), "the model").map(Self::new).map_err(exception)
    }

    /// Reads a model file.
    #[classmethod]
    fn read(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| lire::Model::read(&path)).map(Self::new).map_err(exception)
    }

    /// Whether the file was edited after lire wrote it.
    #[getter]
    fn is_edited(&self) -> bool {
        self.0.is_edited()
    }

    /// `classification` or `regression`.
    #[getter]
    fn task(&self) -> &'static str {
        match self.0.task() {
            Task::Classification => "classification",
            Task::Regression => "regression",
        }
    }

    /// The classes as texts; none for a number.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.0.classes().to_vec()
    }

    /// The name of each feature, and whether it has levels.
    #[getter]
    fn features(&self) -> Vec<(String, bool)> {
        let features = self.0.schema().features.iter();
        features.map(|feature| (feature.name.clone(), feature.kind.levels().is_some())).collect()
    }

    /// The rules as texts, in the order in which their weights are summed.
    #[getter]
    fn rules(&self) -> Vec<String> {
        self.0.rule_terms().map(|term| term.rule.clone()).collect()
    }

    /// The weights of all terms, a row for each output.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let outputs = self.0.outputs();
        let weights = outputs.iter().flat_map(|output| output.weights.iter().copied());
        PyArray1::from_iter(py, weights).reshape([outputs.len(), self.0.file().terms.len()])
    }

    /// Where the score of each output starts.
    #[getter]
    fn intercepts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.0.outputs().iter().map(|output| output.intercept))
    }

    /// γ and λ, where the method has such prices.
    #[getter]
    fn prices(&self) -> (Option<f64>, Option<f64>) {
        let price = |name| self.0.file().config.get(name)?.as_f64();
        (price("gamma"), price("lambda"))
    }

    /// The minimised objective.
    #[getter]
    fn objective(&self) -> f64 {
        self.0.file().training.objective
    }

    /// Whether no single change of the chosen rules improves the objective.
    #[getter]
    fn certified(&self) -> bool {
        self.0.file().training.certified
    }

    /// What a careful reader wants to know of the model, as `lire show` tells it: JSON text.
    fn report(&self, place: &str) -> PyResult<String> {
        serde_json::to_string(&ModelReport::of(&self.0, place)).map_err(|_| mistake())
    }

    /// The model as JSON text.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The options by which a fit makes such a model again, as JSON text: the prices, not how they were chosen. Also the
    /// names of options that only a newer version knows.
    fn config(&self) -> PyResult<(String, Vec<String>)> {
        let (config, unknown) = Config::of_model(&self.0);
        let used = config.reduced(Learner::Rules(config.method));
        Ok((serde_json::to_string(&used).map_err(|_| mistake())?, unknown))
    }

    /// Writes the model file: whole, or not at all.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.0.write(&path)).map_err(exception)
    }

    /// The scores of each row, one for each output.
    #[pyo3(signature = (columns, n_rows, *, n_threads=0))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Column<'py>>,
        n_rows: usize,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns: Vec<View> = columns.iter().map(Column::view).collect();
        let scored = briefly(py, n_threads, || self.0.score(&self.table(&columns, n_rows)?))?;
        PyArray1::from_vec(py, scored.scores).reshape([n_rows, scored.n_outputs])
    }

    /// The position of each row's class, and the probabilities of all classes.
    #[pyo3(signature = (columns, n_rows, *, n_threads=0))]
    fn decide<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Column<'py>>,
        n_rows: usize,
        n_threads: usize,
    ) -> PyResult<Decided<'py>> {
        let n_classes = self.0.classes().len();
        let columns: Vec<View> = columns.iter().map(Column::view).collect();
        let (classes, probabilities) = briefly(py, n_threads, || {
            let scored = self.0.score(&self.table(&columns, n_rows)?)?;
            let Some(decisions) = self.0.decisions(&scored)? else {
                return Err(lire::Error::data(
                    "classes",
                    "the model predicts a number, which has no classes",
                ));
            };
            let classes = decisions.iter().map(|decision| decision.class as u32).collect();
            let mut probabilities = vec![0.0; n_rows * n_classes];
            let places = probabilities.par_chunks_exact_mut(n_classes).zip(&decisions);
            places.with_min_len(ROWS_AT_ONCE).for_each(|(probabilities, decision)| {
                probabilities.copy_from_slice(&decision.probabilities);
            });
            Ok((classes, probabilities))
        })?;
        let probabilities = PyArray1::from_vec(py, probabilities).reshape([n_rows, n_classes])?;
        Ok((PyArray1::from_vec(py, classes), probabilities))
    }

    /// 1 where a rule holds for a row.
    #[pyo3(signature = (columns, n_rows, *, n_threads=0))]
    fn fired<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Column<'py>>,
        n_rows: usize,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let n_rules = self.0.rules().len();
        let columns: Vec<View> = columns.iter().map(Column::view).collect();
        let fired = briefly(py, n_threads, || {
            let scored = self.0.score(&self.table(&columns, n_rows)?)?;
            let mut fired = vec![0u8; n_rows * n_rules];
            fired.par_chunks_exact_mut(n_rules.max(1)).enumerate().try_for_each(|(row, fired)| {
                scored.fired.of_row(row)?.for_each(|rule| fired[rule] = 1);
                Ok(())
            })?;
            Ok(fired)
        })?;
        PyArray1::from_vec(py, fired).reshape([n_rows, n_rules])
    }

    /// The number of terms that explain each row's prediction.
    #[pyo3(signature = (columns, n_rows, *, n_threads=0))]
    fn local_support<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Column<'py>>,
        n_rows: usize,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let columns: Vec<View> = columns.iter().map(Column::view).collect();
        let counts = briefly(py, n_threads, || {
            let scored = self.0.score(&self.table(&columns, n_rows)?)?;
            Ok(self
                .0
                .local_support(&scored)?
                .into_iter()
                .map(|count| i64::try_from(count).unwrap_or(i64::MAX))
                .collect())
        })?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// Why each row has its score, for its predicted class or another: a JSON list.
    #[pyo3(signature = (columns, n_rows, *, class_=None, n_threads=0))]
    fn explain_rows(
        &self,
        py: Python<'_>,
        columns: Vec<Column<'_>>,
        n_rows: usize,
        class_: Option<usize>,
        n_threads: usize,
    ) -> PyResult<String> {
        let columns: Vec<View> = columns.iter().map(Column::view).collect();
        let explained = briefly(py, n_threads, || {
            let table = self.table(&columns, n_rows)?;
            Ok(serde_json::to_string(&explain_rows(&self.0, &table, 1, class_)?))
        });
        explained?.map_err(|_| mistake())
    }

    /// All terms of each output: a JSON list.
    fn explain_global(&self) -> PyResult<String> {
        serde_json::to_string(&explain_outputs(&self.0)).map_err(|_| mistake())
    }

    /// How much each feature moves scores, in shares.
    fn feature_importances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, feature_importances(&self.0))
    }

    /// Models are pickled as their file.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json(),)))
    }
}

/// Parts and their sum, rounded so that the parts shown add to the sum shown.
#[pyfunction]
pub fn shown_sum(parts: Vec<f64>, sum: f64, decimals: usize) -> (Vec<f64>, f64) {
    let shown = lire::explain::shown_sum(&parts, sum, decimals);
    (shown.parts, shown.sum)
}
