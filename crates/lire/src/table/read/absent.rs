//! Formats that this build does not read, because their features are off.

#[cfg(not(feature = "csv"))]
pub(super) mod csv {
    //! In place of the reader of CSV.

    use std::io::Read;

    use super::super::RawTable;
    use crate::error::Result;

    pub(in super::super) fn read(_: impl Read, source: &str, _: Option<u8>) -> Result<RawTable> {
        super::absent(source, "CSV", "csv")
    }
}

#[cfg(not(feature = "gzip"))]
pub(super) mod gzip {
    //! In place of the reader of compressed CSV.

    use std::io::Read;

    use super::super::RawTable;
    use crate::error::Result;

    pub(in super::super) fn read(_: impl Read, source: &str, _: Option<u8>) -> Result<RawTable> {
        super::absent(source, "gzip", "gzip")
    }
}

#[cfg(not(feature = "parquet"))]
pub(super) mod parquet {
    //! In place of the reader of Parquet.

    use super::super::RawTable;
    use crate::error::Result;

    pub(in super::super) fn read<F>(_: F, source: &str) -> Result<RawTable> {
        super::absent(source, "Parquet", "parquet")
    }

    pub(in super::super) fn read_bytes(content: Vec<u8>, source: &str) -> Result<RawTable> {
        read(content, source)
    }
}

#[cfg(not(all(feature = "csv", feature = "gzip", feature = "parquet")))]
fn absent(source: &str, format: &str, feature: &str) -> crate::error::Result<super::RawTable> {
    let message = format!(
        "this is a {format} file, which this build does not read; build lire with its feature `{feature}`"
    );
    Err(crate::error::Error::data(source, message))
}
