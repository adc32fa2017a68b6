//! What configurations are worth: measured on rows left out, summed up over splits, methods side by side.

mod assess;
mod compare;
mod evaluation;
mod rows;

pub use assess::{Assessment, assess, assess_to_keep, assess_trees, baseline_of};
pub use compare::{ComparedMeasure, Comparison, Contender, MethodMeasure};
pub use evaluation::Evaluation;
pub use rows::{Folds, folds_to_measure, rows_to_check};
