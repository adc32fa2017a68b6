//! Columns as small integers that remember their real thresholds, and training rows merged by content.

mod bins;
mod column;
mod contents;
mod decimal;
mod moments;
mod rows;
mod threshold;

pub use bins::Bins;
pub(crate) use rows::mix;
pub use rows::{Outcome, Rows};
pub use threshold::threshold_between;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::table::Table;

/// The bin of a missing value.
pub const MISSING_BIN: u8 = 255;
/// The largest number of bins for known values.
pub const MAX_BINS: usize = 255;
/// The largest number of category levels with a bin of their own. One bin fewer than for numbers, so that
/// a known value without a bin of its own always finds a number that no level uses.
pub const MAX_LEVELS: usize = MAX_BINS - 1;

/// Feature columns as bin numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BinnedTable {
    /// One entry a feature, in the schema's order.
    pub columns: Vec<BinnedColumn>,
    /// The number of rows.
    pub n_rows: usize,
}

/// One column as bin numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BinnedColumn {
    /// The bin of each row: below [`BinnedColumn::n_bins`], or [`MISSING_BIN`], or
    /// [`BinnedColumn::other_bin`].
    pub bins: Bins,
    /// What the bins mean.
    pub edges: Edges,
    /// Whether any training row of positive weight lacks the value.
    pub has_missing: bool,
}

/// What the bins of a column mean in terms of its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Edges {
    /// Numbers: bin `i` holds `cuts[i − 1] < x ≤ cuts[i]`; there is one bin more than cuts. The cuts
    /// are the thresholds as rules print them.
    Cuts(Vec<f64>),
    /// Categories: the level that each bin holds, ascending. `None`, if there, comes last and is the one
    /// bin of all levels too rare to have their own; no split singles it out.
    Levels(Vec<Option<u32>>),
}

impl BinnedTable {
    /// Finds the bins of every column from the rows of positive weight, and puts all rows into them.
    ///
    /// A row of weight 2 counts as the same row twice and a row of weight 0 as none; the order of the rows
    /// does not matter.
    pub fn of(table: &Table, weights: &[f64]) -> Self {
        let columns = table
            .columns()
            .par_iter()
            .zip(&table.schema().features)
            .map(|(values, feature)| BinnedColumn::of(values, feature.kind.moment(), weights))
            .collect();
        Self { columns, n_rows: table.n_rows() }
    }

    /// The bins alone.
    pub fn without_rows(self) -> Self {
        let columns =
            self.columns.into_iter().map(|column| BinnedColumn { bins: Vec::new().into(), ..column });
        Self { columns: columns.collect(), n_rows: 0 }
    }

    /// Puts the rows of another table of the same schema into the bins of this one.
    pub fn like(&self, table: &Table) -> Self {
        let columns = self
            .columns
            .par_iter()
            .zip(table.columns())
            .map(|(column, values)| column.like(values))
            .collect();
        Self { columns, n_rows: table.n_rows() }
    }
}

impl BinnedColumn {
    /// The number of bins of known values that training rows have.
    pub fn n_bins(&self) -> usize {
        self.edges.n_bins()
    }

    /// The bin of categories without a bin of their own: rare in training, or never seen there. No
    /// `=` holds for it.
    pub fn other_bin(&self) -> Option<u8> {
        match &self.edges {
            Edges::Cuts(_) => None,
            Edges::Levels(levels) => Some(other_bin(levels)),
        }
    }
}

impl Edges {
    /// The number of bins of known values that training rows have.
    pub fn n_bins(&self) -> usize {
        match self {
            Self::Cuts(cuts) => cuts.len() + 1,
            Self::Levels(levels) => levels.len(),
        }
    }
}

/// The shared bin where there is one, else the number after the last: levels fill at most [`MAX_LEVELS`]
/// bins, so it is never [`MISSING_BIN`].
fn other_bin(levels: &[Option<u32>]) -> u8 {
    match levels.last() {
        Some(None) => (levels.len() - 1) as u8,
        _ => levels.len() as u8,
    }
}

#[cfg(test)]
mod tests;
