//! A fit: the model, what it is worth on rows held out, what it was chosen from, and an example.

use serde::{Deserialize, Serialize};

use super::{ModelScores, Sides, Version, example};
use crate::config::SelectionRule;
use crate::error::Result;
use crate::evaluate::Assessment;
use crate::explain::LocalExplanation;
use crate::fit::Fit;
use crate::measure::{Measure, Measures, RuleMeasures};
use crate::methods::lire::selection::{PathModel, Selection};
use crate::model::TrainingRecord;
use crate::model::sections::DividedBy;
use crate::split::Division;
use crate::table::{Dataset, Task};

/// What a fit learned, and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FitReport {
    /// The version of this form.
    pub version: Version,
    /// Where the model is.
    pub model: String,
    /// The target column.
    pub target: String,
    /// Whether it is a class or a number.
    pub task: Task,
    /// The classes; of two the second is positive. None for a number.
    pub classes: Vec<String>,
    /// The number of rows.
    pub n_rows: usize,
    /// The number of features.
    pub n_features: usize,
    /// Rules with a weight.
    pub n_rules: usize,
    /// The mean number of terms that explain a training row.
    pub local_support_mean: f64,
    /// The scores with their terms.
    #[serde(flatten)]
    pub scores: ModelScores,
    /// The models that it was chosen from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<PathModel>>,
    /// How it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// On rows held out, if there were enough.
    pub measures: Option<HeldOut>,
    /// What is known of the training.
    pub training: TrainingRecord,
    /// The explanation of an instructive row.
    pub example: Option<LocalExplanation>,
    /// Whether rows were left out, so that the number of the example is not that of a row of the file.
    pub rows_left_out: bool,
    /// Rules and linear terms.
    pub n_terms: usize,
    /// What the sides of each score stand for.
    pub sides: Vec<Sides>,
}

/// How one of several models was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// What the choice went by.
    pub metric: Measure,
    /// Which was chosen.
    pub rule: SelectionRule,
    /// How many parts of the rows were left out in turn.
    pub n_splits: usize,
    /// How often the rows were divided into such parts.
    pub n_rounds: usize,
    /// The rows of the sample that models were compared on, if it was not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled_rows: Option<usize>,
    /// What decided how they were divided, beside equal features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
}

/// What the model is worth on rows held out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldOut {
    /// How many they are.
    pub n_rows: usize,
    /// How good the predictions are.
    #[serde(flatten)]
    pub quality: Measures,
    /// How much there is to read.
    #[serde(flatten)]
    pub size: Option<RuleMeasures>,
    /// How long the fit took.
    pub fit_seconds: f64,
    /// The baseline of classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub majority_class: Option<Measures>,
    /// The baseline of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_mean: Option<Measures>,
    /// How many of all rows share their features with another one, and stay together with it.
    pub rows_with_copies: usize,
    /// What decided which rows were held out, beside equal features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
}

impl FitReport {
    /// The report of a fit of these rows; `place` is where its model is.
    pub fn of(
        fit: &Fit,
        data: &Dataset,
        held_out: Option<HeldOut>,
        place: &str,
        rows_left_out: bool,
    ) -> Result<Self> {
        let file = fit.model.file();
        let choice = |selection: &Selection| {
            let &Selection { metric, rule, n_splits, n_rounds, sampled_rows, ref divided_by, .. } = selection;
            Choice { metric, rule, n_splits, n_rounds, sampled_rows, divided_by: divided_by.clone() }
        };
        Ok(Self {
            version: Version,
            model: place.to_owned(),
            target: file.target.name.clone(),
            task: file.target.task,
            classes: file.target.classes.clone(),
            n_rows: data.n_rows(),
            n_features: file.features.features.len(),
            n_rules: fit.model.rules().len(),
            local_support_mean: file.training.local_support_mean,
            scores: ModelScores::of(&fit.model),
            path: fit.selection.as_ref().map(|selection| selection.models.clone()),
            choice: fit.selection.as_ref().map(choice),
            measures: held_out,
            training: file.training.clone(),
            example: example(&fit.model, data)?,
            rows_left_out,
            n_terms: file.terms.len(),
            sides: Sides::of(&fit.model),
        })
    }

    /// The models that it was chosen from, if it was.
    pub fn selection(&self) -> Option<Selection> {
        let &Choice { metric, rule, n_splits, n_rounds, sampled_rows, ref divided_by } =
            self.choice.as_ref()?;
        let (divided_by, models) = (divided_by.clone(), self.path.clone()?);
        Some(Selection { metric, rule, n_splits, n_rounds, sampled_rows, divided_by, models })
    }
}

impl HeldOut {
    /// What was measured on so many rows held out.
    pub fn of(n_rows: usize, assessment: Assessment, division: &Division) -> Self {
        let Assessment { measures, rules, baseline, fit_seconds } = assessment;
        let (majority_class, training_mean) = match baseline {
            Measures::Classes(_) => (Some(baseline), None),
            Measures::Numbers(_) => (None, Some(baseline)),
        };
        Self {
            n_rows,
            quality: measures,
            size: rules,
            fit_seconds,
            majority_class,
            training_mean,
            rows_with_copies: division.n_with_copies(),
            divided_by: division.divided_by().cloned(),
        }
    }

    /// The assessment that it was made of.
    pub fn assessment(&self) -> Option<Assessment> {
        let baseline = self.majority_class.as_ref().or(self.training_mean.as_ref())?;
        Some(Assessment {
            measures: self.quality.clone(),
            rules: self.size.clone(),
            baseline: baseline.clone(),
            fit_seconds: self.fit_seconds,
        })
    }
}
