//! Which rows models are fitted on and which they are compared on.

use std::collections::BTreeMap;

use super::Training;
use crate::binning::mix;
use crate::config::Config;
use crate::evaluate::Holdout;
use crate::table::TargetValues;

/// A part held out is made of so many smaller ones.
const FINE_PARTS: usize = 20;

/// So many rows of different features belong into each fold at least.
const LEAST_CONTENTS: usize = 2;

/// The splits that a configuration asks for: folds, or one part held out. None of them is empty on either side. There
/// are none at all where too few rows have features of their own: what is learned from some then says nothing of others.
pub fn validation_splits(training: &Training, config: &Config) -> Vec<Holdout> {
    let counted = training.contents().into_iter().zip(&training.weights).filter(|(_, weight)| **weight > 0.0);
    let mut contents: Vec<u64> = counted.map(|(content, _)| content).collect();
    contents.sort_unstable();
    contents.dedup();
    if contents.len() < LEAST_CONTENTS * config.cv {
        return Vec::new();
    }
    let mut splits = match config.validation_share {
        Some(share) => {
            let mut parts = content_parts(training, FINE_PARTS, config.seed);
            let n_test = ((share * FINE_PARTS as f64).round() as usize).clamp(1, FINE_PARTS - 1);
            let train = parts.split_off(n_test).concat();
            vec![Holdout { train, test: parts.concat() }]
        }
        None => content_splits(training, config.cv, config.seed),
    };
    splits.retain(|split| !split.train.is_empty() && !split.test.is_empty());
    splits
}

/// Folds, each of which is left out once.
fn content_splits(training: &Training, n_folds: usize, seed: u64) -> Vec<Holdout> {
    let folds = content_parts(training, n_folds, seed);
    let split = |fold: usize| {
        let others = (0..n_folds).filter(|&other| other != fold);
        Holdout { train: others.flat_map(|other| folds[other].clone()).collect(), test: folds[fold].clone() }
    };
    (0..n_folds).map(split).collect()
}

/// Divides rows into parts of about the same weight and class shares, in an order that only their features and the seed
/// decide: a row of weight 2 and the row given twice lead to the same parts, whatever the order of the rows. Rows of
/// the same features stay together. If their classes went apart, models would learn from one of them the opposite of
/// what the other is tested for.
fn content_parts(training: &Training, n_parts: usize, seed: u64) -> Vec<Vec<usize>> {
    let contents = training.contents();
    let key = |&row: &usize| mix(seed ^ contents[row]);
    let mut order: Vec<usize> = (0..contents.len()).filter(|&row| training.weights[row] > 0.0).collect();
    order.sort_by_key(key);
    let mut groups: Vec<(u32, f64, &[usize])> = order
        .chunk_by(|a, b| key(a) == key(b))
        .map(|same| {
            let (class, weight) = majority(training, same);
            (class, weight, same)
        })
        .collect();
    // Stable: within a class they keep their order.
    groups.sort_by_key(|(class, ..)| *class);
    let mut parts = vec![Vec::new(); n_parts];
    for of_class in groups.chunk_by(|a, b| a.0 == b.0) {
        let mut filled = vec![0.0; n_parts];
        for (_, weight, rows) in of_class {
            let lightest =
                (0..n_parts).fold(0, |best, part| if filled[part] < filled[best] { part } else { best });
            filled[lightest] += weight;
            parts[lightest].extend_from_slice(rows);
        }
    }
    parts
}

/// The heaviest class of some rows and the weight of them all; the first of equals, and 0 for numbers.
fn majority(training: &Training, rows: &[usize]) -> (u32, f64) {
    let weight: f64 = rows.iter().map(|&row| training.weights[row]).sum();
    let TargetValues::Classes(of) = &training.target else { return (0, weight) };
    let mut by_class: BTreeMap<u32, f64> = BTreeMap::new();
    for &row in rows {
        *by_class.entry(of.labels[row]).or_default() += training.weights[row];
    }
    let heaviest = by_class.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a });
    (heaviest.map_or(0, |(class, _)| class), weight)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeSet;

    use super::*;
    use crate::table::{Feature, FeatureKind, Schema, Table, Values};

    fn training(values: &[f64], weights: &[f64]) -> Training<'static> {
        let feature = Feature { name: "x".into(), kind: FeatureKind::Real, has_missing: false };
        let columns = vec![Values::Numbers(values.to_vec())];
        let table = Table::new(Schema { features: vec![feature] }, columns, values.len()).unwrap();
        let labels: Vec<bool> = values.iter().map(|&value| value < 4.0).collect();
        let target = TargetValues::of_bools(&labels);
        Training { table: Cow::Owned(table), target, weights: weights.to_vec(), scale: None }
    }

    /// The values that each fold tests on.
    fn tested(values: &[f64], weights: &[f64]) -> Vec<BTreeSet<u64>> {
        let splits = content_splits(&training(values, weights), 3, 7);
        let bits = |split: &Holdout| split.test.iter().map(|&row| values[row].to_bits()).collect();
        splits.iter().map(bits).collect()
    }

    #[test]
    fn folds_know_no_order_and_no_repetition() {
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let plain = tested(&values, &[1.0; 12]);
        let backwards: Vec<f64> = values.iter().rev().copied().collect();
        assert_eq!(plain, tested(&backwards, &[2.0; 12]));
        let twice: Vec<f64> = values.iter().chain(&values).copied().collect();
        assert_eq!(plain, tested(&twice, &[1.0; 24]));
        let with_nothing: Vec<f64> = values.iter().copied().chain([50.0]).collect();
        let mut weights = vec![1.0; 13];
        weights[12] = 0.0;
        assert_eq!(plain, tested(&with_nothing, &weights));
    }

    #[test]
    fn a_row_without_weight_is_no_row_of_a_fold() {
        let config = Config { cv: 3, ..Config::default() };
        let values: Vec<f64> = (0..6).map(f64::from).collect();
        let n_splits = |weights: &[f64]| validation_splits(&training(&values, weights), &config).len();
        assert_eq!(n_splits(&[1.0; 6]), 3);
        assert_eq!(
            n_splits(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.0]),
            0,
            "five different rows are too few for three folds"
        );
    }

    #[test]
    fn rows_of_the_same_features_stay_together() {
        let values: Vec<f64> = (0..40).map(|row| f64::from(row % 10)).collect();
        let labels: Vec<bool> = (0..40).map(|row| row % 3 == 0).collect();
        let training = Training { target: TargetValues::of_bools(&labels), ..training(&values, &[1.0; 40]) };
        for split in content_splits(&training, 4, 1) {
            let tested = |value: f64| split.test.iter().filter(|&&row| values[row] == value).count();
            assert!(values.iter().all(|&value| [0, 4].contains(&tested(value))));
        }
    }

    #[test]
    fn each_row_is_tested_once_and_each_class_in_every_fold() {
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let training = training(&values, &[1.0; 12]);
        let splits = content_splits(&training, 3, 0);
        let mut all: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..12).collect::<Vec<_>>());
        for split in &splits {
            assert_eq!(split.train.len() + split.test.len(), 12);
            assert!(split.test.iter().all(|row| !split.train.contains(row)));
            // Four rows of the first class and eight of the second, evenly over three folds.
            assert!((1..=2).contains(&split.test.iter().filter(|&&row| values[row] < 4.0).count()));
        }
    }
}
