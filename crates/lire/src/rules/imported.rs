//! Trees that another library grew, and the rules of their nodes.
//!
//! They stay what they are: thresholds are not spelled anew, sets of categories not made shorter.

use super::{Condition, NestedRules, Rule, Test};
use crate::error::{Error, Result};
use crate::table::{FeatureKind, Schema};

/// What `LightGBM` takes for zero where it takes zero for missing: up to here on either side.
const ZERO: f64 = 1e-35_f32 as f64;

/// Trees from elsewhere: the splits of all nodes, tree after tree, none for a leaf.
///
/// Nodes that are no child are roots. Children stand behind their parents, and no node has two parents.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportedTrees {
    /// The nodes.
    pub nodes: Vec<Option<ImportedSplit>>,
}

/// What a node asks, and where rows go.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedSplit {
    /// The feature's position in the schema.
    pub feature: usize,
    /// What is asked of a known value.
    pub test: ImportedTest,
    /// Whether missing values go left.
    pub missing_left: bool,
    /// The node of rows that go left.
    pub left: usize,
    /// The node of all others.
    pub right: usize,
}

/// What a node asks of a known value.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportedTest {
    /// Numbers up to a threshold go left; an infinite one sends all of them one way.
    AtMost {
        /// The threshold.
        threshold: f64,
        /// Where zero goes, if it goes its own way.
        zero_left: Option<bool>,
    },
    /// Levels of a set go one way; all others, those never seen in training too, go the other.
    Among {
        /// The set, by positions in the schema's levels.
        levels: Vec<u32>,
        /// Whether the set goes left.
        left: bool,
    },
}

impl ImportedTrees {
    /// The rules of all nodes but the roots, in the order of the nodes, not yet distinct.
    ///
    /// A node that zero reaches on a way of its own may need two rules; one that no row can reach has none. Features
    /// without missing values in training never take them.
    pub fn rules(&self, schema: &Schema) -> Result<NestedRules> {
        let mut nested = NestedRules::default();
        let mut places: Vec<Vec<Option<usize>>> = Vec::with_capacity(self.nodes.len());
        for of_node in self.rules_of_nodes(schema)? {
            let mut place = |(rule, outer): (Rule, Outer)| {
                let within = outer.and_then(|(node, which)| places[node][which]);
                // What asks nothing is no rule.
                (rule.n_conditions() > 0).then(|| nested.push(rule, within))
            };
            let of_node = of_node.into_iter().map(&mut place).collect();
            places.push(of_node);
        }
        Ok(nested)
    }

    /// The rules of each node: together they cover the rows that reach it, and none is covered twice. With each the
    /// rule of its parent that it is made of.
    pub fn rules_of_nodes(&self, schema: &Schema) -> Result<Vec<Vec<(Rule, Outer)>>> {
        let mut rules = vec![vec![(Rule::default(), None)]; self.nodes.len()];
        let mut is_child = vec![false; self.nodes.len()];
        for (position, split) in self.nodes.iter().enumerate() {
            let Some(split) = split else { continue };
            let (left, right) = split.sides(schema)?;
            for (child, side) in [(split.left, left), (split.right, right)] {
                if child <= position || child >= self.nodes.len() || is_child[child] {
                    return Err(broken("a child does not come after its parent, or has two parents"));
                }
                is_child[child] = true;
                let of_side = |(which, (rule, _)): (usize, &(Rule, Outer))| {
                    let joined = side.iter().filter_map(|condition| rule.and(condition.clone()));
                    joined.map(|rule| (rule, Some((position, which)))).collect::<Vec<_>>()
                };
                rules[child] = rules[position].iter().enumerate().flat_map(of_side).collect();
            }
        }
        Ok(rules)
    }
}

/// A node, and which of its rules.
type Outer = Option<(usize, usize)>;

/// Conditions of which a value satisfies at most one.
type Side = Vec<Condition>;

impl ImportedSplit {
    /// What rows must satisfy that go left and right.
    fn sides(&self, schema: &Schema) -> Result<(Side, Side)> {
        let Some(feature) = schema.features.get(self.feature) else {
            return Err(broken("there is no such feature"));
        };
        let (left, right) = match (&self.test, &feature.kind) {
            (ImportedTest::AtMost { threshold, .. }, _) if threshold.is_nan() => {
                return Err(broken("a threshold is no number"));
            }
            (ImportedTest::AtMost { threshold, zero_left }, FeatureKind::Boolean { .. }) => {
                truth_tests(*threshold, *zero_left)
            }
            (ImportedTest::AtMost { .. }, FeatureKind::Category { .. }) => {
                return Err(wrong_kind(&feature.name, "numbers", "a category"));
            }
            (ImportedTest::AtMost { threshold, zero_left: None }, _) => at_most(*threshold),
            (ImportedTest::AtMost { threshold, zero_left: Some(zero_left) }, _) => {
                with_zero(*threshold, *zero_left)
            }
            (ImportedTest::Among { levels, left }, kind) => {
                let Some(known) = kind.levels() else {
                    return Err(wrong_kind(&feature.name, "categories", "a number"));
                };
                if levels.iter().any(|&level| level as usize >= known.len()) {
                    return Err(broken("there is no such level"));
                }
                let sides = (vec![Test::In(levels.clone())], vec![Test::NotIn(levels.clone())]);
                if *left { sides } else { (sides.1, sides.0) }
            }
        };
        let side = |tests, goes_here| self.side(tests, goes_here, feature.has_missing);
        Ok((side(left, self.missing_left), side(right, !self.missing_left)))
    }

    fn side(&self, mut tests: Vec<Test>, missing_goes_here: bool, has_missing: bool) -> Side {
        if tests.is_empty() {
            tests.push(Test::Missing);
        }
        let condition = |(place, test): (usize, Test)| {
            // Only the first takes missing values, so that no value satisfies two. Where there are none, `x is known`
            // asks nothing, which the normal form writes as taking them too.
            let takes_missing =
                if has_missing { missing_goes_here && place == 0 } else { test == Test::Known };
            Condition { feature: self.feature, test, takes_missing }
        };
        tests.into_iter().enumerate().map(condition).collect()
    }
}

/// The numbers up to a threshold, and those above.
fn at_most(threshold: f64) -> (Vec<Test>, Vec<Test>) {
    (vec![between(f64::NEG_INFINITY, threshold)], vec![between(threshold, f64::INFINITY)])
}

/// The same with zero going its own way: either side may fall into two intervals.
fn with_zero(threshold: f64, zero_left: bool) -> (Vec<Test>, Vec<Test>) {
    let (low, high) = ((-ZERO).next_down(), ZERO);
    let one = |bound: f64| at_most(bound);
    match zero_left {
        true if threshold >= low => one(threshold.max(high)),
        false if threshold <= high => one(threshold.min(low)),
        true => (
            vec![between(f64::NEG_INFINITY, threshold), between(low, high)],
            vec![between(threshold, low), between(high, f64::INFINITY)],
        ),
        false => (
            vec![between(f64::NEG_INFINITY, low), between(high, threshold)],
            vec![between(low, high), between(threshold, f64::INFINITY)],
        ),
    }
}

/// `above < x ≤ at_most`, where infinite bounds are open sides.
fn between(above: f64, at_most: f64) -> Test {
    if above == f64::INFINITY || at_most == f64::NEG_INFINITY {
        return Test::Missing;
    }
    match (above.is_finite().then_some(above), at_most.is_finite().then_some(at_most)) {
        (None, None) => Test::Known,
        (above, at_most) => Test::Interval { above, at_most },
    }
}

/// Truth values compared as the numbers 0 and 1.
fn truth_tests(threshold: f64, zero_left: Option<bool>) -> (Vec<Test>, Vec<Test>) {
    match (zero_left.unwrap_or(0.0 <= threshold), 1.0 <= threshold) {
        (true, true) => (vec![Test::Known], Vec::new()),
        (false, false) => (Vec::new(), vec![Test::Known]),
        (true, false) => (vec![Test::In(vec![0])], vec![Test::In(vec![1])]),
        (false, true) => (vec![Test::In(vec![1])], vec![Test::In(vec![0])]),
    }
}

fn wrong_kind(name: &str, theirs: &str, ours: &str) -> Error {
    let message = format!("its trees take `{name}` for {theirs}, but in the data it is {ours}");
    Error::config("tree_generator", message)
}

fn broken(message: &str) -> Error {
    Error::config("tree_generator", format!("its trees cannot be used: {message}"))
}

#[cfg(test)]
mod tests;
