//! Recognises texts that look like dates, also where it is not clear which part is the month.

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Whether the text looks like a date, with or without a time of day: 2024-03-31T08:15Z, 31.3.2024, 3/31/24, 31-Mar-2024.
pub(super) fn looks_like_date(text: &str) -> bool {
    let end = text.find(['T', ' ']).unwrap_or(text.len());
    let (date, time) = text.split_at(end);
    is_day(date) && (time.is_empty() || is_time(&time[1..]))
}

/// Three parts with the same separator, the year first or last.
fn is_day(text: &str) -> bool {
    ['-', '/', '.'].into_iter().any(|separator| {
        let parts: Vec<&str> = text.split(separator).collect();
        let [first, second, third] = parts[..] else { return false };
        (is_year(first, &[4]) && is_month(second) && is_day_of_month(third))
            || (is_year(third, &[2, 4]) && is_month(second) && is_day_of_month(first))
            || (is_year(third, &[2, 4]) && is_month(first) && is_day_of_month(second))
    })
}

/// 08:15, 08:15:30, 08:15:30.123; then perhaps Z, +02:00, AM or PM.
fn is_time(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    let text = ["z", "am", "pm", "utc"].into_iter().find_map(|zone| text.strip_suffix(zone)).unwrap_or(&text);
    let clock = text.split(['+', '-']).next().unwrap_or_default().trim();
    let parts: Vec<&str> = clock.split(':').collect();
    (2..=3).contains(&parts.len())
        && in_range(parts[0], 0, 24)
        && in_range(parts[1], 0, 59)
        && parts.get(2).is_none_or(|seconds| {
            let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
            in_range(whole, 0, 60) && fraction.bytes().all(|byte| byte.is_ascii_digit())
        })
}

fn is_year(text: &str, digits: &[usize]) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_month(text: &str) -> bool {
    in_range(text, 1, 12)
        || text.get(..3).is_some_and(|start| MONTHS.contains(&start.to_ascii_lowercase().as_str()))
}

fn is_day_of_month(text: &str) -> bool {
    in_range(text, 1, 31)
}

fn in_range(text: &str, low: u32, high: u32) -> bool {
    (1..=2).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse().is_ok_and(|number: u32| (low..=high).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::looks_like_date;

    #[test]
    fn dates_are_recognised() {
        for text in [
            "2024-03-31",
            "2024/3/1",
            "31.3.2024",
            "3/31/24",
            "31-Mar-2024",
            "2024-03-31T08:15Z",
            "2024-03-31 08:15:30.123+02:00",
            "3/31/2024 8:15 PM",
        ] {
            assert!(looks_like_date(text), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not() {
        for text in [
            "",
            "2024",
            "1.2.3",
            "12-40-2024",
            "192.168.1.10",
            "10-20",
            "2024-03-31x",
            "T",
            "a b",
            "2024-1é-01",
        ] {
            assert!(!looks_like_date(text), "{text}");
        }
    }
}
