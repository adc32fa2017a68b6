//! The JSON Schema of the optional sections.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Map;

use super::{
    Alternatives, BaselineContributions, Bound, Conformance, EditHistory, FeatureSpread, HeldOutEvaluation,
    Monitoring, PointsTable, Provenance, ReasonCodes, ScoreScale, Section, Sections, SelectionRecord,
    Teacher,
};

impl JsonSchema for Sections {
    fn schema_name() -> Cow<'static, str> {
        "Sections".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for (name, schema) in known(generator) {
            properties.insert(name.to_owned(), schema.to_value());
        }
        json_schema!({ "type": "object", "properties": properties, "additionalProperties": true })
    }
}

/// The name and the schema of each section that this library knows.
fn known(generator: &mut SchemaGenerator) -> [(&'static str, Schema); 14] {
    fn of<S: Section + JsonSchema>(generator: &mut SchemaGenerator) -> (&'static str, Schema) {
        (S::NAME, generator.subschema_for::<S>())
    }
    [
        of::<Provenance>(generator),
        of::<SelectionRecord>(generator),
        of::<HeldOutEvaluation>(generator),
        of::<Teacher>(generator),
        of::<Bound>(generator),
        of::<BaselineContributions>(generator),
        of::<ReasonCodes>(generator),
        of::<Monitoring>(generator),
        of::<FeatureSpread>(generator),
        of::<ScoreScale>(generator),
        of::<PointsTable>(generator),
        of::<Conformance>(generator),
        of::<Alternatives>(generator),
        of::<EditHistory>(generator),
    ]
}
