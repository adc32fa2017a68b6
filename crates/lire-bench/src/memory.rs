//! The peak memory of child processes.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The time and memory of a command.
pub struct Run {
    pub status: ExitStatus,
    pub time: Duration,
    /// The largest resident size of any child so far, in MB: run the smallest first.
    pub peak_megabytes: f64,
}

/// Runs a command to its end.
pub fn measure(command: &mut Command) -> Result<Run> {
    let start = Instant::now();
    let status = command.status().with_context(|| format!("{command:?}"))?;
    Ok(Run { status, time: start.elapsed(), peak_megabytes: children_peak_megabytes() })
}

fn children_peak_megabytes() -> f64 {
    // SAFETY: `rusage` is plain data for which all zeros are valid, and `getrusage` only writes into it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    usage.ru_maxrss as f64 / 1024.0
}
