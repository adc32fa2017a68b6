//! Honest measures: fits on some rows, measures on others.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::error::Result;
use crate::fit::{fit, measure_all};
use crate::forest::TreeGenerator;
use crate::measure::{Baseline, Measure, Measures, RuleMeasures};
use crate::methods::Training;
use crate::methods::baseline::{TreeModel, baseline_forest};
use crate::model::Model;
use crate::model::sections::{EvaluatedModel, HeldOutEvaluation};
use crate::record::{evaluation, least_rows};
use crate::split::{Holdout, divided_by};
use crate::table::Dataset;
use crate::watch::Watch;

/// What a model is worth on rows that it was not fitted on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Assessment {
    /// How good the predictions are.
    pub measures: Measures,
    /// How much there is to read; none for a model that is no rule ensemble.
    pub rules: Option<RuleMeasures>,
    /// How good it is to know nothing but the training target, on the same rows.
    pub baseline: Measures,
    /// How long the fit took.
    pub fit_seconds: f64,
}

impl Assessment {
    /// One of the measures; none if there is no such for the task or the model.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::FitSeconds => Some(self.fit_seconds),
            _ => self.measures.get(measure).or_else(|| self.rules.as_ref()?.get(measure)),
        }
    }
}

/// Fits on one part of the rows and measures on the other.
pub fn assess(data: &Dataset, config: &Config, split: &Holdout, watch: &Watch) -> Result<Assessment> {
    Ok(assessed(data, config, split, watch)?.0)
}

/// The same, and the evaluation that a model file keeps.
pub fn assess_to_keep(
    data: &Dataset,
    config: &Config,
    split: &Holdout,
    watch: &Watch,
) -> Result<(Assessment, HeldOutEvaluation)> {
    let (assessment, model) = assessed(data, config, split, watch)?;
    let test = data.select(&split.test)?;
    let mut evaluation = evaluation(
        EvaluatedModel::SameOptions,
        &test.target,
        &model.predictions(&model.score(&test.table)?)?,
        &test.row_weights(),
        (&assessment.measures, &assessment.baseline),
        least_rows(config),
    );
    evaluation.divided_by = divided_by(data);
    Ok((assessment, evaluation))
}

fn assessed(data: &Dataset, config: &Config, split: &Holdout, watch: &Watch) -> Result<(Assessment, Model)> {
    let train = data.select(&split.train)?;
    let start = Instant::now();
    let fitted = fit(&train, config, watch)?;
    let fit_seconds = start.elapsed().as_secs_f64();
    let test = data.select(&split.test)?;
    let (measures, rules) = measure_all(&fitted.model, &test)?;
    let baseline = Baseline::of(&train.target.values, &train.row_weights())?
        .measure(&test.target.values, &test.row_weights())?;
    Ok((Assessment { measures, rules: Some(rules), baseline, fit_seconds }, fitted.model))
}

/// The same for trees as they are, which predict but give no rules to read.
pub fn assess_trees(
    data: &Dataset,
    config: &Config,
    generator: TreeGenerator,
    split: &Holdout,
    watch: &Watch,
) -> Result<Assessment> {
    let (train, test) = (data.select(&split.train)?, data.select(&split.test)?);
    let config = config.completed(train.target.task(), train.effective_rows());
    let settings = config.check(train.table.schema(), &train.target)?;
    let start = Instant::now();
    train.check_sizes()?;
    let training = Training::of(&train, &config);
    let trees = TreeModel::grow(&training, &baseline_forest(generator, &settings), watch);
    let fit_seconds = start.elapsed().as_secs_f64();
    let predictions = trees.predict(&test.table, None)?;
    let measures = Measures::of(&test.target.values, &predictions, &test.row_weights())?;
    let baseline = Baseline::of(&train.target.values, &train.row_weights())?
        .measure(&test.target.values, &test.row_weights())?;
    Ok(Assessment { measures, rules: None, baseline, fit_seconds })
}

/// What a stored model still knows of its training target.
pub fn baseline_of(model: &Model) -> Baseline {
    let training = &model.file().training;
    match training.scale {
        Some(scale) => Baseline::Mean(scale.mean),
        None => Baseline::Shares(training.class_shares.clone()),
    }
}
