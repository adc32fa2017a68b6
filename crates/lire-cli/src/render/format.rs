//! The forms that every table can take beside the one for people: JSON, CSV and Markdown.

use serde::Serialize;

use super::visible::visible;
use crate::exit::Failure;

/// JSON over several lines, numbers in full.
pub fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n")
        .map_err(|error| Failure::usage(format!("this cannot be written as JSON: {error}")))
}

/// A CSV table.
pub fn csv<R: AsRef<[String]>>(header: &[&str], rows: &[R]) -> String {
    let mut text = line(header.iter().map(|name| (*name).to_owned()));
    for row in rows {
        text.push_str(&line(row.as_ref().iter().map(|cell| quoted(cell))));
    }
    text
}

/// A Markdown table. A `>` in a title says that the column holds numbers.
pub fn markdown<R: AsRef<[String]>>(header: &[&str], rows: &[R]) -> String {
    let mut text = String::new();
    let titles = header.iter().map(|title| title.trim_start_matches('>').to_owned());
    text.push_str(&markdown_line(titles));
    let marks = header.iter().map(|title| if title.starts_with('>') { "---:" } else { "---" }.to_owned());
    text.push_str(&markdown_line(marks));
    for row in rows {
        text.push_str(&markdown_line(row.as_ref().iter().map(|cell| escaped(cell))));
    }
    text
}

/// A field of a CSV file, in quotes where it needs them.
pub fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) || field.trim() != field {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}

/// A text that Markdown shows as it is.
pub fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' | '*' | '_' | '`' | '<' | '\\' | '[' | ']' => escaped.extend(['\\', character]),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A word for a shell, in quotes where it needs them.
pub fn shell_word(text: &str) -> String {
    let harmless = |character: char| character.is_alphanumeric() || "-_./+=:,@%".contains(character);
    if !text.is_empty() && text.chars().all(harmless) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\n"
}

fn markdown_line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_needed() {
        let rows = [vec!["a in {x, \"y\"}".to_owned(), "1".to_owned()]];
        assert_eq!(csv(&["rule", "weight"], &rows), "rule,weight\n\"a in {x, \"\"y\"\"}\",1\n");
    }

    #[test]
    fn markdown_is_a_proper_table() {
        let rows = [vec!["a|b_c".to_owned(), "1".to_owned()]];
        assert_eq!(
            markdown(&["rule", ">weight"], &rows),
            "| rule | weight |\n| --- | ---: |\n| a\\|b\\_c | 1 |\n"
        );
    }

    #[test]
    fn paths_can_be_typed_again() {
        assert_eq!(shell_word("data/heart.csv"), "data/heart.csv");
        assert_eq!(shell_word("my data's.csv"), "'my data'\\''s.csv'");
    }
}
