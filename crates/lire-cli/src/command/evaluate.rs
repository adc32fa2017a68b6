//! `lire evaluate`: how good models of a table are on rows that they were not fitted on.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use lire::Config;
use lire::evaluate::{Assessment, Evaluation, assess, baseline_of};
use lire::fit::measure_all;
use lire::measure::Measure;
use lire::split::{Division, Holdout};
use lire::table::{Dataset, EvaluationOptions, Target, TargetValues};
use serde::Serialize;

use super::inputs::{TrainingData, read_measured, read_model};
use crate::args::{EvaluateArgs, Format};
use crate::console::{Console, Look, Style};
use crate::exit::Failure;
use crate::progress::Activity;
use crate::render::confusion::confusion_table;
use crate::render::format::json;
use crate::render::measures::{Compared, as_csv, as_markdown, full_table, name, quantity};
use crate::render::numbers::{count, percent, seconds};
use crate::render::reliability::reliability_table;
use crate::render::visible::visible;

/// The share of rows to measure on if nothing was said.
const HOLDOUT_SHARE: f64 = 0.2;
/// The options of a fit that say something of rows to measure a given model on.
const OF_MEASUREMENT: [&str; 5] = ["target", "weight_column", "missing", "drop_missing_target", "threshold"];
/// From this share of the rows on copies are worth a word.
const COMMON_COPIES: f64 = 0.1;

/// Runs the command.
pub fn run(args: &EvaluateArgs, console: &Console) -> Result<(), Failure> {
    match &args.model {
        Some(model) => {
            let config = args.fit.config()?;
            args.fit.check_each(&config, |option| {
                let message = "with --model nothing is fitted; leave it out";
                let is_used = OF_MEASUREMENT.contains(&option);
                if is_used { Ok(()) } else { Err(lire::Error::config(option, message)) }
            })?;
            measure_model(model, args, &config, console)
        }
        None => measure_fits(args, &args.fit.effective()?, console),
    }
}

/// Measures fits on one split, or on as many as there are folds.
fn measure_fits(args: &EvaluateArgs, config: &Config, console: &Console) -> Result<(), Failure> {
    let TrainingData { data, .. } = TrainingData::read(&args.data, config, console)?;
    let division = Division::of(&data)?;
    let splits = splits(args, config, &data, &division, console)?;
    let mut assessments = Vec::new();
    for (index, split) in splits.iter().enumerate() {
        let what = if splits.len() == 1 {
            "fitting".to_owned()
        } else {
            format!("fold {} of {}", index + 1, splits.len())
        };
        let activity = Activity::start(console, what.clone());
        let deadline = config.time_limit.map(|limit| Instant::now() + Duration::from_secs_f64(limit));
        let assessment = activity.watch(deadline, |watch| assess(&data, config, split, watch))?;
        drop(activity);
        console.detail(&format!("{what}: {}", in_short(&assessment)));
        assessments.push(assessment);
    }
    let measured = if let Some(folds) = args.folds {
        format!("{folds}-fold cross-validation of {}", count(data.n_rows(), "row"))
    } else {
        let test = splits.first().map_or(0, |split| split.test.len());
        format!("measured on {} that the fit did not see, of {}", count(test, "row"), data.n_rows())
    };
    let measured = format!("{measured}{}", about_copies(&division, data.n_rows()));
    let compared = Compared::of(&assessments)?;
    Report { measured, compared, target: &data.target, folds: args.folds, assessments }.print(console)
}

/// What was measured in a few words: `12 rules, accuracy 0.8525, 1.20 s`.
fn in_short(assessment: &Assessment) -> String {
    let rules = assessment.rules.as_ref().map(|rules| count(rules.support, "rule"));
    let quality = assessment.measures.kinds().iter().find_map(|&kind| {
        let name = name(kind).split([',', '(']).next().unwrap_or_default().trim();
        Some(format!("{name} {:.4}", assessment.get(kind)?))
    });
    let parts = [rules, quality, Some(seconds(assessment.fit_seconds))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn splits(
    args: &EvaluateArgs,
    config: &Config,
    data: &Dataset,
    division: &Division,
    console: &Console,
) -> Result<Vec<Holdout>, Failure> {
    let Some(n_folds) = args.folds else {
        let share = args.holdout.unwrap_or(HOLDOUT_SHARE);
        return Ok(vec![division.holdout(share, config.seed)?]);
    };
    fold_splits(division, n_folds, config.seed, &data.target.values, console)
}

/// Folds for measuring: refuses a class that cannot be on both sides, and warns of one that is not in every fold.
pub fn fold_splits(
    division: &Division,
    n_folds: usize,
    seed: u64,
    target: &TargetValues,
    console: &Console,
) -> Result<Vec<Holdout>, Failure> {
    let splits = division.folds(n_folds, seed)?;
    if let (Some(smallest), TargetValues::Classes(of)) = (division.smallest_class(), target) {
        let class = &of.classes[smallest.label as usize];
        if smallest.n_different < 2 {
            let what = if smallest.n_rows == 1 { "a single row" } else { "only copies of a single row" };
            let message = format!(
                "class `{class}` has {what}, which cannot be both learned from and measured on; add rows of it, or \
                 leave it out"
            );
            return Err(lire::Error::data("folds", message).into());
        }
        if smallest.n_different < n_folds {
            console.warning(&format!(
                "class `{class}` has {} for {n_folds} folds; some folds have none of it, and AUC leaves them out",
                count(smallest.n_different, "different row")
            ));
        }
    }
    Ok(splits)
}

/// What is worth knowing of copies where there are many, to append to what was measured.
pub fn about_copies(division: &Division, n_rows: usize) -> String {
    let copied = division.n_with_copies();
    if (copied as f64) < COMMON_COPIES * n_rows as f64 {
        return String::new();
    }
    format!("; {} share their features with another row, and such rows stay together", count(copied, "row"))
}

/// Measures a given model on all rows.
fn measure_model(
    path: &Path,
    args: &EvaluateArgs,
    config: &Config,
    console: &Console,
) -> Result<(), Failure> {
    let mut model = read_model(path, console)?;
    if config.meaning.threshold.is_some() {
        model = model.with_threshold(config.meaning.threshold)?;
    }
    let file = model.file();
    let target =
        if config.data.target.is_empty() { file.target.name.clone() } else { config.data.target.clone() };
    let missing =
        if config.data.missing.is_empty() { file.config.missing() } else { config.data.missing.clone() };
    let options = EvaluationOptions {
        target,
        classes: file.target.classes.clone(),
        weight_column: config.data.weight_column.clone(),
        drop_missing_target: config.data.drop_missing_target,
        missing,
    };
    let data = read_measured(&args.data, &model, &options, console)?;
    let (measures, rules) = measure_all(&model, &data)?;
    let baseline = baseline_of(&model).measure(&data.target.values, &data.row_weights())?;
    let assessments = vec![Assessment { measures, rules: Some(rules), baseline, fit_seconds: 0.0 }];
    let Compared { model, baseline } = Compared::of(&assessments)?;
    let compared = Compared { model: model.without(Measure::FitSeconds), baseline };
    let measured = format!("{} on {}", path.display(), count(data.n_rows(), "row"));
    Report { measured, compared, target: &data.target, folds: None, assessments }.print(console)
}

/// All that was measured.
struct Report<'a> {
    /// What on, in words.
    measured: String,
    compared: Compared,
    target: &'a Target,
    folds: Option<usize>,
    assessments: Vec<Assessment>,
}

/// The report for programs.
#[derive(Serialize)]
struct ReportData<'a> {
    #[serde(flatten)]
    model: &'a Evaluation,
    /// The baseline of classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    majority_class: Option<&'a Evaluation>,
    /// The baseline of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    training_mean: Option<&'a Evaluation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    negative: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    classes: &'a [String],
    n_rows: usize,
    folds: Option<usize>,
    splits: &'a [Assessment],
}

impl Report<'_> {
    fn print(&self, console: &Console) -> Result<(), Failure> {
        match console.format_or(Format::Table) {
            Format::Table => console.print(&self.text(console.look)),
            Format::Json => console.print(&json(&self.data())?),
            Format::Csv => console.print(&as_csv(&self.compared)),
            Format::Markdown => console.print(&as_markdown(&self.compared)),
        }
    }

    fn text(&self, look: Look) -> String {
        let headline = look.paint(&self.headline(), Style::Strong);
        let measured = look.paint(&visible(&self.measured), Style::Faint);
        let mut text = format!("{headline}\n{measured}\n\n{}", full_table(&self.compared, look));
        if let Some(confusion) = &self.compared.model.confusion {
            text.push('\n');
            text.push_str(&confusion_table(confusion, look));
        }
        if let Some(reliability) = &self.compared.model.reliability {
            let class =
                if let [_, positive] = self.target.classes() { positive } else { "the predicted class" };
            let title = look.paint("Whether probabilities mean what they say", Style::Strong);
            let _ = write!(text, "\n{title}\n\n{}", reliability_table(reliability, class, look));
        }
        text
    }

    /// The one thing to know.
    fn headline(&self) -> String {
        let mean = |measure| self.compared.model.get(measure).map(|summary| summary.mean);
        if let Some(accuracy) = mean(Measure::Accuracy) {
            return format!("{} of the labels are right", percent(accuracy));
        }
        let error = mean(Measure::Mae).unwrap_or_default();
        let off = format!("Predictions are off by {} on average", quantity(error, error));
        match mean(Measure::R2) {
            Some(r2) if r2 > 0.0 => format!("{off} and explain {} of the variance", percent(r2)),
            Some(_) => format!("{off}, which is no better than the mean of the rows"),
            None => off,
        }
    }

    fn data(&self) -> ReportData<'_> {
        let Compared { model, baseline } = &self.compared;
        let classes = self.target.classes();
        let pair = if let [negative, positive] = classes { Some((negative, positive)) } else { None };
        ReportData {
            model,
            majority_class: (!classes.is_empty()).then_some(baseline),
            training_mean: classes.is_empty().then_some(baseline),
            positive: pair.map(|(_, positive)| positive.as_str()),
            negative: pair.map(|(negative, _)| negative.as_str()),
            classes,
            n_rows: match &self.target.values {
                TargetValues::Classes(of) => of.labels.len(),
                TargetValues::Numbers(values) => values.len(),
            },
            folds: self.folds,
            splits: &self.assessments,
        }
    }
}

#[cfg(test)]
mod tests;
