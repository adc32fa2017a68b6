//! Rows that the same rules cover are one row to the solver.

use super::group::Group;
use super::{Coverage, Pair};
use crate::binning::mix;
use rayon::prelude::*;

/// A coverage over distinct rows, with which of them each row became.
#[derive(Debug, Clone)]
pub struct MergedRows {
    /// The coverage over the distinct rows.
    pub coverage: Coverage,
    /// The distinct row of each row.
    pub place: Vec<u32>,
}

impl MergedRows {
    /// Merges rows that no rule tells apart, in the order of their first occurrence.
    pub fn of(coverage: Coverage) -> Self {
        let signatures = signatures(&coverage.groups, coverage.n_rows);
        let mut order: Vec<u32> = (0..coverage.n_rows as u32).collect();
        order.par_sort_unstable_by_key(|&row| (signatures[row as usize], row));
        let same = |a: u32, b: u32| {
            signatures[a as usize] == signatures[b as usize]
                && coverage.groups.iter().all(|group| group.cells[a as usize] == group.cells[b as usize])
        };
        let mut first_of = vec![0u32; coverage.n_rows];
        let mut first = order.first().copied().unwrap_or(0);
        for &row in &order {
            if !same(first, row) {
                first = row;
            }
            first_of[row as usize] = first;
        }
        let mut place = first_of;
        let mut kept = Vec::new();
        for row in 0..place.len() {
            let first = place[row] as usize;
            place[row] = if first == row { kept.len() as u32 } else { place[first] };
            if first == row {
                kept.push(row);
            }
        }
        let groups = coverage
            .groups
            .into_par_iter()
            .map(|group| Group { cells: kept.iter().map(|&row| group.cells[row]).collect(), ..group })
            .collect();
        Self { coverage: Coverage::from_groups(kept.len(), groups), place }
    }

    /// The sums of the rows' values over each distinct row.
    pub fn merge(&self, values: &[Pair]) -> Vec<Pair> {
        let mut sums = vec![[0.0; 2]; self.coverage.n_rows];
        for (&place, value) in self.place.iter().zip(values) {
            let sum = &mut sums[place as usize];
            sum[0] += value[0];
            sum[1] += value[1];
        }
        sums
    }
}

/// A hash of the cells of each row.
fn signatures(groups: &[Group], n_rows: usize) -> Vec<u64> {
    let mut signatures = vec![0u64; n_rows];
    for (index, group) in groups.iter().enumerate() {
        let random: Vec<u64> = (0..256).map(|cell| mix((index as u64) << 8 | cell)).collect();
        for (signature, &cell) in signatures.iter_mut().zip(&group.cells) {
            *signature = signature.wrapping_add(random[cell as usize]);
        }
    }
    signatures
}
