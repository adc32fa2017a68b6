//! Predictions as CSV, JSON or Markdown, line by line.

use std::fmt::Write;

use lire::report::PredictionReport;
use rayon::prelude::*;

use super::kept::Value;
use super::{Cell, Part};
use crate::args::Format;
use crate::render::format::{escaped, quoted};
use crate::render::numbers::{percent, prediction, signed};

/// Rows that one thread writes at a time.
const BLOCK_ROWS: usize = 4 * 1024;
/// What stands between two objects of a list.
const BETWEEN: &str = ",\n";

/// What was begun to be written.
pub struct Lines {
    format: Format,
    is_begun: bool,
}

impl Lines {
    /// Nothing is written yet.
    pub fn new(format: Format) -> Self {
        Self { format, is_begun: false }
    }

    /// Whether no line can be written before all rows are known.
    pub fn must_know_all(&self, report: &PredictionReport) -> bool {
        self.format == Format::Markdown && report.classes.is_empty()
    }

    pub(super) fn rows(&mut self, part: &Part) -> Vec<u8> {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let names = part.names();
        match self.format {
            Format::Json => {
                let keys: Vec<String> = names.iter().map(|name| json_text(name)).collect();
                let begin = if is_first { "[\n" } else { BETWEEN };
                let mut text = by_blocks(part, begin, |text, cells| json_line(text, &keys, cells));
                text.truncate(text.len() - BETWEEN.len());
                text
            }
            Format::Markdown => markdown(part, is_first, None),
            _ => {
                let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                let header = if is_first { format!("{}\n", names.join(",")) } else { String::new() };
                by_blocks(part, &header, csv_line)
            }
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        if self.format == Format::Json { b"\n]\n".to_vec() } else { Vec::new() }
    }
}

/// Rows of a Markdown table, beneath its header if they are the first. The scale is that of numbers, where they are
/// what is predicted.
pub(super) fn markdown(part: &Part, is_first: bool, scale: Option<f64>) -> Vec<u8> {
    let names = part.names();
    let is_text = |place: usize| place < part.kept.len() || names[place] == "label";
    let sides: Vec<&str> =
        (0..names.len()).map(|place| if is_text(place) { "---" } else { "---:" }).collect();
    let titles: Vec<String> = names.iter().map(|name| escaped(name)).collect();
    let header = format!("| {} |\n| {} |\n", titles.join(" | "), sides.join(" | "));
    let is_share = |place: usize| !is_text(place) && names[place].starts_with("probability");
    let is_share: Vec<bool> = (0..names.len()).map(is_share).collect();
    let header = if is_first { header } else { String::new() };
    by_blocks(part, &header, |text, cells| markdown_line(text, &is_share, scale, cells))
}

fn by_blocks(part: &Part, header: &str, line: impl Fn(&mut String, &[Cell]) + Sync) -> Vec<u8> {
    let n_rows = part.report.n_rows;
    let block = |block: usize| {
        let mut text = String::new();
        for row in block * BLOCK_ROWS..n_rows.min((block + 1) * BLOCK_ROWS) {
            line(&mut text, &part.cells(row));
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

// Writing to a String does not fail.

fn csv_line(text: &mut String, cells: &[Cell]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        let _ = match cell {
            Cell::Number(number) | Cell::Kept(Value::Number(number)) => write!(text, "{number}"),
            Cell::Label(label) => write!(text, "{}", quoted(label)),
            Cell::Count(count) => write!(text, "{count}"),
            Cell::Kept(value) => write!(text, "{}", quoted(&value.text())),
        };
    }
    text.push('\n');
}

fn json_line(text: &mut String, keys: &[String], cells: &[Cell]) {
    for (index, (key, cell)) in keys.iter().zip(cells).enumerate() {
        let _ = write!(text, "{}{key}:", if index == 0 { "  {" } else { "," });
        let _ = match cell {
            Cell::Number(number) | Cell::Kept(Value::Number(number)) => {
                write!(text, "{}", serde_json::json!(number))
            }
            Cell::Label(label) => write!(text, "{}", json_text(label)),
            Cell::Count(count) => write!(text, "{count}"),
            Cell::Kept(Value::Missing) => write!(text, "null"),
            Cell::Kept(Value::Text(kept)) => write!(text, "{}", json_text(kept)),
            Cell::Kept(value) => write!(text, "{}", value.text()),
        };
    }
    text.push('}');
    text.push_str(BETWEEN);
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn markdown_line(text: &mut String, is_share: &[bool], scale: Option<f64>, cells: &[Cell]) {
    text.push('|');
    for (cell, &is_share) in cells.iter().zip(is_share) {
        let shown = match cell {
            Cell::Number(number) if is_share => percent(*number),
            Cell::Number(number) => scale.map_or_else(|| signed(*number), |scale| prediction(*number, scale)),
            Cell::Label(label) => escaped(label),
            Cell::Count(count) => count.to_string(),
            Cell::Kept(value) => escaped(&value.text()),
        };
        let _ = write!(text, " {shown} |");
    }
    text.push('\n');
}
