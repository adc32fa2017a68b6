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
pub use target::{ClassLabels, Target, TargetValues, Task};
pub use typing::{all_whole, name_of_unnamed, type_moments, type_texts};

use crate::error::{Error, Result};

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
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Integer and real columns, dates, times and durations; NaN is missing.
    Numbers(Vec<f64>),
    /// Boolean and category columns: indices into the schema's levels, [`UNSEEN`] or [`MISSING`].
    Codes(Vec<u32>),
}

impl Values {
    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Codes(codes) => codes.len(),
        }
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells at the given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        Ok(match self {
            Self::Numbers(values) => Self::Numbers(selected(values, rows)?),
            Self::Codes(codes) => Self::Codes(selected(codes, rows)?),
        })
    }
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
                (Values::Codes(codes), Some(levels)) => {
                    codes.iter().all(|&code| code >= UNSEEN || (code as usize) < levels.len())
                }
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
        let columns = self.columns.iter().map(|column| column.select(rows)).collect::<Result<_>>()?;
        Ok(Self { schema: self.schema.clone(), columns, n_rows: rows.len() })
    }
}
