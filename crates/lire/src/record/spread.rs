//! Quantiles of the features of numbers that no single row can be told from.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::model::Model;
use crate::model::sections::FeatureSpread;
use crate::rules::Rule;
use crate::table::{Dataset, Values};

/// The shares of the rows below each quantile.
const SHARES: [f64; 5] = [0.01, 0.25, 0.5, 0.75, 0.99];
/// Numbers are rounded to so many steps of their range.
const STEPS_OF_RANGE: i32 = 3;

/// Of tables with more columns only those are told of that the model uses.
const MOST_FEATURES: usize = 2000;

/// The spread of each feature of numbers that is known in rows enough.
pub(super) fn spread(model: &Model, data: &Dataset, least_rows: usize) -> FeatureSpread {
    let weights = data.row_weights();
    let columns = data.table.columns();
    let of_rules = model.rules().iter().flat_map(Rule::features);
    let used: BTreeSet<usize> = of_rules.chain(model.linear().iter().map(|term| term.feature)).collect();
    let of_column = |(feature, values): (usize, &Values)| {
        if columns.len() > MOST_FEATURES && !used.contains(&feature) {
            return None;
        }
        let numbers = values.numbers()?;
        let is_known = |row: &usize| weights[*row] > 0.0 && !numbers[*row].is_nan();
        let known: Vec<f64> = (0..numbers.len()).filter(is_known).map(|row| numbers[row]).collect();
        quantiles(known, least_rows)
    };
    let found: Vec<Option<[f64; 5]>> = columns.par_iter().enumerate().map(of_column).collect();
    let names = data.table.schema().features.iter().map(|feature| feature.name.clone());
    let quantiles = names.zip(found).filter_map(|(name, found)| Some((name, found?))).collect();
    FeatureSpread { min_rows: least_rows, quantiles }
}

/// The quantiles, each with at least so many rows at or below it and as many at or above it; none of fewer rows.
fn quantiles(mut numbers: Vec<f64>, least_rows: usize) -> Option<[f64; 5]> {
    if numbers.len() < 2 * least_rows {
        return None;
    }
    let (first, last) = (least_rows - 1, numbers.len() - least_rows);
    let quantiles = SHARES.map(|share| {
        let place = (share * (numbers.len() - 1) as f64).round() as usize;
        *numbers.select_nth_unstable_by(place.clamp(first, last), f64::total_cmp).1
    });
    let range = quantiles[4] - quantiles[0];
    Some(quantiles.map(|quantile| rounded(quantile, range)))
}

/// A number rounded to about a thousandth of a range, so that it is nobody's own; to few digits without a range.
fn rounded(number: f64, range: f64) -> f64 {
    if range <= 0.0 || !range.is_finite() {
        return super::cells::short(number, 6) + 0.0;
    }
    let decimals = STEPS_OF_RANGE - range.log10().floor() as i32;
    let text = if let Ok(decimals) = usize::try_from(decimals) {
        format!("{number:.decimals$}")
    } else {
        let step = 10f64.powi(-decimals);
        format!("{:.0}", (number / step).round() * step)
    };
    text.parse::<f64>().unwrap_or(number) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_have_rows_on_both_sides() {
        let numbers: Vec<f64> = (0..40).rev().map(f64::from).collect();
        assert_eq!(quantiles(numbers.clone(), 5), Some([4.0, 10.0, 20.0, 29.0, 35.0]));
        assert_eq!(quantiles(numbers[..9].to_vec(), 5), None);
        assert_eq!(quantiles(vec![7.0; 10], 5), Some([7.0; 5]));
        // One extreme value shows nowhere.
        let mut with_extreme = numbers;
        with_extreme[0] = 1e9;
        assert_eq!(quantiles(with_extreme, 5), Some([4.0, 10.0, 20.0, 29.0, 35.0]));
    }

    #[test]
    fn numbers_are_rounded_to_their_range() {
        let cases = [
            (1234.5678, 40.0, 1234.57),
            (1_234_567.0, 5e5, 1_234_600.0),
            (0.123_456, 0.002, 0.123_456),
            (0.123_456_7, 0.002, 0.123_457),
            (-0.000_01, 100.0, 0.0),
        ];
        for (number, range, expected) in cases {
            assert_eq!(rounded(number, range).to_bits(), f64::to_bits(expected), "{number} in {range}");
        }
    }
}
