//! Reads the command line, and says in one line what is wrong with it.

use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches};
use lire::Config;
use serde_json::{Map, Value};

use super::Cli;
use crate::exit::Failure;

/// The commands that take all options of a fit.
const FITTING: [&str; 4] = ["fit", "path", "evaluate", "compare"];

/// What was typed. Help and the version are printed here.
pub fn parse() -> Result<Cli, Failure> {
    let matches = command().try_get_matches();
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| told(&error))
}

/// The definition of the command line, with the defaults that really hold.
pub fn command() -> clap::Command {
    let defaults = match serde_json::to_value(Config::default()) {
        Ok(Value::Object(defaults)) => defaults,
        _ => Map::new(),
    };
    let with_defaults = |command: clap::Command| command.mut_args(|arg| with_default(arg, &defaults));
    FITTING.into_iter().fold(Cli::command(), |command, name| command.mut_subcommand(name, with_defaults))
}

/// Adds a default to the help of an option, if it has one.
fn with_default(arg: Arg, defaults: &Map<String, Value>) -> Arg {
    if !arg.get_action().takes_values() {
        return arg;
    }
    // So that a negative number is refused for what it is, and not as an unknown option.
    let arg = arg.allow_negative_numbers(true);
    let default = match defaults.get(arg.get_id().as_str()) {
        Some(Value::String(text)) if !text.is_empty() => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => return arg,
    };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.help(format!("{} [default: {default}]", help.trim_end_matches('.')))
}

fn told(error: &clap::Error) -> Failure {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let outcome = error.print();
            outcome.err().map_or(Failure::Silent { code: 0 }, |error| Failure::printing(&error))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nobody to read the help: the exit code says it all.
            let _ = error.print();
            Failure::Silent { code: 2 }
        }
        _ => Failure::usage(in_one_line(&error.to_string())),
    }
}

/// Clap's paragraphs (the mistake, tips) without its usage, which `--help` tells better.
fn in_one_line(text: &str) -> String {
    let mut line = String::new();
    let mut usage = "lire";
    for part in text.lines().map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(rest) = part.strip_prefix("Usage: ") {
            usage = rest.split(['[', '<', '-']).next().unwrap_or(usage).trim_end();
            break;
        }
        if part.starts_with("For more information") {
            break;
        }
        let part = part.trim_start_matches("error: ").trim_start_matches("tip: ");
        match line.chars().last() {
            None => {}
            Some(':') => line.push(' '),
            Some(_) => line.push_str("; "),
        }
        line.push_str(part);
    }
    format!("{line}; see `{usage} --help`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::config_file::known_names;

    fn message(arguments: &[&str]) -> String {
        match command().try_get_matches_from(arguments) {
            Ok(_) => "no mistake".to_owned(),
            Err(error) => in_one_line(&error.to_string()),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn every_option_of_a_fit_can_be_typed() {
        for name in FITTING {
            let command = command();
            let arguments = command.find_subcommand(name).unwrap().get_arguments();
            let typed: Vec<String> = arguments.map(|argument| argument.get_id().to_string()).collect();
            let lacking: Vec<String> =
                known_names().into_iter().filter(|option| !typed.contains(option)).collect();
            assert!(lacking.is_empty(), "{name} lacks {lacking:?}");
        }
    }

    #[test]
    fn mistakes_fit_into_a_line() {
        assert_eq!(
            message(&["lire", "fit", "x.csv", "--gama", "1"]),
            "unexpected argument '--gama' found; a similar argument exists: '--gamma'; see `lire fit --help`"
        );
        assert_eq!(
            message(&["lire", "show"]),
            "the following required arguments were not provided: <MODEL>; see `lire show --help`"
        );
        let unknown = message(&["lire", "fit", "x.csv", "--search", "west"]);
        assert!(unknown.contains("invalid value 'west'") && !unknown.contains('\n'), "{unknown}");
    }
}
