//! `lire predict`: what the model says of each row, in order.

use lire::replace::{check_replaceable, replace_file};
use lire::report::PredictionReport;

use super::inputs::read_model_and_table;
use super::output::refuse_input;
use crate::args::{Format, PredictArgs};
use crate::console::Console;
use crate::exit::Failure;
use crate::render::predictions::render;

/// Runs the command.
pub fn run(args: &PredictArgs, console: &Console) -> Result<(), Failure> {
    let out = args.out.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(out) = out {
        refuse_input(out, &args.inputs.data)?;
        refuse_input(out, &args.inputs.model)?;
        check_replaceable(out)?;
    }
    let (model, table) = read_model_and_table(&args.inputs, console)?;
    let report = PredictionReport::of(&model, &model.score(&table)?, args.local_support)?;
    let text = render(&report, console.format_or(Format::Csv), console.look);
    match out {
        Some(out) => Ok(replace_file(out, &text)?),
        None => console.print_bytes(&text),
    }
}
