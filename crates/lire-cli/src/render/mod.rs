//! Turns explanations and measures into text. Nothing is computed here but widths and lengths of bars.

mod bars;
pub mod comparison;
pub mod confusion;
pub mod explanation;
pub mod facts;
pub mod format;
pub mod frontier;
mod grid;
pub mod measures;
pub mod numbers;
pub mod plot;
pub mod predictions;
pub mod reliability;
pub mod rules;
pub mod sides;
pub mod visible;
mod wrap;
