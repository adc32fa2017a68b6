//! The whole way from a table to a model, one line a stage.

use crate::assemble::assemble;
use crate::config::{CalibrationKind, Config, Learner};
use crate::error::{Error, Result};
use crate::measure::{Measures, RuleMeasures};
use crate::methods::lire::selection::Selection;
use crate::methods::{
    self, Learned, MethodInput, RuleSource, Timings, Training, learn_sampled, rows_of_choice,
    validation_splits,
};
use crate::model::{Calibration, Model};
use crate::record::record;
use crate::rules::all_rows;
use crate::side_by_side::side_by_side;
use crate::solver::StopReason;
use crate::split::{Holdout, Splits};
use crate::table::{Dataset, TargetValues};
use crate::watch::{Stop, Watch};

/// A model with what is worth knowing of how it came about.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// The options that it was made with, prices and defaults filled in.
    pub config: Config,
    /// Steps of the search, over all outputs.
    pub n_moves: usize,
    /// The models that it was chosen from, if it was.
    pub selection: Option<Selection>,
    /// How many rows its prices were chosen on, if that were not all.
    pub sampled_rows: Option<usize>,
    /// How long the stages took.
    pub timings: Timings,
}

/// What a fit otherwise finds by itself.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// The splits of the rows that models are compared on.
    pub splits: Option<Vec<Holdout>>,
    /// Where candidate rules come from.
    pub source: RuleSource,
}

/// Learns a rule ensemble.
pub fn fit(data: &Dataset, config: &Config, watch: &Watch) -> Result<Fit> {
    fit_with(data, config, &Given::default(), watch)
}

/// The splits that a fit would learn anew on, to compare models or to correct probabilities; none if it does neither.
/// It is one round of them: whoever asks has trees of another library to grow on each.
pub fn splits_of(data: &Dataset, config: &Config) -> Result<Option<Vec<Holdout>>> {
    check_data(data)?;
    let config = config.completed(data.target.task(), data.effective_rows());
    config.check(data.table.schema(), &data.target)?;
    if !needs_splits(&config) {
        return Ok(None);
    }
    Ok(Some(validation_splits(data, &config)?.first_round().to_vec()))
}

/// Fails unless there are rows to learn from, whose features, truth and weights belong together.
fn check_data(data: &Dataset) -> Result<()> {
    data.check_sizes()?;
    if data.row_weights().iter().all(|&weight| weight == 0.0) {
        return Err(Error::data("table", "there are no rows with a weight; nothing can be learned"));
    }
    Ok(())
}

fn needs_splits(config: &Config) -> bool {
    config.compares() || config.meaning.calibrate.is_some()
}

/// Learns a rule ensemble, with something given.
pub fn fit_with(data: &Dataset, config: &Config, given: &Given, watch: &Watch) -> Result<Fit> {
    check_data(data)?;
    given.check(data)?;
    let asked = config;
    let config = config.completed(data.target.task(), data.effective_rows());
    let settings = config.check(data.table.schema(), &data.target)?;
    given.check_used(&config)?;
    let training = Training::of(data, &config);

    let source = &given.source;
    let part = if given.splits.is_none() { rows_of_choice(data, &config)? } else { None };
    let splits = match &given.splits {
        Some(splits) => Splits::once(splits.clone()),
        None if config.meaning.calibrate.is_some() => validation_splits(data, &config)?,
        None if config.compares() && part.is_none() => validation_splits(data, &config)?,
        None => Splits::default(),
    };
    let input =
        MethodInput { data, training: &training, settings: &settings, source, splits: &splits, watch };
    let learned = match &part {
        Some(part) => learn_sampled(input, part, &config)?,
        None => methods::learn(input)?,
    };
    if interrupted(&learned, watch) {
        return Err(Error::Interrupted);
    }
    let config = config.with(|config| {
        config.objective.gamma = learned.gamma;
        config.objective.lambda = learned.lambda;
    });
    let mut model = assemble(data, &config, &training, &learned)?;
    if let Some(kind) = config.meaning.calibrate {
        model = calibrated(model, &config, data, kind, source, splits.first_round(), watch)?;
    }
    let model = with_measures(model, data, source)?;
    let model = record(model, data, (asked, &config), learned.selection.as_ref())?;
    model.check_monotone(&settings.monotone)?;
    let n_moves = learned.outputs.iter().map(|output| output.n_moves).sum();
    let Learned { selection, sampled_rows, timings, .. } = learned;
    Ok(Fit { model, config, n_moves, selection, sampled_rows, timings })
}

impl Given {
    /// Splits are of rows that there are, rules are on these columns, and rules of splits need these splits.
    fn check(&self, data: &Dataset) -> Result<()> {
        for (place, split) in self.splits.iter().flatten().enumerate() {
            split
                .check(data.n_rows())
                .map_err(|error| Error::config("splits", format!("split {}: {error}", place + 1)))?;
        }
        let RuleSource::Given(given) = &self.source else { return Ok(()) };
        given.check(data.table.schema())?;
        let n_splits = self.splits.as_ref().map_or(0, Vec::len);
        if given.of_splits.is_empty() || given.of_splits.len() == n_splits {
            return Ok(());
        }
        let message =
            format!("rules are given for {} splits, but there are {n_splits}", given.of_splits.len());
        Err(Error::config("splits", message))
    }

    /// Refuses what would have no effect: options of trees beside given ones, and splits where nothing is compared.
    fn check_used(&self, config: &Config) -> Result<()> {
        if let RuleSource::Given(_) = self.source {
            config.check_nothing_grown()?;
        }
        if self.splits.is_some() {
            config.check_option("cv", Learner::Rules(config.method))?;
        }
        Ok(())
    }
}

fn interrupted(learned: &Learned, watch: &Watch) -> bool {
    let stopped = |reason| learned.outputs.iter().any(|output| output.stop_reason == reason);
    watch.stop() == Some(Stop::Interrupted) && stopped(StopReason::Interrupted)
}

/// Corrects the probabilities by the scores that models of the same options give to rows left out.
fn calibrated(
    model: Model,
    config: &Config,
    data: &Dataset,
    kind: CalibrationKind,
    source: &RuleSource,
    splits: &[Holdout],
    watch: &Watch,
) -> Result<Model> {
    let TargetValues::Classes(of) = &data.target.values else { return Ok(model) };
    if splits.is_empty() {
        let message = if data.relations.is_empty() {
            "too few rows differ in their features to leave some out; add rows, lower cv, or leave it out"
        } else {
            "no rows can be left out of a fit, given their groups or times; add groups or times, or leave it out"
        };
        return Err(Error::config("calibrate", message));
    }
    let plain = config.clone().with(|config| config.meaning.calibrate = None).settled();
    // A time limit that cut these models short would leave scores that say nothing of the model's own.
    let watch = Watch { deadline: None, enough: None, ..watch.silent() };
    let of_split = |place: usize| -> Result<Vec<(usize, Vec<f64>)>> {
        let split = &splits[place];
        let given = Given { splits: None, source: source.for_split(place) };
        let fitted = fit_with(&data.select(&split.train)?, &plain, &given, &watch)?;
        let scored = fitted.model.score(&data.table.select(&split.test)?)?;
        Ok(split.test.iter().zip(scored.rows()).map(|(&row, scores)| (row, scores.to_vec())).collect())
    };
    let scored: Vec<Vec<(usize, Vec<f64>)>> =
        side_by_side(splits.len(), of_split).into_iter().collect::<Result<_>>()?;
    // How far Platt's targets are drawn in follows the number of rows.
    let weights = data.weights_in_rows();
    let calibration = |(output, class): (usize, u32)| {
        let of_row =
            |(row, scores): &(usize, Vec<f64>)| (scores[output], of.labels[*row] == class, weights[*row]);
        let rows: Vec<(f64, bool, f64)> = scored.iter().flatten().map(of_row).collect();
        match kind {
            CalibrationKind::Platt => Calibration::platt(&rows),
            CalibrationKind::Isotonic => Calibration::isotonic(&rows),
        }
    };
    model.with_calibrations(of.outputs().enumerate().map(calibration).collect())
}

/// Adds what the model is worth on its training rows, and whose trees they were.
fn with_measures(model: Model, data: &Dataset, source: &RuleSource) -> Result<Model> {
    let (measures, sizes) = measure(&model, data, sizes)?;
    model.with_training(|training| {
        training.trees_from = source.origin().map(str::to_owned);
        training.accuracy = measures.classes().map(|measures| measures.accuracy);
        training.auc = measures.classes().and_then(|measures| measures.auc);
        training.r2 = measures.numbers().and_then(|measures| measures.r2);
        training.local_support_mean = sizes.local_support_mean;
        training.local_support_max = sizes.local_support_max;
    })
}

/// How good a model is on some rows, and how much there is to read. A linear term is part of every explanation.
pub fn measure_all(model: &Model, data: &Dataset) -> Result<(Measures, RuleMeasures)> {
    measure(model, data, |coverage, outputs, of_row, weights| {
        RuleMeasures::of_outputs(coverage, outputs, of_row, weights)
    })
}

/// Measures of an ensemble by what its rules cover, their weights in each output, the output that each row's prediction
/// rests on, and the weights of the rows.
type MeasureRules = fn(&[Vec<u64>], &[&[f64]], &[u32], &[f64]) -> Result<RuleMeasures>;

/// The measures of rules without the one that takes longest.
fn sizes(coverage: &[Vec<u64>], outputs: &[&[f64]], of_row: &[u32], weights: &[f64]) -> Result<RuleMeasures> {
    Ok(RuleMeasures::sizes(coverage, outputs, of_row, weights)?.0)
}

fn measure(model: &Model, data: &Dataset, of_rules: MeasureRules) -> Result<(Measures, RuleMeasures)> {
    let weights = data.row_weights();
    data.check()?;
    let table = data.table.aligned(model.schema())?;
    let predictions = model.predictions(&model.score(&table)?)?;
    let measures = Measures::of(&data.target.values, &predictions, &weights)?;
    let rules = model.rules().iter().map(|rule| rule.cover(&table));
    let linear = model.linear().iter().map(|_| Ok(all_rows(data.n_rows())));
    let coverage: Vec<Vec<u64>> = rules.chain(linear).collect::<Result<_>>()?;
    let outputs: Vec<&[f64]> = model.file().outputs.iter().map(|output| &output.weights[..]).collect();
    Ok((measures, of_rules(&coverage, &outputs, &predictions.outputs(), &weights)?))
}
