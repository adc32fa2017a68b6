//! The committed JSON Schema of the model file is what the types say.
//!
//! To write it anew after a change of the format: `LIRE_WRITE_SCHEMA=1 cargo test -p lire --test suite schema`.

use std::path::Path;

#[test]
fn the_schema_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/model.schema.json");
    let mut expected = serde_json::to_string_pretty(&lire::model::json_schema()).unwrap();
    expected.push('\n');
    if std::env::var_os("LIRE_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == expected,
        "{} is stale; see the head of this test on how to write it",
        path.display()
    );
}

/// The schema knows every field that a file has, and requires what reading requires.
#[test]
fn the_schema_names_what_a_file_has() {
    let schema = serde_json::to_value(lire::model::json_schema()).unwrap();
    let file: serde_json::Value = serde_json::from_str(include_str!("models/v1.json")).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    for name in file.as_object().unwrap().keys() {
        assert!(properties.contains_key(name), "{name}");
    }
    // Beside those of the first version: what a reader must know, and the checksum. Further sections may stand there.
    assert_eq!(properties.len(), file.as_object().unwrap().len() + 2);
    assert_ne!(schema["additionalProperties"], false);
}
