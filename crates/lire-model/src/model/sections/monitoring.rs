//! What the model remembers of its training rows, to notice when new rows are different.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Section;

/// Shares of the training rows that new rows can be compared with. The coverage of each rule stands in its term.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Monitoring {
    /// The training rows that count.
    pub rows: usize,
    /// No share here is of fewer rows than these.
    pub min_rows: usize,
    /// How the scores are spread, for each output; empty where there are too few rows to tell.
    pub scores: Vec<ScoreHistogram>,
    /// By feature the share of the weight where it is missing. Features that are missing, or known, in fewer than
    /// `min_rows` rows are left out.
    pub missing: BTreeMap<String, f64>,
}

/// How the scores of an output are spread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreHistogram {
    /// The inner edges of the cells, rising. A score equal to an edge belongs to the cell below.
    pub edges: Vec<f64>,
    /// The share of the weight in each cell: one more than edges, the first and the last cell being open.
    pub shares: Vec<f64>,
}

impl Section for Monitoring {
    const NAME: &'static str = "monitoring";
}
