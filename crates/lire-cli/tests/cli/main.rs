//! The real command on real files: what it prints, writes and returns.

mod bad_data;
mod bad_models;
mod configuration;
mod evaluation;
mod explanations;
mod fitting;
mod folder;
mod interruption;
mod looks;
mod outputs;
mod predictions;
