//! Divides rows into parts: some to learn from, some to measure on.

mod cells;
mod contents;
mod division;

pub(crate) use contents::exact_hashes;
pub use division::{ClassSize, Division, Holdout, Splits};
