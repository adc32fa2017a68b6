//! The cells of a column without their spelling, and what is known of each from its column.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::binning::mix;
use crate::table::{Bits, Sparse, Table, UNSEEN, Values};

/// The rank of a missing number.
const NO_RANK: u32 = u32::MAX;
/// What a missing value adds to the hash of its row.
const MISSING_CODE: u64 = 0x5bd1_e995;
/// The place of a row that is not looked at.
const NOWHERE: u32 = u32::MAX;

/// The cells of a column without their spelling: the places of numbers among the distinct ones, or levels.
pub(super) struct Cells {
    kind: Kind,
    /// What all rows have that have no cell of their own, if there are such rows.
    shared: Option<u32>,
    /// The places of the rows that have one; without them all rows have.
    places: Option<Vec<u32>>,
    own: Vec<u32>,
    n_rows: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Ranks { n_distinct: u32 },
    Levels,
}

/// A code for each cell of a column.
pub(super) struct Codes {
    /// That of rows without a cell of their own; 0 if there are none.
    pub shared: u64,
    /// Those of the others.
    pub own: Vec<u64>,
}

/// What is known of the rows.
pub(super) struct KnownHashes<'h> {
    hashes: &'h [u64],
    /// The sum of the mixed hashes.
    all: u64,
    /// The sum over all rows with each code that many rows of a column share.
    with_code: Mutex<BTreeMap<u64, u64>>,
}

impl<'h> KnownHashes<'h> {
    pub fn of(hashes: &'h [u64]) -> Self {
        let all = hashes.iter().map(|&hash| mix(hash)).fold(0, u64::wrapping_add);
        Self { hashes, all, with_code: Mutex::default() }
    }

    /// The sum of all cells of a column in which each has this code.
    fn sum_with(&self, code: u64) -> u64 {
        let known = |known: &BTreeMap<u64, u64>| known.get(&code).copied();
        if let Some(sum) = known(&self.with_code.lock().unwrap_or_else(PoisonError::into_inner)) {
            return sum;
        }
        let sum = self.hashes.iter().map(|&hash| cell(hash, code)).fold(0, u64::wrapping_add);
        self.with_code.lock().unwrap_or_else(PoisonError::into_inner).insert(code, sum);
        sum
    }
}

fn cell(hash: u64, code: u64) -> u64 {
    mix(hash ^ mix(code))
}

impl Cells {
    /// The cells of all columns in the given rows, which are different ones.
    pub fn of_columns(table: &Table, rows: &[usize]) -> Vec<Self> {
        let mut place_of = vec![NOWHERE; table.n_rows()];
        rows.iter().zip(0..).for_each(|(&row, place)| place_of[row] = place);
        table.columns().par_iter().map(|values| Self::of(values, rows, &place_of)).collect()
    }

    fn of(values: &Values, rows: &[usize], place_of: &[u32]) -> Self {
        let n_rows = rows.len();
        let all = |kind, own| Self { kind, shared: None, places: None, own, n_rows };
        match values {
            Values::Codes(codes) => all(Kind::Levels, rows.iter().map(|&row| codes[row]).collect()),
            Values::Numbers(numbers) => {
                let (own, n_distinct) = ranks(rows.iter().map(|&row| numbers[row]));
                all(Kind::Ranks { n_distinct }, own)
            }
            Values::SparseCodes(codes) => {
                let (places, own) = places(codes, place_of);
                let shared = (own.len() < n_rows).then(|| codes.shared());
                Self { kind: Kind::Levels, shared, places: Some(places), own, n_rows }
            }
            Values::SparseNumbers(numbers) => {
                let (places, own) = places(numbers, place_of);
                let is_shared = own.len() < n_rows;
                let shared = is_shared.then(|| numbers.shared());
                // One row stands for all that share a number.
                let (mut own, n_distinct) = ranks(own.into_iter().chain(shared));
                let shared = if is_shared { own.pop() } else { None };
                Self { kind: Kind::Ranks { n_distinct }, shared, places: Some(places), own, n_rows }
            }
        }
    }

    /// The places of the rows with cells of their own.
    pub fn own_rows(&self) -> impl Iterator<Item = usize> + '_ {
        let place = |at: usize| self.places.as_ref().map_or(at, |places| places[at] as usize);
        (0..self.own.len()).map(place)
    }

    /// What is known of a cell from its column alone: how far a number is from either end, as a set, since
    /// the unit decides which end comes first; and how many rows have a level.
    pub fn first_codes(&self) -> Codes {
        match self.kind {
            Kind::Ranks { n_distinct } => {
                let ends =
                    |rank: u32| mix(u64::from(rank)).wrapping_add(mix(u64::from(n_distinct - 1 - rank)));
                self.coded(|rank| mix(if rank == NO_RANK { MISSING_CODE } else { ends(rank) }))
            }
            Kind::Levels => self.level_codes(self.n_rows as u64, |_| 1),
        }
    }

    /// The same with what is known of the rows.
    pub fn codes(&self, known: &KnownHashes) -> Codes {
        let of_row = |row: usize| mix(known.hashes[row]);
        let mut codes = match self.kind {
            Kind::Ranks { n_distinct } => {
                let (mut low, mut high) = (0u64, 0u64);
                let mut add = |rank: u32, sum: u64| {
                    if rank != NO_RANK {
                        let (from_low, from_high) = (u64::from(rank), u64::from(n_distinct - 1 - rank));
                        low = low.wrapping_add(if from_low < from_high { sum } else { 0 });
                        high = high.wrapping_add(if from_low > from_high { sum } else { 0 });
                    }
                };
                let mut others = known.all;
                for (row, &rank) in self.own_rows().zip(&self.own) {
                    add(rank, of_row(row));
                    others = others.wrapping_sub(of_row(row));
                }
                if let Some(rank) = self.shared {
                    add(rank, others);
                }
                let oriented = |rank: u32| u64::from(if low <= high { rank } else { n_distinct - 1 - rank });
                self.coded(|rank| mix(if rank == NO_RANK { MISSING_CODE } else { oriented(rank) }))
            }
            Kind::Levels => self.level_codes(known.all, of_row),
        };
        let mut of_column = self.shared.map_or(0, |_| known.sum_with(codes.shared));
        for (row, &code) in self.own_rows().zip(&codes.own) {
            let hash = known.hashes[row];
            of_column = of_column.wrapping_add(cell(hash, code));
            if self.shared.is_some() {
                of_column = of_column.wrapping_sub(cell(hash, codes.shared));
            }
        }
        if self.shared.is_some() {
            codes.shared = mix(of_column ^ codes.shared);
        }
        for code in &mut codes.own {
            *code = mix(of_column ^ *code);
        }
        codes
    }

    fn coded(&self, code: impl Fn(u32) -> u64) -> Codes {
        Codes {
            shared: self.shared.map_or(0, &code),
            own: self.own.iter().map(|&symbol| code(symbol)).collect(),
        }
    }

    /// Each level as the sum of something over its rows; `all` is the sum over all rows.
    fn level_codes(&self, all: u64, of_row: impl Fn(usize) -> u64) -> Codes {
        let mut sums: BTreeMap<u32, u64> = BTreeMap::new();
        let mut others = all;
        for (row, &level) in self.own_rows().zip(&self.own) {
            let part = of_row(row);
            let sum = sums.entry(level).or_default();
            *sum = sum.wrapping_add(part);
            others = others.wrapping_sub(part);
        }
        if let Some(level) = self.shared {
            let sum = sums.entry(level).or_default();
            *sum = sum.wrapping_add(others);
        }
        self.coded(|level| mix(if level >= UNSEEN { MISSING_CODE ^ u64::from(level) } else { sums[&level] }))
    }
}

/// The places of the rows that differ among those looked at, and their cells.
fn places<T: Bits>(column: &Sparse<T>, place_of: &[u32]) -> (Vec<u32>, Vec<T>) {
    let own = column.entries().map(|(row, cell)| (place_of[row], cell));
    own.filter(|(place, _)| *place != NOWHERE).unzip()
}

/// The place of each number among the distinct ones, and how many these are.
fn ranks(numbers: impl Iterator<Item = f64>) -> (Vec<u32>, u32) {
    let numbers: Vec<f64> = numbers.map(|number| number + 0.0).collect();
    let mut order: Vec<(f64, u32)> =
        numbers.iter().copied().zip(0..).filter(|(number, _)| !number.is_nan()).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut ranks = vec![NO_RANK; numbers.len()];
    let mut n_distinct = 0;
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        for &(_, place) in same {
            ranks[place as usize] = n_distinct;
        }
        n_distinct += 1;
    }
    (ranks, n_distinct)
}
