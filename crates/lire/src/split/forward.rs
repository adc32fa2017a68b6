//! Splits forwards in time: models learn from earlier rows and are measured on later ones.
//!
//! Rows of the same time stay on the same side. Of several splits each learns from all rows before those that it
//! measures on, so that what is learned from grows from split to split.

use std::ops::Range;

use super::units::Unit;

/// So many splits of units in the order of time: those before the first place are learned from, those from there to the
/// second are measured on. The rows are cut into one part more than there are splits, of about the same weight.
pub(super) fn expanding(units: &[Unit], n_splits: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let shares: Vec<f64> = (1..=n_splits).map(|cut| cut as f64 / (n_splits + 1) as f64).collect();
    let cuts = cuts(units, &shares);
    let end = |split: usize| cuts.get(split + 1).copied().unwrap_or(units.len());
    cuts.iter().enumerate().map(|(split, &cut)| (0..cut, cut..end(split))).collect()
}

/// Where to cut units so that these shares of the weight, ascending, come before the cuts, as nearly as can be. Some unit
/// lies between any two cuts, and before and after all of them; there are enough.
fn cuts(units: &[Unit], shares: &[f64]) -> Vec<usize> {
    let weight_before: Vec<f64> = std::iter::once(0.0)
        .chain(units.iter().scan(0.0, |sum, unit| {
            *sum += unit.weight;
            Some(*sum)
        }))
        .collect();
    let total = weight_before.last().copied().unwrap_or_default();
    let mut cuts = Vec::with_capacity(shares.len());
    let mut first = 1;
    for (place, share) in shares.iter().enumerate() {
        let last = units.len().saturating_sub(shares.len() - place).max(first);
        let distance = |cut: usize| (weight_before.get(cut).copied().unwrap_or(total) - share * total).abs();
        let cut = (first..=last).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(first);
        cuts.push(cut);
        first = cut + 1;
    }
    cuts
}

/// One split: the latest units, of about this share of the weight, are measured on.
pub(super) fn latest(units: &[Unit], share: f64) -> Option<(Range<usize>, Range<usize>)> {
    if units.len() < 2 {
        return None;
    }
    let cut = cuts(units, &[1.0 - share])[0];
    Some((0..cut, cut..units.len()))
}
