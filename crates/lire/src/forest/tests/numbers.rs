//! Tests of forests that predict numbers.

use super::*;
use crate::binning::Edges;
use crate::table::UNSEEN;

/// The numbers and the weights.
fn numbers(rows: &Rows) -> (&[f64], &[f64]) {
    let Outcome::Number { values, weights } = &rows.outcomes[0] else { panic!("a number") };
    (values, weights)
}

/// Rows of numbers of weight 1 to 3.
fn number_rows(n: usize, seed: u64, change: impl Fn(&mut [f64])) -> Rows {
    let (table, [_, target]) = data(n, seed);
    let TargetValues::Numbers(mut values) = target else { panic!("numbers") };
    change(&mut values);
    let weights: Vec<f64> = (0..n).map(|row| f64::from(row as u32 % 3 + 1)).collect();
    merge(&table, &TargetValues::Numbers(values), &weights)
}

/// The trees before the given one.
fn before(forest: &Forest, number: usize) -> Forest {
    Forest { trees: forest.trees[..number].to_vec(), ..forest.clone() }
}

/// What one tree was fitted to, and how.
struct Audit<'a> {
    rows: &'a Rows,
    residuals: Vec<f64>,
    weights: &'a [f64],
    config: &'a ForestConfig,
    l2: f64,
    rate: f64,
}

impl Audit<'_> {
    /// The best constant of some rows, and their squared error with it and its penalty.
    fn constant(&self, members: &[usize]) -> (f64, f64) {
        let sum = |term: &dyn Fn(usize) -> f64| members.iter().map(|&row| term(row)).sum::<f64>();
        let weight = sum(&|row| self.weights[row]) + self.l2;
        let value = sum(&|row| self.weights[row] * self.residuals[row]) / weight;
        let error = sum(&|row| self.weights[row] * (self.residuals[row] - value).powi(2));
        (value, error + self.l2 * value * value)
    }

    /// The error after a split; infinite if it is not allowed.
    fn error(&self, members: &[usize], split: &Split) -> f64 {
        let bins = &self.rows.binned.columns[split.feature].bins;
        let (left, right): (Vec<_>, Vec<_>) = members.iter().partition(|&&row| split.goes_left(bins[row]));
        let allowed = [&left, &right].iter().all(|side| {
            let weight: f64 = side.iter().map(|&row| self.weights[row]).sum();
            weight >= self.config.min_leaf_weight.max(1.0)
        });
        if allowed { self.constant(&left).1 + self.constant(&right).1 } else { f64::INFINITY }
    }

    /// Compares every node with a search over all splits.
    fn check(&self, tree: &Tree) {
        let all = all_splits(self.rows);
        let mut open = vec![(0, (0..self.rows.len()).collect::<Vec<usize>>(), 0)];
        while let Some((position, members, depth)) = open.pop() {
            let node = &tree.nodes[position];
            let (value, error) = self.constant(&members);
            let spread = (error / node.weight).sqrt();
            assert_eq!(node.weight, members.iter().map(|&row| self.weights[row]).sum::<f64>());
            assert!((node.value - self.rate * value).abs() <= 1e-7 * (spread + value.abs()));
            // Numbers far from zero are told apart less finely, as in any arithmetic of so many digits.
            let rounding = 1e-8 * error + 1e-13 * (node.weight + self.l2) * value * value;
            let least = all.iter().map(|split| self.error(&members, split)).fold(f64::INFINITY, f64::min);
            let Some(split) = &node.split else {
                let settled = self.config.max_depth == Some(depth) || error - least <= rounding;
                assert!(settled, "a leaf could fall from {error} to {least}");
                continue;
            };
            let taken = self.error(&members, split);
            assert!(taken - least <= rounding, "{taken} is not {least}");
            let bins = &self.rows.binned.columns[split.feature].bins;
            let (left, right) = members.iter().partition(|&&row| split.goes_left(bins[row]));
            open.extend([(split.left, left, depth + 1), (split.right, right, depth + 1)]);
        }
    }
}

/// Checks every tree of a forest on all rows against the residuals of the trees before it.
fn audit(rows: &Rows, config: &ForestConfig) {
    let forest = grow(rows, config, &Watch::default());
    let boosts = config.generator == TreeGenerator::Boosting;
    let (values, weights) = numbers(rows);
    assert_eq!(forest.trees.len(), config.n_trees);
    for (number, tree) in forest.trees.iter().enumerate() {
        let scores = if boosts {
            before(&forest, number).predict(&rows.binned)
        } else {
            vec![forest.base; rows.len()]
        };
        let residuals = values.iter().zip(scores).map(|(value, score)| value - score).collect();
        let (l2, rate) = if boosts { (config.l2, config.learning_rate) } else { (0.0, 1.0) };
        Audit { rows, residuals, weights, config, l2, rate }.check(tree);
    }
}

fn audited_configs() -> Vec<ForestConfig> {
    let boosting = ForestConfig { n_trees: 4, min_leaf_weight: 12.0, ..Default::default() };
    let forest = ForestConfig { generator: TreeGenerator::RandomForest, n_trees: 1, ..boosting.clone() };
    vec![
        ForestConfig { l2: 0.0, learning_rate: 1.0, min_leaf_weight: 0.0, ..boosting.clone() },
        boosting,
        ForestConfig { max_depth: None, min_leaf_weight: 30.0, ..forest.clone() },
        forest,
    ]
}

#[test]
fn every_node_takes_the_best_of_all_splits() {
    for seed in 20..24 {
        let rows = number_rows(300, seed, |_| {});
        for config in audited_configs() {
            audit(&rows, &config);
        }
    }
}

#[test]
fn one_far_value_does_not_hide_the_others() {
    for far in [1e7, -1e7] {
        let rows = number_rows(300, 30, |values| values[7] = far);
        for config in audited_configs() {
            audit(&rows, &config);
        }
        for forest in grow_all(&rows) {
            assert!(forest.predict(&rows.binned).iter().all(|prediction| prediction.is_finite()));
            // Trees go on to split rows without the far one.
            assert!(forest.trees.iter().any(|tree| tree.nodes.len() > 7));
        }
    }
}

/// The splits and weights of all nodes, without their values.
fn shape(forest: &Forest) -> Vec<Vec<(Option<Split>, f64)>> {
    let nodes = |tree: &Tree| tree.nodes.iter().map(|node| (node.split.clone(), node.weight)).collect();
    forest.trees.iter().map(nodes).collect()
}

#[test]
fn the_unit_of_the_numbers_does_not_matter() {
    let plain = grow_all(&number_rows(2000, 31, |_| {}));
    for unit in [2.0_f64.powi(500), 2.0_f64.powi(-500), -1.0] {
        let rows = number_rows(2000, 31, |values| values.iter_mut().for_each(|value| *value *= unit));
        for ((scaled, plain), config) in grow_all(&rows).iter().zip(&plain).zip(configs()) {
            // What is drawn goes by content, and the content is another.
            if config.row_sampling == RowSampling::All {
                assert_eq!(shape(scaled), shape(plain));
                assert_eq!(scaled.base, plain.base * unit);
                let values = |forest: &Forest, unit: f64| -> Vec<f64> {
                    forest.trees.iter().flat_map(|tree| &tree.nodes).map(|node| node.value * unit).collect()
                };
                assert_eq!(values(scaled, 1.0), values(plain, unit));
            }
        }
    }
}

#[test]
fn boosting_lowers_the_squared_error_with_each_tree() {
    let rows = number_rows(2000, 32, |_| {});
    let (values, weights) = numbers(&rows);
    for config in configs().into_iter().filter(|config| config.generator == TreeGenerator::Boosting) {
        let forest = grow(&rows, &config, &Watch::default());
        let loss = |number: usize| -> f64 {
            let scores = before(&forest, number).predict(&rows.binned);
            let errors = scores.iter().zip(values).map(|(score, value)| (value - score).powi(2));
            errors.zip(weights).map(|(error, weight)| weight * error).sum()
        };
        let losses: Vec<f64> = (0..=forest.trees.len()).map(loss).collect();
        assert!(losses.windows(2).all(|pair| pair[1] < pair[0]), "{losses:?}");
    }
}

#[test]
fn equal_numbers_are_not_split() {
    let (table, _) = data(2000, 35);
    let Values::Numbers(coarse) = &table.columns()[1] else { panic!("a number") };
    let steps = coarse.iter().map(|x| if *x <= 2.0 { 0.1 } else { f64::from(*x > 6.0) * 1000.3 }).collect();
    let weights: Vec<f64> = (0..2000).map(|row| 1.0 + f64::from(row % 17) / 7.0).collect();
    let rows = merge(&table, &TargetValues::Numbers(steps), &weights);
    for generator in [TreeGenerator::RandomForest, TreeGenerator::Boosting] {
        let config = ForestConfig {
            generator,
            n_trees: 2,
            max_depth: None,
            learning_rate: 1.0,
            l2: 0.0,
            min_leaf_weight: 0.0,
            ..Default::default()
        };
        let forest = grow(&rows, &config, &Watch::default());
        assert_eq!(forest.trees[0].nodes.len(), 5);
        let left_to_boost = if generator == TreeGenerator::Boosting { 1 } else { 5 };
        assert_eq!(forest.trees[1].nodes.len(), left_to_boost);
    }
}

/// The variance of a class told as two numbers is half its Gini impurity.
#[test]
fn two_numbers_are_split_as_two_classes() {
    let (table, [classes, _]) = data(3000, 33);
    let TargetValues::Classes(labels) = &classes else { panic!("classes") };
    let numbers = labels.labels.iter().map(|&label| 5.0 + 3.0 * f64::from(label)).collect();
    let weights: Vec<f64> = (0..3000).map(|row| f64::from(row % 3 + 1)).collect();
    let [of_classes, of_numbers] =
        [classes, TargetValues::Numbers(numbers)].map(|target| merge(&table, &target, &weights));
    for generator in [TreeGenerator::RandomForest, TreeGenerator::ExtraTrees] {
        for features_per_split in [FeatureSampling::All, FeatureSampling::Sqrt] {
            let config = ForestConfig { generator, features_per_split, n_trees: 10, ..Default::default() };
            let [classes, numbers] =
                [&of_classes, &of_numbers].map(|rows| grow(rows, &config, &Watch::default()));
            assert_eq!(shape(&classes), shape(&numbers));
            let shares = classes.predict(&of_classes.binned);
            for (share, number) in shares.iter().zip(numbers.predict(&of_classes.binned)) {
                assert!((5.0 + 3.0 * share - number).abs() < 1e-9);
            }
        }
    }
}

/// A bootstrap sample draws each number of the same bins for itself, and its mean is right on average.
#[test]
fn bootstrap_samples_are_of_the_numbers() {
    let n = 4000;
    let features = vec![Feature::new("x", FeatureKind::Real, false)];
    let table = Table::new(Schema { features }, vec![Values::Numbers(vec![1.0; n])], n).unwrap();
    let values: Vec<f64> = (0..n).map(|row| row as f64 / n as f64).collect();
    let rows = merge(&table, &TargetValues::Numbers(values), &vec![1.0; n]);
    let config = ForestConfig {
        generator: TreeGenerator::RandomForest,
        row_sampling: RowSampling::Bootstrap,
        n_trees: 400,
        ..Default::default()
    };
    let forest = grow(&rows, &config, &Watch::default());
    let means: Vec<f64> = forest.trees.iter().map(|tree| forest.base + tree.nodes[0].value).collect();
    let mean = means.iter().sum::<f64>() / 400.0;
    let variance = means.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 400.0;
    // The mean of so many uniform numbers drawn anew has this variance.
    let expected = 1.0 / 12.0 / n as f64;
    assert!((mean - 0.5).abs() < 4.0 * (expected / 400.0).sqrt() + 0.5 / n as f64, "{mean}");
    assert!((variance / expected - 1.0).abs() < 0.3, "{variance} is not {expected}");
}

/// Walks a tree by the values themselves.
fn value_at(tree: &Tree, training: &BinnedTable, table: &Table, row: usize) -> f64 {
    let mut node = &tree.nodes[0];
    while let Some(split) = &node.split {
        let left = match (&table.columns()[split.feature], &training.columns[split.feature].edges, split.test)
        {
            (Values::Numbers(numbers), _, _) if numbers[row].is_nan() => split.missing_left,
            (Values::Codes(codes), _, _) if codes[row] == MISSING => split.missing_left,
            (_, _, SplitTest::Known) => true,
            (Values::Numbers(numbers), Edges::Cuts(cuts), SplitTest::AtMost(bin)) => {
                numbers[row] <= cuts[usize::from(bin)]
            }
            (Values::Codes(codes), Edges::Levels(levels), SplitTest::Equals(bin)) => {
                levels[usize::from(bin)] == Some(codes[row])
            }
            _ => panic!("a split fits its column"),
        };
        node = &tree.nodes[if left { split.left } else { split.right }];
    }
    node.value
}

#[test]
fn tables_never_seen_are_predicted_by_their_values() {
    let (seen, [_, target]) = data(2000, 34);
    let rows = merge(&seen, &target, &[1.0; 2000]);
    let other = |values: &Values| match values {
        Values::Numbers(numbers) => {
            Values::Numbers(numbers.iter().map(|number| (number - 4.0) * 1.7 + 0.5).collect())
        }
        Values::Codes(codes) => {
            let turned = codes.iter().enumerate().map(|(row, &code)| match row % 5 {
                0 => UNSEEN,
                1 => MISSING,
                _ => code,
            });
            Values::Codes(turned.collect())
        }
        _ => unreachable!("the columns are dense"),
    };
    let columns = seen.columns().iter().map(other).collect();
    let table = Table::new(seen.schema().clone(), columns, 2000).unwrap();
    for forest in grow_all(&rows) {
        let n_trees = forest.trees.len() as f64;
        let predictions = forest.predict(&rows.binned.like(&table));
        for (row, prediction) in predictions.into_iter().enumerate() {
            let values = forest.trees.iter().map(|tree| value_at(tree, &rows.binned, &table, row));
            let sum: f64 = values.sum();
            let expected = match forest.combination {
                Combination::Mean => forest.base + sum / n_trees,
                Combination::Sum => forest.base + sum,
            };
            assert!((prediction - expected).abs() < 1e-9);
        }
    }
}

/// Frozen predictions of scikit-learn 1.9.1 for its training rows: `DecisionTreeRegressor(max_depth=3)` and
/// `GradientBoostingRegressor(n_estimators=12, max_depth=2, learning_rate=0.3)`, both with `sample_weight=w`;
/// the same for each `random_state` from 0 to 4. With `i` from 0 to 23: `a = 7i mod 11`, `b = (5i² + 3i) mod 13`,
/// `w = 1 + i mod 3`, `y = ((37i² + 11i) mod 101) / 8 + 3 [a > 5] − b / 2`.
#[test]
fn scikit_learn_predicts_the_same() {
    let column = |value: &dyn Fn(u32) -> u32| -> Vec<f64> { (0..24).map(|i| f64::from(value(i))).collect() };
    let (a, b) = (column(&|i| 7 * i % 11), column(&|i| (5 * i * i + 3 * i) % 13));
    let weights = column(&|i| 1 + i % 3);
    let target = column(&|i| (37 * i * i + 11 * i) % 101)
        .iter()
        .zip(a.iter().zip(&b))
        .map(|(y, (a, b))| y / 8.0 + 3.0 * f64::from(*a > 5.0) - b / 2.0)
        .collect();
    let feature = |name: &str| Feature::new(name, FeatureKind::Integer, false);
    let schema = Schema { features: vec![feature("a"), feature("b")] };
    let table = Table::new(schema, vec![Values::Numbers(a), Values::Numbers(b)], 24).unwrap();
    let rows = merge(&table, &TargetValues::Numbers(target), &weights);
    let exact = ForestConfig { l2: 0.0, min_leaf_weight: 0.0, ..Default::default() };
    let tree = ForestConfig { generator: TreeGenerator::RandomForest, n_trees: 1, ..exact.clone() };
    let boosting = ForestConfig { n_trees: 12, max_depth: Some(2), learning_rate: 0.3, ..exact };
    for (config, expected) in [(tree, TREE), (boosting, BOOSTING)] {
        let predictions = grow(&rows, &config, &Watch::default()).predict(&rows.binned.like(&table));
        for (prediction, expected) in predictions.iter().zip(expected) {
            assert!((prediction - expected).abs() < 1e-7, "{prediction} is not {expected}");
        }
    }
}

const TREE: [f64; 24] = [
    5.541_666_7,
    4.142_857_1,
    5.541_666_7,
    11.375,
    5.541_666_7,
    4.142_857_1,
    11.375,
    4.142_857_1,
    1.0,
    9.1875,
    4.142_857_1,
    5.541_666_7,
    2.75,
    5.541_666_7,
    3.125,
    5.541_666_7,
    5.541_666_7,
    11.375,
    4.142_857_1,
    5.541_666_7,
    9.1875,
    4.142_857_1,
    5.541_666_7,
    4.142_857_1,
];
const BOOSTING: [f64; 24] = [
    2.391_792_1,
    3.895_973_3,
    6.435_186_1,
    9.843_707_1,
    5.985_649_4,
    4.079_524_2,
    10.946_986_4,
    5.378_743_9,
    2.001_120_5,
    9.884_921_6,
    4.079_524_2,
    5.856_061,
    5.566_438_9,
    6.435_186_1,
    3.458_183_1,
    5.985_649_4,
    5.682_762_1,
    10.946_986_4,
    3.80125,
    3.443_856,
    8.833_890_4,
    5.378_743_9,
    5.436_850_5,
    2.396_854_8,
];
