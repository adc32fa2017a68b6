//! `lire fit`: learns a model, measures it honestly, stores it, and shows what was learned.

use std::time::{Duration, Instant};

use lire::assess::{Assessment, assess};
use lire::evaluate::{Holdout, stratified_holdout};
use lire::explain::{LocalExplanation, explain_rows};
use lire::fit::{Fit, fit};
use lire::solver::StopReason;
use lire::table::Dataset;
use lire::{Config, Model};

use super::fit_report::{self, FitReport, HeldOut};
use super::inputs::TrainingData;
use super::output::model_path;
use crate::args::FitArgs;
use crate::console::Console;
use crate::exit::Failure;
use crate::progress::Activity;
use crate::render::numbers::seconds;

/// The share of rows that is held out to measure on.
const HOLDOUT_SHARE: f64 = 0.2;
/// The fewest rows of each class to train on, and to measure on.
const LEAST_ROWS_OF_CLASS: usize = 2;

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
    let half_time = limit.map(|limit| start + limit / 2);
    let held_out = if args.no_holdout { None } else { hold_out(&data, &config, half_time, console)? };
    let fitted = fit_all(&data, &config, limit.map(|limit| start + limit), console)?;
    fitted.model.write(&out)?;
    let example = example_row(&fitted.model, &data);
    let report = FitReport { args, out: &out, data: &data, fit: &fitted, held_out, example, all_rows };
    fit_report::print(&report, console)
}

/// Fits on four fifths of the rows and measures on the rest, if there are enough.
fn hold_out(
    data: &Dataset,
    config: &Config,
    deadline: Option<Instant>,
    console: &Console,
) -> Result<Option<HeldOut>, Failure> {
    let split = stratified_holdout(&data.target.positives(), HOLDOUT_SHARE, config.seed);
    let Some(split) = split.ok().filter(|split| has_both_classes(split, &data.target.positives())) else {
        console.note(
            "there are too few rows to hold some out; the model is not measured on rows that it has not seen",
        );
        return Ok(None);
    };
    let activity = Activity::start(console, "measuring on rows held out");
    let assessment: Assessment = activity.watch(deadline, |watch| assess(data, config, &split, watch))?;
    drop(activity);
    console.detail(&format!("held-out check: fitted in {}", seconds(assessment.fit_seconds)));
    Ok(Some(HeldOut { rows: split.test.len(), assessment }))
}

fn has_both_classes(split: &Holdout, labels: &[bool]) -> bool {
    [&split.train, &split.test].into_iter().all(|rows| {
        let positive = rows.iter().filter(|&&row| labels[row]).count();
        positive >= LEAST_ROWS_OF_CLASS && rows.len() - positive >= LEAST_ROWS_OF_CLASS
    })
}

/// Fits on all rows, and tells how it went.
fn fit_all(
    data: &Dataset,
    config: &Config,
    deadline: Option<Instant>,
    console: &Console,
) -> Result<Fit, Failure> {
    let activity = Activity::start(console, "fitting on all rows");
    let fitted = activity.watch(deadline, |watch| fit(data, config, watch))?;
    drop(activity);
    let (solution, timings) = (&fitted.solution, &fitted.timings);
    let in_seconds = |stage: Duration| seconds(stage.as_secs_f64());
    console.detail(&format!(
        "binning {}, trees {}, candidates {}, choice of rules {}",
        in_seconds(timings.binning),
        in_seconds(timings.forest),
        in_seconds(timings.candidates),
        in_seconds(timings.solver)
    ));
    console.detail(&format!(
        "{} candidate rules, {} moves, objective {:.6} (loss {:.6}), {}",
        fitted.model.file().training.candidates,
        solution.n_moves,
        solution.objective,
        solution.loss,
        if solution.certified { "certified" } else { "not certified" }
    ));
    match solution.stop_reason {
        StopReason::TimeLimit => {
            console.note("the time limit ended the search; this is the best model until then");
        }
        StopReason::MoveLimit => {
            console.note("--max-moves ended the search; this is the best model until then");
        }
        _ => {}
    }
    if fitted.model.rules().is_empty() {
        console.warning(
            "the model has no rules, only an intercept: every row gets the same prediction; lower --gamma and --lambda, \
             or give more rows or columns",
        );
    }
    Ok(fitted)
}

/// The explanation of an instructive row: positive, rightly labelled, of two to four rules, best with some against it.
fn example_row(model: &Model, data: &Dataset) -> Option<LocalExplanation> {
    let scored = model.score(&data.table);
    let worth = |row: usize| {
        let right = model.decide(scored.scores[row]).positive == data.target.positives()[row];
        let n_rules = scored.fired.count(row);
        let signs = scored.fired.of_row(row).map(|rule| model.weights()[rule] > 0.0);
        let (for_it, against) =
            signs.fold((false, false), |(a, b), positive| (a || positive, b || !positive));
        let readable = (2..=4).contains(&n_rules);
        (right && n_rules > 0, readable, data.target.positives()[row], for_it && against, n_rules.min(3))
    };
    // The first of the best: `max_by_key` would take the last.
    let best = (0..data.n_rows()).rev().max_by_key(|&row| worth(row))?;
    explain_rows(model, &data.table.select(&[best]), best + 1).pop()
}
