//! Rows that belong together, and the order of rows in time: what decides how rows may be divided.

use std::collections::HashMap;

use super::date::instant;
use super::interned::Interned;
use super::raw::{RawColumn, RowNumbers};
use super::selected;
use super::survey::{Meaning, MissingTokens, Survey};
use super::target::check_length;
use super::typing::{LARGEST_WHOLE, to_numbers};
use crate::error::{Error, Result};

/// How the rows of a table are related. By default each stands for itself, at no particular time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relations {
    /// Which rows belong together.
    pub groups: Option<Groups>,
    /// When each row was.
    pub times: Option<Times>,
}

/// Which rows belong together, such as the visits of one patient.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The column that says so, if it has a name.
    pub column: Option<String>,
    /// The group of each row. Rows of equal numbers belong together; the numbers mean nothing else.
    pub of_rows: Vec<u32>,
}

/// When each row was.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    /// The column that says so, if it has a name.
    pub column: Option<String>,
    /// The time of each row: the later, the larger. Only the order counts.
    pub of_rows: Vec<f64>,
}

impl Relations {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.groups.is_none() && self.times.is_none()
    }

    /// Those of the given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        let groups = self.groups.as_ref().map(|groups| {
            let of_rows = selected(&groups.of_rows, rows)?;
            Ok::<_, Error>(Groups { column: groups.column.clone(), of_rows })
        });
        let times = self.times.as_ref().map(|times| {
            let of_rows = selected(&times.of_rows, rows)?;
            Ok::<_, Error>(Times { column: times.column.clone(), of_rows })
        });
        Ok(Self { groups: groups.transpose()?, times: times.transpose()? })
    }

    /// Fails unless they are of so many rows, and all times are finite.
    pub(super) fn check(&self, n_rows: usize) -> Result<()> {
        if let Some(groups) = &self.groups {
            check_length("groups", groups.of_rows.len(), n_rows)?;
        }
        let Some(times) = &self.times else { return Ok(()) };
        check_length("time", times.of_rows.len(), n_rows)?;
        match times.of_rows.iter().position(|time| !time.is_finite()) {
            None => Ok(()),
            Some(row) => {
                let message = format!("{} is not a finite number", times.of_rows[row]);
                Err(Error::data(format!("time, row {}", row + 1), message))
            }
        }
    }
}

impl Groups {
    /// The groups that a column of numbers or texts stands for; each row has one.
    pub fn of(column: &RawColumn) -> Result<Self> {
        Self::of_column(column, &MissingTokens::default(), &RowNumbers::default())
    }

    pub(super) fn of_column(column: &RawColumn, missing: &MissingTokens, rows: &RowNumbers) -> Result<Self> {
        let name = &column.name;
        let cells = column.text()?;
        let survey = Survey::of(cells, missing);
        if let Some(row) = survey.first_row(cells, |meaning| meaning == Meaning::Missing) {
            let message = "the group is missing; fill it in, with a value of its own if the row belongs to no \
                           other, or leave the row out";
            return Err(Error::data(rows.place(name, row), message));
        }
        // Spellings of one number are one group, unless its digits are more than a number holds.
        let mut by_number: HashMap<u64, u32> = HashMap::new();
        let group = |(code, meaning): (u32, &Meaning)| match meaning {
            Meaning::Number(number) if number.abs() < LARGEST_WHOLE => {
                *by_number.entry(number.to_bits()).or_insert(code)
            }
            _ => code,
        };
        let of_code: Vec<u32> = (0..).zip(&survey.meanings).map(group).collect();
        let of_rows = cells.codes.iter().map(|&code| of_code[code as usize]).collect();
        Ok(Self { column: Some(name.clone()), of_rows })
    }

    /// The number of groups.
    pub fn count(&self) -> usize {
        let mut groups = self.of_rows.clone();
        groups.sort_unstable();
        groups.dedup();
        groups.len()
    }

    /// What to know of groups that keep no rows together.
    pub fn remark(&self) -> Option<String> {
        let is_idle = self.of_rows.len() > 1 && self.count() == self.of_rows.len();
        is_idle.then(|| "each row is a group of its own, so that the groups keep no rows together".into())
    }
}

impl Times {
    /// The times that a column of numbers or dates stands for; each row has one.
    pub fn of(column: &RawColumn) -> Result<Self> {
        Self::of_column(column, &MissingTokens::default(), &RowNumbers::default())
    }

    pub(super) fn of_column(column: &RawColumn, missing: &MissingTokens, rows: &RowNumbers) -> Result<Self> {
        let name = &column.name;
        let cells = column.text()?;
        let survey = Survey::of_numbers(cells, missing);
        if let Some(row) = survey.first_row(cells, |meaning| meaning == Meaning::Missing) {
            let message = "the time is missing; fill it in, or leave the row out";
            return Err(Error::data(rows.place(name, row), message));
        }
        if survey.n_texts > 0 {
            let of_rows = instants(name, cells, rows)?;
            return Ok(Self { column: Some(name.clone()), of_rows });
        }
        let (of_rows, _) = to_numbers(name, cells, &survey, rows)?;
        Ok(Self { column: Some(name.clone()), of_rows })
    }
}

/// The cells as points in time, which all of them must be.
fn instants(name: &str, cells: &Interned, rows: &RowNumbers) -> Result<Vec<f64>> {
    let of_code: Vec<Option<f64>> =
        cells.texts.iter().map(|text| instant(text).map(|instant| instant.micros as f64)).collect();
    let of_row = |(row, &code): (usize, &u32)| {
        of_code[code as usize].ok_or_else(|| {
            let message = format!(
                "`{}` is no time; times are numbers in all rows, or dates such as 2019-04-01 or 2019-04-01T08:15 in all \
                 rows",
                cells.at(row)
            );
            Error::data(rows.place(name, row), message)
        })
    };
    cells.codes.iter().enumerate().map(of_row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(cells: &[&str]) -> Result<Vec<u32>> {
        Groups::of(&RawColumn::of_texts("patient", cells.iter().copied())).map(|groups| groups.of_rows)
    }

    fn times(cells: &[&str]) -> Result<Vec<f64>> {
        Times::of(&RawColumn::of_texts("year", cells.iter().copied())).map(|times| times.of_rows)
    }

    #[test]
    fn equal_values_are_a_group() {
        assert_eq!(groups(&["b", "a", "b", "nan"]).unwrap(), [0, 1, 0, 2]);
        assert_eq!(groups(&["7", "8", "7.0", "07"]).unwrap(), [0, 1, 0, 0]);
        let long = ["9007199254740993", "9007199254740992", "9007199254740995"];
        assert_eq!(groups(&long).unwrap(), [0, 1, 2]);
    }

    #[test]
    fn times_are_numbers_or_dates() {
        assert_eq!(times(&["2019", "2018.5", "-1"]).unwrap(), [2019.0, 2018.5, -1.0]);
        let hour = 3.6e9;
        assert_eq!(
            times(&["1970-01-01", "1970-01-01T01:00Z", "1969-12-31 23:00"]).unwrap(),
            [0.0, hour, -hour]
        );
    }

    #[test]
    fn anything_else_is_refused_with_its_row() {
        let message = groups(&["a", ""]).unwrap_err().to_string();
        assert!(
            message.starts_with("column `patient`, row 2: the group is missing; fill it in"),
            "{message}"
        );
        for (cells, start) in [
            (["2019", ""], "column `year`, row 2: the time is missing"),
            (
                ["spring", "2019"],
                "column `year`, row 1: `spring` is no time; times are numbers in all rows, or dates",
            ),
            (["2019-04-01", "2019"], "column `year`, row 2: `2019` is no time"),
            (["1", "inf"], "column `year`, row 2: `inf` is not a finite number"),
        ] {
            let message = times(&cells).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }

    #[test]
    fn groups_of_single_rows_are_remarked_on() {
        let remark = |of_rows: &[u32]| Groups { column: None, of_rows: of_rows.to_vec() }.remark();
        assert!(remark(&[0, 1, 2]).is_some_and(|remark| remark.contains("keep no rows together")));
        assert_eq!(remark(&[0, 1, 0]), None);
    }
}
