//! Writes sections in few lines: what fits into one stands in one.

use serde_json::Value;

use super::Sections;

/// What is longer is broken up, except lists of numbers and texts.
const WIDTH: usize = 240;

/// Adds the sections to the JSON of a file that ends with its last field and `}`.
pub fn write_sections(sections: &Sections, file: &mut String) {
    if sections.is_empty() {
        return;
    }
    let body = file.trim_end();
    file.truncate(body.strip_suffix('}').unwrap_or(body).trim_end().len());
    for (name, section) in &sections.0 {
        file.push_str(",\n  ");
        file.push_str(&Value::from(name.as_str()).to_string());
        file.push_str(": ");
        write_value(section, 2, file);
    }
    file.push_str("\n}");
}

fn write_value(value: &Value, indent: usize, text: &mut String) {
    let line = in_one_line(value);
    let is_plain = |items: &Vec<Value>| items.iter().all(|item| !item.is_array() && !item.is_object());
    match value {
        _ if indent + line.len() <= WIDTH => text.push_str(&line),
        Value::Array(items) if !is_plain(items) => {
            write_parts('[', ']', items.iter().map(|item| (None, item)), indent, text);
        }
        Value::Object(fields) => {
            write_parts('{', '}', fields.iter().map(|(name, field)| (Some(name), field)), indent, text);
        }
        _ => text.push_str(&line),
    }
}

fn write_parts<'a>(
    open: char,
    close: char,
    parts: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
    indent: usize,
    text: &mut String,
) {
    text.push(open);
    for (place, (name, part)) in parts.enumerate() {
        text.push_str(if place == 0 { "\n" } else { ",\n" });
        text.extend(std::iter::repeat_n(' ', indent + 2));
        if let Some(name) = name {
            text.push_str(&Value::from(name.as_str()).to_string());
            text.push_str(": ");
        }
        write_value(part, indent + 2, text);
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
    text.push(close);
}

/// As people write it: a blank after each comma and colon.
fn in_one_line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(in_one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, field): (&String, &Value)| {
                format!("{}: {}", Value::from(name.as_str()), in_one_line(field))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn short_parts_stand_in_a_line_and_all_of_it_reads_back() {
        let long: Vec<f64> = (0..120).map(f64::from).collect();
        let rows: Vec<Value> = (0..5).map(|at| json!({ "row": at, "name": "x".repeat(60) })).collect();
        let parts = json!({ "a": { "b": [1, 2.5, null] }, "c\"": long, "d": rows, "e": {}, "f": [] });
        let sections: Sections = serde_json::from_value(parts.clone()).unwrap();
        let mut text = "{\n  \"format\": \"lire-model\"\n}".to_owned();
        write_sections(&sections, &mut text);
        let read: Value = serde_json::from_str(&text).unwrap();
        for (name, part) in parts.as_object().unwrap() {
            assert_eq!(&read[name], part);
        }
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["{", "  \"format\": \"lire-model\",", "  \"a\": {\"b\": [1, 2.5, null]},"]);
        assert!(lines[3].starts_with("  \"c\\\"\": [0.0, 1.0, ") && lines[4] == "  \"d\": [");
        assert_eq!(lines.len(), 14);
    }

    #[test]
    fn without_sections_nothing_changes() {
        let mut text = "{\n  \"a\": {}\n}".to_owned();
        write_sections(&Sections::default(), &mut text);
        assert_eq!(text, "{\n  \"a\": {}\n}");
    }
}
