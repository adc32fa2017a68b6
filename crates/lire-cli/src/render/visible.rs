//! Names and levels in a terminal: characters that do not show, break the line or turn it around appear by their number.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with such characters escaped as in the text of rules.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            hidden if is_hidden(hidden) => shown.extend(hidden.escape_unicode()),
            other => shown.push(other),
        }
    }
    Cow::Owned(shown)
}

/// The same in the texts of a TOML document, whose lines stay.
pub fn visible_in_toml(document: &str) -> String {
    let mut shown = String::with_capacity(document.len());
    for character in document.chars() {
        if is_hidden(character) && !matches!(character, '\n' | '\t') {
            // Writing to a String does not fail.
            let _ = write!(shown, "\\u{:04X}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Whether a character acts on the terminal instead of showing: controls, other line ends, and those that set the
/// direction of writing.
fn is_hidden(character: char) -> bool {
    let sets_direction = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || sets_direction || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_show_appears_by_its_number() {
        assert_eq!(visible("a\nb\r\tc"), "a\\nb\\r\\tc");
        assert_eq!(visible("\u{1b}[31mred\u{7f}\u{9b}"), "\\u{1b}[31mred\\u{7f}\\u{9b}");
        for code in [0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069, 0x2028, 0x85] {
            let character = char::from_u32(code).unwrap();
            assert_eq!(visible(&format!("<{character}>")), format!("<\\u{{{code:x}}}>"));
        }
    }

    #[test]
    fn all_other_text_stays() {
        for text in ["", "Größe", "日本", "עברית", "a\u{200d}b", "\\n"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn a_document_reads_back_as_it_was() {
        let table = toml::Table::from_iter([("drop".to_owned(), "a\u{202e}b\u{2028}\u{9b}".into())]);
        let shown = visible_in_toml(&toml::to_string(&table).unwrap());
        assert!(shown.lines().count() == 1 && shown.is_ascii(), "{shown}");
        assert_eq!(shown.parse::<toml::Table>().unwrap(), table);
    }
}
