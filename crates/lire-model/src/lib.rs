//! What a rule ensemble is: its rules, the file that stores it, predictions and explanations.
//!
//! This crate reads models and applies them; it learns nothing. The crate `lire` learns models and lends out all of this.
//!
//! The modules follow the way of the data, and each uses only those above it:
//! cells → table → rules → model → explanation → report.

pub mod error;
pub mod replace;

pub mod table;

pub mod rules;

pub mod model;

pub mod explain;

pub mod report;

pub use error::{Error, Result};
pub use model::Model;
