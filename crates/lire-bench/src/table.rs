//! Result tables as Markdown, ready for the documentation.

use std::fmt;

/// A header and rows of cells.
pub struct Table {
    rows: Vec<Vec<String>>,
}

/// An empty table with a header.
pub fn markdown(header: &[&str]) -> Table {
    Table { rows: vec![header.iter().map(ToString::to_string).collect()] }
}

impl Table {
    /// Adds a row of as many cells as the header has.
    pub fn add_row(&mut self, cells: impl Into<Vec<String>>) {
        self.rows.push(cells.into());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width).collect();
        for (nth, row) in self.rows.iter().enumerate() {
            for (cell, width) in row.iter().zip(&widths) {
                write!(f, "| {cell:width$} ")?;
            }
            writeln!(f, "|")?;
            if nth == 0 {
                for width in &widths {
                    write!(f, "|{}", "-".repeat(width + 2))?;
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}
