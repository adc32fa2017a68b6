//! Predictions of many rows, written by all threads at once.

use std::fmt::Write;

use lire::report::PredictionReport;
use rayon::prelude::*;

use super::bars::share_bar;
use super::format::{escaped, quoted};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{percent, prediction, signed};
use crate::args::Format;
use crate::console::{Look, Style};

/// Rows that one thread writes at a time.
const BLOCK_ROWS: usize = 16 * 1024;
/// Cells of the bar that shows a probability.
const PROBABILITY_CELLS: usize = 12;

/// One cell of a row for programs.
enum Cell<'a> {
    Number(f64),
    Label(&'a str),
    Count(usize),
}

/// The predictions of a report, to be written.
struct Predicted<'a>(&'a PredictionReport);

/// All predictions in the form that was asked for. JSON is a list with an object for each row.
pub fn render(report: &PredictionReport, format: Format, look: Look) -> Vec<u8> {
    Predicted(report).render(format, look)
}

impl Predicted<'_> {
    /// The names of the columns that programs get.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = match &self.0.classes[..] {
            [] => vec!["prediction".into()],
            [_, _] => ["score", "probability", "label"].map(String::from).to_vec(),
            classes => {
                let probabilities = classes.iter().map(|class| format!("probability_{class}"));
                let scores = classes.iter().map(|class| format!("score_{class}"));
                std::iter::once("label".to_owned()).chain(probabilities).chain(scores).collect()
            }
        };
        names.extend(self.0.rules.as_ref().map(|_| "rules".to_owned()));
        names
    }

    /// The cells of a row, in the order of the names.
    fn cells(&self, row: usize) -> Vec<Cell<'_>> {
        let of_row = |columns: &[Vec<f64>]| -> Vec<Cell> {
            columns.iter().map(|column| Cell::Number(column[row])).collect()
        };
        let label = || Cell::Label(&self.0.classes[self.0.labels[row]]);
        let mut cells = of_row(&self.0.scores);
        match &self.0.classes[..] {
            [] => {}
            [_, _] => {
                cells.extend(of_row(&self.0.probabilities));
                cells.push(label());
            }
            _ => {
                cells.splice(0..0, std::iter::once(label()).chain(of_row(&self.0.probabilities)));
            }
        }
        cells.extend(self.0.rules.as_ref().map(|rules| Cell::Count(rules[row])));
        cells
    }

    fn render(&self, format: Format, look: Look) -> Vec<u8> {
        match format {
            Format::Csv => {
                let names: Vec<String> = self.names().iter().map(|name| quoted(name)).collect();
                self.by_blocks(&format!("{}\n", names.join(",")), csv_line)
            }
            Format::Json => {
                let keys: Vec<String> = self.names().iter().map(|name| json_text(name)).collect();
                let mut text = self.by_blocks("[\n", |text, cells| json_line(text, &keys, cells));
                if self.0.n_rows > 0 {
                    // The comma after the last one.
                    text.truncate(text.len() - ",\n".len());
                }
                text.extend(b"\n]\n");
                text
            }
            Format::Markdown => {
                let names: Vec<String> = self.names().iter().map(|name| escaped(name)).collect();
                let sides: Vec<&str> =
                    self.names().iter().map(|name| if name == "label" { "---" } else { "---:" }).collect();
                let header = format!("| {} |\n| {} |\n", names.join(" | "), sides.join(" | "));
                let is_share: Vec<bool> =
                    self.names().iter().map(|name| name.starts_with("probability")).collect();
                let scale = self.0.classes.is_empty().then(|| self.scale());
                self.by_blocks(&header, |text, cells| markdown_line(text, &is_share, scale, cells))
            }
            Format::Table => self.table(look).into_bytes(),
        }
    }

    /// The size of the largest score.
    fn scale(&self) -> f64 {
        self.0.scores.iter().flatten().fold(0.0, |most, score| score.abs().max(most))
    }

    fn by_blocks(&self, header: &str, line: impl Fn(&mut String, &[Cell]) + Sync) -> Vec<u8> {
        let n_rows = self.0.n_rows;
        let block = |block: usize| {
            let mut text = String::new();
            for row in block * BLOCK_ROWS..n_rows.min((block + 1) * BLOCK_ROWS) {
                line(&mut text, &self.cells(row));
            }
            text
        };
        let blocks: Vec<String> = (0..n_rows.div_ceil(BLOCK_ROWS)).into_par_iter().map(block).collect();
        let mut text = Vec::with_capacity(header.len() + blocks.iter().map(String::len).sum::<usize>());
        text.extend(header.as_bytes());
        for block in &blocks {
            text.extend(block.as_bytes());
        }
        text
    }

    /// For people: what is predicted, how sure that is, and the score behind it.
    fn table(&self, look: Look) -> String {
        let mut columns = vec![("row".to_owned(), Side::Right)];
        match &self.0.classes[..] {
            [] => columns.push(("prediction".to_owned(), Side::Right)),
            [_, positive] => columns.extend([
                ("label".to_owned(), Side::Left),
                (String::new(), Side::Left),
                (format!("P({positive})"), Side::Right),
                ("score".to_owned(), Side::Right),
            ]),
            _ => columns.extend([
                ("label".to_owned(), Side::Left),
                (String::new(), Side::Left),
                ("probability".to_owned(), Side::Right),
                ("score".to_owned(), Side::Right),
            ]),
        }
        columns.extend(self.0.rules.as_ref().map(|_| ("rules".to_owned(), Side::Right)));
        let mut grid = Grid::new(columns);
        let scale = self.scale();
        for row in 0..self.0.n_rows {
            let mut cells = vec![plain((row + 1).to_string())];
            if self.0.classes.is_empty() {
                cells.push(plain(prediction(self.0.scores[0][row], scale)));
            } else {
                let class = self.0.labels[row];
                let n_outputs = self.0.scores.len();
                let shown = if n_outputs == 1 { 0 } else { class };
                let style = if n_outputs > 1 || class == 1 { Style::Positive } else { Style::Negative };
                let probability = self.0.probabilities[shown][row];
                cells.extend([
                    styled(self.0.classes[class].clone(), style),
                    share_bar(probability, PROBABILITY_CELLS, style),
                    plain(percent(probability)),
                    plain(signed(self.0.scores[shown][row])),
                ]);
            }
            cells.extend(self.0.rules.as_ref().map(|rules| plain(rules[row].to_string())));
            grid.row(cells);
        }
        grid.render(look)
    }
}

// Writing to a String does not fail.

fn csv_line(text: &mut String, cells: &[Cell]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        let _ = match cell {
            Cell::Number(number) => write!(text, "{number}"),
            Cell::Label(label) => write!(text, "{}", quoted(label)),
            Cell::Count(count) => write!(text, "{count}"),
        };
    }
    text.push('\n');
}

fn json_line(text: &mut String, keys: &[String], cells: &[Cell]) {
    for (index, (key, cell)) in keys.iter().zip(cells).enumerate() {
        let _ = write!(text, "{}{key}:", if index == 0 { "  {" } else { "," });
        let _ = match cell {
            Cell::Number(number) => write!(text, "{}", serde_json::json!(number)),
            Cell::Label(label) => write!(text, "{}", json_text(label)),
            Cell::Count(count) => write!(text, "{count}"),
        };
    }
    text.push_str("},\n");
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The scale is that of numbers, where they are what is predicted.
fn markdown_line(text: &mut String, is_share: &[bool], scale: Option<f64>, cells: &[Cell]) {
    text.push('|');
    for (cell, &is_share) in cells.iter().zip(is_share) {
        let shown = match cell {
            Cell::Number(number) if is_share => percent(*number),
            Cell::Number(number) => scale.map_or_else(|| signed(*number), |scale| prediction(*number, scale)),
            Cell::Label(label) => escaped(label),
            Cell::Count(count) => count.to_string(),
        };
        let _ = write!(text, " {shown} |");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use lire::report::Version;
    use lire::table::Task;

    use super::*;

    const LOOK: Look = Look { width: 80, color: false };

    fn report(
        classes: &[&str],
        scores: &[&[f64]],
        probabilities: &[&[f64]],
        labels: &[usize],
    ) -> PredictionReport {
        let columns = |columns: &[&[f64]]| columns.iter().map(|column| column.to_vec()).collect();
        PredictionReport {
            version: Version,
            target: "y".into(),
            task: if classes.is_empty() { Task::Regression } else { Task::Classification },
            classes: classes.iter().map(|&class| class.to_owned()).collect(),
            n_rows: scores[0].len(),
            scores: columns(scores),
            probabilities: columns(probabilities),
            labels: labels.to_vec(),
            rules: None,
        }
    }

    fn two_classes() -> PredictionReport {
        let probabilities: &[f64] = &[0.549_833_997_312_478, 0.25];
        report(&["no", "yes, please"], &[&[0.1, -1e-7]], &[probabilities], &[1, 0])
    }

    fn text(report: &PredictionReport, format: Format) -> String {
        String::from_utf8(render(report, format, LOOK)).unwrap()
    }

    #[test]
    fn numbers_are_written_in_full() {
        let predicted = two_classes();
        assert_eq!(
            text(&predicted, Format::Csv),
            "score,probability,label\n0.1,0.549833997312478,\"yes, please\"\n-0.0000001,0.25,no\n"
        );
        assert_eq!(
            text(&predicted, Format::Json),
            "[\n  {\"score\":0.1,\"probability\":0.549833997312478,\"label\":\"yes, please\"},\n  \
             {\"score\":-1e-7,\"probability\":0.25,\"label\":\"no\"}\n]\n"
        );
    }

    #[test]
    fn people_get_bars() {
        let predicted = two_classes();
        let table = text(&predicted, Format::Table);
        assert!(table.contains("  1  yes, please  ██████▋░░░░░          55.0 %  +0.100\n"), "{table}");
        assert!(text(&predicted, Format::Markdown).ends_with("| +0.000 | 25.0 % | no |\n"));
    }

    #[test]
    fn several_classes_have_columns_each() {
        let (scores, probabilities): ([&[f64]; 3], [&[f64]; 3]) =
            ([&[1.0], &[-0.5], &[0.25]], [&[0.5], &[0.125], &[0.375]]);
        let of_three = report(&["a", "b", "c,d"], &scores, &probabilities, &[0]);
        let predicted = PredictionReport { rules: Some(vec![2]), ..of_three };
        assert_eq!(
            text(&predicted, Format::Csv),
            "label,probability_a,probability_b,\"probability_c,d\",score_a,score_b,\"score_c,d\",rules\n\
             a,0.5,0.125,0.375,1,-0.5,0.25,2\n"
        );
    }

    #[test]
    fn a_number_is_its_own_prediction() {
        let predicted = report(&[], &[&[1234.56]], &[], &[]);
        assert_eq!(text(&predicted, Format::Csv), "prediction\n1234.56\n");
        assert_eq!(text(&predicted, Format::Json), "[\n  {\"prediction\":1234.56}\n]\n");
        assert!(text(&predicted, Format::Table).contains("1234.6"));
    }
}
