//! Random tables, trees and rules for the properties that the tests of this module check.

use proptest::prelude::*;

use super::{Condition, Rule, Test};
use crate::binning::{BinnedColumn, BinnedTable, Edges, MISSING_BIN};
use crate::forest::{Node, Split, SplitTest, Tree};
use crate::table::{Feature, FeatureKind, MISSING, Schema, Table, Values};

/// The same rows as values and as bins.
#[derive(Debug, Clone)]
pub struct Data {
    pub table: Table,
    pub binned: BinnedTable,
}

pub fn table_and_rule() -> impl Strategy<Value = (Table, Rule)> {
    table_and_two_rules().prop_map(|(table, rule, _)| (table, rule))
}

pub fn table_and_two_rules() -> impl Strategy<Value = (Table, Rule, Rule)> {
    any::<u64>().prop_map(Dice).prop_map(|mut dice| {
        let table = dice.data().table;
        let (one, other) = (dice.rule(table.schema()), dice.rule(table.schema()));
        (table, one, other)
    })
}

/// Rules that ask only what the bins can tell.
pub fn binned_and_rule() -> impl Strategy<Value = (Data, Rule)> {
    any::<u64>().prop_map(Dice).prop_map(|mut dice| {
        let data = dice.data();
        let rule = loop {
            let rule = dice.rule(data.table.schema());
            if rule.cover_binned(&data.binned).is_some() {
                break rule;
            }
        };
        (data, rule)
    })
}

pub fn data_and_tree() -> impl Strategy<Value = (Data, Tree)> {
    any::<u64>().prop_map(Dice).prop_map(|mut dice| {
        let data = dice.data();
        let tree = dice.tree(&data.binned);
        (data, tree)
    })
}

/// Rules on features and levels with names made to confuse a reader.
pub fn hostile_schema_and_rule() -> impl Strategy<Value = (Schema, Rule)> {
    any::<u64>().prop_map(Dice).prop_map(|mut dice| {
        let names = dice.hostile_names();
        let features = names.into_iter().map(|name| {
            let kind = match dice.below(3) {
                0 => FeatureKind::Real,
                _ => FeatureKind::Category { levels: dice.hostile_names() },
            };
            Feature { name, kind, has_missing: true }
        });
        let schema = Schema { features: features.collect() };
        let rule = dice.rule(&schema);
        (schema, rule)
    })
}

/// A small generator of dependent random choices.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn subset(&mut self, n: usize) -> Vec<u32> {
        let mut members: Vec<u32> = (0..n as u32).filter(|_| self.flip()).collect();
        if members.is_empty() {
            members.push(self.below(n) as u32);
        }
        members
    }

    fn hostile_names(&mut self) -> Vec<String> {
        const PARTS: [&str; 26] = [
            " & ",
            "&",
            "≤",
            "<=",
            ">",
            "=",
            "≠",
            "`",
            "\"",
            "\\",
            "\n",
            " ",
            "  ",
            "or",
            " or missing",
            "missing",
            "is",
            "in",
            "not in",
            "{",
            "}",
            ", ",
            "é",
            "a",
            "1",
            "\u{7}",
        ];
        let mut names = Vec::new();
        for _ in 0..=self.below(4) {
            let name: String = (0..self.below(4)).map(|_| PARTS[self.below(PARTS.len())]).collect();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn data(&mut self) -> Data {
        let n_rows = 1 + self.below(150);
        let (mut features, mut columns, mut binned) = (Vec::new(), Vec::new(), Vec::new());
        for position in 0..=self.below(4) {
            let has_missing = self.flip();
            let (kind, values, column) =
                if self.flip() { self.numbers(n_rows, has_missing) } else { self.codes(n_rows, has_missing) };
            features.push(Feature { name: format!("x{position}"), kind, has_missing });
            columns.push(values);
            binned.push(column);
        }
        let table = Table::new(Schema { features }, columns, n_rows).unwrap();
        Data { table, binned: BinnedTable { columns: binned, n_rows } }
    }

    fn numbers(&mut self, n_rows: usize, has_missing: bool) -> (FeatureKind, Values, BinnedColumn) {
        let cuts: Vec<f64> = (-2..4).filter(|_| self.flip()).map(f64::from).collect();
        let mut draw = || match self.below(5) {
            0 if has_missing => f64::NAN,
            _ => self.below(16) as f64 / 2.0 - 3.5,
        };
        let values: Vec<f64> = (0..n_rows).map(|_| draw()).collect();
        let bin = |value: &f64| {
            if value.is_nan() { MISSING_BIN } else { cuts.iter().filter(|cut| value > cut).count() as u8 }
        };
        let bins = values.iter().map(bin).collect();
        let column = BinnedColumn { bins, edges: Edges::Cuts(cuts), has_missing };
        (FeatureKind::Real, Values::Numbers(values), column)
    }

    fn codes(&mut self, n_rows: usize, has_missing: bool) -> (FeatureKind, Values, BinnedColumn) {
        let n_levels = 2 + self.below(3);
        let common = self.subset(n_levels);
        let mut edges: Vec<Option<u32>> = common.iter().map(|&level| Some(level)).collect();
        if common.len() < n_levels {
            edges.push(None);
        }
        let mut draw = || match self.below(5) {
            0 if has_missing => MISSING,
            _ => self.below(n_levels) as u32,
        };
        let codes: Vec<u32> = (0..n_rows).map(|_| draw()).collect();
        let bin = |code: &u32| match *code {
            MISSING => MISSING_BIN,
            code => common.iter().position(|&level| level == code).unwrap_or(common.len()) as u8,
        };
        let bins = codes.iter().map(bin).collect();
        let levels = (0..n_levels).map(|level| format!("level {level}")).collect();
        let column = BinnedColumn { bins, edges: Edges::Levels(edges), has_missing };
        (FeatureKind::Category { levels }, Values::Codes(codes), column)
    }

    fn rule(&mut self, schema: &Schema) -> Rule {
        let mut conditions = Vec::new();
        for (feature, described) in schema.features.iter().enumerate() {
            if self.flip() {
                let (test, takes_missing) = (self.test(&described.kind), self.flip());
                conditions.push(Condition { feature, test, takes_missing });
            }
        }
        Rule::conjunction(conditions).unwrap_or_default()
    }

    fn test(&mut self, kind: &FeatureKind) -> Test {
        match (self.below(8), kind.levels()) {
            (0, _) => Test::Known,
            (1, _) => Test::Missing,
            (_, None) => {
                let mut bound = || self.flip().then(|| self.below(7) as f64 - 3.0);
                Test::Interval { above: bound(), at_most: bound() }
            }
            (2..5, Some(levels)) => Test::In(self.subset(levels.len())),
            (_, Some(levels)) => Test::NotIn(self.subset(levels.len())),
        }
    }

    fn tree(&mut self, binned: &BinnedTable) -> Tree {
        let leaf = || Node { split: None, weight: 1.0, value: 0.0 };
        let mut nodes = vec![leaf()];
        for node in 0..7 {
            if node >= nodes.len() || self.below(6) == 0 {
                continue;
            }
            let feature = self.below(binned.columns.len());
            let test = match &binned.columns[feature].edges {
                _ if self.below(5) == 0 => SplitTest::Known,
                Edges::Cuts(cuts) => SplitTest::AtMost(self.below(cuts.len() + 1) as u8),
                Edges::Levels(bins) => SplitTest::Equals(self.below(bins.iter().flatten().count()) as u8),
            };
            let (left, right) = (nodes.len(), nodes.len() + 1);
            nodes.extend([leaf(), leaf()]);
            nodes[node].split = Some(Split { feature, test, missing_left: self.flip(), left, right });
        }
        Tree { nodes }
    }
}
