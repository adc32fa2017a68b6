//! What a condition asks of a column's bins, for evaluating rules fast on training rows.

use super::{Condition, Rule, Test, all_rows, keep_sparse, keep_where};
use crate::binning::{BinnedColumn, BinnedTable, Bins, Edges, MISSING_BIN};

/// The bins that satisfy a condition, as a set of 256 bits; [`MISSING_BIN`] is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BinTest {
    words: [u64; 4],
}

/// The rows that a rule covers, packed: row `r` is bit `r mod 64` of word `r / 64`. None if
/// the bins are too coarse to tell; they never are for a rule extracted from trees on them.
pub fn cover_binned(rule: &Rule, binned: &BinnedTable) -> Option<Vec<u64>> {
    let mut rows = all_rows(binned.n_rows);
    for condition in &rule.conditions {
        let column = &binned.columns[condition.feature];
        condition.on_bins(column)?.keep_bins(&column.bins, &mut rows);
    }
    Some(rows)
}

/// What bins can tell of a condition.
pub trait OnBins {
    /// The bins that satisfy the condition. None if some bin holds both values that do and values
    /// that do not: a threshold between two cuts, or a level that only the bin of rare levels can hold.
    fn on_bins(&self, column: &BinnedColumn) -> Option<BinTest>;
}

impl OnBins for Condition {
    fn on_bins(&self, column: &BinnedColumn) -> Option<BinTest> {
        let accepted = match (&self.test, &column.edges) {
            (Test::Known, _) => (0..column.n_bins()).collect(),
            (Test::Missing, _) => Vec::new(),
            (Test::Interval { above, at_most }, Edges::Cuts(cuts)) => {
                let cut = |bound: f64| cuts.iter().position(|&cut| cut == bound);
                let first = above.map_or(Some(0), |bound| cut(bound).map(|cut| cut + 1))?;
                let last = at_most.map_or(Some(cuts.len()), cut)?;
                (first..=last).collect()
            }
            (Test::In(levels), Edges::Levels(bins)) => bins_of(levels, bins)?,
            (Test::NotIn(levels), Edges::Levels(bins)) => {
                let excluded = bins_of(levels, bins)?;
                (0..bins.len()).filter(|bin| !excluded.contains(bin)).collect()
            }
            (Test::Interval { .. }, Edges::Levels(_)) | (Test::In(_) | Test::NotIn(_), Edges::Cuts(_)) => {
                Vec::new()
            }
        };
        let missing = self.takes_missing.then_some(MISSING_BIN as usize);
        Some(BinTest::of(accepted.into_iter().chain(missing)))
    }
}

/// The bins of the levels. None if a level can only be in the bin of rare levels. A level without
/// any bin does not occur.
fn bins_of(levels: &[u32], bins: &[Option<u32>]) -> Option<Vec<usize>> {
    let has_rare = bins.contains(&None);
    let of_level = |level: &u32| bins.iter().position(|bin| *bin == Some(*level));
    let found: Vec<usize> = levels.iter().filter_map(of_level).collect();
    (found.len() == levels.len() || !has_rare).then_some(found)
}

impl BinTest {
    /// The test that accepts these bins.
    pub fn of(bins: impl IntoIterator<Item = usize>) -> Self {
        let mut test = Self::default();
        for bin in bins {
            test.words[bin / 64] |= 1 << (bin % 64);
        }
        test
    }

    /// Whether a bin is accepted.
    pub fn holds(&self, bin: u8) -> bool {
        self.words[usize::from(bin / 64)] >> (bin % 64) & 1 == 1
    }

    /// The accepted bins as bits: bin `b` is bit `b mod 64` of word `b / 64`.
    pub fn words(&self) -> [u64; 4] {
        self.words
    }

    /// The first and last accepted bin, if all between them are accepted too: the test is then two
    /// comparisons. None for the empty set.
    pub fn range(&self) -> Option<(u8, u8)> {
        let first = (0..=u8::MAX).find(|&bin| self.holds(bin))?;
        let last = (first..=u8::MAX).rfind(|&bin| self.holds(bin))?;
        (first..=last).all(|bin| self.holds(bin)).then_some((first, last))
    }

    /// Takes those rows out of a packed set whose bin is not accepted.
    fn keep_bins(&self, bins: &Bins, rows: &mut [u64]) {
        match bins {
            Bins::Dense(bins) => self.keep(bins, rows),
            Bins::Sparse(bins) => keep_sparse(bins, rows, |bin| self.holds(bin)),
        }
    }

    /// The same of bins side by side.
    pub fn keep(&self, bins: &[u8], rows: &mut [u64]) {
        if let Some((first, last)) = self.range() {
            let span = last - first;
            keep_where(bins, rows, |bin: u8| bin.wrapping_sub(first) <= span);
        } else {
            let accepted: [bool; 256] = std::array::from_fn(|bin| self.holds(bin as u8));
            keep_where(bins, rows, |bin: u8| accepted[usize::from(bin)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random_trees;
    use super::*;

    fn column(edges: Edges) -> BinnedColumn {
        BinnedColumn { bins: Vec::new().into(), edges, has_missing: true }
    }

    fn interval(above: Option<f64>, at_most: Option<f64>) -> Condition {
        Condition { feature: 0, test: Test::Interval { above, at_most }, takes_missing: false }
    }

    #[test]
    fn an_interval_is_a_range_of_bins() {
        let column = column(Edges::Cuts(vec![0.0, 10.0, 20.0]));
        let range = |above, at_most| interval(above, at_most).on_bins(&column).unwrap().range();
        assert_eq!(range(Some(0.0), None), Some((1, 3)));
        assert_eq!(range(None, Some(0.0)), Some((0, 0)));
        assert_eq!(range(Some(0.0), Some(20.0)), Some((1, 2)));
    }

    #[test]
    fn a_threshold_between_cuts_cannot_be_told_from_bins() {
        assert_eq!(interval(Some(5.0), None).on_bins(&column(Edges::Cuts(vec![0.0, 10.0]))), None);
    }

    #[test]
    fn a_rare_level_cannot_be_told_from_bins_but_is_not_equal_to_the_others() {
        let column = column(Edges::Levels(vec![Some(4), None]));
        let on_bins = |test| Condition { feature: 0, test, takes_missing: true }.on_bins(&column);
        assert_eq!(on_bins(Test::In(vec![2])), None);
        assert_eq!(on_bins(Test::NotIn(vec![2, 4])), None);
        assert_eq!(on_bins(Test::In(vec![4])), Some(BinTest::of([0, 255])));
        assert_eq!(on_bins(Test::NotIn(vec![4])), Some(BinTest::of([1, 255])));
    }

    proptest! {
        #[test]
        fn bins_tell_what_the_values_tell((data, rule) in random_trees::binned_and_rule()) {
            prop_assert_eq!(cover_binned(&rule, &data.binned), Some(rule.cover(&data.table).unwrap()));
        }

        #[test]
        fn range_is_given_only_for_contiguous_bins(bins in proptest::collection::btree_set(0usize..256, 0..6)) {
            let test = BinTest::of(bins.iter().copied());
            let contiguous = bins.first().zip(bins.last()).filter(|(a, b)| *b - *a + 1 == bins.len());
            prop_assert_eq!(test.range().map(|(a, b)| (a as usize, b as usize)), contiguous.map(|(a, b)| (*a, *b)));
        }
    }
}
