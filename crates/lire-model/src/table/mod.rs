//! Typed columns with names and missing values: what every reader makes and all else starts from.

mod aligned;
mod build;
mod conform;
mod dataset;
mod date;
mod find_target;
mod fingerprint;
mod hints;
mod interned;
mod levels;
mod magnitude;
mod nearest;
mod note;
mod raw;
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
pub use interned::{Interned, Interner, NotUtf8, Origin, text_of_number};
pub use note::{Note, NoteKind};
pub use raw::{RawCells, RawColumn, RawTable};
pub use schema::{Feature, FeatureKind, Schema};
pub use target::{ClassLabels, Target, TargetValues, Task};
pub use typing::{all_whole, name_of_unnamed, type_texts};

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
    /// Integer and real columns; NaN is missing.
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
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numbers(values) => Self::Numbers(rows.iter().map(|&row| values[row]).collect()),
            Self::Codes(codes) => Self::Codes(rows.iter().map(|&row| codes[row]).collect()),
        }
    }
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
    pub fn select(&self, rows: &[usize]) -> Self {
        let columns = self.columns.iter().map(|column| column.select(rows)).collect();
        Self { schema: self.schema.clone(), columns, n_rows: rows.len() }
    }
}
