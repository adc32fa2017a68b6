//! Sets of rows as bits: row `r` is bit `r mod 64` of word `r / 64`, and bits beyond the last row are 0.

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
pub(super) fn keep_where<T: Copy>(cells: &[T], rows: &mut [u64], holds: impl Fn(T) -> bool) {
    for (word, cells) in rows.iter_mut().zip(cells.chunks(WORD_BITS)) {
        // Narrow rules have lost most words after their first condition.
        if *word != 0 {
            let bits = cells.iter().enumerate().map(|(bit, &cell)| u64::from(holds(cell)) << bit);
            *word &= bits.fold(0, |word, bit| word | bit);
        }
    }
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
