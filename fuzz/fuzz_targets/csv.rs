//! Bytes as a table in CSV: read or refused, and what is read has types or is refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lire::Error;
use lire::table::read::{ReadOptions, read_stream};
use lire::table::{Dataset, DatasetOptions};

fuzz_target!(|content: &[u8]| {
    let table = match read_stream(content, "x", &ReadOptions::default()) {
        Ok(table) => table,
        Err(Error::Data { .. } | Error::Io { .. }) => return,
        Err(other) => panic!("{other:?}"),
    };
    let target = table.columns()[table.columns().len() - 1].name.clone();
    let options = DatasetOptions { target, ..Default::default() };
    if let Err(error) = Dataset::prepare(table, &options) {
        assert!(matches!(error, Error::Data { .. } | Error::Config { .. }), "{error:?}");
    }
});
