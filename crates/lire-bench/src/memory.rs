//! The time and peak memory of child processes.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// The time and memory of a command.
pub struct Run {
    pub status: ExitStatus,
    pub time: Duration,
    /// The time of all its threads, in seconds.
    pub cpu_seconds: f64,
    /// Its largest resident size, in MB.
    pub peak_megabytes: f64,
}

/// Runs a command to its end.
pub fn measure(command: &mut Command) -> Result<Run> {
    let start = Instant::now();
    let child = command.spawn().with_context(|| format!("{command:?}"))?;
    let (status, usage) = wait(child.id())?;
    let time = start.elapsed();
    let of = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let cpu_seconds = of(usage.ru_utime) + of(usage.ru_stime);
    Ok(Run { status, time, cpu_seconds, peak_megabytes: usage.ru_maxrss as f64 / 1024.0 })
}

/// Waits for a child, and tells what it used.
fn wait(child: u32) -> Result<(ExitStatus, libc::rusage)> {
    let mut status = 0;
    // SAFETY: `rusage` is plain data for which all zeros are valid, and `wait4` only writes into both.
    let (ended, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(child.cast_signed(), &raw mut status, 0, &raw mut usage), usage)
    };
    ensure!(ended >= 0, "waiting for a command failed: {}", std::io::Error::last_os_error());
    Ok((ExitStatus::from_raw(status), usage))
}
