//! The `lire` command: fit, predict, explain, show and evaluate rule ensembles from the shell.

mod args;
mod command;
mod console;
mod exit;
mod interrupt;
mod progress;
mod render;

use std::process::ExitCode;

fn main() -> ExitCode {
    exit::report_panics();
    let outcome = interrupt::install().and_then(|()| args::parse()).and_then(command::run);
    exit::code_of(outcome)
}
