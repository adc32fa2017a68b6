//! `lire explain`: the rules behind the label of each row.

use lire::explain::explain_rows;

use super::inputs::read_model_and_table;
use crate::args::{ExplainArgs, Format};
use crate::console::Console;
use crate::exit::Failure;
use crate::render::explanation::{Question, as_csv, as_markdown, block};
use crate::render::format::json;

/// Runs the command.
pub fn run(args: &ExplainArgs, console: &Console) -> Result<(), Failure> {
    let (model, table) = read_model_and_table(&args.inputs, console)?;
    let rows = args.rows.among(table.n_rows())?;
    let first_row = rows.start + 1;
    let explanations = explain_rows(&model, &table.select(&rows.collect::<Vec<_>>()), first_row);
    let target = &model.file().target;
    let question = Question { target: &target.name, negative: &target.negative };
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
