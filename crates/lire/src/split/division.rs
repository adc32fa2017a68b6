//! Divides rows to measure on some what was learned from others. All that splits rows goes through here.
//!
//! Rows of the same features stay together. If they went apart, a model would learn from some of them and be measured
//! on their copies. Each class has its share in every part, by weight: a weight of 2 is the row twice. Neither the
//! order of the rows nor any spelling decides which rows come into which part, only their content and the seed.

use std::collections::BTreeMap;

use super::contents::{exact_hashes, plain_hashes};
use crate::binning::mix;
use crate::error::{Error, Result};
use crate::table::{Dataset, TargetValues};

/// Rows to train on and rows to test on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdout {
    /// The rows to train on.
    pub train: Vec<usize>,
    /// The rows to test on.
    pub test: Vec<usize>,
}

impl Holdout {
    /// Fails unless all rows are among so many.
    pub fn check(&self, n_rows: usize) -> Result<()> {
        match self.train.iter().chain(&self.test).find(|row| **row >= n_rows) {
            None => Ok(()),
            Some(row) => {
                let message =
                    format!("there is no row at position {row} of {n_rows}; positions count from 0");
                Err(Error::data("rows", message))
            }
        }
    }
}

/// Splits, in rounds: within a round each row is tested on at most once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Splits {
    /// All splits, round after round.
    pub all: Vec<Holdout>,
    /// How many there are in a round.
    pub in_round: usize,
}

impl Splits {
    /// Splits as one round.
    pub fn once(all: Vec<Holdout>) -> Self {
        Self { in_round: all.len(), all }
    }

    /// The splits of the first round.
    pub fn first_round(&self) -> &[Holdout] {
        self.all.get(..self.in_round).unwrap_or(&self.all)
    }
}

/// Rows that can be divided: which of them stay together, and what classes and weights these have.
#[derive(Debug, Clone)]
pub struct Division {
    /// All rows of any weight, those that stay together side by side; within them by truth and weight.
    rows: Vec<usize>,
    units: Vec<Unit>,
    classes: Vec<Class>,
}

/// Rows that stay together.
#[derive(Debug, Clone)]
struct Unit {
    /// A hash of what they are, whatever the spelling.
    hash: u64,
    /// Where they begin and end.
    start: usize,
    end: usize,
    /// Their heaviest class, by its place among the classes of the division; 0 for numbers.
    class: usize,
    weight: f64,
}

/// One of the classes, heaviest first.
#[derive(Debug, Clone)]
struct Class {
    label: u32,
    weight: f64,
    /// The number of rows, and of units with any of them.
    n_rows: usize,
    n_units: usize,
}

/// Whether a class can be both learned from and measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassSize {
    /// The class.
    pub label: u32,
    /// Its rows.
    pub n_rows: usize,
    /// How many of them differ in their features.
    pub n_different: usize,
}

impl Division {
    /// The rows of a data set. Copies stay together.
    pub fn of(data: &Dataset) -> Result<Self> {
        data.check()?;
        Self::of_rows(data, &exact_hashes(&data.table))
    }

    /// The same where rows stay together that are alike in what is given for each.
    fn of_rows(data: &Dataset, together: &[u64]) -> Result<Self> {
        let (target, weights) = (&data.target.values, data.row_weights());
        let truth = |a: usize, b: usize| match target {
            TargetValues::Classes(of) => of.labels[a].cmp(&of.labels[b]),
            TargetValues::Numbers(values) => values[a].total_cmp(&values[b]),
        };
        let mut rows: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
        rows.sort_unstable_by(|&a, &b| {
            let by_truth = || truth(a, b).then(weights[a].total_cmp(&weights[b]));
            together[a].cmp(&together[b]).then_with(by_truth).then(a.cmp(&b))
        });
        let mut starts: Vec<usize> = (0..rows.len())
            .filter(|&place| place == 0 || together[rows[place]] != together[rows[place - 1]])
            .collect();
        let firsts: Vec<usize> = starts.iter().map(|&start| rows[start]).collect();
        let hashes = plain_hashes(&data.table, &firsts);
        starts.push(rows.len());
        let classes = classes_of(target, &weights, &rows, &starts, &hashes)?;
        let unit = |(at, &hash): (usize, &u64)| {
            let (start, end) = (starts[at], starts[at + 1]);
            let (class, weight) = heaviest(target, &weights, &rows[start..end], &classes);
            Unit { hash, start, end, class, weight }
        };
        let mut units: Vec<Unit> = hashes.iter().enumerate().map(unit).collect();
        // Stable: units of equal hashes, which are rare, keep the order of their exact content.
        units.sort_by_key(|unit| unit.hash);
        Ok(Self { rows, units, classes })
    }

    /// How many rows differ in their features.
    pub fn n_different(&self) -> usize {
        self.units.len()
    }

    /// How many rows have the features of another row.
    pub fn n_with_copies(&self) -> usize {
        self.units.iter().map(|unit| unit.end - unit.start).filter(|&size| size > 1).sum()
    }

    /// The class of the fewest different rows; none for numbers.
    pub fn smallest_class(&self) -> Option<ClassSize> {
        let size = |class: &Class| ClassSize {
            label: class.label,
            n_rows: class.n_rows,
            n_different: class.n_units,
        };
        self.classes.iter().map(size).min_by_key(|size| (size.n_different, size.n_rows))
    }

    /// Folds of about the same weight, each left out once. Each class needs two different rows.
    pub fn folds(&self, n_folds: usize, seed: u64) -> Result<Vec<Holdout>> {
        if n_folds < 2 {
            return Err(Error::config("folds", format!("{n_folds} is too few; give 2 or more")));
        }
        let (most, of_what) = match self.classes.iter().map(|class| class.n_units).max() {
            Some(most) => (most, "different rows of the largest class"),
            None => (self.units.len(), "different rows"),
        };
        if n_folds > most {
            let message = format!("{n_folds} is more than the {most} {of_what}; give fewer");
            return Err(Error::config("folds", message));
        }
        Ok(self.splits(n_folds, seed))
    }

    /// The same without a look at whether it makes sense, for at least one fold.
    pub(crate) fn splits(&self, n_folds: usize, seed: u64) -> Vec<Holdout> {
        let folds = self.parts(&vec![1.0; n_folds], seed);
        let split = |fold: usize| {
            let others = (0..n_folds).filter(|&other| other != fold);
            Holdout {
                train: others.flat_map(|other| folds[other].clone()).collect(),
                test: folds[fold].clone(),
            }
        };
        (0..n_folds).map(split).collect()
    }

    /// A share of each class for testing: at least one row, if that leaves one for training.
    pub fn holdout(&self, test_share: f64, seed: u64) -> Result<Holdout> {
        if !(test_share > 0.0 && test_share < 1.0) {
            let message = format!("{test_share} is not a share; give a number between 0 and 1");
            return Err(Error::config("holdout", message));
        }
        let mut parts = self.parts(&[1.0 - test_share, test_share], seed);
        let (test, train) = (parts.pop().unwrap_or_default(), parts.pop().unwrap_or_default());
        if test.is_empty() || train.is_empty() {
            let message = if self.classes.is_empty() {
                "there are no two different rows, one to train and one to test on; add rows"
            } else {
                "no class has two different rows, one to train and one to test on; add rows"
            };
            return Err(Error::data("holdout", message));
        }
        Ok(Holdout { train, test })
    }

    /// Divides all rows into parts of these shares.
    fn parts(&self, shares: &[f64], seed: u64) -> Vec<Vec<usize>> {
        let drawn = |unit: &&Unit| mix(mix(seed) ^ unit.hash);
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); shares.len()];
        let mut filled = vec![0.0; shares.len()];
        for class in 0..self.classes.len().max(1) {
            let mut units: Vec<&Unit> = self.units.iter().filter(|unit| unit.class == class).collect();
            units.sort_by_key(drawn);
            let mut of_parts = dealt(&units, shares, &mut filled);
            fill_empty(&mut of_parts);
            for (part, units) in parts.iter_mut().zip(of_parts) {
                for unit in units {
                    part.extend_from_slice(&self.rows[unit.start..unit.end]);
                }
            }
        }
        parts
    }
}

/// Gives each unit to the part that lacks most of its share; of equals to that which lacks most of all classes.
fn dealt<'u>(units: &[&'u Unit], shares: &[f64], filled: &mut [f64]) -> Vec<Vec<&'u Unit>> {
    let mut parts: Vec<Vec<&Unit>> = vec![Vec::new(); shares.len()];
    let mut of_class = vec![0.0; shares.len()];
    for unit in units {
        // Half of what it would add, so that shares are rounded to the nearest.
        let level = |part: usize| (of_class[part] + unit.weight / 2.0) / shares[part];
        let by_level = |&a: &usize, &b: &usize| {
            level(a).total_cmp(&level(b)).then((filled[a] / shares[a]).total_cmp(&(filled[b] / shares[b])))
        };
        let part = (0..shares.len()).min_by(by_level).unwrap_or(0);
        of_class[part] += unit.weight;
        filled[part] += unit.weight;
        parts[part].push(unit);
    }
    parts
}

/// Gives parts without a unit the lightest one of the part that has the most, as long as that has two.
fn fill_empty(parts: &mut [Vec<&Unit>]) {
    for empty in 0..parts.len() {
        if !parts[empty].is_empty() {
            continue;
        }
        let Some(rich) = (0..parts.len()).rev().max_by_key(|&part| parts[part].len()) else { return };
        if parts[rich].len() < 2 {
            return;
        }
        let weight = |at: &usize| parts[rich][*at].weight;
        let lightest = (0..parts[rich].len()).min_by(|a, b| weight(a).total_cmp(&weight(b))).unwrap_or(0);
        let unit = parts[rich].remove(lightest);
        parts[empty].push(unit);
    }
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
    let TargetValues::Classes(of) = target else { return (0, weight) };
    let mut by_label: BTreeMap<u32, f64> = BTreeMap::new();
    for &row in rows {
        *by_label.entry(of.labels[row]).or_default() += weights[row];
    }
    let weight_of = |class: &Class| by_label.get(&class.label).copied().unwrap_or(0.0);
    // The last of equals, and classes are there from the heaviest on.
    let place = |(place, class): (usize, &Class)| (place, weight_of(class));
    let heaviest = classes.iter().enumerate().map(place).max_by(|a, b| a.1.total_cmp(&b.1));
    (heaviest.map_or(0, |(place, _)| place), weight)
}

#[cfg(test)]
mod tests;
