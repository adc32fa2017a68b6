//! Remarks of the library, which name options of the command, in the words of Python.

use lire::fit::Fit;
use lire::no_rules::NoRules;
use lire::table::{Dataset, Note};

/// What helps, by the option that the library's remark names.
const REMEDIES: [(&str, &str); 5] = [
    ("the option `groups`", "leave the column out of X and give it to `fit` as groups"),
    (
        "the option `categorical`",
        "name the column in categorical_features to keep its values as they are written",
    ),
    ("the option `numeric`", "if they are numbers, give them as such, with None where one is missing"),
    ("the option `drop`", "if it is one, leave it out of X"),
    ("the option `missing`", "if that means missing, give None instead"),
];

/// Advice of the library that is for the command, and what it is in Python.
const ADVICE: [(&str, &str); 2] = [
    ("declare it with the option `missing`", "give None where it is missing"),
    ("say `task = regression` if these are numbers", "take a regressor if these are numbers"),
];

/// The remark with a remedy that exists in Python.
pub fn in_python(note: &Note) -> String {
    let text = note.to_string();
    for (option, remedy) in REMEDIES {
        // Tokens of the data may hold anything, but the remedy comes last.
        let what = text.rfind(option).and_then(|place| text[..place].rsplit_once("; "));
        if let Some((what, _)) = what {
            return format!("{what}; {remedy}");
        }
    }
    text
}

/// A message without options of the command.
pub fn without_options(message: String) -> String {
    ADVICE.iter().fold(message, |message, (option, python)| message.replace(option, python))
}

/// Why a model has no rules, if it has none.
pub fn no_rules(fitted: &Fit, data: &Dataset) -> Option<String> {
    let parameter = |option: &str| match option {
        "lambda" => "`lambda_`".to_owned(),
        other => format!("`{other}`"),
    };
    NoRules::of(fitted, data).map(|reason| reason.message(parameter))
}
