//! `lire fit`: learns a model, measures it honestly, stores it, and shows what was learned.

use std::time::{Duration, Instant};

use lire::config::Method;
use lire::evaluate::{Assessment, assess};
use lire::explain::{LocalExplanation, explain_rows};
use lire::fit::{Fit, fit};
use lire::leaks::possible_leaks;
use lire::no_rules::NoRules;
use lire::solver::StopReason;
use lire::split::{Division, Holdout};
use lire::table::{Dataset, TargetValues};
use lire::{Config, Model};

use super::evaluate::about_copies;
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
/// An example's predicted number is at most this share of the spread of all numbers off.
const NEAR_NUMBER: f64 = 0.25;

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
    let fitted = fit_all(&data, &config, until(if args.no_holdout { 1.0 } else { 0.5 }), console)?;
    fitted.model.write(&out)?;
    let settled = fitted.config.settled();
    let held_out = if args.no_holdout { None } else { hold_out(&data, &settled, until(1.0), console)? };
    let example = example_row(&fitted.model, &data)?;
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
    let division = Division::of(data)?;
    let split = division.holdout(HOLDOUT_SHARE, config.seed);
    let Some(split) = split.ok().filter(|split| is_enough(split, &data.target.values)) else {
        console.note(
            "there are too few rows to hold some out; the model is not measured on rows that it has not seen",
        );
        return Ok(None);
    };
    let activity = Activity::start(console, "measuring on rows held out");
    let assessment: Assessment = activity.watch(deadline, |watch| assess(data, config, &split, watch))?;
    drop(activity);
    console.detail(&format!("held-out check: fitted in {}", seconds(assessment.fit_seconds)));
    let copies = about_copies(&division, data.n_rows());
    Ok(Some(HeldOut { rows: split.test.len(), copies, assessment }))
}

/// Whether both parts have rows of each class, or rows at all for numbers.
fn is_enough(split: &Holdout, target: &TargetValues) -> bool {
    let n_classes = match target {
        TargetValues::Classes(of) => of.classes.len(),
        TargetValues::Numbers(_) => 1,
    };
    [&split.train, &split.test].into_iter().all(|rows| {
        let mut counts = vec![0; n_classes];
        for &row in rows {
            counts[if let TargetValues::Classes(of) = target { of.labels[row] as usize } else { 0 }] += 1;
        }
        counts.iter().all(|&count| count >= LEAST_ROWS_OF_CLASS)
    })
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
        .then(|| format!("comparison on rows left out {}, ", in_seconds(timings.comparison)));
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
            console.note("the time limit ended the search; this is the best model until then");
        }
        StopReason::MoveLimit => {
            let limit = if config.method == Method::Glrm { "--max-rounds" } else { "--max-moves" };
            console.note(&format!("{limit} ended the search; this is the best model until then"));
        }
        _ => {}
    }
    if let Some(reason) = NoRules::of(&fitted, data) {
        console.warning(&reason.message(|option| format!("--{}", option.replace('_', "-"))));
    }
    console.notes(&possible_leaks(&fitted.model, data)?);
    Ok(fitted)
}

/// The explanation of an instructive row: rightly predicted, of two to four rules, best with some against it.
fn example_row(model: &Model, data: &Dataset) -> lire::Result<Option<LocalExplanation>> {
    let scored = model.score(&data.table)?;
    let decisions = model.decisions(&scored)?;
    let worth = |row: usize| -> lire::Result<_> {
        let scores = scored.of_row(row)?;
        let class = decisions.as_ref().map(|decisions| decisions[row].class);
        let right = match (&data.target.values, class) {
            (TargetValues::Classes(of), Some(class)) => of.labels[row] as usize == class,
            (TargetValues::Numbers(values), _) => {
                let spread = model.file().training.scale.map_or(0.0, |scale| scale.std);
                (scores[0] - values[row]).abs() <= NEAR_NUMBER * spread
            }
            _ => false,
        };
        let output = class.map_or(Ok(0), |class| model.output_of(class))?;
        let weights = &model.outputs()[output].weights;
        let fired = scored.fired.of_row(row)?.map(|rule| weights[rule]).filter(|&weight| weight != 0.0);
        let (mut n_rules, mut for_it, mut against) = (0, false, false);
        for weight in fired {
            n_rules += 1;
            for_it |= weight > 0.0;
            against |= weight < 0.0;
        }
        let readable = (2..=4).contains(&n_rules);
        Ok((right && n_rules > 0, readable, class == Some(1), for_it && against, n_rules.min(3)))
    };
    let worth: Vec<_> = (0..data.n_rows()).map(worth).collect::<lire::Result<_>>()?;
    // The first of the best: `max_by_key` would take the last.
    let Some(best) = (0..data.n_rows()).rev().max_by_key(|&row| worth[row]) else { return Ok(None) };
    Ok(explain_rows(model, &data.table.select(&[best])?, best + 1, None)?.pop())
}
