//! The pattern of each row over a list of rules, kept up to date while rules come and go.

use super::group::add;
use super::patterns::{Lists, Patterns};
use super::{Coverage, Pair};
use crate::binning::mix;
use hashbrown::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The patterns of a list of rules, and which of them each row has.
#[derive(Debug, Clone)]
pub struct RowPatterns {
    n_rules: usize,
    /// The pattern of each row.
    of_row: Vec<u32>,
    patterns: Patterns,
}

impl RowPatterns {
    /// The one pattern of no rules at all.
    pub fn of_no_rules(masses: &[Pair]) -> Self {
        let total = masses.iter().fold([0.0; 2], |sum, mass| [sum[0] + mass[0], sum[1] + mass[1]]);
        let mut patterns = Patterns::default();
        patterns.push(std::iter::empty(), total);
        Self { n_rules: 0, of_row: vec![0; masses.len()], patterns }
    }

    /// The patterns of a list of rules in ascending order, at once: cheaper than to insert many one by one.
    pub fn of(coverage: &Coverage, rules: &[usize], masses: &[Pair]) -> Self {
        let of_groups = cell_patterns(coverage, rules);
        let mut row_keys = vec![Key::default(); masses.len()];
        for of_group in &of_groups {
            for (key, &cell) in row_keys.iter_mut().zip(of_group.cells) {
                key.add(of_group.keys[cell as usize]);
            }
        }
        let mut numbers: HashMap<Key, u32, BuildHasherDefault<AsIs>> = HashMap::default();
        let mut of_row = Vec::with_capacity(masses.len());
        let (mut first_rows, mut sums): (Vec<usize>, Vec<Pair>) = (Vec::new(), Vec::new());
        for (row, (key, mass)) in row_keys.into_iter().zip(masses).enumerate() {
            let index = *numbers.entry(key).or_insert_with(|| {
                first_rows.push(row);
                sums.push([0.0; 2]);
                sums.len() as u32 - 1
            });
            of_row.push(index);
            add(&mut sums[index as usize], *mass);
        }
        let patterns = Patterns::of_parts(lists_of(&of_groups, &first_rows), sums);
        Self { n_rules: rules.len(), of_row, patterns }
    }

    /// The patterns.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The pattern of each row.
    pub fn of_row(&self) -> &[u32] {
        &self.of_row
    }

    /// For each pattern the masses of those of its rows that a rule covers.
    pub fn masses_under(&self, coverage: &Coverage, rule: usize, masses: &[Pair]) -> Vec<Pair> {
        let (group, lookup) = coverage.lookup(rule);
        // Both sides are summed up: a branch for each row would be mispredicted too often.
        let mut sums = vec![[[0.0; 2]; 2]; self.patterns.len()];
        for ((&pattern, &cell), mass) in self.of_row.iter().zip(&group.cells).zip(masses) {
            add(&mut sums[pattern as usize][usize::from(lookup[cell as usize])], *mass);
        }
        sums.into_iter().map(|[_, covered]| covered).collect()
    }

    /// Adds a rule behind the others.
    pub fn insert(&mut self, coverage: &Coverage, rule: usize, masses: &[Pair]) {
        const NONE: u32 = u32::MAX;
        let (group, lookup) = coverage.lookup(rule);
        let mut halves = vec![[NONE; 2]; self.patterns.len()];
        let mut old = Vec::with_capacity(self.patterns.len() * 2);
        let mut sums: Vec<Pair> = Vec::with_capacity(self.patterns.len() * 2);
        for ((pattern, &cell), mass) in self.of_row.iter_mut().zip(&group.cells).zip(masses) {
            let covered = lookup[cell as usize];
            let half = &mut halves[*pattern as usize][usize::from(covered)];
            if *half == NONE {
                *half = old.len() as u32;
                old.push((*pattern, covered));
                sums.push([0.0; 2]);
            }
            *pattern = *half;
            add(&mut sums[*half as usize], *mass);
        }
        let mut active = Lists::default();
        for (pattern, covered) in old {
            let before = self.patterns.active(pattern as usize).iter().copied();
            active.push(before.chain(covered.then_some(self.n_rules as u16)));
        }
        self.patterns = Patterns::of_parts(active, sums);
        self.n_rules += 1;
    }

    /// Takes a rule out; the positions behind it move up by one.
    pub fn remove(&mut self, position: usize) {
        let (patterns, becomes) = self.patterns.without(position, self.n_rules);
        for pattern in &mut self.of_row {
            *pattern = becomes[*pattern as usize];
        }
        self.patterns = patterns;
        self.n_rules -= 1;
    }
}

/// What each cell of a group says of those of its rules that are in a list.
struct CellPatterns<'c> {
    /// The cell of each row.
    cells: &'c [u8],
    /// For each cell the sum of the keys of its rules.
    keys: Vec<Key>,
    /// For each cell the positions of its rules in the list.
    active: Lists,
}

/// The rules of a list, ascending, group by group: what a row's cell says of all rules of its group is read at once.
fn cell_patterns<'c>(coverage: &'c Coverage, rules: &[usize]) -> Vec<CellPatterns<'c>> {
    let mut start = 0;
    let mut found = Vec::new();
    for of_group in rules.chunk_by(|&a, &b| coverage.places[a].0 == coverage.places[b].0) {
        found.push(CellPatterns::of(coverage, of_group, start));
        start += of_group.len();
    }
    found
}

impl<'c> CellPatterns<'c> {
    /// Of some rules of one group, the first of which is at `start` in the list.
    fn of(coverage: &'c Coverage, rules: &[usize], start: usize) -> Self {
        let group = &coverage.groups[coverage.places[rules[0]].0 as usize];
        let mut of_cells = Self { cells: &group.cells, keys: Vec::new(), active: Lists::default() };
        for mask in &group.masks {
            let covers = |&nth: &usize| mask >> coverage.places[rules[nth]].1 & 1 == 1;
            let active: Vec<usize> = (0..rules.len()).filter(covers).collect();
            of_cells.keys.push(Key::of_rules(active.iter().map(|&nth| rules[nth])));
            of_cells.active.push(active.iter().map(|nth| (start + nth) as u16));
        }
        of_cells
    }

    /// The positions of the rules that cover a row.
    fn active(&self, row: usize) -> &[u16] {
        self.active.get(self.cells[row] as usize)
    }
}

/// Two sums of random numbers, of 64 bits each, which tell sets of rules apart: even among 10⁹ sets no two are likely to
/// agree in both (one chance in 10²⁰).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Key([u64; 2]);

impl Key {
    fn of_rules(rules: impl Iterator<Item = usize>) -> Self {
        /// Two sequences that have nothing to do with each other.
        const SALT: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut sum = Self::default();
        for rule in rules {
            sum.add(Self([mix(rule as u64), mix(mix(rule as u64 ^ SALT))]));
        }
        sum
    }

    // Called for each row and group.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn add(&mut self, other: Self) {
        self.0 = [self.0[0].wrapping_add(other.0[0]), self.0[1].wrapping_add(other.0[1])];
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0[0]);
    }
}

/// The active positions of some rows, ascending. Group by group: its few lists stay at hand.
fn lists_of(of_groups: &[CellPatterns], rows: &[usize]) -> Lists {
    // Where the next position of each list goes; in the end, where the list ends.
    let mut ends = vec![0u32; rows.len()];
    for of_group in of_groups {
        for (length, &row) in ends.iter_mut().zip(rows) {
            *length += of_group.active(row).len() as u32;
        }
    }
    let mut n_items = 0;
    for end in &mut ends {
        n_items += std::mem::replace(end, n_items);
    }
    let mut items = vec![0u16; n_items as usize];
    for of_group in of_groups {
        for (end, &row) in ends.iter_mut().zip(rows) {
            for &position in of_group.active(row) {
                items[*end as usize] = position;
                *end += 1;
            }
        }
    }
    Lists { ends, items }
}

/// Keys are sums of random numbers already; hashing them again would be wasted.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are whole numbers");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
