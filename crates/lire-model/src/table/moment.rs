//! Ordered values that are no plain numbers: dates, points in time, durations and times of day.

use serde::{Deserialize, Serialize};

use super::date::{DAY, HOUR, YEARS, instant, spell_day, spell_time, time_of_day};
use super::duration::{iso_duration, recognised_duration, spell_duration, written_duration};

/// What the numbers of a column stand for. All of them count whole microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Moment {
    /// Days, by their midnight since 1970-01-01 in UTC. A time of day does not count.
    Date,
    /// Points in time since 1970-01-01 00:00 UTC.
    Timestamp,
    /// Differences of points in time.
    Duration,
    /// Times of day, since midnight.
    Time,
}

/// Why a number of ticks is no moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange;

impl Moment {
    /// The kinds that texts are tried for, in this order. Points in time that are all at midnight are dates.
    pub(super) const TRIED: [Self; 3] = [Self::Timestamp, Self::Time, Self::Duration];

    /// A value from so many ticks, of which there are `per_second`; parts of a microsecond are dropped.
    pub fn of_ticks(self, ticks: i64, per_second: i64) -> Result<f64, OutOfRange> {
        let micros = (i128::from(ticks) * 1_000_000).div_euclid(i128::from(per_second.max(1)));
        let micros = i64::try_from(micros).map_err(|_| OutOfRange)?;
        let is_held = match self {
            Self::Date | Self::Timestamp => YEARS.contains(&micros),
            Self::Duration => micros != i64::MIN,
            Self::Time => (0..DAY).contains(&micros),
        };
        if is_held { Ok(self.narrowed(held(micros))) } else { Err(OutOfRange) }
    }

    /// The value that a text stands for where this kind is expected.
    pub fn read(self, text: &str) -> Option<f64> {
        let micros = match self {
            Self::Date | Self::Timestamp => instant(text)?.micros,
            Self::Duration => written_duration(text)?,
            Self::Time => time_of_day(text)?,
        };
        Some(self.narrowed(held(micros)))
    }

    /// The same where nothing says what to expect, so that the text must look like nothing else.
    pub(super) fn recognise(self, text: &str) -> Option<f64> {
        match self {
            Self::Duration => recognised_duration(text).map(held),
            _ => self.read(text),
        }
    }

    /// A value as rules print it: `2019-04-01`, `2019-04-01 08:15`, `3d 4h`, `08:15`. [`Moment::read`] reads it back.
    pub fn spell(self, value: f64) -> String {
        let micros = value.floor() as i64;
        match self {
            Self::Date => spell_day(micros),
            Self::Timestamp => format!("{} {}", spell_day(micros), spell_time(micros)),
            Self::Duration => spell_duration(micros),
            Self::Time => spell_time(micros),
        }
    }

    /// A value as the model file has it, in ISO 8601: `2019-04-01`, `2019-04-01T08:15Z`, `P3DT4H`, `08:15`.
    pub fn iso(self, value: f64) -> String {
        let micros = value.floor() as i64;
        match self {
            Self::Date => spell_day(micros),
            Self::Timestamp => format!("{}T{}Z", spell_day(micros), spell_time(micros)),
            Self::Duration => iso_duration(micros),
            Self::Time => spell_time(micros),
        }
    }

    /// The value as a column of this kind has it: of a point in time, a date keeps the day.
    pub fn narrowed(self, value: f64) -> f64 {
        match self {
            // Midnights are multiples of 2^13 microseconds, so that this is exact.
            Self::Date => (value / DAY as f64).floor() * DAY as f64,
            _ => value.floor(),
        }
    }

    /// The next larger value; the largest stays what it is.
    pub fn next_up(self, value: f64) -> f64 {
        let next = match self {
            Self::Date => self.narrowed(value) + DAY as f64,
            _ => (value.floor() + 1.0).max(value.next_up()),
        };
        let last = match self {
            Self::Date | Self::Timestamp => YEARS.end - 1,
            Self::Duration => i64::MAX,
            Self::Time => DAY - 1,
        };
        next.min(self.narrowed(held(last)))
    }

    /// Whether values of the one kind can stand for values of the other.
    pub fn is_like(self, other: Self) -> bool {
        let is_instant = |kind| matches!(kind, Self::Date | Self::Timestamp);
        self == other || (is_instant(self) && is_instant(other))
    }

    /// The unit in which people count such values, and how many microseconds it has.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Date | Self::Timestamp => ("day", DAY as f64),
            Self::Duration | Self::Time => ("hour", HOUR as f64),
        }
    }

    /// What a column of this kind holds, in the plural.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Date => "dates",
            Self::Timestamp => "timestamps",
            Self::Duration => "durations",
            Self::Time => "times of day",
        }
    }

    /// One of them with an example.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Date => "a date such as 2019-04-01",
            Self::Timestamp => "a timestamp such as 2019-04-01 08:15",
            Self::Duration => "a duration such as 3d 4h or P3DT4H",
            Self::Time => "a time of day such as 08:15",
        }
    }

    /// The kind of a column of such values: points in time that are all at midnight are dates.
    pub(super) fn of_column(self, mut values: impl Iterator<Item = f64>) -> Self {
        let is_midnight = |value: f64| Self::Date.narrowed(value) == value;
        if self == Self::Timestamp && values.all(is_midnight) { Self::Date } else { self }
    }
}

/// The text of a value that came as such, as CSV has it: where nothing says what the column holds, it reads back to it.
pub fn text_of_moment(moment: Moment, value: f64) -> String {
    if moment == Moment::Duration { moment.iso(value) } else { moment.spell(value) }
}

/// The largest number that is not above: what is rounded up could leave the year.
fn held(micros: i64) -> f64 {
    let nearest = micros as f64;
    if nearest as i128 > i128::from(micros) { nearest.next_down() } else { nearest }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [Moment; 4] = [Moment::Date, Moment::Timestamp, Moment::Duration, Moment::Time];

    #[test]
    fn values_are_spelled_for_people_and_for_programs() {
        for (kind, text, spelled, iso) in [
            (Moment::Date, "2019-04-01T23:59:59Z", "2019-04-01", "2019-04-01"),
            (Moment::Timestamp, "2019-04-01", "2019-04-01 00:00", "2019-04-01T00:00Z"),
            (Moment::Timestamp, "2019-04-01 08:15+02:00", "2019-04-01 06:15", "2019-04-01T06:15Z"),
            (
                Moment::Timestamp,
                "1899-12-31T23:59:59.25",
                "1899-12-31 23:59:59.25",
                "1899-12-31T23:59:59.25Z",
            ),
            (Moment::Duration, "3 days 04:00:00", "3d 4h", "P3DT4H"),
            (Moment::Time, "08:15:00", "08:15", "08:15"),
            // As near to the end of time as an `f64` is, which holds no microseconds there.
            (
                Moment::Timestamp,
                "9999-12-31 23:59:59.999999",
                "9999-12-31 23:59:59.999968",
                "9999-12-31T23:59:59.999968Z",
            ),
            (Moment::Date, "0001-01-01", "0001-01-01", "0001-01-01"),
        ] {
            let value = kind.read(text).unwrap();
            assert_eq!((kind.spell(value), kind.iso(value)), (spelled.to_owned(), iso.to_owned()), "{text}");
        }
    }

    #[test]
    fn ticks_of_all_units_are_the_same_moment() {
        let kind = Moment::Timestamp;
        for (ticks, per_second) in
            [(-1, 1), (-1_000, 1_000), (-1_000_000, 1_000_000), (-1_000_000_000, 1_000_000_000)]
        {
            assert_eq!(kind.of_ticks(ticks, per_second), Ok(-1_000_000.0));
        }
        assert_eq!(kind.of_ticks(1_999, 1_000_000_000), Ok(1.0), "parts of a microsecond are dropped");
        assert_eq!(kind.of_ticks(-1, 1_000_000_000), Ok(-1.0), "downwards");
        assert_eq!(kind.of_ticks(253_402_300_800, 1), Err(OutOfRange), "the year 10000");
        assert_eq!(kind.of_ticks(i64::MAX, 1), Err(OutOfRange));
        assert_eq!(Moment::Time.of_ticks(86_400, 1), Err(OutOfRange));
        assert_eq!(Moment::Date.of_ticks(90_000, 1), Ok(DAY as f64));
    }

    #[test]
    fn days_alone_are_dates() {
        let kind = |texts: &[&str]| {
            Moment::Timestamp.of_column(texts.iter().map(|text| Moment::Timestamp.read(text).unwrap()))
        };
        assert_eq!(kind(&["2019-04-01", "1969-12-31T00:00:00Z"]), Moment::Date);
        assert_eq!(kind(&["2019-04-01", "2019-04-01T00:00+02:00"]), Moment::Timestamp);
    }

    proptest! {
        #[test]
        fn what_is_spelled_is_read_back(micros in YEARS, place in 0_usize..4) {
            let kind = KINDS[place];
            let micros = if kind == Moment::Time { micros.rem_euclid(DAY) } else { micros };
            let value = kind.narrowed(held(micros));
            prop_assert_eq!(kind.read(&kind.spell(value)), Some(value));
            prop_assert_eq!(kind.read(&kind.iso(value)), Some(value));
            prop_assert!(kind.next_up(value) > value || kind.next_up(kind.next_up(value)) == value);
            if kind == Moment::Duration {
                prop_assert_eq!(kind.recognise(&kind.iso(value)), Some(value));
            }
        }
    }
}
