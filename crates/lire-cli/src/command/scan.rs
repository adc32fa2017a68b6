//! The rows of a file as a model wants them, part by part: the next part is read while one is worked on.

use std::time::Instant;

use lire::Model;
use lire::table::{BatchOptions, Batches, Kept, Table};

use super::unseen::Unseen;
use crate::args::ModelAndData;
use crate::console::Console;
use crate::exit::{Failure, Reading};
use crate::progress::Activity;
use crate::render::numbers::{count, seconds};

/// The rows of a file.
pub struct Scan<'a> {
    /// What the rows are for.
    pub model: &'a Model,
    /// The file's name.
    pub name: String,
    /// Texts that stand for a missing value.
    pub missing: Vec<String>,
    /// The file, part by part.
    pub batches: Batches<'a>,
}

/// Some rows of the file.
pub struct Scanned {
    /// The position of the first, counted from 0.
    pub first_row: usize,
    /// The model's columns.
    pub table: Table,
    /// The columns that are passed on.
    pub kept: Vec<Kept>,
}

impl<'a> Scan<'a> {
    /// Opens the file.
    pub fn open(model: &'a Model, inputs: &ModelAndData, keep: &[String]) -> Result<Self, Failure> {
        let batches = Batches::open(&inputs.data, &options(model, keep)).map_err(unread)?;
        let missing = inputs.missing.clone().unwrap_or_else(|| model.file().config.missing());
        Ok(Self { model, name: inputs.data.display().to_string(), missing, batches })
    }

    /// Works on all rows in order, and tells what there is to say of them; gives their number. Shows what is being done
    /// to them, if that has a name.
    pub fn each(
        mut self,
        what: Option<&str>,
        console: &Console,
        mut work: impl FnMut(Scanned) -> Result<(), Failure> + Send,
    ) -> Result<usize, Failure> {
        let started = Instant::now();
        let activity = what.map(|what| Activity::start(console, format!("{what} {}", self.name)));
        let mut unseen = Unseen::default();
        let mut n_rows = 0;
        let mut next = self.batches.next().transpose().map_err(unread)?;
        while let Some(batch) = next {
            n_rows += batch.table.n_rows();
            let Self { model, missing, batches, .. } = &mut self;
            let unseen = &mut unseen;
            let done = || {
                let table = Table::for_schema(&batch.table, model.schema(), missing)?;
                unseen.add(&table);
                work(Scanned { first_row: batch.first_row, table, kept: batch.kept })
            };
            let (read, done) = rayon::join(|| batches.next().transpose().map_err(unread), done);
            // The rows at hand come before those just read, and so do their failures.
            done?;
            next = read?;
            if let Some(activity) = &activity {
                activity.rows(n_rows, self.batches.share_read());
            }
        }
        drop(activity);
        unseen.tell(self.model, console);
        let passed = started.elapsed().as_secs_f64();
        let rate = n_rows as f64 / passed.max(f64::MIN_POSITIVE);
        let rows = count(n_rows, "row");
        console.detail(&format!("{rows} in {}, {rate:.0} a second", seconds(passed)));
        Ok(n_rows)
    }
}

/// The model's columns are read, and those passed on.
pub fn options(model: &Model, keep: &[String]) -> BatchOptions {
    let columns = model.schema().features.iter().map(|feature| feature.name.clone()).collect();
    BatchOptions { columns: Some(columns), keep: keep.to_vec(), ..BatchOptions::default() }
}

fn unread(error: lire::Error) -> Failure {
    Failure::reading(error, Reading::Data)
}
