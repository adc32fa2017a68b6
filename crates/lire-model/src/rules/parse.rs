//! Reads rules from their text, as [`Rule::text`] writes it.

use super::reader::{Operand, Reader};
use super::text::ALWAYS;
use super::{Condition, Rule, Test};
use crate::error::Result;
use crate::table::{Feature, Moment, Schema};

/// Reads a rule from its text. `<=` may stand for `≤` and `!=` for `≠`, and a feature may appear in
/// several conditions, which are joined.
pub fn parse(text: &str, schema: &Schema) -> Result<Rule> {
    if text.trim() == ALWAYS {
        return Ok(Rule::default());
    }
    let mut reader = Reader::of(text);
    let mut rule = Rule::default();
    loop {
        let start = reader.next_at();
        let condition = reader.condition(schema)?;
        let excluded = || reader.error(start, "no value can satisfy this; remove the condition or widen it");
        rule = rule.and(condition).ok_or_else(excluded)?;
        if reader.is_done() {
            return Ok(rule);
        }
        reader.expect("&", "join conditions with `&`")?;
    }
}

impl Reader<'_> {
    fn condition(&mut self, schema: &Schema) -> Result<Condition> {
        let first = self.operand("a feature")?;
        if !self.sees("<=") && self.eats("<") {
            let name = self.operand("a feature")?;
            if schema.position(&name.text).is_none() && schema.position(&first.text).is_some() {
                // A feature stands where a bound must.
                self.number(&first)?;
            }
            let feature = self.feature(&name, schema)?;
            self.numeric(&name, feature, schema)?;
            let moment = schema.features[feature].kind.moment();
            let above = self.value(&first, moment)?;
            self.expect_any(&["≤", "<="], "an interval reads `31 < x ≤ 45`")?;
            let at_most = self.bound(moment)?;
            if above >= at_most {
                return Err(
                    self.error(first.at, "the interval is empty; its lower bound must be the smaller one")
                );
            }
            let test = Test::Interval { above: Some(above), at_most: Some(at_most) };
            return Ok(Condition { feature, test, takes_missing: self.or_missing()? });
        }
        let feature = self.feature(&first, schema)?;
        if self.eats("is") {
            return self.known_or_missing(feature);
        }
        let test = self.test(&first, feature, schema)?;
        Ok(Condition { feature, test, takes_missing: self.or_missing()? })
    }

    /// What stands behind a feature's name.
    fn test(&mut self, name: &Operand, feature: usize, schema: &Schema) -> Result<Test> {
        let described = &schema.features[feature];
        if self.sees(">=") {
            let message = "`≥` does not exist here; an interval excludes its lower end: `x > t`";
            return Err(self.error(self.next_at(), message));
        }
        let moment = described.kind.moment();
        if self.eats(">") {
            self.numeric(name, feature, schema)?;
            return Ok(Test::Interval { above: Some(self.bound(moment)?), at_most: None });
        }
        if self.eats("≤") || self.eats("<=") {
            self.numeric(name, feature, schema)?;
            return Ok(Test::Interval { above: None, at_most: Some(self.bound(moment)?) });
        }
        if self.eats("=") {
            return Ok(Test::In(vec![self.level(name, described)?]));
        }
        if self.eats("≠") || self.eats("!=") {
            return Ok(Test::NotIn(vec![self.level(name, described)?]));
        }
        if self.eats("in") {
            return Ok(Test::In(self.levels(name, described)?));
        }
        if self.eats("not") {
            self.expect("in", "a set of levels reads `x not in {a, b}`")?;
            return Ok(Test::NotIn(self.levels(name, described)?));
        }
        let message = "expected `>`, `≤`, `=`, `≠`, `in`, `not in` or `is` after a feature";
        Err(self.error(self.next_at(), message))
    }

    fn known_or_missing(&mut self, feature: usize) -> Result<Condition> {
        if self.eats("known") {
            return Ok(Condition::known(feature));
        }
        self.expect("missing", "only `is known` and `is missing` exist; a level reads `x = a`")?;
        Ok(Condition::missing(feature))
    }

    fn or_missing(&mut self) -> Result<bool> {
        if !self.eats("or") {
            return Ok(false);
        }
        self.expect("missing", "only `or missing` exists; write a rule of its own for another `or`")?;
        Ok(true)
    }

    fn bound(&mut self, moment: Option<Moment>) -> Result<f64> {
        let operand = self.operand(moment.map_or("a number", Moment::example))?;
        self.value(&operand, moment)
    }

    fn value(&self, operand: &Operand, moment: Option<Moment>) -> Result<f64> {
        let Some(moment) = moment else { return self.number(operand) };
        let wrong = || self.error(operand.at, &format!("`{}` is not {}", operand.text, moment.example()));
        moment.read(&operand.text).ok_or_else(wrong)
    }

    fn number(&self, operand: &Operand) -> Result<f64> {
        let value = operand.text.parse::<f64>().ok().filter(|value| value.is_finite());
        value.ok_or_else(|| self.error(operand.at, &format!("`{}` is not a finite number", operand.text)))
    }

    fn feature(&self, name: &Operand, schema: &Schema) -> Result<usize> {
        schema.position(&name.text).ok_or_else(|| {
            let message = format!("no feature is called `{}`; names are case-sensitive", name.text);
            self.error(name.at, &message)
        })
    }

    /// Refuses comparisons of levels.
    fn numeric(&self, name: &Operand, feature: usize, schema: &Schema) -> Result<()> {
        let feature = &schema.features[feature];
        if feature.kind.levels().is_none() {
            return Ok(());
        }
        let message = format!("`{}` has levels, not numbers; compare it with `=` or `≠`", feature.name);
        Err(self.error(name.at, &message))
    }

    fn levels(&mut self, name: &Operand, feature: &Feature) -> Result<Vec<u32>> {
        self.expect("{", "a set of levels reads `x in {a, b}`")?;
        let mut levels = vec![self.level(name, feature)?];
        while self.eats(",") {
            levels.push(self.level(name, feature)?);
        }
        self.expect("}", "levels of a set are separated by `,` and end with `}`")?;
        Ok(levels)
    }

    fn level(&mut self, name: &Operand, feature: &Feature) -> Result<u32> {
        let Some(levels) = feature.kind.levels() else {
            let message =
                format!("`{}` has {}; compare it with `>` or `≤`", feature.name, feature.kind.plural());
            return Err(self.error(name.at, &message));
        };
        let operand = self.operand("a level")?;
        let position = levels.iter().position(|level| *level == operand.text);
        position.map(|position| position as u32).ok_or_else(|| {
            let message = format!("`{}` is no level of `{}`", operand.text, feature.name);
            self.error(operand.at, &message)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;
    use crate::table::FeatureKind;

    fn schema() -> Schema {
        let levels = ["asymptomatic", "typical angina", "<=50K", "b"].map(String::from).to_vec();
        let feature = |name: &str, kind| Feature::new(name, kind, true);
        let category = FeatureKind::Category { levels };
        let numbers = ["age", "resting bp"].map(|name| feature(name, FeatureKind::Real));
        Schema { features: numbers.into_iter().chain([feature("pain", category)]).collect() }
    }

    #[test]
    fn other_spellings_mean_the_same() {
        let schema = schema();
        let cases = [
            ("age<=5", "age ≤ 5"),
            (" 1<age  <=5 or  missing ", "1 < age ≤ 5 or missing"),
            ("resting  bp > -2.50", "resting bp > -2.5"),
            ("pain!=b", "pain ≠ b"),
            ("pain in {b,typical angina , b}", "pain in {typical angina, b}"),
            ("pain not in{\"<=50K\"}", "pain ≠ \"<=50K\""),
            ("pain = b & `age` > 1 & age ≤ 5 & age > 0", "1 < age ≤ 5 & pain = b"),
            ("always", "always"),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text, &schema).unwrap().text(&schema).unwrap(), expected);
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        let schema = schema();
        let cases = [
            ("", "character 1: expected a feature"),
            ("weight > 3", "character 1: no feature is called `weight`"),
            ("age > 1 & ≤ 3", "character 11: expected a feature"),
            ("age > b", "character 7: `b` is not a finite number"),
            ("age > inf", "character 7: `inf` is not a finite number"),
            ("age >= 3", "character 5: `≥` does not exist"),
            ("age < 3", "character 1: `age` is not a finite number"),
            ("age = 3", "character 1: `age` has numbers"),
            ("age", "character 4: expected `>`"),
            ("pain > 3", "character 1: `pain` has levels"),
            ("pain = c", "character 8: `c` is no level of `pain`"),
            ("pain in {b", "character 11: expected `}`"),
            ("pain = \"b", "character 8: this quote does not end"),
            ("pain = \"\\q\"", "character 9: after `\\`"),
            ("pain is b", "character 9: expected `missing`"),
            ("5 < age ≤ 3", "character 1: the interval is empty"),
            ("age ≤ 3 & age > 3", "character 11: no value can satisfy this"),
            ("age > 3 age ≤ 5", "character 7: `3 age` is not a finite number"),
            ("pain = b or c", "character 13: expected `missing`"),
        ];
        for (text, expected) in cases {
            let message = parse(text, &schema).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn bounds_of_dates_are_dates() {
        let feature = |name: &str, kind| Feature::new(name, kind, true);
        let schema = Schema {
            features: vec![
                feature("opened", FeatureKind::Date),
                feature("seen", FeatureKind::Timestamp),
                feature("wait", FeatureKind::Duration),
                feature("call", FeatureKind::Time),
            ],
        };
        for (text, expected) in [
            ("opened > 2019-04-01", "opened > 2019-04-01"),
            ("opened>2019-04-01T08:15", "opened > 2019-04-01"),
            ("seen > 2019-04-01", "seen > 2019-04-01 00:00"),
            (
                "2019-04-01T08:15+02:00 < seen <= 2019-05-01 08:15:30.5 or missing",
                "2019-04-01 06:15 < seen ≤ 2019-05-01 08:15:30.5 or missing",
            ),
            ("wait > 3 days 04:00:00", "wait > 3d 4h"),
            ("-4h < wait ≤ P1DT30S", "-4h < wait ≤ 1d 30s"),
            ("call ≤ 08:15:00", "call ≤ 08:15"),
        ] {
            assert_eq!(parse(text, &schema).unwrap().text(&schema).unwrap(), expected);
        }
        for (text, expected) in [
            ("opened > 5", "character 10: `5` is not a date such as 2019-04-01"),
            ("opened > 3/4/19", "`3/4/19` is not a date"),
            ("opened > 2019-02-30", "is not a date"),
            ("3 < seen ≤ 2019-04-01", "character 1: `3` is not a timestamp"),
            ("wait > 4", "`4` is not a duration such as 3d 4h"),
            ("call > 25:00", "is not a time of day"),
            ("opened = 2019-04-01", "`opened` has dates; compare it with `>`"),
            ("2019-04-02 < opened ≤ 2019-04-02", "the interval is empty"),
        ] {
            let message = parse(text, &schema).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back((schema, rule) in arbitrary::hostile_schema_and_rule()) {
            let text = rule.text(&schema).unwrap();
            prop_assert!(!text.contains('\n'));
            prop_assert_eq!(parse(&text, &schema).map_err(|error| error.to_string()), Ok(rule), "{}", text);
        }

        #[test]
        fn no_text_breaks_the_reader(text in "[agepin <>=≤≠!&{},\"`\\\\u1.or]{0,30}") {
            let _ = parse(&text, &schema());
        }
    }
}
