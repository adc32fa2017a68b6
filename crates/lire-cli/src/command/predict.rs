//! `lire predict`: a score, a probability and a label for each row, in order.

use lire::Model;
use lire::model::Scores;
use lire::replace::{check_replaceable, replace_file};

use super::inputs::read_model_and_table;
use super::output::refuse_input;
use crate::args::{Format, PredictArgs};
use crate::console::Console;
use crate::exit::Failure;
use crate::render::predictions::{Prediction, render};

/// Runs the command.
pub fn run(args: &PredictArgs, console: &Console) -> Result<(), Failure> {
    let out = args.out.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(out) = out {
        refuse_input(out, &args.inputs.data)?;
        refuse_input(out, &args.inputs.model)?;
        check_replaceable(out)?;
    }
    let (model, table) = read_model_and_table(&args.inputs, console)?;
    let scored = model.score(&table);
    let predictions = predictions(&model, &scored, args.local_support);
    let text = render(&predictions, model.positive(), console.format_or(Format::Csv), console.look);
    match out {
        Some(out) => Ok(replace_file(out, &text)?),
        None => console.print_bytes(&text),
    }
}

fn predictions<'a>(model: &'a Model, scored: &Scores, with_rules: bool) -> Vec<Prediction<'a>> {
    let prediction = |(row, &score): (usize, &f64)| {
        let decision = model.decide(score);
        let rules = with_rules.then(|| scored.fired.count(row));
        Prediction { score, probability: decision.probability, label: model.label(decision), rules }
    };
    scored.scores.iter().enumerate().map(prediction).collect()
}
