//! The whole way from a table to a model, one line a stage.

use crate::assemble::assemble;
use crate::config::{Config, Method};
use crate::error::{Error, Result};
use crate::evaluate::{ClassPredictions, Holdout, Measures, Predictions, RuleMeasures};
use crate::methods::{GrownCandidates, Learned, Timings, Training, glrm, lire, rulefit};
use crate::model::{Model, Scores};
use crate::rules::all_rows;
use crate::solver::StopReason;
use crate::table::{Dataset, Task};
use crate::watch::{Stop, Watch};

/// A model with what is worth knowing of how it came about.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// Steps of the search, over all outputs.
    pub n_moves: usize,
    /// How long the stages took.
    pub timings: Timings,
}

/// Learns a rule ensemble.
pub fn fit(data: &Dataset, config: &Config, watch: &Watch) -> Result<Fit> {
    fit_with_splits(data, config, None, watch)
}

/// The same, with the splits of the rows given that the cross-validation of `rulefit` goes by.
pub fn fit_with_splits(
    data: &Dataset,
    config: &Config,
    splits: Option<&[Holdout]>,
    watch: &Watch,
) -> Result<Fit> {
    let config = config.completed(data.target.task(), data.effective_rows());
    let settings = config.check(data.table.schema(), &data.target)?;
    let training = Training::of(data, &config);

    let candidates = || GrownCandidates::grow(&training, &settings, watch);
    let (learned, config) = match config.method {
        Method::Lire => (lire::choose(candidates(), &settings, watch), config),
        Method::Rulefit => rulefit::choose(candidates(), &training, &settings, config, splits, watch),
        Method::Glrm => (glrm::learn(&training, &settings, &config, watch), config),
    };

    if interrupted(&learned, watch) {
        return Err(Error::Interrupted);
    }
    let model = assemble(data, &config, &training, &learned)?;
    let model = with_measures(model, data)?;
    model.check_monotone(&settings.monotone)?;
    let n_moves = learned.outputs.iter().map(|output| output.n_moves).sum();
    Ok(Fit { model, n_moves, timings: learned.timings })
}

fn interrupted(learned: &Learned, watch: &Watch) -> bool {
    let stopped = |reason| learned.outputs.iter().any(|output| output.stop_reason == reason);
    watch.stop() == Some(Stop::Interrupted) && stopped(StopReason::Interrupted)
}

/// Adds what the model is worth on its training rows.
fn with_measures(model: Model, data: &Dataset) -> Result<Model> {
    let (measures, sizes) = measure_all(&model, data)?;
    Ok(model.with_training(|training| {
        training.accuracy = measures.classes().map(|measures| measures.accuracy);
        training.auc = measures.classes().and_then(|measures| measures.auc);
        training.r2 = measures.numbers().and_then(|measures| measures.r2);
        training.local_support_mean = sizes.local_support_mean;
        training.local_support_max = sizes.local_support_max;
    }))
}

/// What a model predicts, from its scores.
pub fn predictions(model: &Model, scored: &Scores) -> Predictions {
    if model.task() == Task::Regression {
        return Predictions::Numbers(scored.scores.clone());
    }
    let n_outputs = scored.n_outputs;
    let mut said = ClassPredictions {
        scores: vec![Vec::with_capacity(scored.n_rows()); n_outputs],
        probabilities: vec![Vec::with_capacity(scored.n_rows()); n_outputs],
        labels: Vec::with_capacity(scored.n_rows()),
    };
    for scores in (0..scored.n_rows()).map(|row| scored.of_row(row)) {
        let Some(decision) = model.decide(scores) else { continue };
        // Of two classes the one output is that of the second.
        let first = decision.probabilities.len() - n_outputs;
        for (output, &score) in scores.iter().enumerate() {
            let probability = decision.probabilities[first + output];
            // Among several classes only probabilities tell how a class stands to the others.
            said.scores[output].push(if n_outputs == 1 { score } else { probability });
            said.probabilities[output].push(probability);
        }
        said.labels.push(decision.class as u32);
    }
    Predictions::Classes(said)
}

/// How good a model is on some rows, and how much there is to read. A linear term is part of every explanation.
pub fn measure_all(model: &Model, data: &Dataset) -> Result<(Measures, RuleMeasures)> {
    let weights = data.row_weights();
    let predictions = predictions(model, &model.score(&data.table));
    let measures = Measures::of(&data.target.values, &predictions, &weights)?;
    let rules = model.rules().iter().map(|rule| rule.cover(&data.table));
    let linear = model.linear().iter().map(|_| all_rows(data.n_rows()));
    let coverage: Vec<Vec<u64>> = rules.chain(linear).collect();
    let outputs: Vec<&[f64]> = model.file().outputs.iter().map(|output| &output.weights[..]).collect();
    Ok((measures, RuleMeasures::of_outputs(&coverage, &outputs, &predictions.outputs(), &weights)))
}
