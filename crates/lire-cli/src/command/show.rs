//! `lire show`: the rules of a model, and what a careful reader wants to know before relying on them.

use lire::config::Learner;
use lire::report::ModelReport;
use lire::{Config, Model};

use super::inputs::read_model;
use crate::args::{Format, ShowArgs};
use crate::console::Console;
use crate::exit::Failure;
use crate::render::format::json;
use crate::render::{model, rules};

/// Runs the command.
pub fn run(args: &ShowArgs, console: &Console) -> Result<(), Failure> {
    let read = read_model(&args.model, console)?;
    let report = ModelReport::of(&read, &args.model.display().to_string());
    match console.format_or(Format::Table) {
        Format::Table => {
            let options = if console.verbose { Some(options_of_fit(&read, console)?) } else { None };
            console.print(&model::text(&report, options.as_deref(), console.look))
        }
        Format::Json => console.print(&json(&report)?),
        Format::Csv => console.print(&rules::as_csv(report.scores.all())),
        Format::Markdown => console.print(&rules::as_markdown(report.scores.all())),
    }
}

/// The options by which a fit makes such a model again, as a configuration file has them.
fn options_of_fit(model: &Model, console: &Console) -> Result<String, Failure> {
    let (config, unknown) = Config::of_model(model);
    for option in unknown {
        console.note(&format!("this lire does not know the option `{option}` of the fit; a newer one does"));
    }
    let used = config.reduced(Learner::Rules(config.method));
    toml::to_string(&used).map_err(|error| Failure::usage(error.to_string()))
}
