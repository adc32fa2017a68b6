//! The cells of a row that its explanation speaks of.

use serde::{Deserialize, Serialize};

use crate::table::{MISSING, Table, UNSEEN, Value};

/// A row's value of a feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeatureValue {
    /// The feature's name.
    pub feature: String,
    /// What the row holds; none where it is missing, or a category that training did not see.
    pub value: Option<Cell>,
    /// Whether it is a category that training did not see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A category or truth value, as training spelled it; or a date, time or duration, as rules spell it.
    Level(String),
}

/// The value at a row of the feature at a position of the table's schema.
pub(super) fn value_at(table: &Table, feature: usize, row: usize) -> FeatureValue {
    let described = &table.schema().features[feature];
    let (value, unseen) = match table.columns()[feature].at(row) {
        Value::Number(number) if number.is_nan() => (None, false),
        Value::Number(number) => match described.kind.moment() {
            Some(moment) => (Some(Cell::Level(moment.spell(number))), false),
            None => (Some(Cell::Number(number)), false),
        },
        Value::Code(MISSING) => (None, false),
        Value::Code(UNSEEN) => (None, true),
        Value::Code(level) => {
            let name = described.kind.levels().and_then(|levels| levels.get(level as usize));
            (name.cloned().map(Cell::Level), false)
        }
    };
    FeatureValue { feature: described.name.clone(), value, unseen }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Values;
    use crate::table::{Feature, FeatureKind, Schema};

    #[test]
    fn numbers_levels_and_gaps_are_told_apart() {
        let levels = vec!["a".to_owned(), "b".to_owned()];
        let feature = |name: &str, kind| Feature::new(name, kind, true);
        let features = vec![feature("x", FeatureKind::Real), feature("c", FeatureKind::Category { levels })];
        let columns =
            vec![Values::Numbers(vec![1.5, f64::NAN, 2.0]), Values::Codes(vec![1, MISSING, UNSEEN])];
        let table = Table::new(Schema { features }, columns, 3).unwrap();
        let json = |feature, row| serde_json::to_string(&value_at(&table, feature, row)).unwrap();
        assert_eq!(json(0, 0), r#"{"feature":"x","value":1.5}"#);
        assert_eq!(json(0, 1), r#"{"feature":"x","value":null}"#);
        assert_eq!(json(1, 0), r#"{"feature":"c","value":"b"}"#);
        assert_eq!(json(1, 1), r#"{"feature":"c","value":null}"#);
        assert_eq!(json(1, 2), r#"{"feature":"c","value":null,"unseen":true}"#);
    }
}
