//! The distinct activation patterns of a support: all that re-fitting its weights depends on.

use super::{Coverage, Pair};
use crate::binning::mix;
use hashbrown::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// For a list of rules, the distinct sets of them that cover a row, with the summed masses of those rows.
#[derive(Debug, Clone)]
pub struct Patterns {
    /// The pattern of each row.
    of_row: Vec<u32>,
    /// For each pattern the positions, in the list of rules, of those that are active.
    active: Lists,
    /// For each pattern the summed masses of its rows.
    masses: Vec<Pair>,
    /// For each pattern the wrapping sum of a random number for each of its rules: equal sets, equal keys.
    keys: Vec<u64>,
}

/// Many short lists of positions in one vector.
#[derive(Debug, Clone, Default)]
struct Lists {
    /// Where each list ends.
    ends: Vec<u32>,
    items: Vec<u16>,
}

impl Lists {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.items[start..self.ends[index] as usize]
    }

    fn push(&mut self, items: impl Iterator<Item = u16>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }
}

impl Patterns {
    /// The one pattern of no rules at all.
    pub fn of_no_rules(masses: &[Pair]) -> Self {
        let total = masses.iter().fold([0.0; 2], |sum, mass| [sum[0] + mass[0], sum[1] + mass[1]]);
        let mut active = Lists::default();
        active.push(std::iter::empty());
        Self { of_row: vec![0; masses.len()], active, masses: vec![total], keys: vec![0] }
    }

    /// The patterns of a list of rules in ascending order, at once: cheaper than to insert many one by one.
    pub fn of(coverage: &Coverage, rules: &[usize], masses: &[Pair]) -> Self {
        // The rules of a group, as ranges of the list: what a row's cell says of all of them is read at once.
        let of_groups: Vec<CellPatterns> = rules
            .chunk_by(|&a, &b| coverage.places[a].0 == coverage.places[b].0)
            .scan(0, |start, of_group| {
                *start += of_group.len();
                Some(CellPatterns::of(coverage, of_group, *start - of_group.len()))
            })
            .collect();
        let mut row_keys = vec![0u64; masses.len()];
        for of_group in &of_groups {
            for (key, &cell) in row_keys.iter_mut().zip(of_group.cells) {
                *key = key.wrapping_add(of_group.keys[cell as usize]);
            }
        }
        let mut numbers: HashMap<u64, u32, BuildHasherDefault<AsIs>> = HashMap::default();
        let mut patterns =
            Self { of_row: Vec::new(), active: Lists::default(), masses: Vec::new(), keys: Vec::new() };
        let mut first_rows = Vec::new();
        for (row, (key, mass)) in row_keys.into_iter().zip(masses).enumerate() {
            let index = *numbers.entry(key).or_insert_with(|| {
                first_rows.push(row);
                patterns.masses.push([0.0; 2]);
                patterns.keys.push(key);
                patterns.keys.len() as u32 - 1
            });
            patterns.of_row.push(index);
            let sum = &mut patterns.masses[index as usize];
            sum[0] += mass[0];
            sum[1] += mass[1];
        }
        patterns.active = lists_of(&of_groups, &first_rows);
        patterns
    }

    /// The number of patterns.
    pub fn len(&self) -> usize {
        self.active.len()
    }

    /// Whether there is no pattern, which is so only without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pattern of each row.
    pub fn of_row(&self) -> &[u32] {
        &self.of_row
    }

    /// The active positions of each pattern, ascending, with the masses of its rows.
    pub fn iter(&self) -> impl Iterator<Item = (&[u16], &Pair)> {
        (0..self.len()).map(|pattern| (self.active.get(pattern), &self.masses[pattern]))
    }

    /// For each pattern the masses of those of its rows that a rule covers.
    pub fn covered(&self, coverage: &Coverage, rule: usize, masses: &[Pair]) -> Vec<Pair> {
        let (group, lookup) = coverage.lookup(rule);
        // Both sides are summed up: a branch for each row would be mispredicted too often.
        let mut sums = vec![[[0.0; 2]; 2]; self.len()];
        for ((&pattern, &cell), mass) in self.of_row.iter().zip(&group.cells).zip(masses) {
            let sum = &mut sums[pattern as usize][usize::from(lookup[cell as usize])];
            sum[0] += mass[0];
            sum[1] += mass[1];
        }
        sums.into_iter().map(|[_, covered]| covered).collect()
    }

    /// Adds a rule behind the others: `position` is its place in the list.
    pub fn insert(&mut self, coverage: &Coverage, rule: usize, position: usize, masses: &[Pair]) {
        const NONE: u32 = u32::MAX;
        let (group, lookup) = coverage.lookup(rule);
        let mut halves = vec![[NONE; 2]; self.len()];
        let mut old = Vec::with_capacity(self.len() * 2);
        let mut sums: Vec<Pair> = Vec::with_capacity(self.len() * 2);
        for ((pattern, &cell), mass) in self.of_row.iter_mut().zip(&group.cells).zip(masses) {
            let covered = lookup[cell as usize];
            let half = &mut halves[*pattern as usize][usize::from(covered)];
            if *half == NONE {
                *half = old.len() as u32;
                old.push((*pattern, covered));
                sums.push([0.0; 2]);
            }
            *pattern = *half;
            let sum = &mut sums[*half as usize];
            sum[0] += mass[0];
            sum[1] += mass[1];
        }
        let mut active = Lists::default();
        let mut keys = Vec::with_capacity(old.len());
        for (pattern, covered) in old {
            let before = self.active.get(pattern as usize).iter().copied();
            active.push(before.chain(covered.then_some(position as u16)));
            keys.push(self.keys[pattern as usize].wrapping_add(if covered { mix(rule as u64) } else { 0 }));
        }
        (self.active, self.masses, self.keys) = (active, sums, keys);
    }

    /// Takes a rule out; the positions behind it move up by one.
    pub fn remove(&mut self, rule: usize, position: usize) {
        let removed = position as u16;
        let mut numbers: HashMap<u64, u32, BuildHasherDefault<AsIs>> =
            HashMap::with_capacity_and_hasher(self.len(), BuildHasherDefault::default());
        let mut number = Vec::with_capacity(self.len());
        let mut active = Lists::default();
        let mut sums: Vec<Pair> = Vec::with_capacity(self.len());
        let mut keys = Vec::with_capacity(self.len());
        for pattern in 0..self.len() {
            let positions = self.active.get(pattern);
            let covered = positions.contains(&removed);
            let key = self.keys[pattern].wrapping_sub(if covered { mix(rule as u64) } else { 0 });
            let index = *numbers.entry(key).or_insert_with(|| {
                let left = positions.iter().filter(|&&at| at != removed);
                active.push(left.map(|&at| at - u16::from(at > removed)));
                sums.push([0.0; 2]);
                keys.push(key);
                keys.len() as u32 - 1
            });
            number.push(index);
            let sum = &mut sums[index as usize];
            sum[0] += self.masses[pattern][0];
            sum[1] += self.masses[pattern][1];
        }
        for pattern in &mut self.of_row {
            *pattern = number[*pattern as usize];
        }
        (self.active, self.masses, self.keys) = (active, sums, keys);
    }
}

/// What each cell of a group says of those of its rules that are in a list.
struct CellPatterns<'c> {
    /// The cell of each row.
    cells: &'c [u8],
    /// For each cell the sum of the keys of its rules.
    keys: Vec<u64>,
    /// For each cell the positions of its rules in the list.
    active: Lists,
}

impl<'c> CellPatterns<'c> {
    /// Of some rules of one group, the first of which is at `start` in the list.
    fn of(coverage: &'c Coverage, rules: &[usize], start: usize) -> Self {
        let group = &coverage.groups[coverage.places[rules[0]].0 as usize];
        let mut of_cells = Self { cells: &group.cells, keys: Vec::new(), active: Lists::default() };
        for mask in &group.masks {
            let active = |&nth: &usize| mask >> coverage.places[rules[nth]].1 & 1 == 1;
            let positions = || (0..rules.len()).filter(active);
            of_cells.keys.push(positions().map(|nth| mix(rules[nth] as u64)).fold(0, u64::wrapping_add));
            of_cells.active.push(positions().map(|nth| (start + nth) as u16));
        }
        of_cells
    }

    /// The positions of the rules that cover a row.
    fn active(&self, row: usize) -> &[u16] {
        self.active.get(self.cells[row] as usize)
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
