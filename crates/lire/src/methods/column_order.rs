//! An order of the columns that follows from what they hold. Trees break ties between equally good splits by the order of
//! the columns; in this order neither the table's nor the names of columns, levels and classes can reach the rules.

use rayon::prelude::*;

use crate::binning::{Edges, MISSING_BIN, Rows, mix};
use crate::rules::Rule;
use crate::table::Schema;

/// For each place the position of its column in the table.
pub(super) struct ColumnOrder(Vec<usize>);

impl ColumnOrder {
    /// Columns by their contents; equal ones in the order of the table.
    pub fn of(rows: &Rows) -> Self {
        let keys = keys(rows);
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&position| keys[position]);
        Self(order)
    }

    /// Brings the columns into this order.
    pub fn apply(&self, rows: &mut Rows) {
        let mut columns: Vec<_> = std::mem::take(&mut rows.binned.columns).into_iter().map(Some).collect();
        rows.binned.columns = self.0.iter().filter_map(|&position| columns[position].take()).collect();
    }

    /// Brings the columns back into the order of the table.
    pub fn restore(&self, rows: &mut Rows) {
        let mut columns: Vec<_> = self.0.iter().zip(std::mem::take(&mut rows.binned.columns)).collect();
        columns.sort_unstable_by_key(|&(position, _)| position);
        rows.binned.columns = columns.into_iter().map(|(_, column)| column).collect();
    }

    /// The schema in this order.
    pub fn schema(&self, schema: &Schema) -> Schema {
        Schema { features: self.0.iter().map(|&position| schema.features[position].clone()).collect() }
    }

    /// Where columns of the table stand in this order.
    pub fn places(&self, positions: &[usize]) -> Vec<usize> {
        (0..self.0.len()).filter(|&place| positions.contains(&self.0[place])).collect()
    }

    /// A rule on columns in this order as a rule on those of the table.
    pub fn rule(&self, mut rule: Rule) -> Rule {
        for condition in &mut rule.conditions {
            condition.feature = self.0[condition.feature];
        }
        rule.conditions.sort_by_key(|condition| condition.feature);
        rule
    }
}

/// What each column holds, without its spelling and its unit: the rows in each of its bins, in any order. What is to be
/// predicted has no say, so that a class among several has the columns in the order that it has against all others.
fn keys(rows: &Rows) -> Vec<u64> {
    let of_rows: Vec<u64> = rows.hashes.iter().map(|&hash| mix(hash)).collect();
    let all = of_rows.iter().copied().fold(0, u64::wrapping_add);
    let key = |column: &crate::binning::BinnedColumn| {
        let of_bins = column.bins.sums(&of_rows, all);
        let kind = u64::from(matches!(column.edges, Edges::Levels(_)));
        let missing = mix(of_bins[usize::from(MISSING_BIN)] ^ u64::MAX);
        let known =
            of_bins[..usize::from(MISSING_BIN)].iter().fold(0u64, |sum, &bin| sum.wrapping_add(mix(bin)));
        mix(known ^ missing.rotate_left(1) ^ kind)
    };
    rows.binned.columns.par_iter().map(key).collect()
}
