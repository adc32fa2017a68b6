//! A few neighbouring rules: one byte a row says which of them cover it.

use super::Pair;

/// The most rules in a group: their cells are bit masks of one word.
pub(super) const MAX_GROUP_RULES: usize = 64;
/// The most cells in a group: a row's cell is one byte.
pub(super) const MAX_CELLS: usize = 256;
/// With fewer rows than this for each cell one histogram is cheaper than four that must be cleared.
const ROWS_PER_CELL_FOR_LANES: usize = 8;

/// Rules that share one byte column.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The cell of each row.
    pub cells: Vec<u8>,
    /// For each cell the rules that cover it, as bits.
    pub masks: Vec<u64>,
    /// For each rule the cells it covers.
    pub members: Vec<Vec<u8>>,
}

impl Group {
    /// A group from the cell of each row and the rules of each cell.
    pub fn new(cells: Vec<u8>, masks: Vec<u64>, n_rules: usize) -> Self {
        debug_assert!(masks.len() <= MAX_CELLS && n_rules <= MAX_GROUP_RULES);
        let members = (0..n_rules)
            .map(|rule| {
                (0..masks.len()).filter(|&cell| masks[cell] >> rule & 1 == 1).map(|cell| cell as u8).collect()
            })
            .collect();
        Self { cells, masks, members }
    }

    pub fn n_rules(&self) -> usize {
        self.members.len()
    }

    /// For each cell whether the rule covers it.
    pub fn lookup(&self, position: u32) -> [bool; 256] {
        let mut lookup = [false; 256];
        for &cell in &self.members[position as usize] {
            lookup[cell as usize] = true;
        }
        lookup
    }

    /// Adds up the values of the covered rows for each rule.
    pub fn sums(&self, values: &[Pair], sums: &mut [Pair]) {
        // A histogram no larger than needed: with few rows, clearing it would be most of the work.
        match self.masks.len() {
            0..=32 => self.sums_by::<32>(values, sums),
            33..=64 => self.sums_by::<64>(values, sums),
            _ => self.sums_by::<MAX_CELLS>(values, sums),
        }
    }

    fn sums_by<const CELLS: usize>(&self, values: &[Pair], sums: &mut [Pair]) {
        if self.cells.len() < ROWS_PER_CELL_FOR_LANES * CELLS {
            let mut histogram = [[0.0; 2]; CELLS];
            for (&cell, &value) in self.cells.iter().zip(values) {
                add(&mut histogram[cell as usize % CELLS], value);
            }
            return self.sums_of_histogram(&histogram, sums);
        }
        // Four histograms in turn: rows near each other often share a cell, and an addition to the same
        // place would have to wait for the one before it.
        let mut lanes = [[[0.0; 2]; CELLS]; 4];
        let (fours, values_of_fours) = (self.cells.chunks_exact(4), values.chunks_exact(4));
        for (&cell, &value) in fours.remainder().iter().zip(values_of_fours.remainder()) {
            add(&mut lanes[0][cell as usize % CELLS], value);
        }
        for (cells, values) in fours.zip(values_of_fours) {
            for lane in 0..4 {
                add(&mut lanes[lane][cells[lane] as usize % CELLS], values[lane]);
            }
        }
        let [mut total, rest @ ..] = lanes;
        for lane in &rest {
            for (total, part) in total[..self.masks.len()].iter_mut().zip(lane) {
                add(total, *part);
            }
        }
        self.sums_of_histogram(&total, sums);
    }

    /// Adds up the values of some rows, `values[i]` being that of `rows[i]`, for each rule.
    pub fn sums_within(&self, rows: &[u32], values: &[Pair], sums: &mut [Pair]) {
        match self.masks.len() {
            0..=32 => self.sums_within_by::<32>(rows, values, sums),
            33..=64 => self.sums_within_by::<64>(rows, values, sums),
            _ => self.sums_within_by::<MAX_CELLS>(rows, values, sums),
        }
    }

    fn sums_within_by<const CELLS: usize>(&self, rows: &[u32], values: &[Pair], sums: &mut [Pair]) {
        let mut histogram = [[0.0; 2]; CELLS];
        for (&row, &value) in rows.iter().zip(values) {
            add(&mut histogram[self.cells[row as usize] as usize % CELLS], value);
        }
        self.sums_of_histogram(&histogram, sums);
    }

    fn sums_of_histogram(&self, histogram: &[Pair], sums: &mut [Pair]) {
        for (sum, members) in sums.iter_mut().zip(&self.members) {
            *sum = [0.0; 2];
            for &cell in members {
                add(sum, histogram[cell as usize]);
            }
        }
    }
}

// Without it the loops over rows call a function for each row in builds with little optimisation.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn add(to: &mut Pair, value: Pair) {
    to[0] += value[0];
    to[1] += value[1];
}
