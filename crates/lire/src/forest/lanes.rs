//! Bins laid out for counting: a few features side by side, row after row.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::tally::Tally;
use crate::binning::{BinnedColumn, BinnedTable, Bins, Edges, MISSING_BIN};

/// So many features lie side by side. Adding to one bin must wait for the addition before it when both hit
/// the same bin, as they do in skewed columns; four independent additions a row fill that time, so that four
/// features cost little more than one.
const LANES: usize = 4;

/// Up to [`LANES`] features.
pub(super) struct LaneGroup {
    /// The features, in the table's order.
    pub(super) lanes: Vec<Lane>,
    /// The bins of each row; lanes without a feature hold zeros.
    bins: Vec<[u8; LANES]>,
}

/// One feature of a group.
pub(super) struct Lane {
    /// Its position in the table.
    pub(super) feature: usize,
    /// Its position among the splittable features.
    pub(super) slot: usize,
    /// The number of bins of known values.
    pub(super) n_bins: usize,
    /// For each bin of a category, whether a split may single it out; empty for numbers.
    pub(super) own_level: Vec<bool>,
    /// Whether some training rows lack the value.
    pub(super) has_missing: bool,
    /// Where its tallies start in the group's histogram.
    start: usize,
}

impl Lane {
    pub(super) fn is_category(&self) -> bool {
        !self.own_level.is_empty()
    }

    /// Its part of the group's histogram: one tally a bin, and that of the missing values.
    pub(super) fn tallies<'a>(&self, histogram: &'a [Tally]) -> (&'a [Tally], Tally) {
        let end = self.start + self.n_bins;
        (&histogram[self.start..end], histogram[end])
    }
}

/// The features that could split: not excluded, and with two bins at least.
pub(super) struct Lanes {
    /// Those whose bins lie side by side.
    pub(super) groups: Vec<LaneGroup>,
    /// Those of which most rows share a bin, in the table's order.
    pub(super) sparse: Vec<Lane>,
}

impl Lanes {
    /// All of them, in the table's order.
    pub(super) fn in_order(&self) -> Vec<&Lane> {
        let dense = self.groups.iter().flat_map(|group| &group.lanes);
        let mut lanes: Vec<&Lane> = dense.chain(&self.sparse).collect();
        lanes.sort_by_key(|lane| lane.slot);
        lanes
    }
}

/// Lays out all features that could split.
pub(super) fn lay_out(binned: &BinnedTable, excluded: &[usize]) -> Lanes {
    let excluded: BTreeSet<usize> = excluded.iter().copied().collect();
    let splits = |feature: &usize| {
        let column = &binned.columns[*feature];
        column.n_bins() + usize::from(column.has_missing) >= 2 && !excluded.contains(feature)
    };
    let features = (0..binned.columns.len()).filter(splits).enumerate();
    let (sparse, dense): (Vec<Lane>, Vec<Lane>) = features
        .map(|(slot, feature)| Lane::of(&binned.columns[feature], feature, slot))
        .partition(|lane| matches!(binned.columns[lane.feature].bins, Bins::Sparse(_)));
    let mut groups: Vec<Vec<Lane>> = Vec::new();
    for lane in dense {
        match groups.last_mut().filter(|group| group.len() < LANES) {
            Some(group) => group.push(lane),
            None => groups.push(vec![lane]),
        }
    }
    let groups = groups.into_par_iter().map(|lanes| LaneGroup::of(binned, lanes)).collect();
    Lanes { groups, sparse }
}

impl Lane {
    fn of(column: &BinnedColumn, feature: usize, slot: usize) -> Self {
        let own_level = match &column.edges {
            Edges::Cuts(_) => Vec::new(),
            Edges::Levels(levels) => levels.iter().map(Option::is_some).collect(),
        };
        let has_missing = column.has_missing;
        Self { feature, slot, n_bins: column.n_bins(), own_level, has_missing, start: 0 }
    }
}

impl LaneGroup {
    fn of(binned: &BinnedTable, mut lanes: Vec<Lane>) -> Self {
        let mut bins = vec![[0; LANES]; binned.n_rows];
        let mut start = 0;
        for (position, lane) in lanes.iter_mut().enumerate() {
            for (row, &bin) in bins.iter_mut().zip(&*binned.columns[lane.feature].bins.plain()) {
                row[position] = bin;
            }
            lane.start = start;
            start += lane.n_bins + 1;
        }
        Self { lanes, bins }
    }

    /// Sums the tallies of the given rows for each bin of each lane: [`Lane::tallies`] finds them.
    pub(super) fn histogram(&self, rows: &[u32], tallies: &[Tally]) -> Vec<Tally> {
        let planes = count(rows, tallies, |row| self.bins[row]);
        let mut histogram = Vec::with_capacity(self.lanes.iter().map(|lane| lane.n_bins + 1).sum());
        for (lane, plane) in self.lanes.iter().zip(&planes) {
            histogram.extend_from_slice(&plane[..lane.n_bins]);
            histogram.push(plane[usize::from(MISSING_BIN)]);
        }
        histogram
    }

    /// Sums the same, and hands each lane to `each`: one tally a bin, and that of the missing values.
    pub(super) fn count(
        &self,
        rows: &[u32],
        tallies: &[Tally],
        mut each: impl FnMut(&Lane, &[Tally], Tally),
    ) {
        let planes = count(rows, tallies, |row| self.bins[row]);
        for (lane, plane) in self.lanes.iter().zip(&planes) {
            each(lane, &plane[..lane.n_bins], plane[usize::from(MISSING_BIN)]);
        }
    }
}

/// As many cells as a bin number has values: no index needs a check.
type Plane = [Tally; 256];

/// Sums the tallies of the given rows for each bin of a few columns side by side.
fn count(rows: &[u32], tallies: &[Tally], bins_of: impl Fn(usize) -> [u8; LANES]) -> [Plane; LANES] {
    let mut planes = [[Tally::default(); 256]; LANES];
    for &row in rows {
        let tally = tallies[row as usize];
        for (plane, bin) in planes.iter_mut().zip(bins_of(row as usize)) {
            plane[usize::from(bin)] += tally;
        }
    }
    planes
}

/// Sums the tallies of the given rows for each bin of each of the lanes, which may come from any groups, and
/// hands them to `each`: one tally a bin, and that of the missing values.
///
/// Where only some features are tried, this counts them side by side too, without the others of their groups.
pub(super) fn count_lanes<'a>(
    binned: &BinnedTable,
    lanes: &[&'a Lane],
    rows: &[u32],
    tallies: &[Tally],
    mut each: impl FnMut(&'a Lane, &[Tally], Tally),
) {
    for lanes in lanes.chunks(LANES) {
        // A short chunk counts its first lane again in the places left over.
        let columns: [&[u8]; LANES] = std::array::from_fn(|position| {
            match &binned.columns[lanes.get(position).unwrap_or(&lanes[0]).feature].bins {
                Bins::Dense(bins) => bins.as_slice(),
                Bins::Sparse(_) => unreachable!("sparse lanes are counted by themselves"),
            }
        });
        let planes = count(rows, tallies, |row| columns.map(|column| column[row]));
        for (lane, plane) in lanes.iter().zip(&planes) {
            each(lane, &plane[..lane.n_bins], plane[usize::from(MISSING_BIN)]);
        }
    }
}
