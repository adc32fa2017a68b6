//! What configurations are worth: measured on rows left out, summed up over splits, methods side by side.

mod assess;
mod compare;
mod evaluation;

pub use assess::{Assessment, assess, assess_trees, baseline_of};
pub use compare::{ComparedMeasure, Comparison, Contender, MethodMeasure};
pub use evaluation::Evaluation;
