//! Measures of predictions and of rule ensembles, folds, and their summaries.
//!
//! All work on plain slices with row weights. A weight means repetition: 2 counts as the row twice,
//! 0 as no row.

mod folds;
mod measures;
mod ranking;
mod rule_measures;
mod summary;

pub use folds::{Folds, Holdout, stratified_folds, stratified_holdout};
pub use measures::{Confusion, Measures, Predictions};
pub use ranking::{area_under_curve, average_precision};
pub use rule_measures::{RuleMeasures, diversity};
pub use summary::Summary;
