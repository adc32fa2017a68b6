//! Divides rows into parts: some to learn from, some to measure on. All that splits rows goes through here.
//!
//! | what is known of the rows | what a division keeps to |
//! |---|---|
//! | nothing | rows of the same features stay together; each class has its share in every part |
//! | their groups | rows of a group stay together; parts are as equal as can be, overall and in each class |
//! | their times | models learn from earlier rows and are measured on later ones |
//! | both | the same, and rows of a group that is measured on are not learned from |
//!
//! A weight of 2 is the row twice. Neither the order of the rows nor any spelling decides which rows come into which
//! part, only their content and the seed.

mod cells;
mod contents;
mod copies;
mod division;
mod forward;
mod groups;
mod sample;
mod units;

pub(crate) use contents::exact_hashes;
pub(crate) use division::divided_by;
pub use division::{Division, Holdout, Splits};
pub use sample::sample;
pub use units::ClassSize;

#[cfg(test)]
mod relations_tests;
#[cfg(test)]
mod tests;
