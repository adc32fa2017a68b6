//! Makes groups of cells out of bit columns, and drops rules from them.

use super::group::{Group, MAX_CELLS, MAX_GROUP_RULES};
use super::{Coverage, Pair};
use crate::binning::mix;
use rayon::prelude::*;

/// The coverage of one rule: bit `row % 64` of word `row / 64`. Bits behind the last row are 0.
pub type PackedColumn = Vec<u64>;

/// One byte holds the cells of this many rules before any merging.
const RULES_PER_BYTE: usize = 8;

impl Coverage {
    /// Builds the coverage from the packed column of each rule.
    ///
    /// The columns are asked for a few at a time and not kept, so that memory stays near one byte a
    /// row and group.
    pub fn build(n_rows: usize, n_rules: usize, column: impl Fn(usize) -> PackedColumn + Sync) -> Self {
        let starts: Vec<usize> = (0..n_rules).step_by(MAX_GROUP_RULES).collect();
        let groups = starts
            .into_par_iter()
            .flat_map_iter(|start| {
                let end = (start + MAX_GROUP_RULES).min(n_rules);
                let bytes = (start..end).step_by(RULES_PER_BYTE).map(|first| {
                    let columns: Vec<_> = (first..(first + RULES_PER_BYTE).min(end)).map(&column).collect();
                    group_of_columns(n_rows, &columns)
                });
                merge_neighbours(bytes, cell_limit(n_rows))
            })
            .collect();
        Self::from_groups(n_rows, groups)
    }

    /// Keeps some of the rules, given in ascending order, and packs the rest closer.
    pub fn keep(self, kept: &[usize]) -> Self {
        let Self { n_rows, groups, places } = self;
        let mut masks = vec![0u64; groups.len()];
        for &rule in kept {
            masks[places[rule].0 as usize] |= 1 << places[rule].1;
        }
        let thinned: Vec<Group> = groups
            .into_par_iter()
            .zip(masks)
            .filter(|(_, mask)| *mask != 0)
            .map(|(group, mask)| thin(group, mask))
            .collect();
        Self::from_groups(n_rows, merge_neighbours(thinned.into_iter(), cell_limit(n_rows)))
    }

    /// For each rule a number that is equal for rules with equal coverage, and for others almost
    /// surely not: the sum of one random number a row.
    pub fn fingerprints(&self) -> Vec<u64> {
        // Multiples of 2⁻²⁶ below 1 add up exactly in f64 for up to 2²⁶ rows, whatever the order.
        let random = |row: usize, salt: u64| (mix(row as u64 ^ salt) >> 38) as f64 / (1u64 << 26) as f64;
        let values: Vec<Pair> = (0..self.n_rows)
            .map(|row| [random(row, 0x9E37_79B9_7F4A_7C15), random(row, 0xD1B5_4A32_D192_ED03)])
            .collect();
        let sums = self.sums(&values);
        sums.iter().map(|sum| mix(sum[0].to_bits()) ^ mix(sum[1].to_bits().rotate_left(32))).collect()
    }
}

/// Up to eight columns side by side: the bits of a row are its cell.
pub(super) fn group_of_columns(n_rows: usize, columns: &[PackedColumn]) -> Group {
    let mut cells = vec![0u8; n_rows.next_multiple_of(64)];
    for (word, block) in cells.chunks_exact_mut(64).enumerate() {
        for (byte, out) in block.chunks_exact_mut(8).enumerate() {
            let mut square = 0u64;
            for (position, column) in columns.iter().enumerate() {
                square |= (column[word] >> (8 * byte) & 0xFF) << (8 * position);
            }
            out.copy_from_slice(&transpose(square).to_le_bytes());
        }
    }
    cells.truncate(n_rows);
    let masks: Vec<u64> = (0..1u64 << columns.len()).collect();
    relabel(&cells, &masks, columns.len())
}

/// Transposes an 8 × 8 bit matrix held in a word, row by row (Hacker's Delight, 7-3).
fn transpose(square: u64) -> u64 {
    let mut x = square;
    for (shift, mask) in
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let swap = (x ^ (x >> shift)) & mask;
        x ^= swap ^ (swap << shift);
    }
    x
}

/// Gives the cells that occur the numbers 0, 1, … in the order of their masks.
fn relabel(cells: &[u8], masks: &[u64], n_rules: usize) -> Group {
    let mut occurs = [false; MAX_CELLS];
    for &cell in cells {
        occurs[cell as usize] = true;
    }
    let mut distinct: Vec<u64> =
        (0..masks.len()).filter(|&cell| occurs[cell]).map(|cell| masks[cell]).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut number = [0u8; MAX_CELLS];
    for cell in (0..masks.len()).filter(|&cell| occurs[cell]) {
        number[cell] = distinct.partition_point(|&mask| mask < masks[cell]) as u8;
    }
    Group::new(cells.iter().map(|&cell| number[cell as usize]).collect(), distinct, n_rules)
}

/// Keeps the rules in `mask` and closes the gaps.
fn thin(group: Group, mask: u64) -> Group {
    if mask.count_ones() as usize == group.n_rules() {
        return group;
    }
    let kept: Vec<u32> = (0..64).filter(|bit| mask >> bit & 1 == 1).collect();
    let squeeze =
        |cell: &u64| kept.iter().enumerate().fold(0, |out, (to, &from)| out | (cell >> from & 1) << to);
    let masks: Vec<u64> = group.masks.iter().map(squeeze).collect();
    relabel(&group.cells, &masks, kept.len())
}

/// The most cells that pay in a group: a scan costs the rows of every group and the cells of every rule, so
/// few rows want small groups.
pub(super) fn cell_limit(n_rows: usize) -> usize {
    (n_rows / 16).clamp(32, MAX_CELLS)
}

/// Joins each group to the one before it while they have few enough common cells.
fn merge_neighbours(groups: impl Iterator<Item = Group>, max_cells: usize) -> Vec<Group> {
    let mut merged: Vec<Group> = Vec::new();
    for group in groups {
        match merged.last().and_then(|last| join(last, &group, max_cells)) {
            Some(joined) => *merged.last_mut().expect("a group was joined to it") = joined,
            None => merged.push(group),
        }
    }
    merged
}

/// One group for the rules of two, if they have few enough common cells.
pub(super) fn join(left: &Group, right: &Group, max_cells: usize) -> Option<Group> {
    if left.n_rules() + right.n_rules() > MAX_GROUP_RULES {
        return None;
    }
    let width = right.masks.len();
    let code = |(&a, &b): (&u8, &u8)| a as usize * width + b as usize;
    let mut occurs = vec![false; left.masks.len() * width];
    let mut n_cells = 0;
    for pair in left.cells.iter().zip(&right.cells) {
        let seen = &mut occurs[code(pair)];
        n_cells += usize::from(!*seen);
        *seen = true;
        if n_cells > max_cells {
            return None;
        }
    }
    let mut number = vec![0u8; occurs.len()];
    let mut masks = Vec::with_capacity(n_cells);
    for at in (0..occurs.len()).filter(|&at| occurs[at]) {
        number[at] = masks.len() as u8;
        masks.push(left.masks[at / width] | right.masks[at % width] << left.n_rules());
    }
    let cells = left.cells.iter().zip(&right.cells).map(|pair| number[code(pair)]).collect();
    Some(Group::new(cells, masks, left.n_rules() + right.n_rules()))
}
