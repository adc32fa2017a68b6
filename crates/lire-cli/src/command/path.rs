//! `lire path`: models of many prices, and the one that a fit would choose.

use std::path::Path;
use std::time::{Duration, Instant};

use lire::config::Method;
use lire::replace::{check_replaceable, replace_file};
use lire::report::PathReport;
use lire::selection::{PathModel, Selection};

use super::fit::fit_all;
use super::inputs::TrainingData;
use super::output::{model_path, refuse_input};
use crate::args::{Format, PathArgs};
use crate::console::{Console, Style};
use crate::exit::Failure;
use crate::render::format::json;
use crate::render::frontier::{as_csv, as_markdown, caption, table};
use crate::render::plot::svg;

/// Runs the command.
pub fn run(args: &PathArgs, console: &Console) -> Result<(), Failure> {
    let config = args.fit.config()?;
    if config.method != Method::Lire {
        return Err(Failure::usage("--method: only `lire` has a path of models; leave the option out"));
    }
    if config.objective.gamma.is_some() && config.objective.lambda.is_some() {
        return Err(Failure::usage(
            "--gamma and --lambda: with both given there is one model; leave one of them out, or use `lire fit`",
        ));
    }
    let config = args.fit.effective()?;
    if config.meaning.calibrate.is_some() && args.out.is_none() {
        return Err(Failure::usage(
            "--calibrate: only a model that is stored is calibrated; name its file with --out, or leave it out",
        ));
    }
    let out = args.out.as_deref().map(|out| model_path(Some(out), &args.data, args.force)).transpose()?;
    if let Some(plot) = &args.plot {
        check_plot(plot, &args.data, args.force)?;
    }
    let TrainingData { data, .. } = TrainingData::read(&args.data, &config, console)?;
    let deadline = config.time_limit.map(|limit| Instant::now() + Duration::from_secs_f64(limit));
    let fitted = fit_all(&data, &config, deadline, console)?;
    let Some(selection) = &fitted.selection else {
        return Err(Failure::usage("there is no path of models; leave --gamma and --lambda out"));
    };
    if let Some(out) = &out {
        fitted.model.write(out)?;
    }
    if let Some(plot) = &args.plot {
        replace_file(plot, svg(selection)?.as_bytes())?;
    }
    match console.format_or(Format::Table) {
        Format::Table => console.print(&text(selection, console))?,
        Format::Json => console.print(&json(&PathReport::of(selection.clone()))?)?,
        Format::Csv => console.print(&as_csv(selection))?,
        Format::Markdown => console.print(&as_markdown(selection))?,
    }
    if let Some(plot) = &args.plot {
        console.note(&format!("the picture is in {}", plot.display()));
    }
    Ok(())
}

fn text(selection: &Selection, console: &Console) -> String {
    let look = console.look;
    let mut models: Vec<&PathModel> = selection.models.iter().collect();
    models.sort_by(|a, b| a.local_support_mean.total_cmp(&b.local_support_mean));
    let how = caption(selection);
    let how = how.split(';').next().unwrap_or_default();
    format!("{}\n\n{}", look.paint(how, Style::Strong), table(selection, &models, look))
}

/// A picture may replace a picture, and nothing else unless told to.
fn check_plot(plot: &Path, data: &Path, force: bool) -> Result<(), Failure> {
    refuse_input(plot, data)?;
    let is_svg = |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| text.contains("<svg"));
    if plot.is_file() && !force && !is_svg(plot) {
        return Err(Failure::usage(format!(
            "--plot: {} is not an SVG file; choose another name, or replace it with --force",
            plot.display()
        )));
    }
    check_replaceable(plot)?;
    Ok(())
}
