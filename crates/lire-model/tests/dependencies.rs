//! What a program that only predicts has to build: a short list that grows on purpose or not at all.

// A test that cannot go on has failed.
#![allow(clippy::unwrap_used)]

/// All that `lire-model` needs, and why.
const ALLOWED: [&str; 9] = [
    "ahash",      // hashes of texts
    "hashbrown",  // the table of distinct texts
    "proptest",   // only with the feature `testing`
    "rayon",      // rows are scored in parallel
    "schemars",   // only with the feature `schema`
    "serde",      // the model file
    "serde_json", // the model file
    "sha2",       // its checksum
    "tempfile",   // files are written whole or not at all
];
const ERRORS: &str = "thiserror";

#[test]
fn the_list_of_dependencies_is_short() {
    let manifest = include_str!("../Cargo.toml");
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let name = |line: &str| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned();
    let named: Vec<String> = section.lines().map(name).filter(|name| !name.is_empty()).collect();
    let expected: Vec<&str> = ALLOWED.into_iter().chain([ERRORS]).collect();
    assert_eq!(named, expected);
    // None comes in by another way: for a target, or to build.
    let tables: Vec<&str> =
        manifest.lines().filter(|line| line.contains("dependencies") && line.starts_with('[')).collect();
    assert_eq!(tables, ["[dependencies]", "[dev-dependencies]"]);
}
