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
    /// The positions of the rows among those from one position to another.
    pub fn within(&self, part: Range<usize>) -> Range<usize> {
        let Some((_, first, last)) = self.ends() else { return part };
        let wanted = first.saturating_sub(1).max(part.start)..last.min(part.end);
        if wanted.is_empty() { part.start..part.start } else { wanted }
    }

    /// Fails if a table of so many rows lacks one of them.
    pub fn check(&self, n_rows: usize) -> Result<(), Failure> {
        let Some((option, first, last)) = self.ends() else { return Ok(()) };
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
        Ok(())
    }

    /// The option with the first and the last row; none for all rows.
    fn ends(&self) -> Option<(&'static str, usize, usize)> {
        match (self.row, self.rows) {
            (Some(row), _) => Some(("--row", row, row)),
            (_, Some(span)) => Some(("--rows", span.first, span.last)),
            _ => None,
        }
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
        assert_eq!(choice(2).within(0..3), 1..2);
        assert!(choice(2).check(3).is_ok() && choice(0).check(3).is_err() && choice(4).check(3).is_err());
    }

    #[test]
    fn rows_are_found_part_by_part() {
        let span = RowSpan { first: 3, last: 7 };
        let choice = RowChoice { row: None, rows: Some(span), all: false };
        let parts = [0..2, 2..4, 4..6, 6..9, 9..12].map(|part| choice.within(part));
        assert_eq!(parts, [0..0, 2..4, 4..6, 6..7, 9..9]);
        assert_eq!(RowChoice { row: None, rows: None, all: true }.within(4..6), 4..6);
    }
}
