//! Formats that this build does not read, because their features are off.

#[cfg(not(feature = "csv"))]
pub(super) mod csv {
    //! In place of the reader of CSV.

    use super::super::batches::{BatchOptions, Source, Stream};
    use crate::error::Result;

    pub(in super::super) fn open<'a>(
        _: Stream<'a>,
        source: &str,
        _: &BatchOptions,
    ) -> Result<Box<dyn Source + 'a>> {
        Err(super::absent(source, "CSV", "csv"))
    }
}

#[cfg(not(feature = "gzip"))]
pub(super) mod gzip {
    //! In place of the reader of compressed CSV.

    use super::super::batches::Stream;
    use crate::error::Result;

    pub(in super::super) fn decoded<'a>(_: Stream<'a>, source: &str) -> Result<Stream<'a>> {
        Err(super::absent(source, "gzip", "gzip"))
    }
}

#[cfg(not(feature = "parquet"))]
pub(super) mod parquet {
    //! In place of the reader of Parquet.

    use super::super::batches::{BatchOptions, Source};
    use crate::error::Result;

    pub(in super::super) fn open<F>(_: F, source: &str, _: &BatchOptions) -> Result<Box<dyn Source>> {
        Err(super::absent(source, "Parquet", "parquet"))
    }

    pub(in super::super) fn open_bytes(
        content: Vec<u8>,
        source: &str,
        options: &BatchOptions,
    ) -> Result<Box<dyn Source>> {
        open(content, source, options)
    }
}

#[cfg(not(all(feature = "csv", feature = "gzip", feature = "parquet")))]
fn absent(source: &str, format: &str, feature: &str) -> crate::error::Error {
    let message = format!(
        "this is a {format} file, which this build does not read; build lire with its feature `{feature}`"
    );
    crate::error::Error::data(source, message)
}
