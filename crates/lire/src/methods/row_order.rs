//! An order of the rows that follows from what they hold. Sums over rows round by their order, and among models that are
//! equally good to the last digit this decides; in this order neither names nor the order of columns and levels, nor the
//! direction of a unit, can reach them.

use rayon::prelude::*;

use crate::binning::{BinnedColumn, Bins, Edges, MISSING_BIN, Rows, mix};

/// How often the hashes of rows and bins are made anew from each other: once to tell ends of columns and levels of equal
/// frequency apart, and once more for columns that are known only then.
const REFINEMENTS: usize = 2;

/// A code for each bin of a column.
type Codes = [u64; 256];

/// Brings the rows into this order.
pub(super) fn order_rows(rows: &mut Rows) {
    let hashes = hashes(rows);
    rows.reorder(&hashes);
}

/// A hash of each row's features that no spelling reaches.
fn hashes(rows: &Rows) -> Vec<u64> {
    let columns = &rows.binned.columns;
    let ones = vec![1; rows.len()];
    let first: Vec<Codes> = columns.par_iter().map(|column| first_codes(column, &ones)).collect();
    let mut hashes = summed(rows.len(), columns, &first);
    for _ in 0..REFINEMENTS {
        let parts: Vec<u64> = hashes.iter().map(|&hash| mix(hash)).collect();
        let total = parts.iter().fold(0u64, |sum, &part| sum.wrapping_add(part));
        let codes: Vec<Codes> = columns.par_iter().map(|column| codes(column, &parts, total)).collect();
        hashes = summed(rows.len(), columns, &codes);
    }
    hashes
}

/// The sum of the codes of each row's bins.
fn summed(n_rows: usize, columns: &[BinnedColumn], codes: &[Codes]) -> Vec<u64> {
    const BLOCK: usize = 4096;
    let mut hashes = vec![0u64; n_rows];
    hashes.par_chunks_mut(BLOCK).enumerate().for_each(|(block, hashes)| {
        for (column, codes) in columns.iter().zip(codes) {
            let Bins::Dense(bins) = &column.bins else { continue };
            for (hash, &bin) in hashes.iter_mut().zip(&bins[block * BLOCK..]) {
                *hash = hash.wrapping_add(codes[usize::from(bin)]);
            }
        }
    });
    let mut of_all = 0u64;
    for (column, codes) in columns.iter().zip(codes) {
        let Bins::Sparse(bins) = &column.bins else { continue };
        let shared = codes[usize::from(bins.shared())];
        of_all = of_all.wrapping_add(shared);
        for (row, bin) in bins.entries() {
            hashes[row] = hashes[row].wrapping_add(codes[usize::from(bin)]).wrapping_sub(shared);
        }
    }
    for hash in &mut hashes {
        *hash = hash.wrapping_add(of_all);
    }
    hashes
}

/// What is known of a bin from its column alone: how far it is from either end, as a set, since the unit decides which
/// end comes first; and how many rows a level has.
fn first_codes(column: &BinnedColumn, ones: &[u64]) -> Codes {
    let n_rows = column.bins.sums(ones, ones.len() as u64);
    of_each_bin(column, |bin| match column.edges {
        Edges::Levels(_) => mix(n_rows[bin]),
        Edges::Cuts(_) => mix(bin as u64).wrapping_add(mix(last_bin(column).abs_diff(bin) as u64)),
    })
}

/// The same with what is known of the rows in each bin: a number of each row, and the sum of all.
fn codes(column: &BinnedColumn, of_rows: &[u64], total: u64) -> Codes {
    let inside = column.bins.sums(of_rows, total);
    let last = last_bin(column);
    let end = |side: fn(usize, usize) -> bool| {
        (0..=last).filter(|&bin| side(bin, last - bin)).fold(0u64, |sum, bin| sum.wrapping_add(inside[bin]))
    };
    let is_upward = end(|low, high| low < high) <= end(|low, high| low > high);
    let code = of_each_bin(column, |bin| match column.edges {
        Edges::Levels(_) => mix(inside[bin]),
        Edges::Cuts(_) if is_upward => mix(bin as u64),
        Edges::Cuts(_) => mix(last.abs_diff(bin) as u64),
    });
    let together = |(&inside, &code): (&u64, &u64)| mix(inside ^ mix(code));
    let of_column = inside.iter().zip(&code).map(together).fold(0u64, u64::wrapping_add);
    code.map(|code| mix(of_column ^ code))
}

/// A code for each bin, and another for missing values.
fn of_each_bin(column: &BinnedColumn, code: impl Fn(usize) -> u64) -> Codes {
    let missing = usize::from(MISSING_BIN);
    std::array::from_fn(|bin| match bin {
        _ if bin == missing => mix(u64::MAX),
        _ if bin < column.n_bins() => code(bin),
        _ => 0,
    })
}

fn last_bin(column: &BinnedColumn) -> usize {
    column.n_bins().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binning::BinnedTable;
    use crate::table::{Feature, FeatureKind, Schema, Table, TargetValues, Values};

    const N: usize = 80;

    fn rows(columns: Vec<Values>) -> Rows {
        let kind = |values: &Values| match values {
            Values::Numbers(_) => FeatureKind::Real,
            _ => FeatureKind::Category { levels: (0..6).map(|level| level.to_string()).collect() },
        };
        let feature = |values: &Values| Feature::new("x", kind(values), true);
        let schema = Schema { features: columns.iter().map(feature).collect() };
        let table = Table::new(schema, columns, N).unwrap();
        let truth: Vec<f64> = (0..N).map(|row| row as f64).collect();
        let weights = vec![1.0; N];
        Rows::merge(&BinnedTable::of(&table, &weights), &TargetValues::Numbers(truth), &weights)
    }

    /// The rows by what they are to predict, which tells them apart, in their order.
    fn order(columns: Vec<Values>) -> Vec<f64> {
        let mut rows = rows(columns);
        order_rows(&mut rows);
        let crate::binning::Outcome::Number { values, .. } = &rows.outcomes[0] else { panic!("numbers") };
        values.clone()
    }

    fn columns() -> Vec<Values> {
        let noise = |row: usize, salt: u64| mix(salt.wrapping_mul(1000) + row as u64);
        let real = |salt| (0..N).map(|row| (noise(row, salt) % 1000) as f64 / 8.0).collect::<Vec<_>>();
        let mut gaps = real(2);
        gaps[7] = f64::NAN;
        let few = (0..N).map(|row| (noise(row, 3) % 3) as f64).collect();
        let levels = (0..N).map(|row| (noise(row, 4) % 6) as u32).collect();
        vec![Values::Numbers(real(1)), Values::Numbers(gaps), Values::Numbers(few), Values::Codes(levels)]
    }

    #[test]
    fn no_spelling_reaches_the_order() {
        let plain = order(columns());
        let mut respelled = columns();
        for column in &mut respelled {
            match column {
                Values::Numbers(numbers) => {
                    for number in numbers {
                        *number = 32.0 - 2.0 * *number;
                    }
                }
                Values::Codes(codes) => {
                    for code in codes {
                        *code = (*code * 5 + 1) % 6;
                    }
                }
                _ => panic!("dense columns"),
            }
        }
        respelled.rotate_left(1);
        assert_eq!(plain, order(respelled));
        assert_ne!(plain, (0..N).map(|row| row as f64).collect::<Vec<_>>());
    }

    #[test]
    fn rows_stay_whole() {
        let (before, mut after) = (rows(columns()), rows(columns()));
        order_rows(&mut after);
        let of = |rows: &Rows| {
            let crate::binning::Outcome::Number { values, .. } = &rows.outcomes[0] else { panic!("numbers") };
            let row = |at: usize| {
                let bins: Vec<u8> = rows.binned.columns.iter().map(|column| column.bins[at]).collect();
                (values[at] as usize, bins, rows.counts[at] as usize)
            };
            let mut all: Vec<_> = (0..rows.len()).map(row).collect();
            all.sort();
            all
        };
        assert_eq!(of(&before), of(&after));
    }
}
