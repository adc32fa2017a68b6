//! How good predictions are on rows that were held out, with the curves, so that they can be drawn without data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DividedBy, Section};

/// How good predictions are on rows that were held out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldOutEvaluation {
    /// Which model was measured.
    pub of: EvaluatedModel,
    /// The rows that were measured on.
    pub rows: usize,
    /// What decided which rows were held out, beside equal features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
    /// Each step of a curve and each range of probability stands for at least so many rows.
    pub min_rows: usize,
    /// The measures, by name.
    pub measures: BTreeMap<String, f64>,
    /// The same of always predicting from the training target alone.
    pub baseline: BTreeMap<String, f64>,
    /// The curves: of two classes those of the positive one, of several one for each. None for numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<ClassCurves>,
}

/// Which model an evaluation is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EvaluatedModel {
    /// The model of this file, which saw none of the rows.
    ThisModel,
    /// A model of the same options, fitted on the other rows. The model of this file was fitted on all rows.
    SameOptions,
}

/// How a class is told from all others at each threshold.
///
/// The ROC curve is `true_positive_rate` over `false_positive_rate`, the precision-recall curve is `precision` over
/// `true_positive_rate`. All lists are of the same length, from the highest threshold down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassCurves {
    /// The class.
    pub class: String,
    /// The summed weight of its rows.
    pub positive: f64,
    /// The summed weight of all other rows.
    pub negative: f64,
    /// Rows of a higher score than this are told to be of the class. Of two classes it is the model's score, of several
    /// the probability of the class.
    pub threshold: Vec<f64>,
    /// The share of the class's rows above the threshold (recall).
    pub true_positive_rate: Vec<f64>,
    /// The share of all other rows above the threshold.
    pub false_positive_rate: Vec<f64>,
    /// The share of rows above the threshold that are of the class.
    pub precision: Vec<f64>,
    /// What rows of about the same probability turned out to be, by rising probability.
    pub reliability: Vec<ReliabilityCell>,
}

/// Rows of about the same probability of a class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReliabilityCell {
    /// Their summed weight.
    pub weight: f64,
    /// The mean of the probabilities.
    pub probability: f64,
    /// The share of them that is of the class.
    pub share: f64,
}

impl Section for HeldOutEvaluation {
    const NAME: &'static str = "held_out";
}
