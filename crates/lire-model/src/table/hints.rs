//! Remarks on columns that are used, but perhaps not as they were meant.

use super::interned::{Interned, Origin};
use super::levels::{has_leading_zeros, is_pair_but_for_case};
use super::nearest::list;
use super::spellings::is_spelling_of_missing;
use super::survey::{Survey, number};
use super::typing::LARGEST_WHOLE;

/// More tokens than this are not listed.
const LISTED: usize = 5;
/// A category is hinted to be numeric if at least this part of its cells are numbers, beside spellings of missing.
const MOSTLY_NUMBERS: f64 = 0.9;
/// What numbers are written with that stands in the way of reading them, beside the thousands' separators.
const DECORATIONS: [char; 8] = ['%', '$', '€', '£', '¥', ' ', '_', '\''];

/// That some texts of a column of numbers, or of other such things, were taken for missing values.
pub(super) fn taken_as_missing(name: &str, tokens: &[String], n_cells: usize, others: &str) -> String {
    let (cells, are) =
        if n_cells == 1 { ("1 cell".to_owned(), "is") } else { (format!("{n_cells} cells"), "are") };
    format!(
        "{cells} with {} {are} taken as missing, because the others are {others}; keep such texts with the option `categorical` = {name}",
        listed(&tokens.iter().map(String::as_str).collect::<Vec<_>>())
    )
}

/// Tells numbers that look like codes: with leading zeros, or with more digits than are computed with.
pub(super) fn like_codes(name: &str, cells: &Interned, survey: &Survey) -> Option<String> {
    let texts = || survey.known_codes().map(|code| cells.texts.get(code));
    if let Some(code) = texts().filter(|text| has_leading_zeros(text)).min() {
        return Some(format!(
            "taken as numbers, which have no leading zeros, as `{code}` has; if these are codes, give the option `categorical` = {name}"
        ));
    }
    let is_long = |text: &&str| {
        text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
            && number(text).is_some_and(|value| value.abs() > LARGEST_WHOLE)
    };
    texts().filter(is_long).min().map(|long| {
        format!(
            "taken as numbers, of which some have more digits than can be told apart, such as `{long}`; if these are \
             identifiers, give the option `categorical` = {name}"
        )
    })
}

/// Tells a column of spellings of yes and no, or such a pair, that differ in letter case.
pub(super) fn differs_in_case(cells: &Interned, survey: &Survey) -> Option<String> {
    if !is_pair_but_for_case(cells, survey) {
        return None;
    }
    let mut texts: Vec<&str> = survey.known_codes().map(|code| cells.texts.get(code)).collect();
    texts.sort_unstable();
    Some(format!(
        "{} differ in upper and lower case only and are kept apart; if they mean the same, write them the same way",
        listed(&texts)
    ))
}

/// Tells a column that would be numeric but for some texts, or for the way its numbers are written.
pub(super) fn almost_numeric(name: &str, cells: &Interned, survey: &Survey) -> Option<String> {
    if survey.is_numeric() || survey.n_texts == 0 {
        return None;
    }
    let counts = Survey::counts(cells);
    let (mut n_numbers, mut n_decorated, mut n_others) = (0, 0, 0);
    let (mut decorated, mut others) = (Vec::new(), Vec::new());
    for code in survey.known_codes() {
        let text = cells.texts.get(code);
        if number(text).is_some_and(f64::is_finite) {
            n_numbers += counts[code as usize];
        } else if is_decorated(text) {
            n_numbers += counts[code as usize];
            n_decorated += counts[code as usize];
            decorated.push(text);
        } else {
            // However often a value is missing, the others are what they are.
            n_others += if is_spelling_of_missing(text) { 0 } else { counts[code as usize] };
            others.push(text);
        }
    }
    if n_numbers == 0 || (n_numbers as f64) < MOSTLY_NUMBERS * (n_numbers + n_others) as f64 {
        return None;
    }
    if others.is_empty() && decorated.is_empty() {
        // A source that says `text` means it, unless some words are in the way of numbers.
        return None;
    }
    let has_decimal_comma = |text: &&str| {
        text.matches(',').count() == 1 && number(&text.replace(',', ".")).is_some() && !has_thousands(text)
    };
    if others.is_empty()
        && decorated.iter().all(|text| text.contains(','))
        && decorated.iter().any(has_decimal_comma)
    {
        return Some(
            "its numbers are written with a decimal comma, so that they are texts; write a point".into(),
        );
    }
    others.sort_unstable();
    if !decorated.is_empty() {
        decorated.sort_unstable();
        return Some(decorated_numbers(&decorated, n_decorated < n_numbers, &others));
    }
    Some(except(name, cells.origin, &others))
}

/// Numbers with signs, perhaps beside plain ones and other texts.
fn decorated_numbers(decorated: &[&str], are_some: bool, others: &[&str]) -> String {
    let whose = if are_some { "some of its numbers" } else { "its numbers" };
    let texts = format!(
        "{whose} are written with signs that make them texts, such as {}, so that it is a category; write plain numbers",
        listed(decorated)
    );
    if others.is_empty() {
        return texts;
    }
    format!("{texts}, and if {} means missing, declare it with {}", listed(others), declared(others))
}

/// How texts are declared to be missing.
fn declared(tokens: &[&str]) -> String {
    let options: Vec<String> =
        tokens.iter().take(LISTED).map(|token| format!("the option `missing` = \"{token}\"")).collect();
    options.join(", ")
}

fn except(name: &str, origin: Origin, tokens: &[&str]) -> String {
    let exception = format!("all its values are numbers except {}, so that it is a category", listed(tokens));
    let declared = declared(tokens);
    match origin {
        Origin::Text => format!(
            "{exception}; if it is meant as numbers, store it as such, or declare it with the option `numeric` = {name}, {declared}"
        ),
        _ => format!("{exception}; if that means missing, declare it with {declared}"),
    }
}

/// Whether a text would be a number without thousands' separators, a decimal comma, a currency or `%`.
fn is_decorated(text: &str) -> bool {
    let plain: String = text.chars().filter(|sign| *sign != ',' && !DECORATIONS.contains(sign)).collect();
    plain.len() < text.len()
        && plain.starts_with(|start: char| start.is_ascii_digit() || "+-.".contains(start))
        && number(&plain).is_some_and(f64::is_finite)
}

/// Whether each comma has three digits behind it, as in `12,345.6`.
fn has_thousands(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let digits = |group: &str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
    first.len() <= 4 && first.trim_start_matches('-') != "0" && whole.contains(',') && groups.all(digits)
}

pub(super) fn listed(tokens: &[&str]) -> String {
    let shown = list(&tokens[..tokens.len().min(LISTED)]);
    match tokens.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::survey::MissingTokens;

    fn surveyed(cells: &[&str]) -> (Interned, Survey) {
        let cells = Interned::of(cells.iter().copied());
        let survey = Survey::of(&cells, &MissingTokens::default());
        (cells, survey)
    }

    fn almost(cells: &[&str]) -> Option<String> {
        let (cells, survey) = surveyed(cells);
        almost_numeric("x", &cells, &survey)
    }

    #[test]
    fn numbers_that_are_not_plain_are_told() {
        for cells in [["12.3%", "4%", "5"], ["1,234", "12,345", "999"], ["$5", "$1,200.50", "7"]] {
            let message = almost(&cells).unwrap();
            assert!(message.contains("write plain numbers"), "{message}");
        }
        assert!(almost(&["1,5", "2", "3,25"]).unwrap().contains("decimal comma"));
        assert!(almost(&["0,125", "2", "3,250"]).unwrap().contains("decimal comma"));
        assert_eq!(almost(&["a, b", "c", "d"]), None);
        assert_eq!(almost(&["A 1", "B 2", "C 3"]), None);
    }

    #[test]
    fn words_beside_numbers_with_signs_are_told_too() {
        let mut cells = ["1", "2", "3"].repeat(40);
        cells.extend(["1,234", "12.3%", "unknown"]);
        let expected = "some of its numbers are written with signs that make them texts, such as `1,234`, `12.3%`, so \
                        that it is a category; write plain numbers, and if `unknown` means missing, declare it with \
                        the option `missing` = \"unknown\"";
        assert_eq!(almost(&cells).unwrap(), expected);
    }

    #[test]
    fn however_many_tokens_are_in_the_way_some_are_named() {
        let mut cells = ["1", "2", "3"].repeat(40);
        cells.extend(["a", "b", "c", "d", "e", "f", "g"]);
        let message = almost(&cells).unwrap();
        assert!(message.contains("except `a`, `b`, `c`, `d`, `e` and 2 more"), "{message}");
    }

    #[test]
    fn numbers_that_are_often_missing_are_told() {
        let mut cells = vec!["?"; 60];
        cells.extend(["1", "2.5", "3", "4"].repeat(9));
        let cells = Interned::of(cells).with_origin(Origin::Text);
        let survey = Survey::of(&cells, &MissingTokens::default());
        let message = almost_numeric("x", &cells, &survey).unwrap();
        assert!(
            message.contains("except `?`")
                && message.contains("the option `numeric` = x, the option `missing` ="),
            "{message}"
        );
        assert_eq!(almost(&["?", "none", "?"]), None);
    }

    #[test]
    fn codes_are_told_by_zeros_and_length() {
        let told = |cells: &[&str]| {
            let (cells, survey) = surveyed(cells);
            like_codes("x", &cells, &survey)
        };
        assert!(
            told(&["007", "7"])
                .unwrap()
                .contains("`007` has; if these are codes, give the option `categorical` = x")
        );
        assert!(told(&["1152921504606846977", "7"]).unwrap().contains("identifiers"));
        assert_eq!(told(&["0", "0.7", "-0.5", "1e300"]), None);
    }
}
