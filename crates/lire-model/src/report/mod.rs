//! What people see of a model and of its predictions, as data: every rendering starts from these types.
//!
//! | report | of |
//! |---|---|
//! | [`ModelReport`] | a model: its terms, its training, cautions |
//! | [`PredictionReport`] | what it predicts for rows |
//!
//! Each can be stored as JSON and read back, has a JSON Schema, and carries its [`Version`]. Explanations of rows are
//! those of [`explain`](crate::explain). The crate `lire` adds the reports of fits and evaluations.

mod model;
mod predictions;
mod scores;
mod version;

pub use model::{DecisionRule, ModelReport, RuleName, SensitiveUse};
pub use predictions::PredictionReport;
pub use scores::{ModelScores, Sides};
pub use version::{REPORT_VERSION, Version};
