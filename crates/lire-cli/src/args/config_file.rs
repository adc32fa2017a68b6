//! Options in a TOML file: the fields of [`lire::Config`] and the command's own, with errors that name file and line.

use std::path::Path;

use lire::{Config, Error};
use serde_json::{Map, Value};

use super::values::WHOLE;
use crate::exit::{Failure, Reading};

/// Names at least this similar (Jaro–Winkler, 0 to 1) are taken for slips of the pen.
const SIMILAR: f64 = 0.8;

/// What a file says.
#[derive(Debug, Default, PartialEq)]
pub struct FileOptions {
    /// The options of the fit, by name.
    pub fit: Map<String, Value>,
    /// The command's own.
    pub own: Vec<OwnOption>,
}

/// An option that is the command's own, such as `threads`.
#[derive(Debug, PartialEq)]
pub struct OwnOption {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: toml::Value,
    /// The line that gives it.
    pub line: usize,
}

/// What went wrong in which line.
type Mistake = (usize, String);

/// The options of a file. The command's own are named.
pub fn read(path: &Path, own: &[String]) -> Result<FileOptions, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::reading(Error::io(path, error), Reading::Config))?;
    parse(&text, own).map_err(|mistake| failure(path, mistake))
}

/// A mistake in a file.
pub fn failure(path: &Path, (line, message): Mistake) -> Failure {
    Failure::usage(format!("{}, line {line}: {message}", path.display()))
}

/// The options of a text.
fn parse(text: &str, own: &[String]) -> Result<FileOptions, Mistake> {
    let line_at = |byte: usize| 1 + text.get(..byte).map_or(0, |before| before.matches('\n').count());
    let no_toml = |error: toml::de::Error| {
        (line_at(error.span().map_or(0, |span| span.start)), error.message().replace('\n', "; "))
    };
    let mut values: toml::Table = toml::from_str(text).map_err(no_toml)?;
    let document = toml::de::DeTable::parse(text).map_err(no_toml)?;
    let mut lines: Vec<(String, usize)> =
        document.get_ref().keys().map(|key| (key.get_ref().to_string(), line_at(key.span().start))).collect();
    lines.sort_by_key(|(_, line)| *line);
    let of_fit = known_names();
    let mut options = FileOptions::default();
    for (name, line) in lines {
        let Some(value) = values.remove(&name) else { continue };
        if of_fit.contains(&name) {
            let value = for_fit(&name, &value).map_err(|message| (line, format!("`{name}`: {message}")))?;
            options.fit.insert(name, value);
        } else if own.contains(&name) {
            options.own.push(OwnOption { name, value, line });
        } else {
            return Err((line, unknown(&name, of_fit.iter().chain(own))));
        }
    }
    Ok(options)
}

/// The value of an option of a fit, if it can be one.
fn for_fit(name: &str, value: &toml::Value) -> Result<Value, String> {
    if value.as_float().is_some_and(|number| !number.is_finite()) {
        return Err(format!("{value} is not a finite number"));
    }
    let value = serde_json::to_value(value).map_err(|error| error.to_string())?;
    let alone = Map::from_iter([(name.to_owned(), value.clone())]);
    match serde_json::from_value::<Config>(alone.into()) {
        Ok(_) => Ok(value),
        Err(error) => Err(in_words(&error.to_string())),
    }
}

/// Types of Rust in a message as what they stand for.
fn in_words(message: &str) -> String {
    let message = message.replace("invalid type: ", "this is ").replace("invalid value: ", "this is ");
    let whole = ["expected usize", "expected u64"]
        .iter()
        .fold(message, |text, kind| text.replace(kind, &format!("expected {WHOLE}")));
    whole.replace("expected f64", "expected a number").replace("expected a sequence", "expected a list")
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> String {
    let similarity = |other: &String| strsim::jaro_winkler(name, other);
    let nearest = known.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match nearest.filter(|nearest| similarity(nearest) >= SIMILAR) {
        Some(nearest) => format!("no option is named `{name}`; did you mean `{nearest}`?"),
        None => format!("no option of this command is named `{name}`; its `--help` lists them all"),
    }
}

/// All options of a fit, as files name them.
pub fn known_names() -> Vec<String> {
    match serde_json::to_value(Config::default()) {
        Ok(Value::Object(options)) => options.into_iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<FileOptions, Mistake> {
        parse(text, &["threads".to_owned(), "quiet".to_owned()])
    }

    #[test]
    fn what_is_there_is_taken() {
        let options = parsed(
            "gamma = 0.01\nmax_features = \"sqrt\"\nsubsample = 0.5\n\n# two\nthreads = 2\ndrop = [\"id\"]\n",
        );
        let options = options.unwrap();
        assert_eq!(
            Value::Object(options.fit).to_string(),
            r#"{"drop":["id"],"gamma":0.01,"max_features":"sqrt","subsample":0.5}"#
        );
        assert_eq!(options.own, [OwnOption { name: "threads".into(), value: 2.into(), line: 6 }]);
    }

    #[test]
    fn mistakes_have_a_line() {
        let cases = [
            ("seed = 1\ngama = 0.1\n", 2, "no option is named `gama`; did you mean `gamma`?"),
            ("thread = 1\n", 1, "no option is named `thread`; did you mean `threads`?"),
            (
                "seed = 1\n\ncolour = 3\n",
                3,
                "no option of this command is named `colour`; its `--help` lists them all",
            ),
            ("seed = \"one\"\n", 1, "`seed`: this is string \"one\", expected a whole number from 0 up"),
            (
                "drop = [\n\"seed\"\n]\nseed = -1",
                4,
                "`seed`: this is integer `-1`, expected a whole number from 0 up",
            ),
            ("ridge = nan\n", 1, "`ridge`: nan is not a finite number"),
        ];
        for (text, line, message) in cases {
            assert_eq!(parsed(text), Err((line, message.to_owned())));
        }
        assert_eq!(parsed("gamma = \n").unwrap_err().0, 1);
        assert_eq!(parsed("[fit]\ngamma = 1\n").unwrap_err().0, 1);
    }
}
