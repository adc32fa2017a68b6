//! Compressed CSV.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::csv;
use crate::error::Result;
use crate::table::RawTable;

/// Reads CSV that is compressed, in one part or several.
pub(super) fn read(stream: impl Read, source: &str, delimiter: Option<u8>) -> Result<RawTable> {
    csv::read(MultiGzDecoder::new(stream), source, delimiter)
}
