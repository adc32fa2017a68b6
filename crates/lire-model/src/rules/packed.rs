//! Sets of rows as bits: row `r` is bit `r mod 64` of word `r / 64`, and bits beyond the last row are 0.

use crate::table::{Bits, Sparse};

const WORD_BITS: usize = u64::BITS as usize;

/// The number of words that a set of rows takes.
pub fn n_words(n_rows: usize) -> usize {
    n_rows.div_ceil(WORD_BITS)
}

/// The set of all rows.
pub fn all_rows(n_rows: usize) -> Vec<u64> {
    let mut words = vec![u64::MAX; n_words(n_rows)];
    let used = n_rows % WORD_BITS;
    if let Some(last) = words.last_mut().filter(|_| used > 0) {
        *last = (1 << used) - 1;
    }
    words
}

/// Takes those rows out of the set whose cell does not hold.
pub fn keep_where<T: Copy>(cells: &[T], rows: &mut [u64], holds: impl Fn(T) -> bool) {
    for (word, cells) in rows.iter_mut().zip(cells.chunks(WORD_BITS)) {
        // Narrow rules have lost most words after their first condition.
        if *word != 0 {
            *word &= pack(cells, &holds);
        }
    }
}

/// The same for a sparse column.
pub fn keep_sparse<T: Bits>(column: &Sparse<T>, rows: &mut [u64], holds: impl Fn(T) -> bool) {
    let bit = |row: usize| 1u64 << (row % 64);
    if holds(column.shared()) {
        let fails = |&(_, cell): &(usize, T)| !holds(cell);
        column.entries().filter(fails).for_each(|(row, _)| rows[row / 64] &= !bit(row));
        return;
    }
    let mut kept = vec![0u64; rows.len()];
    column.entries().filter(|&(_, cell)| holds(cell)).for_each(|(row, _)| kept[row / 64] |= bit(row));
    rows.iter_mut().zip(kept).for_each(|(rows, kept)| *rows &= kept);
}

/// The outcome of a test on up to 64 cells, as bits.
#[inline]
pub fn pack<T: Copy, F: Fn(T) -> bool>(cells: &[T], holds: &F) -> u64 {
    // Bytes first, which the compiler tests many at a time, then eight of them at once into bits.
    let mut held = [0u8; WORD_BITS];
    for (held, &cell) in held.iter_mut().zip(cells) {
        *held = u8::from(holds(cell));
    }
    held.chunks_exact(8).enumerate().fold(0, |word, (nth, eight)| {
        let eight = eight.iter().rev().fold(0u64, |bytes, &byte| bytes << 8 | u64::from(byte));
        // The product gathers the lowest bits of the eight bytes in its highest byte.
        word | (eight.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * nth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_has_a_bit_for_each_row_and_no_more() {
        for n_rows in [0, 1, 63, 64, 65, 128, 130] {
            let words = all_rows(n_rows);
            assert_eq!(words.len(), n_words(n_rows));
            assert_eq!(words.iter().map(|word| word.count_ones() as usize).sum::<usize>(), n_rows);
        }
    }

    #[test]
    fn keep_where_leaves_the_rows_that_hold() {
        let cells: Vec<usize> = (0..100).collect();
        let mut rows = all_rows(100);
        keep_where(&cells, &mut rows, |cell| cell % 3 == 0);
        assert!(cells.iter().all(|&row| (rows[row / 64] >> (row % 64) & 1 == 1) == (row % 3 == 0)));
    }
}
