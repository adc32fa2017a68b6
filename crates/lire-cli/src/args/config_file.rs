//! Options in a TOML file: the fields of [`lire::Config`], with errors that name the file and the line.

use std::path::Path;

use lire::{Config, Error};
use serde_json::{Map, Value};

use crate::exit::{Failure, Reading};

/// Names at least this similar (Jaro–Winkler, 0 to 1) are taken for slips of the pen.
const SIMILAR: f64 = 0.8;

/// The options that a file gives, by name.
pub fn read(path: &Path) -> Result<Map<String, Value>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::reading(Error::io(path, error), Reading::Config))?;
    parse(&text)
        .map_err(|(line, message)| Failure::usage(format!("{}, line {line}: {message}", path.display())))
}

/// The options of a text, or the line and the mistake in it.
fn parse(text: &str) -> Result<Map<String, Value>, (usize, String)> {
    let located = |error: toml::de::Error| {
        let span = error.span().unwrap_or(0..0);
        let line = 1 + text.get(..span.start).map_or(0, |before| before.matches('\n').count());
        let message =
            match error.message().strip_prefix("unknown field `").and_then(|rest| rest.split('`').next()) {
                Some(name) => unknown(name),
                None => error.message().replace('\n', "; "),
            };
        (line, message)
    };
    // Read as what it must be, so that a mistake has its place; then only what is there counts.
    toml::from_str::<Config>(text).map_err(located)?;
    let table: toml::Table = toml::from_str(text).map_err(located)?;
    let mut options = Map::new();
    for (name, value) in table {
        if value.as_float().is_some_and(|number| !number.is_finite()) {
            return Err((line_of(text, &name), format!("`{name}`: {value} is not a finite number")));
        }
        let value =
            serde_json::to_value(&value).map_err(|error| (line_of(text, &name), error.to_string()))?;
        options.insert(name, value);
    }
    Ok(options)
}

fn unknown(name: &str) -> String {
    let known = known_names();
    let similarity = |other: &String| strsim::jaro_winkler(name, other);
    let nearest = known.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match nearest.filter(|nearest| similarity(nearest) >= SIMILAR) {
        Some(nearest) => format!("no option is named `{name}`; did you mean `{nearest}`?"),
        None => format!("no option is named `{name}`; `lire fit --help` lists them all"),
    }
}

/// All options, as files name them.
pub fn known_names() -> Vec<String> {
    match serde_json::to_value(Config::default()) {
        Ok(Value::Object(options)) => options.into_iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

/// The line that gives an option a value.
fn line_of(text: &str, name: &str) -> usize {
    let gives = |line: &str| line.trim_start().trim_start_matches(['"', '\'']).starts_with(name);
    1 + text.lines().position(gives).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_taken() {
        let options =
            parse("gamma = 0.01\nmax_features = \"sqrt\"\nsubsample = 0.5\ndrop = [\"id\"]\n").unwrap();
        assert_eq!(
            Value::Object(options).to_string(),
            r#"{"drop":["id"],"gamma":0.01,"max_features":"sqrt","subsample":0.5}"#
        );
    }

    #[test]
    fn mistakes_have_a_line() {
        let cases = [
            ("seed = 1\ngama = 0.1\n", 2, "no option is named `gama`; did you mean `gamma`?"),
            ("seed = 1\n\ncolour = 3\n", 3, "no option is named `colour`; `lire fit --help` lists them all"),
            ("seed = \"one\"\n", 1, "invalid type: string \"one\", expected u64"),
            ("ridge = nan\n", 1, "`ridge`: nan is not a finite number"),
        ];
        for (text, line, message) in cases {
            assert_eq!(parse(text), Err((line, message.to_owned())));
        }
        assert_eq!(parse("gamma = \n").unwrap_err().0, 1);
        assert_eq!(parse("[fit]\ngamma = 1\n").unwrap_err().0, 1);
    }
}
