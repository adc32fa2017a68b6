//! The library against independent truths: everything expected here is computed by the tests themselves.

// A test that cannot go on has failed.
#![allow(clippy::unwrap_used)]

mod batches;
mod certificate;
mod classes;
mod convex;
mod coverage;
mod damaged;
mod draws;
mod extremes;
mod fitting;
mod formats;
mod given;
mod glrm;
mod hostile;
mod l1;
mod l1_frozen;
mod l1_general;
mod l1_naive;
mod leaks;
mod misuse;
mod model;
mod naive;
mod objective;
mod options;
mod paper;
mod refit;
mod reports;
mod row_store;
#[cfg(feature = "schema")]
mod schema;
mod search;
mod sections;
mod selection;
mod sparse;
mod spelling;
mod steps;
mod tables;
mod tasks;
mod weights;
