#![doc = include_str!("../README.md")]
//!
//! The modules follow the flow of the data, and each uses only those above it: cells → table → rules → model →
//! explanation → report.

pub mod error;
pub mod replace;

pub mod table;

pub mod rules;

pub mod model;

pub mod explain;

pub mod report;

pub use error::{Error, Result};
pub use model::Model;
