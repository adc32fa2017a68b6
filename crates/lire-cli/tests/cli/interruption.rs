//! Ctrl-C in the middle of long work.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::{Folder, generated};

#[test]
fn an_interrupted_fit_ends_at_once_and_leaves_nothing() {
    let folder = Folder::new();
    folder.write("big.csv", generated(50_000));
    let slow = ["--n-estimators", "2000", "--max-depth", "8", "--gamma", "0", "--lambda", "0"];
    let mut command = folder.command(&[&["fit", "big.csv", "--target", "y"], &slow[..]].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "the fit is under way");
    let interrupt = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(interrupt.elapsed() < Duration::from_secs(1), "took {:?}", interrupt.elapsed());
    assert_eq!(folder.files(), ["big.csv"]);
}
