//! What a build reads follows from its features; what it does not read it names.

// A test that cannot go on has failed.
#![allow(clippy::unwrap_used)]

use lire::table::read::{ReadOptions, read_stream};

fn told(content: &[u8]) -> Option<String> {
    read_stream(content, "x", &ReadOptions::default()).err().map(|error| error.to_string())
}

fn names_feature(message: Option<&str>, feature: &str) -> bool {
    message.is_some_and(|message| message.contains(&format!("feature `{feature}`")))
}

#[test]
fn a_format_is_read_or_its_feature_named() {
    let csv = told(b"a,b\n1,2\n3,4\n");
    assert_eq!(csv.is_none(), cfg!(feature = "csv"));
    assert_eq!(names_feature(csv.as_deref(), "csv"), !cfg!(feature = "csv"));
    let gzip = told(&[0x1f, 0x8b, 8, 0]);
    assert_eq!(names_feature(gzip.as_deref(), "gzip"), !cfg!(feature = "gzip"));
    let parquet = told(b"PAR1junk");
    assert_eq!(names_feature(parquet.as_deref(), "parquet"), !cfg!(feature = "parquet"));
}
