//! Where a command writes to, found out before any long work.

use std::path::{Path, PathBuf};

use lire::replace::{Replacement, check_replaceable};
use lire::{Error, Model};

use crate::console::Console;
use crate::exit::Failure;

/// The end of every model file's name.
const MODEL_EXTENSION: &str = "lire.json";

/// Where `fit` writes: not onto anything but a model, unless told to, and never onto the data.
pub fn model_path(out: Option<&Path>, data: &Path, force: bool) -> Result<PathBuf, Failure> {
    let path = out.map_or_else(|| default_path(data), Path::to_path_buf);
    if path.as_os_str() == "-" {
        return Err(Failure::usage("--out: a model needs a file; give a name such as model.lire.json"));
    }
    refuse_input(&path, data)?;
    if path.is_file() && !force && !Model::is_model_file(&path) {
        let place = path.display();
        let error = std::io::Error::other(format!(
            "there is a file that is not a lire model; choose another name with --out, or replace it with --force ({place} \
             is unchanged)"
        ));
        return Err(Error::io(path, error).into());
    }
    check_replaceable(&path)?;
    Ok(path)
}

/// Refuses to write onto a file that is read.
pub fn refuse_input(out: &Path, input: &Path) -> Result<(), Failure> {
    let same = matches!((out.canonicalize(), input.canonicalize()), (Ok(out), Ok(input)) if out == input);
    if same && out.is_file() {
        return Err(Failure::usage(format!(
            "--out: {} is read by this command; choose another file",
            out.display()
        )));
    }
    Ok(())
}

/// Where results go that are written part by part.
pub enum Output<'a> {
    /// Standard output.
    Standard(&'a Console),
    /// A file, which is there when it is whole.
    File(Replacement),
}

impl Output<'_> {
    /// Adds to what was written.
    pub fn write(&mut self, content: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Standard(console) => console.print_bytes(content),
            Self::File(file) => Ok(file.write(content)?),
        }
    }

    /// Puts a file in its place.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Standard(_) => Ok(()),
            Self::File(file) => Ok(file.finish()?),
        }
    }
}

/// The data's name with the ending of a model, in the current folder.
fn default_path(data: &Path) -> PathBuf {
    if data.as_os_str() == "-" {
        return PathBuf::from(format!("model.{MODEL_EXTENSION}"));
    }
    let uncompressed = if data.extension().is_some_and(|ending| ending == "gz") {
        data.with_extension("")
    } else {
        data.into()
    };
    let stem = uncompressed.file_stem().unwrap_or(uncompressed.as_os_str());
    PathBuf::from(format!("{}.{MODEL_EXTENSION}", stem.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named_after_their_data() {
        for (data, model) in [
            ("heart.csv", "heart.lire.json"),
            ("/data/heart.csv.gz", "heart.lire.json"),
            ("a.b.parquet", "a.b.lire.json"),
            ("table", "table.lire.json"),
            ("-", "model.lire.json"),
        ] {
            assert_eq!(default_path(Path::new(data)), Path::new(model));
        }
    }
}
