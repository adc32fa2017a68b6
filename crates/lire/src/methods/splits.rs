//! Which rows models are fitted on and which they are compared on.

use crate::binning::mix;
use crate::config::{Config, SelectionOptions};
use crate::error::Result;
use crate::split::{Division, Splits};
use crate::table::{Dataset, TargetValues};

/// So many different rows belong into each fold at least; rows of groups need not differ.
const LEAST_ROWS: usize = 2;

/// Rows left out, times outputs of the model that are tested on each, that are enough to compare models on. All
/// outputs have the same prices, so that what each of them says of these adds up.
const ENOUGH_TESTS: usize = 200_000;
/// So many folds at least, so that there is a spread of what they say.
const LEAST_FOLDS: usize = 2;

/// Small tables are divided anew as often as their models together cost no more than those of so many rows, or of so
/// many cells where there are many columns, and at most so often: what is left of the spread then comes from the rows,
/// not from how they were divided.
const ROWS_OF_ALL_ROUNDS: usize = 10_000;
const CELLS_OF_ALL_ROUNDS: usize = 100 * ROWS_OF_ALL_ROUNDS;
const MOST_ROUNDS: usize = 4;

/// The splits that a configuration asks for: folds, in several rounds where there are few rows, or one part held out.
/// There are fewer where there are fewer groups or times, and none at all where too few rows have features of their own:
/// what is learned from some then says nothing of others.
pub fn validation_splits(data: &Dataset, config: &Config) -> Result<Splits> {
    let division = Division::of(data)?;
    let n_folds = n_folds(&division, config.selection.cv);
    if n_folds == 0 {
        return Ok(Splits::default());
    }
    let divided_by = division.divided_by().cloned();
    if let Some(share) = config.selection.validation_share {
        let held_out = division.holdout(share, config.seed);
        return Ok(Splits { divided_by, ..Splits::once(held_out.into_iter().collect()) });
    }
    let most = enough_folds(data, n_folds, config.selection.cv);
    let round = |round: usize| {
        let mut folds = division.splits(n_folds, seed_of(config.seed, round));
        if !division.is_forward() {
            folds.truncate(most);
        }
        folds
    };
    let first = round(0);
    let in_round = first.len();
    let others = (1..n_rounds(&division, n_folds, data.table.columns().len())).flat_map(round);
    Ok(Splits { all: first.into_iter().chain(others).collect(), in_round, divided_by })
}

/// How many folds there can be, up to those asked for; none if there are too few rows.
fn n_folds(division: &Division, asked: usize) -> usize {
    match division.most_folds() {
        None if division.n_different() < LEAST_ROWS * asked => 0,
        None => asked,
        Some(most) => {
            let possible = asked.min(most).min(division.n_rows() / LEAST_ROWS);
            // A single group cannot be on both sides; two times are one split.
            if possible < 2 && !division.is_forward() { 0 } else { possible }
        }
    }
}

/// How many of the folds are left out in turn: all that were asked for, and by default as many as it takes to test
/// each output on so many rows that more of them say nothing new.
fn enough_folds(data: &Dataset, n_folds: usize, asked: usize) -> usize {
    if asked != SelectionOptions::default().cv {
        return n_folds;
    }
    let n_outputs = match &data.target.values {
        TargetValues::Classes(of) => of.outputs().len(),
        TargetValues::Numbers(_) => 1,
    };
    let tested_in_fold = (data.n_rows() * n_outputs).div_ceil(n_folds);
    ENOUGH_TESTS.div_ceil(tested_in_fold.max(1)).clamp(LEAST_FOLDS.min(n_folds), n_folds)
}

/// How often rows are divided anew: once where nothing would differ, because times decide, or each group is a fold.
fn n_rounds(division: &Division, n_folds: usize, n_columns: usize) -> usize {
    if division.is_forward() || division.most_folds() == Some(n_folds) {
        return 1;
    }
    let n_different = division.n_different().max(1);
    let by_cells = CELLS_OF_ALL_ROUNDS / (n_different * n_columns).max(1);
    (ROWS_OF_ALL_ROUNDS / n_different).min(by_cells).clamp(1, MOST_ROUNDS)
}

/// The first round has the seed itself.
fn seed_of(seed: u64, round: usize) -> u64 {
    if round == 0 { seed } else { mix(seed ^ mix(round as u64)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{
        ClassLabels, Feature, FeatureKind, Relations, Schema, Table, Target, TargetValues, Values,
    };

    fn data(values: &[f64], weights: &[f64]) -> Dataset {
        let feature = Feature::new("x", FeatureKind::Real, false);
        let columns = vec![Values::Numbers(values.to_vec())];
        let table = Table::new(Schema { features: vec![feature] }, columns, values.len()).unwrap();
        let labels: Vec<bool> = values.iter().map(|&value| value < 4.0).collect();
        let target = Target { name: "y".into(), values: TargetValues::of_bools(&labels) };
        Dataset { table, target, weights: Some(weights.to_vec()), relations: Relations::default() }
    }

    #[test]
    fn a_row_without_weight_is_no_row_of_a_fold() {
        let config = Config::default().with(|config| config.selection.cv = 3);
        let values: Vec<f64> = (0..6).map(f64::from).collect();
        let in_round =
            |weights: &[f64]| validation_splits(&data(&values, weights), &config).unwrap().in_round;
        assert_eq!(in_round(&[1.0; 6]), 3);
        let few = in_round(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(few, 0, "five different rows are too few for three folds");
    }

    #[test]
    fn folds_are_fewer_where_each_says_enough() {
        let folds = |n_rows: usize, n_classes: usize, cv: usize| {
            let values: Vec<f64> = (0..n_rows).map(|row| row as f64).collect();
            let plain = data(&values, &vec![1.0; n_rows]);
            let classes = (0..n_classes).map(|class| class.to_string()).collect();
            let labels = (0..n_rows).map(|row| (row % n_classes) as u32).collect();
            let of = ClassLabels { classes, labels, positive_chosen: false };
            let target = Target { values: TargetValues::Classes(of), ..plain.target };
            let config = Config::default().with(|config| config.selection.cv = cv);
            validation_splits(&Dataset { target, ..plain }, &config).unwrap().in_round
        };
        assert_eq!(folds(12_000, 2, 5), 5);
        assert_eq!(folds(12_000, 26, 5), 4, "each tests 2,400 rows for 26 outputs");
        assert_eq!(folds(12_000, 100, 5), 2);
        assert_eq!(folds(12_000, 100, 6), 6, "as many as were asked for");
    }

    #[test]
    fn few_rows_are_divided_more_than_once() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        let splits = validation_splits(
            &data(&values, &[1.0; 40]),
            &Config::default().with(|config| config.selection.cv = 4),
        )
        .unwrap();
        assert_eq!((splits.in_round, splits.all.len()), (4, 4 * MOST_ROUNDS));
        assert_ne!(splits.all[..4], splits.all[4..8]);
        for round in splits.all.chunks(4) {
            let mut tested: Vec<usize> = round.iter().flat_map(|split| split.test.clone()).collect();
            tested.sort_unstable();
            assert_eq!(tested, (0..40).collect::<Vec<_>>());
        }
        let share = Config::default().with(|config| config.selection.validation_share = Some(0.25));
        let once = validation_splits(&data(&values, &[1.0; 40]), &share).unwrap();
        assert_eq!((once.all.len(), once.all[0].test.len()), (1, 10));
    }
}
