//! Divides rows into parts: some to learn from, some to measure on.

mod contents;
mod division;
mod sample;

pub(crate) use contents::exact_hashes;
pub use division::{ClassSize, Division, Holdout, Splits};
pub use sample::sample;
