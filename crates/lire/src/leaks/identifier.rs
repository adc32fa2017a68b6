//! Whether a column only tells rows from one another: a row number, or an identifier.

use std::collections::BTreeSet;

use super::LEAST_ROWS;
use crate::table::{Plain, UNSEEN, Values, all_whole};

/// Whole numbers drawn at random must be expected to repeat so often before it says something that they do not.
const LEAST_EXPECTED: f64 = 10.0;
/// They may repeat in this share of the rows.
const REPEATED: f64 = 0.01;
/// And this often for each time that they were expected to.
const REPEATED_OF_EXPECTED: f64 = 0.1;
/// Levels of an identifier are at least so many for each row.
const LEVELS_A_ROW: f64 = 0.8;
/// Whole numbers between these may be years, one row for each.
const YEARS: (f64, f64) = (1500.0, 2200.0);

/// Whether the values look like those of an identifier; the rows are different ones.
///
/// Whole numbers do that differ in almost all rows although they lie so close together that many would be equal if
/// they were measured: 1 to n, with gaps or in steps too. Among `m` numbers that are equally likely, `n` draws repeat
/// one `n − m·(1 − (1 − 1/m)ⁿ)` times; where they are not equally likely, more often.
pub(super) fn is_likely(values: &Values, rows: &[usize]) -> bool {
    match values.plain() {
        Plain::Numbers(numbers) => {
            let known: Vec<f64> = rows.iter().map(|&row| numbers[row]).filter(|x| !x.is_nan()).collect();
            are_numbered(known)
        }
        Plain::Codes(codes) => {
            let known: Vec<u32> = rows.iter().map(|&row| codes[row]).filter(|&code| code < UNSEEN).collect();
            let n_levels = known.iter().collect::<BTreeSet<_>>().len();
            known.len() >= LEAST_ROWS && n_levels as f64 >= LEVELS_A_ROW * known.len() as f64
        }
    }
}

fn are_numbered(mut numbers: Vec<f64>) -> bool {
    if numbers.len() < LEAST_ROWS || !all_whole(&numbers) {
        return false;
    }
    numbers.sort_unstable_by(f64::total_cmp);
    let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
    if first >= YEARS.0 && last <= YEARS.1 {
        return false;
    }
    // Differences of whole numbers within ±2⁵³ are exact enough: rounding can only make the step smaller.
    let step = numbers.windows(2).fold(0, |step, pair| divisor(step, (pair[1] - pair[0]) as u64));
    if step == 0 {
        return false;
    }
    let n_places = (last - first) / step as f64 + 1.0;
    let n_rows = numbers.len() as f64;
    let n_repeated = numbers.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
    // 1 − (1 − 1/m)ⁿ without losing the digits of a large m.
    let met = -(n_rows * (-1.0 / n_places).ln_1p()).exp_m1();
    let expected = n_rows - n_places * met;
    expected >= LEAST_EXPECTED
        && n_repeated <= REPEATED * n_rows
        && n_repeated <= REPEATED_OF_EXPECTED * expected
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binning::mix;

    fn likely(numbers: impl Iterator<Item = f64>) -> bool {
        let numbers: Vec<f64> = numbers.collect();
        let rows: Vec<usize> = (0..numbers.len()).collect();
        is_likely(&Values::Numbers(numbers), &rows)
    }

    /// As many draws of `below` values.
    fn drawn(n: u64, below: u64) -> impl Iterator<Item = f64> {
        (0..n).map(move |row| (mix(row) % below) as f64)
    }

    #[test]
    fn row_numbers_and_keys_are_identifiers() {
        assert!(likely((1..=200).map(f64::from)), "1 to n");
        assert!(likely((0..200).rev().map(|row| f64::from(row * 10 + 5))), "steps of ten");
        assert!(likely((0..1000).filter(|row| row % 3 > 0).map(f64::from)), "with gaps");
        let keys: BTreeSet<u64> = (0..2000).map(|row| mix(row) % 100_000).collect();
        assert!(likely(keys.into_iter().map(|key| key as f64)), "random keys");
        let gaps = |row: u32| if row.is_multiple_of(9) { f64::NAN } else { f64::from(row) };
        assert!(likely((0..300).map(gaps)), "not in all rows");
        let twice = (0..500).map(f64::from).chain([7.0, 11.0]);
        assert!(likely(twice), "two of them twice");
    }

    #[test]
    fn measured_numbers_are_none() {
        assert!(!likely(drawn(300, 60).map(|age| age + 18.0)), "ages");
        assert!(!likely(drawn(40, 60).map(|age| age + 18.0)), "few ages");
        assert!(!likely(drawn(500, 900).map(|price| 1000.0 * price + 95_000.0)), "rounded prices");
        assert!(!likely(drawn(500, 1_000_000)), "prices that all differ");
        assert!(!likely(drawn(5000, 1_000_000)), "many prices");
        assert!(!likely((0..300).map(|row| f64::from(row) / 10.0)), "tenths");
        assert!(!likely((1950..2020).map(f64::from)), "years, one a row");
        assert!(!likely((0..15).map(f64::from)), "a handful of rows");
        assert!(!likely((0..100).map(|_| 3.0)), "a constant");
        assert!(!likely((0..100).map(|row| f64::from(row) * 1e300)), "huge");
    }

    #[test]
    fn levels_are_counted_where_they_are_known() {
        let codes = |level: fn(u32) -> u32| Values::Codes((0..100).map(level).collect());
        let rows: Vec<usize> = (0..100).collect();
        assert!(is_likely(&codes(|row| row.min(90)), &rows));
        assert!(is_likely(&codes(|row| if row < 50 { row } else { UNSEEN }), &rows));
        assert!(!is_likely(&codes(|row| row / 2), &rows));
        assert!(!is_likely(&codes(|row| if row < 10 { row } else { UNSEEN }), &rows));
    }
}
