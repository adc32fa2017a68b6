//! Writes files whole or not at all: beside, then renamed.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// How the names of unfinished files begin and end; between stand letters and digits that are drawn.
const PREFIX: &str = ".lire-";
const SUFFIX: &str = ".tmp";

/// The file being written beside its place, for a program that is told to end in the middle of it.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Puts the content in the place of a file, or leaves everything as it was. A device or pipe is written to.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<()> {
    let mut replacement = Replacement::begin(path)?;
    replacement.write(content)?;
    replacement.finish()
}

/// A file that is written part by part and takes its place when it is whole. Dropped before that, it leaves everything
/// as it was. A device or pipe is written to.
#[derive(Debug)]
pub struct Replacement {
    /// The place as it was named.
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// A file beside its place; none when it is there.
    Beside {
        file: Option<NamedTempFile>,
        place: PathBuf,
    },
    Special(File),
}

impl Replacement {
    /// Opens a file beside the place.
    pub fn begin(path: &Path) -> Result<Self> {
        let failed = |error| Error::io(path, error);
        let sink = if is_special(path) {
            Sink::Special(File::create(path).map_err(failed)?)
        } else {
            // What a link points to is replaced, not the link.
            let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            let file = beside(&place).map_err(failed)?;
            set_unfinished(Some(file.path().to_path_buf()));
            Sink::Beside { file: Some(file), place }
        };
        Ok(Self { path: path.to_path_buf(), sink })
    }

    /// Adds to the content.
    pub fn write(&mut self, content: &[u8]) -> Result<()> {
        let written = match &mut self.sink {
            Sink::Beside { file, .. } => file.as_mut().map_or(Ok(()), |file| file.write_all(content)),
            Sink::Special(file) => file.write_all(content),
        };
        written.map_err(|error| Error::io(&self.path, error))
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> Result<()> {
        let Sink::Beside { file, place } = &mut self.sink else { return Ok(()) };
        let Some(mut file) = file.take() else { return Ok(()) };
        let replaced = make_lasting(&mut file, place)
            .and_then(|()| file.persist(place).map_err(|error| error.error).map(|_| ()));
        replaced.map_err(|error| Error::io(&self.path, error))
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Sink::Beside { file, .. } = &mut self.sink {
            // It goes before it is forgotten.
            drop(file.take());
            set_unfinished(None);
        }
    }
}

/// Fails if a file could not be put there, for a caller with long work before the writing.
pub fn check_replaceable(path: &Path) -> Result<()> {
    let failed = |error| Error::io(path, error);
    if is_special(path) {
        return Ok(());
    }
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(failed(std::io::ErrorKind::IsADirectory.into())),
        Ok(there) if there.permissions().readonly() => {
            return Err(failed(std::io::ErrorKind::PermissionDenied.into()));
        }
        _ => {}
    }
    beside(path).map(|_| ()).map_err(failed)
}

/// Removes what a write has left beside its place; for the handler of Ctrl-C.
pub fn remove_unfinished() {
    let unfinished = UNFINISHED.lock().map(|mut path| path.take());
    if let Ok(Some(path)) = unfinished {
        // Nothing more can be done about it if this fails.
        let _ = std::fs::remove_file(path);
    }
}

/// A new file in the same folder; it goes when it is dropped. What killed processes left there goes now.
///
/// The file is locked as long as its process lives: a lock ends with the process, however that ended.
fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_abandoned(folder);
    loop {
        let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
        // Where files cannot be locked, nobody takes this one for abandoned either. Another process may have done so
        // before the lock; then the file is gone.
        if file.as_file().lock().is_err() || has_name(file.as_file()) {
            return Ok(file);
        }
    }
}

/// Removes unfinished files that no process is writing any more. Nothing is done about those that cannot be removed.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let unfinished = entries.flatten().filter(|entry| {
        is_unfinished(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_file())
    });
    for path in unfinished.map(|entry| entry.path()) {
        let opened = OpenOptions::new().read(true).write(true).open(&path);
        let Ok(file) = opened else { continue };
        if file.try_lock().is_ok() {
            // While the lock is held, so that a process that has just made the file sees that it is gone.
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// Whether a file of this name is one of ours.
fn is_unfinished(name: &OsStr) -> bool {
    let drawn = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    drawn.is_some_and(|drawn| !drawn.is_empty() && drawn.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Whether an open file can still be found under a name.
fn has_name(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        true
    }
}

/// Whether this is a device or pipe, such as /dev/null or /dev/stdout.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn make_lasting(file: &mut NamedTempFile, path: &Path) -> std::io::Result<()> {
    file.as_file().sync_all()?;
    // A temporary file is readable by its owner only; the result is to be like any other file of the user.
    let permissions = std::fs::metadata(path).map(|metadata| metadata.permissions());
    #[cfg(unix)]
    let permissions = permissions.unwrap_or_else(|_| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::Permissions::from_mode(0o644)
    });
    #[cfg(not(unix))]
    let Ok(permissions) = permissions else { return Ok(()) };
    file.as_file().set_permissions(permissions)
}

fn set_unfinished(path: Option<PathBuf>) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        *unfinished = path;
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_takes_its_place_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores");
        let read = || std::fs::read_to_string(&path).ok();
        let begun = |parts: &[&str]| {
            let mut replacement = Replacement::begin(&path).unwrap();
            for part in parts {
                replacement.write(part.as_bytes()).unwrap();
            }
            replacement
        };
        drop(begun(&["a", "b"]));
        assert_eq!((read(), files(folder.path()).len()), (None, 0), "an unfinished file goes");
        begun(&["a", "b"]).finish().unwrap();
        drop(begun(&["c"]));
        assert_eq!(read().as_deref(), Some("ab"), "an unfinished file replaces nothing");
        assert_eq!(files(folder.path()), ["scores"]);
    }

    #[test]
    fn only_abandoned_files_of_ours_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [".lire-a1B2c3.tmp", ".lire-notes", ".lire-my notes.tmp", "lire-a1B2c3.tmp", ".lire-.tmp"]
        {
            std::fs::write(path(name), "mine").unwrap();
        }
        std::fs::create_dir(path(".lire-folder.tmp")).unwrap();
        let in_the_making = beside(&path("other")).unwrap();
        replace_file(&path("model"), b"new").unwrap();
        let name = in_the_making.path().file_name().unwrap().to_str().unwrap().to_owned();
        let mut expected = [
            ".lire-.tmp",
            ".lire-folder.tmp",
            ".lire-my notes.tmp",
            ".lire-notes",
            "lire-a1B2c3.tmp",
            "model",
            &name,
        ];
        expected.sort_unstable();
        assert_eq!(files(folder.path()), expected);
        in_the_making.persist(path("other")).unwrap();
    }

    /// Ends only when it is killed. Run by the next test, in a process of its own.
    #[test]
    #[ignore = "it is the process that another test kills"]
    fn a_process_that_writes_for_ever() {
        let Some(folder) = std::env::var_os("LIRE_TEST_FOLDER") else { return };
        let _file = beside(&Path::new(&folder).join("model")).unwrap();
        std::io::stdout().write_all(b"\nbegun\n").unwrap();
        loop {
            std::thread::park();
        }
    }

    #[test]
    fn what_a_killed_process_left_goes_with_the_next_write() {
        let folder = tempfile::tempdir().unwrap();
        let write = || replace_file(&folder.path().join("other"), b"").unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "replace::tests::a_process_that_writes_for_ever"])
            .env("LIRE_TEST_FOLDER", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(
            said.map_while(std::result::Result::ok).any(|line| line.ends_with("begun")),
            "the process writes"
        );
        write();
        assert_eq!(files(folder.path()).len(), 2, "it lives, so its file stays");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(files(folder.path()).len(), 2, "it could not clean up");
        write();
        assert_eq!(files(folder.path()), ["other"]);
    }
}
