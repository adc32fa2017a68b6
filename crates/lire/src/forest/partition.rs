//! Divides the rows of a node between its children.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::{Split, SplitTest};
use crate::binning::{Bins, MISSING_BIN};

/// Rows that one thread takes at a time.
const BLOCK: usize = 8192;
/// Rows that are divided into a buffer before they are appended.
const BUFFER: usize = 512;

impl Split {
    /// Whether a row with this bin goes to the left child.
    pub fn goes_left(&self, bin: u8) -> bool {
        if bin == MISSING_BIN {
            return self.missing_left;
        }
        match self.test {
            SplitTest::AtMost(last) => bin <= last,
            SplitTest::Equals(level) => bin == level,
            SplitTest::Known => true,
        }
    }

    fn left_bins(&self) -> [bool; 256] {
        std::array::from_fn(|bin| self.goes_left(bin as u8))
    }

    /// The rows of the left and of the right child, in the order they came.
    pub(super) fn divide(&self, rows: &[u32], bins: &Bins, blocks_a_thread: usize) -> (Vec<u32>, Vec<u32>) {
        let left_bins = self.left_bins();
        let mut parts = rows
            .par_chunks(BLOCK)
            .with_min_len(blocks_a_thread)
            .map(|block| match bins {
                Bins::Dense(bins) => divide_block(block, |_, row| bins[row as usize], &left_bins),
                Bins::Sparse(bins) => {
                    let bins = bins.gather(block);
                    divide_block(block, |position, _| bins[position], &left_bins)
                }
            })
            .collect::<Vec<_>>()
            .into_iter();
        let (mut left, mut right) = parts.next().unwrap_or_default();
        for (more_left, more_right) in parts {
            left.extend_from_slice(&more_left);
            right.extend_from_slice(&more_right);
        }
        (left, right)
    }

    /// Notes for each row which child it goes to, where both children are leaves.
    pub(super) fn note_leaves(
        &self,
        rows: &[u32],
        bins: &Bins,
        leaf_of: &[AtomicU32],
        blocks_a_thread: usize,
    ) {
        let left_bins = self.left_bins();
        let [left, right] = [self.left as u32, self.right as u32];
        rows.par_chunks(BLOCK).with_min_len(blocks_a_thread).for_each(|block| {
            let gathered = match bins {
                Bins::Dense(bins) => block.iter().map(|&row| bins[row as usize]).collect(),
                Bins::Sparse(bins) => bins.gather(block),
            };
            for (&row, &bin) in block.iter().zip(&gathered) {
                let goes_left = left_bins[usize::from(bin)];
                // Each row is written once: the atomic only allows threads to share the array.
                leaf_of[row as usize].store(if goes_left { left } else { right }, Ordering::Relaxed);
            }
        });
    }
}

/// `bin_of` knows the bin of a row from its position in the block, or from the row itself.
fn divide_block(
    rows: &[u32],
    bin_of: impl Fn(usize, u32) -> u8,
    left_bins: &[bool; 256],
) -> (Vec<u32>, Vec<u32>) {
    let (mut left, mut right) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    let (mut left_buffer, mut right_buffer) = ([0; BUFFER], [0; BUFFER]);
    for (chunk, rows) in rows.chunks(BUFFER).enumerate() {
        let mut n_left = 0;
        // Both sides are written and only one advances: a branch here would be mispredicted half the time.
        for (position, &row) in rows.iter().enumerate() {
            let goes_left = left_bins[usize::from(bin_of(chunk * BUFFER + position, row))];
            left_buffer[n_left] = row;
            right_buffer[position - n_left] = row;
            n_left += usize::from(goes_left);
        }
        left.extend_from_slice(&left_buffer[..n_left]);
        right.extend_from_slice(&right_buffer[..rows.len() - n_left]);
    }
    (left, right)
}
