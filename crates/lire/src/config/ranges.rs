//! Ranges of values that several options share.

use crate::error::{Error, Result};

/// Refuses numbers below 0, and what is no number.
pub(super) fn from_zero_up(option: &str, value: Option<f64>) -> Result<()> {
    match value.filter(|value| !(*value >= 0.0 && value.is_finite())) {
        Some(value) => Err(Error::config(option, format!("{value} is not a number from 0 up"))),
        None => Ok(()),
    }
}

/// Refuses counts below the least that makes sense.
pub(super) fn at_least(option: &str, value: usize, least: usize) -> Result<()> {
    if value >= least {
        return Ok(());
    }
    Err(Error::config(option, format!("{value} is too few; give {least} or more")))
}
