//! Rules as data: the form in which the model file stores them, with features and levels by name.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::{Condition, Rule, Test};
use crate::error::{Error, Result};
use crate::table::{Feature, Schema};

/// A rule: all its conditions must hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct RuleData {
    /// The conditions, at most one a feature.
    pub conditions: Vec<ConditionData>,
}

/// A condition on one feature: bounds of a number, a set of levels, or whether it is known.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConditionData {
    /// The feature's name.
    pub feature: String,
    /// The value must be greater than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Bound>,
    /// The value must not be greater than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Bound>,
    /// The value must be one of these levels.
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    pub one_of: Option<Vec<String>>,
    /// The value must be none of these levels.
    #[serde(default, rename = "not_in", skip_serializing_if = "Option::is_none")]
    pub none_of: Option<Vec<String>>,
    /// The value must be known (true) or missing (false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// Whether a missing value satisfies the condition too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub or_missing: bool,
}

/// The bound of an interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Bound {
    /// A number.
    Number(#[serde(serialize_with = "short_number")] f64),
    /// A date, time or duration in ISO 8601: `2019-04-01`, `2019-04-01T08:15Z`, `P3DT4H`, `08:15`.
    Moment(String),
}

impl Bound {
    fn of(value: f64, feature: &Feature) -> Self {
        feature.kind.moment().map_or(Self::Number(value), |moment| Self::Moment(moment.iso(value)))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Moment(text) => f.write_str(text),
        }
    }
}

impl RuleData {
    /// The rule as data. The rule is one on this schema.
    pub fn of(rule: &Rule, schema: &Schema) -> Result<Self> {
        rule.check(schema)?;
        let data = |condition| ConditionData::of(condition, schema);
        Ok(Self { conditions: rule.conditions.iter().map(data).collect() })
    }

    /// The rule that the data describe. `place` says in messages where they are from.
    pub fn to_rule(&self, schema: &Schema, place: &str) -> Result<Rule> {
        let mut conditions: Vec<Condition> = Vec::with_capacity(self.conditions.len());
        for data in &self.conditions {
            let condition = data.to_condition(schema, place)?;
            if conditions.iter().any(|other| other.feature == condition.feature) {
                return Err(data.error(place, "the feature has two conditions; join them into one"));
            }
            conditions.push(condition);
        }
        let never = || Error::model(place, "no value can satisfy this rule; remove it");
        Rule::conjunction(conditions).ok_or_else(never)
    }
}

impl ConditionData {
    /// The condition has passed its check.
    fn of(condition: &Condition, schema: &Schema) -> Self {
        let feature = &schema.features[condition.feature];
        let levels = feature.kind.levels().unwrap_or_default();
        let names = |codes: &[u32]| Some(codes.iter().map(|&code| levels[code as usize].clone()).collect());
        let bare =
            Self { feature: feature.name.clone(), or_missing: condition.takes_missing, ..Self::default() };
        match &condition.test {
            Test::Interval { above, at_most } => {
                let bound = |value: &Option<f64>| value.map(|value| Bound::of(value, feature));
                Self { above: bound(above), at_most: bound(at_most), ..bare }
            }
            Test::In(levels) => Self { one_of: names(levels), ..bare },
            Test::NotIn(levels) => Self { none_of: names(levels), ..bare },
            Test::Known => Self { known: Some(true), ..bare },
            // `"known": false` says by itself that missing values are taken.
            Test::Missing => Self { known: Some(false), or_missing: false, ..bare },
        }
    }

    fn to_condition(&self, schema: &Schema, place: &str) -> Result<Condition> {
        let Some(feature) = schema.position(&self.feature) else {
            return Err(self.error(place, "the schema has no such feature"));
        };
        let described = &schema.features[feature];
        let has_bounds = self.above.is_some() || self.at_most.is_some();
        let test = match (has_bounds, &self.one_of, &self.none_of, self.known) {
            (true, None, None, None) => self.interval(described, place)?,
            (false, Some(levels), None, None) => Test::In(self.codes(levels, described, place)?),
            (false, None, Some(levels), None) => Test::NotIn(self.codes(levels, described, place)?),
            (false, None, None, Some(_)) if self.or_missing => {
                return Err(self.error(place, "`known` and `or_missing` exclude each other"));
            }
            (false, None, None, Some(true)) => return Ok(Condition::known(feature)),
            (false, None, None, Some(false)) => return Ok(Condition::missing(feature)),
            _ => {
                let message = "give either bounds (`above`, `at_most`), or `in`, or `not_in`, or `known`";
                return Err(self.error(place, message));
            }
        };
        Ok(Condition { feature, test, takes_missing: self.or_missing })
    }

    fn interval(&self, feature: &Feature, place: &str) -> Result<Test> {
        if feature.kind.levels().is_some() {
            return Err(self.error(place, "the feature has levels and no numbers; use `in` or `not_in`"));
        }
        let value =
            |bound: &Option<Bound>| bound.as_ref().map(|bound| self.value(bound, feature, place)).transpose();
        let (above, at_most) = (value(&self.above)?, value(&self.at_most)?);
        match (&self.above, &self.at_most) {
            (Some(low), Some(high)) if above >= at_most => {
                let message = format!("the interval is empty: `above` {low} is not below `at_most` {high}");
                Err(self.error(place, &message))
            }
            _ => Ok(Test::Interval { above, at_most }),
        }
    }

    fn value(&self, bound: &Bound, feature: &Feature, place: &str) -> Result<f64> {
        match (bound, feature.kind.moment()) {
            (Bound::Number(number), None) if number.is_finite() => Ok(*number),
            (_, None) => Err(self.error(place, "the bounds must be finite numbers")),
            (Bound::Moment(text), Some(moment))
                if moment.read(text).is_some_and(|value| moment.iso(value) == *text) =>
            {
                Ok(moment.read(text).unwrap_or_default())
            }
            (bound, Some(moment)) => {
                let message = format!("the bound {bound} is not written as the file has {}", moment.plural());
                Err(self.error(place, &message))
            }
        }
    }

    fn codes(&self, names: &[String], feature: &Feature, place: &str) -> Result<Vec<u32>> {
        let Some(levels) = feature.kind.levels() else {
            return Err(self.error(place, "the feature has numbers and no levels; use `above` or `at_most`"));
        };
        if names.is_empty() {
            return Err(self.error(place, "the set of levels is empty"));
        }
        let code = |name: &String| {
            let position = levels.iter().position(|level| level == name);
            let unknown = || self.error(place, &format!("the schema has no level `{name}`"));
            position.map(|position| position as u32).ok_or_else(unknown)
        };
        names.iter().map(code).collect()
    }

    fn error(&self, place: &str, message: &str) -> Error {
        Error::model(format!("{place}, condition on `{}`", self.feature), message)
    }
}

/// Writes whole numbers without `.0`, as people do.
#[allow(clippy::trivially_copy_pass_by_ref)] // The signature is serde's.
fn short_number<S: Serializer>(value: &f64, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    // Every whole number up to here has an exact f64.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        serializer.serialize_i64(*value as i64)
    } else {
        value.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{arbitrary, parse};
    use super::*;
    use crate::table::FeatureKind;

    fn schema() -> Schema {
        let levels = ["female", "male", "other"].map(String::from).to_vec();
        let feature = |name: &str, kind| Feature::new(name, kind, true);
        Schema {
            features: vec![
                feature("age", FeatureKind::Real),
                feature("sex", FeatureKind::Category { levels }),
            ],
        }
    }

    fn read(json: &str) -> std::result::Result<Rule, String> {
        let data: RuleData = serde_json::from_str(json).map_err(|error| error.to_string())?;
        data.to_rule(&schema(), "rule 3").map_err(|error| error.to_string())
    }

    #[test]
    fn the_stored_form() {
        let cases = [
            (
                "31 < age ≤ 45.5 or missing",
                r#"[{"feature":"age","above":31,"at_most":45.5,"or_missing":true}]"#,
            ),
            ("sex = male", r#"[{"feature":"sex","in":["male"]}]"#),
            ("sex ≠ male", r#"[{"feature":"sex","not_in":["male"]}]"#),
            (
                "age is missing & sex is known",
                r#"[{"feature":"age","known":false},{"feature":"sex","known":true}]"#,
            ),
            ("always", "[]"),
        ];
        for (text, json) in cases {
            let rule = parse(text, &schema()).unwrap();
            assert_eq!(serde_json::to_string(&RuleData::of(&rule, &schema()).unwrap()).unwrap(), json);
            assert_eq!(read(json), Ok(rule));
        }
    }

    #[test]
    fn bounds_of_dates_are_iso_texts() {
        let feature = |name: &str, kind| Feature::new(name, kind, true);
        let features = vec![feature("seen", FeatureKind::Timestamp), feature("wait", FeatureKind::Duration)];
        let schema = Schema { features };
        let json =
            r#"[{"feature":"seen","above":"2019-04-01T08:15Z"},{"feature":"wait","at_most":"P3DT4H"}]"#;
        let read = |json: &str| {
            let data: RuleData = serde_json::from_str(json).unwrap();
            data.to_rule(&schema, "rule 3").map_err(|error| error.to_string())
        };
        let rule = parse("seen > 2019-04-01 08:15 & wait ≤ 3d 4h", &schema).unwrap();
        assert_eq!(serde_json::to_string(&RuleData::of(&rule, &schema).unwrap()).unwrap(), json);
        assert_eq!(read(json), Ok(rule));
        for bound in ["1554106500000000", "\"2019-04-01 08:15\"", "\"2019-04-01T10:15+02:00\"", "\"soon\""] {
            let message = read(&format!(r#"[{{"feature":"seen","above":{bound}}}]"#)).unwrap_err();
            assert!(message.contains("is not written as the file has timestamps"), "{message}");
        }
    }

    #[test]
    fn sets_are_put_in_order() {
        let rule = read(r#"[{"feature":"sex","in":["male","female","male"]}]"#);
        assert_eq!(rule.unwrap().conditions[0].test, Test::In(vec![0, 1]));
    }

    #[test]
    fn errors_say_where_and_what() {
        let cases = [
            (
                r#"[{"feature":"size","above":1}]"#,
                "rule 3, condition on `size`: the schema has no such feature",
            ),
            (r#"[{"feature":"sex","in":["m"]}]"#, "rule 3, condition on `sex`: the schema has no level `m`"),
            (r#"[{"feature":"sex","in":[]}]"#, "the set of levels is empty"),
            (r#"[{"feature":"sex","above":1}]"#, "the feature has levels"),
            (r#"[{"feature":"age","in":["1"]}]"#, "the feature has numbers"),
            (r#"[{"feature":"age","above":5,"at_most":5}]"#, "the interval is empty"),
            (r#"[{"feature":"age"}]"#, "give either bounds"),
            (r#"[{"feature":"age","above":1,"known":true}]"#, "give either bounds"),
            (r#"[{"feature":"age","known":true,"or_missing":true}]"#, "exclude each other"),
            (r#"[{"feature":"age","above":1},{"feature":"age","at_most":3}]"#, "two conditions"),
            (r#"[{"feature":"age","below":1}]"#, "unknown field `below`"),
        ];
        for (json, expected) in cases {
            let message = read(json).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
        let nan = ConditionData {
            feature: "age".into(),
            above: Some(Bound::Number(f64::NAN)),
            ..Default::default()
        };
        assert!(RuleData { conditions: vec![nan] }.to_rule(&schema(), "rule 3").is_err());
    }

    proptest! {
        #[test]
        fn what_is_stored_is_read_back((schema, rule) in arbitrary::hostile_schema_and_rule()) {
            let json = serde_json::to_string(&RuleData::of(&rule, &schema).unwrap()).unwrap();
            let data: RuleData = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(data.to_rule(&schema, "rule").map_err(|error| error.to_string()), Ok(rule));
        }
    }
}
