//! The model file: JSON that a person can read, with a version and a schema.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::check_stored;
use super::sections::{Sections, write_sections};
use super::upgrade::upgrade;
use super::{Calibration, Model, Options};
use crate::error::{Error, Result};
use crate::replace::replace_file;
use crate::rules::RuleData;
use crate::table::{Schema, Task};

/// No weight of a rule for classes is beyond this in either direction: it keeps `exp(±score)` finite.
pub const WEIGHT_LIMIT: f64 = 20.0;
/// What a model file says it is.
const FORMAT: &str = "lire-model";
/// The version of the format that this library writes. It reads all versions up to this one.
pub const FORMAT_VERSION: u32 = 3;

/// What a file may require of its reader, as far as this library fulfils it.
const FULFILLED: [&str; 0] = [];

/// A rule ensemble as stored. What prediction needs is checked strictly; sections that this library does not know are
/// kept as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelFile {
    /// Always `lire-model`.
    pub format: String,
    /// The version of this format.
    pub format_version: u32,
    /// The version of lire that wrote the file.
    pub product_version: String,
    /// Features of the format without which a reader must not predict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// A hash of everything that prediction uses: the rest of the file may change without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// What is predicted.
    pub target: TargetData,
    /// What scores are made of: terms, in the order of summation; first the rules, then the linear terms.
    pub terms: Vec<Term>,
    /// One score each: an intercept and a weight for each term. A number or two classes need one output, more classes
    /// one each.
    pub outputs: Vec<Output>,
    /// How a score becomes a probability.
    pub link: Link,
    /// The probability above which a row is labelled positive, for two classes; without it a score above 0 decides.
    pub threshold: Option<f64>,
    /// Columns that were declared sensitive.
    pub sensitive: Vec<String>,
    /// The features, with their types and categories.
    pub features: Schema,
    /// What is known of the training.
    pub training: TrainingRecord,
    /// The options of the fit.
    pub config: Options,
    /// Optional sections. Prediction needs none of them.
    #[serde(flatten)]
    pub sections: Sections,
}

/// What is predicted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TargetData {
    /// The target column.
    pub name: String,
    /// Whether it is a class or a number.
    pub task: Task,
    /// The classes; of two the second is positive. None for a number.
    pub classes: Vec<String>,
}

/// A term of the score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Term {
    /// A rule counts 1 where it holds and 0 elsewhere.
    Rule(RuleTerm),
    /// A numeric feature as it is, winsorised.
    Linear(LinearTerm),
}

/// A numeric feature as a term: it counts `clamp(x, low, high) − mean`, and 0 where it is missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LinearTerm {
    /// The feature.
    pub feature: String,
    /// Lower values count as this.
    pub low: f64,
    /// Higher values count as this.
    pub high: f64,
    /// Where the term counts 0: the mean of the training rows.
    pub mean: f64,
    /// The standard deviation over the training rows.
    pub std: f64,
}

/// A rule as a term.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleTerm {
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The class that a high score speaks for; none for a number.
    pub class: Option<String>,
    /// Where the sum starts.
    pub intercept: f64,
    /// What each term is multiplied by, in the terms' order.
    pub weights: Vec<f64>,
    /// Added to the log-odds, to correct probabilities for class weights; labels go by the score alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub log_odds_shift: f64,
    /// What the probability comes from instead of the link, if it was calibrated; labels go by the score alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// How a score becomes a probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Link {
    /// `1 / (1 + exp(−scale · score))`. The exponential loss estimates half the log-odds: its scale is 2.
    Logistic {
        /// What the score is multiplied by.
        scale: f64,
    },
    /// The score is the predicted number itself.
    Identity {},
}

/// What is known of the training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainingRecord {
    /// Training rows.
    pub rows: usize,
    /// Their summed weight.
    pub weight: f64,
    /// The share of the weight in each class, without class weights; none for a number.
    pub class_shares: Vec<f64>,
    /// The mean and the standard deviation of a number.
    pub scale: Option<TargetScale>,
    /// Candidate rules that the solver could choose from.
    pub candidates: usize,
    /// What grew the trees that they are rules of, if it was not lire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trees_from: Option<String>,
    /// G, the minimised objective, summed over the outputs; of a number in units of its variance.
    pub objective: f64,
    /// L, its loss alone.
    pub loss: f64,
    /// The mean number of rules that cover a training row.
    pub local_support_mean: f64,
    /// The largest number of rules that cover a training row.
    pub local_support_max: usize,
    /// Accuracy on the training rows, for classes.
    pub accuracy: Option<f64>,
    /// AUC on the training rows, for classes.
    pub auc: Option<f64>,
    /// R² on the training rows, for numbers.
    pub r2: Option<f64>,
    /// Whether no single insertion, removal or swap of a rule improves the objective.
    pub certified: bool,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// The seed of all that was drawn.
    pub seed: u64,
    /// A hash of the training data.
    pub data_fingerprint: String,
    /// What a newer version recorded besides; it is kept as it is.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// Why a search ended. None of these is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// No move improves.
    Converged,
    /// The largest number of moves was made.
    MoveLimit,
    /// The time was up.
    TimeLimit,
    /// The caller asked to stop.
    Interrupted,
    /// A newer version stopped for a reason that this one does not know.
    #[serde(other)]
    Unknown,
}

/// Where a number lies and how far it spreads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetScale {
    /// The mean of the training rows.
    pub mean: f64,
    /// Their standard deviation.
    pub std: f64,
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
                "this is JSON, but not a lire model; give a file that `lire fit` wrote",
            ));
        }
        match header.format_version {
            Some(FORMAT_VERSION) => {
                let file: ModelFile = serde_json::from_slice(json).map_err(broken)?;
                check_required(&file, place)?;
                refuse_unknown_of_features(json, place)?;
                if file.checksum.is_some() { Self::checked(file, place) } else { Self::new(file, place) }
            }
            Some(version @ 1..FORMAT_VERSION) => {
                let old = serde_json::from_slice(json).map_err(broken)?;
                Self::new(serde_json::from_value(upgrade(old, version)).map_err(broken)?, place)
            }
            Some(version) => Err(Error::model(
                place,
                format!(
                    "format version {version} is unknown to lire {}; use the lire that wrote it, or a newer one",
                    env!("CARGO_PKG_VERSION")
                ),
            )),
            None => Err(Error::model(place, "`format_version` is missing; restore the file or fit again")),
        }
    }

    /// The model as JSON.
    pub fn to_json(&self) -> String {
        let file = ModelFile { sections: Sections::default(), ..self.file().clone() };
        let mut text =
            serde_json::to_string_pretty(&file).expect("a model has string keys and finite numbers");
        write_sections(&self.file().sections, &mut text);
        text.push('\n');
        text
    }

    /// Writes the model file: whole, or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        check_stored(self)?;
        replace_file(path, self.to_json().as_bytes())
    }

    /// Whether a file begins like a model, so that a fit may replace it.
    pub fn is_model_file(path: &Path) -> bool {
        std::fs::read(path).is_ok_and(|text| Self::from_json(&text, "").is_ok())
    }
}

/// Fails where the file asks for more than this library can do.
fn check_required(file: &ModelFile, place: &str) -> Result<()> {
    let unknown = |feature: &&String| !FULFILLED.contains(&feature.as_str());
    match file.requires.iter().find(unknown) {
        None => Ok(()),
        Some(feature) => {
            let version = &file.product_version;
            let message = format!(
                "it requires `{feature}`, which this lire does not know; use lire {version} or newer"
            );
            Err(Error::model(place, message))
        }
    }
}

/// Fails where a feature has a field that this library does not know: prediction may depend on it.
fn refuse_unknown_of_features(json: &[u8], place: &str) -> Result<()> {
    const KNOWN: [&str; 7] = ["name", "type", "levels", "has_missing", "missing", "exact", "levels_left_out"];
    // Only the names count.
    #[allow(clippy::zero_sized_map_values)]
    #[derive(Deserialize)]
    struct Features {
        features: Vec<BTreeMap<String, IgnoredAny>>,
    }
    // A file that cannot be read as this was refused before.
    let Ok(file) = serde_json::from_slice::<Features>(json) else { return Ok(()) };
    for (index, feature) in file.features.iter().enumerate() {
        if let Some(field) = feature.keys().find(|field| !KNOWN.contains(&field.as_str())) {
            let message = format!("unknown field `{field}`; a newer lire may know it");
            return Err(Error::model(format!("{place}, features[{index}]"), message));
        }
    }
    Ok(())
}

/// The JSON Schema of the model file, generated from its types.
#[cfg(feature = "schema")]
pub fn json_schema() -> schemars::Schema {
    schemars::schema_for!(ModelFile)
}
