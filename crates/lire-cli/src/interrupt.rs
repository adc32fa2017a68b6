//! Ctrl-C: nothing half-written stays, the terminal's line is clean, and the command ends at once.

use std::io::{IsTerminal, Write};

use crate::exit::{Failure, INTERRUPTED};

/// Listens for Ctrl-C from now on.
pub fn install() -> Result<(), Failure> {
    let cannot = |error| Failure::usage(format!("cannot listen for Ctrl-C: {error}"));
    ctrlc::set_handler(end).map_err(cannot)
}

fn end() {
    lire::replace::remove_unfinished();
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        // Back to the line's beginning, clear it, and show the cursor again.
        let _ = write!(stderr, "\r\x1b[2K\x1b[?25h");
        let _ = stderr.flush();
    }
    std::process::exit(INTERRUPTED.into());
}
