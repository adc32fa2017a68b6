//! `lire explain`: the rules behind the label of each row.

use lire::Model;
use lire::explain::explain_rows;
use lire::report::Sides;

use super::inputs::read_model_to_use;
use super::scan::Scan;
use crate::args::{ExplainArgs, Format};
use crate::console::Console;
use crate::exit::Failure;
use crate::render::explanation::{Question, as_csv, as_markdown, block};
use crate::render::format::json;

/// Runs the command.
pub fn run(args: &ExplainArgs, console: &Console) -> Result<(), Failure> {
    let model = read_model_to_use(&args.inputs, console)?;
    let class = args.class.as_deref().map(|label| class_of(&model, label)).transpose()?;
    let mut explanations = Vec::new();
    let scan = Scan::open(&model, &args.inputs, &[])?;
    let n_rows = scan.each(Some("explaining"), console, |part| {
        let rows = args.rows.within(part.first_row..part.first_row + part.table.n_rows());
        let places: Vec<usize> = rows.clone().map(|row| row - part.first_row).collect();
        if !places.is_empty() {
            explanations.extend(explain_rows(&model, &part.table.select(&places)?, rows.start + 1, class)?);
        }
        Ok(())
    })?;
    args.rows.check(n_rows)?;
    let sides = Sides::of(&model);
    let question = &Question::of(&model.file().target.name, &sides);
    let text = match (console.format_or(Format::Table), explanations.as_slice()) {
        (Format::Table, explanations) => {
            let blocks = explanations
                .iter()
                .map(|one| block(&format!("Row {}", one.row), one, question, console.look));
            blocks.collect::<Vec<_>>().join("\n\n")
        }
        (Format::Json, [one]) if args.rows.is_single() => json(one)?,
        (Format::Json, explanations) => json(&explanations)?,
        (Format::Csv, explanations) => as_csv(explanations),
        (Format::Markdown, explanations) => as_markdown(explanations, question),
    };
    console.print(&text)
}

/// The class of that label.
fn class_of(model: &Model, label: &str) -> Result<usize, Failure> {
    let found = model.classes().iter().position(|class| class == label);
    found.ok_or_else(|| match model.classes() {
        [] => Failure::usage("--class: the model predicts a number, which has no classes"),
        classes => {
            let known = classes.iter().map(|class| format!("`{class}`")).collect::<Vec<_>>().join(", ");
            Failure::usage(format!("--class: `{label}` is not a class of the model, which has {known}"))
        }
    })
}
