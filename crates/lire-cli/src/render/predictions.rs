//! Predictions of many rows, written by all threads at once.

use std::fmt::Write;

use rayon::prelude::*;
use serde::Serialize;

use super::bars::share_bar;
use super::format::{escaped, quoted};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{percent, signed};
use crate::args::Format;
use crate::console::{Look, Style};

/// Rows that one thread writes at a time.
const BLOCK_ROWS: usize = 16 * 1024;
/// Cells of the bar that shows a probability.
const PROBABILITY_CELLS: usize = 12;

/// The prediction of one row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction<'a> {
    /// The intercept and the weights of the rules that hold.
    pub score: f64,
    /// The probability of the positive class.
    pub probability: f64,
    /// The label.
    pub label: &'a str,
    /// How many rules hold, if that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<usize>,
}

/// All predictions in the form that was asked for.
pub fn render(predictions: &[Prediction], positive: &str, format: Format, look: Look) -> Vec<u8> {
    let with_rules = predictions.first().is_some_and(|prediction| prediction.rules.is_some());
    match format {
        Format::Csv => {
            let header =
                if with_rules { "score,probability,label,rules\n" } else { "score,probability,label\n" };
            by_blocks(header, predictions, csv_line)
        }
        Format::Json => {
            let mut text = by_blocks("[\n", predictions, json_line);
            // The comma after the last one.
            text.truncate(text.len() - ",\n".len());
            text.extend(b"\n]\n");
            text
        }
        Format::Markdown if with_rules => by_blocks(
            "| score | probability | label | rules |\n| ---: | ---: | --- | ---: |\n",
            predictions,
            markdown_line,
        ),
        Format::Markdown => {
            by_blocks("| score | probability | label |\n| ---: | ---: | --- |\n", predictions, markdown_line)
        }
        Format::Table => table(predictions, positive, look).into_bytes(),
    }
}

fn by_blocks(header: &str, predictions: &[Prediction], line: fn(&mut String, &Prediction)) -> Vec<u8> {
    let block = |predictions: &[Prediction]| {
        let mut text = String::new();
        for prediction in predictions {
            line(&mut text, prediction);
        }
        text
    };
    let blocks: Vec<String> = predictions.par_chunks(BLOCK_ROWS).map(block).collect();
    let mut text = Vec::with_capacity(header.len() + blocks.iter().map(String::len).sum::<usize>());
    text.extend(header.as_bytes());
    for block in &blocks {
        text.extend(block.as_bytes());
    }
    text
}

// Writing to a String does not fail.

fn csv_line(text: &mut String, prediction: &Prediction) {
    let Prediction { score, probability, label, rules } = prediction;
    let _ = write!(text, "{score},{probability},{}", quoted(label));
    if let Some(rules) = rules {
        let _ = write!(text, ",{rules}");
    }
    text.push('\n');
}

fn json_line(text: &mut String, prediction: &Prediction) {
    if let Ok(object) = serde_json::to_string(prediction) {
        let _ = writeln!(text, "  {object},");
    }
}

fn markdown_line(text: &mut String, prediction: &Prediction) {
    let Prediction { score, probability, label, rules } = prediction;
    let _ = write!(text, "| {} | {} | {} |", signed(*score), percent(*probability), escaped(label));
    if let Some(rules) = rules {
        let _ = write!(text, " {rules} |");
    }
    text.push('\n');
}

fn table(predictions: &[Prediction], positive: &str, look: Look) -> String {
    let titles = ["row", "label", "", &format!("P({positive})"), "score", "rules"].map(str::to_owned);
    let sides = [Side::Right, Side::Left, Side::Left, Side::Right, Side::Right, Side::Right];
    let with_rules = predictions.first().is_some_and(|prediction| prediction.rules.is_some());
    let mut columns: Vec<(String, Side)> = titles.into_iter().zip(sides).collect();
    columns.truncate(if with_rules { 6 } else { 5 });
    let mut grid = Grid::new(columns);
    for (index, prediction) in predictions.iter().enumerate() {
        let style = if prediction.label == positive { Style::Positive } else { Style::Negative };
        let mut cells = vec![
            plain((index + 1).to_string()),
            styled(prediction.label, style),
            share_bar(prediction.probability, PROBABILITY_CELLS, style),
            plain(percent(prediction.probability)),
            plain(signed(prediction.score)),
        ];
        cells.extend(prediction.rules.map(|rules| plain(rules.to_string())));
        grid.row(cells);
    }
    grid.render(look)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREDICTIONS: [Prediction; 2] = [
        Prediction { score: 0.1, probability: 0.549_833_997_312_478, label: "yes, please", rules: None },
        Prediction { score: -1e-7, probability: 0.25, label: "no", rules: None },
    ];
    const LOOK: Look = Look { width: 80, color: false };

    fn text(format: Format) -> String {
        String::from_utf8(render(&PREDICTIONS, "yes, please", format, LOOK)).unwrap()
    }

    #[test]
    fn numbers_are_written_in_full() {
        assert_eq!(
            text(Format::Csv),
            "score,probability,label\n0.1,0.549833997312478,\"yes, please\"\n-0.0000001,0.25,no\n"
        );
        assert_eq!(
            text(Format::Json),
            "[\n  {\"score\":0.1,\"probability\":0.549833997312478,\"label\":\"yes, please\"},\n  \
             {\"score\":-1e-7,\"probability\":0.25,\"label\":\"no\"}\n]\n"
        );
    }

    #[test]
    fn people_get_bars() {
        assert!(
            text(Format::Table).contains("  1  yes, please  ██████▋░░░░░          55.0 %  +0.100\n"),
            "{}",
            text(Format::Table)
        );
        assert!(text(Format::Markdown).ends_with("| +0.000 | 25.0 % | no |\n"));
    }
}
