//! Which features, or which values of them, a node may try.

use super::config::ForestConfig;
use super::lanes::Lanes;
use super::sampling::Draws;
use super::search::Offer;

/// Draws features for each node.
pub(super) struct FeatureDraws {
    /// What can be drawn: a feature's slot, and the bin of one value where values count as columns.
    columns: Vec<(usize, Option<usize>)>,
    /// How many are drawn at a time.
    count: usize,
    n_slots: usize,
}

impl FeatureDraws {
    pub(super) fn of(lanes: &Lanes, config: &ForestConfig) -> Self {
        let lanes = lanes.in_order();
        let mut columns = Vec::new();
        for lane in &lanes {
            if config.levels_as_columns && lane.is_category() {
                columns.extend(
                    (0..lane.n_bins).filter(|&bin| lane.own_level[bin]).map(|bin| (lane.slot, Some(bin))),
                );
            } else {
                columns.push((lane.slot, None));
            }
        }
        let count = config.features_per_split.count(columns.len());
        Self { count, columns, n_slots: lanes.len() }
    }

    /// Whether nodes try less than everything.
    pub(super) fn draws_any(&self) -> bool {
        self.count < self.columns.len()
    }

    /// What the node with this key may try; then, should none of it split, what it may try next.
    pub(super) fn draw(&self, key: &[u64]) -> impl Iterator<Item = Vec<Offer>> {
        let order = Draws::of(key).permutation(self.columns.len());
        let count = self.count.max(1);
        (0..order.len().div_ceil(count)).map(move |round| {
            let mut offers = vec![Offer::Nothing; self.n_slots];
            for &column in order[round * count..].iter().take(count) {
                let (slot, bin) = self.columns[column];
                let drawn = bin.map_or(Offer::Everything, |bin| offers[slot].and(bin));
                offers[slot] = drawn;
            }
            offers
        })
    }
}

impl Offer {
    /// With one bin more.
    fn and(self, bin: usize) -> Self {
        let mut bits = match self {
            Self::Nothing => [0; 4],
            Self::Bins(bits) => bits,
            Self::Everything => return self,
        };
        bits[bin / 64] |= 1 << (bin % 64);
        Self::Bins(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binning::{BinnedColumn, BinnedTable, Edges};
    use crate::forest::{FeatureSampling, lanes};

    #[test]
    fn values_count_as_columns_of_their_own() {
        let column = |edges: Edges| BinnedColumn { bins: vec![0; 3].into(), edges, has_missing: false };
        let levels = Edges::Levels((0..6).map(Some).chain([None]).collect());
        let columns = vec![column(Edges::Cuts(vec![1.0, 2.0])), column(levels)];
        let lanes = lanes::lay_out(&BinnedTable { columns, n_rows: 3 }, &[]);
        let config = ForestConfig {
            features_per_split: FeatureSampling::Count(4),
            levels_as_columns: true,
            ..ForestConfig::default()
        };
        let draws = FeatureDraws::of(&lanes, &config);
        for node in 0..20 {
            let rounds: Vec<Vec<Offer>> = draws.draw(&[node]).collect();
            let n_values = |offers: &[Offer]| (0..7).filter(|&bin| offers[1].holds(bin)).count();
            let n_columns =
                |offers: &Vec<Offer>| usize::from(offers[0] == Offer::Everything) + n_values(offers);
            // Seven columns in all: the number and six values; the bin of rare values is not one.
            assert_eq!(rounds.iter().map(n_columns).collect::<Vec<_>>(), [4, 3]);
        }
    }
}
