//! Failures as Python knows them. One table: kind → exception.

use lire::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError};

use crate::notes::without_options;

/// The exception that says the same.
pub fn exception(error: Error) -> PyErr {
    let message = without_options(error.to_string());
    match error {
        Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(message)
        }
        Error::Io { .. } => PyOSError::new_err(message),
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        // A parameter, the data or a model file.
        _ => PyValueError::new_err(message),
    }
}

/// A mistake of ours, where the library stopped in the middle of something.
pub fn mistake() -> PyErr {
    PyRuntimeError::new_err("internal error in lire; please report it with the data and parameters")
}
