//! Measures of predictions and of rule ensembles, baselines, summaries, and a test of differences.
//!
//! All go by row weights. A weight means repetition: 2 counts as the row twice, 0 as no row.

mod baseline;
mod checks;
mod confusion;
mod kinds;
mod measures;
mod ranking;
mod reliability;
mod rule_measures;
mod summary;
mod sums;
mod wilcoxon;

pub use baseline::Baseline;
pub use confusion::Confusion;
pub use kinds::{Better, Measure};
pub use measures::{ClassMeasures, Measures, NumberMeasures};
pub use ranking::{area_under_curve, average_precision};
pub use reliability::{Reliability, ReliabilityBin};
pub use rule_measures::{RuleMeasures, diversity};
pub use summary::{Summaries, Summary};
pub(crate) use sums::order_free_sum;
pub use wilcoxon::{Alternative, Wilcoxon};
