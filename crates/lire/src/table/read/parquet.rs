//! Parquet: columns become texts as if they came from CSV. Numbers stay numbers, and texts stay texts.

mod rows;

use ahash::{HashMap, HashMapExt};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_schema::DataType;

pub(super) use rows::{open, open_bytes};

use super::parquet_moments::{moment_of, ticks_of};
use crate::table::{Interner, Origin, OutOfRange, text_of_moment, text_of_number};

/// What a column holds if no rule can use it.
fn unusable(kind: &DataType) -> Option<&'static str> {
    match kind {
        DataType::Date32
        | DataType::Date64
        | DataType::Timestamp(..)
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Duration(_) => None,
        DataType::Interval(_) => Some("intervals of the calendar"),
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
    /// Whether there is a date that cannot be written.
    is_out_of_range: bool,
}

impl Column {
    fn new() -> Self {
        Self { interner: Interner::default(), numbers: HashMap::new(), is_out_of_range: false }
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
            kind if moment_of(kind).is_some() => self.moments(array),
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
        let Self { interner, numbers, .. } = self;
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
        let Self { interner, numbers, .. } = self;
        let code = |value: T::Native| {
            let value = widen(value);
            if value.is_nan() {
                return missing;
            }
            *numbers.entry(value.to_bits()).or_insert_with(|| interner.code_of(&text_of_number(value)))
        };
        array.iter().map(code_or(missing, code)).collect()
    }

    /// Dates, times and durations as the texts that CSV has for them.
    fn moments(&mut self, array: &dyn Array) -> Vec<u32> {
        let Some((moment, per_second)) = moment_of(array.data_type()) else { return Vec::new() };
        let missing = self.missing();
        let Self { interner, numbers, is_out_of_range } = self;
        let code = |ticks: i64| {
            *numbers.entry(ticks as u64).or_insert_with(|| {
                moment.of_ticks(ticks, per_second).map_or_else(
                    |OutOfRange| {
                        *is_out_of_range = true;
                        missing
                    },
                    |value| interner.code_of(&text_of_moment(moment, value)),
                )
            })
        };
        ticks_of(array).into_iter().map(code_or(missing, code)).collect()
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
        ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, DurationMicrosecondArray,
        DurationNanosecondArray, Float32Array, Float64Array, Int64Array, LargeStringArray, NullArray,
        RecordBatch, StringArray, StringViewArray, Time32SecondArray, Time64NanosecondArray,
        TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray,
        UInt8Array,
    };
    use parquet::arrow::ArrowWriter;

    use super::*;
    use crate::error::Result;
    use crate::table::read::read_stream;
    use crate::table::{
        ColumnOptions, Dataset, DatasetOptions, RawCells, RawTable, ReadOptions, fingerprint,
    };

    fn written(columns: Vec<(&str, ArrayRef)>) -> Result<RawTable> {
        let batch =
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true))).unwrap();
        let mut content = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut content, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        read_stream(&content[..], "x.parquet", &ReadOptions::default())
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
    fn dates_and_times_of_all_units_become_the_same_texts() {
        let second = 1_554_106_530_i64;
        let per_second = [1, 1_000, 1_000_000, 1_000_000_000];
        let [s, ms, us, ns] = per_second.map(|ticks| vec![Some(second * ticks), None]);
        let stamp = "2019-04-01 08:15:30";
        let columns: Vec<(&str, ArrayRef, &str)> = vec![
            ("date32", Arc::new(Date32Array::from(vec![Some(17_987), None])), "2019-04-01"),
            ("date64", Arc::new(Date64Array::from(vec![Some(17_987 * 86_400_000), None])), "2019-04-01"),
            ("s", Arc::new(TimestampSecondArray::from(s.clone())), stamp),
            ("ms", Arc::new(TimestampMillisecondArray::from(ms)), stamp),
            ("us", Arc::new(TimestampMicrosecondArray::from(us.clone())), stamp),
            ("ns", Arc::new(TimestampNanosecondArray::from(ns.clone())), stamp),
            ("zone", Arc::new(TimestampSecondArray::from(s).with_timezone("+02:00")), stamp),
            ("wait", Arc::new(DurationMicrosecondArray::from(us)), "P17987DT8H15M30S"),
            ("ago", Arc::new(DurationNanosecondArray::from(vec![Some(-1_500), None])), "-PT0.000002S"),
            ("clock", Arc::new(Time32SecondArray::from(vec![Some(29_730), None])), "08:15:30"),
            ("noon", Arc::new(Time64NanosecondArray::from(vec![Some(43_200_000_000_000), None])), "12:00"),
        ];
        let table = written(columns.iter().map(|(name, array, _)| (*name, array.clone())).collect()).unwrap();
        for (name, _, expected) in columns {
            assert_eq!(cells(&table, name), [expected, ""], "{name}");
        }
    }

    #[test]
    fn nested_columns_are_named_but_not_read() {
        let mut lists = ListBuilder::new(arrow_array::builder::Int32Builder::new());
        lists.append_value([Some(1)]);
        let table = written(vec![
            ("day", Arc::new(Date32Array::from(vec![4_000_000])) as ArrayRef),
            ("x", Arc::new(Int64Array::from(vec![7]))),
            ("list", Arc::new(lists.finish())),
        ])
        .unwrap();
        let what = |name: &str| table.column(name).unwrap().cells.clone();
        assert_eq!(what("day"), RawCells::Unusable("dates or times outside the years 1 to 9999".into()));
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
