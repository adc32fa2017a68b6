//! Ctrl-C in the middle of long work.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::{Folder, generated};

#[test]
fn an_interrupted_fit_ends_at_once_and_leaves_nothing() {
    let folder = Folder::new();
    folder.write("big.csv", generated(50_000));
    let slow = ["--n-estimators", "2000", "--max-depth", "8", "--gamma", "0", "--lambda", "0"];
    let mut command = folder.command(&[&["fit", "big.csv", "--target", "y"], &slow[..]].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !is_ready(child.id()) {
        assert!(child.try_wait().unwrap().is_none(), "the fit is under way");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.files(), ["big.csv"]);
}

/// Whether the process has said what it does on Ctrl-C. Where the system does not tell, it gets a second for it.
fn is_ready(process: u32) -> bool {
    const INTERRUPT: u64 = 1 << 1;
    let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) else {
        std::thread::sleep(Duration::from_secs(1));
        return true;
    };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & INTERRUPT != 0)
}
