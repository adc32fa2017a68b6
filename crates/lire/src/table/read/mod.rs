//! From a file or standard input to untyped columns. The content tells the format, not the name.

mod absent;
// Without any format there is nothing to divide.
#[cfg_attr(not(any(feature = "csv", feature = "parquet")), allow(dead_code))]
mod batches;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "csv")]
mod delimiter;
#[cfg(feature = "gzip")]
mod gzip;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_moments;

use std::io::Read;
use std::path::Path;

#[cfg(not(feature = "csv"))]
use absent::csv;
#[cfg(not(feature = "gzip"))]
use absent::gzip;
#[cfg(not(feature = "parquet"))]
use absent::parquet;

pub use batches::{Batch, BatchOptions, Batches, Kept, KeptCells};

use super::RawTable;
use crate::error::Result;

/// How a file is read. The default finds everything out by itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions {
    /// What separates the fields of a CSV file; found among comma, semicolon, tab and bar if not given.
    pub delimiter: Option<u8>,
}

const PARQUET_MAGIC: &[u8] = b"PAR1";
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];

/// Reads a CSV file (plain or gzip-compressed) or a Parquet file; `-` is standard input.
pub fn read(path: &Path, options: &ReadOptions) -> Result<RawTable> {
    Batches::open(path, &BatchOptions::whole(*options))?.whole()
}

/// Reads the same formats from any stream; the source's name begins the error messages.
pub fn read_stream(stream: impl Read + Send, source: &str, options: &ReadOptions) -> Result<RawTable> {
    Batches::of_stream(stream, source, &BatchOptions::whole(*options))?.whole()
}

/// The formats that the first bytes tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Gzip,
    Parquet,
}

/// The format of a stream, and what was read of it to find out.
fn format_of(stream: &mut impl Read) -> std::io::Result<(Format, Vec<u8>)> {
    let mut start = Vec::new();
    stream.take(PARQUET_MAGIC.len() as u64).read_to_end(&mut start)?;
    let format = match &start[..] {
        start if start == PARQUET_MAGIC => Format::Parquet,
        start if start.starts_with(GZIP_MAGIC) => Format::Gzip,
        _ => Format::Csv,
    };
    Ok((format, start))
}

#[cfg(all(test, feature = "gzip", feature = "parquet"))]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::error::Error;

    #[test]
    fn gzip_is_known_by_its_content() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"a,b\n1,2\n").unwrap();
        let content = encoder.finish().unwrap();
        let table = read_stream(&content[..], "x", &ReadOptions::default()).unwrap();
        assert_eq!((table.columns().len(), table.n_rows()), (2, 1));
    }

    #[test]
    fn a_short_file_is_no_trouble() {
        assert_eq!(read_stream(&b"a\n1"[..], "x", &ReadOptions::default()).unwrap().n_rows(), 1);
    }

    #[test]
    fn what_is_no_file_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let message = read(directory.path(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(message.ends_with("this is a directory; give a CSV or Parquet file"), "{message}");
        let absent = directory.path().join("absent.csv");
        let error = read(&absent, &ReadOptions::default()).unwrap_err();
        assert!(matches!(error, Error::Io { path, .. } if path == absent));
    }

    #[test]
    fn a_truncated_parquet_file_is_told() {
        let message = read_stream(&b"PAR1junk"[..], "x", &ReadOptions::default()).unwrap_err().to_string();
        assert!(message.starts_with("x: the Parquet file cannot be read"), "{message}");
    }

    #[test]
    fn the_example_is_read_from_its_path() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/heart.csv");
        let table = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!((table.columns().len(), table.n_rows()), (14, 303));
    }
}
