//! What each command does: read, ask the library, show.

mod compare;
mod evaluate;
mod explain;
mod fit;
mod inputs;
mod output;
mod path;
mod predict;
mod scan;
mod show;
mod unseen;

use crate::args::{self, AskedFormat, Cli, Command};
use crate::console::Console;
use crate::exit::Failure;

/// Does what was asked for.
pub fn run(cli: Cli) -> Result<(), Failure> {
    let console = Console::of(&cli.global);
    use_threads(cli.global.threads)?;
    if cli.global.format == Some(AskedFormat::Parquet) && !matches!(cli.command, Command::Predict(_)) {
        let message =
            "--format: only predictions are written as parquet; choose table, json, csv or markdown";
        return Err(Failure::usage(message));
    }
    match cli.command {
        Command::Fit(args) => fit::run(&args, &console),
        Command::Path(args) => path::run(&args, &console),
        Command::Predict(args) => predict::run(&args, &console),
        Command::Explain(args) => explain::run(&args, &console),
        Command::Show(args) => show::run(&args, &console),
        Command::Evaluate(args) => evaluate::run(&args, &console),
        Command::Compare(args) => compare::run(&args, &console),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::command(), "lire", &mut script);
            console.print_bytes(&script)
        }
        Command::Man => console.print(&manual()?),
    }
}

fn use_threads(threads: Option<usize>) -> Result<(), Failure> {
    let Some(threads) = threads else { return Ok(()) };
    if threads == 0 {
        return Err(Failure::usage("--threads: 0 is too few; give at least 1"));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| Failure::usage(format!("--threads: {error}")))
}

/// The pages of lire and of all its commands, one after the other.
fn manual() -> Result<String, Failure> {
    let mut pages = Vec::new();
    let failed = |error: std::io::Error| Failure::printing(&error);
    let mut command = args::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut pages).map_err(failed)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        clap_mangen::Man::new(sub.clone()).render(&mut pages).map_err(failed)?;
    }
    Ok(String::from_utf8_lossy(&pages).into_owned())
}
