//! How names, levels and numbers are spelled within the text of a rule.

use std::borrow::Cow;
use std::fmt::Write;

use crate::table::Moment;

/// Encloses names that are not plain.
pub(super) const NAME_QUOTE: char = '`';
/// Encloses levels that are not plain.
pub(super) const LEVEL_QUOTE: char = '"';

/// Words of the language of rules. A name or level that has one of them is quoted.
const RESERVED: [&str; 4] = ["in", "is", "not", "or"];

/// A name or level as it stands in the text: as it is if plain, otherwise in quotes.
pub(super) fn spell(text: &str, quote: char) -> Cow<'_, str> {
    // A level called `missing` is plain to the parser but would mislead the reader.
    let is_plain = text != "missing" && text.split(' ').all(|word| is_plain_word(word) && !is_reserved(word));
    if is_plain { Cow::Borrowed(text) } else { Cow::Owned(quoted(text, quote)) }
}

/// A number in the shortest form that reads back to the same number.
pub(super) fn spell_number(value: f64) -> String {
    // Beyond these sizes the plain form is mostly zeros.
    let is_plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
    if is_plain { format!("{value}") } else { format!("{value:e}") }
}

/// The bound of an interval: a number, or a date, time or duration.
pub(super) fn spell_bound(value: f64, moment: Option<Moment>) -> String {
    moment.map_or_else(|| spell_number(value), |moment| moment.spell(value))
}

/// Whether a word has a meaning of its own.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Whether a character can be part of an unquoted name, level or number.
pub(super) fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || "_-./%+()[]#'$@:;*?|~^".contains(character)
}

fn is_plain_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_plain)
}

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote || character == '\\' => out.extend(['\\', character]),
            // Characters that do not show, or break the line, appear by their number.
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                write!(out, "{}", character.escape_unicode()).expect("writing to a string cannot fail");
            }
            _ => out.push(character),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_stay_as_they_are() {
        for text in
            ["age", "typical angina", "Married-civ-spouse", "100%", "0", "Größe", "(none)", "St. Ives"]
        {
            assert_eq!(spell(text, LEVEL_QUOTE), text);
        }
    }

    #[test]
    fn what_could_be_misread_is_quoted() {
        let cases = [
            ("<=50K", r#""<=50K""#),
            ("", r#""""#),
            (" a", r#"" a""#),
            ("a  b", r#""a  b""#),
            ("a & b", r#""a & b""#),
            ("black or white", r#""black or white""#),
            ("missing", r#""missing""#),
            ("say \"a\"", r#""say \"a\"""#),
            ("a\\b\nc\u{7}", r#""a\\b\nc\u{7}""#),
        ];
        for (text, expected) in cases {
            assert_eq!(spell(text, LEVEL_QUOTE), expected);
        }
        assert_eq!(spell("a = b", NAME_QUOTE), "`a = b`");
    }

    #[test]
    fn numbers_are_short() {
        let cases =
            [(31.0, "31"), (0.35, "0.35"), (-2.5, "-2.5"), (0.0, "0"), (1e300, "1e300"), (1e-7, "1e-7")];
        for (value, expected) in cases {
            assert_eq!(spell_number(value), expected);
        }
    }
}
