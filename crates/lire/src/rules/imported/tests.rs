//! Rules of imported trees against walks down the trees.

use proptest::prelude::*;

use super::*;
use crate::table::{Feature, MISSING, Table, UNSEEN, Values};

const HUGE: f64 = 1e300;

fn schema(has_missing: bool) -> Schema {
    let levels = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let feature = |name: &str, kind| Feature::new(name, kind, has_missing);
    Schema {
        features: vec![
            feature("x", FeatureKind::Real),
            feature("colour", FeatureKind::Category { levels: levels(&["blue", "green", "red"]) }),
            feature("on", FeatureKind::Boolean { levels: levels(&["false", "true"]) }),
        ],
    }
}

/// Every combination of values at and near the thresholds with every level.
fn table(schema: Schema) -> Table {
    let mut numbers = vec![f64::NAN, 0.0, -0.0, HUGE, -HUGE, 1e-40, -1e-40];
    for at in [ZERO, -ZERO, 1.0, -2.5] {
        numbers.extend([f64::next_down(at), at, f64::next_up(at)]);
    }
    let (colours, truths) = ([0, 1, 2, UNSEEN, MISSING], [0, 1, MISSING]);
    let mut columns = (Vec::new(), Vec::new(), Vec::new());
    for &number in &numbers {
        for colour in colours {
            for truth in truths {
                columns.0.push(number);
                columns.1.push(colour);
                columns.2.push(truth);
            }
        }
    }
    let n_rows = columns.0.len();
    let values = vec![Values::Numbers(columns.0), Values::Codes(columns.1), Values::Codes(columns.2)];
    Table::new(schema, values, n_rows).unwrap()
}

/// Whether a row goes left, as the libraries themselves decide it.
fn goes_left(split: &ImportedSplit, table: &Table, row: usize) -> bool {
    let at_most = |value: f64, threshold: f64, zero_left: Option<bool>| match zero_left {
        Some(left) if (-ZERO..=ZERO).contains(&value) => left,
        _ => value <= threshold,
    };
    match (&table.columns()[split.feature], &split.test) {
        (Values::Numbers(values), _) if values[row].is_nan() => split.missing_left,
        (Values::Codes(codes), _) if codes[row] == MISSING => split.missing_left,
        (Values::Numbers(values), ImportedTest::AtMost { threshold, zero_left }) => {
            at_most(values[row], *threshold, *zero_left)
        }
        (Values::Codes(codes), ImportedTest::AtMost { threshold, zero_left }) => {
            at_most(f64::from(codes[row]), *threshold, *zero_left)
        }
        (Values::Codes(codes), ImportedTest::Among { levels, left }) => levels.contains(&codes[row]) == *left,
        _ => unreachable!("no set of numbers is drawn, and no sparse column"),
    }
}

fn split() -> impl Strategy<Value = ImportedSplit> {
    let thresholds = vec![1.0, -2.5, ZERO, -ZERO, 0.0, 0.5, 1e-40, f64::INFINITY, f64::NEG_INFINITY];
    let number = (prop_oneof![Just(0), Just(2)], proptest::sample::select(thresholds), any::<Option<bool>>())
        .prop_map(|(feature, threshold, zero_left)| (feature, ImportedTest::AtMost { threshold, zero_left }));
    let levels = proptest::sample::subsequence(vec![0, 1, 2], 0..=3);
    let set = (levels, any::<bool>()).prop_map(|(levels, left)| (1, ImportedTest::Among { levels, left }));
    (prop_oneof![2 => number, 1 => set], any::<bool>()).prop_map(|((feature, test), missing_left)| {
        ImportedSplit { feature, test, missing_left, left: 0, right: 0 }
    })
}

/// A full tree of seven splits, as an array that is a heap.
fn tree() -> impl Strategy<Value = ImportedTrees> {
    proptest::collection::vec(split(), 7).prop_map(|splits| {
        let inner = splits.into_iter().enumerate();
        let inner =
            inner.map(|(at, split)| Some(ImportedSplit { left: 2 * at + 1, right: 2 * at + 2, ..split }));
        ImportedTrees { nodes: inner.chain(std::iter::repeat_n(None, 8)).collect() }
    })
}

proptest! {
    #[test]
    fn the_rules_of_a_node_cover_the_rows_that_reach_it(tree in tree()) {
        let table = table(schema(true));
        let rules = tree.rules_of_nodes(table.schema()).unwrap();
        for row in 0..table.n_rows() {
            let mut reached = vec![0];
            while let Some(split) = &tree.nodes[reached[reached.len() - 1]] {
                reached.push(if goes_left(split, &table, row) { split.left } else { split.right });
            }
            for (node, rules) in rules.iter().enumerate() {
                let n_covering = rules.iter().filter(|(rule, _)| rule.covers(&table, row).unwrap()).count();
                prop_assert_eq!(n_covering, usize::from(reached.contains(&node)));
            }
        }
    }

    #[test]
    fn rules_lie_within_those_of_their_parents(tree in tree()) {
        let table = table(schema(true));
        let NestedRules { rules, within } = tree.rules(table.schema()).unwrap();
        for (place, outer) in within.iter().enumerate().filter_map(|(place, outer)| Some((place, (*outer)?))) {
            prop_assert!(outer < place);
            let inside = |row| !rules[place].covers(&table, row).unwrap() || rules[outer].covers(&table, row).unwrap();
            prop_assert!((0..table.n_rows()).all(inside));
        }
    }

    #[test]
    fn without_missing_values_in_training_no_rule_takes_them(tree in tree()) {
        let rules = tree.rules(&schema(false)).unwrap().rules;
        prop_assert!(rules.iter().flat_map(|rule| &rule.conditions).all(|condition| !condition.takes_missing));
    }
}

fn text(feature: usize, test: ImportedTest) -> Vec<String> {
    let split = ImportedSplit { feature, test, missing_left: false, left: 1, right: 2 };
    let trees = ImportedTrees { nodes: vec![Some(split), None, None] };
    trees.rules(&schema(false)).unwrap().rules.iter().map(|rule| rule.text(&schema(false)).unwrap()).collect()
}

#[test]
fn rules_read_as_the_trees_are() {
    let threshold = f64::from(0.1_f32).next_up();
    let up_to = |threshold| ImportedTest::AtMost { threshold, zero_left: None };
    assert_eq!(text(0, up_to(threshold)), ["x ≤ 0.10000000149011613", "x > 0.10000000149011613"]);
    assert_eq!(text(2, up_to(0.5)), ["on = false", "on = true"]);
    let blue_or_red = ImportedTest::Among { levels: vec![0, 2], left: true };
    assert_eq!(text(1, blue_or_red), ["colour in {blue, red}", "colour not in {blue, red}"]);
    assert_eq!(text(0, up_to(f64::INFINITY)), [""; 0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |feature, test, left, right| {
        let split = ImportedSplit { feature, test, missing_left: false, left, right };
        let trees = ImportedTrees { nodes: vec![Some(split), None, None] };
        trees.rules(&schema(false)).unwrap_err().to_string()
    };
    let up_to = |threshold| ImportedTest::AtMost { threshold, zero_left: None };
    let among = |level| ImportedTest::Among { levels: vec![level], left: true };
    assert!(
        refused(1, up_to(1.0), 1, 2).contains("take `colour` for numbers, but in the data it is a category")
    );
    assert!(refused(0, among(0), 1, 2).contains("take `x` for categories"));
    assert!(refused(1, among(3), 1, 2).contains("no such level"));
    assert!(refused(9, up_to(1.0), 1, 2).contains("no such feature"));
    assert!(refused(0, up_to(f64::NAN), 1, 2).contains("no number"));
    for (left, right) in [(0, 2), (1, 3), (2, 2)] {
        assert!(refused(0, up_to(1.0), left, right).contains("after its parent"));
    }
}
