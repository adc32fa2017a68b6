//! Which rows models are fitted on and which they are compared on.

use super::Training;
use crate::binning::mix;
use crate::config::Config;
use crate::evaluate::Holdout;
use crate::table::TargetValues;

/// A part held out is made of so many smaller ones.
const FINE_PARTS: usize = 20;

/// The splits that a configuration asks for: folds, or one part held out. None of them is empty on either side, so
/// there may be none at all.
pub fn validation_splits(training: &Training, config: &Config) -> Vec<Holdout> {
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

/// Divides the distinct rows of each class evenly, in an order that only their content and the seed decide: a row of
/// weight 2 and the row given twice lead to the same parts, whatever the order of the rows.
fn content_parts(training: &Training, n_parts: usize, seed: u64) -> Vec<Vec<usize>> {
    let contents = training.contents();
    let key = |&row: &usize| {
        let class = if let TargetValues::Classes(of) = &training.target { of.labels[row] } else { 0 };
        (class, mix(seed ^ contents[row]))
    };
    let mut order: Vec<usize> = (0..contents.len()).filter(|&row| training.weights[row] > 0.0).collect();
    order.sort_by_key(key);
    let mut parts = vec![Vec::new(); n_parts];
    for (place, same) in order.chunk_by(|a, b| key(a) == key(b)).enumerate() {
        parts[place % n_parts].extend_from_slice(same);
    }
    parts
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
