//! A folder of its own for each test, and the command run in it.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The example of the repository.
pub const HEART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/heart.csv");

/// A folder that goes when it is dropped.
pub struct Folder(tempfile::TempDir);

/// What a command did.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with a small model of the example in `heart.lire.json`.
    pub fn with_heart_model() -> Self {
        let folder = Self::new();
        let options = ["--target", "disease", "--gamma", "0.01", "--no-holdout", "--out", "heart.lire.json"];
        folder.lire(&[&["fit", HEART], &options[..]].concat()).succeeds();
        folder
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).unwrap();
        self
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, also hidden ones.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, ready to run in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lire"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("NO_COLOR")
            .env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs the command in the folder.
    pub fn lire(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(&self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs the command with something on standard input.
    pub fn lire_with_input(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut command = self.command(arguments);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Outcome::of(&child.wait_with_output().unwrap())
    }

    /// Runs the command and reads its output as JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let outcome = self.lire(&[arguments, &["--format", "json"]].concat()).succeeds();
        serde_json::from_str(&outcome.stdout).unwrap()
    }
}

impl Outcome {
    fn of(output: &std::process::Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Checks that all went well.
    #[track_caller]
    pub fn succeeds(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self
    }

    /// Checks the code, that the last line is the one error, and that it says this.
    #[track_caller]
    pub fn fails(self, code: i32, message: &str) -> Self {
        assert_eq!(self.code, code, "{}", self.stderr);
        let errors: Vec<&str> = self.stderr.lines().filter(|line| !line.starts_with("note: ")).collect();
        assert_eq!(errors.len(), 1, "{}", self.stderr);
        assert!(errors[0].starts_with("error: ") && errors[0].contains(message), "{}", self.stderr);
        assert!(self.stdout.is_empty(), "{}", self.stdout);
        self
    }
}

/// A table of two columns of numbers and a target that depends on both, with a fixed pattern of noise.
pub fn generated(n_rows: usize) -> String {
    let mut text = String::from("a,b,c,y\n");
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    };
    for _ in 0..n_rows {
        let (a, b, c, noise) = (next(), next(), next(), next());
        let label = if (a * b > 0.25) ^ (noise < 0.2) { "yes" } else { "no" };
        let _ = writeln!(text, "{a:.4},{b:.4},{c:.4},{label}");
    }
    text
}

/// Whether a path is there.
pub fn exists(path: &Path) -> bool {
    path.exists()
}
