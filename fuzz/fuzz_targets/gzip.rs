//! Bytes as a compressed table, and compressed: the first is read or refused, the second is read as it is without.

#![no_main]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use lire::Error;
use lire::table::read::{ReadOptions, read_stream};

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];

fuzz_target!(|content: &[u8]| {
    let read = |content: &[u8]| read_stream(content, "x", &ReadOptions::default());
    let claims = if content.starts_with(GZIP_MAGIC) { content.to_vec() } else { [GZIP_MAGIC, content].concat() };
    match read(&claims) {
        Ok(_) | Err(Error::Data { .. } | Error::Io { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
    if content.starts_with(GZIP_MAGIC) || content.starts_with(b"PAR1") {
        return;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("memory takes everything");
    let compressed = encoder.finish().expect("memory takes everything");
    match (read(content), read(&compressed)) {
        (Ok(plain), Ok(unpacked)) => assert_eq!(plain, unpacked),
        (Err(plain), Err(unpacked)) => assert_eq!(plain.to_string(), unpacked.to_string()),
        other => panic!("{other:?}"),
    }
});
