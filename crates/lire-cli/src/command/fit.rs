//! `lire fit`: learns a model, measures it honestly, stores it, and shows what was learned.

use std::time::{Duration, Instant};

use lire::Config;
use lire::config::Method;
use lire::evaluate::{assess_to_keep, rows_to_check};
use lire::fit::{Fit, fit};
use lire::leaks::possible_leaks;
use lire::model::StopReason;
use lire::model::sections::HeldOutEvaluation;
use lire::no_rules::NoRules;
use lire::report::{FitReport, HeldOut};
use lire::split::Division;
use lire::table::Dataset;

use super::inputs::TrainingData;
use super::output::model_path;
use crate::args::{FitArgs, Format};
use crate::console::Console;
use crate::exit::Failure;
use crate::progress::Activity;
use crate::render::fit::{Next, text};
use crate::render::format::json;
use crate::render::numbers::seconds;
use crate::render::rules;

/// Runs the command.
pub fn run(args: &FitArgs, console: &Console) -> Result<(), Failure> {
    let config = args.fit.effective()?;
    let out = model_path(args.out.as_deref(), &args.data, args.force)?;
    let TrainingData { data, all_rows } = TrainingData::read(&args.data, &config, console)?;
    if data.table.schema().features.is_empty() {
        console.warning("there is no usable feature; the model will be an intercept only");
    }
    let limit = config.time_limit.map(Duration::from_secs_f64);
    let start = Instant::now();
    let until = |share: f64| limit.map(|limit| start + limit.mul_f64(share));
    let mut fitted = fit_all(&data, &config, until(if args.no_holdout { 1.0 } else { 0.5 }), console)?;
    fitted.model.write(&out)?;
    let settled = fitted.config.settled();
    let measured = if args.no_holdout { None } else { hold_out(&data, &settled, until(1.0), console)? };
    let held_out = match measured {
        None => None,
        Some((held_out, evaluation)) => {
            fitted.model = fitted.model.with_section(&evaluation)?;
            fitted.model.write(&out)?;
            Some(held_out)
        }
    };
    let place = out.display().to_string();
    let report = FitReport::of(&fitted, &data, held_out, &place, !all_rows)?;
    print(&report, args, console)
}

fn print(report: &FitReport, args: &FitArgs, console: &Console) -> Result<(), Failure> {
    match console.format_or(Format::Table) {
        Format::Table => {
            let data = args.data.to_string_lossy();
            let next = Next { data: (data != "-").then(|| data.into_owned()) };
            console.print(&text(report, Some(&next).filter(|_| !console.quiet), console.look)?)
        }
        Format::Json => console.print(&json(report)?),
        Format::Csv => console.print(&rules::as_csv(report.scores.all())),
        Format::Markdown => console.print(&rules::as_markdown(report.scores.all())),
    }
}

/// Fits on four fifths of the rows and measures on the rest, if there are enough.
fn hold_out(
    data: &Dataset,
    config: &Config,
    deadline: Option<Instant>,
    console: &Console,
) -> Result<Option<(HeldOut, HeldOutEvaluation)>, Failure> {
    let division = Division::of(data)?;
    let Some(split) = rows_to_check(&division, &data.target.values, config.seed) else {
        let lacking = match division.divided_by() {
            None => "there are too few rows to hold some out",
            Some(_) if division.is_forward() => {
                "there are too few rows of some class among the latest fifth of them, or before"
            }
            Some(_) => "there are too few groups to hold some out",
        };
        console.note(&format!("{lacking}; the model is not measured on rows that it has not seen"));
        return Ok(None);
    };
    let activity = Activity::start(console, "measuring on rows held out");
    let (assessment, evaluation) =
        activity.watch(deadline, |watch| assess_to_keep(data, config, &split, watch))?;
    drop(activity);
    console.detail(&format!("held-out check: fitted in {}", seconds(assessment.fit_seconds)));
    let held_out = HeldOut::of(split.test.len(), assessment, &division);
    Ok(Some((held_out, evaluation)))
}

/// Fits on all rows, and tells how it went.
pub fn fit_all(
    data: &Dataset,
    config: &Config,
    deadline: Option<Instant>,
    console: &Console,
) -> Result<Fit, Failure> {
    let activity = Activity::start(console, "fitting on all rows");
    let fitted = activity.watch(deadline, |watch| fit(data, config, watch))?;
    drop(activity);
    let (training, timings) = (&fitted.model.file().training, &fitted.timings);
    let in_seconds = |stage: Duration| seconds(stage.as_secs_f64());
    let comparison = (timings.comparison > Duration::ZERO)
        .then(|| format!("comparison on held-out rows {}, ", in_seconds(timings.comparison)));
    console.detail(&format!(
        "binning {}, trees {}, candidates {}, {}choice of rules {}",
        in_seconds(timings.binning),
        in_seconds(timings.forest),
        in_seconds(timings.candidates),
        comparison.unwrap_or_default(),
        in_seconds(timings.solver)
    ));
    if let Some(selection) = &fitted.selection {
        console.detail(&format!("chosen among {} models", selection.models.len()));
    }
    console.detail(&format!(
        "{} candidate rules, {} moves, objective {:.6} (loss {:.6}), {}",
        training.candidates,
        fitted.n_moves,
        training.objective,
        training.loss,
        if training.certified { "certified" } else { "not certified" }
    ));
    match training.stop_reason {
        StopReason::TimeLimit => {
            console.note("the time limit ended the search; this is the best model so far");
        }
        StopReason::MoveLimit => {
            let limit = if config.method == Method::Glrm { "--max-rounds" } else { "--max-moves" };
            console.note(&format!("{limit} ended the search; this is the best model so far"));
        }
        _ => {}
    }
    if let Some(reason) = NoRules::of(&fitted, data) {
        console.warning(&reason.message(|option| format!("--{}", option.replace('_', "-"))));
    }
    console.notes(&possible_leaks(&fitted.model, data)?);
    Ok(fitted)
}
