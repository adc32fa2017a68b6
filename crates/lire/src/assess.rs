//! Honest measures: fits on some rows, measures on others.

use std::time::Instant;

use serde::Serialize;

use crate::config::Config;
use crate::error::Result;
use crate::evaluate::{Baseline, Holdout, Measure, Measures, RuleMeasures};
use crate::fit::{fit, predictions};
use crate::model::Model;
use crate::table::Dataset;
use crate::watch::Watch;

/// What a model is worth on rows that it was not fitted on.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    let train = data.select(&split.train);
    let start = Instant::now();
    let fitted = fit(&train, config, watch)?;
    let fit_seconds = start.elapsed().as_secs_f64();
    let test = data.select(&split.test);
    let (measures, rules) = measure_all(&fitted.model, &test)?;
    let baseline = Baseline::of(&train.target.values, &train.row_weights())
        .measure(&test.target.values, &test.row_weights())?;
    Ok(Assessment { measures, rules: Some(rules), baseline, fit_seconds })
}

/// How good a given model is on some rows, and how much there is to read.
pub fn measure_all(model: &Model, data: &Dataset) -> Result<(Measures, RuleMeasures)> {
    let weights = data.row_weights();
    let predictions = predictions(model, &data.table);
    let measures = Measures::of(&data.target.values, &predictions, &weights)?;
    let coverage: Vec<Vec<u64>> = model.rules().iter().map(|rule| rule.cover(&data.table)).collect();
    let outputs: Vec<&[f64]> = model.file().outputs.iter().map(|output| &output.weights[..]).collect();
    Ok((measures, RuleMeasures::of_outputs(&coverage, &outputs, &predictions.outputs(), &weights)))
}

/// What a stored model still knows of its training target.
pub fn baseline_of(model: &Model) -> Baseline {
    let positive = model.file().training.positive_share;
    Baseline::Shares(vec![1.0 - positive, positive])
}
