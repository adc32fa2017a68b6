//! Which rule covers which row, packed for the two questions that the solver asks: sums over the
//! rows that each candidate covers, and the distinct activation patterns of a support.
//!
//! Rules are kept in groups. Within a group a row is described by its *cell*: the set of the
//! group's rules that cover it. Rules of one tree are nested, so twenty or thirty neighbouring rules
//! rarely have more than 256 cells, and one byte a row and group holds everything. A scan is then a
//! histogram over bytes, and all sums of a group follow from its histogram.

mod build;
mod candidates;
mod group;
mod grow;
mod merge;
mod patterns;
mod row_patterns;
mod scaled_feature;

pub use build::PackedColumn;
pub use candidates::Candidates;
pub use merge::MergedRows;
pub use patterns::Patterns;
pub use row_patterns::RowPatterns;
pub use scaled_feature::ScaledFeature;

use group::Group;
use rayon::prelude::*;

/// Two numbers for each row, or their sums over rows; the loss says which.
pub type Pair = [f64; 2];

/// Below this many byte reads a scan is done by one thread: handing it out would cost more.
const PARALLEL_SCAN_CELLS: usize = 1 << 16;

/// The coverage of all candidate rules over all rows.
#[derive(Debug, Clone)]
pub struct Coverage {
    n_rows: usize,
    groups: Vec<Group>,
    /// For each rule its group and its position there.
    places: Vec<(u32, u32)>,
}

impl Coverage {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of rules.
    pub fn n_rules(&self) -> usize {
        self.places.len()
    }

    /// Sums of the rows' values over the rows that each rule covers.
    ///
    /// Every sum is made by one thread in row order, so it does not depend on the thread count.
    pub fn sums(&self, values: &[Pair]) -> Vec<Pair> {
        self.collect_sums(self.n_rows, |group, sums| group.sums(values, sums))
    }

    /// The same over some of the rows only: `values[i]` belongs to `rows[i]`.
    pub fn sums_within(&self, rows: &[u32], values: &[Pair]) -> Vec<Pair> {
        self.collect_sums(rows.len(), |group, sums| group.sums_within(rows, values, sums))
    }

    fn collect_sums(&self, n_read: usize, of_group: impl Fn(&Group, &mut [Pair]) + Sync) -> Vec<Pair> {
        let mut sums = vec![[0.0; 2]; self.n_rules()];
        let mut parts = Vec::with_capacity(self.groups.len());
        let mut rest = sums.as_mut_slice();
        for group in &self.groups {
            let (part, others) = rest.split_at_mut(group.n_rules());
            parts.push((group, part));
            rest = others;
        }
        if n_read * self.groups.len() < PARALLEL_SCAN_CELLS {
            for (group, part) in parts {
                of_group(group, part);
            }
        } else {
            parts.into_par_iter().for_each(|(group, part)| of_group(group, part));
        }
        sums
    }

    /// The rows that a rule covers, ascending.
    pub fn rows_of(&self, rule: usize) -> Vec<u32> {
        let (group, lookup) = self.lookup(rule);
        let covered = |&(_, &cell): &(usize, &u8)| lookup[cell as usize];
        group.cells.iter().enumerate().filter(covered).map(|(row, _)| row as u32).collect()
    }

    /// Whether a rule covers a row.
    pub fn covers(&self, rule: usize, row: usize) -> bool {
        let (group, position) = self.places[rule];
        let group = &self.groups[group as usize];
        group.masks[group.cells[row] as usize] >> position & 1 == 1
    }

    fn lookup(&self, rule: usize) -> (&Group, [bool; 256]) {
        let (group, position) = self.places[rule];
        let group = &self.groups[group as usize];
        (group, group.lookup(position))
    }

    fn from_groups(n_rows: usize, groups: Vec<Group>) -> Self {
        let places = groups
            .iter()
            .enumerate()
            .flat_map(|(index, group)| {
                (0..group.n_rules() as u32).map(move |position| (index as u32, position))
            })
            .collect();
        Self { n_rows, groups, places }
    }
}
