//! A sample of the rows by content: enough of them to choose prices on.
//!
//! Distinct contents are sampled, not rows: those with the smallest hashes, with all of their copies. So the sample
//! depends neither on the order of the rows nor on whether a row has weight 2 or appears twice, and samples of parts of
//! a table can be merged. Rare classes have their own, larger share of the contents, and less weight to make up for it.

use super::contents::exact_hashes;
use crate::binning::mix;
use crate::error::Result;
use crate::table::{Dataset, TargetValues};

/// A class has at least this share of the contents of a sample, if it has so many.
const LEAST_OF_CLASS: f64 = 0.05;
/// Keeps the hashes apart from others of the same contents.
const SALT: u64 = 0x5a3d_1e5a_3d1e_5a3d;

/// The rows of at most so many distinct contents, and a few more where a class is rare; none if the table has no more.
pub fn sample(data: &Dataset, n_contents: usize, seed: u64) -> Result<Option<Dataset>> {
    data.check()?;
    let weights = data.row_weights();
    let hashes: Vec<u64> =
        exact_hashes(&data.table).into_iter().map(|hash| mix(hash ^ mix(seed ^ SALT))).collect();
    let counts = |row: &usize| weights[*row] > 0.0;
    let mut rows: Vec<usize> = (0..hashes.len()).filter(counts).collect();
    rows.sort_unstable_by_key(|&row| (hashes[row], row));
    let contents: Vec<&[usize]> = rows.chunk_by(|&a, &b| hashes[a] == hashes[b]).collect();
    if contents.len() <= n_contents || n_contents == 0 {
        return Ok(None);
    }
    let shares = Shares::of(&contents, &data.target.values, n_contents);
    let mut chosen: Vec<(usize, f64)> = Vec::new();
    for (place, rows) in contents.iter().enumerate() {
        if let Some(factor) = shares.factor(place, rows, &data.target.values) {
            chosen.extend(rows.iter().map(|&row| (row, factor)));
        }
    }
    chosen.sort_unstable_by_key(|&(row, _)| row);
    let rows: Vec<usize> = chosen.iter().map(|&(row, _)| row).collect();
    let sampled = data.select(&rows)?;
    if chosen.iter().all(|&(_, factor)| factor == 1.0) {
        return Ok(Some(sampled));
    }
    let weights = chosen.iter().map(|&(row, factor)| weights[row] * factor).collect();
    Ok(Some(Dataset { weights: Some(weights), ..sampled }))
}

/// How many of the contents are taken, in the order of their hashes.
struct Shares {
    /// Of all contents.
    of_all: usize,
    /// Where a class is rare, how many contents in all have to be passed for enough of its own; by label.
    of_class: Vec<usize>,
}

impl Shares {
    fn of(contents: &[&[usize]], target: &TargetValues, n_contents: usize) -> Self {
        let TargetValues::Classes(of) = target else {
            return Self { of_all: n_contents, of_class: Vec::new() };
        };
        let n_classes = of.classes.len();
        let least = ((n_contents as f64 * LEAST_OF_CLASS) as usize).min(n_contents / n_classes.max(1)).max(1);
        let (mut seen, mut of_class) = (vec![0; n_classes], vec![n_contents; n_classes]);
        for (place, rows) in contents.iter().enumerate() {
            let mut labels: Vec<usize> = rows.iter().map(|&row| of.labels[row] as usize).collect();
            labels.sort_unstable();
            labels.dedup();
            for label in labels {
                seen[label] += 1;
                if seen[label] <= least {
                    of_class[label] = n_contents.max(place + 1);
                }
            }
        }
        Self { of_all: n_contents, of_class }
    }

    /// What the weights of a content are multiplied by: how much rarer it would be without the larger share of its
    /// rarest class. None if it is not in the sample.
    fn factor(&self, place: usize, rows: &[usize], target: &TargetValues) -> Option<f64> {
        let passed = match target {
            TargetValues::Numbers(_) => self.of_all,
            TargetValues::Classes(of) => {
                let of_row = |&row: &usize| self.of_class[of.labels[row] as usize];
                rows.iter().map(of_row).max().unwrap_or(self.of_all)
            }
        };
        (place < passed).then(|| self.of_all as f64 / passed as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Feature, FeatureKind, Relations, Schema, Table, Target, Values};

    /// Rows with a number of their own; one in a hundred is of the rare class.
    fn data(numbers: &[f64], weights: Option<Vec<f64>>) -> Dataset {
        let features = vec![Feature::new("x", FeatureKind::Real, false)];
        let table =
            Table::new(Schema { features }, vec![Values::Numbers(numbers.to_vec())], numbers.len()).unwrap();
        let labels: Vec<bool> = numbers.iter().map(|number| number % 100.0 == 0.0).collect();
        let target = Target { name: "y".into(), values: TargetValues::of_bools(&labels) };
        Dataset { table, target, weights, relations: Relations::default() }
    }

    fn numbers(data: &Dataset) -> Vec<f64> {
        let Values::Numbers(numbers) = &data.table.columns()[0] else { panic!("numbers") };
        numbers.clone()
    }

    #[test]
    fn small_tables_are_not_sampled() {
        let all: Vec<f64> = (0..50).map(f64::from).collect();
        assert!(sample(&data(&all, None), 50, 0).unwrap().is_none());
        let copies: Vec<f64> = (0..500).map(|row| f64::from(row % 50)).collect();
        assert!(sample(&data(&copies, None), 50, 0).unwrap().is_none(), "copies are one content");
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_copies_come_along() {
        let all: Vec<f64> = (0..3000).map(|row| f64::from(row % 1000) + 0.5).collect();
        let found = sample(&data(&all, None), 200, 7).unwrap().unwrap();
        let mut sampled = numbers(&found);
        assert_eq!(sampled.len(), 600, "200 contents, three rows each");
        let reversed: Vec<f64> = all.iter().rev().copied().collect();
        let mut again = numbers(&sample(&data(&reversed, None), 200, 7).unwrap().unwrap());
        sampled.sort_by(f64::total_cmp);
        again.sort_by(f64::total_cmp);
        assert_eq!(sampled, again);
        let mut other = numbers(&sample(&data(&all, None), 200, 8).unwrap().unwrap());
        other.sort_by(f64::total_cmp);
        assert_ne!(sampled, other, "another seed, other rows");
    }

    #[test]
    fn a_rare_class_keeps_its_mass_and_has_more_rows() {
        let all: Vec<f64> = (0..100_000).map(f64::from).collect();
        let found = sample(&data(&all, None), 2000, 0).unwrap().unwrap();
        let TargetValues::Classes(of) = &found.target.values else { panic!("classes") };
        let weights = found.row_weights();
        let mass = |label: u32| -> (usize, f64) {
            let rows = || (0..of.labels.len()).filter(|&row| of.labels[row] == label);
            (rows().count(), rows().map(|row| weights[row]).sum())
        };
        let rare = (0..2).min_by_key(|&label| mass(label).0).unwrap();
        let ((n_rare, rare_mass), (n_others, others_mass)) = (mass(rare), mass(1 - rare));
        assert_eq!(n_rare, 100, "a twentieth of the sample");
        assert!(n_others > 1900);
        let share = rare_mass / (rare_mass + others_mass);
        // A hundred rows tell the share of their class to about a tenth.
        assert!((share - 0.01).abs() < 0.004, "{share}");
    }

    #[test]
    fn rows_without_weight_are_no_rows() {
        let all: Vec<f64> = (0..1000).map(f64::from).collect();
        let weights = (0..1000).map(|row| f64::from(u8::from(row < 300))).collect();
        assert!(sample(&data(&all, Some(weights)), 300, 0).unwrap().is_none());
    }
}
