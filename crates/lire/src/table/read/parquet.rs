//! Parquet: columns become texts as if they came from CSV. Numbers stay numbers, and texts stay texts.

use ::bytes::Bytes;
use ahash::{HashMap, HashMapExt};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::panics::{catch_panic, silenced};
use crate::table::{Interner, Origin, RawCells, RawColumn, RawTable, text_of_number};

/// Rows converted at once: many enough to share them among threads by column, few enough to stay small.
const BATCH: usize = 64 * 1024;

/// Reads the columns that rules can use, and the names of the others.
pub(super) fn read(file: impl ChunkReader + 'static, source: &str) -> Result<RawTable> {
    // The decoders check most of what a damaged file may claim, and panic on the rest.
    catch_panic(|| decode(file, source)).unwrap_or_else(|panic| Err(damaged(source, &panic)))
}

/// The same of a file in memory.
pub(super) fn read_bytes(content: Vec<u8>, source: &str) -> Result<RawTable> {
    read(Bytes::from(content), source)
}

fn damaged(source: &str, error: &dyn std::fmt::Display) -> Error {
    Error::data(source, format!("the Parquet file cannot be read ({error}); write it again"))
}

fn decode(file: impl ChunkReader + 'static, source: &str) -> Result<RawTable> {
    let damaged = |error: &dyn std::fmt::Display| damaged(source, error);
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| damaged(&error))?;
    let schema = builder.schema().clone();
    let n_rows =
        usize::try_from(builder.metadata().file_metadata().num_rows()).map_err(|error| damaged(&error))?;
    let is_usable = |position: &usize| unusable(schema.field(*position).data_type()).is_none();
    let usable: Vec<usize> = (0..schema.fields().len()).filter(is_usable).collect();
    let mask = ProjectionMask::roots(builder.parquet_schema(), usable.iter().copied());
    let mut converted: Vec<Column> = usable.iter().map(|_| Column::new()).collect();
    if !usable.is_empty() {
        let batches =
            builder.with_projection(mask).with_batch_size(BATCH).build().map_err(|error| damaged(&error))?;
        for batch in batches {
            let batch = batch.map_err(|error| damaged(&error))?;
            converted
                .par_iter_mut()
                .zip(batch.columns())
                .for_each(|(column, array)| silenced(|| column.extend(array.as_ref())));
        }
    }
    let mut converted = converted.into_iter();
    let columns = schema.fields().iter().map(|field| {
        let cells = match (unusable(field.data_type()), &mut converted) {
            (Some(what), _) => RawCells::Unusable(what.into()),
            (None, converted) => {
                let column = converted.next().expect("each usable column was converted");
                RawCells::Text(column.interner.finish().with_origin(origin_of(field.data_type())))
            }
        };
        RawColumn { name: field.name().clone(), cells }
    });
    RawTable::new(source, columns.collect(), n_rows)
}

/// What a column holds if no rule can use it.
fn unusable(kind: &DataType) -> Option<&'static str> {
    match kind {
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Some("dates"),
        DataType::Time32(_) | DataType::Time64(_) | DataType::Duration(_) | DataType::Interval(_) => {
            Some("times")
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            Some("binary data")
        }
        DataType::Dictionary(_, values) => unusable(values),
        DataType::Null | DataType::Boolean | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            None
        }
        kind if kind.is_numeric() => None,
        _ => Some("nested values"),
    }
}

/// What the file says of a column's cells. Categories are texts, whatever they are categories of.
fn origin_of(kind: &DataType) -> Origin {
    match kind {
        DataType::Boolean => Origin::Truth,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..) => Origin::Text,
        kind if kind.is_numeric() => Origin::Number,
        _ => Origin::Untyped,
    }
}

/// A column under way.
struct Column {
    interner: Interner,
    /// The codes of the numbers met, by their bits, so that each distinct number is written out only once.
    numbers: HashMap<u64, u32>,
}

impl Column {
    fn new() -> Self {
        Self { interner: Interner::default(), numbers: HashMap::new() }
    }

    fn extend(&mut self, array: &dyn Array) {
        for code in self.codes_of(array) {
            self.interner.push_code(code).expect("the code of a text that was met");
        }
    }

    /// The code of each cell of an array.
    fn codes_of(&mut self, array: &dyn Array) -> Vec<u32> {
        match array.data_type() {
            DataType::Boolean => {
                let text = |value| if value { "true" } else { "false" };
                self.texts(array.as_boolean().iter().map(|value| value.map(text)))
            }
            DataType::Utf8 => self.texts(array.as_string::<i32>().iter()),
            DataType::LargeUtf8 => self.texts(array.as_string::<i64>().iter()),
            DataType::Utf8View => self.texts(array.as_string_view().iter()),
            DataType::Int8 => self.numbers::<Int8Type>(array, |value| value as u64),
            DataType::Int16 => self.numbers::<Int16Type>(array, |value| value as u64),
            DataType::Int32 => self.numbers::<Int32Type>(array, |value| value as u64),
            DataType::Int64 => self.numbers::<Int64Type>(array, |value| value as u64),
            DataType::UInt8 => self.numbers::<UInt8Type>(array, u64::from),
            DataType::UInt16 => self.numbers::<UInt16Type>(array, u64::from),
            DataType::UInt32 => self.numbers::<UInt32Type>(array, u64::from),
            DataType::UInt64 => self.numbers::<UInt64Type>(array, |value| value),
            // The exact value counts, as in a program that widens it, and not the shortest text of the narrow type.
            DataType::Float16 => self.reals::<Float16Type>(array, f64::from),
            DataType::Float32 => self.reals::<Float32Type>(array, f64::from),
            DataType::Float64 => self.reals::<Float64Type>(array, |value| value),
            DataType::Decimal32(..) => self.decimals::<Decimal32Type>(array),
            DataType::Decimal64(..) => self.decimals::<Decimal64Type>(array),
            DataType::Decimal128(..) => self.decimals::<Decimal128Type>(array),
            DataType::Decimal256(..) => self.decimals::<Decimal256Type>(array),
            DataType::Dictionary(..) => self.dictionary(array),
            _ => vec![self.missing(); array.len()],
        }
    }

    fn missing(&mut self) -> u32 {
        self.interner.code_of("")
    }

    fn texts<'a>(&mut self, cells: impl Iterator<Item = Option<&'a str>>) -> Vec<u32> {
        let missing = self.missing();
        cells.map(code_or(missing, |text: &str| self.interner.code_of(text.trim_ascii()))).collect()
    }

    fn numbers<T: ArrowPrimitiveType>(
        &mut self,
        array: &dyn Array,
        bits: impl Fn(T::Native) -> u64,
    ) -> Vec<u32>
    where
        T::Native: std::fmt::Display,
    {
        let array = array.as_primitive::<T>();
        let missing = self.missing();
        let Self { interner, numbers } = self;
        let code = |value: T::Native| {
            *numbers.entry(bits(value)).or_insert_with(|| interner.code_of(&value.to_string()))
        };
        array.iter().map(code_or(missing, code)).collect()
    }

    fn reals<T: ArrowPrimitiveType>(
        &mut self,
        array: &dyn Array,
        widen: impl Fn(T::Native) -> f64,
    ) -> Vec<u32> {
        let array = array.as_primitive::<T>();
        let missing = self.missing();
        let Self { interner, numbers } = self;
        let code = |value: T::Native| {
            let value = widen(value);
            if value.is_nan() {
                return missing;
            }
            *numbers.entry(value.to_bits()).or_insert_with(|| interner.code_of(&text_of_number(value)))
        };
        array.iter().map(code_or(missing, code)).collect()
    }

    fn decimals<T: DecimalType>(&mut self, array: &dyn Array) -> Vec<u32> {
        let array = array.as_primitive::<T>();
        let missing = self.missing();
        let code = |row| {
            if array.is_null(row) {
                return missing;
            }
            let text = array.value_as_string(row);
            self.interner.code_of(if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.')
            } else {
                &text
            })
        };
        (0..array.len()).map(code).collect()
    }

    /// The dictionary's values get their codes once, however many cells have them.
    fn dictionary(&mut self, array: &dyn Array) -> Vec<u32> {
        let array = array.as_any_dictionary();
        let missing = self.missing();
        let values = self.codes_of(array.values().as_ref());
        if values.is_empty() {
            return vec![missing; array.len()];
        }
        let keys = array.normalized_keys();
        (0..array.len()).map(|row| if array.is_null(row) { missing } else { values[keys[row]] }).collect()
    }
}

/// The code of a value, or that of a missing one.
fn code_or<V>(missing: u32, mut code: impl FnMut(V) -> u32) -> impl FnMut(Option<V>) -> u32 {
    move |value| value.map_or(missing, &mut code)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
    use arrow_array::{
        ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int64Array,
        LargeStringArray, NullArray, RecordBatch, StringArray, StringViewArray, TimestampMillisecondArray,
        UInt8Array,
    };
    use parquet::arrow::ArrowWriter;

    use super::*;
    use crate::table::read::read_stream;
    use crate::table::{ColumnOptions, Dataset, DatasetOptions, ReadOptions, fingerprint};

    fn written(columns: Vec<(&str, ArrayRef)>) -> Result<RawTable> {
        let batch =
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true))).unwrap();
        let mut content = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut content, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        read(Bytes::from(content), "x.parquet")
    }

    fn cells(table: &RawTable, name: &str) -> Vec<String> {
        let cells = table.column(name).unwrap().text().unwrap();
        (0..cells.len()).map(|row| cells.cell(row).unwrap().to_owned()).collect()
    }

    #[test]
    fn all_plain_types_become_texts() {
        let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
        dictionary.append_value("b");
        dictionary.append_null();
        dictionary.append_value("b");
        let decimals =
            Decimal128Array::from(vec![Some(150), None, Some(-5)]).with_precision_and_scale(10, 2).unwrap();
        let columns: Vec<(&str, ArrayRef, [&str; 3])> = vec![
            (
                "bool",
                Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
                ["true", "", "false"],
            ),
            (
                "i64",
                Arc::new(Int64Array::from(vec![Some(-1), None, Some(i64::MAX)])),
                ["-1", "", "9223372036854775807"],
            ),
            ("u8", Arc::new(UInt8Array::from(vec![255, 0, 0])), ["255", "0", "0"]),
            ("f64", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(f64::NAN)])), ["0.1", "", ""]),
            ("f32", Arc::new(Float32Array::from(vec![0.1, 1.0, 2.5])), ["0.10000000149011612", "1", "2.5"]),
            ("decimal", Arc::new(decimals), ["1.5", "", "-0.05"]),
            ("utf8", Arc::new(StringArray::from(vec![Some(" a "), None, Some("")])), ["a", "", ""]),
            ("large", Arc::new(LargeStringArray::from(vec!["a", "b", "a"])), ["a", "b", "a"]),
            ("view", Arc::new(StringViewArray::from(vec!["a", "b", "a"])), ["a", "b", "a"]),
            ("dictionary", Arc::new(dictionary.finish()), ["b", "", "b"]),
            ("null", Arc::new(NullArray::new(3)), ["", "", ""]),
        ];
        let table = written(columns.iter().map(|(name, array, _)| (*name, array.clone())).collect()).unwrap();
        for (name, _, expected) in columns {
            assert_eq!(cells(&table, name), expected, "{name}");
        }
    }

    #[test]
    fn what_the_file_calls_text_stays_text() {
        let codes = ["007", "7", "0070", "7", "007", "7"];
        let ids = [1_i64 << 60, (1 << 60) + 1, 1 << 60, (1 << 60) + 1, 1 << 60, (1 << 60) + 1];
        let table = written(vec![
            ("code", Arc::new(StringArray::from(codes.to_vec())) as ArrayRef),
            ("id", Arc::new(Int64Array::from(ids.to_vec()))),
            ("on", Arc::new(BooleanArray::from(vec![Some(true), None, None, Some(true), None, None]))),
            ("y", Arc::new(StringArray::from(vec!["01", "1", "1", "01", "1", "1"]))),
        ])
        .unwrap();
        let columns = ColumnOptions { categorical: vec!["id".into()], ..Default::default() };
        let options = DatasetOptions { target: "y".into(), columns, ..Default::default() };
        let (data, _) = Dataset::prepare(table, &options).unwrap();
        let levels: Vec<_> =
            data.table.schema().features.iter().map(|feature| feature.kind.levels().unwrap()).collect();
        assert_eq!(levels[0], ["007", "0070", "7"]);
        assert_eq!(levels[1], ["1152921504606846976", "1152921504606846977"]);
        assert_eq!(levels[2], ["false", "true"]);
        assert_eq!(data.target.classes(), ["1", "01"]);
    }

    #[test]
    fn dates_and_nested_columns_are_named_but_not_read() {
        let mut lists = ListBuilder::new(arrow_array::builder::Int32Builder::new());
        lists.append_value([Some(1)]);
        let table = written(vec![
            ("day", Arc::new(Date32Array::from(vec![1])) as ArrayRef),
            ("x", Arc::new(Int64Array::from(vec![7]))),
            ("time", Arc::new(TimestampMillisecondArray::from(vec![1]))),
            ("list", Arc::new(lists.finish())),
        ])
        .unwrap();
        let what = |name: &str| table.column(name).unwrap().cells.clone();
        assert_eq!(what("day"), RawCells::Unusable("dates".into()));
        assert_eq!(what("time"), RawCells::Unusable("dates".into()));
        assert_eq!(what("list"), RawCells::Unusable("nested values".into()));
        assert_eq!(cells(&table, "x"), ["7"]);
    }

    #[test]
    fn a_file_without_rows_is_refused() {
        let message =
            written(vec![("x", Arc::new(Int64Array::from(Vec::<i64>::new())))]).unwrap_err().to_string();
        assert_eq!(message, "x.parquet: there is a header but no row of data");
    }

    #[test]
    fn the_same_data_as_csv_is_the_same_dataset() {
        let parquet = written(vec![
            ("x", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(2.0), Some(-0.0)])) as ArrayRef),
            ("flag", Arc::new(BooleanArray::from(vec![true, false, true, true]))),
            ("plan", Arc::new(StringArray::from(vec![Some("b"), Some("a"), None, Some("b")]))),
            ("y", Arc::new(Int64Array::from(vec![0, 1, 0, 0]))),
        ]);
        let content = b"x,flag,plan,y\n1.5,true,b,0\n,false,a,1\n2.0,true,,0\n0,true,b,0\n";
        let csv = read_stream(&content[..], "x.csv", &ReadOptions::default());
        let options = DatasetOptions { target: "y".into(), ..Default::default() };
        let prepared = |raw: Result<RawTable>| Dataset::prepare(raw.unwrap(), &options).unwrap();
        let ((from_parquet, notes), (from_csv, _)) = (prepared(parquet), prepared(csv));
        assert_eq!(from_parquet.table.schema(), from_csv.table.schema());
        assert_eq!(fingerprint(&from_parquet), fingerprint(&from_csv));
        assert_eq!(notes.len(), 1, "only the choice of the positive class is noted: {notes:?}");
    }
}
