//! Columns of the data beside the predictions: as values of a text, and as they are in Parquet.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, ArrowTemporalType, Date32Type, Date64Type, Decimal32Type, Decimal64Type,
    Decimal128Type, Decimal256Type, DecimalType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::{DataType, TimeUnit};
use arrow_select::take::take;
use lire::table::{Kept, KeptCells};

use crate::exit::Failure;

/// The value of a cell.
#[derive(Debug, PartialEq)]
pub enum Value<'a> {
    Missing,
    Text(Cow<'a, str>),
    /// A number of 64 bits.
    Number(f64),
    /// Any other number or a truth value, as both CSV and JSON write it.
    Literal(String),
}

impl Value<'_> {
    /// As it stands in a text; nothing where it is missing.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Missing => Cow::Borrowed(""),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(number) => Cow::Owned(number.to_string()),
            Self::Literal(literal) => Cow::Borrowed(literal),
        }
    }
}

/// The value in a row.
pub fn value_of(column: &Kept, row: usize) -> Value<'_> {
    match &column.cells {
        KeptCells::Texts(cells) => match cells.cell(row) {
            Ok(text) if !text.is_empty() => Value::Text(Cow::Borrowed(text)),
            _ => Value::Missing,
        },
        KeptCells::Values(array) if array.is_null(row) => Value::Missing,
        KeptCells::Values(array) => value_at(array.as_ref(), row),
    }
}

/// The column as Parquet has it: text of a CSV file stays text, and an empty cell has no value.
pub fn array_of(column: &Kept) -> ArrayRef {
    match &column.cells {
        KeptCells::Texts(cells) => {
            let cell = |row| cells.cell(row).ok().filter(|text| !text.is_empty());
            Arc::new((0..cells.len()).map(cell).collect::<StringArray>())
        }
        KeptCells::Values(array) => array.clone(),
    }
}

/// The column for a text, which cannot hold values of all kinds.
pub fn for_text(column: Kept) -> Result<Kept, Failure> {
    let Kept { name, cells: KeptCells::Values(array) } = column else { return Ok(column) };
    if !is_writable(array.data_type()) {
        let message = format!(
            "--keep: column `{name}` holds values that a text cannot hold; write parquet, or leave it out"
        );
        return Err(Failure::usage(message));
    }
    let array = match array.as_any_dictionary_opt() {
        None => array,
        Some(dictionary) => take(dictionary.values().as_ref(), dictionary.keys(), None)
            .map_err(|error| lire::Error::data(format!("column `{name}`"), error.to_string()))?,
    };
    Ok(Kept { name, cells: KeptCells::Values(array) })
}

fn is_writable(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_writable(values),
        DataType::Null
        | DataType::Boolean
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Date32
        | DataType::Date64
        | DataType::Timestamp(..)
        | DataType::Time32(_)
        | DataType::Time64(_) => true,
        kind => kind.is_numeric(),
    }
}

/// The value of a cell that has one.
fn value_at(array: &dyn Array, row: usize) -> Value<'_> {
    match array.data_type() {
        DataType::Boolean => Value::Literal(array.as_boolean().value(row).to_string()),
        DataType::Utf8 => text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => text(array.as_string_view().value(row)),
        DataType::Int8 => whole::<Int8Type>(array, row),
        DataType::Int16 => whole::<Int16Type>(array, row),
        DataType::Int32 => whole::<Int32Type>(array, row),
        DataType::Int64 => whole::<Int64Type>(array, row),
        DataType::UInt8 => whole::<UInt8Type>(array, row),
        DataType::UInt16 => whole::<UInt16Type>(array, row),
        DataType::UInt32 => whole::<UInt32Type>(array, row),
        DataType::UInt64 => whole::<UInt64Type>(array, row),
        DataType::Float16 => {
            narrow(f64::from(array.as_primitive::<Float16Type>().value(row)), |value| value.to_string())
        }
        DataType::Float32 => {
            let value = array.as_primitive::<Float32Type>().value(row);
            narrow(f64::from(value), |_| value.to_string())
        }
        DataType::Float64 => match array.as_primitive::<Float64Type>().value(row) {
            value if value.is_finite() => Value::Number(value),
            value => narrow(value, |value| value.to_string()),
        },
        DataType::Decimal32(..) => decimal::<Decimal32Type>(array, row),
        DataType::Decimal64(..) => decimal::<Decimal64Type>(array, row),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array, row),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array, row),
        _ => time_at(array, row),
    }
}

/// A date or time as ISO 8601 has it; with a zone it is in universal time.
fn time_at(array: &dyn Array, row: usize) -> Value<'_> {
    match array.data_type() {
        DataType::Date32 => iso(array.as_primitive::<Date32Type>().value_as_date(row), ""),
        DataType::Date64 => iso(array.as_primitive::<Date64Type>().value_as_date(row), ""),
        DataType::Time32(TimeUnit::Second) => {
            iso(array.as_primitive::<Time32SecondType>().value_as_time(row), "")
        }
        DataType::Time32(_) => iso(array.as_primitive::<Time32MillisecondType>().value_as_time(row), ""),
        DataType::Time64(TimeUnit::Microsecond) => {
            iso(array.as_primitive::<Time64MicrosecondType>().value_as_time(row), "")
        }
        DataType::Time64(_) => iso(array.as_primitive::<Time64NanosecondType>().value_as_time(row), ""),
        DataType::Timestamp(unit, zone) => {
            let end = if zone.is_some() { "Z" } else { "" };
            match unit {
                TimeUnit::Second => instant::<TimestampSecondType>(array, row, end),
                TimeUnit::Millisecond => instant::<TimestampMillisecondType>(array, row, end),
                TimeUnit::Microsecond => instant::<TimestampMicrosecondType>(array, row, end),
                TimeUnit::Nanosecond => instant::<TimestampNanosecondType>(array, row, end),
            }
        }
        _ => Value::Missing,
    }
}

fn text(text: &str) -> Value<'_> {
    Value::Text(Cow::Borrowed(text))
}

fn whole<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Value<'_>
where
    T::Native: ToString,
{
    Value::Literal(array.as_primitive::<T>().value(row).to_string())
}

fn decimal<T: DecimalType>(array: &dyn Array, row: usize) -> Value<'_> {
    Value::Literal(array.as_primitive::<T>().value_as_string(row))
}

/// A number that may be none, or infinite, which JSON has no word for.
fn narrow<'a>(value: f64, digits: impl Fn(f64) -> String) -> Value<'a> {
    match value {
        value if value.is_nan() => Value::Missing,
        value if value.is_infinite() => Value::Text(Cow::Owned(value.to_string())),
        value => Value::Literal(digits(value)),
    }
}

fn instant<'a, T: ArrowTemporalType>(array: &'a dyn Array, row: usize, end: &str) -> Value<'a>
where
    i64: From<T::Native>,
{
    iso(array.as_primitive::<T>().value_as_datetime(row), end)
}

/// What is beyond the calendar has no text.
fn iso<'a>(value: Option<impl Debug>, end: &str) -> Value<'a> {
    value.map_or(Value::Missing, |value| Value::Text(Cow::Owned(format!("{value:?}{end}"))))
}
