//! Durations as whole microseconds, and their texts: `3d 4h`, `P3DT4H`, `3 days 04:00:00`.

use super::date::{DAY, HOUR, MINUTE, SECOND, decimals};

/// The units of `3d 4h 5m 6.5s`, the largest first.
const UNITS: [(char, i64); 4] = [('d', DAY), ('h', HOUR), ('m', MINUTE), ('s', SECOND)];
/// Nanoseconds of a microsecond. Texts are read to the nanosecond and then rounded down.
const NANOS: i128 = 1000;

/// Reads a duration where one is expected: what is recognised anyway, `3d 4h`, and hours, minutes and seconds.
pub(super) fn written_duration(text: &str) -> Option<i64> {
    recognised_duration(text).or_else(|| signed(text, |text| compact(text).or_else(|| clock(text))))
}

/// Reads a text that can be nothing but a duration: `P3DT4H` of ISO 8601, without years and months, which have no
/// length; or days and a time as pandas writes them, `3 days 04:00:00`.
pub(super) fn recognised_duration(text: &str) -> Option<i64> {
    signed(text, iso).or_else(|| to_micros(days_and_clock(text)?))
}

/// `3d 4h 5m 6.5s`, without the units of which there are none; a sign is that of the whole.
pub(super) fn spell_duration(micros: i64) -> String {
    let parts = parts(micros).map(|(unit, count)| format!("{count}{unit}"));
    let text = parts.collect::<Vec<_>>().join(" ");
    let sign = if micros < 0 { "-" } else { "" };
    if text.is_empty() { "0s".to_owned() } else { format!("{sign}{text}") }
}

/// `P3DT4H5M6.5S`.
pub(super) fn iso_duration(micros: i64) -> String {
    let mut text = String::from(if micros < 0 { "-P" } else { "P" });
    let mut has_time = false;
    for (unit, count) in parts(micros) {
        if unit != 'd' && !has_time {
            text.push('T');
            has_time = true;
        }
        text.push_str(&count);
        text.push(unit.to_ascii_uppercase());
    }
    if micros == 0 { "PT0S".to_owned() } else { text }
}

/// The units of which there are any, with their counts.
fn parts(micros: i64) -> impl Iterator<Item = (char, String)> {
    let mut rest = micros.unsigned_abs();
    UNITS.into_iter().filter_map(move |(unit, size)| {
        let size = size as u64;
        let count = rest / size;
        let shown = if unit == 's' {
            format!("{count}{}", decimals((rest % SECOND as u64).cast_signed()))
        } else {
            count.to_string()
        };
        rest %= size;
        (shown != "0").then_some((unit, shown))
    })
}

/// A duration with a sign before it, in microseconds.
fn signed(text: &str, read: impl Fn(&str) -> Option<i128>) -> Option<i64> {
    let (sign, text) =
        text.strip_prefix('-').map_or((1, text.strip_prefix('+').unwrap_or(text)), |text| (-1, text));
    to_micros(sign * read(text)?)
}

fn to_micros(nanos: i128) -> Option<i64> {
    i64::try_from(nanos.div_euclid(NANOS)).ok()
}

/// `P3DT4H5M6.5S` or `P2W`, in nanoseconds.
fn iso(text: &str) -> Option<i128> {
    let text = text.strip_prefix('P')?;
    let (days, time) = text.split_once('T').map_or((text, None), |(days, time)| (days, Some(time)));
    if time == Some("") || (days.is_empty() && time.is_none()) {
        return None;
    }
    let days = counted(days, &[('W', 7 * DAY), ('D', DAY)])?;
    Some(days + counted(time.unwrap_or_default(), &[('H', HOUR), ('M', MINUTE), ('S', SECOND)])?)
}

/// `3d 4h 5m 6.5s`, in nanoseconds.
fn compact(text: &str) -> Option<i128> {
    let joined = UNITS
        .iter()
        .fold(text.to_owned(), |text, (unit, _)| text.replace(&format!("{unit} "), &unit.to_string()));
    if text.is_empty() { None } else { counted(&joined, &UNITS) }
}

/// Counts with their units, the largest first; only seconds may have decimals.
fn counted(mut text: &str, units: &[(char, i64)]) -> Option<i128> {
    let mut nanos = 0;
    let mut units = units.iter();
    while !text.is_empty() {
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let unit = text[end..].chars().next()?;
        let (_, size) = units.find(|(name, _)| *name == unit)?;
        nanos += count(&text[..end], *size)?;
        text = &text[end + unit.len_utf8()..];
    }
    Some(nanos)
}

/// So many units, in nanoseconds.
fn count(text: &str, size: i64) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !is_number(whole, 15) || !is_number(fraction, 9) || (text.contains('.') && size != SECOND) {
        return None;
    }
    let fraction: i128 = format!("{fraction:0<9}").parse().ok()?;
    Some(whole.parse::<i128>().ok()? * i128::from(size) * NANOS + fraction)
}

/// `3 days 04:00:00`, `-1 days +20:00:00`, `1 day, 4:00:00` or `3 days`, in nanoseconds.
fn days_and_clock(text: &str) -> Option<i128> {
    let (days, rest) = text.split_once(" day")?;
    let (sign, days) = days.strip_prefix('-').map_or((1, days), |days| (-1, days));
    let days = sign * count(days, DAY).filter(|_| !days.contains('.'))?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    if rest.is_empty() {
        return Some(days);
    }
    let time = rest.strip_prefix(',').unwrap_or(rest).strip_prefix(' ')?;
    Some(days + clock(time.strip_prefix('+').unwrap_or(time))?)
}

/// `04:00:00` or `27:30:15.5`: hours, minutes and seconds, in nanoseconds.
fn clock(text: &str) -> Option<i128> {
    let parts: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return None };
    let is_sixtieth =
        |text: &str| text.split('.').next().is_some_and(|whole| whole.len() == 2 && whole < "60");
    if !is_sixtieth(minutes) || !is_sixtieth(seconds) {
        return None;
    }
    Some(count(hours, HOUR)? + count(minutes, MINUTE)? + count(seconds, SECOND)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_duration_in_all_spellings() {
        let expected = 3 * DAY + 4 * HOUR + 5 * MINUTE + 6 * SECOND + 500_000;
        for text in [
            "3d 4h 5m 6.5s",
            "3d4h5m6.5s",
            "P3DT4H5M6.5S",
            "3 days 04:05:06.500000",
            "3 days, 4:05:06.5",
            "76:05:06.500000000",
        ] {
            assert_eq!(written_duration(text), Some(expected), "{text}");
        }
        for text in ["-1 days +20:00:00", "-4h", "-PT4H", "-04:00:00", "-1 day, 20:00:00"] {
            assert_eq!(written_duration(text), Some(-4 * HOUR), "{text}");
        }
        assert_eq!(written_duration("P2W"), Some(14 * DAY));
        assert_eq!(written_duration("-0.0000005s"), Some(-1), "downwards");
        assert_eq!(written_duration("0 days"), Some(0));
    }

    #[test]
    fn durations_are_spelled_without_idle_units() {
        for (micros, spelled, iso) in [
            (0, "0s", "PT0S"),
            (DAY, "1d", "P1D"),
            (-(DAY + HOUR), "-1d 1h", "-P1DT1H"),
            (500, "0.0005s", "PT0.0005S"),
            (90 * SECOND, "1m 30s", "PT1M30S"),
            (i64::MIN, "-106751991d 4h 54.775808s", "-P106751991DT4H54.775808S"),
        ] {
            assert_eq!((spell_duration(micros), iso_duration(micros)), (spelled.into(), iso.into()));
            assert_eq!(written_duration(spelled), Some(micros));
            assert_eq!(recognised_duration(iso), Some(micros));
        }
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "", "P", "PT", "P1M", "P1Y", "P1DT", "T4H", "4", "4h 3d", "1 2d", "1.5d", "3 days 4", "4:00",
            "04:60:00", "days", "d",
        ] {
            assert_eq!(written_duration(text), None, "{text}");
        }
        for text in ["3d", "5m", "04:00:00"] {
            assert_eq!(recognised_duration(text), None, "{text} may be something else");
        }
    }
}
