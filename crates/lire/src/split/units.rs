//! What stays together when rows are divided: copies, groups, or rows of the same time.

use std::collections::BTreeMap;

use super::contents::plain_hashes;
use crate::binning::mix;
use crate::error::Result;
use crate::table::{Dataset, TargetValues};

/// Rows that stay together.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// A hash of what they are, whatever the spelling.
    pub(super) hash: u64,
    /// The same as they are spelled, to order units of equal hashes, which are rare.
    exact: u64,
    /// Where they begin and end.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Their heaviest class, by its place among the classes of the division; 0 for numbers.
    pub(super) class: usize,
    /// The weight of each class, or of all rows for numbers; needed of groups only, and there for these.
    pub(super) masses: Vec<f64>,
    pub(super) weight: f64,
}

/// One of the classes, heaviest first.
#[derive(Debug, Clone)]
pub(super) struct Class {
    label: u32,
    pub(super) weight: f64,
    /// The number of rows, and of units with any of them.
    n_rows: usize,
    pub(super) n_units: usize,
}

/// Whether a class can be both learned from and measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassSize {
    /// The class.
    pub label: u32,
    /// Its rows.
    pub n_rows: usize,
    /// How many of them differ in their features; given groups, how many groups have any of them.
    pub n_different: usize,
}

/// Rows by units, and what is known of these.
#[derive(Debug, Clone)]
pub(super) struct Units {
    /// All rows of any weight, those that stay together side by side; within them by truth, content and weight.
    pub(super) rows: Vec<usize>,
    /// The units, in an order that only their content decides.
    pub(super) all: Vec<Unit>,
    /// The classes that occur; none for numbers.
    pub(super) classes: Vec<Class>,
    /// How many rows differ in their features.
    pub(super) n_different: usize,
}

/// What stays together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Together {
    /// Rows of the same features.
    Copies,
    /// Rows of the same group.
    Groups,
    /// Rows of the same time; units are in the order of time.
    Times,
}

impl Class {
    pub(super) fn size(&self) -> ClassSize {
        ClassSize { label: self.label, n_rows: self.n_rows, n_different: self.n_units }
    }
}

impl Units {
    /// Rows of equal keys stay together. `contents` are hashes of their features as they are.
    pub(super) fn of(data: &Dataset, together: Together, keys: &[u64], contents: &[u64]) -> Result<Self> {
        let (target, weights) = (&data.target.values, data.row_weights());
        let truth = |a: usize, b: usize| match target {
            TargetValues::Classes(of) => of.labels[a].cmp(&of.labels[b]),
            TargetValues::Numbers(values) => values[a].total_cmp(&values[b]),
        };
        let mut rows: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
        rows.sort_unstable_by(|&a, &b| {
            let by_content = || contents[a].cmp(&contents[b]).then(weights[a].total_cmp(&weights[b]));
            keys[a].cmp(&keys[b]).then_with(|| truth(a, b)).then_with(by_content).then(a.cmp(&b))
        });
        let mut starts: Vec<usize> = (0..rows.len())
            .filter(|&place| place == 0 || keys[rows[place]] != keys[rows[place - 1]])
            .collect();
        starts.push(rows.len());
        let plain = PlainHashes::of(data, &rows, contents);
        let hashes: Vec<u64> = starts.windows(2).map(|ends| plain.sum(&rows[ends[0]..ends[1]])).collect();
        let classes = classes_of(target, &weights, &rows, &starts, &hashes)?;
        let unit = |(at, &hash): (usize, &u64)| {
            let (start, end) = (starts[at], starts[at + 1]);
            let rows = &rows[start..end];
            let (class, weight) = heaviest(target, &weights, rows, &classes);
            let (exact, masses) = match together {
                Together::Groups => {
                    (exact_hash(target, &weights, rows, contents), masses(target, &weights, rows, &classes))
                }
                Together::Copies | Together::Times => (contents[rows[0]], Vec::new()),
            };
            Unit { hash, exact, start, end, class, masses, weight }
        };
        let mut all: Vec<Unit> = hashes.iter().enumerate().map(unit).collect();
        if together != Together::Times {
            all.sort_by_key(|unit| (unit.hash, unit.exact));
        }
        Ok(Self { rows, all, classes, n_different: plain.hashes.len() })
    }

    /// The rows of a unit.
    pub(super) fn rows_of(&self, unit: &Unit) -> &[usize] {
        &self.rows[unit.start..unit.end]
    }
}

/// Hashes of rows that no spelling reaches, by what the rows are.
struct PlainHashes<'a> {
    contents: &'a [u64],
    /// The different contents, ascending, and the hash of each.
    known: Vec<u64>,
    hashes: Vec<u64>,
}

impl<'a> PlainHashes<'a> {
    fn of(data: &Dataset, rows: &[usize], contents: &'a [u64]) -> Self {
        let mut firsts = rows.to_vec();
        firsts.sort_by_key(|&row| contents[row]);
        firsts.dedup_by_key(|row| contents[*row]);
        let hashes = plain_hashes(&data.table, &firsts);
        Self { contents, known: firsts.iter().map(|&row| contents[row]).collect(), hashes }
    }

    /// The hash of rows together: what differs among them, however often it is there.
    fn sum(&self, rows: &[usize]) -> u64 {
        let mut contents: Vec<u64> = rows.iter().map(|&row| self.contents[row]).collect();
        contents.sort_unstable();
        contents.dedup();
        let hash = |content: &u64| self.known.binary_search(content).map_or(0, |place| self.hashes[place]);
        contents.iter().map(hash).fold(0, u64::wrapping_add)
    }
}

/// A hash of rows with their truth and weights.
fn exact_hash(target: &TargetValues, weights: &[f64], rows: &[usize], contents: &[u64]) -> u64 {
    let truth = |row: usize| match target {
        TargetValues::Classes(of) => u64::from(of.labels[row]),
        TargetValues::Numbers(values) => values[row].to_bits(),
    };
    let alike = |&a: &usize, &b: &usize| truth(a) == truth(b) && contents[a] == contents[b];
    let of_run = |run: &[usize]| {
        let weight: f64 = run.iter().map(|&row| weights[row]).sum();
        mix(contents[run[0]] ^ mix(truth(run[0]) ^ mix(weight.to_bits())))
    };
    rows.chunk_by(alike).map(of_run).fold(0, u64::wrapping_add)
}

/// The classes that occur, heaviest first, and of equals by the rows that they have: their names decide nothing.
fn classes_of(
    target: &TargetValues,
    weights: &[f64],
    rows: &[usize],
    starts: &[usize],
    hashes: &[u64],
) -> Result<Vec<Class>> {
    let TargetValues::Classes(of) = target else { return Ok(Vec::new()) };
    let none = |label| Class { label, weight: 0.0, n_rows: 0, n_units: 0 };
    let mut classes: Vec<(Class, u64)> = (0..of.classes.len() as u32).map(|label| (none(label), 0)).collect();
    for (unit, ends) in starts.windows(2).enumerate() {
        for same in rows[ends[0]..ends[1]].chunk_by(|&a, &b| of.labels[a] == of.labels[b]) {
            let (class, hash) = &mut classes[of.labels[same[0]] as usize];
            class.n_rows += same.len();
            class.n_units += 1;
            *hash = hash.wrapping_add(mix(hashes[unit]));
        }
    }
    for (class, &weight) in classes.iter_mut().zip(&of.weights(weights)?) {
        class.0.weight = weight;
    }
    classes.retain(|(class, _)| class.n_rows > 0);
    classes.sort_by(|(a, a_hash), (b, b_hash)| b.weight.total_cmp(&a.weight).then(a_hash.cmp(b_hash)));
    Ok(classes.into_iter().map(|(class, _)| class).collect())
}

/// The place of the heaviest class of some rows and the weight of them all; of equals the class that is rarer in all.
fn heaviest(target: &TargetValues, weights: &[f64], rows: &[usize], classes: &[Class]) -> (usize, f64) {
    let weight: f64 = rows.iter().map(|&row| weights[row]).sum();
    if !matches!(target, TargetValues::Classes(_)) {
        return (0, weight);
    }
    // The last of equals, and classes are there from the heaviest on.
    let masses = masses(target, weights, rows, classes);
    let heaviest = masses.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    (heaviest.map_or(0, |(place, _)| place), weight)
}

/// The weight of each class in some rows; of numbers that of all.
fn masses(target: &TargetValues, weights: &[f64], rows: &[usize], classes: &[Class]) -> Vec<f64> {
    let TargetValues::Classes(of) = target else { return vec![rows.iter().map(|&row| weights[row]).sum()] };
    let mut by_label: BTreeMap<u32, f64> = BTreeMap::new();
    for &row in rows {
        *by_label.entry(of.labels[row]).or_default() += weights[row];
    }
    classes.iter().map(|class| by_label.get(&class.label).copied().unwrap_or(0.0)).collect()
}
