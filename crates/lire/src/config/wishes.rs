//! Options with a form of their own: methods, class weights, base rates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::measure::Measure;

/// How a model is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Few rules per explanation: rules of trees, chosen by the objective with its local penalty.
    #[default]
    Lire,
    /// Rules of trees, chosen by an l1 penalty (Friedman and Popescu 2008).
    Rulefit,
    /// Rules built up from single conditions by column generation, with an l1 penalty (Wei et al. 2019).
    Glrm,
}

impl Method {
    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lire => "lire",
            Self::Rulefit => "rulefit",
            Self::Glrm => "glrm",
        }
    }
}

/// What the choice among models goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The chance that a positive row scores above a negative one.
    Auc,
    /// The mean of −ln of the probability that the right class was given.
    LogLoss,
    /// The share of rows with the right label.
    Accuracy,
    /// The harmonic mean of precision and recall.
    F1,
    /// The root of the mean squared error.
    Rmse,
    /// The share of the target's variance that is explained.
    R2,
}

impl Metric {
    /// The measure of that name.
    pub const fn measure(self) -> Measure {
        match self {
            Self::Auc => Measure::Auc,
            Self::LogLoss => Measure::LogLoss,
            Self::Accuracy => Measure::Accuracy,
            Self::F1 => Measure::F1,
            Self::Rmse => Measure::Rmse,
            Self::R2 => Measure::R2,
        }
    }
}

/// Which of the validated models is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SelectionRule {
    /// The best by the metric.
    Best,
    /// The one of the fewest rules per explanation, then of the fewest rules, within one standard error of the best.
    OneSe,
}

/// How probabilities are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CalibrationKind {
    /// By a curve of two numbers.
    Platt,
    /// By any curve that never falls; needs some thousand rows.
    Isotonic,
}

/// How much the rows of a class count, beside their own weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ClassWeight {
    /// By a rule.
    Rule(ClassWeightRule),
    /// For each class; 1 for those that are not named.
    Given(BTreeMap<String, f64>),
}

/// A rule for the weights of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClassWeightRule {
    /// All classes count the same in total.
    Balanced,
}

/// The shares of the classes that probabilities shall refer to, where class weights changed them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BaseRate {
    /// From where.
    From(BaseRateSource),
    /// The share of the positive class.
    Share(f64),
}

/// Where base rates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BaseRateSource {
    /// The training rows, without class weights.
    Data,
}
