//! What every division of rows must keep to.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::table::{Dataset, Feature, FeatureKind, Relations, Schema, Table, Target, TargetValues, Values};

pub(super) fn data(values: &[f64], labels: &[bool], weights: &[f64]) -> Dataset {
    let feature = Feature::new("x", FeatureKind::Real, false);
    let columns = vec![Values::Numbers(values.to_vec())];
    let table = Table::new(Schema { features: vec![feature] }, columns, values.len()).unwrap();
    let target = Target { name: "y".into(), values: TargetValues::of_bools(labels) };
    Dataset { table, target, weights: Some(weights.to_vec()), relations: Relations::default() }
}

pub(super) fn numbers(values: &[f64]) -> Dataset {
    let target = Target { name: "y".into(), values: TargetValues::Numbers(values.to_vec()) };
    Dataset { target, ..data(values, &vec![true; values.len()], &vec![1.0; values.len()]) }
}

/// The values that each of three folds tests on.
fn tested(values: &[f64], weights: &[f64]) -> Vec<BTreeSet<u64>> {
    let labels: Vec<bool> = values.iter().map(|&value| value < 4.0).collect();
    let splits = Division::of(&data(values, &labels, weights)).unwrap().folds(3, 7).unwrap();
    splits.iter().map(|split| split.test.iter().map(|&row| values[row].to_bits()).collect()).collect()
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
fn copies_stay_together_and_are_counted() {
    let values: Vec<f64> = (0..40).map(|row| f64::from(row % 10)).chain([77.0]).collect();
    let labels: Vec<bool> = (0..41).map(|row| row % 3 == 0).collect();
    let division = Division::of(&data(&values, &labels, &[1.0; 41])).unwrap();
    assert_eq!((division.n_different(), division.n_with_copies()), (11, 40));
    let splits = division.folds(4, 1).unwrap().into_iter().chain(division.holdout(0.3, 1));
    for split in splits {
        for &row in &split.test {
            assert!(split.train.iter().all(|&other| values[other] != values[row]));
        }
    }
}

#[test]
fn swapped_classes_are_divided_alike() {
    let values: Vec<f64> = (0..30).map(f64::from).chain([0.0, 1.0]).collect();
    let labels: Vec<bool> = (0..32).map(|row| row % 3 == 0 || row == 31).collect();
    let swapped: Vec<bool> = labels.iter().map(|label| !label).collect();
    let of = |labels: &[bool]| Division::of(&data(&values, labels, &[1.0; 32])).unwrap().folds(5, 3).unwrap();
    let sets = |splits: Vec<Holdout>| {
        splits.into_iter().map(|split| BTreeSet::from_iter(split.test)).collect::<Vec<_>>()
    };
    assert_eq!(sets(of(&labels)), sets(of(&swapped)));
}

#[test]
fn impossible_divisions_say_why() {
    let message = |n_folds| {
        Division::of(&numbers(&[1.0, 2.0, 2.0])).unwrap().folds(n_folds, 0).unwrap_err().to_string()
    };
    assert_eq!(message(3), "`folds`: 3 is more than the 2 different rows; give fewer");
    assert_eq!(message(1), "`folds`: 1 is too few; give 2 or more");
    let few = Division::of(&data(&[1.0, 2.0, 3.0, 4.0], &[true, false, true, false], &[1.0; 4])).unwrap();
    let message = few.folds(3, 0).unwrap_err().to_string();
    assert_eq!(message, "`folds`: 3 is more than the 2 different rows of the largest class; give fewer");
    assert!(Division::of(&numbers(&[1.0, 1.0])).unwrap().holdout(0.5, 1).is_err(), "copies only");
    assert!(Division::of(&numbers(&[])).unwrap().holdout(0.5, 1).is_err());
    assert!(few.holdout(0.0, 1).is_err() && few.holdout(f64::NAN, 1).is_err());
}

proptest! {
    #[test]
    fn each_row_is_tested_once_and_classes_are_shared_out(
        labels in proptest::collection::vec(any::<bool>(), 8..60),
        n_folds in 2usize..5,
        seed in any::<u64>(),
    ) {
        let values: Vec<f64> = (0..labels.len()).map(|row| row as f64).collect();
        let division = Division::of(&data(&values, &labels, &vec![1.0; labels.len()])).unwrap();
        let splits = division.folds(n_folds, seed).unwrap();
        let mut all: Vec<usize> = splits.iter().flat_map(|split| split.test.clone()).collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..labels.len()).collect::<Vec<_>>());
        for class in [false, true] {
            let size = labels.iter().filter(|&&label| label == class).count();
            for split in &splits {
                let here = split.test.iter().filter(|&&row| labels[row] == class).count();
                prop_assert!((size / n_folds..=size.div_ceil(n_folds)).contains(&here));
                prop_assert_eq!(split.train.len() + split.test.len(), labels.len());
            }
        }
        let sizes = splits.iter().map(|split| split.test.len());
        prop_assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
    }

    #[test]
    fn a_holdout_has_its_share_of_each_class(
        labels in proptest::collection::vec(any::<bool>(), 2..60),
        share in 0.05f64..0.95,
        seed in any::<u64>(),
    ) {
        let values: Vec<f64> = (0..labels.len()).map(|row| row as f64).collect();
        let division = Division::of(&data(&values, &labels, &vec![1.0; labels.len()])).unwrap();
        let Ok(split) = division.holdout(share, seed) else {
            prop_assert!(labels.len() == 2 && labels[0] != labels[1]);
            return Ok(());
        };
        for class in [false, true] {
            let size = labels.iter().filter(|&&label| label == class).count();
            let tested = split.test.iter().filter(|&&row| labels[row] == class).count();
            prop_assert!((tested as f64 - share * size as f64).abs() <= 1.0);
            prop_assert!(size < 2 || (1..size).contains(&tested));
        }
        prop_assert_eq!(split.train.len() + split.test.len(), labels.len());
    }
}
