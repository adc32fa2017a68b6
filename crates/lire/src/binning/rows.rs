//! Training rows merged by content.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::{BinnedColumn, BinnedTable};

/// Training rows, merged: one row for each distinct content, with the weight of each class.
///
/// Rows are in the order of their content hash, so that neither the order of the input nor the
/// difference between a weight of 2 and a row given twice can reach anything that follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The features.
    pub binned: BinnedTable,
    /// The weight of positive rows with this content, times [`Rows::row_scale`].
    pub positive: Vec<f64>,
    /// The weight of negative rows with this content, times [`Rows::row_scale`].
    pub negative: Vec<f64>,
    /// A hash of the content; all sampling starts from it.
    pub hashes: Vec<u64>,
    /// What weights were multiplied by, so that they work as counts of rows: 1 unless the weights sum to
    /// less than the number of distinct rows, as shares or probabilities do.
    pub row_scale: f64,
}

impl Rows {
    /// Drops rows of weight zero and merges rows with the same bins in all columns.
    pub fn merge(binned: &BinnedTable, labels: &[bool], weights: &[f64]) -> Self {
        let contents = Contents::of(binned);
        let mut order: Vec<(u64, u32)> = (0..binned.n_rows)
            .into_par_iter()
            .filter(|&row| weights[row] > 0.0)
            .map(|row| (contents.hash(row), row as u32))
            .collect();
        // Label and weight decide among equal contents, so that the sums below round the same way
        // whatever the order of the input.
        order.par_sort_unstable_by(|a, b| {
            contents.compare(a, b).then_with(|| {
                let (a, b) = (a.1 as usize, b.1 as usize);
                labels[a].cmp(&labels[b]).then(weights[a].total_cmp(&weights[b]))
            })
        });

        let mut rows = Self::without_columns();
        let mut first_of_content: Vec<(u64, u32)> = Vec::new();
        for &(hash, row) in &order {
            let is_new =
                first_of_content.last().is_none_or(|last| contents.compare(last, &(hash, row)).is_ne());
            if is_new {
                first_of_content.push((hash, row));
                rows.hashes.push(hash);
                rows.positive.push(0.0);
                rows.negative.push(0.0);
            }
            let class = if labels[row as usize] { &mut rows.positive } else { &mut rows.negative };
            if let Some(sum) = class.last_mut() {
                *sum += weights[row as usize];
            }
        }
        rows.binned = select(binned, &first_of_content);
        rows.scale_to_counts();
        rows
    }

    /// The number of distinct rows.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    fn without_columns() -> Self {
        let binned = BinnedTable { columns: Vec::new(), n_rows: 0 };
        Self { binned, positive: Vec::new(), negative: Vec::new(), hashes: Vec::new(), row_scale: 1.0 }
    }

    fn scale_to_counts(&mut self) {
        let total: f64 = self.positive.iter().zip(&self.negative).map(|(p, n)| p + n).sum();
        let n_distinct = self.len() as f64;
        if total < n_distinct {
            self.row_scale = n_distinct / total;
            for mass in self.positive.iter_mut().chain(&mut self.negative) {
                *mass *= self.row_scale;
            }
        }
    }
}

/// Scrambles 64 bits (the finaliser of splitmix64): each input bit reaches every output bit.
pub(crate) fn mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The bins of each row packed into words of eight, row after row.
struct Contents {
    words: Vec<u64>,
    words_a_row: usize,
}

impl Contents {
    fn of(binned: &BinnedTable) -> Self {
        const BLOCK: usize = 4096; // rows whose words stay in the cache while the columns pass by
        let words_a_row = binned.columns.len().div_ceil(8).max(1);
        let mut words = vec![0; words_a_row * binned.n_rows];
        words.par_chunks_mut(words_a_row * BLOCK).enumerate().for_each(|(block, words)| {
            for (position, column) in binned.columns.iter().enumerate() {
                let (word, shift) = (position / 8, position % 8 * 8);
                let bins = &column.bins[block * BLOCK..];
                for (row, &bin) in words.chunks_exact_mut(words_a_row).zip(bins) {
                    row[word] |= u64::from(bin) << shift;
                }
            }
        });
        Self { words, words_a_row }
    }

    fn row(&self, row: u32) -> &[u64] {
        let start = row as usize * self.words_a_row;
        &self.words[start..start + self.words_a_row]
    }

    fn hash(&self, row: usize) -> u64 {
        self.row(row as u32).iter().fold(0, |hash, &word| mix(hash ^ word))
    }

    fn compare(&self, a: &(u64, u32), b: &(u64, u32)) -> Ordering {
        a.0.cmp(&b.0).then_with(|| self.row(a.1).cmp(self.row(b.1)))
    }
}

/// The given rows, in that order.
fn select(binned: &BinnedTable, rows: &[(u64, u32)]) -> BinnedTable {
    let select_column = |column: &BinnedColumn| BinnedColumn {
        bins: rows.iter().map(|&(_, row)| column.bins[row as usize]).collect(),
        edges: column.edges.clone(),
        has_missing: column.has_missing,
    };
    let columns = binned.columns.par_iter().map(select_column).collect();
    BinnedTable { columns, n_rows: rows.len() }
}
