//! Numeric features as terms of their own: winsorised, and scaled to the spread of an average rule.

use super::Training;
use crate::config::Settings;
use crate::model::LinearTerm;
use crate::objective::{Bounds, WEIGHT_LIMIT};
use crate::rules::Direction;
use crate::solver::l1::DenseColumn;
use crate::table::{Table, Values};

/// The share of the weight beyond each end that counts as the end.
const WINSORISED: f64 = 0.025;
/// The standard deviation of a rule of average coverage (Friedman and Popescu 2008).
const RULE_SPREAD: f64 = 0.4;

/// A linear term with its column in the solver's units: `0.4 · (clamp(x, low, high) − mean) / std`.
#[derive(Debug, Clone)]
pub struct LinearColumn {
    /// The term as models know it.
    pub term: LinearTerm,
    /// The column over the training rows.
    pub dense: DenseColumn,
    feature: usize,
}

impl LinearColumn {
    /// What one unit of the feature adds, from the weight of the column.
    pub fn slope(&self, weight: f64) -> f64 {
        RULE_SPREAD * weight / self.term.std
    }

    /// The column for the rows of another table.
    pub fn values(&self, table: &Table) -> Vec<f64> {
        match &table.columns()[self.feature] {
            Values::Numbers(values) => scaled(&self.term, values),
            Values::Codes(codes) => vec![0.0; codes.len()],
        }
    }
}

/// A column for each numeric feature that may be used and is not constant.
pub fn linear_columns(training: &Training, settings: &Settings) -> Vec<LinearColumn> {
    let columns = training.table.columns().iter().enumerate();
    let usable = columns.filter(|(feature, _)| !settings.excluded.contains(feature));
    usable
        .filter_map(|(feature, values)| {
            let Values::Numbers(values) = values else { return None };
            let name = &training.table.schema().features[feature].name;
            let term = describe(name, values, &training.weights)?;
            let bounds = match settings.monotone[feature] {
                None => Bounds::default(),
                Some(Direction::Increasing) => Bounds { low: 0.0, high: WEIGHT_LIMIT },
                Some(Direction::Decreasing) => Bounds { low: -WEIGHT_LIMIT, high: 0.0 },
            };
            let dense = DenseColumn { bounds, ..DenseColumn::new(scaled(&term, values)) };
            Some(LinearColumn { term, dense, feature })
        })
        .collect()
}

fn scaled(term: &LinearTerm, values: &[f64]) -> Vec<f64> {
    let scale = |&value: &f64| {
        let count = if value.is_nan() { 0.0 } else { value.clamp(term.low, term.high) - term.mean };
        RULE_SPREAD * count / term.std
    };
    values.iter().map(scale).collect()
}

/// Ends, mean and spread of the known values; none where they are all the same.
fn describe(name: &str, values: &[f64], weights: &[f64]) -> Option<LinearTerm> {
    let mut known: Vec<(f64, f64)> = values
        .iter()
        .zip(weights)
        .filter(|(value, weight)| !value.is_nan() && **weight > 0.0)
        .map(|(&value, &weight)| (value, weight))
        .collect();
    known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = known.iter().map(|(_, weight)| weight).sum();
    let (low, high) = (quantile(&known, WINSORISED * total)?, quantile(&known, (1.0 - WINSORISED) * total)?);
    let mean_of = |of: &dyn Fn(f64) -> f64| {
        known.iter().map(|&(value, weight)| weight * of(value.clamp(low, high))).sum::<f64>() / total
    };
    // Rounding must not push the mean over an end.
    let mean = mean_of(&|value| value).clamp(low, high);
    let std = mean_of(&|value| (value - mean) * (value - mean)).sqrt();
    (low < high && std > 0.0 && std.is_finite()).then(|| LinearTerm {
        feature: name.to_owned(),
        low,
        high,
        mean,
        std,
    })
}

/// The first value at which the weight so far reaches a limit; values ascending.
fn quantile(values: &[(f64, f64)], limit: f64) -> Option<f64> {
    let mut sum = 0.0;
    values
        .iter()
        .find(|(_, weight)| {
            sum += weight;
            sum >= limit
        })
        .or(values.last())
        .map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_cut_and_the_spread_is_that_of_a_rule() {
        let values: Vec<f64> = (1..=200).map(f64::from).chain([f64::NAN, 1e9]).collect();
        let mut weights = vec![1.0; 202];
        weights[201] = 0.0;
        let term = describe("x", &values, &weights).unwrap();
        assert_eq!((term.low, term.high, term.mean), (5.0, 195.0, 100.225));
        let column = scaled(&term, &values[..200]);
        let mean = column.iter().sum::<f64>() / 200.0;
        let variance = column.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 200.0;
        assert!(mean.abs() < 1e-12);
        assert!((variance.sqrt() - RULE_SPREAD).abs() < 1e-12);
        assert_eq!(scaled(&term, &[f64::NAN, 1e9]), [0.0, scaled(&term, &[195.0])[0]]);
    }

    #[test]
    fn constants_and_gaps_give_no_column() {
        assert!(describe("x", &[3.0, 3.0, f64::NAN], &[1.0; 3]).is_none());
        assert!(describe("x", &[f64::NAN], &[1.0]).is_none());
        assert!(describe("x", &[1.0, 2.0], &[1.0, 0.0]).is_none());
    }
}
