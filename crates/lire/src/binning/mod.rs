//! Columns as small integers that remember their real thresholds, and training rows merged by content.

/// The bin of a missing value.
pub const MISSING_BIN: u8 = 255;
/// The largest number of bins for known values.
pub const MAX_BINS: usize = 255;

/// Feature columns as bin numbers.
#[derive(Debug, Clone)]
pub struct BinnedTable {
    /// One entry a feature, in the schema's order.
    pub columns: Vec<BinnedColumn>,
    /// The number of rows.
    pub n_rows: usize,
}

/// One column as bin numbers.
#[derive(Debug, Clone)]
pub struct BinnedColumn {
    /// The bin of each row: below [`BinnedColumn::n_bins`], or [`MISSING_BIN`].
    pub bins: Vec<u8>,
    /// What the bins mean.
    pub edges: Edges,
    /// Whether any training row lacks the value.
    pub has_missing: bool,
}

/// What the bins of a column mean in terms of its values.
#[derive(Debug, Clone, PartialEq)]
pub enum Edges {
    /// Numbers: bin `i` holds `cuts[i − 1] < x ≤ cuts[i]`; there is one bin more than cuts. The cuts
    /// are the thresholds as rules print them.
    Cuts(Vec<f64>),
    /// Categories: the level that each bin holds. `None` is the one bin of all levels too rare to
    /// have their own; no split singles it out.
    Levels(Vec<Option<u32>>),
}

impl BinnedColumn {
    /// The number of bins of known values.
    pub fn n_bins(&self) -> usize {
        match &self.edges {
            Edges::Cuts(cuts) => cuts.len() + 1,
            Edges::Levels(levels) => levels.len(),
        }
    }
}

/// Training rows, merged: one row for each distinct content, with the weight of each class.
///
/// Rows are in the order of their content hash, so that neither the order of the input nor the
/// difference between a weight of 2 and a row given twice can reach anything that follows.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The features.
    pub binned: BinnedTable,
    /// The weight of positive rows with this content.
    pub positive: Vec<f64>,
    /// The weight of negative rows with this content.
    pub negative: Vec<f64>,
    /// A hash of the content; all sampling starts from it.
    pub hashes: Vec<u64>,
}
