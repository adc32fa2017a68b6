//! The real command on real files: what it prints, writes and returns.

// A test fails by a panic, also in what its modules share.
#![allow(clippy::unwrap_used)]

mod bad_data;
mod bad_models;
mod configuration;
mod copies;
mod evaluation;
mod explanations;
mod fitting;
mod folder;
mod interruption;
mod looks;
mod outputs;
mod predictions;
mod printing;
mod related;
mod selection;
mod streaming;
mod tasks;
