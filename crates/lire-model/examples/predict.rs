//! Scores two loan applications with a stored model and says why: prediction without any learning.
//!
//!     cargo run -p lire-model --example predict

use lire_model::explain::{LocalExplanation, explain_rows};
use lire_model::table::{Cell, Cells, TableBuilder};
use lire_model::{Model, Result};

const MODEL: &[u8] = include_bytes!("loan.lire.json");

fn main() -> Result<()> {
    let model = Model::from_json(MODEL, "loan.lire.json")?;
    let purposes = ["car", "business"].map(|purpose| Cell::Text(purpose.into()));
    let applicants = TableBuilder::new(model.schema(), &[])
        .column("income", Cells::Numbers(vec![52.0, 18.5]))
        .column("purpose", Cells::Mixed(purposes.into()))
        .finish(2)?;
    for explanation in explain_rows(&model, &applicants, 1, None)? {
        print(&explanation);
    }
    Ok(())
}

/// Prints a decision with its reasons, which add up to the score.
fn print(explanation: &LocalExplanation) {
    let label = explanation.label.as_deref().unwrap_or("a number");
    println!("applicant {}: {label}", explanation.row);
    println!("  {:+.2}  every score starts here", explanation.intercept);
    for rule in &explanation.rules {
        println!("  {:+.2}  {}", rule.contribution, rule.rule);
    }
    println!("  {:+.2}  score", explanation.score);
}
