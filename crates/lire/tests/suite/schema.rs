//! The committed JSON Schemas of the model file and of the reports are what the types say.
//!
//! To write them anew after a change of a format: `LIRE_WRITE_SCHEMA=1 cargo test -p lire --test suite schema`.

use std::path::Path;

/// The optional sections.
const SECTIONS: [&str; 14] = [
    "provenance",
    "selection",
    "held_out",
    "teacher",
    "bound",
    "baseline",
    "reason_codes",
    "monitoring",
    "spread",
    "score_scale",
    "points",
    "conformance",
    "alternatives",
    "edits",
];

/// Writes a schema anew if that was asked for, and compares it with the one that is there.
fn is_up_to_date(name: &str, schema: &schemars::Schema) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(format!("{name}.schema.json"));
    let mut expected = serde_json::to_string_pretty(schema).unwrap();
    expected.push('\n');
    if std::env::var_os("LIRE_WRITE_SCHEMA").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &expected).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == expected,
        "{} is stale; see the head of this test on how to write it",
        path.display()
    );
}

#[test]
fn the_schema_is_up_to_date() {
    is_up_to_date("model", &lire::model::json_schema());
}

#[test]
fn the_schemas_of_reports_are_up_to_date() {
    for (name, schema) in lire::report::schemas() {
        is_up_to_date(&format!("reports/{name}"), &schema);
    }
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
    // Beside those of the first version: what a reader must know, the checksum, and the optional sections. Others may
    // stand there too.
    assert_eq!(properties.len(), file.as_object().unwrap().len() + 2 + SECTIONS.len());
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().filter_map(|name| name.as_str()).collect();
    for name in SECTIONS {
        assert!(properties.contains_key(name) && !required.contains(&name), "{name}");
    }
    assert_ne!(schema["additionalProperties"], false);
}
