//! `lire evaluate`: how good models of a table are on rows that they were not fitted on.

use std::path::Path;
use std::time::{Duration, Instant};

use lire::Config;
use lire::evaluate::{Assessment, Folds, assess, baseline_of, folds_to_measure};
use lire::fit::measure_all;
use lire::report::{EvaluationReport, Measured};
use lire::split::{Division, Holdout};
use lire::table::{Dataset, EvaluationOptions, TargetValues};

use super::inputs::{TrainingData, read_measured, read_model};
use crate::args::{EvaluateArgs, Format};
use crate::console::Console;
use crate::exit::Failure;
use crate::progress::Activity;
use crate::render::evaluation::{in_short, text};
use crate::render::format::json;
use crate::render::measures::{Compared, as_csv, as_markdown};

/// The share of rows to measure on if nothing was said.
const HOLDOUT_SHARE: f64 = 0.2;
/// The options of a fit that say something of rows to measure a given model on.
const OF_MEASUREMENT: [&str; 5] = ["target", "weight_column", "missing", "drop_missing_target", "threshold"];

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
    let measured = match args.folds {
        Some(_) => Measured::Folds { n_folds: splits.len() },
        None => Measured::Holdout { n_rows: splits.first().map_or(0, |split| split.test.len()) },
    };
    let report = EvaluationReport::of(&data.target, assessments, measured, Some(&division))?;
    print(&report, console)
}

fn print(report: &EvaluationReport, console: &Console) -> Result<(), Failure> {
    match console.format_or(Format::Table) {
        Format::Table => console.print(&text(report, console.look)),
        Format::Json => console.print(&json(report)?),
        Format::Csv => console.print(&as_csv(&Compared::of(report))),
        Format::Markdown => console.print(&as_markdown(&Compared::of(report))),
    }
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

/// Folds for measuring; warns of a class that is not in every fold.
pub fn fold_splits(
    division: &Division,
    n_folds: usize,
    seed: u64,
    target: &TargetValues,
    console: &Console,
) -> Result<Vec<Holdout>, Failure> {
    let Folds { splits, warning } = folds_to_measure(division, n_folds, seed, target)?;
    if let Some(warning) = warning {
        console.warning(&warning);
    }
    Ok(splits)
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
    let measured = Measured::AllRows { model: path.display().to_string() };
    // Nothing is divided, so nothing has to stay together.
    print(&EvaluationReport::of(&data.target, assessments, measured, None)?, console)
}
