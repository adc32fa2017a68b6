//! What people see of fits and evaluations, as data: every rendering starts from these types and computes nothing.
//!
//! | report | of | command |
//! |---|---|---|
//! | [`ModelReport`] | a model: its terms, its training, cautions | `show` |
//! | [`FitReport`] | a fit: the model, measures on rows held out, what it was chosen from, an example | `fit` |
//! | [`EvaluationReport`] | a configuration or a model, measured on rows | `evaluate` |
//! | [`ComparisonReport`] | methods on the same folds | `compare` |
//! | [`PathReport`] | the models that one is chosen from | `path` |
//! | [`PredictionReport`] | what a model predicts for rows | `predict` |
//!
//! Each can be stored as JSON and read back, has a JSON Schema in `schema/`, and carries its [`Version`]. The first and
//! the last need no learning: they are lent out from `lire-model`.

mod comparison;
mod evaluation;
mod example;
mod fit;
mod path;

pub use comparison::{ComparedMethod, ComparisonReport};
pub use evaluation::{EvaluationReport, Measured};
pub use example::example;
pub use fit::{Choice, FitReport, HeldOut};
pub use lire_model::report::*;
pub use path::PathReport;

/// The JSON Schemas of all reports and of explanations, by name.
#[cfg(feature = "schema")]
pub fn schemas() -> [(&'static str, schemars::Schema); 7] {
    use schemars::schema_for;

    [
        ("model", schema_for!(ModelReport)),
        ("fit", schema_for!(FitReport)),
        ("evaluation", schema_for!(EvaluationReport)),
        ("comparison", schema_for!(ComparisonReport)),
        ("path", schema_for!(PathReport)),
        ("prediction", schema_for!(PredictionReport)),
        ("explanation", schema_for!(crate::explain::LocalExplanation)),
    ]
}
