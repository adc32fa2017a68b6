//! Makes each node of a forest a rule.

use super::simplify::simplify;
use super::{Condition, DistinctBy, Rule, RuleConfig, Test};
use crate::binning::{BinnedColumn, BinnedTable, Edges};
use crate::forest::{Forest, Split, SplitTest, Tree};
use crate::table::Schema;

/// The rules of all nodes but the roots, in the order of trees and nodes, not yet distinct.
///
/// Left out are rules of more conditions than allowed, rules that no training row can satisfy, and those whose
/// conditions hold for every row. Where rules are distinct by text, as in the paper, they read as they were split:
/// `sex ≠ male` and `sex = female` are then two, as two columns of an encoded table are.
pub fn extract(forest: &Forest, binned: &BinnedTable, schema: &Schema, config: &RuleConfig) -> Vec<Rule> {
    let rules = forest.trees.iter().flat_map(|tree| rules_of_nodes(tree, binned).into_iter().skip(1));
    let worded = |rule| match config.distinct {
        DistinctBy::Text => Some(rule),
        DistinctBy::Coverage => simplify(rule, binned, schema),
    };
    let simple = rules.flatten().filter_map(worded);
    let fits = |rule: &Rule| config.max_rule_length.is_none_or(|most| rule.n_conditions() <= most);
    simple.filter(|rule| rule.n_conditions() > 0 && fits(rule)).collect()
}

/// The rule of each node, none where a node cannot be reached.
fn rules_of_nodes(tree: &Tree, binned: &BinnedTable) -> Vec<Option<Rule>> {
    let mut rules = vec![None; tree.nodes.len()];
    if let Some(root) = rules.first_mut() {
        *root = Some(Rule::default());
    }
    // Children stand behind their parents, so that one pass meets every parent first.
    for (position, node) in tree.nodes.iter().enumerate() {
        if let (Some(split), Some(rule)) = (&node.split, rules[position].clone()) {
            let (left, right) = sides(split, &binned.columns[split.feature]);
            rules[split.left] = rule.and(left);
            rules[split.right] = rule.and(right);
        }
    }
    rules
}

/// What a split asks of the rows that go left and right.
fn sides(split: &Split, column: &BinnedColumn) -> (Condition, Condition) {
    let (left, right) = tests(split.test, &column.edges);
    // A column that was always known never takes missing values. Then `x is known` asks nothing,
    // which the normal form writes as taking both known and missing values.
    let takes_missing = |test: &Test, goes_here: bool| {
        if column.has_missing { goes_here } else { *test == Test::Known }
    };
    let condition = |test: Test, goes_here| {
        let takes_missing = takes_missing(&test, goes_here);
        Condition { feature: split.feature, test, takes_missing }
    };
    (condition(left, split.missing_left), condition(right, !split.missing_left))
}

/// What a split asks of known values, on its left and on its right.
fn tests(test: SplitTest, edges: &Edges) -> (Test, Test) {
    match (test, edges) {
        (SplitTest::Known, _) => (Test::Known, Test::Missing),
        (SplitTest::AtMost(bin), Edges::Cuts(cuts)) => match cuts.get(usize::from(bin)) {
            Some(&cut) => (
                Test::Interval { above: None, at_most: Some(cut) },
                Test::Interval { above: Some(cut), at_most: None },
            ),
            // All known values are at most in the last bin.
            None => (Test::Known, Test::Missing),
        },
        (SplitTest::Equals(bin), Edges::Levels(levels)) => {
            let level = levels[usize::from(bin)].expect("no split singles out the bin of rare levels");
            (Test::In(vec![level]), Test::NotIn(vec![level]))
        }
        (SplitTest::AtMost(_), Edges::Levels(_)) | (SplitTest::Equals(_), Edges::Cuts(_)) => {
            unreachable!("numbers are split by `at most` and categories by `equals`")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::cover_binned;
    use super::super::random_trees::{self, Data};
    use super::*;
    use crate::binning::MISSING_BIN;
    use crate::forest::{Combination, Node};
    use crate::table::{Feature, FeatureKind};

    /// Whether a row reaches a node, walking the tree by bins.
    fn reaches(tree: &Tree, data: &Data, row: usize, target: usize) -> bool {
        let mut node = 0;
        while let Some(split) = tree.nodes[node].split.as_ref().filter(|_| node != target) {
            let bin = data.binned.columns[split.feature].bins[row];
            let left = match split.test {
                _ if bin == MISSING_BIN => split.missing_left,
                SplitTest::AtMost(most) => bin <= most,
                SplitTest::Equals(wanted) => bin == wanted,
                SplitTest::Known => true,
            };
            node = if left { split.left } else { split.right };
        }
        node == target
    }

    #[test]
    fn rules_read_as_people_say_them() {
        let boolean = FeatureKind::Boolean { levels: ["no", "yes"].map(String::from).to_vec() };
        let feature = |name: &str, kind, has_missing| Feature::new(name, kind, has_missing);
        let features = vec![feature("age", FeatureKind::Integer, true), feature("angina", boolean, false)];
        let column = |edges, has_missing| BinnedColumn { bins: Vec::new().into(), edges, has_missing };
        let columns = vec![
            column(Edges::Cuts(vec![31.0, 54.0]), true),
            column(Edges::Levels(vec![Some(0), Some(1)]), false),
        ];
        let binned = BinnedTable { columns, n_rows: 0 };
        let node = |split| Node { split, weight: 1.0, value: 0.0 };
        let split = |feature, test, missing_left, left| {
            node(Some(Split { feature, test, missing_left, left, right: left + 1 }))
        };
        let nodes = vec![
            split(0, SplitTest::AtMost(0), false, 1),
            split(1, SplitTest::Equals(0), true, 3),
            split(0, SplitTest::AtMost(1), false, 5),
            node(None),
            node(None),
            node(None),
            split(0, SplitTest::Known, false, 7),
            node(None),
            node(None),
        ];
        let forest = Forest { trees: vec![Tree { nodes }], base: 0.0, combination: Combination::Sum };
        let schema = Schema { features };
        let rules = extract(&forest, &binned, &schema, &RuleConfig::default());
        let texts: Vec<String> = rules.iter().map(|rule| rule.text(&schema).unwrap()).collect();
        let expected = [
            "age ≤ 31",
            "age > 31 or missing",
            "age ≤ 31 & angina = no",
            "age ≤ 31 & angina = yes",
            "31 < age ≤ 54",
            "age > 54 or missing",
            "age > 54",
            "age is missing",
        ];
        assert_eq!(texts, expected);
    }

    proptest! {
        #[test]
        fn a_node_and_its_rule_take_the_same_rows((data, tree) in random_trees::data_and_tree()) {
            for (node, rule) in rules_of_nodes(&tree, &data.binned).into_iter().enumerate() {
                let rule = rule.and_then(|rule| simplify(rule, &data.binned, data.table.schema()));
                for row in 0..data.table.n_rows() {
                    let covered = rule.as_ref().is_some_and(|rule| rule.covers(&data.table, row).unwrap());
                    prop_assert_eq!(covered, reaches(&tree, &data, row, node), "node {} row {}", node, row);
                }
                if let Some(rule) = rule {
                    prop_assert_eq!(cover_binned(&rule, &data.binned), Some(rule.cover(&data.table).unwrap()));
                }
            }
        }

        #[test]
        fn extracted_rules_are_in_normal_form((data, tree) in random_trees::data_and_tree()) {
            let forest = Forest { trees: vec![tree.clone(), tree], base: 0.0, combination: Combination::Sum };
            let schema = data.table.schema();
            let rules = extract(&forest, &data.binned, schema, &RuleConfig::default());
            for rule in &rules {
                prop_assert_eq!(Rule::conjunction(rule.conditions.clone()), Some(rule.clone()));
                prop_assert!(rule.n_conditions() > 0);
                let takes_missing = rule.conditions.iter().filter(|condition| condition.takes_missing);
                prop_assert!(takes_missing.into_iter().all(|c| schema.features[c.feature].has_missing));
            }
            let short = extract(
                &forest,
                &data.binned,
                schema,
                &RuleConfig { max_rule_length: Some(1), ..Default::default() },
            );
            let expected: Vec<Rule> = rules.into_iter().filter(|rule| rule.n_conditions() <= 1).collect();
            prop_assert_eq!(short, expected);
        }
    }
}
