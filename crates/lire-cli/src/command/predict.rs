//! `lire predict`: what the model says of each row, in order, part by part.

use std::io::IsTerminal;
use std::path::Path;

use lire::Model;
use lire::replace::{Replacement, check_replaceable};
use lire::report::PredictionReport;

use super::inputs::read_model_to_use;
use super::output::{Output, refuse_input};
use super::scan::Scan;
use crate::args::{AskedFormat, Format, PredictArgs};
use crate::console::Console;
use crate::exit::Failure;
use crate::render::predictions::{Form, Writer, names};

/// Runs the command.
pub fn run(args: &PredictArgs, console: &Console) -> Result<(), Failure> {
    let out = args.out.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(out) = out {
        refuse_input(out, &args.inputs.data)?;
        refuse_input(out, &args.inputs.model)?;
        check_replaceable(out)?;
    }
    let form = form(out, console)?;
    let model = read_model_to_use(&args.inputs, console)?;
    check_names(&args.keep, &names(model.classes(), args.local_support))?;
    let scan = Scan::open(&model, &args.inputs, &args.keep)?;
    let mut output = match out {
        Some(out) => Output::File(Replacement::begin(out)?),
        None => Output::Standard(console),
    };
    let mut writer = Writer::new(form, console.look);
    scan.each("scoring", console, |part| {
        let report = report(&model, &part.table, args.local_support)?;
        output.write(&writer.rows(report, part.kept)?)
    })?;
    output.write(&writer.finish()?)?;
    output.finish()
}

fn report(model: &Model, table: &lire::table::Table, with_rules: bool) -> Result<PredictionReport, Failure> {
    Ok(PredictionReport::of(model, &model.score(table)?, with_rules)?)
}

/// What was asked for, else what the file's name says, else CSV.
fn form(out: Option<&Path>, console: &Console) -> Result<Form, Failure> {
    let names_parquet =
        || out.and_then(Path::extension).is_some_and(|end| end.eq_ignore_ascii_case("parquet"));
    let form = match console.format {
        Some(asked) => asked.of_text().map_or(Form::Parquet, Form::Text),
        None if names_parquet() => Form::Parquet,
        None => Form::Text(Format::Csv),
    };
    if form == Form::Parquet && out.is_none() && std::io::stdout().is_terminal() {
        debug_assert_eq!(console.format, Some(AskedFormat::Parquet));
        return Err(Failure::usage("--format: parquet is not for a terminal; give a file with --out"));
    }
    Ok(form)
}

/// Refuses to keep a column twice, or one that has the name of a prediction.
fn check_names(keep: &[String], predicted: &[String]) -> Result<(), Failure> {
    for (place, name) in keep.iter().enumerate() {
        if keep[..place].contains(name) {
            return Err(Failure::usage(format!("--keep: `{name}` is named twice; name it once")));
        }
        if predicted.contains(name) {
            let message = format!(
                "--keep: `{name}` is the name of a column of predictions; rename the column of the data"
            );
            return Err(Failure::usage(message));
        }
    }
    Ok(())
}
