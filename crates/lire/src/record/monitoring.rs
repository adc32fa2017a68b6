//! Histograms of scores and shares of missing values, to compare new rows with.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::cells::{merged, short};
use crate::binning::threshold_between;
use crate::error::Result;
use crate::measure::order_free_sum;
use crate::model::Model;
use crate::model::sections::{Monitoring, ScoreHistogram};
use crate::table::{Dataset, MISSING, Values};

/// Cells of a histogram, if there are rows enough.
const CELLS: usize = 10;
/// Digits of shares.
const DIGITS: usize = 5;

/// What there is to remember of the rows that count.
pub(super) fn monitoring(model: &Model, data: &Dataset, least_rows: usize) -> Result<Monitoring> {
    let weights = data.row_weights();
    let counted: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
    let scored = model.score(&data.table)?;
    let histogram = |output: usize| {
        let mut scores: Vec<(f64, f64)> = counted
            .iter()
            .map(|&row| (scored.scores[row * scored.n_outputs + output] + 0.0, weights[row]))
            .collect();
        scores.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        of_scores(&scores, least_rows)
    };
    Ok(Monitoring {
        rows: counted.len(),
        min_rows: least_rows,
        scores: (0..model.n_outputs()).map(histogram).collect::<Option<_>>().unwrap_or_default(),
        missing: missing(data, &weights, least_rows),
    })
}

/// A histogram of scores with their weights, in their order: cells of about as many rows each.
fn of_scores(scores: &[(f64, f64)], least_rows: usize) -> Option<ScoreHistogram> {
    let ties: Vec<&[(f64, f64)]> = scores.chunk_by(|a, b| a.0 == b.0).collect();
    let rows: Vec<usize> = ties.iter().map(|tie| tie.len()).collect();
    let parts = merged(&rows, least_rows.max(scores.len().div_ceil(CELLS)))?;
    let ends = parts.windows(2).map(|pair| (ties[pair[0].end - 1][0].0, ties[pair[1].start][0].0));
    let edges = ends.map(|(below, above)| threshold_between(below, above, false)).collect();
    let weight = |ties: &[&[(f64, f64)]]| -> f64 {
        order_free_sum(&ties.iter().flat_map(|tie| tie.iter().map(|(_, weight)| *weight)).collect::<Vec<_>>())
    };
    let total = weight(&ties);
    let shares = parts.into_iter().map(|part| short(weight(&ties[part]) / total, DIGITS)).collect();
    Some(ScoreHistogram { edges, shares })
}

/// The share of missing values of each feature that is missing in rows enough, and known in rows enough.
fn missing(data: &Dataset, weights: &[f64], least_rows: usize) -> BTreeMap<String, f64> {
    let total = order_free_sum(weights);
    let n_counted = weights.iter().filter(|weight| **weight > 0.0).count();
    let share = |values: &Values| {
        let of_missing: Vec<f64> =
            missing_rows(values).into_iter().map(|row| weights[row]).filter(|weight| *weight > 0.0).collect();
        let told = of_missing.len() >= least_rows && n_counted - of_missing.len() >= least_rows;
        told.then(|| short(order_free_sum(&of_missing) / total, DIGITS))
    };
    let shares: Vec<Option<f64>> = data.table.columns().par_iter().map(share).collect();
    let names = data.table.schema().features.iter().map(|feature| feature.name.clone());
    names.zip(shares).filter_map(|(name, share)| Some((name, share?))).collect()
}

fn missing_rows(values: &Values) -> Vec<usize> {
    match values {
        Values::SparseNumbers(numbers) if !numbers.shared().is_nan() => {
            numbers.entries().filter(|(_, number)| number.is_nan()).map(|(row, _)| row).collect()
        }
        Values::SparseCodes(codes) if codes.shared() != MISSING => {
            codes.entries().filter(|&(_, code)| code == MISSING).map(|(row, _)| row).collect()
        }
        _ => (0..values.len()).filter(|&row| values.at(row).is_missing()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_rows_enough_and_shares_add_up() {
        let scores: Vec<(f64, f64)> = (0..103).map(|row| (f64::from(row / 3), 1.0)).collect();
        let histogram = of_scores(&scores, 5).unwrap();
        assert_eq!(histogram.edges.len() + 1, histogram.shares.len());
        assert!((5..=10).contains(&histogram.shares.len()));
        for (place, share) in histogram.shares.iter().enumerate() {
            let low = place.checked_sub(1).map_or(f64::NEG_INFINITY, |place| histogram.edges[place]);
            let high = histogram.edges.get(place).copied().unwrap_or(f64::INFINITY);
            let inside = scores.iter().filter(|(score, _)| low < *score && *score <= high).count();
            assert!(inside >= 5 && (inside as f64 / 103.0 - share).abs() < 1e-5);
        }
        assert_eq!(of_scores(&scores[..4], 5), None);
        let equal = vec![(0.5, 2.0); 9];
        assert_eq!(of_scores(&equal, 5), Some(ScoreHistogram { edges: vec![], shares: vec![1.0] }));
    }
}
