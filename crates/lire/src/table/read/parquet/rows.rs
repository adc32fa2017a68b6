//! The rows of a Parquet file, part by part.

use ::bytes::Bytes;
use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_schema::{FieldRef, SchemaRef};
use arrow_select::concat::concat;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use super::super::batches::{BatchOptions, Kept, KeptCells, Part, Source, not_needed};
use super::{Column, origin_of, unusable};
use crate::error::{Error, Result};
use crate::panics::{catch_panic, silenced};
use crate::table::{RawCells, RawColumn};

/// Rows converted at once: many enough to share them among threads by column, few enough to stay small.
const CHUNK: usize = 64 * 1024;

/// What a column holds if it has moments that cannot be written.
const OUT_OF_RANGE: &str = "dates or times outside the years 1 to 9999";

/// Opens a file to read the columns that rules can use, and the names of the others.
pub(in super::super) fn open(
    file: impl ChunkReader + 'static,
    source: &str,
    options: &BatchOptions,
) -> Result<Box<dyn Source>> {
    // The decoders check most of what a damaged file may claim, and panic on the rest.
    let rows = catch_panic(|| Decoder::open(file, source, options));
    Ok(Box::new(rows.unwrap_or_else(|panic| Err(damaged(source, &panic)))?))
}

/// The same of a file in memory.
pub(in super::super) fn open_bytes(
    content: Vec<u8>,
    source: &str,
    options: &BatchOptions,
) -> Result<Box<dyn Source>> {
    open(Bytes::from(content), source, options)
}

fn damaged(source: &str, error: &dyn std::fmt::Display) -> Error {
    Error::data(source, format!("the Parquet file cannot be read ({error}); write it again"))
}

/// A file under way.
struct Decoder {
    source: String,
    schema: SchemaRef,
    /// For each column its place among those that are decoded, if it is needed, and what it holds if it cannot be used.
    uses: Vec<Use>,
    /// The positions of the columns that are passed on, and their places among those that are decoded.
    kept: Vec<(usize, usize)>,
    /// None where no column is decoded.
    chunks: Option<ParquetRecordBatchReader>,
    most_rows: usize,
    n_rows: usize,
    n_read: usize,
    /// What went wrong behind the rows that were read last.
    failure: Option<Error>,
}

enum Use {
    Needed(usize),
    Unusable(&'static str),
    NotNeeded,
}

impl Decoder {
    fn open(file: impl ChunkReader + 'static, source: &str, options: &BatchOptions) -> Result<Self> {
        let damaged = |error: &dyn std::fmt::Display| damaged(source, error);
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| damaged(&error))?;
        let schema = builder.schema().clone();
        let n_rows = usize::try_from(builder.metadata().file_metadata().num_rows())
            .map_err(|error| damaged(&error))?;
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let kept = options.kept_among(&names);
        let are_needed = options.are_needed(&names);
        let what = |position: usize| unusable(schema.field(position).data_type());
        let is_decoded = |position: &usize| {
            kept.contains(position) || (are_needed[*position] && what(*position).is_none())
        };
        let decoded: Vec<usize> = (0..schema.fields().len()).filter(is_decoded).collect();
        let place = |position: usize| decoded.binary_search(&position).expect("it is decoded");
        let of_column = |(position, &is_needed): (usize, &bool)| match what(position) {
            Some(what) => Use::Unusable(what),
            None if is_needed => Use::Needed(place(position)),
            None => Use::NotNeeded,
        };
        let uses = are_needed.iter().enumerate().map(of_column).collect();
        let kept = kept.iter().map(|&position| (position, place(position))).collect();
        let most_rows = most_rows(builder.metadata(), &decoded, options);
        let mask = ProjectionMask::roots(builder.parquet_schema(), decoded.iter().copied());
        let chunks = builder.with_projection(mask).with_batch_size(most_rows.min(CHUNK));
        let chunks =
            if decoded.is_empty() { None } else { Some(chunks.build().map_err(|error| damaged(&error))?) };
        let source = source.to_owned();
        Ok(Self { source, schema, uses, kept, chunks, most_rows, n_rows, n_read: 0, failure: None })
    }

    /// Decodes and converts the next rows.
    fn decode(&mut self) -> Result<Part> {
        let mut converted: Vec<Column> = self.uses.iter().map(|_| Column::new()).collect();
        let mut kept: Vec<Vec<ArrayRef>> = vec![Vec::new(); self.kept.len()];
        let mut n_rows = 0;
        let Some(chunks) = &mut self.chunks else {
            let n_rows = (self.n_rows - self.n_read).min(self.most_rows);
            return self.finished(converted, &kept, n_rows);
        };
        while n_rows < self.most_rows {
            let chunk = match chunks.next() {
                None if self.n_read + n_rows != self.n_rows => {
                    let message =
                        format!("it has {} rows, its index says {}", self.n_read + n_rows, self.n_rows);
                    return Err(damaged(&self.source, &message));
                }
                None => break,
                Some(Ok(chunk)) => chunk,
                Some(Err(error)) if n_rows == 0 => return Err(damaged(&self.source, &error)),
                Some(Err(error)) => {
                    self.failure = Some(damaged(&self.source, &error));
                    break;
                }
            };
            converted.par_iter_mut().zip(&self.uses).for_each(|(column, used)| {
                if let Use::Needed(place) = used {
                    silenced(|| column.extend(chunk.column(*place).as_ref()));
                }
            });
            for (arrays, (_, place)) in kept.iter_mut().zip(&self.kept) {
                arrays.push(chunk.column(*place).clone());
            }
            n_rows += chunk.num_rows();
        }
        self.finished(converted, &kept, n_rows)
    }

    fn finished(&mut self, converted: Vec<Column>, kept: &[Vec<ArrayRef>], n_rows: usize) -> Result<Part> {
        self.n_read += n_rows;
        let column = |((field, used), column): ((&FieldRef, &Use), Column)| {
            let cells = match used {
                Use::Unusable(what) => RawCells::Unusable((*what).into()),
                Use::NotNeeded => not_needed(),
                Use::Needed(_) if column.is_out_of_range => RawCells::Unusable(OUT_OF_RANGE.into()),
                Use::Needed(_) => {
                    RawCells::Text(column.interner.finish().with_origin(origin_of(field.data_type())))
                }
            };
            RawColumn { name: field.name().clone(), cells }
        };
        let columns = self.schema.fields().iter().zip(&self.uses).zip(converted).map(column).collect();
        let passed_on = |((position, _), arrays): (&(usize, usize), &Vec<ArrayRef>)| {
            let field = self.schema.field(*position);
            let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
            let values = match arrays[..] {
                [] => new_empty_array(field.data_type()),
                _ => concat(&arrays).map_err(|error| damaged(&self.source, &error))?,
            };
            Ok(Kept { name: field.name().clone(), cells: KeptCells::Values(values) })
        };
        let kept = self.kept.iter().zip(kept).map(passed_on).collect::<Result<_>>()?;
        Ok(Part { columns, kept, n_rows })
    }
}

impl Source for Decoder {
    fn part(&mut self) -> Result<Part> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        catch_panic(|| self.decode()).unwrap_or_else(|panic| Err(damaged(&self.source, &panic)))
    }

    fn share_read(&self) -> Option<f64> {
        Some(self.n_read as f64 / self.n_rows.max(1) as f64)
    }
}

/// The rows of a part: fewer where rows are long, as the file's index says.
fn most_rows(metadata: &ParquetMetaData, decoded: &[usize], options: &BatchOptions) -> usize {
    let (rows, bytes) = options.limits(decoded.len());
    let columns = metadata.file_metadata().schema_descr();
    let bytes_per_row = metadata.row_groups().iter().map(|group| {
        let is_decoded = |place: &usize| decoded.binary_search(&columns.get_column_root_idx(*place)).is_ok();
        let of_columns = (0..group.num_columns()).filter(is_decoded);
        let size: i64 = of_columns.map(|place| group.column(place).uncompressed_size().max(0)).sum();
        size as f64 / group.num_rows().max(1) as f64
    });
    let longest = bytes_per_row.fold(1.0, f64::max);
    rows.min((bytes as f64 / longest) as usize).max(1)
}
