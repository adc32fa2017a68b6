//! Deals out groups of rows, as evenly as can be: overall and in each class.
//!
//! A group may have rows of all classes, and be large. Groups go one after the other, the largest first, to where they
//! leave the parts nearest to their shares; among groups of about the same size the seed draws the order.

use super::units::Unit;
use crate::binning::mix;

/// Levels that differ by no more than this are the same: what is left is rounding.
const ROUNDING: f64 = 1e-9;

/// Parts of these shares. Each class is in every part if it has groups enough.
pub(super) fn deal<'u>(units: &'u [Unit], shares: &[f64], seed: u64) -> Vec<Vec<&'u Unit>> {
    let n_classes = units.first().map_or(0, |unit| unit.masses.len());
    let mut totals = vec![0.0; n_classes];
    for unit in units {
        totals.iter_mut().zip(&unit.masses).for_each(|(total, mass)| *total += mass);
    }
    let mut dealing = Dealing { shares, totals, parts: Vec::new(), filled: Vec::new() };
    dealing.parts = vec![Vec::new(); shares.len()];
    dealing.filled = vec![vec![0.0; n_classes]; shares.len()];
    for unit in dealing.in_order(units, seed) {
        let part = dealing.best_part(unit);
        dealing.add(part, unit);
    }
    dealing.spread_classes();
    dealing.parts
}

/// Parts while they fill.
struct Dealing<'s, 'u> {
    shares: &'s [f64],
    /// The weight of each class.
    totals: Vec<f64>,
    parts: Vec<Vec<&'u Unit>>,
    /// The weight of each class in each part.
    filled: Vec<Vec<f64>>,
}

impl<'u> Dealing<'_, 'u> {
    /// The largest first, where the size is the largest share of any class, and twice as large is as good as equal.
    fn in_order(&self, units: &'u [Unit], seed: u64) -> Vec<&'u Unit> {
        let share = |unit: &Unit| {
            let shares = unit.masses.iter().zip(&self.totals).map(|(mass, total)| mass / total);
            shares.fold(0.0, f64::max)
        };
        let largest = units.iter().map(share).fold(0.0, f64::max);
        let halvings = |unit: &Unit| (largest / share(unit) * (1.0 + ROUNDING)).log2().floor() as i64;
        let mut order: Vec<(i64, u64, &Unit)> =
            units.iter().map(|unit| (halvings(unit), mix(mix(seed) ^ unit.hash), unit)).collect();
        order.sort_by_key(|&(halvings, drawn, _)| (halvings, drawn));
        order.into_iter().map(|(_, _, unit)| unit).collect()
    }

    /// Where a unit is lacking most; of equals where there is least of all classes.
    fn best_part(&self, unit: &Unit) -> usize {
        let level = |part: usize| self.filled[part].iter().sum::<f64>() / self.shares[part];
        let mut best = (0, self.excess(0, unit), level(0));
        for part in 1..self.shares.len() {
            let (excess, level) = (self.excess(part, unit), level(part));
            let near = ROUNDING * best.1.abs().max(excess.abs());
            let is_same = (excess - best.1).abs() <= near;
            if excess < best.1 - near || (is_same && level < best.2 * (1.0 - ROUNDING)) {
                best = (part, excess, level);
            }
        }
        best.0
    }

    /// By how much `Σ (filled / total)² / share` grows with a unit: the sum, over classes and parts, is least where each
    /// part has its share of each class.
    fn excess(&self, part: usize, unit: &Unit) -> f64 {
        let of_class =
            |((&filled, &mass), &total): ((&f64, &f64), &f64)| mass * (2.0 * filled + mass) / (total * total);
        let sum: f64 = self.filled[part].iter().zip(&unit.masses).zip(&self.totals).map(of_class).sum();
        sum / self.shares[part]
    }

    fn add(&mut self, part: usize, unit: &'u Unit) {
        self.filled[part].iter_mut().zip(&unit.masses).for_each(|(filled, mass)| *filled += mass);
        self.parts[part].push(unit);
    }

    fn take(&mut self, part: usize, place: usize) -> &'u Unit {
        let unit = self.parts[part].remove(place);
        self.filled[part].iter_mut().zip(&unit.masses).for_each(|(filled, mass)| *filled -= mass);
        unit
    }

    /// Moves units to parts that have none of some class, the rarest class first, where that takes no class from another
    /// part. Numbers count as one class, so that no part stays empty for which there is a unit.
    fn spread_classes(&mut self) {
        for class in (0..self.totals.len()).rev() {
            for part in 0..self.shares.len() {
                if self.parts[part].iter().any(|unit| unit.masses[class] > 0.0) {
                    continue;
                }
                let Some((from, place)) = self.dispensable(class, part) else { continue };
                let unit = self.take(from, place);
                self.add(part, unit);
            }
        }
    }

    /// The unit with rows of the class that another part can spare, and that is least too much in this one.
    fn dispensable(&self, class: usize, part: usize) -> Option<(usize, usize)> {
        let mut best: Option<(f64, usize, usize)> = None;
        for (from, units) in self.parts.iter().enumerate().filter(|(from, _)| *from != part) {
            let mut n_units = vec![0; self.totals.len()];
            for unit in units {
                n_units.iter_mut().zip(&unit.masses).for_each(|(n, &mass)| *n += usize::from(mass > 0.0));
            }
            for (place, unit) in units.iter().enumerate().filter(|(_, unit)| unit.masses[class] > 0.0) {
                let is_spared = unit.masses.iter().zip(&n_units).all(|(&mass, &n)| mass == 0.0 || n > 1);
                let excess = self.excess(part, unit);
                if is_spared && best.is_none_or(|(least, _, _)| excess < least * (1.0 - ROUNDING)) {
                    best = Some((excess, from, place));
                }
            }
        }
        best.map(|(_, from, place)| (from, place))
    }
}
