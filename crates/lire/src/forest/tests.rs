//! Tests of grown forests as a whole.

mod numbers;

use proptest::prelude::*;

use super::*;
use crate::binning::{BinnedTable, MISSING_BIN};
use crate::table::{Feature, FeatureKind, MISSING, Schema, Table, TargetValues, Values};

/// Grows for the only outcome.
fn grow(rows: &Rows, config: &ForestConfig, watch: &Watch) -> Forest {
    super::grow(rows, &rows.outcomes[0], config, watch)
}

/// The weights of the positive and the negative rows.
fn sides(rows: &Rows) -> [&[f64]; 2] {
    let Outcome::Class { inside, outside } = &rows.outcomes[0] else { panic!("two classes") };
    [inside, outside]
}

/// Two numbers and two categories, all with gaps; and two targets, classes and numbers, that depend on them
/// and on chance.
fn data(n: usize, seed: u64) -> (Table, [TargetValues; 2]) {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = crate::binning::mix(state);
        state % below
    };
    let mut number = |values: u64, gaps: u64| {
        let cell = |_| if draw(100) < gaps { f64::NAN } else { draw(values) as f64 };
        (0..n).map(cell).collect::<Vec<f64>>()
    };
    let (fine, coarse) = (number(700, 5), number(9, 0));
    let codes = |numbers: Vec<f64>| -> Vec<u32> {
        numbers.into_iter().map(|x| if x.is_nan() { MISSING } else { x as u32 }).collect()
    };
    let (many, few) = (codes(number(12, 3)), codes(number(2, 0)));
    let noise = number(100, 0);
    let scores: Vec<f64> = (0..n)
        .map(|row| {
            let score = f64::from(fine[row] > 300.0) + f64::from(coarse[row] <= 3.0) * f64::from(few[row])
                - f64::from(many[row] == 4)
                + f64::from(many[row] == MISSING);
            score * 30.0 + noise[row]
        })
        .collect();
    let labels: Vec<bool> = scores.iter().map(|&score| score > 60.0).collect();
    let numbers = scores.iter().map(|score| score / 7.0).collect();
    let category =
        |n: usize| FeatureKind::Category { levels: (0..n).map(|level| level.to_string()).collect() };
    let kinds = [FeatureKind::Real, FeatureKind::Integer, category(12), category(2)];
    let features = kinds.map(|kind| Feature::new("x", kind, true)).to_vec();
    let columns =
        vec![Values::Numbers(fine), Values::Numbers(coarse), Values::Codes(many), Values::Codes(few)];
    let targets = [TargetValues::of_bools(&labels), TargetValues::Numbers(numbers)];
    (Table::new(Schema { features }, columns, n).unwrap(), targets)
}

fn merge(table: &Table, target: &TargetValues, weights: &[f64]) -> Rows {
    Rows::merge(&BinnedTable::of(table, weights), target, weights)
}

/// Rows of classes, and the same rows of numbers.
fn both(n: usize, seed: u64) -> [Rows; 2] {
    let (table, targets) = data(n, seed);
    targets.map(|target| merge(&table, &target, &vec![1.0; n]))
}

/// Rows of classes.
fn rows(n: usize, seed: u64) -> Rows {
    let [classes, _] = both(n, seed);
    classes
}

fn configs() -> Vec<ForestConfig> {
    let small = ForestConfig { n_trees: 8, seed: 7, ..ForestConfig::default() };
    let forest = ForestConfig {
        generator: TreeGenerator::RandomForest,
        features_per_split: FeatureSampling::Sqrt,
        row_sampling: RowSampling::Bootstrap,
        ..small.clone()
    };
    vec![
        small.clone(),
        ForestConfig { max_depth: None, max_leaves: Some(6), ..small.clone() },
        ForestConfig { row_sampling: RowSampling::Bootstrap, ..small.clone() },
        ForestConfig {
            row_sampling: RowSampling::Share(0.6),
            features_per_split: FeatureSampling::Count(2),
            ..small
        },
        ForestConfig { levels_as_columns: true, ..forest.clone() },
        ForestConfig {
            generator: TreeGenerator::ExtraTrees,
            row_sampling: RowSampling::All,
            ..forest.clone()
        },
        ForestConfig { max_depth: None, features_per_split: FeatureSampling::All, ..forest },
    ]
}

fn grow_all(rows: &Rows) -> Vec<Forest> {
    configs().iter().map(|config| grow(rows, config, &Watch::default())).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for rows in both(20_000, 1) {
        let with_threads = |n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            pool.install(|| grow_all(&rows))
        };
        assert_eq!(with_threads(1), with_threads(2));
    }
}

#[test]
fn weights_and_order_change_nothing() {
    let (table, targets) = data(500, 2);
    let weights: Vec<f64> = (0..500).map(|row| f64::from(row % 4)).collect();
    let repeated: Vec<usize> = (0..500).rev().flat_map(|row| vec![row; weights[row] as usize]).collect();
    let ones = vec![1.0; repeated.len()];
    for target in targets {
        let weighted = merge(&table, &target, &weights);
        let plain = merge(&table.select(&repeated).unwrap(), &target.select(&repeated).unwrap(), &ones);
        assert_eq!(grow_all(&weighted), grow_all(&plain));
    }
}

#[test]
fn limits_hold_and_children_share_their_parent() {
    let grown = |config: ForestConfig| {
        both(3000, 3).map(|rows| (grow(&rows, &config, &Watch::default()), config.clone()))
    };
    for (forest, config) in configs().into_iter().flat_map(grown) {
        assert_eq!(forest.trees.len(), config.n_trees);
        for tree in &forest.trees {
            assert!(tree.nodes.len() > 1);
            let mut depth = vec![0; tree.nodes.len()];
            for (position, node) in tree.nodes.iter().enumerate() {
                assert!(node.weight >= config.min_leaf_weight);
                let Some(split) = &node.split else { continue };
                let [left, right] = [split.left, split.right];
                assert!(left > position && right > position);
                [depth[left], depth[right]] = [depth[position] + 1; 2];
                assert_eq!(tree.nodes[left].weight + tree.nodes[right].weight, node.weight);
            }
            assert!(depth.iter().all(|&depth| config.max_depth.is_none_or(|max| depth <= max)));
            let n_leaves = tree.nodes.iter().filter(|node| node.split.is_none()).count();
            assert!(config.max_leaves.is_none_or(|max| n_leaves <= max));
        }
    }
}

/// Every way to split a column, and whether a bin goes left.
fn all_splits(rows: &Rows) -> Vec<Split> {
    let mut splits = Vec::new();
    for (feature, column) in rows.binned.columns.iter().enumerate() {
        let tests = (0..column.n_bins() as u8).map(|bin| match column.other_bin() {
            None => SplitTest::AtMost(bin),
            Some(_) => SplitTest::Equals(bin),
        });
        for test in tests.chain([SplitTest::Known]) {
            let sides =
                [false, true].map(|missing_left| Split { feature, test, missing_left, left: 1, right: 2 });
            splits.extend(sides);
        }
    }
    splits
}

/// Gradient, curvature and mass of the rows on one side of a split.
fn side(rows: &Rows, split: &Split, left: bool, row_terms: &dyn Fn(usize) -> [f64; 3]) -> [f64; 3] {
    let bins = &rows.binned.columns[split.feature].bins;
    let inside = (0..rows.len()).filter(|&row| split.goes_left(bins[row]) == left);
    inside.map(row_terms).fold([0.0; 3], |sum, terms| std::array::from_fn(|k| sum[k] + terms[k]))
}

fn worth(rows: &Rows, split: &Split, l2: f64, min_leaf: f64, terms: &dyn Fn(usize) -> [f64; 3]) -> f64 {
    [true, false]
        .map(|left| side(rows, split, left, terms))
        .map(
            |[gradient, curvature, mass]| {
                if mass < min_leaf { f64::NEG_INFINITY } else { gradient * gradient / (curvature + l2) }
            },
        )
        .iter()
        .sum()
}

#[test]
fn the_root_takes_the_best_of_all_splits() {
    for seed in 10..20 {
        let rows = rows(400, seed);
        let base =
            ForestConfig { n_trees: 1, max_depth: Some(1), min_leaf_weight: 10.0, ..Default::default() };
        let total: f64 = rows.weights().iter().sum();
        let share = sides(&rows)[0].iter().sum::<f64>() / total;
        for generator in [TreeGenerator::RandomForest, TreeGenerator::Boosting] {
            let boosts = generator == TreeGenerator::Boosting;
            let terms = |row: usize| {
                let (positive, mass) = (sides(&rows)[0][row], sides(&rows)[0][row] + sides(&rows)[1][row]);
                if boosts {
                    [positive - mass * share, mass * share * (1.0 - share), mass]
                } else {
                    [positive, mass, mass]
                }
            };
            let l2 = if boosts { base.l2 } else { 0.0 };
            let worth = |split: &Split| worth(&rows, split, l2, base.min_leaf_weight, &terms);
            let best = all_splits(&rows).iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
            let forest = grow(&rows, &ForestConfig { generator, ..base.clone() }, &Watch::default());
            let nodes = &forest.trees[0].nodes;
            let taken = nodes[0].split.as_ref().unwrap();
            assert!((worth(taken) - best).abs() < 1e-4 * best, "{} is not {best}", worth(taken));
            let [gradient, curvature, mass] = side(&rows, taken, true, &terms);
            assert_eq!(nodes[1].weight, mass);
            let rate = if boosts { base.learning_rate } else { 1.0 };
            assert!((nodes[1].value - rate * gradient / (curvature + l2)).abs() < 1e-4);
        }
    }
}

#[test]
fn the_fall_of_gini_impurity_orders_splits_alike() {
    let rows = rows(300, 4);
    let mass = |row: usize| sides(&rows)[0][row] + sides(&rows)[1][row];
    let terms = |row: usize| [sides(&rows)[0][row], mass(row), mass(row)];
    let impurity = |split: &Split| -> f64 {
        let gini = |[positive, _, mass]: [f64; 3]| 2.0 * positive * (mass - positive) / mass.max(1.0);
        [true, false].map(|left| gini(side(&rows, split, left, &terms))).iter().sum()
    };
    let taken = |split: &Split| worth(&rows, split, 0.0, 1.0, &terms);
    let splits: Vec<Split> = all_splits(&rows).into_iter().filter(|split| taken(split).is_finite()).collect();
    let best = splits.iter().max_by(|a, b| taken(a).total_cmp(&taken(b))).unwrap();
    let least = splits.iter().map(impurity).fold(f64::INFINITY, f64::min);
    assert!((impurity(best) - least).abs() < 1e-9);
}

#[test]
fn nothing_to_learn_gives_single_leaves() {
    let (table, _) = data(200, 5);
    let weights: Vec<f64> = (0..200).map(|row| 0.3 + f64::from(row % 7)).collect();
    let one_class = merge(&table, &TargetValues::of_bools(&[true; 200]), &weights);
    let [one_number, zero] =
        [0.1, 0.0].map(|n| merge(&table, &TargetValues::Numbers(vec![n; 200]), &weights));
    let constant = {
        let mut constant = rows(200, 5);
        constant.binned.columns.clear();
        constant
    };
    let [no_class, no_number] = both(0, 5);
    for rows in [one_class, one_number, zero, constant, no_class, no_number] {
        for forest in grow_all(&rows) {
            assert!(forest.trees.iter().all(|tree| tree.nodes.len() == 1));
            assert!(forest.predict(&rows.binned).iter().all(|prediction| prediction.is_finite()));
        }
    }
}

#[test]
fn excluded_features_never_split() {
    let rows = rows(1000, 6);
    let config = ForestConfig { excluded: vec![0, 2], n_trees: 5, ..Default::default() };
    let forest = grow(&rows, &config, &Watch::default());
    let splits = forest.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| node.split.as_ref());
    assert!(splits.clone().count() > 0);
    assert!(splits.clone().all(|split| [1, 3].contains(&split.feature)));
}

#[test]
fn boosting_predicts_what_it_has_summed() {
    let rows = rows(2000, 8);
    for config in configs().into_iter().filter(|config| config.generator == TreeGenerator::Boosting) {
        let forest = grow(&rows, &config, &Watch::default());
        let loss = |trees: usize| -> f64 {
            let part = Forest { trees: forest.trees[..trees].to_vec(), ..forest.clone() };
            let scores = part.predict(&rows.binned);
            let masses = sides(&rows)[0].iter().zip(sides(&rows)[1]);
            scores.iter().zip(masses).map(|(f, (p, n))| p * (-f).exp().ln_1p() + n * f.exp().ln_1p()).sum()
        };
        // The trees only fit together if the state between them was the sum of those before.
        let losses: Vec<f64> = (0..=forest.trees.len()).map(loss).collect();
        assert!(losses.windows(2).all(|pair| pair[1] < pair[0]), "{losses:?}");
    }
}

#[test]
fn a_set_flag_stops_between_trees() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    let watch = Watch { interrupt: Some(&flag), ..Watch::default() };
    for config in configs() {
        assert!(grow(&rows(100, 9), &config, &watch).trees.is_empty());
    }
}

#[test]
fn missing_values_take_the_better_side() {
    let numbers: Vec<f64> =
        (0..200).map(|row| if row % 4 == 0 { f64::NAN } else { f64::from(row % 4) }).collect();
    let features = vec![Feature::new("x", FeatureKind::Real, true)];
    let table = Table::new(Schema { features }, vec![Values::Numbers(numbers)], 200).unwrap();
    for (positive, test, missing_left) in [
        ([0, 1], SplitTest::AtMost(0), true),
        ([0, 3], SplitTest::AtMost(1), false),
        ([0, 0], SplitTest::Known, false),
    ] {
        let labels: Vec<bool> = (0..200).map(|row| positive.contains(&(row % 4))).collect();
        let rows =
            Rows::merge(&BinnedTable::of(&table, &[1.0; 200]), &TargetValues::of_bools(&labels), &[1.0; 200]);
        let config = ForestConfig { n_trees: 1, max_depth: Some(1), ..Default::default() };
        let forest = grow(&rows, &config, &Watch::default());
        let split = forest.trees[0].nodes[0].split.clone().unwrap();
        assert_eq!((split.test, split.missing_left), (test, missing_left));
        assert_eq!(split.goes_left(MISSING_BIN), missing_left);
    }
}

#[test]
fn few_rows_may_be_drawn_many_times() {
    let config = ForestConfig { row_sampling: RowSampling::Bootstrap, ..ForestConfig::default() };
    for n in 1..4 {
        assert_eq!(grow(&rows(n, 11), &config, &Watch::default()).trees.len(), config.n_trees);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_small_table_grows(n in 0_usize..40, seed in any::<u64>(), min_leaf_weight in 0.0..6.0) {
        for rows in both(n, seed) {
            for config in configs() {
                let config = ForestConfig { min_leaf_weight, n_trees: 3, ..config };
                let forest = grow(&rows, &config, &Watch::default());
                prop_assert!(forest.predict(&rows.binned).iter().all(|prediction| prediction.is_finite()));
            }
        }
    }
}
