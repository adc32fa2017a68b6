//! A generated table, and how it is written.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;

/// The name of the target column.
pub const TARGET: &str = "y";

/// Rows of numbers with their targets.
pub struct Generated {
    pub n_columns: usize,
    /// The features of all rows, row by row.
    pub features: Vec<f64>,
    pub targets: Vec<String>,
}

impl Generated {
    /// Draws rows one after the other.
    pub fn of(n_rows: usize, n_columns: usize, mut row: impl FnMut(&mut Vec<f64>) -> String) -> Self {
        let mut features = Vec::with_capacity(n_rows * n_columns);
        let targets = (0..n_rows).map(|_| row(&mut features)).collect();
        Self { n_columns, features, targets }
    }

    /// Writes the first rows to one file and the others to another.
    pub fn write(&self, first: &Path, others: &Path, n_first: usize) -> Result<()> {
        self.write_rows(first, 0..n_first)?;
        self.write_rows(others, n_first..self.targets.len())
    }

    fn write_rows(&self, path: &Path, rows: std::ops::Range<usize>) -> Result<()> {
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        let header: Vec<String> = (0..self.n_columns).map(|column| format!("x{column}")).collect();
        writeln!(out, "{},{TARGET}", header.join(","))?;
        let mut line = String::new();
        for row in rows {
            line.clear();
            for value in &self.features[row * self.n_columns..(row + 1) * self.n_columns] {
                // Enough digits for any rule, and shorter files.
                write!(line, "{},", (value * 1e4).round() / 1e4)?;
            }
            writeln!(out, "{line}{}", self.targets[row])?;
        }
        Ok(out.flush()?)
    }
}
