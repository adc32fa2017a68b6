//! The bins of a column's rows: side by side, or only those that differ from the most frequent one.

use std::borrow::Cow;
use std::ops::Index;

use serde::{Deserialize, Serialize};

use crate::table::{Places, Sparse};

/// A column is sparse if at most one row in so many has another bin than the most frequent one: then it is faster to go
/// over these rows in each level of a tree than over all rows once.
const SPARSE_FROM: usize = 16;

/// The bin of each row. Which form it has follows from the bins alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub enum Bins {
    /// Side by side.
    Dense(Vec<u8>),
    /// The most frequent bin, and the rows with others.
    Sparse(Sparse<u8>),
}

impl Bins {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Dense(bins) => bins.len(),
            Self::Sparse(bins) => bins.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bins side by side.
    pub fn plain(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Dense(bins) => Cow::Borrowed(bins),
            Self::Sparse(bins) => Cow::Owned(bins.to_vec()),
        }
    }

    /// For each bin the sum of something over its rows.
    pub fn sums(&self, of_rows: &[u64], total: u64) -> [u64; 256] {
        let mut sums = [0u64; 256];
        let mut add = |bin: u8, part: u64| {
            let sum = &mut sums[usize::from(bin)];
            *sum = sum.wrapping_add(part);
        };
        match self {
            Self::Dense(bins) => bins.iter().zip(of_rows).for_each(|(&bin, &part)| add(bin, part)),
            Self::Sparse(bins) => {
                let mut left = total;
                for (row, bin) in bins.entries() {
                    add(bin, of_rows[row]);
                    left = left.wrapping_sub(of_rows[row]);
                }
                add(bins.shared(), left);
            }
        }
        sums
    }

    /// The bins of the given rows, in that order.
    pub(super) fn select(&self, rows: &[u32], place_of: &[u32]) -> Self {
        match self {
            Self::Dense(bins) => rows.iter().map(|&row| bins[row as usize]).collect::<Vec<_>>().into(),
            Self::Sparse(bins) => {
                let kept = bins.entries().map(|(row, bin)| (place_of[row], bin));
                let mut kept: Vec<(u32, u8)> = kept.filter(|&(place, _)| place != NOWHERE).collect();
                kept.sort_unstable_by_key(|&(place, _)| place);
                let (places, own) = kept.into_iter().unzip();
                of_rows(bins.shared(), places, own, rows.len()).into()
            }
        }
    }
}

/// The place of a row that was not selected.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A sparse column of bins.
pub(super) fn of_rows(shared: u8, rows: Vec<u32>, bins: Vec<u8>, n_rows: usize) -> Sparse<u8> {
    let places = Places::new(rows, n_rows).expect("the rows are ascending");
    Sparse::new(shared, places, bins).expect("each row has its bin")
}

impl From<Vec<u8>> for Bins {
    fn from(bins: Vec<u8>) -> Self {
        let mut counts = [0usize; 256];
        for &bin in &bins {
            counts[usize::from(bin)] += 1;
        }
        let (shared, &most) = counts.iter().enumerate().max_by_key(|(_, count)| **count).expect("256 counts");
        if bins.is_empty() || (bins.len() - most) * SPARSE_FROM > bins.len() {
            return Self::Dense(bins);
        }
        let shared = shared as u8;
        let own = || bins.iter().zip(0u32..).filter(|(bin, _)| **bin != shared);
        let rows = own().map(|(_, row)| row).collect();
        Self::Sparse(of_rows(shared, rows, own().map(|(&bin, _)| bin).collect(), bins.len()))
    }
}

impl From<Sparse<u8>> for Bins {
    fn from(bins: Sparse<u8>) -> Self {
        // Most rows share a bin, or the column is dense: no other bin can be more frequent than that.
        if bins.is_empty() || bins.rows().len() * SPARSE_FROM > bins.len() {
            bins.to_vec().into()
        } else {
            Self::Sparse(bins)
        }
    }
}

impl From<Bins> for Vec<u8> {
    fn from(bins: Bins) -> Self {
        bins.plain().into_owned()
    }
}

impl Index<usize> for Bins {
    type Output = u8;

    fn index(&self, row: usize) -> &u8 {
        match self {
            Self::Dense(bins) => &bins[row],
            Self::Sparse(bins) => bins.get(row),
        }
    }
}
