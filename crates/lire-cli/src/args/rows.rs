//! Which rows to explain, counted from 1.

use std::ops::Range;
use std::str::FromStr;

use clap::Args;

use super::values::whole;
use crate::exit::Failure;

/// One row, some, or all.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct RowChoice {
    /// The row, counted from 1.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    row: Option<usize>,
    /// These rows, both ends included; for example 1-10.
    #[arg(long, value_name = "A-B")]
    rows: Option<RowSpan>,
    /// All rows.
    #[arg(long)]
    all: bool,
}

/// Rows from a first to a last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RowSpan {
    first: usize,
    last: usize,
}

impl RowChoice {
    /// The positions of the rows in a table of so many.
    pub fn among(&self, n_rows: usize) -> Result<Range<usize>, Failure> {
        let (option, first, last) = match (self.row, self.rows) {
            (Some(row), _) => ("--row", row, row),
            (_, Some(span)) => ("--rows", span.first, span.last),
            _ => return Ok(0..n_rows),
        };
        let rows = if n_rows == 1 { "row" } else { "rows" };
        if first == 0 {
            return Err(Failure::usage(format!(
                "{option}: rows are counted from 1; the data has {n_rows} {rows}"
            )));
        }
        if last > n_rows {
            return Err(Failure::usage(format!(
                "{option}: there is no row {last}; the data has {n_rows} {rows}"
            )));
        }
        Ok(first - 1..last)
    }

    /// Whether a single row was asked for, not a list.
    pub fn is_single(&self) -> bool {
        self.row.is_some()
    }
}

impl FromStr for RowSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number =
            |text: &str| text.trim().parse().map_err(|_| "give two row numbers, such as 1-10".to_owned());
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(format!("{first} is beyond {last}; give the smaller one first"));
        }
        Ok(Self { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_two_ends() {
        assert_eq!("3-7".parse(), Ok(RowSpan { first: 3, last: 7 }));
        assert_eq!("4".parse(), Ok(RowSpan { first: 4, last: 4 }));
        assert!("7-3".parse::<RowSpan>().is_err());
        assert!("a-b".parse::<RowSpan>().is_err());
    }

    #[test]
    fn rows_are_counted_from_one() {
        let choice = |row| RowChoice { row: Some(row), rows: None, all: false };
        assert_eq!(choice(2).among(3).unwrap(), 1..2);
        assert!(choice(0).among(3).is_err());
        assert!(choice(4).among(3).is_err());
    }
}
