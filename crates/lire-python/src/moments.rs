//! Dates, times and durations of Python's libraries: ticks of some part of a second, made the library's numbers.

use lire::Error;
use lire::table::{MISSING, Moment, OutOfRange, text_of_moment};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::exception;

/// How the libraries write a value that is missing.
const NOT_A_TIME: i64 = i64::MIN;

/// The kind of that name.
pub fn kind_of(name: &str) -> PyResult<Moment> {
    match name {
        "date" => Ok(Moment::Date),
        "timestamp" => Ok(Moment::Timestamp),
        "duration" => Ok(Moment::Duration),
        "time" => Ok(Moment::Time),
        _ => Err(PyValueError::new_err(format!("{name} is no kind of moment"))),
    }
}

/// Ticks, of which there are so many in a second, as a column of a kind; NaN is missing.
#[pyfunction]
pub fn moments<'py>(
    py: Python<'py>,
    name: &str,
    ticks: PyReadonlyArray1<'py, i64>,
    per_second: i64,
    kind: &str,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let kind = kind_of(kind)?;
    let value = |&ticks: &i64| {
        if ticks == NOT_A_TIME { Ok(f64::NAN) } else { kind.of_ticks(ticks, per_second) }
    };
    let values: Result<Vec<f64>, OutOfRange> = ticks.as_array().iter().map(value).collect();
    let values = values.map_err(|OutOfRange| {
        let message =
            "it holds dates or times outside the years 1 to 9999; correct them, or make them missing";
        exception(Error::data(format!("column `{name}`"), message))
    })?;
    Ok(PyArray1::from_vec(py, values))
}

/// The codes and the texts of such values.
#[pyfunction]
pub fn texts_of_moments<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    kind: &str,
) -> PyResult<(Bound<'py, PyArray1<u32>>, Vec<String>)> {
    let kind = kind_of(kind)?;
    let mut distinct: Vec<f64> = values.as_array().iter().copied().filter(|value| !value.is_nan()).collect();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let code = |value: &f64| {
        distinct.binary_search_by(|other| other.total_cmp(value)).map_or(MISSING, |place| place as u32)
    };
    let codes = values.as_array().iter().map(code).collect();
    Ok((PyArray1::from_vec(py, codes), distinct.iter().map(|&value| text_of_moment(kind, value)).collect()))
}
