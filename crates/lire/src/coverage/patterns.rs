//! The distinct activation patterns of a support: all that re-fitting its weights depends on.

use super::Pair;
use super::group::add;
use crate::binning::mix;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// For a list of rules, the distinct sets of them that cover a row, with the summed masses of those rows.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    /// For each pattern the positions, in the list of rules, of those that are active.
    active: Lists,
    /// For each pattern the summed masses of its rows.
    masses: Vec<Pair>,
}

impl Patterns {
    /// With room for so many patterns.
    pub fn with_capacity(n_patterns: usize) -> Self {
        let active = Lists { ends: Vec::with_capacity(n_patterns), items: Vec::new() };
        Self { active, masses: Vec::with_capacity(n_patterns) }
    }

    /// The number of patterns.
    pub fn len(&self) -> usize {
        self.masses.len()
    }

    /// Whether there is no pattern, which is so only without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The active positions of each pattern, ascending, with the masses of its rows.
    pub fn iter(&self) -> impl Iterator<Item = (&[u16], &Pair)> {
        (0..self.len()).map(|pattern| (self.active.get(pattern), &self.masses[pattern]))
    }

    /// The active positions of one pattern, ascending.
    pub fn active(&self, pattern: usize) -> &[u16] {
        self.active.get(pattern)
    }

    /// The masses of the rows of one pattern.
    pub fn mass(&self, pattern: usize) -> Pair {
        self.masses[pattern]
    }

    /// Adds a pattern that is not listed yet.
    pub fn push(&mut self, active: impl Iterator<Item = u16>, mass: Pair) {
        self.active.push(active);
        self.masses.push(mass);
    }

    pub(super) fn of_parts(active: Lists, masses: Vec<Pair>) -> Self {
        debug_assert!(active.ends.len() == masses.len());
        Self { active, masses }
    }

    /// The patterns that are left when one of the `n_rules` rules is taken out, the positions behind it moved up by
    /// one; also gives what each pattern becomes. Equal hashes are not trusted: the sets themselves are compared.
    pub fn without(&self, position: usize, n_rules: usize) -> (Self, Vec<u32>) {
        let removed = position as u16;
        let keys: Vec<u64> = (0..n_rules as u64).map(mix).collect();
        let mut left = Self::with_capacity(self.len());
        let mut hashes: Vec<u64> = Vec::with_capacity(self.len());
        let mut numbers: HashTable<u32> = HashTable::with_capacity(self.len());
        let mut becomes = Vec::with_capacity(self.len());
        for (active, mass) in self.iter() {
            let others = active.iter().filter(|&&at| at != removed);
            let hash = others.clone().fold(0, |sum: u64, &at| sum.wrapping_add(keys[at as usize]));
            let moved = others.map(|&at| at - u16::from(at > removed));
            let is_same = |&other: &u32| left.active(other as usize).iter().copied().eq(moved.clone());
            let index = match numbers.entry(hash, is_same, |&other| hashes[other as usize]) {
                Entry::Occupied(found) => *found.get(),
                Entry::Vacant(place) => {
                    let index = hashes.len() as u32;
                    place.insert(index);
                    hashes.push(hash);
                    left.push(moved, [0.0; 2]);
                    index
                }
            };
            becomes.push(index);
            add(&mut left.masses[index as usize], *mass);
        }
        (left, becomes)
    }
}

/// Many short lists of positions in one vector.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    /// Where each list ends.
    pub ends: Vec<u32>,
    pub items: Vec<u16>,
}

impl Lists {
    pub fn get(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.items[start..self.ends[index] as usize]
    }

    pub fn push(&mut self, items: impl Iterator<Item = u16>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }
}
