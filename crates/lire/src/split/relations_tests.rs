//! What divisions by groups and times must keep to.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::tests::{data, numbers};
use super::*;
use crate::table::{Dataset, Groups, Relations, Times};

/// Rows of different features, with these labels, groups and times.
fn related(labels: &[bool], groups: Option<&[u32]>, times: Option<&[f64]>) -> Dataset {
    let values: Vec<f64> = (0..labels.len()).map(|row| row as f64).collect();
    weighted(&values, labels, &vec![1.0; labels.len()], groups, times)
}

fn weighted(
    values: &[f64],
    labels: &[bool],
    weights: &[f64],
    groups: Option<&[u32]>,
    times: Option<&[f64]>,
) -> Dataset {
    let relations = Relations {
        groups: groups.map(|of_rows| Groups { column: Some("who".into()), of_rows: of_rows.to_vec() }),
        times: times.map(|of_rows| Times { column: Some("when".into()), of_rows: of_rows.to_vec() }),
    };
    Dataset { relations, ..data(values, labels, weights) }
}

/// What each split tests on, by the features of the rows.
fn tested(data: &Dataset, splits: &[Holdout]) -> Vec<BTreeSet<u64>> {
    let crate::table::Values::Numbers(values) = &data.table.columns()[0] else { panic!("numbers") };
    splits.iter().map(|split| split.test.iter().map(|&row| values[row].to_bits()).collect()).collect()
}

fn sorted(mut rows: Vec<usize>) -> Vec<usize> {
    rows.sort_unstable();
    rows
}

/// Rows with a class and a group, of some groups.
fn rows() -> impl Strategy<Value = Vec<(bool, u32)>> {
    proptest::collection::vec((any::<bool>(), 0u32..9), 12..80)
}

proptest! {
    #[test]
    fn no_group_is_on_both_sides_and_each_row_is_tested_once(rows in rows(), n_folds in 2usize..5, seed in any::<u64>()) {
        let (labels, groups): (Vec<bool>, Vec<u32>) = rows.into_iter().unzip();
        let data = related(&labels, Some(&groups), None);
        let division = Division::of(&data).unwrap();
        let n_groups = groups.iter().collect::<BTreeSet<_>>().len();
        prop_assert_eq!(division.folds(n_folds, seed).is_err(), n_groups < n_folds);
        prop_assume!(n_groups >= n_folds);
        let splits = division.folds(n_folds, seed).unwrap();
        for split in splits.iter().chain(&division.holdout(0.3, seed)) {
            let of = |rows: &[usize]| rows.iter().map(|&row| groups[row]).collect::<BTreeSet<_>>();
            prop_assert!(of(&split.train).is_disjoint(&of(&split.test)));
            prop_assert!(!split.train.is_empty() && !split.test.is_empty());
            prop_assert_eq!(split.train.len() + split.test.len(), labels.len());
        }
        let all = splits.iter().flat_map(|split| split.test.clone()).collect();
        prop_assert_eq!(sorted(all), (0..labels.len()).collect::<Vec<_>>());
    }

    #[test]
    fn neither_order_nor_names_nor_repetition_move_a_group(
        rows in rows(), n_folds in 2usize..4, seed in any::<u64>(), turn in 1usize..11,
    ) {
        let (labels, groups): (Vec<bool>, Vec<u32>) = rows.into_iter().unzip();
        prop_assume!(groups.iter().collect::<BTreeSet<_>>().len() >= n_folds);
        let values: Vec<f64> = (0..labels.len()).map(|row| row as f64).collect();
        let of = |data: &Dataset| tested(data, &Division::of(data).unwrap().folds(n_folds, seed).unwrap());
        let twice = vec![2.0; labels.len()];
        let plain = of(&weighted(&values, &labels, &twice, Some(&groups), None));
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.rotate_left(turn);
        order.reverse();
        let renamed: Vec<u32> = groups.iter().map(|group| 1000 - group * 7).collect();
        let turned = weighted(&values, &labels, &twice, Some(&renamed), None).select(&order).unwrap();
        prop_assert_eq!(&plain, &of(&turned));
        let repeated: Vec<usize> = order.iter().chain(&order).copied().collect();
        let ones = vec![1.0; labels.len()];
        let doubled = weighted(&values, &labels, &ones, Some(&groups), None).select(&repeated).unwrap();
        prop_assert_eq!(&plain, &of(&doubled));
    }

    #[test]
    fn forwards_means_that_all_tested_rows_are_later(
        rows in proptest::collection::vec((any::<bool>(), -9i32..9), 12..80),
        n_splits in 2usize..5,
        share in 0.05f64..0.95,
    ) {
        let labels: Vec<bool> = rows.iter().map(|row| row.0).collect();
        let times: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 2.0).collect();
        let division = Division::of(&related(&labels, None, Some(&times))).unwrap();
        let Ok(splits) = division.folds(n_splits, 0) else { return Ok(()) };
        let mut before = 0;
        for split in splits.iter().chain(&division.holdout(share, 0)) {
            let latest = split.train.iter().map(|&row| times[row]).fold(f64::NEG_INFINITY, f64::max);
            let earliest = split.test.iter().map(|&row| times[row]).fold(f64::INFINITY, f64::min);
            prop_assert!(latest < earliest);
            prop_assert!(split.train.iter().any(|&row| labels[row] != labels[split.train[0]]));
        }
        for split in &splits {
            prop_assert!(split.train.len() > before, "the window grows");
            before = split.train.len();
        }
        prop_assert_eq!(splits.last().map(|split| split.train.len() + split.test.len()), Some(labels.len()));
    }
}

#[test]
fn groups_are_dealt_out_evenly_by_class() {
    // Forty groups of five to twelve rows; in every fourth all rows are of the rarer class.
    let (mut labels, mut groups) = (Vec::new(), Vec::new());
    for group in 0..40u32 {
        for _ in 0..5 + group % 8 {
            labels.push(group % 4 == 0);
            groups.push(group);
        }
    }
    let division = Division::of(&related(&labels, Some(&groups), None)).unwrap();
    let mut rounds = BTreeSet::new();
    for seed in 0..5 {
        for split in division.folds(5, seed).unwrap() {
            let rare = split.test.iter().filter(|&&row| labels[row]).count();
            let share = |part: usize, of: usize| part as f64 / of as f64 * 5.0;
            let n_rare = labels.iter().filter(|&&label| label).count();
            assert!((0.7..1.3).contains(&share(rare, n_rare)), "{rare} of {n_rare}");
            assert!((0.8..1.2).contains(&share(split.test.len(), labels.len())), "{}", split.test.len());
            rounds.insert(sorted(split.test));
        }
    }
    assert!(rounds.len() > 20, "seeds divide differently: {}", rounds.len());
}

#[test]
fn a_rare_class_is_in_every_part_that_it_has_groups_for() {
    let groups: Vec<u32> = (0..60).map(|row| row / 3).collect();
    let labels: Vec<bool> = groups.iter().map(|&group| group < 2).collect();
    let division = Division::of(&related(&labels, Some(&groups), None)).unwrap();
    for seed in 0..20 {
        let split = division.holdout(0.2, seed).unwrap();
        assert!([&split.train, &split.test].into_iter().all(|rows| rows.iter().any(|&row| labels[row])));
    }
}

#[test]
fn copies_part_where_groups_or_times_decide() {
    let values = [1.0; 12];
    let labels: Vec<bool> = (0..12).map(|row| row % 2 == 0).collect();
    let groups: Vec<u32> = (0..12).map(|row| row / 2).collect();
    let times: Vec<f64> = (0..12).map(f64::from).collect();
    for (groups, times) in [(Some(&groups[..]), None), (None, Some(&times[..]))] {
        let division = Division::of(&weighted(&values, &labels, &[1.0; 12], groups, times)).unwrap();
        assert_eq!((division.n_different(), division.n_with_copies()), (1, 0));
        assert_eq!(division.folds(3, 0).unwrap().len(), 3);
    }
}

#[test]
fn with_groups_and_times_both_hold() {
    let labels: Vec<bool> = (0..60).map(|row| row % 3 == 0).collect();
    let times: Vec<f64> = (0..60).map(f64::from).collect();
    // Groups last for ten rows, so that some are on both sides of a cut.
    let groups: Vec<u32> = (0..60).map(|row| (row + 5) / 10).collect();
    let division = Division::of(&related(&labels, Some(&groups), Some(&times))).unwrap();
    for split in division.folds(4, 0).unwrap().iter().chain(&division.holdout(0.3, 0)) {
        let of = |rows: &[usize]| rows.iter().map(|&row| groups[row]).collect::<BTreeSet<_>>();
        assert!(of(&split.train).is_disjoint(&of(&split.test)));
        assert!(split.train.iter().max() < split.test.iter().min());
    }
    let by = division.divided_by().unwrap();
    let column = |of: &Option<crate::model::sections::DividingColumn>| {
        of.clone().map(|of| (of.column.unwrap(), of.distinct))
    };
    assert_eq!(column(&by.groups), Some(("who".to_owned(), 7)));
    assert_eq!(column(&by.time), Some(("when".to_owned(), 60)));
    let always = vec![0; 60];
    let message =
        Division::of(&related(&labels, Some(&always), Some(&times))).unwrap().folds(4, 0).unwrap_err();
    assert!(message.to_string().contains("or of groups that are measured on"), "{message}");
}

#[test]
fn forward_splits_without_two_classes_are_left_out() {
    let times: Vec<f64> = (0..12).map(f64::from).collect();
    let late: Vec<bool> = (0..12).map(|row| row > 5).collect();
    let division = Division::of(&related(&late, None, Some(&times))).unwrap();
    assert_eq!(division.folds(5, 0).unwrap().len(), 2, "those that learn from eight and from ten rows");
    let too_late: Vec<bool> = (0..12).map(|row| row > 10).collect();
    let division = Division::of(&related(&too_late, None, Some(&times))).unwrap();
    let message = division.folds(5, 0).unwrap_err().to_string();
    assert!(message.contains("the earlier rows are all of one class"), "{message}");
    assert!(division.holdout(0.25, 0).is_err());
}

#[test]
fn too_few_groups_and_times_say_so() {
    let labels = [true, false, true, false, true, false];
    let message = |groups: Option<&[u32]>, times: Option<&[f64]>, n_folds| {
        Division::of(&related(&labels, groups, times)).unwrap().folds(n_folds, 0).unwrap_err().to_string()
    };
    assert_eq!(
        message(Some(&[0, 0, 1, 1, 2, 2]), None, 4),
        "`folds`: 4 is more than the 3 groups; give fewer"
    );
    assert_eq!(
        message(None, Some(&[1.0, 1.0, 2.0, 2.0, 3.0, 3.0]), 3),
        "`folds`: 3 splits forwards in time need 4 different times, and there are 3; give fewer"
    );
    let one_group = Division::of(&related(&labels, Some(&[7; 6]), None)).unwrap();
    assert!(one_group.holdout(0.5, 0).unwrap_err().to_string().contains("no two groups"));
    let one_time = Division::of(&related(&labels, None, Some(&[7.0; 6]))).unwrap();
    assert!(one_time.holdout(0.5, 0).unwrap_err().to_string().contains("of the same time"));
}

#[test]
fn weights_move_the_cuts_as_repetition_does() {
    let values: Vec<f64> = (0..20).map(f64::from).collect();
    let labels: Vec<bool> = (0..20).map(|row| row % 2 == 0).collect();
    let mut weights = vec![1.0; 20];
    weights[18] = 10.0;
    let of = |data: &Dataset| tested(data, &Division::of(data).unwrap().folds(3, 0).unwrap());
    let heavy = of(&weighted(&values, &labels, &weights, None, Some(&values)));
    let rows: Vec<usize> = (0..20).chain([18; 9]).collect();
    let repeated = weighted(&values, &labels, &[1.0; 20], None, Some(&values)).select(&rows).unwrap();
    assert_eq!(heavy, of(&repeated));
    assert_ne!(heavy, of(&weighted(&values, &labels, &[1.0; 20], None, Some(&values))));
    assert_eq!(heavy[2], BTreeSet::from([18f64.to_bits(), 19f64.to_bits()]), "half of all weight");
}

#[test]
fn numbers_are_divided_by_groups_too() {
    let values: Vec<f64> = (0..30).map(f64::from).collect();
    let groups: Vec<u32> = (0..30).map(|row| row % 6).collect();
    let relations = Relations { groups: Some(Groups { column: None, of_rows: groups.clone() }), times: None };
    let data = Dataset { relations, ..numbers(&values) };
    let mut folds: BTreeMap<u32, usize> = BTreeMap::new();
    for (fold, split) in Division::of(&data).unwrap().folds(3, 0).unwrap().iter().enumerate() {
        assert_eq!(split.test.len(), 10);
        for &row in &split.test {
            assert_eq!(*folds.entry(groups[row]).or_insert(fold), fold);
        }
    }
}
