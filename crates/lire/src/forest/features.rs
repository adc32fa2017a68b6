//! Which features, or which values of them, a node may try.

use super::config::ForestConfig;
use super::lanes::LaneGroup;
use super::sampling::Draws;
use super::search::Offer;

/// Draws features for each node.
pub(super) struct FeatureDraws {
    /// What can be drawn: a feature's slot, and the bin of one value where values count as columns.
    columns: Vec<(usize, Option<usize>)>,
    /// How many are drawn at a time.
    count: usize,
    everything: Vec<Offer>,
}

impl FeatureDraws {
    pub(super) fn of(groups: &[LaneGroup], config: &ForestConfig) -> Self {
        let lanes = || groups.iter().flat_map(|group| &group.lanes);
        let mut columns = Vec::new();
        for lane in lanes() {
            if config.levels_as_columns && lane.is_category() {
                columns.extend(
                    (0..lane.n_bins).filter(|&bin| lane.own_level[bin]).map(|bin| (lane.slot, Some(bin))),
                );
            } else {
                columns.push((lane.slot, None));
            }
        }
        let count = config.features_per_split.count(columns.len());
        Self { count, columns, everything: vec![Offer::Everything; lanes().count()] }
    }

    /// Whether nodes try less than everything.
    pub(super) fn draws_any(&self) -> bool {
        self.count < self.columns.len()
    }

    /// What a node may try if nothing is drawn.
    pub(super) fn all(&self) -> &[Offer] {
        &self.everything
    }

    /// What the node with this key may try; then, should none of it split, what it may try next.
    pub(super) fn draw(&self, key: &[u64]) -> impl Iterator<Item = Vec<Offer>> {
        let order = Draws::of(key).permutation(self.columns.len());
        let count = self.count.max(1);
        (0..order.len().div_ceil(count)).map(move |round| {
            let mut offers = vec![Offer::Nothing; self.everything.len()];
            for &column in order[round * count..].iter().take(count) {
                let (slot, bin) = self.columns[column];
                let drawn = bin.map_or(Offer::Everything, |bin| offers[slot].and(bin));
                offers[slot] = drawn;
            }
            offers
        })
    }
}

impl LaneGroup {
    /// Whether any lane may be tried.
    pub(super) fn is_offered(&self, offers: &[Offer]) -> bool {
        self.lanes.iter().any(|lane| offers[lane.slot] != Offer::Nothing)
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
