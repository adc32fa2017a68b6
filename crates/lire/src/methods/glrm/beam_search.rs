//! Looks for the conjunction whose weight, were it let off zero, would lower the objective most.
//!
//! With `r` the derivative of the loss by each row's score, the *reduced cost* of a conjunction `a` is
//! `λ0 + λ1·length − |Σ r a|`: below zero it pays to take it in. Conjunctions grow by a literal at a time. All rows of
//! one sign that a conjunction keeps are the most that longer ones can be left with, which gives a lower bound for
//! all of them.

use std::cmp::Ordering;
use std::collections::HashSet;

use rayon::prelude::*;

use super::literals::Binarised;
use crate::binning::mix;
use crate::config::GlrmOptions;
use crate::coverage::Pair;

/// A conjunction that was found to pay.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The literals, ascending.
    pub literals: Vec<usize>,
    /// Its reduced cost.
    pub reduced_cost: f64,
}

/// Sums that differ by no more than this share of their total came about by rounding.
const SAME_SUM: f64 = 1e-12;

/// The conjunction of the lowest reduced cost that a beam search finds, of those below `limit`.
///
/// `slopes` is the derivative of the loss by the score of each row. Rows to be raised and rows to be lowered are
/// searched separately.
pub fn lowest_reduced_cost(
    binarised: &Binarised,
    slopes: &[f64],
    settings: &GlrmOptions,
    limit: f64,
) -> Option<Found> {
    let values: Vec<Pair> = slopes.iter().map(|&slope| [slope.max(0.0), (-slope).max(0.0)]).collect();
    let singles = binarised.coverage.sums(&values);
    let search = |side| BeamSearch { binarised, values: &values, side, settings }.run(&singles, limit);
    let (lowered, raised) = rayon::join(|| search(0), || search(1));
    [lowered, raised].into_iter().flatten().min_by(|a, b| a.reduced_cost.total_cmp(&b.reduced_cost))
}

/// The search for one sign of the weight.
struct BeamSearch<'a> {
    binarised: &'a Binarised<'a>,
    /// For each row what it adds to the sum and what it takes away, or the other way round.
    values: &'a [Pair],
    /// Which of the two adds.
    side: usize,
    settings: &'a GlrmOptions,
}

/// A conjunction to be made longer.
struct Parent {
    literals: Vec<usize>,
    rows: Vec<u32>,
    sums: Pair,
}

/// A conjunction by what it adds to its parent.
struct Child {
    rank: f64,
    bound: f64,
    parent: usize,
    literal: usize,
    sums: Pair,
}

impl BeamSearch<'_> {
    /// The conjunction of the lowest reduced cost met below a limit; `singles` are the sums of the literals alone.
    fn run(&self, singles: &[Pair], limit: f64) -> Option<Found> {
        let mut best = None;
        let mut limit = limit;
        let total = self.values.iter().fold([0.0; 2], |sum, value| [sum[0] + value[0], sum[1] + value[1]]);
        let mut parents = vec![Parent { literals: Vec::new(), rows: Vec::new(), sums: total }];
        for degree in 1..=self.settings.max_degree {
            let scans: Vec<Vec<Pair>> = match degree {
                1 => vec![singles.to_vec()],
                _ => parents.par_iter().map(|parent| self.scan(parent)).collect(),
            };
            let mut children = Vec::new();
            for (position, (parent, sums)) in parents.iter().zip(&scans).enumerate() {
                let extends = self.extensions(parent, degree);
                for literal in (0..sums.len()).filter(|&literal| extends[literal]) {
                    // A literal that holds for all rows of the parent adds nothing but its price.
                    if same(sums[literal], parent.sums, total) {
                        continue;
                    }
                    let (reduced_cost, bound) = self.reduced_cost(degree, sums[literal]);
                    if reduced_cost < limit {
                        limit = reduced_cost;
                        best = Some(Found { literals: with(&parent.literals, literal), reduced_cost });
                    }
                    let rank = reduced_cost + self.settings.bound_share * (bound - reduced_cost);
                    children.push(Child { rank, bound, parent: position, literal, sums: sums[literal] });
                }
            }
            children.retain(|child| child.bound < limit);
            if children.is_empty() || degree == self.settings.max_degree {
                break;
            }
            parents = self.select(children, &parents, degree);
        }
        best
    }

    /// The reduced cost of a conjunction, and a bound below that of all longer ones.
    fn reduced_cost(&self, degree: usize, sums: Pair) -> (f64, f64) {
        let (adds, takes) = (sums[self.side], sums[1 - self.side]);
        (self.settings.price(degree) - adds + takes, self.settings.price(degree + 1) - adds)
    }

    /// For each literal whether it makes a conjunction longer that then covers enough. Of single literals all do.
    fn extensions(&self, parent: &Parent, degree: usize) -> Vec<bool> {
        let mut extends = self.binarised.extensions(&parent.literals);
        let enough = if degree == 1 { None } else { self.binarised.leaves_enough(&parent.rows) };
        if let Some(enough) = enough {
            extends.iter_mut().zip(enough).for_each(|(extends, enough)| *extends &= enough);
        }
        extends
    }

    fn scan(&self, parent: &Parent) -> Vec<Pair> {
        let values: Vec<Pair> = parent.rows.iter().map(|&row| self.values[row as usize]).collect();
        self.binarised.coverage.sums_within(&parent.rows, &values)
    }

    /// The children of the lowest rank, each set of rows once.
    fn select(&self, mut children: Vec<Child>, parents: &[Parent], degree: usize) -> Vec<Parent> {
        let order = |a: &Child, b: &Child| -> Ordering {
            a.rank.total_cmp(&b.rank).then(a.parent.cmp(&b.parent)).then(a.literal.cmp(&b.literal))
        };
        children.sort_unstable_by(order);
        let coverage = &self.binarised.coverage;
        let mut seen = HashSet::new();
        let mut selected = Vec::new();
        for child in children {
            let parent = &parents[child.parent];
            let rows = match degree {
                1 => coverage.rows_of(child.literal),
                _ => coverage.rows_within(child.literal, &parent.rows),
            };
            // Equal sets give equal keys, and others almost surely do not.
            if seen.insert(rows.iter().fold(0u64, |key, &row| key.wrapping_add(mix(u64::from(row))))) {
                selected.push(Parent {
                    literals: with(&parent.literals, child.literal),
                    rows,
                    sums: child.sums,
                });
            }
            if selected.len() == self.settings.beam_width {
                break;
            }
        }
        selected
    }
}

fn same(one: Pair, other: Pair, total: Pair) -> bool {
    let slack = SAME_SUM * (total[0] + total[1]);
    (one[0] - other[0]).abs() <= slack && (one[1] - other[1]).abs() <= slack
}

/// The literals with one more, ascending.
fn with(literals: &[usize], literal: usize) -> Vec<usize> {
    let mut all = literals.to_vec();
    all.insert(literals.partition_point(|&other| other < literal), literal);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binning::{BinnedTable, Rows};
    use crate::table::{Feature, FeatureKind, Schema, Table, TargetValues, Values};

    /// Whole numbers of small range, each row with a slope.
    fn random(seed: u64, n_rows: usize) -> (Schema, Rows, Vec<f64>) {
        let draw = |at: usize, below: u64| (mix(mix(seed) ^ at as u64) % below) as f64;
        let feature = |name: &str| Feature::new(name, FeatureKind::Integer, false);
        let schema = Schema { features: ["a", "b", "c"].map(feature).to_vec() };
        let column =
            |nth: usize| Values::Numbers((0..n_rows).map(|row| draw(nth * n_rows + row, 5)).collect());
        let table = Table::new(schema.clone(), (0..3).map(column).collect(), n_rows).unwrap();
        let weights = vec![1.0; n_rows];
        let rows = Rows::merge(
            &BinnedTable::of(&table, &weights),
            &TargetValues::Numbers(vec![0.0; n_rows]),
            &weights,
        );
        let slopes = (0..n_rows).map(|row| (draw(10 * n_rows + row, 2001) - 1000.0) / 1e5).collect();
        (schema, rows, slopes)
    }

    #[test]
    fn no_longer_conjunction_lies_below_the_bound() {
        let settings = GlrmOptions { lambda0: 0.01, ..Default::default() };
        let mut tightest = f64::INFINITY;
        for seed in 0..5 {
            let (schema, rows, slopes) = random(seed, 80);
            let binarised = Binarised::of(&rows, &schema, &[]);
            let coverage = &binarised.coverage;
            let slopes = &slopes[..coverage.n_rows()];
            let values: Vec<Pair> = slopes.iter().map(|&slope| [slope.max(0.0), (-slope).max(0.0)]).collect();
            let sums = coverage.sums(&values);
            let n_literals = binarised.literals.len();
            for side in 0..2 {
                let search = BeamSearch { binarised: &binarised, values: &values, side, settings: &settings };
                let sign = if side == 0 { 1.0 } else { -1.0 };
                // The reduced cost of some literals, row by row.
                let cost = |literals: &[usize]| {
                    let covered =
                        |row: &usize| literals.iter().all(|&literal| coverage.covers(literal, *row));
                    let sum: f64 = (0..slopes.len()).filter(covered).map(|row| slopes[row]).sum();
                    settings.price(literals.len()) - sign * sum
                };
                for (one, &sums) in sums.iter().enumerate() {
                    let (reduced_cost, bound) = search.reduced_cost(1, sums);
                    assert!((reduced_cost - cost(&[one])).abs() < 1e-12);
                    for two in (0..n_literals).filter(|&two| two != one) {
                        tightest = tightest.min(cost(&[one, two]) - bound);
                        for three in two + 1..n_literals {
                            tightest = tightest.min(cost(&[one, two, three]) - bound);
                        }
                    }
                }
            }
        }
        assert!(tightest > -1e-12, "a conjunction lies below its bound by {tightest}");
        assert!(tightest < 0.005, "the bound is met almost: {tightest}");
    }
}
