//! Remarks on columns of dates that are not used as such, or not as they were meant.

use super::date::instant;
use super::date_shape::looks_like_date;
use super::hints::listed;
use super::interned::Interned;
use super::spellings::is_spelling_of_missing;
use super::survey::Survey;

/// A category is hinted to be one of dates if at least this part of its cells are, beside spellings of missing.
const MOSTLY_DATES: f64 = 0.9;

/// Tells a column that looks like one of dates, of which some are written in another form than that of ISO 8601.
pub(super) fn not_iso(cells: &Interned, survey: &Survey) -> Option<String> {
    let mut others = Vec::new();
    for code in survey.known_codes() {
        let text = cells.texts.get(code);
        if is_spelling_of_missing(text) {
            continue;
        }
        if !looks_like_date(text) {
            return None;
        }
        if instant(text).is_none() {
            others.push(text);
        }
    }
    others.sort_unstable();
    (!others.is_empty()).then(|| {
        format!(
            "its cells look like dates, but not all can be read without guessing, such as {}; write them as 2019-04-01 or \
             2019-04-01T08:15 (ISO 8601)",
            listed(&others[..1])
        )
    })
}

/// Tells a column that would be one of dates but for some texts.
pub(super) fn almost_dates(cells: &Interned, survey: &Survey) -> Option<String> {
    let counts = Survey::counts(cells);
    let (mut n_dates, mut n_others, mut others) = (0, 0, Vec::new());
    for code in survey.known_codes() {
        let text = cells.texts.get(code);
        if instant(text).is_some() {
            n_dates += counts[code as usize];
        } else {
            n_others += if is_spelling_of_missing(text) { 0 } else { counts[code as usize] };
            others.push(text);
        }
    }
    if n_dates == 0 || others.is_empty() || (n_dates as f64) < MOSTLY_DATES * (n_dates + n_others) as f64 {
        return None;
    }
    others.sort_unstable();
    let declared: Vec<String> =
        others.iter().take(3).map(|token| format!("the option `missing` = \"{token}\"")).collect();
    Some(format!(
        "all its values are dates except {}, so that it is a category; if that means missing, declare it with {}",
        listed(&others),
        declared.join(", ")
    ))
}

/// Tells a column in which some times name their zone and others do not.
pub(super) fn mixed_zones(cells: &Interned, survey: &Survey) -> Option<String> {
    let zones = || survey.known_codes().filter_map(|code| instant(cells.texts.get(code)));
    let is_mixed = zones().any(|instant| instant.has_zone) && zones().any(|instant| !instant.has_zone);
    is_mixed.then(|| {
        "some of its times name a time zone and others do not; those without are taken as UTC, like all times here".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::survey::MissingTokens;

    fn told(cells: &[&str], tell: fn(&Interned, &Survey) -> Option<String>) -> Option<String> {
        let cells = Interned::of(cells.iter().copied());
        tell(&cells, &Survey::of(&cells, &MissingTokens::default()))
    }

    #[test]
    fn dates_that_need_guessing_are_told() {
        let message = told(&["2019-04-01", "3/4/19", "31.3.2019"], not_iso).unwrap();
        assert!(message.contains("such as `3/4/19`; write them as 2019-04-01"), "{message}");
        assert!(told(&["2019-02-29", "?"], not_iso).is_some());
        assert_eq!(told(&["2019-04-01", "2019-04-02"], not_iso), None);
        assert_eq!(told(&["a", "3/4/19"], not_iso), None);
    }

    #[test]
    fn a_few_texts_among_dates_are_told() {
        let mut cells = ["2019-04-01", "2019-04-02"].repeat(10);
        cells.push("open");
        let message = told(&cells, almost_dates).unwrap();
        assert!(
            message.contains("dates except `open`") && message.contains("`missing` = \"open\""),
            "{message}"
        );
        assert_eq!(told(&["2019-04-01", "open", "closed"], almost_dates), None);
    }

    #[test]
    fn zones_are_told_where_they_are_mixed() {
        assert!(told(&["2019-04-01T08:15", "2019-04-01T08:15Z"], mixed_zones).is_some());
        assert_eq!(told(&["2019-04-01T08:15+02:00", "2019-04-01T08:15Z"], mixed_zones), None);
        assert_eq!(told(&["2019-04-01T08:15", "2019-04-01"], mixed_zones), None);
    }
}
