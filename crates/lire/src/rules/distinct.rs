//! Keeps equal rules once, and says which of two rules with the same coverage is the better to read.

use std::collections::HashSet;

use super::Rule;
use crate::table::Schema;

/// How much there is to read in a rule; the smaller, the better. Of rules that cover the same rows
/// the briefest stays, ties by first occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Brevity {
    n_conditions: usize,
    n_characters: usize,
}

/// How much there is to read in a rule.
pub fn brevity(rule: &Rule, schema: &Schema) -> Brevity {
    Brevity { n_conditions: rule.n_conditions(), n_characters: text(rule, schema).chars().count() }
}

/// The rules without repetitions: the first of each text, in order.
pub fn distinct_by_text(rules: Vec<Rule>, schema: &Schema) -> Vec<Rule> {
    let mut seen = HashSet::new();
    rules.into_iter().filter(|rule| seen.insert(text(rule, schema))).collect()
}

/// The text of a candidate.
fn text(rule: &Rule, schema: &Schema) -> String {
    rule.text(schema).expect("candidates are rules on the columns that they were found in")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse;
    use crate::table::{Feature, FeatureKind};

    fn schema() -> Schema {
        let feature = |name: &str| Feature::new(name, FeatureKind::Real, false);
        Schema { features: vec![feature("age"), feature("x")] }
    }

    #[test]
    fn the_first_of_equal_rules_stays() {
        let schema = schema();
        let texts = ["x > 1", "age > 1 & x > 1", "x > 1", "x ≤ 1"];
        let rules = texts.map(|text| parse(text, &schema).unwrap()).to_vec();
        let kept: Vec<String> =
            distinct_by_text(rules, &schema).iter().map(|rule| text(rule, &schema)).collect();
        assert_eq!(kept, ["x > 1", "age > 1 & x > 1", "x ≤ 1"]);
    }

    #[test]
    fn fewer_conditions_are_briefer_than_fewer_characters() {
        let schema = schema();
        let brevity = |text| brevity(&parse(text, &schema).unwrap(), &schema);
        assert!(brevity("age > 1.23456789012") < brevity("age > 1 & x > 1"));
        assert!(brevity("x > 1") < brevity("age > 1"));
        assert_eq!(brevity("x > 1"), brevity("x ≤ 2"));
    }
}
