//! Predictions of files of many parts: as if the file were read at once, in memory that does not grow.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::{Folder, generated};

/// More rows than are read at once.
const MANY: usize = 150_000;

/// A folder with a model of `a`, `b` and `c`, and a table that is read in several parts.
fn folder(table: &str) -> Folder {
    let folder = Folder::new();
    folder.write("small.csv", generated(1000)).write("many.csv", table);
    let options = ["--gamma", "0.01", "--lambda", "0", "--no-holdout", "--out", "m.lire.json"];
    folder.lire(&[&["fit", "small.csv", "--target", "y"], &options[..]].concat()).succeeds();
    folder
}

/// The table with something else in the first cell of a row, counted from 1.
fn with_cell(table: &str, row: usize, cell: &str) -> String {
    let change = |(line, text): (usize, &str)| match text.split_once(',') {
        Some((_, rest)) if line == row => format!("{cell},{rest}\n"),
        _ => format!("{text}\n"),
    };
    table.lines().enumerate().map(change).collect()
}

#[test]
fn many_rows_are_predicted_as_few_are() {
    let table = generated(MANY);
    let folder = folder(&table);
    let predict = |arguments: &[&str]| {
        folder.lire(&[&["predict", "m.lire.json"], arguments].concat()).succeeds().stdout
    };
    let csv = predict(&["many.csv"]);
    assert_eq!(csv.lines().count(), MANY + 1);
    // Parts small enough to be read at once.
    let lines: Vec<&str> = table.lines().collect();
    let mut by_hand = String::from("score,probability,label\n");
    for part in lines[1..].chunks(MANY / 3) {
        folder.write("part.csv", format!("{}\n{}\n", lines[0], part.join("\n")));
        by_hand.push_str(predict(&["part.csv"]).split_once('\n').unwrap().1);
    }
    assert_eq!(csv, by_hand);
    let json: serde_json::Value = serde_json::from_str(&predict(&["many.csv", "--format", "json"])).unwrap();
    assert_eq!(json.as_array().unwrap().len(), MANY);
    predict(&["many.csv", "--out", "scores.parquet", "--keep", "a"]);
    predict(&["many.csv", "--out", "again.parquet", "--keep", "a", "--threads", "1"]);
    let parquet = std::fs::read(folder.path("scores.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet == std::fs::read(folder.path("again.parquet")).unwrap());
    // What was written is read again.
    let scored =
        folder.lire(&["predict", "m.lire.json", "scores.parquet"]).fails(3, "2 columns of the model");
    assert!(scored.stderr.contains("`b`, `c`"), "{}", scored.stderr);
    let one = folder.lire(&["explain", "m.lire.json", "many.csv", "--row", "140000"]).succeeds().stdout;
    let score = csv.lines().nth(140_000).unwrap().split(',').next().unwrap().parse::<f64>().unwrap();
    assert!(one.contains(&format!("{:.3}", score.abs())), "{one}");
    folder
        .lire(&["explain", "m.lire.json", "many.csv", "--row", "150001"])
        .fails(2, "--row: there is no row 150001; the data has 150000 rows");
}

#[test]
fn a_failure_far_down_leaves_what_was_there() {
    let folder = folder(&with_cell(&generated(MANY), 130_001, "old"));
    folder.write("scores.csv", "mine");
    let before = folder.files();
    for out in ["scores.csv", "new.csv", "new.parquet"] {
        folder
            .lire(&["predict", "m.lire.json", "many.csv", "--out", out])
            .fails(3, "column `a`, row 130001: `old` is not a number; declare it with --missing");
    }
    assert_eq!((folder.files(), folder.read("scores.csv")), (before, "mine".to_owned()));
    // What was printed before cannot be taken back.
    let outcome = folder.lire(&["predict", "m.lire.json", "many.csv"]);
    assert!(outcome.code == 3 && outcome.stdout.lines().count() <= 130_001, "{}", outcome.stderr);
    folder.lire(&["predict", "m.lire.json", "many.csv", "--missing", "old"]).succeeds();
}

#[test]
fn notes_count_the_cells_of_the_whole_file() {
    let folder = Folder::with_heart_model();
    let heart = std::fs::read_to_string(crate::folder::HEART).unwrap();
    let (header, rows) = heart.split_once('\n').unwrap();
    let unseen = rows.replacen("typical angina", "no idea", 1);
    folder.write("many.csv", format!("{header}\n{}", unseen.repeat(500)));
    let outcome = folder.lire(&["predict", "heart.lire.json", "many.csv", "-v"]).succeeds();
    let notes: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(
        notes[0],
        "note: column `chest_pain`: 500 cells with a category that training did not see; it equals no other"
    );
    assert!(notes[1].starts_with("note: 151500 rows in ") && notes[1].ends_with(" a second"), "{notes:?}");
    assert_eq!(notes.len(), 2);
}

#[test]
fn columns_can_be_kept() {
    let folder = Folder::with_heart_model();
    let predict = |arguments: &[&str]| {
        folder.lire(&[&["predict", "heart.lire.json", crate::folder::HEART], arguments].concat())
    };
    let csv = predict(&["--keep", "age,disease"]).succeeds().stdout;
    assert!(csv.starts_with("age,disease,score,probability,label\n63,no,"), "{csv}");
    let table = predict(&["--keep", "age", "--format", "table"]).succeeds().stdout;
    assert!(table.contains("  row  age  label"), "{table}");
    let markdown = predict(&["--keep", "age", "--format", "markdown"]).succeeds().stdout;
    assert!(
        markdown.starts_with("| age | score | probability | label |\n| --- | ---: | ---: | --- |\n| 63 |"),
        "{markdown}"
    );
    predict(&["--keep", "agee"]).fails(3, "no column `agee`; did you mean `age`?");
    predict(&["--keep", "age,age"]).fails(2, "--keep: `age` is named twice; name it once");
    folder.write("named.csv", "score\n1\n");
    folder
        .lire(&["predict", "heart.lire.json", "named.csv", "--keep", "score"])
        .fails(2, "--keep: `score` is the name of a column of predictions");
    folder
        .lire(&["show", "heart.lire.json", "--format", "parquet"])
        .fails(2, "--format: only predictions are written as parquet");
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_scoring() {
    let folder = folder(&generated(MANY));
    let mut command = folder.command(&["predict", "m.lire.json", "many.csv"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    assert_eq!(line, "score,probability,label\n");
}

/// The most memory that a process has had, in bytes, where the system tells.
fn peak(process: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? * 1024)
}

#[test]
fn memory_does_not_grow_with_the_rows() {
    let rows = generated(100_000);
    let (header, rows) = rows.split_once('\n').unwrap();
    let folder = folder("");
    let mut command =
        folder.command(&["predict", "m.lire.json", "-", "--keep", "a", "--out", "scores.parquet"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{header}\n").as_bytes()).unwrap();
    let mut after = |times: usize| {
        for _ in 0..times {
            stdin.write_all(rows.as_bytes()).unwrap();
        }
        peak(child.id())
    };
    // As a whole, what comes after the first five parts would take hundreds of megabytes.
    let (few, many) = (after(5), after(20));
    drop(stdin);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!((child.wait().unwrap().code(), told), (Some(0), String::new()));
    if let (Some(few), Some(many)) = (few, many) {
        assert!(many < few + (64 << 20), "{few} bytes after half a million rows, then {many}");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_scoring_leaves_nothing() {
    let folder = folder("");
    let before = folder.files();
    let rows = generated(MANY);
    let mut command = folder.command(&["predict", "m.lire.json", "-", "--out", "scores.csv"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(rows.as_bytes()).unwrap();
    // There is more to come, for which it waits.
    while folder.files().len() == before.len() {
        assert!(child.try_wait().unwrap().is_none(), "the scoring is under way");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.files(), before);
}
