//! Random binned tables and trees for the properties that the tests of this module check.

use lire_model::rules::arbitrary::{Dice, dice};
use proptest::prelude::*;

use super::{Rule, cover_binned};
use crate::binning::{BinnedColumn, BinnedTable, Edges, MISSING_BIN};
use crate::forest::{Node, Split, SplitTest, Tree};
use crate::table::{MISSING, Plain, Table};

/// The same rows as values and as bins.
#[derive(Debug, Clone)]
pub struct Data {
    pub table: Table,
    pub binned: BinnedTable,
}

/// Rules that ask only what the bins can tell.
pub fn binned_and_rule() -> impl Strategy<Value = (Data, Rule)> {
    dice().prop_map(|mut dice| {
        let data = data(&mut dice);
        let rule = loop {
            let rule = dice.rule(data.table.schema());
            if cover_binned(&rule, &data.binned).is_some() {
                break rule;
            }
        };
        (data, rule)
    })
}

pub fn data_and_tree() -> impl Strategy<Value = (Data, Tree)> {
    dice().prop_map(|mut dice| {
        let data = data(&mut dice);
        let tree = tree(&mut dice, &data.binned);
        (data, tree)
    })
}

fn data(dice: &mut Dice) -> Data {
    let table = dice.table();
    let features = table.schema().features.iter().zip(table.columns());
    let columns = features.map(|(feature, values)| match (values.plain(), feature.kind.levels()) {
        (Plain::Numbers(values), _) => cut(dice, &values, feature.has_missing),
        (Plain::Codes(codes), levels) => {
            grouped(dice, &codes, levels.map_or(0, <[String]>::len), feature.has_missing)
        }
    });
    let binned = BinnedTable { columns: columns.collect(), n_rows: table.n_rows() };
    Data { table, binned }
}

fn cut(dice: &mut Dice, values: &[f64], has_missing: bool) -> BinnedColumn {
    let cuts: Vec<f64> = (-2..4).filter(|_| dice.flip()).map(f64::from).collect();
    let bin = |value: &f64| {
        if value.is_nan() { MISSING_BIN } else { cuts.iter().filter(|cut| value > cut).count() as u8 }
    };
    let bins = values.iter().map(bin).collect::<Vec<_>>().into();
    BinnedColumn { bins, edges: Edges::Cuts(cuts), has_missing }
}

/// Some levels have bins of their own, the others share one.
fn grouped(dice: &mut Dice, codes: &[u32], n_levels: usize, has_missing: bool) -> BinnedColumn {
    let common = dice.subset(n_levels);
    let mut edges: Vec<Option<u32>> = common.iter().map(|&level| Some(level)).collect();
    if common.len() < n_levels {
        edges.push(None);
    }
    let bin = |code: &u32| match *code {
        MISSING => MISSING_BIN,
        code => common.iter().position(|&level| level == code).unwrap_or(common.len()) as u8,
    };
    let bins = codes.iter().map(bin).collect::<Vec<_>>().into();
    BinnedColumn { bins, edges: Edges::Levels(edges), has_missing }
}

fn tree(dice: &mut Dice, binned: &BinnedTable) -> Tree {
    let leaf = || Node { split: None, weight: 1.0, value: 0.0 };
    let mut nodes = vec![leaf()];
    for node in 0..7 {
        if node >= nodes.len() || dice.below(6) == 0 {
            continue;
        }
        let feature = dice.below(binned.columns.len());
        let test = match &binned.columns[feature].edges {
            _ if dice.below(5) == 0 => SplitTest::Known,
            Edges::Cuts(cuts) => SplitTest::AtMost(dice.below(cuts.len() + 1) as u8),
            Edges::Levels(bins) => SplitTest::Equals(dice.below(bins.iter().flatten().count()) as u8),
        };
        let (left, right) = (nodes.len(), nodes.len() + 1);
        nodes.extend([leaf(), leaf()]);
        nodes[node].split = Some(Split { feature, test, missing_left: dice.flip(), left, right });
    }
    Tree { nodes }
}
