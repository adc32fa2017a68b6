//! Options as they are typed, in messages of the library, which calls them by their plain names.

use crate::args::known_names;

/// How the library calls an option.
const OPTION: &str = "the option `";

/// The message with its options as they are typed: the option named `max_rules` becomes `--max-rules`, or with a value
/// `--max-rules 5`. Other words between backticks stay as they are.
pub fn in_options(message: &str) -> String {
    if !message.contains('`') {
        return message.to_owned();
    }
    let options = known_names();
    // Options behind each other are typed without commas.
    let mut rest = &*message.replace(&format!(", {OPTION}"), &format!(" {OPTION}"));
    let mut text = String::with_capacity(rest.len());
    while let Some((before, quoted)) = rest.split_once('`') {
        let Some((inside, after)) = quoted.split_once('`') else { break };
        let (name, value) =
            inside.split_once(" = ").map_or((inside, None), |(name, value)| (name, Some(value)));
        let is_option = options.iter().any(|option| option == name);
        match (before.strip_suffix(&OPTION[..OPTION.len() - 1]), value) {
            (Some(before), None) if is_option => {
                text.push_str(before);
                text.push_str(&typed(name));
                rest = after.strip_prefix(" =").unwrap_or(after);
            }
            (_, Some(value)) if is_option => {
                text.extend([before, "`", &typed(name), " ", value, "`"]);
                rest = after;
            }
            _ => {
                text.extend([before, "`", inside, "`"]);
                rest = after;
            }
        }
    }
    text + rest
}

/// The message with the options that it names by words with underscores. What stands in backticks is a value.
pub fn with_names(message: &str, options: &[String]) -> String {
    let spelled = |word: &str| {
        let is_option = word.contains('_') && options.iter().any(|option| option == word);
        if is_option { typed(word) } else { word.to_owned() }
    };
    let is_of_name = |character: char| character.is_alphanumeric() || "_`".contains(character);
    let mut text = String::with_capacity(message.len());
    let mut word = String::new();
    for character in message.chars() {
        if is_of_name(character) {
            word.push(character);
        } else {
            text.push_str(&spelled(&std::mem::take(&mut word)));
            text.push(character);
        }
    }
    text + &spelled(&word)
}

fn typed(option: &str) -> String {
    format!("--{}", option.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_appear_as_they_are_typed() {
        for (library, command) in [
            ("declare it with the option `missing`", "declare it with --missing"),
            ("leave it out with the option `drop` = 'row no'", "leave it out with --drop 'row no'"),
            ("out with the option `drop_missing_target`", "out with --drop-missing-target"),
            ("say `task = regression` to predict", "say `--task regression` to predict"),
            (
                "the option `numeric` = x, the option `missing` = \"a\", the option `missing` = \"b c\"",
                "--numeric x --missing \"a\" --missing \"b c\"",
            ),
            ("column `missing`, row 3: `task` is no number", "column `missing`, row 3: `task` is no number"),
            ("column `a = b` and an open ` end", "column `a = b` and an open ` end"),
            ("the option `unheard_of`", "the option `unheard_of`"),
        ] {
            assert_eq!(in_options(library), command);
        }
    }

    #[test]
    fn words_with_underscores_may_be_options() {
        let options = ["base_rate".to_owned()];
        assert_eq!(
            with_names("leave base_rate out, not `base_rate`", &options),
            "leave --base-rate out, not `base_rate`"
        );
    }
}
