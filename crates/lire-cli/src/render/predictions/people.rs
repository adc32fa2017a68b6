//! Predictions for people: what is predicted, how sure that is, and the score behind it.

use super::Part;
use super::kept::value_of;
use super::lines::markdown;
use crate::console::{Look, Style};
use crate::render::bars::share_bar;
use crate::render::grid::{Cell, Grid, Side, plain, styled};
use crate::render::numbers::{percent, prediction, signed};

/// Cells of the bar that shows a probability.
const PROBABILITY_CELLS: usize = 12;

/// All rows so far.
pub struct Whole {
    /// How a table looks; none for Markdown.
    look: Option<Look>,
    parts: Vec<Part>,
}

impl Whole {
    /// A table with bars.
    pub fn table(look: Look) -> Self {
        Self { look: Some(look), parts: Vec::new() }
    }

    /// A Markdown table.
    pub fn markdown() -> Self {
        Self { look: None, parts: Vec::new() }
    }

    pub(super) fn add(&mut self, part: Part) {
        self.parts.push(part);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        let scores = self.parts.iter().flat_map(|part| part.report.scores.iter().flatten());
        let scale = scores.fold(0.0, |most: f64, score| score.abs().max(most));
        if let Some(look) = self.look {
            return self.grid(scale).map(|grid| grid.render(look).into_bytes()).unwrap_or_default();
        }
        let lines = self.parts.iter().enumerate().map(|(nth, part)| markdown(part, nth == 0, Some(scale)));
        lines.collect::<Vec<_>>().concat()
    }

    fn grid(&self, scale: f64) -> Option<Grid> {
        let mut grid = Grid::new(self.parts.first()?.titles());
        let mut number = 0;
        for part in &self.parts {
            for row in 0..part.report.n_rows {
                number += 1;
                grid.row(part.shown(row, number, scale));
            }
        }
        Some(grid)
    }
}

impl Part {
    fn titles(&self) -> Vec<(String, Side)> {
        let title = |title: &str, side: Side| (title.to_owned(), side);
        let mut columns = vec![title("row", Side::Right)];
        columns.extend(self.kept.iter().map(|column| title(&column.name, Side::Left)));
        match &self.report.classes[..] {
            [] => columns.push(title("prediction", Side::Right)),
            [_, positive] => columns.extend([
                title("label", Side::Left),
                title("", Side::Left),
                title(&format!("P({positive})"), Side::Right),
                title("score", Side::Right),
            ]),
            _ => columns.extend([
                title("label", Side::Left),
                title("", Side::Left),
                title("probability", Side::Right),
                title("score", Side::Right),
            ]),
        }
        columns.extend(self.report.rules.as_ref().map(|_| title("rules", Side::Right)));
        columns
    }

    fn shown(&self, row: usize, number: usize, scale: f64) -> Vec<Cell> {
        let report = &self.report;
        let mut cells = vec![plain(number.to_string())];
        cells.extend(self.kept.iter().map(|column| plain(value_of(column, row).text())));
        if report.classes.is_empty() {
            cells.push(plain(prediction(report.scores[0][row], scale)));
        } else {
            let class = report.labels[row];
            let n_outputs = report.scores.len();
            let shown = if n_outputs == 1 { 0 } else { class };
            let style = if n_outputs > 1 || class == 1 { Style::Positive } else { Style::Negative };
            let probability = report.probabilities[shown][row];
            cells.extend([
                styled(report.classes[class].clone(), style),
                share_bar(probability, PROBABILITY_CELLS, style),
                plain(percent(probability)),
                plain(signed(report.scores[shown][row])),
            ]);
        }
        cells.extend(report.rules.as_ref().map(|rules| plain(rules[row].to_string())));
        cells
    }
}
