//! Measure time and memory of the `lire` command on growing copies of a table.
//!
//! Each copy is the table repeated, with noise so that hardly any two rows are equal: numbers move by up to a
//! twentieth of their column's spread, and one category in fifty is replaced by that of another row.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::memory::measure;
use crate::random::Random;
use crate::table::markdown;

/// The table, and how often to repeat it.
#[derive(clap::Args)]
pub struct Arguments {
    /// A CSV file with a header and the target in the last column; no quoted fields.
    data: PathBuf,
    /// The target column.
    #[arg(long)]
    target: String,
    /// How often to repeat the rows, ascending.
    #[arg(long, value_delimiter = ',', default_value = "1,10,100")]
    factors: Vec<usize>,
    /// The lire binary.
    #[arg(long, default_value = "target/release/lire")]
    lire: PathBuf,
    /// Threads; all cores by default.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let text =
        std::fs::read_to_string(&arguments.data).with_context(|| arguments.data.display().to_string())?;
    let source = Source::of(&text)?;
    let folder = tempfile::tempdir()?;
    let mut table = markdown(&["rows", "seconds", "µs a row", "peak MB"]);
    for &factor in &arguments.factors {
        let path = folder.path().join(format!("times-{factor}.csv"));
        source.write(&path, factor)?;
        let mut command = Command::new(&arguments.lire);
        command.arg("fit").arg(&path).args(["--target", &arguments.target, "--quiet"]);
        command.args(["--gamma", "0.0005", "--lambda", "0.1", "--loss", "exponential"]);
        command.args(["--min-coverage", "0.01", "--ridge", "0.001", "--out"]);
        command.arg(folder.path().join("model.json")).stdout(Stdio::null());
        if arguments.threads > 0 {
            command.args(["--threads", &arguments.threads.to_string()]);
        }
        let run = measure(&mut command)?;
        if !run.status.success() {
            bail!("{command:?} ended with {}", run.status);
        }
        let (n_rows, seconds) = (source.rows.len() * factor, run.time.as_secs_f64());
        table.add_row([
            n_rows.to_string(),
            format!("{seconds:.2}"),
            format!("{:.2}", seconds * 1e6 / n_rows as f64),
            format!("{:.0}", run.peak_megabytes),
        ]);
        std::fs::remove_file(path)?;
    }
    println!("{table}");
    Ok(())
}

/// A table as text, with the spread of its numeric columns.
struct Source<'a> {
    header: &'a str,
    rows: Vec<Vec<&'a str>>,
    /// For numeric columns the standard deviation; none for others and for the target.
    spreads: Vec<Option<f64>>,
}

impl<'a> Source<'a> {
    fn of(text: &'a str) -> Result<Self> {
        let mut lines = text.lines();
        let header = lines.next().context("the file is empty")?;
        let n_columns = header.split(',').count();
        let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
        ensure!(rows.iter().all(|row| row.len() == n_columns), "a row has not {n_columns} fields");
        let spread = |column: usize| {
            let numbers: Option<Vec<f64>> = rows.iter().map(|row| row[column].parse().ok()).collect();
            let numbers = numbers.filter(|numbers| !numbers.is_empty() && column + 1 < n_columns)?;
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            Some((numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / numbers.len() as f64).sqrt())
        };
        let spreads = (0..n_columns).map(spread).collect();
        Ok(Self { header, rows, spreads })
    }

    fn write(&self, path: &Path, factor: usize) -> Result<()> {
        let mut out = BufWriter::new(std::fs::File::create(path)?);
        writeln!(out, "{}", self.header)?;
        let mut random = Random::new(1);
        let mut line = String::new();
        for copy in 0..factor {
            for row in &self.rows {
                line.clear();
                for (column, cell) in row.iter().enumerate() {
                    if column > 0 {
                        line.push(',');
                    }
                    self.push_cell(&mut line, column, cell, copy, &mut random)?;
                }
                writeln!(out, "{line}")?;
            }
        }
        Ok(out.flush()?)
    }

    fn push_cell(
        &self,
        line: &mut String,
        column: usize,
        cell: &str,
        copy: usize,
        random: &mut Random,
    ) -> Result<()> {
        let is_target = column + 1 == self.spreads.len();
        match self.spreads[column] {
            Some(spread) if copy > 0 => {
                let moved = cell.parse::<f64>()? + 0.05 * spread * (2.0 * random.uniform() - 1.0);
                write!(line, "{:.0}", moved.max(0.0))?;
            }
            None if copy > 0 && !is_target && random.uniform() < 0.02 => {
                let other = (random.uniform() * self.rows.len() as f64) as usize;
                line.push_str(self.rows[other][column]);
            }
            _ => line.push_str(cell),
        }
        Ok(())
    }
}
