//! Writes files whole or not at all: beside, then renamed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::error::{Error, Result};

/// The file being written beside its place, for a program that is told to end in the middle of it.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Puts the content in the place of a file, or leaves everything as it was. A device or pipe is written to.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<()> {
    let failed = |error| Error::io(path, error);
    if is_special(path) {
        return std::fs::write(path, content).map_err(failed);
    }
    // What a link points to is replaced, not the link.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut file = beside(path).map_err(failed)?;
    set_unfinished(Some(file.path().to_path_buf()));
    let written = write_through(&mut file, path, content);
    let replaced = written.and_then(|()| file.persist(path).map_err(|error| error.error));
    set_unfinished(None);
    replaced.map(|_| ()).map_err(failed)
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

/// A new file in the same folder; it goes when it is dropped.
fn beside(path: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".lire-").tempfile_in(folder)
}

/// Whether this is a device or pipe, such as /dev/null or /dev/stdout.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn write_through(file: &mut tempfile::NamedTempFile, path: &Path, content: &[u8]) -> std::io::Result<()> {
    file.write_all(content)?;
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
