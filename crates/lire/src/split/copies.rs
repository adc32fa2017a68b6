//! Deals out rows of which copies stay together, class by class.
//!
//! If copies went apart, a model would learn from some of them and be measured on the others.

use super::units::Unit;
use crate::binning::mix;

/// Parts of these shares, drawn at random but for the seed. Each class has its share in every part, by weight.
pub(super) fn deal<'u>(units: &'u [Unit], n_classes: usize, shares: &[f64], seed: u64) -> Vec<Vec<&'u Unit>> {
    let drawn = |unit: &&Unit| mix(mix(seed) ^ unit.hash);
    let mut parts: Vec<Vec<&Unit>> = vec![Vec::new(); shares.len()];
    let mut filled = vec![0.0; shares.len()];
    for class in 0..n_classes.max(1) {
        let mut units: Vec<&Unit> = units.iter().filter(|unit| unit.class == class).collect();
        units.sort_by_key(drawn);
        let mut of_parts = dealt(&units, shares, &mut filled);
        fill_empty(&mut of_parts);
        for (part, units) in parts.iter_mut().zip(of_parts) {
            part.extend(units);
        }
    }
    parts
}

/// Gives each unit to the part that lacks most of its share; of equals to that which lacks most of all classes.
fn dealt<'u>(units: &[&'u Unit], shares: &[f64], filled: &mut [f64]) -> Vec<Vec<&'u Unit>> {
    let mut parts: Vec<Vec<&Unit>> = vec![Vec::new(); shares.len()];
    let mut of_class = vec![0.0; shares.len()];
    for unit in units {
        // Half of what it would add, so that shares are rounded to the nearest.
        let level = |part: usize| (of_class[part] + unit.weight / 2.0) / shares[part];
        let by_level = |&a: &usize, &b: &usize| {
            level(a).total_cmp(&level(b)).then((filled[a] / shares[a]).total_cmp(&(filled[b] / shares[b])))
        };
        let part = (0..shares.len()).min_by(by_level).unwrap_or(0);
        of_class[part] += unit.weight;
        filled[part] += unit.weight;
        parts[part].push(unit);
    }
    parts
}

/// Gives parts without a unit the lightest one of the part that has the most, as long as that has two.
fn fill_empty(parts: &mut [Vec<&Unit>]) {
    for empty in 0..parts.len() {
        if !parts[empty].is_empty() {
            continue;
        }
        let Some(rich) = (0..parts.len()).rev().max_by_key(|&part| parts[part].len()) else { return };
        if parts[rich].len() < 2 {
            return;
        }
        let weight = |at: &usize| parts[rich][*at].weight;
        let lightest = (0..parts[rich].len()).min_by(|a, b| weight(a).total_cmp(&weight(b))).unwrap_or(0);
        let unit = parts[rich].remove(lightest);
        parts[empty].push(unit);
    }
}
