//! Counts features of which most rows share a bin: only the rows that differ are looked at.

use super::lanes::Lane;
use super::tally::Tally;
use crate::binning::{BinnedTable, Bins, MISSING_BIN};

/// The node of a row that is in none of the nodes counted.
pub(super) const NO_NODE: u32 = u32::MAX;

/// Nodes that are counted together.
pub(super) struct CountedNodes {
    /// For each row its place among the nodes, or [`NO_NODE`].
    pub(super) node_of: Vec<u32>,
    /// The sum of the tallies of each node.
    pub(super) totals: Vec<Tally>,
}

impl CountedNodes {
    /// Nodes with their rows and the sums of their tallies, of a table of so many rows.
    pub(super) fn of<'n>(nodes: impl Iterator<Item = (&'n [u32], Tally)>, n_rows: usize) -> Self {
        let mut node_of = vec![NO_NODE; n_rows];
        let mut totals = Vec::new();
        for (rows, total) in nodes {
            for &row in rows {
                node_of[row as usize] = totals.len() as u32;
            }
            totals.push(total);
        }
        Self { node_of, totals }
    }

    /// Sums the tallies of each lane's bins in each node, and hands them to `each`: the node, one tally a bin, and that
    /// of the missing values.
    ///
    /// Any split leaves the shared bin on one side only. Where the rows with other bins weigh less than `least`, none
    /// is possible, and nothing is handed over.
    pub(super) fn count<'l>(
        &self,
        binned: &BinnedTable,
        lanes: impl Iterator<Item = &'l Lane>,
        tallies: &[Tally],
        least: u32,
        mut each: impl FnMut(&'l Lane, usize, &[Tally], Tally),
    ) {
        let mut planes = vec![[Tally::default(); 256]; self.totals.len()];
        let mut differ = vec![Tally::default(); self.totals.len()];
        let (mut met, mut is_met) = (Vec::new(), vec![false; self.totals.len()]);
        for lane in lanes {
            let Bins::Sparse(bins) = &binned.columns[lane.feature].bins else {
                unreachable!("a sparse lane has sparse bins")
            };
            for (row, bin) in bins.entries() {
                let node = self.node_of[row];
                if node == NO_NODE {
                    continue;
                }
                let (node, tally) = (node as usize, tallies[row]);
                if !std::mem::replace(&mut is_met[node], true) {
                    met.push(node);
                }
                planes[node][usize::from(bin)] += tally;
                differ[node] += tally;
            }
            for node in met.drain(..) {
                let plane = &mut planes[node];
                if differ[node].mass() >= least {
                    plane[usize::from(bins.shared())] = self.totals[node] - differ[node];
                    each(lane, node, &plane[..lane.n_bins], plane[usize::from(MISSING_BIN)]);
                }
                plane[..lane.n_bins].fill(Tally::default());
                plane[usize::from(MISSING_BIN)] = Tally::default();
                (differ[node], is_met[node]) = (Tally::default(), false);
            }
        }
    }
}
