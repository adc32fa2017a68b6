//! `lire evaluate`: how good models of a table are on rows that they were not fitted on.

use std::path::Path;
use std::time::{Duration, Instant};

use lire::Config;
use lire::assess::{Assessment, assess, majority_class, measure_all};
use lire::evaluate::{Holdout, stratified_folds, stratified_holdout};
use lire::evaluation::Evaluation;
use lire::table::{Dataset, EvaluationOptions};
use serde::Serialize;

use super::inputs::{TrainingData, read_measured, read_model};
use crate::args::{EvaluateArgs, Format};
use crate::console::{Console, Style};
use crate::exit::Failure;
use crate::progress::Activity;
use crate::render::format::json;
use crate::render::measures::{Compared, as_csv, as_markdown, confusion_table, full_table};
use crate::render::numbers::{count, percent, seconds};

/// The share of rows to measure on if nothing was said.
const HOLDOUT_SHARE: f64 = 0.2;

/// Runs the command.
pub fn run(args: &EvaluateArgs, console: &Console) -> Result<(), Failure> {
    let config = args.fit.effective()?;
    match &args.model {
        Some(model) => measure_model(model, args, &config, console),
        None => measure_fits(args, &config, console),
    }
}

/// Measures fits on one split, or on as many as there are folds.
fn measure_fits(args: &EvaluateArgs, config: &Config, console: &Console) -> Result<(), Failure> {
    let TrainingData { data, .. } = TrainingData::read(&args.data, config, console)?;
    let splits = splits(args, config, &data, console)?;
    let mut assessments = Vec::new();
    for (index, split) in splits.iter().enumerate() {
        let what = if splits.len() == 1 {
            "fitting".to_owned()
        } else {
            format!("fold {} of {}", index + 1, splits.len())
        };
        let activity = Activity::start(console, what.clone());
        let deadline = config.time_limit.map(|limit| Instant::now() + Duration::from_secs_f64(limit));
        assessments.push(activity.watch(deadline, |watch| assess(&data, config, split, watch))?);
        drop(activity);
        if let Some(last) = assessments.last() {
            let (rules, time) = (count(last.rules.support, "rule"), seconds(last.fit_seconds));
            console.detail(&format!("{what}: {rules}, accuracy {:.4}, {time}", last.measures.accuracy));
        }
    }
    let measured = if let Some(folds) = args.folds {
        format!("{folds}-fold cross-validation of {}", count(data.n_rows(), "row"))
    } else {
        let test = splits.first().map_or(0, |split| split.test.len());
        format!("measured on {} that the fit did not see, of {}", count(test, "row"), data.n_rows())
    };
    let report = Report {
        measured,
        compared: Compared {
            model: Evaluation::of(&assessments),
            majority: Evaluation::of_majority(&assessments),
        },
        classes: data.target.classes().to_vec(),
        n_rows: data.n_rows(),
        folds: args.folds,
        assessments,
    };
    report.print(console)
}

fn splits(
    args: &EvaluateArgs,
    config: &Config,
    data: &Dataset,
    console: &Console,
) -> Result<Vec<Holdout>, Failure> {
    let labels = &data.target.positives();
    let Some(folds) = args.folds else {
        let share = args.holdout.unwrap_or(HOLDOUT_SHARE);
        return Ok(vec![stratified_holdout(labels, share, config.seed)?]);
    };
    let folds = stratified_folds(labels, folds)?;
    if folds.smallest_class < folds.n_folds {
        console.warning(&format!(
            "the smaller class has {} for {} folds; some folds have none of it, and AUC leaves them out",
            count(folds.smallest_class, "row"),
            folds.n_folds
        ));
    }
    Ok(folds.splits().collect())
}

/// Measures a given model on all rows.
fn measure_model(
    path: &Path,
    args: &EvaluateArgs,
    config: &Config,
    console: &Console,
) -> Result<(), Failure> {
    let model = read_model(path)?;
    let file = model.file();
    let target = if config.target.is_empty() { file.target.name.clone() } else { config.target.clone() };
    let options = EvaluationOptions {
        target,
        classes: vec![file.target.negative.clone(), file.target.positive.clone()],
        weight_column: config.weight_column.clone(),
        drop_missing_target: config.drop_missing_target,
        missing: args.fit.missing().unwrap_or_else(|| file.config.missing.clone()),
    };
    let data = read_measured(&args.data, &model, &options, console)?;
    let (measures, rules) = measure_all(&model, &data)?;
    let majority = majority_class(file.training.positive_share, &data)?;
    let assessments = vec![Assessment { measures, rules, majority, fit_seconds: 0.0 }];
    let evaluation = Evaluation { fit_seconds: None, ..Evaluation::of(&assessments) };
    let report = Report {
        measured: format!("{} on {}", path.display(), count(data.n_rows(), "row")),
        compared: Compared { model: evaluation, majority: Evaluation::of_majority(&assessments) },
        classes: data.target.classes().to_vec(),
        n_rows: data.n_rows(),
        folds: None,
        assessments,
    };
    report.print(console)
}

/// All that was measured.
struct Report {
    /// What on, in words.
    measured: String,
    compared: Compared,
    classes: Vec<String>,
    n_rows: usize,
    folds: Option<usize>,
    assessments: Vec<Assessment>,
}

/// The report for programs.
#[derive(Serialize)]
struct ReportData<'a> {
    #[serde(flatten)]
    model: &'a Evaluation,
    majority_class: &'a Evaluation,
    positive: &'a str,
    negative: &'a str,
    n_rows: usize,
    folds: Option<usize>,
    splits: &'a [Assessment],
}

impl Report {
    fn print(&self, console: &Console) -> Result<(), Failure> {
        match console.format_or(Format::Table) {
            Format::Table => console.print(&self.text(console)),
            Format::Json => console.print(&json(&self.data())?),
            Format::Csv => console.print(&as_csv(&self.compared)),
            Format::Markdown => console.print(&as_markdown(&self.compared)),
        }
    }

    fn text(&self, console: &Console) -> String {
        let look = console.look;
        let [negative, positive] = [&self.classes[0], &self.classes[1]];
        let accuracy = self.compared.model.accuracy.map_or(0.0, |summary| summary.mean);
        let headline = look.paint(&format!("{} of the labels are right", percent(accuracy)), Style::Strong);
        let measured = look.paint(&self.measured, Style::Faint);
        let table = full_table(&self.compared, look);
        let confusion = confusion_table(&self.compared.model.confusion, negative, positive, look);
        format!("{headline}\n{measured}\n\n{table}\n{confusion}")
    }

    fn data(&self) -> ReportData<'_> {
        ReportData {
            model: &self.compared.model,
            majority_class: &self.compared.majority,
            positive: &self.classes[1],
            negative: &self.classes[0],
            n_rows: self.n_rows,
            folds: self.folds,
            splits: &self.assessments,
        }
    }
}
