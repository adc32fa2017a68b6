//! Row weights, where a weight of two means the row twice.

use super::raw::{RawColumn, RowNumbers};
use super::survey::{Meaning, MissingTokens, Survey};
use super::typing::to_numbers;
use crate::error::{Error, Result};

/// The weights in a column: numbers from zero on, known in every row, and not all zero.
pub(super) fn weights_of(column: &RawColumn, missing: &MissingTokens, rows: &RowNumbers) -> Result<Vec<f64>> {
    let name = &column.name;
    let cells = column.text()?;
    let survey = Survey::of_numbers(cells, missing);
    if let Some(row) = survey.first_row(cells, |meaning| meaning == Meaning::Text) {
        let message =
            format!("`{}` is not a number, as a weight must be; choose another column", cells.at(row));
        return Err(Error::data(rows.place(name, row), message));
    }
    if let Some(row) = survey.first_row(cells, |meaning| meaning == Meaning::Missing) {
        return Err(Error::data(
            rows.place(name, row),
            "the weight is missing; give 0 to a row that should not count",
        ));
    }
    let (weights, _) = to_numbers(name, cells, &survey, rows)?;
    if let Some(row) = weights.iter().position(|&weight| weight < 0.0) {
        let message = format!("the weight `{}` is negative; weights count from 0", cells.at(row));
        return Err(Error::data(rows.place(name, row), message));
    }
    if weights.iter().all(|&weight| weight == 0.0) {
        return Err(Error::data(
            format!("column `{name}`"),
            "all weights are zero; at least one row must count",
        ));
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(cells: &[&str]) -> Result<Vec<f64>> {
        let column = RawColumn::of_texts("w", cells.iter().copied());
        weights_of(&column, &MissingTokens::default(), &RowNumbers::default())
    }

    #[test]
    fn numbers_from_zero_on_are_weights() {
        assert_eq!(weights(&["1", "0", "2.5"]).unwrap(), [1.0, 0.0, 2.5]);
    }

    #[test]
    fn anything_else_is_refused_with_its_row() {
        for (cells, start) in [
            (["1", "-2"], "column `w`, row 2: the weight `-2` is negative"),
            (["1", ""], "column `w`, row 2: the weight is missing"),
            (["nan", "1"], "column `w`, row 1: the weight is missing"),
            (["1", "x"], "column `w`, row 2: `x` is not a number"),
            (["1", "inf"], "column `w`, row 2: `inf` is not a finite number"),
            (["0", "0"], "column `w`: all weights are zero"),
        ] {
            let message = weights(&cells).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
