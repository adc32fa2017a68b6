//! How good models are on rows that they were not fitted on.

use serde::{Deserialize, Serialize};

use super::Version;
use crate::error::Result;
use crate::evaluate::{Assessment, Evaluation};
use crate::measure::Measure;
use crate::model::sections::DividedBy;
use crate::split::Division;
use crate::table::Target;

/// What was measured of a configuration or a model, beside what it is worth to know nothing but the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvaluationReport {
    /// The version of this form.
    pub version: Version,
    /// The measures, over all splits.
    #[serde(flatten)]
    pub model: Evaluation,
    /// The same of the baseline of classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub majority_class: Option<Evaluation>,
    /// The same of the baseline of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_mean: Option<Evaluation>,
    /// Of two classes the positive one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positive: Option<String>,
    /// Of two classes the negative one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative: Option<String>,
    /// The classes; none for numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The number of rows.
    pub n_rows: usize,
    /// The number of folds, if there were any.
    pub folds: Option<usize>,
    /// What was measured on each split.
    pub splits: Vec<Assessment>,
    /// What was measured, and on which rows.
    pub measured: Measured,
    /// How many rows share their features with another one, and stay together with it.
    pub rows_with_copies: usize,
    /// What decided how rows were divided, beside equal features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
}

/// What was measured, and on which rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "on", rename_all = "snake_case")]
pub enum Measured {
    /// Each fold with a model of all others.
    Folds {
        /// How many there are.
        n_folds: usize,
    },
    /// Rows that the fit did not see.
    Holdout {
        /// How many they are.
        n_rows: usize,
    },
    /// All rows with a given model.
    AllRows {
        /// Where the model is.
        model: String,
    },
}

impl EvaluationReport {
    /// Sums up assessments, one a split of a division; there is none where a given model is measured on all rows.
    pub fn of(
        target: &Target,
        assessments: Vec<Assessment>,
        measured: Measured,
        division: Option<&Division>,
    ) -> Result<Self> {
        let classes = target.classes().to_vec();
        let baseline = Evaluation::of_baseline(&assessments)?;
        let (majority_class, training_mean) =
            if classes.is_empty() { (None, Some(baseline)) } else { (Some(baseline), None) };
        let model = match Evaluation::of(&assessments)? {
            // Nothing was fitted.
            all if matches!(measured, Measured::AllRows { .. }) => all.without(Measure::FitSeconds),
            all => all,
        };
        let [negative, positive] = match &classes[..] {
            [negative, positive] => [negative, positive].map(|class| Some(class.clone())),
            _ => [None, None],
        };
        Ok(Self {
            version: Version,
            model,
            majority_class,
            training_mean,
            positive,
            negative,
            classes,
            n_rows: target.values.n_rows(),
            folds: if let Measured::Folds { n_folds } = measured { Some(n_folds) } else { None },
            splits: assessments,
            measured,
            rows_with_copies: division.map_or(0, Division::n_with_copies),
            divided_by: division.and_then(Division::divided_by).cloned(),
        })
    }

    /// The baseline, of classes or of numbers.
    pub fn baseline(&self) -> Option<&Evaluation> {
        self.majority_class.as_ref().or(self.training_mean.as_ref())
    }
}
