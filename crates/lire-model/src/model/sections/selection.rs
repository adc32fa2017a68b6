//! The models that a model was chosen from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DividedBy, Section};

/// How a model was chosen, and the frontier that it was chosen from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SelectionRecord {
    /// The measure that the choice went by.
    pub metric: String,
    /// Whether more of it is better.
    pub higher_is_better: bool,
    /// Which model is chosen: the best, or the simplest within one standard error of it.
    pub rule: String,
    /// The parts of the rows that were left out in turn.
    pub splits: usize,
    /// How often the rows were divided into such parts.
    pub rounds: usize,
    /// The rows of the sample that the models were compared on, if it was not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled_rows: Option<usize>,
    /// What decided how they were divided, beside equal features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
    /// The number of different models that were compared.
    pub compared: usize,
    /// The models that none beats in all of the metric, rules per explanation and rules, by rules per explanation.
    pub frontier: Vec<FrontierModel>,
}

/// One of the models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrontierModel {
    /// The price of a rule.
    pub gamma: f64,
    /// The price of rules per explanation.
    pub lambda: f64,
    /// The number of rules.
    pub rules: usize,
    /// The mean number of rules that explain a training row.
    pub local_support_mean: f64,
    /// The largest number of them.
    pub local_support_max: usize,
    /// Measures on rows left out, by name.
    pub validation: BTreeMap<String, Estimate>,
    /// Whether it is the model of this file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
}

/// A measure over several parts of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the parts; none of a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub std: Option<f64>,
}

impl Section for SelectionRecord {
    const NAME: &'static str = "selection";
}
