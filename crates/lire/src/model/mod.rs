//! The ensemble: terms × outputs, a link and a threshold; what predicts, explains and is stored.

mod check;
mod file;
mod predict;

pub use file::{FORMAT_VERSION, Link, ModelFile, Output, TargetData, Term, TrainingRecord, json_schema};
pub use predict::{Decision, FiredRules, Scores};

use crate::error::Result;
use crate::rules::Rule;
use crate::table::Schema;
use predict::Compiled;

/// A rule ensemble, checked and ready to predict.
#[derive(Debug, Clone)]
pub struct Model {
    file: ModelFile,
    rules: Vec<Rule>,
    compiled: Compiled,
}

impl Model {
    /// Checks everything that prediction and explanation rely on. `place` begins the error messages.
    pub fn new(file: ModelFile, place: &str) -> Result<Self> {
        let rules = check::rules_of(&file, place)?;
        let compiled = Compiled::of(&rules, &file.features);
        Ok(Self { file, rules, compiled })
    }

    /// All that the file holds.
    pub fn file(&self) -> &ModelFile {
        &self.file
    }

    /// The features that the model was trained on.
    pub fn schema(&self) -> &Schema {
        &self.file.features
    }

    /// The rules, in the order in which their weights are summed.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The weight of each rule.
    pub fn weights(&self) -> &[f64] {
        &self.output().weights
    }

    /// The intercept.
    pub fn intercept(&self) -> f64 {
        self.output().intercept
    }

    /// The label of the positive class.
    pub fn positive(&self) -> &str {
        &self.file.target.positive
    }

    /// The label of the negative class.
    pub fn negative(&self) -> &str {
        &self.file.target.negative
    }

    /// The same model with another decision threshold.
    pub fn with_threshold(mut self, threshold: Option<f64>) -> Result<Self> {
        self.file.threshold = threshold;
        Self::new(self.file, "threshold")
    }

    /// The same model with its measures on the training rows filled in.
    pub(crate) fn with_training_measures(mut self, accuracy: f64, auc: Option<f64>) -> Self {
        (self.file.training.accuracy, self.file.training.auc) = (accuracy, auc);
        self
    }

    fn output(&self) -> &Output {
        &self.file.outputs[0]
    }
}
