//! The options of the fit that made a model, kept as they were written: prediction needs none but the missing texts.

use std::fmt;

use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Names and values, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    entries: Vec<(String, Value)>,
}

impl Options {
    /// The fields of a struct, in their order.
    pub fn of(options: &impl Serialize) -> serde_json::Result<Self> {
        // Through text: a `Value` of the whole would sort the names.
        serde_json::from_str(&serde_json::to_string(options)?)
    }

    /// The options as a struct that knows them.
    pub fn to<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        let map = self.entries.iter().cloned().collect();
        serde_json::from_value(Value::Object(map))
    }

    /// The names, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// The value of an option.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Texts that stand for a missing value, beside the empty one.
    pub fn missing(&self) -> Vec<String> {
        let listed = self.get("missing").and_then(Value::as_array);
        listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

impl Serialize for Options {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Options;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("the options of a fit")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Options, A::Error> {
                let mut entries: Vec<(String, Value)> = Vec::new();
                while let Some(entry) = map.next_entry::<String, Value>()? {
                    if entries.iter().any(|(known, _)| *known == entry.0) {
                        return Err(A::Error::custom(format!("duplicate field `{}`", entry.0)));
                    }
                    entries.push(entry);
                }
                Ok(Options { entries })
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Options {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Options".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_names_stays() {
        let text = r#"{"b":1,"a":{"y":0.25},"missing":["?","NA"]}"#;
        let options: Options = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&options).unwrap(), text);
        assert!(options.names().eq(["b", "a", "missing"]));
        assert_eq!(options.missing(), ["?", "NA"]);
        assert_eq!(options.get("b").and_then(Value::as_u64), Some(1));
    }
}
