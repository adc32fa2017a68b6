//! How the command ends: one line about what went wrong, and a code that says where to look.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done, or nobody reads the output any more |
//! | 1 | anything else, such as an output that cannot be written |
//! | 2 | the command line or the configuration |
//! | 3 | the data |
//! | 4 | the model file |
//! | 130 | interrupted |

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use lire::Error;

use crate::args::known_names;
use crate::console::{Style, styled_for_stderr};
use crate::render::options::{in_options, with_names};
use crate::render::visible::visible;

/// The code after Ctrl-C, as shells have it.
pub const INTERRUPTED: u8 = 130;

const OTHER: u8 = 1;
const USAGE: u8 = 2;
const DATA: u8 = 3;
const MODEL: u8 = 4;

/// The end of a command that did not do what it was asked for.
#[derive(Debug)]
pub enum Failure {
    /// There is something to tell.
    Told {
        /// The exit code.
        code: u8,
        /// What is wrong, in one line.
        message: String,
    },
    /// Everything was said already: help, the version, or to a reader that has gone.
    Silent {
        /// The exit code.
        code: u8,
    },
}

/// What a file that could not be read was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Rows.
    Data,
    /// A model.
    Model,
    /// Options of the command.
    Config,
}

/// Ends the command.
pub fn code_of(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Silent { code }) => ExitCode::from(code),
        Err(Failure::Told { code, message }) => {
            say_error(&message);
            ExitCode::from(code)
        }
    }
}

/// A panic is a mistake of ours: says so in one line and ends.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let what =
            text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        let place = panic
            .location()
            .map(|place| format!(" at {}:{}", place.file(), place.line()))
            .unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        let what = what.replace('\n', " ");
        say_error(&format!(
            "internal error in lire {version}{place} ({what}); please report it with the command you typed"
        ));
        lire::replace::remove_unfinished();
        std::process::exit(OTHER.into());
    }));
}

impl Failure {
    /// A mistake on the command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Told { code: USAGE, message: message.into() }
    }

    /// A failure to read a file: its purpose says where to look.
    pub fn reading(error: Error, purpose: Reading) -> Self {
        let code = match purpose {
            Reading::Data => DATA,
            Reading::Model => MODEL,
            Reading::Config => USAGE,
        };
        match error {
            Error::Io { .. } => Self::Told { code, message: told(&error) },
            other => other.into(),
        }
    }

    /// A failure to write to standard output. A reader that has seen enough is none.
    pub fn printing(error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::Silent { code: 0 },
            _ => Self::Told { code: OTHER, message: format!("standard output: {error}") },
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error {
            Error::Config { .. } => USAGE,
            Error::Data { .. } => DATA,
            Error::Model { .. } => MODEL,
            Error::Interrupted => INTERRUPTED,
            _ => OTHER,
        };
        Self::Told { code, message: told(&error) }
    }
}

/// The message of a library error in the words of the command line.
fn told(error: &Error) -> String {
    let message = match error {
        Error::Config { parameter, message } => {
            let message = with_names(message, &known_names());
            format!("--{}: {message}", parameter.replace('_', "-"))
        }
        Error::Io { path, source } => {
            let what = match source.kind() {
                ErrorKind::NotFound => "there is no such file or folder".to_owned(),
                ErrorKind::PermissionDenied => "permission denied".to_owned(),
                ErrorKind::IsADirectory => "this is a folder; give a file".to_owned(),
                ErrorKind::NotADirectory => "a part of this path is a file, not a folder".to_owned(),
                _ => source.to_string(),
            };
            format!("{}: {what}", path.display())
        }
        other => other.to_string(),
    };
    in_options(&message).replace(['\n', '\r'], " ")
}

fn say_error(message: &str) {
    // Without anybody to read it there is nothing left to do.
    let error = styled_for_stderr("error:", Style::Error);
    let _ = writeln!(std::io::stderr(), "{error} {}", visible(message));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(failure: impl Into<Failure>) -> u8 {
        match failure.into() {
            Failure::Told { code, .. } | Failure::Silent { code } => code,
        }
    }

    #[test]
    fn each_kind_of_error_has_its_code() {
        let io = || Error::io("x", std::io::ErrorKind::NotFound.into());
        assert_eq!(code(Error::config("gamma", "-1")), 2);
        assert_eq!(code(Error::data("x", "y")), 3);
        assert_eq!(code(Error::model("x", "y")), 4);
        assert_eq!(code(Error::Interrupted), 130);
        assert_eq!(code(io()), 1);
        assert_eq!(code(Failure::reading(io(), Reading::Data)), 3);
        assert_eq!(code(Failure::reading(io(), Reading::Model)), 4);
        assert_eq!(code(Failure::printing(&std::io::ErrorKind::BrokenPipe.into())), 0);
    }

    #[test]
    fn parameters_are_spelled_as_options() {
        assert_eq!(told(&Error::config("min_rows", "-1 is no number")), "--min-rows: -1 is no number");
        let message = "leave base_rate out, not `base_rate`";
        assert_eq!(told(&Error::config("cv", message)), "--cv: leave --base-rate out, not `base_rate`");
    }
}
