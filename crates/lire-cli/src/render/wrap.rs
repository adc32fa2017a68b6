//! Fits text into a width, as the terminal counts it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::visible::visible;

/// What separates the conditions of a rule; lines are best broken there.
pub const CONJUNCTION: &str = " & ";
/// What separates the items of a list.
pub const COMMA: &str = ", ";

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text's beginning, with `…` if something is left out.
pub fn cut(text: &str, columns: usize) -> String {
    let text = &*visible(text);
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut taken = 0;
    for character in text.chars() {
        taken += character.width().unwrap_or(0);
        if taken + 1 > columns {
            break;
        }
        cut.push(character);
    }
    cut.push('…');
    cut
}

/// With spaces before it.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// With spaces after it.
pub fn pad_right(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Lines of at most so many columns: broken after separators where possible, else between words, else cut.
pub fn wrap(text: &str, separator: &str, columns: usize) -> Vec<String> {
    const INDENT: &str = "  ";
    let text = &*visible(text);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces(text, separator, columns.saturating_sub(INDENT.len())) {
        let needed = width(piece.trim_end());
        if width(&line) + needed > columns && !line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
            INDENT.clone_into(&mut line);
        }
        let room = columns.saturating_sub(width(&line));
        line.push_str(&if needed > room { cut(piece.trim_end(), room) } else { piece.to_owned() });
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// The parts between which a line may be broken: whole items if they fit, else words.
fn pieces<'a>(text: &'a str, separator: &str, columns: usize) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    for item in text.split_inclusive(separator) {
        if width(item.trim_end()) <= columns {
            pieces.push(item);
        } else {
            pieces.extend(item.split_inclusive(' '));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_stays() {
        assert_eq!(wrap("age > 54 & thal = normal", CONJUNCTION, 40), ["age > 54 & thal = normal"]);
        assert_eq!(wrap("", CONJUNCTION, 40), [""]);
    }

    #[test]
    fn lines_break_between_conditions() {
        assert_eq!(
            wrap("age > 54 & thal = normal & sex = male", CONJUNCTION, 26),
            ["age > 54 & thal = normal &", "  sex = male"]
        );
        assert_eq!(wrap("age > 54 & thal = normal", CONJUNCTION, 16), ["age > 54 &", "  thal = normal"]);
    }

    #[test]
    fn long_conditions_break_between_words_and_long_words_are_cut() {
        assert_eq!(wrap("c in {one, two, three}", CONJUNCTION, 12), ["c in {one,", "  two,", "  three}"]);
        assert_eq!(wrap("abcdefghijklmnop > 3", CONJUNCTION, 10), ["abcdefghi…", "  > 3"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(width("日本"), 4);
        assert_eq!(cut("日本語", 5), "日本…");
    }
}
