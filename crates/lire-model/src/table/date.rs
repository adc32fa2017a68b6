//! Dates, times and durations as whole microseconds: read from ISO texts, and spelled.
//!
//! A point in time counts microseconds since 1970-01-01 00:00 UTC in the proleptic Gregorian calendar, years 1 to 9999.
//! As an `f64` every microsecond of the years 1685 to 2255 is exact, and every whole second of all years. Digits beyond
//! microseconds are dropped: the value is rounded down.

use std::fmt::Write;

/// Microseconds of a second.
pub(super) const SECOND: i64 = 1_000_000;
/// Microseconds of a minute.
pub(super) const MINUTE: i64 = 60 * SECOND;
/// Microseconds of an hour.
pub(super) const HOUR: i64 = 60 * MINUTE;
/// Microseconds of a day.
pub(super) const DAY: i64 = 24 * HOUR;
/// The first instant of the year 1, and the first after the year 9999.
pub(super) const YEARS: std::ops::Range<i64> = -62_135_596_800 * SECOND..253_402_300_800 * SECOND;

/// What an ISO text says of a point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Instant {
    /// Microseconds since 1970-01-01 00:00 UTC.
    pub(super) micros: i64,
    /// Whether the text names its time zone; one without is taken as UTC.
    pub(super) has_zone: bool,
}

/// Reads `2019-04-01`, `2019-04-01T08:15`, with seconds, up to nine decimals, and `Z` or an offset such as `+02:00`. A blank
/// may stand in the place of the T, as may a blank and `UTC` in that of the Z.
pub(super) fn instant(text: &str) -> Option<Instant> {
    let (day, rest) = text.split_at_checked(10)?;
    let midnight = day_of(day.as_bytes())? * DAY;
    if rest.is_empty() {
        return Some(Instant { micros: midnight, has_zone: false });
    }
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, offset) = split_zone(time)?;
    let micros = midnight + time_of_day(clock)? - offset.unwrap_or(0);
    YEARS.contains(&micros).then_some(Instant { micros, has_zone: offset.is_some() })
}

/// Reads `08:15`, `08:15:30` or `08:15:30.25` as microseconds since midnight.
pub(super) fn time_of_day(text: &str) -> Option<i64> {
    let (hours, rest) = text.split_once(':')?;
    let (minutes, seconds) = rest.split_once(':').unwrap_or((rest, "00"));
    let (seconds, fraction) = seconds
        .split_once('.')
        .map_or((seconds, 0), |(whole, fraction)| (whole, fraction_of_second(fraction).unwrap_or(i64::MIN)));
    let [hours, minutes, seconds] =
        [hours, minutes, seconds].map(|part| (part.len() == 2).then(|| digits(part))?);
    let (hours, minutes, seconds) = (hours?, minutes?, seconds?);
    let is_clock = hours < 24 && minutes < 60 && seconds < 60 && fraction >= 0;
    is_clock.then(|| hours * HOUR + minutes * MINUTE + seconds * SECOND + fraction)
}

/// The days from 1970-01-01 to a day written `YYYY-MM-DD`.
fn day_of(text: &[u8]) -> Option<i64> {
    let part = |range: std::ops::Range<usize>| digits(std::str::from_utf8(text.get(range)?).ok()?);
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let is_day = text[4] == b'-' && text[7] == b'-' && year > 0 && (1..=12).contains(&month);
    (is_day && (1..=days_in(year, month)).contains(&day)).then(|| days_from_civil(year, month, day))
}

/// A time of day and the offset of its zone from UTC, if it names one.
fn split_zone(time: &str) -> Option<(&str, Option<i64>)> {
    if let Some(clock) = time.strip_suffix(['Z', 'z']).or_else(|| time.strip_suffix(" UTC")) {
        return Some((clock, Some(0)));
    }
    let Some(sign) = time.find(['+', '-']) else { return Some((time, None)) };
    let (clock, zone) = time.split_at(sign);
    let (sign, zone) = (if zone.starts_with('-') { -1 } else { 1 }, &zone[1..]);
    let (hours, minutes) = match zone.len() {
        2 => (zone, "00"),
        4 => zone.split_at_checked(2)?,
        5 => zone.split_once(':').filter(|(hours, _)| hours.len() == 2)?,
        _ => return None,
    };
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    (hours < 24 && minutes < 60).then_some((clock.trim_end(), Some(sign * (hours * HOUR + minutes * MINUTE))))
}

/// The microseconds in one to nine digits behind the point of seconds.
fn fraction_of_second(text: &str) -> Option<i64> {
    let number = digits(text).filter(|_| text.len() <= 9)?;
    let scale = |power: usize| 10_i64.pow(power as u32);
    Some(if text.len() <= 6 { number * scale(6 - text.len()) } else { number / scale(text.len() - 6) })
}

/// A number of digits only, at least one and at most twelve.
fn digits(text: &str) -> Option<i64> {
    let is_number = (1..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().expect("twelve digits fit"))
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from 1970-01-01, counted in eras of 400 years that begin in March, so that leap days come last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Year, month and day of a number of days from 1970-01-01.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

/// `2019-04-01`: the day of a point in time.
pub(super) fn spell_day(micros: i64) -> String {
    let (year, month, day) = civil_from_days(micros.div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

/// `08:15`, with seconds and decimals where there are any.
pub(super) fn spell_time(micros: i64) -> String {
    let micros = micros.rem_euclid(DAY);
    let mut text = format!("{:02}:{:02}", micros / HOUR, micros % HOUR / MINUTE);
    if micros % MINUTE != 0 {
        write!(text, ":{:02}", micros % MINUTE / SECOND).expect("writing to a string cannot fail");
        text.push_str(&decimals(micros));
    }
    text
}

/// The decimals of a second with their point; empty for a whole one.
pub(super) fn decimals(micros: i64) -> String {
    match micros % SECOND {
        0 => String::new(),
        fraction => format!(".{fraction:06}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn micros(text: &str) -> Option<i64> {
        instant(text).map(|instant| instant.micros)
    }

    /// The days from 1970-01-01, counted year by year and month by month.
    fn counted(year: i64, month: i64, day: i64) -> i64 {
        let leaps = |year: i64| year / 4 - year / 100 + year / 400;
        let years = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
        years + (1..month).map(|month| days_in(year, month)).sum::<i64>() + day - 1
    }

    #[test]
    fn known_instants() {
        let seconds =
            |text: &str| micros(text).map(|micros| (micros.div_euclid(SECOND), micros.rem_euclid(SECOND)));
        for (text, expected) in [
            ("1970-01-01", (0, 0)),
            ("2019-04-01", (1_554_076_800, 0)),
            ("2000-02-29", (951_782_400, 0)),
            ("0001-01-01", (-62_135_596_800, 0)),
            ("9999-12-31T23:59:59.999999", (253_402_300_799, 999_999)),
            ("1969-12-31 23:59:59.5", (-1, 500_000)),
            ("2019-04-01T08:15", (1_554_106_500, 0)),
            ("2019-04-01T08:15Z", (1_554_106_500, 0)),
            ("2019-04-01 08:15 UTC", (1_554_106_500, 0)),
            ("2019-04-01T08:15:30+02:00", (1_554_099_330, 0)),
            ("2019-04-01 08:15:30 +0200", (1_554_099_330, 0)),
            ("2019-04-01T08:15:30.1234569-0330", (1_554_119_130, 123_456)),
            ("2019-04-01t08:15z", (1_554_106_500, 0)),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_iso_is_no_instant() {
        for text in [
            "",
            "2019",
            "2019-04",
            "20190401",
            "2019-4-1",
            "2019/04/01",
            "31.3.2024",
            "3/31/24",
            "2019-02-29",
            "1900-02-29",
            "2019-13-01",
            "2019-00-10",
            "2019-04-31",
            "0000-01-01",
            "2019-04-01T",
            "2019-04-01T8:15",
            "2019-04-01T24:00",
            "2019-04-01T08:60",
            "2019-04-01T08:15:60",
            "2019-04-01T08:15:30.",
            "2019-04-01T08:15:30.1234567890",
            "2019-04-01T08:15:30,5",
            "2019-04-01T08:15+",
            "2019-04-01T08:15+2",
            "2019-04-01T08:15+2:000",
            "2019-04-01T08:15+24:00",
            "2019-04-01T08:15-12Z",
            "2019-04-01T08:15 CET",
            "2019-04-01Z",
            "2019-04-01 8:15 PM",
            "0001-01-01T00:00+01:00",
            "9999-12-31T23:00-01:00",
            "+019-04-01",
            "2019-04-é1",
            "２０１９-04-01",
        ] {
            assert_eq!(instant(text), None, "{text}");
        }
    }

    #[test]
    fn a_zone_is_told() {
        assert!(!instant("2019-04-01T08:15").unwrap().has_zone);
        assert!(instant("2019-04-01T08:15Z").unwrap().has_zone);
    }

    #[test]
    fn each_day_of_all_years_counts_one() {
        let mut expected = YEARS.start / DAY;
        for year in 1..=9999 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    assert_eq!(days_from_civil(year, month, day), expected);
                    assert_eq!(civil_from_days(expected), (year, month, day));
                    expected += 1;
                }
            }
        }
        assert_eq!(expected * DAY, YEARS.end);
    }

    proptest! {
        #[test]
        fn fields_make_the_instant(
            year in 1_i64..=9999, month in 1_i64..=12, day in 1_i64..=28,
            hour in 0_i64..24, minute in 0_i64..60, second in 0_i64..60, fraction in 0_i64..1_000_000,
        ) {
            let text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{fraction:06}");
            let seconds = ((counted(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
            prop_assert_eq!(micros(&text), Some(seconds * SECOND + fraction));
        }

        #[test]
        fn what_is_spelled_is_read_back(value in YEARS) {
            let text = format!("{} {}", spell_day(value), spell_time(value));
            prop_assert_eq!(micros(&text), Some(value));
            prop_assert_eq!(micros(&spell_day(value)), Some(value.div_euclid(DAY) * DAY));
        }

        #[test]
        fn no_text_panics(text in "[0-9T:.+Zé -]{0,30}") {
            instant(&text);
            time_of_day(&text);
        }
    }
}
