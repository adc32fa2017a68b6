//! Training rows merged by content.

use rayon::prelude::*;

use super::bins::NOWHERE;
use super::contents::Contents;
use super::{BinnedColumn, BinnedTable};
use crate::table::TargetValues;

/// Training rows, merged: one row for each distinct content, with what is to be predicted of it.
///
/// The content of a row is its bins and, where a number is predicted, that number.
///
/// Rows are in the order of their content hash, so that neither the order of the input nor the
/// difference between a weight of 2 and a row given twice can reach anything that follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The features.
    pub binned: BinnedTable,
    /// One for each output of a model: one for two classes or a number, else one for each class.
    pub outcomes: Vec<Outcome>,
    /// How many rows of the table each is, whatever they weigh.
    pub counts: Vec<f64>,
    /// A hash of the content; all sampling starts from it.
    pub hashes: Vec<u64>,
    /// What weights were multiplied by, so that they work as counts of rows: 1 unless the weights sum to
    /// less than the number of distinct rows, as shares or probabilities do.
    pub row_scale: f64,
}

/// What one output of a model learns from: for each distinct row. Weights are times [`Rows::row_scale`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A class against all others.
    Class {
        /// The weight of rows of the class.
        inside: Vec<f64>,
        /// The weight of all other rows.
        outside: Vec<f64>,
    },
    /// A number.
    Number {
        /// The number.
        values: Vec<f64>,
        /// The weight of the rows.
        weights: Vec<f64>,
    },
}

impl Outcome {
    /// The mass of each row, as the losses know it.
    pub fn masses(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Class { inside, outside } => inside.iter().zip(outside).map(|(&a, &b)| [a, b]).collect(),
            Self::Number { values, weights } => {
                values.iter().zip(weights).map(|(&value, &weight)| [value * weight, weight]).collect()
            }
        }
    }

    /// The weight of each row.
    pub fn weights(&self) -> Vec<f64> {
        match self {
            Self::Class { inside, outside } => inside.iter().zip(outside).map(|(a, b)| a + b).collect(),
            Self::Number { weights, .. } => weights.clone(),
        }
    }

    fn scale(&mut self, by: f64) {
        let scaled = match self {
            Self::Class { inside, outside } => inside.iter_mut().chain(outside),
            Self::Number { weights, .. } => weights.iter_mut().chain(&mut []),
        };
        for mass in scaled {
            *mass *= by;
        }
    }
}

impl Rows {
    /// Drops rows of weight zero and merges rows with the same bins in all columns, and the same number where
    /// one is predicted.
    pub fn merge(binned: &BinnedTable, target: &TargetValues, weights: &[f64]) -> Self {
        let contents = Contents::of(binned);
        let mut order: Vec<(u64, u32)> = (0..binned.n_rows)
            .into_par_iter()
            .filter(|&row| weights[row] > 0.0)
            .map(|row| (contents.hash(row), row as u32))
            .collect();
        let by_truth = |a: usize, b: usize| match target {
            TargetValues::Classes(of) => of.labels[a].cmp(&of.labels[b]),
            TargetValues::Numbers(values) => unsigned_zero(values[a]).total_cmp(&unsigned_zero(values[b])),
        };
        // Truth and weight decide among equal contents, so that the sums below round the same way
        // whatever the order of the input.
        order.par_sort_unstable_by(|first, second| {
            let (a, b) = (first.1 as usize, second.1 as usize);
            contents
                .compare(first, second)
                .then_with(|| by_truth(a, b))
                .then_with(|| weights[a].total_cmp(&weights[b]))
        });

        let numbers = matches!(target, TargetValues::Numbers(_));
        let same = |a: &(u64, u32), b: &(u64, u32)| {
            contents.compare(a, b).is_eq() && !(numbers && by_truth(a.1 as usize, b.1 as usize).is_ne())
        };
        let mut firsts: Vec<(u64, u32)> = Vec::new();
        let mut places: Vec<u32> = Vec::with_capacity(order.len());
        for entry in &order {
            if !firsts.last().is_some_and(|last| same(last, entry)) {
                firsts.push(*entry);
            }
            places.push(firsts.len() as u32 - 1);
        }
        let mut counts = vec![0.0; firsts.len()];
        for &place in &places {
            counts[place as usize] += 1.0;
        }
        let members = order.iter().map(|&(_, row)| row as usize).zip(places.iter().map(|&at| at as usize));
        let outcomes = outcomes(target, weights, members, &firsts);
        let hash_of = |&(hash, row): &(u64, u32)| match target {
            TargetValues::Classes(_) => hash,
            TargetValues::Numbers(values) => mix(hash ^ unsigned_zero(values[row as usize]).to_bits()),
        };
        let hashes = firsts.iter().map(hash_of).collect();
        let mut rows = Self { binned: select(binned, &firsts), outcomes, counts, hashes, row_scale: 1.0 };
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

    /// Brings the rows into the order of these hashes, which take the place of their own.
    pub fn reorder(&mut self, hashes: &[u64]) {
        // Rows of equal hashes stay as they stand to each other.
        let mut order: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
        order.par_sort_unstable();
        self.binned = select(&self.binned, &order);
        let place = |&(_, row): &(u64, u32)| row as usize;
        let ordered = |values: &[f64]| order.iter().map(|entry| values[place(entry)]).collect::<Vec<f64>>();
        self.counts = ordered(&self.counts);
        for outcome in &mut self.outcomes {
            let (Outcome::Class { inside: first, outside: second }
            | Outcome::Number { values: first, weights: second }) = outcome;
            (*first, *second) = (ordered(first), ordered(second));
        }
        self.hashes = match self.outcomes.first() {
            Some(Outcome::Number { values, .. }) => {
                order.iter().zip(values).map(|(&(hash, _), value)| mix(hash ^ value.to_bits())).collect()
            }
            _ => order.iter().map(|&(hash, _)| hash).collect(),
        };
    }

    /// The weight of each distinct row.
    pub fn weights(&self) -> Vec<f64> {
        self.outcomes.first().map(Outcome::weights).unwrap_or_default()
    }

    fn scale_to_counts(&mut self) {
        let total: f64 = self.weights().iter().sum();
        let n_distinct = self.len() as f64;
        if total < n_distinct {
            self.row_scale = n_distinct / total;
            for outcome in &mut self.outcomes {
                outcome.scale(self.row_scale);
            }
        }
    }
}

/// Sums up what is to be predicted: `members` are rows with the distinct row that they are merged into.
fn outcomes(
    target: &TargetValues,
    weights: &[f64],
    members: impl Iterator<Item = (usize, usize)> + Clone,
    firsts: &[(u64, u32)],
) -> Vec<Outcome> {
    let n_distinct = firsts.len();
    match target {
        TargetValues::Classes(of) => {
            let against_others = |class: u32| {
                let (mut inside, mut outside) = (vec![0.0; n_distinct], vec![0.0; n_distinct]);
                for (row, place) in members.clone() {
                    let side = if of.labels[row] == class { &mut inside } else { &mut outside };
                    side[place] += weights[row];
                }
                Outcome::Class { inside, outside }
            };
            of.outputs().map(against_others).collect()
        }
        TargetValues::Numbers(values) => {
            let mut sums = vec![0.0; n_distinct];
            for (row, place) in members {
                sums[place] += weights[row];
            }
            let values = firsts.iter().map(|&(_, row)| unsigned_zero(values[row as usize])).collect();
            vec![Outcome::Number { values, weights: sums }]
        }
    }
}

/// Turns −0 into 0: the two are one number.
fn unsigned_zero(number: f64) -> f64 {
    number + 0.0
}

/// Scrambles 64 bits (the finaliser of splitmix64): each input bit reaches every output bit.
pub(crate) fn mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The given rows, in that order.
fn select(binned: &BinnedTable, rows: &[(u64, u32)]) -> BinnedTable {
    let rows: Vec<u32> = rows.iter().map(|&(_, row)| row).collect();
    let mut place_of = vec![NOWHERE; binned.n_rows];
    rows.iter().zip(0..).for_each(|(&row, place)| place_of[row as usize] = place);
    let select_column = |column: &BinnedColumn| BinnedColumn {
        bins: column.bins.select(&rows, &place_of),
        edges: column.edges.clone(),
        has_missing: column.has_missing,
    };
    let columns = binned.columns.par_iter().map(select_column).collect();
    BinnedTable { columns, n_rows: rows.len() }
}
