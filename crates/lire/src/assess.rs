//! Honest measures: fits on some rows, measures on others.

use std::time::Instant;

use serde::Serialize;

use crate::config::Config;
use crate::error::Result;
use crate::evaluate::{Holdout, Measures, Predictions, RuleMeasures};
use crate::fit::{fit, measure};
use crate::model::Model;
use crate::table::Dataset;
use crate::watch::Watch;

/// What a model is worth on rows that it was not fitted on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assessment {
    /// How good the predictions are.
    pub measures: Measures,
    /// How much there is to read.
    pub rules: RuleMeasures,
    /// How good it is to know nothing but the classes' shares, on the same rows.
    pub majority: Measures,
    /// How long the fit took.
    pub fit_seconds: f64,
}

/// Fits on one part of the rows and measures on the other.
pub fn assess(data: &Dataset, config: &Config, split: &Holdout, watch: &Watch) -> Result<Assessment> {
    let train = data.select(&split.train);
    let start = Instant::now();
    let fitted = fit(&train, config, watch)?;
    let fit_seconds = start.elapsed().as_secs_f64();
    let test = data.select(&split.test);
    let (measures, rules) = measure_all(&fitted.model, &test)?;
    let majority = majority_class(fitted.model.file().training.positive_share, &test)?;
    Ok(Assessment { measures, rules, majority, fit_seconds })
}

/// How good a given model is on some rows, and how much there is to read.
pub fn measure_all(model: &Model, data: &Dataset) -> Result<(Measures, RuleMeasures)> {
    let measures = measure(model, data)?;
    let coverage: Vec<Vec<u64>> = model.rules().iter().map(|rule| rule.cover(&data.table)).collect();
    Ok((measures, RuleMeasures::of(&coverage, &data.row_weights())))
}

/// How good it is to give every row the more frequent class and the probability of the share of positive rows.
pub fn majority_class(positive_share: f64, data: &Dataset) -> Result<Measures> {
    let n_rows = data.n_rows();
    Measures::of(&Predictions {
        labels: &data.target.positives(),
        scores: &vec![positive_share; n_rows],
        probabilities: &vec![positive_share; n_rows],
        predicted: &vec![positive_share > 0.5; n_rows],
        weights: &data.row_weights(),
    })
}
