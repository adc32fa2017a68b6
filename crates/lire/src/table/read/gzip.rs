//! Compressed CSV.

use flate2::read::MultiGzDecoder;

use super::batches::Stream;
use crate::error::Result;

/// The content of a stream that is compressed, in one part or several.
// What a build without this feature has in its place does fail.
#[allow(clippy::unnecessary_wraps)]
pub(super) fn decoded<'a>(stream: Stream<'a>, _: &str) -> Result<Stream<'a>> {
    Ok(Box::new(MultiGzDecoder::new(stream)))
}
