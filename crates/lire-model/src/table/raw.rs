//! A table as it was read: named columns of texts that have no type yet.

use std::collections::HashSet;

use super::interned::Interned;
use super::nearest;
use crate::error::{Error, Result};

/// Named untyped columns of equal length, from which target and weights are taken before features get types.
#[derive(Debug, Clone, PartialEq)]
pub struct RawTable {
    source: String,
    columns: Vec<RawColumn>,
    n_rows: usize,
    row_numbers: RowNumbers,
}

/// One untyped column.
#[derive(Debug, Clone, PartialEq)]
pub struct RawColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub cells: RawCells,
}

/// What an untyped column holds.
#[derive(Debug, Clone, PartialEq)]
pub enum RawCells {
    /// Texts, also for numbers and truth values: whatever the file's format, types are found the same way.
    Text(Interned),
    /// Cells that no rule can speak of, such as dates or lists: what they are, in the plural.
    Unusable(String),
}

/// The number of each row in the file, counted from one, also of a part of the file and after rows were dropped.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RowNumbers {
    /// One after the other, from the number of the first.
    From(usize),
    /// One by one.
    Listed(Vec<usize>),
}

/// A column that cannot be what it must be: because of a cell, or altogether.
#[derive(Debug)]
pub(super) struct Fault {
    /// The number of the cell's row.
    pub(super) row: Option<usize>,
    pub(super) error: Error,
}

impl RawTable {
    /// Checks the columns' names and lengths. The source (a file's name) begins the error messages.
    pub fn new(source: impl Into<String>, columns: Vec<RawColumn>, n_rows: usize) -> Result<Self> {
        let source = source.into();
        let mut names = HashSet::with_capacity(columns.len());
        for column in &columns {
            if !names.insert(column.name.as_str()) {
                let message = format!("two columns are named `{}`; rename one of them", column.name);
                return Err(Error::data(source, message));
            }
            if let RawCells::Text(cells) = &column.cells
                && cells.len() != n_rows
            {
                let message =
                    format!("column `{}` has {} cells, expected {n_rows}", column.name, cells.len());
                return Err(Error::data(source, message));
            }
        }
        if n_rows == 0 {
            return Err(Error::data(source, "there is a header but no row of data"));
        }
        Ok(Self { source, columns, n_rows, row_numbers: RowNumbers::default() })
    }

    /// The same rows as a part of a file, of which so many rows stand before them: messages count rows as the file does.
    #[must_use]
    pub fn after_rows(self, n_before: usize) -> Self {
        Self { row_numbers: RowNumbers::From(n_before + 1), ..self }
    }

    /// Where the table was read from, as messages show it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The columns, in the file's order.
    pub fn columns(&self) -> &[RawColumn] {
        &self.columns
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The column of that name, or an error that suggests the nearest.
    pub fn column(&self, name: &str) -> Result<&RawColumn> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| self.unknown_column(name))
    }

    /// Takes a column out of the table.
    pub fn take(&mut self, name: &str) -> Result<RawColumn> {
        match self.columns.iter().position(|column| column.name == name) {
            Some(position) => Ok(self.columns.remove(position)),
            None => Err(self.unknown_column(name)),
        }
    }

    pub(super) fn drop_columns(&mut self, names: &[String]) {
        self.columns.retain(|column| !names.contains(&column.name));
    }

    /// The given rows, in that order; messages still count rows as the file does.
    pub(super) fn into_rows(self, rows: &[usize]) -> Self {
        let numbers = rows.iter().map(|&row| self.row_numbers.of(row)).collect();
        let columns = self.columns.into_iter().map(|column| column.into_rows(rows)).collect();
        Self { columns, n_rows: rows.len(), row_numbers: RowNumbers::Listed(numbers), ..self }
    }

    pub(super) fn into_columns(self) -> Vec<RawColumn> {
        self.columns
    }

    pub(super) fn row_numbers(&self) -> &RowNumbers {
        &self.row_numbers
    }

    fn unknown_column(&self, name: &str) -> Error {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        Error::data(&self.source, format!("no column `{name}`{}", nearest::advice(name, &names)))
    }
}

impl RawColumn {
    /// A column of texts; an empty one is a missing cell.
    pub fn of_texts<'a>(name: impl Into<String>, cells: impl IntoIterator<Item = &'a str>) -> Self {
        Self { name: name.into(), cells: RawCells::Text(Interned::of(cells)) }
    }

    /// A column of numbers; NaN is a missing cell.
    pub fn of_numbers(name: impl Into<String>, cells: impl IntoIterator<Item = f64>) -> Self {
        Self { name: name.into(), cells: RawCells::Text(Interned::of_numbers(cells)) }
    }

    /// The cells of a column that must be usable, such as the target.
    pub fn text(&self) -> Result<&Interned> {
        match &self.cells {
            RawCells::Text(cells) => Ok(cells),
            RawCells::Unusable(what) => {
                let message = format!("it holds {what}; numbers or texts are needed here");
                Err(Error::data(format!("column `{}`", self.name), message))
            }
        }
    }

    pub(super) fn into_rows(self, rows: &[usize]) -> Self {
        let cells = match self.cells {
            RawCells::Text(cells) => RawCells::Text(cells.into_rows(rows)),
            unusable @ RawCells::Unusable(_) => unusable,
        };
        Self { name: self.name, cells }
    }
}

impl RowNumbers {
    pub(super) fn of(&self, row: usize) -> usize {
        match self {
            Self::From(first) => first + row,
            Self::Listed(numbers) => numbers[row],
        }
    }

    /// The place of a cell, as messages name it.
    pub(super) fn place(&self, column: &str, row: usize) -> String {
        format!("column `{column}`, row {}", self.of(row))
    }

    /// A cell that its column cannot hold.
    pub(super) fn fault(&self, column: &str, row: usize, message: impl Into<String>) -> Fault {
        Fault { row: Some(self.of(row)), error: Error::data(self.place(column, row), message) }
    }
}

impl Default for RowNumbers {
    fn default() -> Self {
        Self::From(1)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { row: None, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> RawTable {
        let columns =
            vec![RawColumn::of_texts("age", ["1", "2", "3"]), RawColumn::of_texts("sex", ["f", "m", "f"])];
        RawTable::new("people.csv", columns, 3).unwrap()
    }

    #[test]
    fn an_unknown_column_gets_the_nearest_name() {
        let message = table().take("Agee").unwrap_err().to_string();
        assert_eq!(message, "people.csv: no column `Agee`; did you mean `age`? The columns are `age`, `sex`");
    }

    #[test]
    fn names_must_differ() {
        let columns = vec![RawColumn::of_texts("a", ["1"]), RawColumn::of_texts("a", ["2"])];
        let message = RawTable::new("x.csv", columns, 1).unwrap_err().to_string();
        assert_eq!(message, "x.csv: two columns are named `a`; rename one of them");
    }

    #[test]
    fn dropped_rows_leave_the_numbers_of_the_others() {
        let table = table().into_rows(&[1, 2]).into_rows(&[1]);
        assert_eq!(table.row_numbers().place("age", 0), "column `age`, row 3");
        assert_eq!(table.column("age").unwrap().text().unwrap().at(0), "3");
    }

    #[test]
    fn a_part_of_a_file_counts_rows_as_the_file() {
        let table = table().after_rows(1000);
        assert_eq!(table.row_numbers().place("age", 1), "column `age`, row 1002");
        assert_eq!(table.into_rows(&[2]).row_numbers().place("age", 0), "column `age`, row 1003");
    }
}
