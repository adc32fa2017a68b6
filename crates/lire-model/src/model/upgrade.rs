//! Reads files of older format versions: each step makes the JSON of one version into that of the next.

use serde_json::{Map, Value, json};

use super::FORMAT_VERSION;

/// The file as this version would have written it. What is not as it should be is left for the reader to refuse.
pub(super) fn upgrade(mut file: Value, version: u32) -> Value {
    for version in version..FORMAT_VERSION {
        // From the second to the third nothing changes: no text stood for a missing value that was not declared.
        if let (1, Some(fields)) = (version, file.as_object_mut()) {
            to_second(fields);
        }
    }
    file["format_version"] = json!(FORMAT_VERSION);
    file
}

/// Version 1 knew two classes and rules only.
fn to_second(file: &mut Map<String, Value>) {
    let mut shares = Value::Null;
    if let Some(training) = file.get_mut("training").and_then(Value::as_object_mut) {
        if let Some(share) = training.remove("positive_share").and_then(|share| share.as_f64()) {
            shares = json!([1.0 - share, share]);
        }
        training.insert("class_shares".into(), shares);
        training.insert("scale".into(), Value::Null);
        training.insert("r2".into(), Value::Null);
    }
    if let Some(target) = file.get_mut("target").and_then(Value::as_object_mut) {
        let classes = [target.remove("negative"), target.remove("positive")];
        target.insert("task".into(), json!("classification"));
        target.insert("classes".into(), json!(classes));
    }
    if let Some(terms) = file.get_mut("terms").and_then(Value::as_array_mut) {
        for term in terms.iter_mut().filter_map(Value::as_object_mut) {
            term.insert("kind".into(), json!("rule"));
        }
    }
}
