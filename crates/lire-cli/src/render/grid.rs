//! Aligned columns, one of which takes what width is left and wraps.

use crate::console::{Look, Style};

use super::visible::visible;
use super::wrap::{CONJUNCTION, pad_left, pad_right, width, wrap};

/// Spaces before each line.
const MARGIN: usize = 2;
/// Spaces between columns.
const GAP: usize = 2;
/// A column that wraps is not made narrower than this.
const LEAST_FLEXIBLE: usize = 16;

/// A piece of text of one style.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it looks.
    pub style: Style,
}

impl Span {
    /// Text of a style, as a terminal may show it.
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: visible(&text.into()).into_owned(), style }
    }

    /// Text of no style.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Style::Plain)
    }
}

/// A cell: spans side by side.
pub type Cell = Vec<Span>;

/// A cell of plain text.
pub fn plain(text: impl Into<String>) -> Cell {
    vec![Span::plain(text)]
}

/// A cell of one style.
pub fn styled(text: impl Into<String>, style: Style) -> Cell {
    vec![Span::new(text, style)]
}

/// On which side of a column its cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Text.
    Left,
    /// Numbers.
    Right,
    /// Text that wraps; a grid has at most one such column.
    Flexible,
}

/// Rows of cells under titles.
#[derive(Debug, Clone)]
pub struct Grid {
    columns: Vec<(String, Side)>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
enum Row {
    Cells(Vec<Cell>),
    Rule,
}

impl Grid {
    /// An empty grid; without any title there is no heading.
    pub fn new(mut columns: Vec<(String, Side)>) -> Self {
        for (title, _) in &mut columns {
            *title = visible(title).into_owned();
        }
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row; the cells stand in the columns' order, and lacking ones are empty.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row::Cells(cells));
    }

    /// Adds a line across.
    pub fn rule(&mut self) {
        self.rows.push(Row::Rule);
    }

    /// The grid as lines.
    pub fn render(&self, look: Look) -> String {
        let widths = self.widths(look.width);
        let total = widths.iter().sum::<usize>() + GAP * (widths.len().saturating_sub(1));
        let rule = format!("{}{}\n", " ".repeat(MARGIN), look.paint(&"─".repeat(total), Style::Faint));
        let mut text = String::new();
        if self.columns.iter().any(|(title, _)| !title.is_empty()) {
            let titles =
                self.columns.iter().map(|(title, _)| styled(title, Style::Faint)).collect::<Vec<_>>();
            text.push_str(&self.lines(&titles, &widths, look));
            text.push_str(&rule);
        }
        for row in &self.rows {
            match row {
                Row::Cells(cells) => text.push_str(&self.lines(cells, &widths, look)),
                Row::Rule => text.push_str(&rule),
            }
        }
        text
    }

    /// Each column as wide as its widest cell; the flexible one at most what is left.
    fn widths(&self, total: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|(title, _)| width(title)).collect();
        for row in &self.rows {
            let Row::Cells(cells) = row else { continue };
            for (widest, cell) in widths.iter_mut().zip(cells) {
                *widest = (*widest).max(cell_width(cell));
            }
        }
        if let Some(flexible) = self.columns.iter().position(|(_, side)| *side == Side::Flexible) {
            let others: usize = widths.iter().sum::<usize>() - widths[flexible];
            let gaps = MARGIN + GAP * (widths.len() - 1);
            let left = total.saturating_sub(others + gaps).max(LEAST_FLEXIBLE);
            widths[flexible] = widths[flexible].min(left);
        }
        widths
    }

    /// A row; it has more than one line where the flexible cell wraps.
    fn lines(&self, cells: &[Cell], widths: &[usize], look: Look) -> String {
        let mut line = " ".repeat(MARGIN);
        let mut more: Vec<String> = Vec::new();
        let mut flexible_start = MARGIN;
        let mut flexible_style = Style::Plain;
        let mut position = MARGIN;
        let empty = Cell::new();
        for (index, ((_, side), &columns)) in self.columns.iter().zip(widths).enumerate() {
            let cell = cells.get(index).unwrap_or(&empty);
            let text: String = cell.iter().map(|span| span.text.as_str()).collect();
            if index > 0 {
                line.push_str(&" ".repeat(GAP));
                position += GAP;
            }
            match side {
                Side::Flexible => {
                    let style = cell.first().map_or(Style::Plain, |span| span.style);
                    let mut wrapped = wrap(&text, CONJUNCTION, columns).into_iter();
                    let first = wrapped.next().unwrap_or_default();
                    line.push_str(&look.paint(&pad_right(&first, columns), style));
                    more = wrapped.collect();
                    (flexible_start, flexible_style) = (position, style);
                }
                Side::Left => {
                    line.push_str(&painted(cell, look));
                    line.push_str(&pad_left("", columns.saturating_sub(width(&text))));
                }
                Side::Right => {
                    line.push_str(&pad_left("", columns.saturating_sub(width(&text))));
                    line.push_str(&painted(cell, look));
                }
            }
            position += columns;
        }
        let mut text = format!("{}\n", line.trim_end());
        for rest in more {
            text.push_str(&" ".repeat(flexible_start));
            text.push_str(look.paint(&rest, flexible_style).trim_end());
            text.push('\n');
        }
        text
    }
}

fn painted(cell: &Cell, look: Look) -> String {
    cell.iter().map(|span| look.paint(&span.text, span.style)).collect()
}

fn cell_width(cell: &Cell) -> usize {
    cell.iter().map(|span| width(&span.text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_and_one_wraps() {
        let mut grid = Grid::new(vec![("n".into(), Side::Right), ("rule".into(), Side::Flexible)]);
        grid.row(vec![plain("1"), plain("a > 1")]);
        grid.row(vec![plain("10"), plain("first > 100 & second ≤ 2")]);
        grid.rule();
        let look = Look { width: 24, color: false };
        let expected = [
            "   n  rule",
            "  ──────────────────────",
            "   1  a > 1",
            "  10  first > 100 &",
            "        second ≤ 2",
            "  ──────────────────────",
        ];
        assert_eq!(grid.render(look).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn no_text_breaks_a_line_or_turns_it_around() {
        let mut grid = Grid::new(vec![("a\u{202e}".into(), Side::Left), ("b".into(), Side::Flexible)]);
        grid.row(vec![styled("x\ny", Style::Strong), plain("\u{1b}[2J & c")]);
        let expected = ["  a\\u{202e}  b", "  ────────────────────────", "  x\\ny       \\u{1b}[2J & c"];
        let look = Look { width: 60, color: false };
        assert_eq!(grid.render(look).lines().collect::<Vec<_>>(), expected);
    }
}
