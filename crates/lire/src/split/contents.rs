//! Which rows are copies of each other, and hashes of rows that no spelling reaches.
//!
//! The hashes decide which rows are left out together, so whatever says nothing about the rows must not enter them:
//! names of columns and levels, the order of rows and columns, units, weights, repetitions. A number is known by its
//! rank among the numbers of its column, a level by the rows that have it, a column by all its cells.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::binning::mix;
use crate::table::{Table, UNSEEN, Values};

/// How often the hashes of rows, columns and levels are made anew from each other: once to tell ends of columns and
/// levels of equal frequency apart, and once more for columns that are known only then.
const REFINEMENTS: usize = 2;

/// The rank of a missing number.
const NO_RANK: u32 = u32::MAX;
/// What a missing value adds to the hash of its row.
const MISSING_CODE: u64 = 0x5bd1_e995;

/// A hash of the features of each row as they are: copies have the same one.
pub fn exact_hashes(table: &Table) -> Vec<u64> {
    // Adding zero turns −0 into 0, and all that is missing has the same bits.
    let bits = |number: f64| if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() };
    let mut hashes = vec![0; table.n_rows()];
    for column in table.columns() {
        for (row, hash) in hashes.iter_mut().enumerate() {
            let cell = match column {
                Values::Numbers(values) => bits(values[row]),
                Values::Codes(codes) => u64::from(codes[row]),
            };
            *hash = mix(*hash ^ cell);
        }
    }
    hashes
}

/// A hash of each of the given rows, which should be different ones, that no spelling reaches.
pub fn plain_hashes(table: &Table, rows: &[usize]) -> Vec<u64> {
    let columns: Vec<Cells> = table.columns().par_iter().map(|values| Cells::of(values, rows)).collect();
    let sum_up = |codes: Vec<Vec<u64>>| {
        let mut hashes = vec![0u64; rows.len()];
        for column in codes {
            hashes.iter_mut().zip(column).for_each(|(hash, code)| *hash = hash.wrapping_add(code));
        }
        hashes
    };
    let mut hashes = sum_up(columns.par_iter().map(Cells::first_codes).collect());
    for _ in 0..REFINEMENTS {
        hashes = sum_up(columns.par_iter().map(|column| column.codes(&hashes)).collect());
    }
    hashes
}

/// The cells of a column without their spelling.
enum Cells {
    /// The place of each number among the distinct ones.
    Ranks { ranks: Vec<u32>, n_distinct: u32 },
    /// The level of each row.
    Levels(Vec<u32>),
}

impl Cells {
    fn of(values: &Values, rows: &[usize]) -> Self {
        match values {
            Values::Codes(codes) => Self::Levels(rows.iter().map(|&row| codes[row]).collect()),
            Values::Numbers(numbers) => {
                let number = |&row: &usize| numbers[row] + 0.0;
                let mut order: Vec<(f64, u32)> =
                    rows.iter().map(number).zip(0..).filter(|(number, _)| !number.is_nan()).collect();
                order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
                let mut ranks = vec![NO_RANK; rows.len()];
                let mut n_distinct = 0;
                for same in order.chunk_by(|a, b| a.0 == b.0) {
                    for &(_, place) in same {
                        ranks[place as usize] = n_distinct;
                    }
                    n_distinct += 1;
                }
                Self::Ranks { ranks, n_distinct }
            }
        }
    }

    /// What is known of a cell from its column alone: how far a number is from either end, as a set, since
    /// the unit decides which end comes first; and how many rows have a level.
    fn first_codes(&self) -> Vec<u64> {
        match self {
            Self::Ranks { ranks, n_distinct } => {
                let ends =
                    |rank: u32| mix(u64::from(rank)).wrapping_add(mix(u64::from(n_distinct - 1 - rank)));
                ranks
                    .iter()
                    .map(|&rank| mix(if rank == NO_RANK { MISSING_CODE } else { ends(rank) }))
                    .collect()
            }
            Self::Levels(levels) => level_codes(levels, |_| 1),
        }
    }

    /// The same with what is known of the rows.
    fn codes(&self, hashes: &[u64]) -> Vec<u64> {
        let mut codes = match self {
            Self::Ranks { ranks, n_distinct } => {
                let (mut low, mut high) = (0u64, 0u64);
                for (&rank, &hash) in ranks.iter().zip(hashes).filter(|(rank, _)| **rank != NO_RANK) {
                    let (from_low, from_high) = (u64::from(rank), u64::from(n_distinct - 1 - rank));
                    low = low.wrapping_add(if from_low < from_high { mix(hash) } else { 0 });
                    high = high.wrapping_add(if from_low > from_high { mix(hash) } else { 0 });
                }
                let oriented = |rank: u32| u64::from(if low <= high { rank } else { n_distinct - 1 - rank });
                let code = |&rank: &u32| mix(if rank == NO_RANK { MISSING_CODE } else { oriented(rank) });
                ranks.iter().map(code).collect()
            }
            Self::Levels(levels) => level_codes(levels, |place| mix(hashes[place])),
        };
        let cell = |(&hash, &code): (&u64, &u64)| mix(hash ^ mix(code));
        let of_column = hashes.iter().zip(&codes).map(cell).fold(0, u64::wrapping_add);
        for code in &mut codes {
            *code = mix(of_column ^ *code);
        }
        codes
    }
}

/// Each level as the sum of something over its rows.
fn level_codes(levels: &[u32], of_row: impl Fn(usize) -> u64) -> Vec<u64> {
    let mut sums: BTreeMap<u32, u64> = BTreeMap::new();
    for (place, &level) in levels.iter().enumerate() {
        let sum = sums.entry(level).or_default();
        *sum = sum.wrapping_add(of_row(place));
    }
    let code = |level: u32| mix(if level >= UNSEEN { MISSING_CODE ^ u64::from(level) } else { sums[&level] });
    levels.iter().map(|&level| code(level)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Feature, FeatureKind, Schema};

    const N: usize = 60;

    fn noise(row: usize, salt: u64) -> u64 {
        mix(salt.wrapping_mul(1000) + row as u64)
    }

    fn table(columns: Vec<Values>) -> Table {
        let kind = |values: &Values| match values {
            Values::Numbers(_) => FeatureKind::Real,
            Values::Codes(_) => {
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
            }
        }
        spelled.rotate_left(1);
        assert_eq!(plain, hashes(spelled));
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
