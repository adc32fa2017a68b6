//! `lire predict`: what the model says of each row, in order, part by part.

use std::io::IsTerminal;
use std::path::Path;

use lire::replace::{Replacement, check_replaceable};
use lire::report::PredictionReport;

use super::inputs::read_model_to_use;
use super::output::{Output, refuse_input};
use super::scan::Scan;
use crate::args::{Format, PredictArgs};
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
    let writer = Writer::new(form, console.look);
    // A terminal cannot show progress between rows.
    let what = (out.is_some() || !std::io::stdout().is_terminal()).then_some("scoring");
    write_all(scan, writer, args.local_support, (what, console), |content| output.write(content))?;
    output.finish()
}

/// Writes the predictions of all rows as they come.
fn write_all(
    scan: Scan,
    mut writer: Writer,
    with_rules: bool,
    (what, console): (Option<&str>, &Console),
    mut write: impl FnMut(&[u8]) -> Result<(), Failure> + Send,
) -> Result<(), Failure> {
    let model = scan.model;
    scan.each(what, console, |part| {
        let report = PredictionReport::of(model, &model.score(&part.table)?, with_rules)?;
        write(&writer.rows(report, part.kept)?)
    })?;
    write(&writer.finish()?)
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

#[cfg(test)]
mod tests;
