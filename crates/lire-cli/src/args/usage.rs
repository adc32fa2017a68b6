//! Reads the command line and the file of options that it names, and says in one line what is wrong with them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches};
use lire::Config;
use serde_json::{Map, Value};

use super::Cli;
use super::config_file::{self, OwnOption, known_names};
use crate::exit::Failure;

/// The commands that take all options of a fit.
const FITTING: [&str; 4] = ["fit", "path", "evaluate", "compare"];
/// So many letters that were added, left out or exchanged are taken for a slip of the pen.
const MOST_SLIPS: usize = 2;

/// What was typed, over what a file says. Help and the version are printed here.
pub fn parse() -> Result<Cli, Failure> {
    parse_from(std::env::args_os().collect())
}

fn parse_from(mut arguments: Vec<OsString>) -> Result<Cli, Failure> {
    let typed = matches(&arguments).map_err(|error| told(&error))?;
    let Some((path, name, of_command)) = named_file(&typed) else {
        return Cli::from_arg_matches(&typed).map_err(|error| told(&error));
    };
    let mut command = command();
    command.build();
    let command = command.find_subcommand(name).unwrap_or(&command);
    let options = config_file::read(&path, &own_names(command))?;
    let place = arguments.iter().skip(1).position(|argument| argument == name).map_or(1, |place| place + 2);
    let mut found = None;
    for option in &options.own {
        let failure = |message| config_file::failure(&path, (option.line, message));
        let spelled = spelled(option, command, of_command).map_err(failure)?;
        arguments.splice(place..place, spelled);
        // One after the other, so that it is known whose a mistake is.
        found = Some(matches(&arguments).map_err(|error| failure(in_one_line(&error.to_string())))?);
    }
    let mut cli = Cli::from_arg_matches(&found.unwrap_or(typed.clone())).map_err(|error| told(&error))?;
    if let Some(of_fit) = cli.command.fit_options_mut() {
        of_fit.file = options.fit;
    }
    Ok(cli)
}

fn matches(arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
    command().try_get_matches_from(arguments)
}

/// The file of options that was named, and the command with what was typed for it.
fn named_file(typed: &ArgMatches) -> Option<(PathBuf, &str, &ArgMatches)> {
    let (name, of_command) = typed.subcommand()?;
    let path = of_command.try_get_one::<PathBuf>("config").ok()??;
    Some((path.clone(), name, of_command))
}

/// The options of a command that are not those of a fit, as files name them.
fn own_names(command: &clap::Command) -> Vec<String> {
    let of_fit = known_names();
    let names = command.get_arguments().filter(|arg| arg.get_long().is_some());
    let names = names.map(|arg| arg.get_id().to_string());
    let elsewhere = ["config", "help", "version"];
    names.filter(|name| !of_fit.contains(name) && !elsewhere.contains(&name.as_str())).collect()
}

/// An option of a file as it would be typed; nothing where something typed goes before it, or where it is off.
fn spelled(
    option: &OwnOption,
    command: &clap::Command,
    typed: &ArgMatches,
) -> Result<Option<OsString>, String> {
    let name = &option.name;
    let Some(arg) = command.get_arguments().find(|arg| arg.get_id() == name.as_str()) else {
        return Ok(None);
    };
    let is_typed = |arg: &Arg| typed.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|excluded| excluded.get_id() == other.get_id())
    };
    let goes_before = command
        .get_arguments()
        .filter(|other| is_typed(other))
        .any(|other| other.get_id() == arg.get_id() || excludes(arg, other) || excludes(other, arg));
    let long = arg.get_long().unwrap_or(name);
    let spelled = if arg.get_action().takes_values() {
        format!("--{long}={}", text_of(&option.value).map_err(|message| format!("`{name}`: {message}"))?)
    } else {
        match option.value.as_bool() {
            Some(true) => format!("--{long}"),
            Some(false) => return Ok(None),
            None => return Err(format!("`{name}`: give true or false")),
        }
    };
    Ok((!goes_before).then(|| spelled.into()))
}

/// A value as it would be typed.
fn text_of(value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Ok(value.to_string()),
        toml::Value::Array(values) => {
            let texts: Vec<String> = values.iter().map(text_of).collect::<Result<_, _>>()?;
            Ok(texts.join(","))
        }
        toml::Value::Datetime(_) | toml::Value::Table(_) => Err("give a text, a number or a list".to_owned()),
    }
}

/// The definition of the command line, with the defaults that really hold.
pub fn command() -> clap::Command {
    let defaults = match serde_json::to_value(Config::default()) {
        Ok(Value::Object(defaults)) => defaults,
        _ => Map::new(),
    };
    let with_defaults = |command: clap::Command| command.mut_args(|arg| with_default(arg, &defaults));
    let command = Cli::command().mut_args(with_negative_numbers);
    let command = command.mut_subcommands(|command| command.mut_args(with_negative_numbers));
    FITTING.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_defaults))
}

/// So that a negative number is refused for what it is, and not as an unknown option.
fn with_negative_numbers(arg: Arg) -> Arg {
    if arg.get_action().takes_values() && !arg.is_positional() {
        arg.allow_negative_numbers(true)
    } else {
        arg
    }
}

/// Adds a default to the help of an option, if it has one.
fn with_default(arg: Arg, defaults: &Map<String, Value>) -> Arg {
    if !arg.get_action().takes_values() {
        return arg;
    }
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
        _ => Failure::usage(in_one_line(&with_suggestion(error))),
    }
}

/// The error with the command that was perhaps meant: clap finds names that begin alike, but not exchanged letters.
fn with_suggestion(error: &clap::Error) -> String {
    let text = error.to_string();
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return text };
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return text;
    }
    let slips = |name: &str| strsim::damerau_levenshtein(typed, name);
    let command = command();
    let names =
        command.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    // Of three letters two may be anything.
    let most = MOST_SLIPS.min(typed.chars().count() / 2);
    match names.filter(|name| slips(name) <= most).min_by_key(|name| slips(name)) {
        None => text,
        Some(nearest) => {
            let tip = format!("  tip: a similar subcommand exists: '{nearest}'\n\nUsage: ");
            text.replacen("Usage: ", &tip, 1)
        }
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
    use crate::args::Command;

    fn message(arguments: &[&str]) -> String {
        match command().try_get_matches_from(arguments) {
            Ok(_) => "no mistake".to_owned(),
            Err(error) => in_one_line(&with_suggestion(&error)),
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

    #[test]
    fn slips_of_the_pen_get_a_suggestion() {
        let cases = [
            ("fti", "unrecognized subcommand 'fti'; a similar subcommand exists: 'fit'; see `lire --help`"),
            (
                "hsow",
                "unrecognized subcommand 'hsow'; a similar subcommand exists: 'show'; see `lire --help`",
            ),
            ("zz", "unrecognized subcommand 'zz'; see `lire --help`"),
            ("heart.csv", "unrecognized subcommand 'heart.csv'; see `lire --help`"),
        ];
        for (typed, expected) in cases {
            assert_eq!(message(&["lire", typed]), expected);
        }
        assert!(message(&["lire", "explane"]).contains("'explain'"));
    }

    #[test]
    fn numbers_that_are_none_say_what_is_allowed() {
        for (options, wanted) in [
            (&["fit", "x.csv", "--seed", "-1"][..], "'-1' for '--seed <N>': give a whole number from 0 up"),
            (&["fit", "x.csv", "--threads", "two"], "'--threads <N>': give a whole number from 0 up"),
            (&["fit", "x.csv", "--threads", "-2"], "'--threads <N>': give a whole number from 0 up"),
            (&["evaluate", "x.csv", "--folds", "2.5"], "'--folds <K>': give a whole number from 0 up"),
            (&["evaluate", "x.csv", "--holdout", "some"], "'--holdout <SHARE>': give a number"),
            (&["explain", "m", "x.csv", "--row", "-1"], "'--row <N>': give a whole number from 0 up"),
        ] {
            let message = message(&[&["lire"], options].concat());
            assert!(message.contains(wanted), "{message}");
        }
    }

    /// A value of an option as a file has it, and as it is typed.
    fn sample(arg: &Arg) -> (String, Vec<String>) {
        let long = format!("--{}", arg.get_long().unwrap());
        let quoted = |text: &str| format!("\"{text}\"");
        let typed = |value: &str| vec![long.clone(), value.to_owned()];
        if !arg.get_action().takes_values() {
            return ("true".to_owned(), vec![long]);
        }
        let choices = arg.get_possible_values();
        if let Some(choice) = choices.last() {
            let is_truth = choice.get_name() == "false";
            let in_file = if is_truth { "false".to_owned() } else { quoted(choice.get_name()) };
            return (in_file, typed(choice.get_name()));
        }
        match arg.get_id().as_str() {
            "target" | "positive" | "weight_column" | "groups" | "time" | "out" => {
                (quoted("a b"), typed("a b"))
            }
            "categorical" | "numeric" | "drop" | "missing" | "sensitive" | "forbid_in_rules" => {
                ("[\"a\", \"b\"]".to_owned(), typed("a,b"))
            }
            "monotone" => ("{ a = \"increasing\" }".to_owned(), typed("a=increasing")),
            "class_weight" => ("{ yes = 3.5 }".to_owned(), typed("yes=3.5")),
            "base_rate" | "learning_rate" | "min_coverage" | "validation_share" | "threshold" => {
                ("0.125".to_owned(), typed("0.125"))
            }
            "max_features" | "subsample" => ("0.5".to_owned(), typed("0.5")),
            "gamma" | "lambda" | "lambda0" | "lambda1" | "ridge" | "min_leaf_weight" | "min_rows"
            | "max_local_rules" | "time_limit" => ("2.5".to_owned(), typed("2.5")),
            "n_estimators" | "max_depth" | "max_leaves" | "max_rule_length" | "max_moves" | "max_rules"
            | "cv" | "beam_width" | "max_degree" | "max_rounds" | "seed" | "threads" => {
                ("4".to_owned(), typed("4"))
            }
            other => panic!("--{other} is new: give it a value here"),
        }
    }

    /// What a command line comes to: the options of the fit, and all others.
    fn meaning(arguments: &[&str]) -> (Config, String) {
        let arguments = ["lire", "fit", "x.csv"].iter().chain(arguments).map(OsString::from).collect();
        let Ok(Cli { command: Command::Fit(args), global }) = parse_from(arguments) else { panic!("a fit") };
        (args.fit.config().unwrap(), format!("{:?} {} {} {global:?}", args.out, args.force, args.no_holdout))
    }

    #[test]
    fn a_file_can_hold_every_option_of_a_fit() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command();
        command.build();
        let fit = command.find_subcommand("fit").unwrap();
        let options = fit.get_arguments().filter(|arg| arg.get_long().is_some());
        let plain = meaning(&[]);
        let mut n_options = 0;
        for arg in options.filter(|arg| !["config", "help", "version"].contains(&arg.get_id().as_str())) {
            let path = folder.path().join("fit.toml");
            let (in_file, typed) = sample(arg);
            // One that needs another one has it in both.
            let (beside, also): (&str, &[&str]) = match arg.get_id().as_str() {
                "max_local_rules_any" => ("max_local_rules = 3.0\n", &["--max-local-rules", "3"]),
                "allow_sensitive" => ("sensitive = [\"a\"]\n", &["--sensitive", "a"]),
                _ => ("", &[]),
            };
            std::fs::write(&path, format!("{beside}{} = {in_file}\n", arg.get_id())).unwrap();
            let typed: Vec<&str> = typed.iter().map(String::as_str).chain(also.iter().copied()).collect();
            let from_file = meaning(&["--config", path.to_str().unwrap()]);
            assert_eq!(from_file, meaning(&typed), "{}", arg.get_id());
            assert_ne!(from_file, plain, "{} is without effect", arg.get_id());
            n_options += 1;
        }
        assert_eq!(n_options, known_names().len() + 8, "the options of the fit, and the command's own");
    }

    #[test]
    fn what_is_typed_goes_before_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fit.toml");
        let path = path.to_str().unwrap();
        let with = |content: &str, typed: &[&str]| {
            std::fs::write(path, content).unwrap();
            meaning(&[&["--config", path], typed].concat())
        };
        let file = "seed = 1\nthreads = 3\nquiet = true\nforce = false\n";
        assert_eq!(
            with(file, &["--seed", "2", "--threads", "4"]),
            meaning(&["--seed", "2", "--threads", "4", "-q"])
        );
        assert_eq!(with(file, &["-v"]), meaning(&["--seed", "1", "--threads", "3", "-v"]));
        let refused = |content: &str| {
            std::fs::write(path, content).unwrap();
            let arguments = ["lire", "fit", "x.csv", "--config", path].iter().map(OsString::from).collect();
            match parse_from(arguments) {
                Err(Failure::Told { message, .. }) => message,
                other => panic!("{other:?}"),
            }
        };
        let message = refused("seed = 1\nthreads = \"two\"\n");
        assert!(
            message.contains("fit.toml, line 2: ") && message.contains("give a whole number"),
            "{message}"
        );
        let message = refused("quiet = true\n\nverbose = true\n");
        assert!(
            message.contains("fit.toml, line 3: ") && message.contains("cannot be used with"),
            "{message}"
        );
        assert!(refused("force = \"yes\"\n").ends_with("line 1: `force`: give true or false"));
        assert!(refused("folds = 3\n").contains("no option of this command is named `folds`"));
    }
}
