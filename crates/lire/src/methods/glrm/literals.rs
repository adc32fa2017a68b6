//! Columns as literals: the conditions that conjunctions are made of, and which rows they hold for.

use std::collections::HashMap;
use std::sync::Arc;

use crate::binning::{BinnedColumn, Edges, Rows};
use crate::coverage::{Coverage, MergedRows, Pair};
use crate::rules::{Condition, Rule, Test, brevity, cover_binned, simplify};
use crate::table::Schema;

/// A number column is compared with so many of its quantiles.
const N_CUTS: usize = 9;
/// Shares of weight are sums of rounded numbers: a cut within this of a decile has reached it.
const DECILE_SLACK: f64 = 1e-12;

/// Training rows as literals, made once for all outcomes.
///
/// | column | without negation | negation |
/// |---|---|---|
/// | number | `x ≤ t` at nine deciles of the weight, or between all values if there are at most ten | `x > t` |
/// | two levels | `x = b` | `x = a` |
/// | more levels | `x = a`, each level | `x ≠ a` |
/// | with missing values | `x is missing` | `x is known` |
///
/// No comparison holds for a missing value, negations included, so that on a column with missing values `x ≤ t` and
/// `x > t` leave a third case, which has its own literal. The bins of a column are its possible cuts: with more
/// than 255 distinct values a decile is met up to a bin. Literals that hold for all rows, for none or for the same
/// rows as a briefer one are left out.
#[derive(Debug, Clone)]
pub struct Binarised<'r> {
    /// The literals, in the order of the features.
    pub literals: Vec<Condition>,
    /// The literals that are no negations: each is a conjunction of the first round.
    pub plain: Vec<usize>,
    /// Which rows each literal holds for, over rows that the literals tell apart.
    pub coverage: Arc<Coverage>,
    /// The masses of those rows, for each outcome.
    pub masses: Vec<Vec<Pair>>,
    /// For each literal those on its feature, itself among them, which in a conjunction with it leave nothing, or
    /// nothing to add.
    conflicts: Vec<Vec<usize>>,
    floor: Option<Floor>,
    rows: &'r Rows,
    schema: &'r Schema,
}

/// How much a conjunction must cover.
#[derive(Debug, Clone)]
pub(super) struct Floor {
    /// The weight and the count of each row.
    pub sizes: Vec<Pair>,
    /// The least of both.
    pub least: Pair,
}

impl Floor {
    /// Whether rows of these sizes are enough.
    pub fn is_reached(&self, sizes: Pair) -> bool {
        sizes[0] >= self.least[0] && sizes[1] >= self.least[1]
    }
}

impl<'r> Binarised<'r> {
    /// Makes the literals of all columns but those at the excluded positions.
    pub fn of(rows: &'r Rows, schema: &'r Schema, excluded: &[usize]) -> Self {
        Self::of_at_least(rows, schema, excluded, [0.0; 2])
    }

    /// The same where a conjunction must cover a least weight and a least count of rows, both from 0 up.
    pub fn of_at_least(rows: &'r Rows, schema: &'r Schema, excluded: &[usize], least: Pair) -> Self {
        let weights = rows.weights();
        let sizes: Vec<Pair> =
            weights.iter().zip(&rows.counts).map(|(&weight, &count)| [weight, count]).collect();
        let floor = (least != [0.0; 2]).then_some(Floor { sizes, least });
        let mut drafts: Vec<Draft> = Vec::new();
        for feature in (0..schema.features.len()).filter(|feature| !excluded.contains(feature)) {
            drafts.extend(literals_of(feature, &rows.binned.columns[feature], &weights));
        }
        let column = |literal: usize| {
            let rule = Rule { conditions: vec![drafts[literal].condition.clone()] };
            cover_binned(&rule, &rows.binned).expect("literals lie on the edges of bins")
        };
        let coverage = Coverage::build(rows.len(), drafts.len(), column);
        let mut kept = distinct(&mut drafts, &coverage, schema);
        if let Some(floor) = &floor {
            let covered = coverage.sums(&floor.sizes);
            kept.retain(|&literal| floor.is_reached(covered[literal]));
        }
        let merged = MergedRows::of(coverage.keep(&kept));
        let drafts: Vec<Draft> = kept.iter().map(|&literal| drafts[literal].clone()).collect();
        let plain = (0..drafts.len()).filter(|&literal| drafts[literal].is_plain).collect();
        let literals: Vec<Condition> = drafts.into_iter().map(|draft| draft.condition).collect();
        Self {
            conflicts: (0..literals.len()).map(|literal| conflicts(&literals, literal)).collect(),
            literals,
            plain,
            masses: rows.outcomes.iter().map(|outcome| merged.merge(&outcome.masses())).collect(),
            floor: floor.map(|floor| Floor { sizes: merged.merge(&floor.sizes), ..floor }),
            coverage: Arc::new(merged.coverage),
            rows,
            schema,
        }
    }

    /// For each literal whether the conjunction can take it in: it then has one literal more to read.
    pub fn extensions(&self, conjunction: &[usize]) -> Vec<bool> {
        let mut extends = vec![true; self.literals.len()];
        for &literal in conjunction.iter().flat_map(|&member| &self.conflicts[member]) {
            extends[literal] = false;
        }
        extends
    }

    /// For each literal whether it leaves enough of some rows; none where any number is enough.
    pub(super) fn leaves_enough(&self, rows: &[u32]) -> Option<Vec<bool>> {
        let floor = self.floor.as_ref()?;
        let sizes: Vec<Pair> = rows.iter().map(|&row| floor.sizes[row as usize]).collect();
        let covered = self.coverage.sums_within(rows, &sizes);
        Some(covered.into_iter().map(|sizes| floor.is_reached(sizes)).collect())
    }

    /// The conjunction of some literals as a rule; none if no training row can satisfy it.
    pub fn rule(&self, conjunction: &[usize]) -> Option<Rule> {
        let literals = conjunction.iter().map(|&literal| self.literals[literal].clone());
        simplify(Rule::conjunction(literals)?, &self.rows.binned, self.schema)
    }
}

/// The number of literals that a rule is made of, its length in prices: `31 < age ≤ 45` has two and
/// `x not in {a, b, c}` three.
pub fn n_literals(rule: &Rule) -> usize {
    let of_test = |test: &Test| match test {
        Test::Interval { above, at_most } => usize::from(above.is_some()) + usize::from(at_most.is_some()),
        Test::NotIn(levels) => levels.len(),
        Test::In(_) | Test::Known | Test::Missing => 1,
    };
    rule.conditions.iter().map(|condition| of_test(&condition.test)).sum()
}

/// A literal that may be left out yet.
#[derive(Debug, Clone)]
struct Draft {
    condition: Condition,
    is_plain: bool,
}

fn literals_of(feature: usize, column: &BinnedColumn, weights: &[f64]) -> Vec<Draft> {
    let draft =
        |test, is_plain| Draft { condition: Condition { feature, test, takes_missing: false }, is_plain };
    let mut drafts = match &column.edges {
        Edges::Cuts(cuts) => deciles(column, cuts, weights)
            .into_iter()
            .flat_map(|cut| {
                [
                    draft(Test::Interval { above: None, at_most: Some(cut) }, true),
                    draft(Test::Interval { above: Some(cut), at_most: None }, false),
                ]
            })
            .collect(),
        // Of two levels that are all there is, the second is what a yes/no column says and the first its negation.
        Edges::Levels(levels) if levels.len() == 2 && !levels.contains(&None) => {
            let equal = |(position, level): (usize, u32)| {
                draft(Test::In(vec![level]), position == 1 || column.has_missing)
            };
            levels.iter().copied().flatten().enumerate().map(equal).collect()
        }
        Edges::Levels(levels) => levels
            .iter()
            .flatten()
            .flat_map(|&level| [draft(Test::In(vec![level]), true), draft(Test::NotIn(vec![level]), false)])
            .collect::<Vec<Draft>>(),
    };
    if column.has_missing {
        drafts.push(Draft { condition: Condition::missing(feature), is_plain: true });
        drafts.push(Draft { condition: Condition::known(feature), is_plain: false });
    }
    drafts
}

/// The cuts at which the weight of known values first reaches 10 %, 20 % … 90 %; all cuts if there are no more.
fn deciles(column: &BinnedColumn, cuts: &[f64], weights: &[f64]) -> Vec<f64> {
    if cuts.len() <= N_CUTS {
        return cuts.to_vec();
    }
    let mut reached = vec![0.0; column.n_bins()];
    for (&bin, weight) in column.bins.plain().iter().zip(weights) {
        if let Some(of_bin) = reached.get_mut(bin as usize) {
            *of_bin += weight;
        }
    }
    let mut total = 0.0;
    for of_bin in &mut reached {
        total += *of_bin;
        *of_bin = total;
    }
    let at = |decile: usize| {
        let wanted = total * (decile as f64 / (N_CUTS + 1) as f64 - DECILE_SLACK);
        reached.partition_point(|&weight| weight < wanted)
    };
    let mut positions: Vec<usize> = (1..=N_CUTS).map(at).collect();
    positions.dedup();
    // The last bin has no cut behind it.
    positions.into_iter().filter_map(|position| cuts.get(position).copied()).collect()
}

/// The literals to keep: of those with the same rows the briefest, which is plain if any of them is.
fn distinct(drafts: &mut [Draft], coverage: &Coverage, schema: &Schema) -> Vec<usize> {
    let n_rows = coverage.n_rows() as f64;
    let counts = coverage.sums(&vec![[1.0, 0.0]; coverage.n_rows()]);
    let fingerprints = coverage.fingerprints();
    let brevity_of = |draft: &Draft| brevity(&Rule { conditions: vec![draft.condition.clone()] }, schema);
    let mut best: HashMap<u64, usize> = HashMap::new();
    for literal in 0..drafts.len() {
        let other = *best.entry(fingerprints[literal]).or_insert(literal);
        let is_plain = drafts[other].is_plain || drafts[literal].is_plain;
        let briefer = if brevity_of(&drafts[literal]) < brevity_of(&drafts[other]) { literal } else { other };
        drafts[briefer].is_plain = is_plain;
        best.insert(fingerprints[literal], briefer);
    }
    let tells = |&literal: &usize| counts[literal][0] > 0.0 && counts[literal][0] < n_rows;
    let is_best = |&literal: &usize| best[&fingerprints[literal]] == literal;
    (0..drafts.len()).filter(tells).filter(is_best).collect()
}

fn conflicts(literals: &[Condition], literal: usize) -> Vec<usize> {
    let one = &literals[literal];
    let joins = |other: &Condition| {
        Rule::conjunction([one.clone(), other.clone()]).is_some_and(|rule| n_literals(&rule) == 2)
    };
    // They are in the order of the features.
    let first = literals.partition_point(|other| other.feature < one.feature);
    let end = literals.partition_point(|other| other.feature <= one.feature);
    (first..end).filter(|&other| !joins(&literals[other])).collect()
}
