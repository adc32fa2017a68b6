//! The ensemble: terms × outputs, a link and a threshold; what predicts, explains and is stored.

mod calibration;
mod check;
mod checksum;
mod compiled;
mod file;
mod meaning;
mod monotone;
mod options;
mod predict;
mod predictions;
mod privacy;
pub mod sections;
mod upgrade;

pub use calibration::Calibration;
#[cfg(feature = "schema")]
pub use file::json_schema;
pub use file::{
    FORMAT_VERSION, LinearTerm, Link, ModelFile, Output, RuleTerm, StopReason, TargetData, TargetScale, Term,
    TrainingRecord, WEIGHT_LIMIT,
};
pub use meaning::{Decision, Meaning};
pub use options::Options;
pub use predict::{FiredRules, Scores};
pub use predictions::{ClassPredictions, Predictions};
pub use privacy::LEAST_ROWS_TOLD;
pub use sections::{Section, Sections};

use crate::error::{Error, Result};
use crate::rules::Rule;
use crate::table::{Schema, Task};
use compiled::Compiled;

/// A rule ensemble, checked and ready to predict.
#[derive(Debug, Clone)]
pub struct Model {
    file: ModelFile,
    rules: Vec<Rule>,
    linear: Vec<Linear>,
    compiled: Compiled,
    meaning: Meaning,
    /// For each term its weight in each output.
    weights: Vec<f64>,
    is_edited: bool,
}

/// A linear term with the position of its feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Linear {
    /// The feature's position in the schema.
    pub feature: usize,
    low: f64,
    high: f64,
    mean: f64,
}

impl Linear {
    /// A value above all that the term tells apart.
    pub(super) fn beyond(&self) -> f64 {
        self.high.next_up()
    }

    /// What the term counts for a value of its feature.
    pub fn count(&self, value: f64) -> f64 {
        if value.is_nan() { 0.0 } else { value.clamp(self.low, self.high) - self.mean }
    }
}

impl Model {
    /// Checks everything that prediction and explanation rely on. `place` begins the error messages.
    pub fn new(mut file: ModelFile, place: &str) -> Result<Self> {
        file.checksum = Some(checksum::checksum(&file));
        Self::checked(file, place)
    }

    /// The same of a file that has its checksum already.
    fn checked(file: ModelFile, place: &str) -> Result<Self> {
        let is_edited = file.checksum.as_ref().is_some_and(|stored| *stored != checksum::checksum(&file));
        let (rules, linear) = check::terms_of(&file, place)?;
        let compiled = Compiled::of(&rules, &file.features);
        let of_term = |term: usize| file.outputs.iter().map(move |output| output.weights[term]);
        let weights = (0..file.terms.len()).flat_map(of_term).collect();
        let meaning = Meaning::of(&file);
        Ok(Self { file, rules, linear, compiled, meaning, weights, is_edited })
    }

    /// All that the file holds.
    pub fn file(&self) -> &ModelFile {
        &self.file
    }

    /// Whether the file was changed by hand since lire wrote it: its checksum is another one than that of its content.
    pub fn is_edited(&self) -> bool {
        self.is_edited
    }

    /// The features that the model was trained on.
    pub fn schema(&self) -> &Schema {
        &self.file.features
    }

    /// Whether it predicts a class or a number.
    pub fn task(&self) -> Task {
        self.file.target.task
    }

    /// The classes; of two the second is positive. None for a number.
    pub fn classes(&self) -> &[String] {
        &self.file.target.classes
    }

    /// The rules, in the order in which their weights are summed. They are the first of the terms.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The linear terms, which stand behind the rules.
    pub fn linear(&self) -> &[Linear] {
        &self.linear
    }

    /// The number of scores of a row.
    pub fn n_outputs(&self) -> usize {
        self.file.outputs.len()
    }

    /// The outputs: one, or one for each of several classes.
    pub fn outputs(&self) -> &[Output] {
        &self.file.outputs
    }

    /// The terms of the rules, in their order.
    pub fn rule_terms(&self) -> impl Iterator<Item = &RuleTerm> {
        self.file.terms.iter().filter_map(|term| if let Term::Rule(rule) = term { Some(rule) } else { None })
    }

    /// The output that makes the score of a class: of two classes there is one for both.
    pub fn output_of(&self, class: usize) -> Result<usize> {
        self.check_class(class)?;
        Ok(self.speaking_output(class))
    }

    /// The same of a class that the model knows.
    pub(crate) fn speaking_output(&self, class: usize) -> usize {
        if self.n_outputs() == 1 { 0 } else { class }
    }

    /// Fails unless the model knows a class.
    pub(crate) fn check_class(&self, class: usize) -> Result<()> {
        let n_classes = self.classes().len();
        if class < n_classes {
            return Ok(());
        }
        let message = match n_classes {
            0 => "the model predicts a number, which has no classes".to_owned(),
            _ => format!("there is no class at position {class} of {n_classes}; positions count from 0"),
        };
        Err(Error::data("class", message))
    }

    /// The same model with another decision threshold.
    pub fn with_threshold(mut self, threshold: Option<f64>) -> Result<Self> {
        self.file.threshold = threshold;
        self.changed("threshold")
    }

    /// The same model with probabilities by calibration, one for each output.
    pub fn with_calibrations(mut self, calibrations: Vec<Option<Calibration>>) -> Result<Self> {
        if calibrations.len() != self.n_outputs() {
            let message = format!("{} for {} outputs", calibrations.len(), self.n_outputs());
            return Err(Error::model("calibration", message));
        }
        for (output, calibration) in self.file.outputs.iter_mut().zip(calibrations) {
            output.calibration = calibration;
        }
        self.changed("calibration")
    }

    /// After a change by this library. What was edited by hand stays known as such.
    fn changed(self, place: &str) -> Result<Self> {
        let had_vectors = self.file.sections.get::<sections::Conformance>().is_some();
        let model =
            if self.is_edited { Self::checked(self.file, place) } else { Self::new(self.file, place) }?;
        // They would fail now: they are of the model as it was.
        if had_vectors { model.with_conformance() } else { Ok(model) }
    }

    /// The same model with a section added, or put in the place of the one of its type.
    pub fn with_section(mut self, section: &impl Section) -> Result<Self> {
        self.file.sections.set(section)?;
        Ok(self)
    }

    /// The same model with its record of the training changed, if a file can still hold it.
    pub fn with_training(mut self, change: impl FnOnce(&mut TrainingRecord)) -> Result<Self> {
        change(&mut self.file.training);
        check::check_stored(&self)?;
        Ok(self)
    }
}
