//! Predictions as Parquet: numbers as numbers, labels as texts, columns of the data as they were.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow_schema::{Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::kept::array_of;
use super::{Part, names};
use crate::exit::Failure;

/// Rows of a group. Always as many, so that the file does not depend on the parts it was written by.
const GROUP: usize = 128 * 1024;

/// A table under way.
#[derive(Default)]
pub struct Table {
    writer: Option<ArrowWriter<Vec<u8>>>,
    /// Rows that wait for their group to be full.
    waiting: Vec<RecordBatch>,
}

impl Table {
    pub(super) fn rows(&mut self, part: &Part) -> Result<Vec<u8>, Failure> {
        let batch = batch_of(part)?;
        if self.writer.is_none() {
            let level = ZstdLevel::default();
            let properties = WriterProperties::builder().set_compression(Compression::ZSTD(level));
            let properties = properties.set_max_row_group_row_count(Some(GROUP)).build();
            let writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties));
            self.writer = Some(writer.map_err(|error| failed(&error))?);
        }
        self.waiting.push(batch);
        while self.n_waiting() >= GROUP {
            self.write_group()?;
        }
        Ok(self.writer.as_mut().map(|writer| std::mem::take(writer.inner_mut())).unwrap_or_default())
    }

    pub(super) fn finish(mut self) -> Result<Vec<u8>, Failure> {
        if self.n_waiting() > 0 {
            self.write_group()?;
        }
        let Some(writer) = self.writer else { return Ok(Vec::new()) };
        writer.into_inner().map_err(|error| failed(&error))
    }

    fn n_waiting(&self) -> usize {
        self.waiting.iter().map(RecordBatch::num_rows).sum()
    }

    /// Writes the first rows that wait, a group if there are as many. They are put together first: within a group, where
    /// a page ends depends on how rows are handed over.
    fn write_group(&mut self) -> Result<(), Failure> {
        let (mut group, mut left) = (Vec::new(), Vec::new());
        let mut n_free = GROUP;
        for batch in std::mem::take(&mut self.waiting) {
            let taken = batch.num_rows().min(n_free);
            group.push(batch.slice(0, taken));
            left.push(batch.slice(taken, batch.num_rows() - taken));
            n_free -= taken;
        }
        self.waiting = left.into_iter().filter(|batch| batch.num_rows() > 0).collect();
        let (Some(first), Some(writer)) = (group.first(), self.writer.as_mut()) else { return Ok(()) };
        let rows = concat_batches(&first.schema(), &group).map_err(|error| failed(&error))?;
        writer.write(&rows).and_then(|()| writer.flush()).map_err(|error| failed(&error))
    }
}

fn batch_of(part: &Part) -> Result<RecordBatch, Failure> {
    let report = &part.report;
    let number = |column: &Vec<f64>| Arc::new(Float64Array::from(column.clone())) as ArrayRef;
    let scores = report.scores.iter().map(number);
    let probabilities = report.probabilities.iter().map(number);
    let labels = report.labels.iter().map(|&class| report.classes[class].as_str());
    let label = || Arc::new(StringArray::from_iter_values(labels)) as ArrayRef;
    let mut columns: Vec<ArrayRef> = match report.classes.len() {
        0 => scores.collect(),
        2 => scores.chain(probabilities).chain([label()]).collect(),
        _ => std::iter::once(label()).chain(probabilities).chain(scores).collect(),
    };
    if let Some(rules) = &report.rules {
        let count = |&rules: &usize| i32::try_from(rules).expect("a model has fewer terms");
        columns.push(Arc::new(rules.iter().map(count).collect::<Int32Array>()));
    }
    let kept: Vec<ArrayRef> = part.kept.iter().map(array_of).collect();
    let schema = schema_of(part, &kept, &columns);
    RecordBatch::try_new(schema, kept.into_iter().chain(columns).collect()).map_err(|error| failed(&error))
}

/// Predictions always have a value.
fn schema_of(part: &Part, kept: &[ArrayRef], predicted: &[ArrayRef]) -> SchemaRef {
    let of_data = part.kept.iter().zip(kept);
    let of_data = of_data.map(|(column, array)| Field::new(&column.name, array.data_type().clone(), true));
    let names = names(&part.report.classes, part.report.rules.is_some());
    let of_model = names.iter().zip(predicted);
    let of_model = of_model.map(|(name, array)| Field::new(name, array.data_type().clone(), false));
    Arc::new(Schema::new(of_data.chain(of_model).collect::<Vec<_>>()))
}

fn failed(error: &dyn std::fmt::Display) -> Failure {
    lire::Error::io("Parquet", std::io::Error::other(error.to_string())).into()
}
