//! Bytes as a Parquet file: read or refused as bad data, whatever the decoders do.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lire::Error;
use lire::table::read::{ReadOptions, read_stream};

const MAGIC: &[u8] = b"PAR1";

fuzz_target!(|content: &[u8]| {
    let content = if content.starts_with(MAGIC) { content.to_vec() } else { [MAGIC, content].concat() };
    match read_stream(&content[..], "x", &ReadOptions::default()) {
        Ok(_) | Err(Error::Data { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
});
