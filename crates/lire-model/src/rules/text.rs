//! Writes rules as people read them: `age > 54 & chest_pain = asymptomatic`.
//!
//! | condition | text |
//! |---|---|
//! | interval | `x > 31`, `x ≤ 45`, `31 < x ≤ 45`; `opened > 2019-04-01`, `wait ≤ 3d 4h` |
//! | category set | `x = a`, `x ≠ a`, `x in {a, b}`, `x not in {a, b}` |
//! | the same, taking missing values | `x > 31 or missing` |
//! | only missing or known | `x is missing`, `x is known` |
//! | no condition at all | `always` |
//!
//! Names stand in backticks and levels in double quotes where they could be misread, with `\` before
//! a quote or another `\`. [`parse`](super::parse()) reads it all back.

use super::spelling::{LEVEL_QUOTE, NAME_QUOTE, spell, spell_bound};
use super::{Condition, Rule, Test};
use crate::error::Result;
use crate::table::{Feature, Schema};

/// The text of the rule without conditions.
pub(super) const ALWAYS: &str = "always";

impl Rule {
    /// The rule as people read it. Equal rules, and only they, have equal texts. The rule is one on this schema.
    pub fn text(&self, schema: &Schema) -> Result<String> {
        if self.conditions.is_empty() {
            return Ok(ALWAYS.to_owned());
        }
        let conditions = self.conditions.iter().map(|condition| condition.text(schema));
        Ok(conditions.collect::<Result<Vec<_>>>()?.join(" & "))
    }
}

impl Condition {
    /// The condition as people read it. It is one on this schema.
    pub fn text(&self, schema: &Schema) -> Result<String> {
        self.check(schema)?;
        let feature = &schema.features[self.feature];
        let name = spell(&feature.name, NAME_QUOTE);
        let bound = |value: f64| spell_bound(value, feature.kind.moment());
        let missing = if self.takes_missing { " or missing" } else { "" };
        Ok(match &self.test {
            Test::Interval { above: Some(above), at_most: Some(at_most) } => {
                format!("{} < {name} ≤ {}{missing}", bound(*above), bound(*at_most))
            }
            Test::Interval { above: Some(above), at_most: None } => {
                format!("{name} > {}{missing}", bound(*above))
            }
            Test::Interval { above: None, at_most: Some(at_most) } => {
                format!("{name} ≤ {}{missing}", bound(*at_most))
            }
            Test::In(levels) => format!("{name} {}{missing}", spell_set(levels, feature, "=", "in")),
            Test::NotIn(levels) => format!("{name} {}{missing}", spell_set(levels, feature, "≠", "not in")),
            Test::Known | Test::Interval { above: None, at_most: None } => format!("{name} is known"),
            Test::Missing => format!("{name} is missing"),
        })
    }
}

/// A set of levels behind the sign for one or the words for many.
fn spell_set(levels: &[u32], feature: &Feature, sign: &str, words: &str) -> String {
    let names = feature.kind.levels().unwrap_or_default();
    let spelled: Vec<_> = levels.iter().map(|&level| spell(&names[level as usize], LEVEL_QUOTE)).collect();
    match &spelled[..] {
        [level] => format!("{sign} {level}"),
        levels => format!("{words} {{{}}}", levels.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::FeatureKind;

    fn schema() -> Schema {
        let levels = ["<=50K", "asymptomatic", "typical angina"].map(String::from).to_vec();
        let feature = |name: &str, kind| Feature::new(name, kind, true);
        let features = vec![
            feature("age", FeatureKind::Integer),
            feature("chest_pain", FeatureKind::Category { levels }),
            feature("a > b", FeatureKind::Real),
        ];
        Schema { features }
    }

    fn text(feature: usize, test: Test, takes_missing: bool) -> String {
        Condition { feature, test, takes_missing }.text(&schema()).unwrap()
    }

    #[test]
    fn intervals() {
        let interval = |above, at_most| Test::Interval { above, at_most };
        assert_eq!(text(0, interval(Some(31.0), Some(45.0)), false), "31 < age ≤ 45");
        assert_eq!(text(0, interval(Some(31.0), None), true), "age > 31 or missing");
        assert_eq!(text(2, interval(None, Some(0.35)), false), "`a > b` ≤ 0.35");
    }

    #[test]
    fn categories() {
        assert_eq!(text(1, Test::In(vec![2]), false), "chest_pain = typical angina");
        assert_eq!(text(1, Test::NotIn(vec![0]), true), "chest_pain ≠ \"<=50K\" or missing");
        assert_eq!(text(1, Test::In(vec![0, 1]), false), "chest_pain in {\"<=50K\", asymptomatic}");
        assert_eq!(
            text(1, Test::NotIn(vec![1, 2]), false),
            "chest_pain not in {asymptomatic, typical angina}"
        );
    }

    #[test]
    fn missing_and_known() {
        assert_eq!(Condition::missing(0).text(&schema()).unwrap(), "age is missing");
        assert_eq!(Condition::known(1).text(&schema()).unwrap(), "chest_pain is known");
    }

    #[test]
    fn conjunctions() {
        let above = Condition {
            feature: 0,
            test: Test::Interval { above: Some(54.0), at_most: None },
            takes_missing: false,
        };
        let equals = Condition { feature: 1, test: Test::In(vec![1]), takes_missing: false };
        let rule = Rule::conjunction([equals, above]).unwrap();
        assert_eq!(rule.text(&schema()).unwrap(), "age > 54 & chest_pain = asymptomatic");
        assert_eq!(Rule::default().text(&schema()).unwrap(), "always");
    }
}
