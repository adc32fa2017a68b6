#![doc = include_str!("../README.md")]
//!
//! The modules follow the flow of the data, and each uses only those above it.

// What only tests and benches look into is public for them alone, and some of it only they use.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

pub use lire_model::{error, explain, model, replace};

#[cfg(feature = "internals")]
pub mod panics;
#[cfg(not(feature = "internals"))]
mod panics;
pub mod watch;

#[cfg(feature = "internals")]
pub mod side_by_side;
#[cfg(not(feature = "internals"))]
mod side_by_side;

pub mod table;

#[cfg(feature = "internals")]
pub mod binning;
#[cfg(not(feature = "internals"))]
mod binning;

pub mod forest;

pub mod rules;

#[cfg(feature = "internals")]
pub mod coverage;
#[cfg(not(feature = "internals"))]
mod coverage;

#[cfg(feature = "internals")]
pub mod objective;
#[cfg(not(feature = "internals"))]
mod objective;

#[cfg(feature = "internals")]
pub mod solver;
#[cfg(not(feature = "internals"))]
mod solver;

pub mod split;

pub mod measure;

pub mod config;

pub mod methods;

#[cfg(feature = "internals")]
pub mod assemble;
#[cfg(not(feature = "internals"))]
mod assemble;

#[cfg(feature = "internals")]
pub mod record;
#[cfg(not(feature = "internals"))]
mod record;

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
