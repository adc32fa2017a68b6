//! Trees of other libraries as Python hands them over, made into the library's rules.

use std::collections::{BTreeMap, BTreeSet};

use lire::methods::{GivenRules, RuleSource};
use lire::rules::{ImportedSplit, ImportedTest, ImportedTrees};
use lire::table::Schema;
use lire::{Error, Result};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::columns::{Column, Typing, View, table, typed_table};
use crate::errors::exception;
use crate::work::briefly;

/// For each feature some positions of levels.
type KnownLevels = BTreeMap<usize, BTreeSet<u32>>;

/// The nodes of all trees, one after the other.
#[derive(FromPyObject)]
pub struct Nodes<'py>(
    /// The feature that a node asks of; −1 for a leaf.
    PyReadonlyArray1<'py, i64>,
    /// The number up to which values go left.
    PyReadonlyArray1<'py, f64>,
    /// The node of rows that go left.
    PyReadonlyArray1<'py, i64>,
    /// The node of all others.
    PyReadonlyArray1<'py, i64>,
    /// Whether missing values go left.
    PyReadonlyArray1<'py, bool>,
    /// Whether zero goes left, 1 or 0; −1 where it goes with its neighbours.
    PyReadonlyArray1<'py, i8>,
    /// Of nodes that ask for categories: the node, a set of positions among the column's levels, and whether the set
    /// goes left.
    Vec<(usize, Vec<u32>, bool)>,
);

/// What grew the trees; the trees of all rows; and those of each split, if they differ.
pub type Trees<'py> = (String, Nodes<'py>, Vec<Nodes<'py>>);

/// The same without the interpreter.
pub struct OwnTrees {
    origin: String,
    all: ImportedTrees,
    of_splits: Vec<ImportedTrees>,
}

impl OwnTrees {
    /// Copies the trees.
    pub fn of((origin, all, of_splits): &Trees<'_>) -> Result<Self> {
        let of_splits = of_splits.iter().map(Nodes::to_own).collect::<Result<_>>()?;
        Ok(Self { origin: origin.clone(), all: all.to_own()?, of_splits })
    }

    /// For each feature the positions of levels that the trees know, among those of the column.
    pub fn known_levels(&self) -> KnownLevels {
        known_levels(self.of_splits.iter().chain([&self.all]))
    }

    /// Their rules.
    pub fn rules(self, columns: &[View<'_>], schema: &Schema) -> Result<RuleSource> {
        let rules = |trees| with_levels(trees, columns, schema).rules(schema);
        Ok(RuleSource::Given(GivenRules {
            rules: rules(self.all)?,
            of_splits: self.of_splits.into_iter().map(rules).collect::<Result<_>>()?,
            origin: self.origin,
        }))
    }
}

impl Nodes<'_> {
    /// Copies the nodes; levels are still counted as in the columns.
    fn to_own(&self) -> Result<ImportedTrees> {
        let Self(features, thresholds, lefts, rights, missing_left, zero_left, sets) = self;
        let (features, thresholds) = (features.as_array(), thresholds.as_array());
        let (lefts, rights) = (lefts.as_array(), rights.as_array());
        let (missing_left, zero_left) = (missing_left.as_array(), zero_left.as_array());
        let n_nodes = features.len();
        let lengths = [thresholds.len(), lefts.len(), rights.len(), missing_left.len(), zero_left.len()];
        if lengths.iter().any(|&length| length != n_nodes) {
            return Err(Error::config("tree_generator", "the arrays of its trees differ in length"));
        }
        let mut sets: BTreeMap<usize, (&Vec<u32>, bool)> =
            sets.iter().map(|(node, levels, left)| (*node, (levels, *left))).collect();
        let node = |node: usize| {
            let feature = usize::try_from(features[node]).ok()?;
            let test = match sets.remove(&node) {
                Some((levels, left)) => ImportedTest::Among { levels: levels.clone(), left },
                None => ImportedTest::AtMost {
                    threshold: thresholds[node],
                    zero_left: (zero_left[node] >= 0).then_some(zero_left[node] > 0),
                },
            };
            // A child that is no place becomes one that no tree has, which the library refuses.
            let place = |child: i64| usize::try_from(child).unwrap_or(usize::MAX);
            let (left, right) = (place(lefts[node]), place(rights[node]));
            Some(ImportedSplit { feature, test, missing_left: missing_left[node], left, right })
        };
        Ok(ImportedTrees { nodes: (0..n_nodes).map(node).collect() })
    }
}

/// Which nodes each row reaches, by the rules of the nodes: so that tests can ask the libraries whether these are right.
/// `columns` are those of a fit.
#[pyfunction]
#[pyo3(signature = (columns, nodes, rows, n_rows, *, n_threads=0))]
pub fn reached<'py>(
    py: Python<'py>,
    columns: Vec<Column<'py>>,
    nodes: Nodes<'py>,
    rows: Vec<Column<'py>>,
    n_rows: usize,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let trees = nodes.to_own().map_err(exception)?;
    let n_nodes = trees.nodes.len();
    let columns: Vec<View> = columns.iter().map(Column::view).collect();
    let rows: Vec<View> = rows.iter().map(Column::view).collect();
    let reached = briefly(py, n_threads, || {
        let all: Vec<usize> = (0..columns.first().map_or(0, View::n_rows)).collect();
        let known = known_levels([&trees].into_iter());
        let (fitted, _) = typed_table(&columns, &all, Typing::AsGiven { known: &known })?;
        let rules = with_levels(trees, &columns, fitted.schema()).rules_of_nodes(fitted.schema())?;
        let rows = table(&rows, fitted.schema(), &[], n_rows)?;
        let covers = |place: usize| -> Result<u8> {
            for (rule, _) in &rules[place % n_nodes] {
                if rule.covers(&rows, place / n_nodes)? {
                    return Ok(1);
                }
            }
            Ok(0)
        };
        (0..n_rows * n_nodes).into_par_iter().map(covers).collect()
    })?;
    PyArray1::from_vec(py, reached).reshape([n_rows, n_nodes])
}

/// For each feature the positions of levels that trees know, among those of the column.
fn known_levels<'a>(trees: impl Iterator<Item = &'a ImportedTrees>) -> KnownLevels {
    let mut known = KnownLevels::new();
    for split in trees.flat_map(|trees| trees.nodes.iter().flatten()) {
        if let ImportedTest::Among { levels, .. } = &split.test {
            known.entry(split.feature).or_default().extend(levels);
        }
    }
    known
}

/// The same trees with levels as the schema counts them.
fn with_levels(mut trees: ImportedTrees, columns: &[View<'_>], schema: &Schema) -> ImportedTrees {
    let place = |feature: usize, level: u32| {
        let name = columns.get(feature)?.level(level)?;
        let levels = schema.features.get(feature)?.kind.levels()?;
        levels.iter().position(|level| level == name).map(|place| place as u32)
    };
    for split in trees.nodes.iter_mut().flatten() {
        if let ImportedTest::Among { levels, .. } = &mut split.test {
            *levels = levels.iter().filter_map(|&level| place(split.feature, level)).collect();
        }
    }
    trees
}
