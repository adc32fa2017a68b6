//! Bytes as a model file: read or refused, and what is read is the same when it is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lire::{Error, Model};

fuzz_target!(|content: &[u8]| {
    match Model::from_json(content, "x.json") {
        Ok(model) => {
            let written = model.to_json();
            let again = Model::from_json(written.as_bytes(), "x.json").expect("what was written is read");
            assert_eq!(again.to_json(), written);
        }
        Err(Error::Model { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
});
