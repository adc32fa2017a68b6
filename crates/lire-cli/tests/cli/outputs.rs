//! Files that are written: whole or not at all, and never onto something else.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::folder::{Folder, HEART, exists};

const FIT: [&str; 6] = ["fit", HEART, "--target", "disease", "--gamma", "0.01"];

fn fit_to(folder: &Folder, out: &[&str]) -> crate::folder::Outcome {
    folder.lire(&[&FIT[..], &["--no-holdout", "--out"], out].concat())
}

#[test]
fn a_foreign_file_is_left_alone() {
    let folder = Folder::new();
    folder.write("notes.txt", "mine");
    fit_to(&folder, &["notes.txt"]).fails(1, "not a lire model");
    assert_eq!(folder.read("notes.txt"), "mine");
    fit_to(&folder, &["notes.txt", "--force"]).succeeds();
    assert!(folder.read("notes.txt").starts_with('{'));
    fit_to(&folder, &["notes.txt"]).succeeds();
}

#[test]
fn what_is_read_is_not_written_onto() {
    let folder = Folder::with_heart_model();
    let heart = std::fs::read_to_string(HEART).unwrap();
    folder.write("data.csv", &heart);
    folder
        .lire(&["fit", "data.csv", "--target", "disease", "--out", "data.csv", "--force"])
        .fails(2, "--out");
    folder.lire(&["predict", "heart.lire.json", "data.csv", "--out", "data.csv"]).fails(2, "--out");
    folder.lire(&["predict", "heart.lire.json", "data.csv", "--out", "heart.lire.json"]).fails(2, "--out");
    assert_eq!(folder.read("data.csv"), heart);
}

#[test]
fn what_cannot_be_written_is_told_before_the_work() {
    let folder = Folder::new();
    folder.write("file", "");
    fit_to(&folder, &["none/model.json"]).fails(1, "none/model.json: there is no such file or folder");
    fit_to(&folder, &["file/model.json"]).fails(1, "file/model.json");
    fit_to(&folder, &["."]).fails(1, "this is a folder");
    fit_to(&folder, &["-"]).fails(2, "--out");
    assert_eq!(folder.files(), ["file"]);
    // Long work would give the time away: the output is refused although there is no data at all.
    folder
        .lire(&["fit", "none.csv", "--target", "y", "--out", "none/model.json"])
        .fails(1, "none/model.json");
}

#[test]
#[cfg(unix)]
fn devices_are_written_to_and_links_are_followed() {
    let folder = Folder::with_heart_model();
    folder.lire(&["predict", "heart.lire.json", HEART, "--out", "/dev/null"]).succeeds();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file(), "/dev/null is still a device");
    folder.write("real.csv", "");
    std::os::unix::fs::symlink(folder.path("real.csv"), folder.path("link.csv")).unwrap();
    folder.lire(&["predict", "heart.lire.json", HEART, "--out", "link.csv"]).succeeds();
    assert!(folder.read("real.csv").starts_with("score,"));
    assert!(std::fs::symlink_metadata(folder.path("link.csv")).unwrap().is_symlink());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = Folder::with_heart_model();
    // More than a pipe holds, so that the command meets the closed end.
    let heart = std::fs::read_to_string(HEART).unwrap();
    let (header, rows) = heart.split_once('\n').unwrap();
    folder.write("many.csv", format!("{header}\n{}", rows.repeat(40)));
    let mut command = folder.command(&["explain", "heart.lire.json", "many.csv", "--all"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    assert!(line.starts_with("Row 1: disease = "));
}

#[test]
fn models_are_stored_in_the_current_folder() {
    let folder = Folder::new();
    folder.lire(&FIT).succeeds();
    assert!(exists(&folder.path("heart.lire.json")));
}

#[test]
fn what_a_killed_process_left_goes_with_the_next_run() {
    let folder = Folder::new();
    folder.write(".lire-Ab12cD.tmp", "half a mod").write(".lire-notes.txt", "mine");
    folder.lire(&[&FIT[..], &["--no-holdout", "--lambda", "0.1"]].concat()).succeeds();
    assert_eq!(folder.files(), [".lire-notes.txt", "heart.lire.json"]);
}
