#![doc = include_str!("../README.md")]
//!
//! The modules follow the way of the data, and each uses only those above it.

pub use lire_model::{error, explain, model, replace};

pub mod panics;
pub mod watch;

pub mod table;

pub mod binning;

pub mod forest;

pub mod rules;

pub mod coverage;

pub mod objective;

pub mod solver;

pub mod split;

pub mod measure;

pub mod config;

pub mod methods;

pub mod assemble;

pub mod record;

pub mod fit;

pub mod no_rules;

pub mod leaks;

pub mod evaluate;

pub mod report;

pub use config::Config;
pub use error::{Error, Result};
pub use methods::lire::selection;
pub use model::Model;
pub use watch::Watch;
