//! Tables: what `lire-model` says of them, and the readers of files.

pub mod read;

pub use lire_model::table::*;
pub use read::{Batch, BatchOptions, Batches, Kept, KeptCells, ReadOptions, read};
