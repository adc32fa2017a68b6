//! Typed columns with names and missing values: what every reader makes and all else starts from.

mod aligned;
mod build;
mod conform;
mod dataset;
mod date;
mod date_hints;
mod date_shape;
mod duration;
mod find_target;
mod fingerprint;
mod group_hint;
mod hints;
mod interned;
mod levels;
mod magnitude;
mod moment;
mod nearest;
mod note;
mod raw;
mod relations;
mod schema;
mod sparse;
mod sparse_cells;
mod spellings;
mod survey;
mod target;
mod typing;
mod weights;

pub use build::{Cell, Cells, TableBuilder};
pub use dataset::{ColumnOptions, Dataset, DatasetOptions, EvaluationOptions};
pub use find_target::hint_on_classes;
pub use fingerprint::fingerprint;
pub use group_hint::{hint_on_groups, hint_on_groups_of_numbers};
pub use interned::{Interned, Interner, NotUtf8, Origin, text_of_number};
pub use levels::told_apart_by_spelling;
pub use moment::{Moment, OutOfRange, text_of_moment};
pub use note::{Note, NoteKind};
pub use raw::{RawCells, RawColumn, RawTable};
pub use relations::{Groups, Relations, Times};
pub use schema::{Feature, FeatureKind, Schema};
pub use sparse::{Bits, Places, Sparse};
pub use sparse_cells::sparse_values;
pub use target::{ClassLabels, Target, TargetValues, Task};
pub use typing::{all_whole, name_of_unnamed, type_moments, type_texts};

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, Result};
use sparse::Selected;

/// The code of a missing category.
pub const MISSING: u32 = u32::MAX;
/// The code of a category that the schema does not list: a known value equal to none of its levels.
pub const UNSEEN: u32 = u32::MAX - 1;

/// Feature columns of equal length, described by a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    schema: Schema,
    columns: Vec<Values>,
    n_rows: usize,
}

/// The cells of one column.
///
/// A column that is mostly one value may be sparse. It means the same, and everything made of it is the same.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Integer and real columns, dates, times and durations; NaN is missing.
    Numbers(Vec<f64>),
    /// Boolean and category columns: indices into the schema's levels, [`UNSEEN`] or [`MISSING`].
    Codes(Vec<u32>),
    /// Numbers that are mostly one number.
    SparseNumbers(Sparse<f64>),
    /// Codes that are mostly one code.
    SparseCodes(Sparse<u32>),
}

/// The cells of one column side by side, copied if the column is sparse.
#[derive(Debug, Clone, PartialEq)]
pub enum Plain<'a> {
    /// As in [`Values::Numbers`].
    Numbers(Cow<'a, [f64]>),
    /// As in [`Values::Codes`].
    Codes(Cow<'a, [u32]>),
}

/// One cell of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// As in [`Values::Numbers`].
    Number(f64),
    /// As in [`Values::Codes`].
    Code(u32),
}

impl Value {
    /// Whether there is no value.
    pub fn is_missing(self) -> bool {
        match self {
            Self::Number(number) => number.is_nan(),
            Self::Code(code) => code == MISSING,
        }
    }
}

impl Values {
    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Codes(codes) => codes.len(),
            Self::SparseNumbers(values) => values.len(),
            Self::SparseCodes(codes) => codes.len(),
        }
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells side by side.
    pub fn plain(&self) -> Plain<'_> {
        self.plain_range(0..self.len())
    }

    /// The cells of neighbouring rows, side by side.
    pub fn plain_range(&self, rows: Range<usize>) -> Plain<'_> {
        match self {
            Self::Numbers(values) => Plain::Numbers(Cow::Borrowed(&values[rows])),
            Self::Codes(codes) => Plain::Codes(Cow::Borrowed(&codes[rows])),
            Self::SparseNumbers(values) => Plain::Numbers(Cow::Owned(values.range(rows))),
            Self::SparseCodes(codes) => Plain::Codes(Cow::Owned(codes.range(rows))),
        }
    }

    /// The numbers of a column of numbers, side by side.
    pub fn numbers(&self) -> Option<Cow<'_, [f64]>> {
        match self.plain() {
            Plain::Numbers(numbers) => Some(numbers),
            Plain::Codes(_) => None,
        }
    }

    /// The cell of a row that there is.
    pub fn at(&self, row: usize) -> Value {
        match self {
            Self::Numbers(values) => Value::Number(values[row]),
            Self::Codes(codes) => Value::Code(codes[row]),
            Self::SparseNumbers(values) => Value::Number(values.at(row)),
            Self::SparseCodes(codes) => Value::Code(codes.at(row)),
        }
    }

    /// The cells at the given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        match self {
            Self::Numbers(values) => Ok(Self::Numbers(selected(values, rows)?)),
            Self::Codes(codes) => Ok(Self::Codes(selected(codes, rows)?)),
            Self::SparseNumbers(_) | Self::SparseCodes(_) => {
                Ok(self.select_sparse(&Selected::of(rows, self.len())?))
            }
        }
    }

    /// The same of a column that is sparse.
    fn select_sparse(&self, rows: &Selected) -> Self {
        match self {
            Self::SparseNumbers(values) => Self::SparseNumbers(values.select(rows)),
            Self::SparseCodes(codes) => Self::SparseCodes(codes.select(rows)),
            Self::Numbers(_) | Self::Codes(_) => unreachable!("the column is sparse"),
        }
    }

    fn is_sparse(&self) -> bool {
        matches!(self, Self::SparseNumbers(_) | Self::SparseCodes(_))
    }
}

/// Whether a code is that of a level, or of no level that is listed.
fn is_code(code: u32, levels: &[String]) -> bool {
    code >= UNSEEN || (code as usize) < levels.len()
}

/// What stands at the given rows, in that order.
fn selected<T: Copy>(cells: &[T], rows: &[usize]) -> Result<Vec<T>> {
    rows.iter().map(|&row| cells.get(row).copied().ok_or_else(|| no_such_row(row, cells.len()))).collect()
}

/// The failure to find a row, counted from 0.
pub(crate) fn no_such_row(row: usize, n_rows: usize) -> Error {
    Error::data("rows", format!("there is no row at position {row} of {n_rows}; positions count from 0"))
}

impl Table {
    /// Checks that columns and schema fit each other.
    pub fn new(schema: Schema, columns: Vec<Values>, n_rows: usize) -> Result<Self> {
        if schema.features.len() != columns.len() {
            return Err(Error::data("table", "the schema and the columns differ in number"));
        }
        for (feature, values) in schema.features.iter().zip(&columns) {
            let place = || format!("column `{}`", feature.name);
            if values.len() != n_rows {
                return Err(Error::data(place(), format!("{} cells, expected {n_rows}", values.len())));
            }
            let fits = match (values, feature.kind.levels()) {
                (Values::Numbers(values), None) => values.iter().all(|value| !value.is_infinite()),
                (Values::SparseNumbers(values), None) => values.all(|value| !value.is_infinite()),
                (Values::Codes(codes), Some(levels)) => codes.iter().all(|&code| is_code(code, levels)),
                (Values::SparseCodes(codes), Some(levels)) => codes.all(|code| is_code(code, levels)),
                _ => false,
            };
            if !fits {
                return Err(Error::data(place(), "its cells do not fit its type"));
            }
        }
        Ok(Self { schema, columns, n_rows })
    }

    /// What the columns are.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The columns, in the schema's order.
    pub fn columns(&self) -> &[Values] {
        &self.columns
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        // A table may have rows and no column.
        if let Some(&row) = rows.iter().find(|row| **row >= self.n_rows) {
            return Err(no_such_row(row, self.n_rows));
        }
        // What all sparse columns need of the rows is found once.
        let sparse = self.columns.iter().any(Values::is_sparse);
        let selected = sparse.then(|| Selected::of(rows, self.n_rows)).transpose()?;
        let select = |column: &Values| match &selected {
            Some(selected) if column.is_sparse() => Ok(column.select_sparse(selected)),
            _ => column.select(rows),
        };
        let columns = self.columns.iter().map(select).collect::<Result<_>>()?;
        Ok(Self { schema: self.schema.clone(), columns, n_rows: rows.len() })
    }
}
