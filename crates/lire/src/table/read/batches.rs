//! A file part by part, in memory that does not grow with its rows.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "parquet")]
use arrow_array::ArrayRef;

use super::{Format, ReadOptions, csv, format_of, gzip, parquet};
use crate::error::{Error, Result};
use crate::table::{Interned, RawCells, RawColumn, RawTable};

/// Cells read at once if nothing else was said: some tens of megabytes.
const CELLS: usize = 2 << 20;
/// Rows read at once whatever their number of columns: enough to share them among many threads, and not too many.
const MOST_ROWS: usize = 64 * 1024;
const FEWEST_ROWS: usize = 256;
/// Long texts end a batch before its rows do.
const BYTES: usize = 32 << 20;

/// Which columns of a file are read, and how many rows at a time. The default reads all columns.
#[derive(Debug, Clone, Default)]
pub struct BatchOptions {
    /// How the file is read.
    pub read: ReadOptions,
    /// The columns whose cells are needed; all if not given. Others keep their names only.
    pub columns: Option<Vec<String>>,
    /// Columns that are also passed on as they stand in the file.
    pub keep: Vec<String>,
    /// The rows of a batch; if not given, as many as fit into some tens of megabytes.
    pub rows: Option<usize>,
}

/// Some rows of a file.
#[derive(Debug)]
pub struct Batch {
    /// The position of the first row in the file, counted from 0.
    pub first_row: usize,
    /// The rows, whose messages count as the file does. Columns that are not needed hold nothing that can be used.
    pub table: RawTable,
    /// The columns that are passed on, in the order in which they were asked for.
    pub kept: Vec<Kept>,
}

/// A column passed on as it stands in the file.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub cells: KeptCells,
}

/// The cells of such a column, as their format has them.
#[derive(Debug, Clone)]
pub enum KeptCells {
    /// Texts of a CSV file, with the blanks around them.
    Texts(Interned),
    /// Values of a Parquet file.
    #[cfg(feature = "parquet")]
    Values(ArrayRef),
}

/// The batches of a file, in order. Rows before a failure come first, so that it matters to no one how many rows a batch
/// has; after a failure there are no more.
pub struct Batches<'a> {
    source: String,
    rows: Box<dyn Source + 'a>,
    keep: Vec<String>,
    n_read: usize,
    is_done: bool,
    /// Of a file that is read from start to end: how many bytes of how many were read.
    bytes: Option<(Arc<AtomicU64>, u64)>,
}

/// What a format has to be able to do.
pub(super) trait Source: Send {
    /// The next rows; none at the end. A failure behind some rows is kept for the next call.
    fn part(&mut self) -> Result<Part>;

    /// Which share of the rows was read, where their number is known.
    fn share_read(&self) -> Option<f64> {
        None
    }
}

/// Some rows of a file, with all columns.
pub(super) struct Part {
    pub columns: Vec<RawColumn>,
    pub kept: Vec<Kept>,
    pub n_rows: usize,
}

/// A stream of bytes.
pub(super) type Stream<'a> = Box<dyn Read + Send + 'a>;

impl Batches<'static> {
    /// Opens a CSV file (plain or gzip-compressed) or a Parquet file; `-` is standard input.
    pub fn open(path: &Path, options: &BatchOptions) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Self::of_stream(std::io::stdin(), "standard input", options);
        }
        let source = path.display().to_string();
        let failed = |error| Error::io(path, error);
        let mut file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(Error::data(source, "this is a directory; give a CSV or Parquet file"));
        }
        let (format, start) = format_of(&mut file).map_err(failed)?;
        if format == Format::Parquet {
            let rows = parquet::open(file, &source, options)?;
            return Ok(Self::of(source, rows, options));
        }
        let n_read = Arc::new(AtomicU64::new(start.len() as u64));
        let stream = Cursor::new(start).chain(Counted { stream: file, n_read: n_read.clone() });
        let rows = text_rows(format, Box::new(stream), &source, options)?;
        let bytes = metadata.is_file().then_some((n_read, metadata.len()));
        Ok(Self { bytes, ..Self::of(source, rows, options) })
    }
}

impl<'a> Batches<'a> {
    /// The same of any stream; the source's name begins the error messages. Parquet, whose index stands at its end, is
    /// read into memory as it is stored.
    pub fn of_stream(
        mut stream: impl Read + Send + 'a,
        source: &str,
        options: &BatchOptions,
    ) -> Result<Self> {
        let failed = |error| Error::io(source, error);
        let (format, start) = format_of(&mut stream).map_err(failed)?;
        let mut stream = Cursor::new(start).chain(stream);
        let rows = if format == Format::Parquet {
            let mut content = Vec::new();
            stream.read_to_end(&mut content).map_err(failed)?;
            parquet::open_bytes(content, source, options)?
        } else {
            text_rows(format, Box::new(stream), source, options)?
        };
        Ok(Self::of(source.to_owned(), rows, options))
    }

    fn of(source: String, rows: Box<dyn Source + 'a>, options: &BatchOptions) -> Self {
        Self { source, rows, keep: options.keep.clone(), n_read: 0, is_done: false, bytes: None }
    }

    /// Which share of the file was read, from 0 to 1, where its size is known.
    pub fn share_read(&self) -> Option<f64> {
        let of_bytes = |(n_read, total): &(Arc<AtomicU64>, u64)| {
            (n_read.load(Ordering::Relaxed) as f64 / (*total).max(1) as f64).min(1.0)
        };
        self.rows.share_read().or_else(|| self.bytes.as_ref().map(of_bytes))
    }

    /// All rows as one table. The options ask for no end of rows.
    pub(super) fn whole(mut self) -> Result<RawTable> {
        let first = self.next().expect("a file without rows is a failure")?;
        match self.next() {
            None => Ok(first.table),
            Some(Err(error)) => Err(error),
            Some(Ok(_)) => unreachable!("the first batch had no end"),
        }
    }

    fn batch(&mut self) -> Result<Option<Batch>> {
        let Part { columns, kept, n_rows } = self.rows.part()?;
        if n_rows == 0 && self.n_read > 0 {
            return Ok(None);
        }
        let first_row = self.n_read;
        let table = RawTable::new(&self.source, columns, n_rows)?.after_rows(first_row);
        for name in &self.keep {
            table.column(name)?;
        }
        self.n_read += n_rows;
        Ok(Some(Batch { first_row, table, kept }))
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let batch = self.batch().transpose();
        self.is_done = !matches!(batch, Some(Ok(_)));
        batch
    }
}

impl BatchOptions {
    /// All rows at once.
    pub(super) fn whole(read: ReadOptions) -> Self {
        Self { read, rows: Some(usize::MAX), ..Self::default() }
    }

    /// For each column whether its cells are needed.
    pub(super) fn are_needed(&self, names: &[&str]) -> Vec<bool> {
        let needed: Option<HashSet<&str>> =
            self.columns.as_ref().map(|columns| columns.iter().map(String::as_str).collect());
        names.iter().map(|name| needed.as_ref().is_none_or(|needed| needed.contains(name))).collect()
    }

    /// The positions of the columns that are passed on. A name without a column is told with the first batch.
    pub(super) fn kept_among(&self, names: &[&str]) -> Vec<usize> {
        let position = |name: &String| names.iter().position(|known| known == name);
        self.keep.iter().filter_map(position).collect()
    }

    /// The most rows and bytes of a batch of so many columns.
    pub(super) fn limits(&self, n_columns: usize) -> (usize, usize) {
        match self.rows {
            Some(rows) => (rows.max(1), usize::MAX),
            None => ((CELLS / n_columns.max(1)).clamp(FEWEST_ROWS, MOST_ROWS), BYTES),
        }
    }
}

/// What stands in place of the cells of a column that is not needed.
pub(super) fn not_needed() -> RawCells {
    RawCells::Unusable("cells that were not read".into())
}

fn text_rows<'a>(
    format: Format,
    stream: Stream<'a>,
    source: &str,
    options: &BatchOptions,
) -> Result<Box<dyn Source + 'a>> {
    let stream = if format == Format::Gzip { gzip::decoded(stream, source)? } else { stream };
    csv::open(stream, source, options)
}

/// Tells how much was read.
struct Counted<R> {
    stream: R,
    n_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.n_read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
