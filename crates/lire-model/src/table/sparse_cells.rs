//! Sparse columns of any source as columns of a table: each cell becomes what it would in a dense column.

use std::borrow::Cow;

use super::build::{Cells, values_for};
use super::raw::{Fault, RowNumbers};
use super::survey::MissingTokens;
use super::{Feature, MISSING, Places, Sparse, Values};
use crate::error::Result;

/// The cells of a sparse column, each as it would be in a dense one.
pub(super) fn sparse_for(
    feature: &Feature,
    cells: Cells<'_>,
    places: Places,
    missing: &MissingTokens,
    rows: &RowNumbers,
) -> std::result::Result<Values, Fault> {
    if places.are_all() {
        return values_for(feature, cells.spread(&places), missing, rows);
    }
    match values_for(feature, cells.clone(), missing, rows) {
        Ok(values) => Ok(sparse_values(values, places)?),
        // The dense column knows in which row the failure is.
        Err(error) => Err(values_for(feature, cells.spread(&places), missing, rows).err().unwrap_or(error)),
    }
}

/// A column from its shared value followed by the cells of some rows: sparse if that is what it is.
pub fn sparse_values(shared_first: Values, places: Places) -> Result<Values> {
    /// A sparse column takes twelve bytes for a row that differs, a dense one eight for each row.
    const MOST_SHARE: usize = 2;
    let is_dense = places.rows().len() * MOST_SHARE > places.n_rows();
    Ok(match shared_first {
        Values::Numbers(cells) if is_dense => Values::Numbers(places.spread(&cells)),
        Values::Codes(codes) if is_dense => Values::Codes(places.spread(&codes)),
        Values::Numbers(mut cells) => {
            let own = cells.split_off(1.min(cells.len()));
            Values::SparseNumbers(Sparse::new(cells.first().copied().unwrap_or(f64::NAN), places, own)?)
        }
        Values::Codes(mut codes) => {
            let own = codes.split_off(1.min(codes.len()));
            Values::SparseCodes(Sparse::new(codes.first().copied().unwrap_or(MISSING), places, own)?)
        }
        sparse => sparse,
    })
}

impl Cells<'_> {
    /// The cells of all rows, from the shared one followed by those of some rows.
    fn spread(self, places: &Places) -> Self {
        let rows: Vec<usize> = places.spread(&(0..=places.rows().len()).collect::<Vec<_>>());
        match self {
            Self::Numbers(numbers) => Self::Numbers(rows.iter().map(|&at| numbers[at]).collect()),
            Self::Texts(cells) => Self::Texts(Cow::Owned(cells.into_owned().into_rows(&rows))),
            Self::Mixed(cells) => Self::Mixed(rows.iter().map(|&at| cells[at].clone()).collect()),
            other => other,
        }
    }
}
