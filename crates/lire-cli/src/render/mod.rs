//! Turns the library's reports and explanations into text. Nothing is computed here but widths and lengths of bars.

mod bars;
mod classes;
pub mod comparison;
pub mod confusion;
mod division;
pub mod evaluation;
pub mod explanation;
mod facts;
pub mod fit;
pub mod format;
pub mod frontier;
mod grid;
pub mod measures;
pub mod model;
pub mod numbers;
pub mod options;
pub mod plot;
pub mod predictions;
pub mod reliability;
pub mod rules;
pub mod visible;
mod wrap;
