//! Parameters, as JSON text, made into a configuration; and messages that name them as Python does.

use lire::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads a configuration, of a fit or of a forest. A parameter of the wrong form is named.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    let wrong = |parameter: &str, error: &serde_json::Error| {
        as_python_knows_it(Error::config(parameter, in_words(&error.to_string())))
    };
    let options: Map<String, Value> = serde_json::from_str(text).map_err(|error| wrong("config", &error))?;
    for (name, value) in &options {
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        serde_json::from_value::<T>(alone.into()).map_err(|error| wrong(name, &error))?;
    }
    serde_json::from_value(options.into()).map_err(|error| wrong("config", &error))
}

/// Types of Rust in a message as what they stand for.
fn in_words(message: &str) -> String {
    ["usize", "u64", "u32"]
        .iter()
        .fold(message.to_owned(), |text, kind| {
            text.replace(&format!("expected {kind}"), "expected a whole number from 0 up")
        })
        .replace("expected f64", "expected a number")
        .replace("expected string or map", "expected a text")
        .replace("invalid type: ", "got ")
        .replace("invalid value: ", "got ")
}

/// The same failure with the parameter's name in Python.
pub fn as_python_knows_it(error: Error) -> Error {
    match error {
        Error::Config { parameter, message } => {
            let known = match parameter.as_str() {
                "lambda" => "lambda_",
                "monotone" => "monotone_constraints",
                "seed" => "random_state",
                "folds" => "cv",
                "generator" => "tree_generator",
                "n_trees" => "n_estimators",
                "features_per_split" => "max_features",
                "row_sampling" => "subsample",
                other => other,
            };
            Error::config(known, message)
        }
        other => other,
    }
}
