//! Rows that the same rules cover are one row to the solver.

use super::group::Group;
use super::{Coverage, Pair};
use crate::binning::mix;
use rayon::prelude::*;

/// A coverage over distinct rows, with their summed masses.
#[derive(Debug, Clone)]
pub struct MergedRows {
    /// The coverage over the distinct rows.
    pub coverage: Coverage,
    /// The summed values of the rows behind each distinct row.
    pub masses: Vec<Pair>,
}

impl MergedRows {
    /// Merges rows that no rule tells apart, in the order of their first occurrence.
    pub fn of(coverage: Coverage, masses: &[Pair]) -> Self {
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
        let mut number = vec![0u32; coverage.n_rows];
        let mut kept = Vec::new();
        let mut summed: Vec<Pair> = Vec::new();
        for (row, &first) in first_of.iter().enumerate() {
            if first as usize == row {
                number[row] = kept.len() as u32;
                kept.push(row);
                summed.push([0.0; 2]);
            }
            let sum = &mut summed[number[first as usize] as usize];
            sum[0] += masses[row][0];
            sum[1] += masses[row][1];
        }
        let groups = coverage
            .groups
            .into_par_iter()
            .map(|group| Group { cells: kept.iter().map(|&row| group.cells[row]).collect(), ..group })
            .collect();
        Self { coverage: Coverage::from_groups(kept.len(), groups), masses: summed }
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
