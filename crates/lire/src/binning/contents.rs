//! What rows hold in all columns together: a hash of it, and whether it is the same.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use super::{BinnedTable, Bins};

/// Rows whose words stay in the cache while the columns pass by.
const BLOCK: usize = 4096;
/// So many words of a block are in memory at a time, at most.
const WORDS_OF_BLOCK: usize = 1 << 21;

/// The bins of each row in words of eight: a hash of all of them, and what rows can differ in.
pub(super) struct Contents {
    /// A hash of the words of each row.
    hashes: Vec<u64>,
    /// The words of the dense columns, row after row.
    words: Vec<u64>,
    words_a_row: usize,
    /// Where the bins of each row in sparse columns begin, and the end of all; empty if no column is sparse.
    starts: Vec<usize>,
    /// The place of the column among the sparse ones, and the bin.
    own: Vec<(u32, u8)>,
}

impl Contents {
    pub fn of(binned: &BinnedTable) -> Self {
        let all: Vec<&Bins> = binned.columns.iter().map(|column| &column.bins).collect();
        let is_dense = |bins: &&&Bins| matches!(bins, Bins::Dense(_));
        let dense: Vec<&Bins> = all.iter().filter(is_dense).copied().collect();
        let words_a_row = n_words(dense.len());
        let words = words_of(&dense, binned.n_rows);
        let hashes = if dense.len() == all.len() {
            words.par_chunks_exact(words_a_row).map(hash).collect()
        } else {
            hashes_of(&all, binned.n_rows)
        };
        let (starts, own) = own_bins(&all, binned.n_rows);
        Self { hashes, words, words_a_row, starts, own }
    }

    pub fn hash(&self, row: usize) -> u64 {
        self.hashes[row]
    }

    /// The order of two rows with their hashes: equal ones hold the same.
    pub fn compare(&self, a: &(u64, u32), b: &(u64, u32)) -> Ordering {
        let by_words = || self.row(a.1).cmp(self.row(b.1));
        a.0.cmp(&b.0).then_with(by_words).then_with(|| self.own_of(a.1).cmp(self.own_of(b.1)))
    }

    fn row(&self, row: u32) -> &[u64] {
        let start = row as usize * self.words_a_row;
        &self.words[start..start + self.words_a_row]
    }

    fn own_of(&self, row: u32) -> &[(u32, u8)] {
        if self.starts.is_empty() {
            return &[];
        }
        &self.own[self.starts[row as usize]..self.starts[row as usize + 1]]
    }
}

fn n_words(n_columns: usize) -> usize {
    n_columns.div_ceil(8).max(1)
}

fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash, &word| super::mix(hash ^ word))
}

/// The words of all rows.
fn words_of(columns: &[&Bins], n_rows: usize) -> Vec<u64> {
    let words_a_row = n_words(columns.len());
    let mut words = vec![0; words_a_row * n_rows];
    words.par_chunks_mut(words_a_row * BLOCK).enumerate().for_each(|(block, words)| {
        let start = block * BLOCK;
        fill(words, columns, start..start + words.len() / words_a_row);
    });
    words
}

/// The hash of the words of each row. The words themselves, which would be many, are made block by block.
fn hashes_of(columns: &[&Bins], n_rows: usize) -> Vec<u64> {
    let words_a_row = n_words(columns.len());
    let block_rows = (WORDS_OF_BLOCK / words_a_row).clamp(1, BLOCK);
    let mut hashes = vec![0; n_rows];
    hashes.par_chunks_mut(block_rows).enumerate().for_each(|(block, hashes)| {
        let start = block * block_rows;
        let mut words = vec![0; words_a_row * hashes.len()];
        fill(&mut words, columns, start..start + hashes.len());
        hashes.iter_mut().zip(words.chunks_exact(words_a_row)).for_each(|(to, words)| *to = hash(words));
    });
    hashes
}

/// Puts the bins of some rows into their words, which are zeros.
fn fill(words: &mut [u64], columns: &[&Bins], rows: Range<usize>) {
    let words_a_row = n_words(columns.len());
    // What sparse columns share is the same in each row.
    let mut shared = vec![0u64; words_a_row];
    for (position, column) in columns.iter().enumerate() {
        if let Bins::Sparse(bins) = column {
            shared[position / 8] |= u64::from(bins.shared()) << (position % 8 * 8);
        }
    }
    if shared.iter().any(|word| *word != 0) {
        words.chunks_exact_mut(words_a_row).for_each(|words| words.copy_from_slice(&shared));
    }
    for (position, column) in columns.iter().enumerate() {
        let (word, shift) = (position / 8, position % 8 * 8);
        match column {
            Bins::Dense(bins) => {
                for (row, &bin) in words.chunks_exact_mut(words_a_row).zip(&bins[rows.clone()]) {
                    row[word] |= u64::from(bin) << shift;
                }
            }
            Bins::Sparse(bins) => {
                let first = bins.rows().partition_point(|&row| (row as usize) < rows.start);
                let own = bins.rows()[first..].iter().zip(&bins.cells()[first..]);
                for (&row, &bin) in own.take_while(|(row, _)| (**row as usize) < rows.end) {
                    let flip = u64::from(bin ^ bins.shared()) << shift;
                    words[(row as usize - rows.start) * words_a_row + word] ^= flip;
                }
            }
        }
    }
}

/// For each row its bins in sparse columns that differ from what these share, in the order of the columns.
fn own_bins(columns: &[&Bins], n_rows: usize) -> (Vec<usize>, Vec<(u32, u8)>) {
    let sparse = || {
        columns.iter().filter_map(|bins| match bins {
            Bins::Sparse(bins) => Some(bins),
            Bins::Dense(_) => None,
        })
    };
    if sparse().next().is_none() {
        return (Vec::new(), Vec::new());
    }
    let mut starts = vec![0usize; n_rows + 1];
    for bins in sparse() {
        bins.rows().iter().for_each(|&row| starts[row as usize + 1] += 1);
    }
    for row in 0..n_rows {
        starts[row + 1] += starts[row];
    }
    let mut next = starts.clone();
    let mut own = vec![(0, 0); starts[n_rows]];
    for (bins, place) in sparse().zip(0u32..) {
        for (row, bin) in bins.entries() {
            own[next[row]] = (place, bin);
            next[row] += 1;
        }
    }
    (starts, own)
}
