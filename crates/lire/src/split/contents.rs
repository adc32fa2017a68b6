//! Which rows are copies of each other, and hashes of rows that no spelling reaches.
//!
//! The hashes decide which rows are left out together, so whatever says nothing about the rows must not enter them:
//! names of columns and levels, the order of rows and columns, units, weights, repetitions. A number is known by its
//! rank among the numbers of its column, a level by the rows that have it, a column by all its cells.

use rayon::prelude::*;

use super::cells::{Cells, Codes, KnownHashes};
use crate::binning::mix;
use crate::table::{Plain, Table};

/// How often the hashes of rows, columns and levels are made anew from each other: once to tell ends of columns and
/// levels of equal frequency apart, and once more for columns that are known only then.
const REFINEMENTS: usize = 2;

/// Rows whose hashes stay in the cache while the columns pass by.
const BLOCK: usize = 2048;

/// A hash of the features of each row as they are: copies have the same one.
pub fn exact_hashes(table: &Table) -> Vec<u64> {
    // Adding zero turns −0 into 0, and all that is missing has the same bits.
    let bits = |number: f64| if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() };
    let mut hashes = vec![0; table.n_rows()];
    hashes.par_chunks_mut(BLOCK).enumerate().for_each(|(block, hashes)| {
        let rows = block * BLOCK..block * BLOCK + hashes.len();
        for column in table.columns() {
            match column.plain_range(rows.clone()) {
                Plain::Numbers(values) => add(hashes, values.iter().map(|&value| bits(value))),
                Plain::Codes(codes) => add(hashes, codes.iter().map(|&code| u64::from(code))),
            }
        }
    });
    hashes
}

fn add(hashes: &mut [u64], cells: impl Iterator<Item = u64>) {
    for (hash, cell) in hashes.iter_mut().zip(cells) {
        *hash = mix(*hash ^ cell);
    }
}

/// A hash of each of the given rows, which are different ones, that no spelling reaches.
pub fn plain_hashes(table: &Table, rows: &[usize]) -> Vec<u64> {
    let columns = Cells::of_columns(table, rows);
    let sum_up = |codes: &(dyn Fn(&Cells) -> Codes + Sync)| {
        let none = || Sums { shared: 0, rows: vec![0; rows.len()] };
        let add = |sums: Sums, column: &Cells| sums.with(column, &codes(column));
        columns.par_iter().fold(none, add).reduce(none, Sums::and).into_hashes()
    };
    let mut hashes = sum_up(&Cells::first_codes);
    for _ in 0..REFINEMENTS {
        let known = KnownHashes::of(&hashes);
        let next = sum_up(&|column: &Cells| column.codes(&known));
        hashes = next;
    }
    hashes
}

/// The sums of the codes of some columns: for each row what is its own, beside what all rows share.
struct Sums {
    shared: u64,
    rows: Vec<u64>,
}

impl Sums {
    fn with(mut self, column: &Cells, codes: &Codes) -> Self {
        self.shared = self.shared.wrapping_add(codes.shared);
        for (row, &code) in column.own_rows().zip(&codes.own) {
            self.rows[row] = self.rows[row].wrapping_add(code.wrapping_sub(codes.shared));
        }
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.shared = self.shared.wrapping_add(other.shared);
        self.rows.iter_mut().zip(other.rows).for_each(|(sum, part)| *sum = sum.wrapping_add(part));
        self
    }

    fn into_hashes(mut self) -> Vec<u64> {
        self.rows.iter_mut().for_each(|row| *row = row.wrapping_add(self.shared));
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Feature, FeatureKind, Places, Schema, Values, sparse_values};

    const N: usize = 60;

    fn noise(row: usize, salt: u64) -> u64 {
        mix(salt.wrapping_mul(1000) + row as u64)
    }

    fn table(columns: Vec<Values>) -> Table {
        let kind = |values: &Values| match values {
            Values::Numbers(_) | Values::SparseNumbers(_) => FeatureKind::Real,
            Values::Codes(_) | Values::SparseCodes(_) => {
                FeatureKind::Category { levels: (0..5).map(|level| level.to_string()).collect() }
            }
        };
        let feature =
            |(place, values): (usize, &Values)| Feature::new(format!("c{place}"), kind(values), true);
        let features = columns.iter().enumerate().map(feature).collect();
        Table::new(Schema { features }, columns, N).unwrap()
    }

    fn columns() -> Vec<Values> {
        let real = |salt| (0..N).map(|row| (noise(row, salt) % 1000) as f64 / 10.0).collect::<Vec<_>>();
        let mut gaps = real(2);
        gaps[7] = f64::NAN;
        let binary = (0..N).map(|row| (noise(row, 3) % 2) as f64).collect();
        let levels = (0..N).map(|row| (noise(row, 4) % 5) as u32).collect();
        vec![Values::Numbers(real(1)), Values::Numbers(gaps), Values::Numbers(binary), Values::Codes(levels)]
    }

    fn hashes(columns: Vec<Values>) -> Vec<u64> {
        plain_hashes(&table(columns), &(0..N).collect::<Vec<_>>())
    }

    #[test]
    fn no_spelling_reaches_the_hashes() {
        let plain = hashes(columns());
        let mut sorted = plain.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), N, "different rows have different hashes");
        let mut spelled = columns();
        for column in &mut spelled {
            match column {
                Values::Numbers(numbers) => {
                    for number in numbers {
                        *number = 32.0 - 1.8 * *number;
                    }
                }
                Values::Codes(codes) => {
                    for code in codes {
                        *code = (*code * 2 + 3) % 5;
                    }
                }
                _ => unreachable!("the columns are dense"),
            }
        }
        spelled.rotate_left(1);
        assert_eq!(plain, hashes(spelled));
    }

    #[test]
    fn sparse_columns_have_the_hashes_of_dense_ones() {
        let mostly = |cell: f64, salt| {
            (0..N).map(move |row| if row % 9 == 4 { (noise(row, salt) % 3) as f64 - 1.0 } else { cell })
        };
        let mut gaps: Vec<f64> = mostly(0.0, 6).collect();
        gaps[13] = f64::NAN;
        let dense = [
            Values::Numbers(mostly(0.0, 5).collect()),
            Values::Numbers(gaps),
            Values::Numbers(mostly(f64::NAN, 7).collect()),
            Values::Codes(mostly(1.0, 8).map(|code| (code + 1.0) as u32).collect()),
        ];
        let rows: Vec<u32> = (0..N as u32).filter(|row| row % 9 == 4).collect();
        let sparse = |values: &Values| {
            let shared_first: Vec<usize> =
                [0].into_iter().chain(rows.iter().map(|&row| row as usize)).collect();
            sparse_values(values.select(&shared_first).unwrap(), Places::new(rows.clone(), N).unwrap())
                .unwrap()
        };
        let both = |values: &dyn Fn(&Values) -> Values| {
            columns().into_iter().chain(dense.iter().map(values)).collect::<Vec<_>>()
        };
        let (plain, stored) = (both(&Values::clone), both(&sparse));
        assert!(stored[4..].iter().all(|values| !matches!(values, Values::Numbers(_) | Values::Codes(_))));
        assert_eq!(exact_hashes(&table(plain.clone())), exact_hashes(&table(stored.clone())));
        assert_eq!(hashes(plain.clone()), hashes(stored.clone()));
        // Rows looked at may leave no row that shares anything.
        let few: Vec<usize> = rows.iter().map(|&row| row as usize).chain([2]).collect();
        for looked_at in [&few[..], &few[..few.len() - 1]] {
            assert_eq!(
                plain_hashes(&table(plain.clone()), looked_at),
                plain_hashes(&table(stored.clone()), looked_at)
            );
        }
    }

    #[test]
    fn a_cell_that_differs_is_seen() {
        let mut other = columns();
        let Values::Codes(codes) = &mut other[3] else { panic!("levels") };
        codes[0] = (codes[0] + 1) % 5;
        assert_ne!(hashes(columns())[0], hashes(other)[0]);
    }

    #[test]
    fn copies_have_the_same_exact_hash() {
        let twice =
            table(vec![Values::Numbers((0..N).map(|row| if row % 2 == 0 { -0.0 } else { 0.0 }).collect())]);
        let found = exact_hashes(&twice);
        assert!(found.iter().all(|&hash| hash == found[0]));
    }
}
