//! The model file: JSON that a person can read, with a version and a schema.

use std::path::Path;

use schemars::{JsonSchema, Schema as JsonSchemaDocument, schema_for};
use serde::{Deserialize, Serialize};

use super::Model;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::replace::replace_file;
use crate::rules::RuleData;
use crate::solver::StopReason;
use crate::table::Schema;

/// What a model file says it is.
const FORMAT: &str = "lire-model";
/// The version of the format that this library writes. It reads all versions up to this one.
pub const FORMAT_VERSION: u32 = 1;

/// A rule ensemble as stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Always `lire-model`.
    pub format: String,
    /// The version of this format.
    pub format_version: u32,
    /// The version of lire that wrote the file.
    pub product_version: String,
    /// What is predicted.
    pub target: TargetData,
    /// What scores are made of: terms, in the order of summation.
    pub terms: Vec<Term>,
    /// One score each: an intercept and a weight for each term. Two classes need one output.
    pub outputs: Vec<Output>,
    /// How a score becomes a probability.
    pub link: Link,
    /// The probability above which a row is labelled positive; without it a score above 0 decides.
    pub threshold: Option<f64>,
    /// Columns that were declared sensitive.
    pub sensitive: Vec<String>,
    /// The features, with their types and categories.
    pub features: Schema,
    /// What is known of the training.
    pub training: TrainingRecord,
    /// The options of the fit.
    pub config: Config,
}

/// What is predicted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetData {
    /// The target column.
    pub name: String,
    /// The label of the negative class.
    pub negative: String,
    /// The label of the positive class, whose probability is predicted.
    pub positive: String,
}

/// A term of the score. Rules count 1 where they hold and 0 elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The rule as text.
    pub rule: String,
    /// The rule as data; it must say the same as the text.
    pub conditions: RuleData,
    /// The share of the training weight that it covers.
    pub coverage: f64,
    /// The number of training rows that it covers.
    pub rows: usize,
}

/// An intercept and a weight for each term.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The class that a high score speaks for.
    pub class: String,
    /// Where the sum starts.
    pub intercept: f64,
    /// What each term adds, in the terms' order.
    pub weights: Vec<f64>,
}

/// How a score becomes a probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Link {
    /// `1 / (1 + exp(−scale · score))`. The exponential loss estimates half the log-odds: its scale is 2.
    Logistic {
        /// What the score is multiplied by.
        scale: f64,
    },
}

impl Link {
    /// The probability of the positive class.
    pub fn probability(self, score: f64) -> f64 {
        match self {
            Self::Logistic { scale } => 1.0 / (1.0 + (-scale * score).exp()),
        }
    }
}

/// What is known of the training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainingRecord {
    /// Training rows.
    pub rows: usize,
    /// Their summed weight.
    pub weight: f64,
    /// The share of the weight in the positive class.
    pub positive_share: f64,
    /// Candidate rules that the solver could choose from.
    pub candidates: usize,
    /// G, the minimised objective.
    pub objective: f64,
    /// L, its loss alone.
    pub loss: f64,
    /// The mean number of rules that cover a training row.
    pub local_support_mean: f64,
    /// The largest number of rules that cover a training row.
    pub local_support_max: usize,
    /// Accuracy on the training rows.
    pub accuracy: f64,
    /// AUC on the training rows.
    pub auc: Option<f64>,
    /// Whether no single insertion, removal or swap of a rule improves the objective.
    pub certified: bool,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// The seed of all that was drawn.
    pub seed: u64,
    /// A hash of the training data.
    pub data_fingerprint: String,
}

impl ModelFile {
    /// The first lines of every file that this library writes.
    pub fn header() -> (String, u32, String) {
        (FORMAT.into(), FORMAT_VERSION, env!("CARGO_PKG_VERSION").into())
    }
}

impl Model {
    /// Reads a model file and checks everything in it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read(path).map_err(|error| Error::io(path, error))?;
        Self::from_json(&text, &path.display().to_string())
    }

    /// Reads a model from JSON. `place` begins the error messages.
    pub fn from_json(json: &[u8], place: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Header {
            format: Option<String>,
            format_version: Option<u32>,
        }
        let broken = |error: serde_json::Error| {
            let what = if error.is_eof() { "the file is cut off" } else { "this is not a lire model" };
            Error::model(place, format!("{what}: {error}; fit the model again or restore the file"))
        };
        let header: Header = serde_json::from_slice(json).map_err(broken)?;
        if header.format.as_deref() != Some(FORMAT) {
            return Err(Error::model(
                place,
                "this is JSON but no lire model; give a file that `lire fit` wrote",
            ));
        }
        match header.format_version {
            Some(FORMAT_VERSION) => Self::new(serde_json::from_slice(json).map_err(broken)?, place),
            Some(version) => Err(Error::model(
                place,
                format!(
                    "format version {version} is unknown to lire {}; use the lire that wrote it, or a newer one",
                    env!("CARGO_PKG_VERSION")
                ),
            )),
            None => Err(Error::model(place, "`format_version` is lacking; restore the file or fit again")),
        }
    }

    /// The model as JSON, one line a term.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self.file()).expect("a model has string keys and finite numbers");
        text.push('\n');
        text
    }

    /// Writes the model file: whole, or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        replace_file(path, self.to_json().as_bytes())
    }

    /// Whether a file begins like a model, so that a fit may replace it.
    pub fn is_model_file(path: &Path) -> bool {
        std::fs::read(path).is_ok_and(|text| Self::from_json(&text, "").is_ok())
    }
}

/// The JSON Schema of the model file, generated from its types.
pub fn json_schema() -> JsonSchemaDocument {
    schema_for!(ModelFile)
}
