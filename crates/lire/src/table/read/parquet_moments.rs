//! Dates, times and durations in Arrow arrays: ticks of some part of a second.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_schema::{DataType, TimeUnit};

use crate::table::Moment;

const SECONDS_A_DAY: i64 = 86_400;

/// The ticks of an array of dates, times or durations.
pub(super) fn ticks_of(array: &dyn Array) -> Vec<Option<i64>> {
    fn of<T: ArrowPrimitiveType>(array: &dyn Array) -> Vec<Option<i64>>
    where
        i64: From<T::Native>,
    {
        array.as_primitive::<T>().iter().map(|ticks| ticks.map(i64::from)).collect()
    }
    match array.data_type() {
        // Days become seconds, which is what their ticks are then counted in.
        DataType::Date32 => {
            of::<Date32Type>(array).into_iter().map(|days| days.map(|days| days * SECONDS_A_DAY)).collect()
        }
        DataType::Date64 => of::<Date64Type>(array),
        DataType::Timestamp(TimeUnit::Second, _) => of::<TimestampSecondType>(array),
        DataType::Timestamp(TimeUnit::Millisecond, _) => of::<TimestampMillisecondType>(array),
        DataType::Timestamp(TimeUnit::Microsecond, _) => of::<TimestampMicrosecondType>(array),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => of::<TimestampNanosecondType>(array),
        DataType::Duration(TimeUnit::Second) => of::<DurationSecondType>(array),
        DataType::Duration(TimeUnit::Millisecond) => of::<DurationMillisecondType>(array),
        DataType::Duration(TimeUnit::Microsecond) => of::<DurationMicrosecondType>(array),
        DataType::Duration(TimeUnit::Nanosecond) => of::<DurationNanosecondType>(array),
        DataType::Time32(TimeUnit::Second) => of::<Time32SecondType>(array),
        DataType::Time32(_) => of::<Time32MillisecondType>(array),
        DataType::Time64(TimeUnit::Microsecond) => of::<Time64MicrosecondType>(array),
        DataType::Time64(_) => of::<Time64NanosecondType>(array),
        _ => Vec::new(),
    }
}

/// What a type of dates, times or durations holds, and how many of its ticks are a second.
pub(super) fn moment_of(kind: &DataType) -> Option<(Moment, i64)> {
    let per_second = |unit: &TimeUnit| match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    };
    match kind {
        DataType::Date32 => Some((Moment::Date, 1)),
        DataType::Date64 => Some((Moment::Date, 1_000)),
        // With a time zone or without, the ticks count from 1970 in UTC, or in what is taken as UTC.
        DataType::Timestamp(unit, _) => Some((Moment::Timestamp, per_second(unit))),
        DataType::Duration(unit) => Some((Moment::Duration, per_second(unit))),
        DataType::Time32(unit) | DataType::Time64(unit) => Some((Moment::Time, per_second(unit))),
        _ => None,
    }
}
