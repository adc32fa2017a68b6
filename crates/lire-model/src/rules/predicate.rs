//! Whether a rule holds: for one value, for one row, for all rows of a table.

use super::packed::{all_rows, keep_sparse, keep_where};
use super::{Condition, Rule, Test};
use crate::error::{Error, Result};
use crate::table::{MISSING, Schema, Table, UNSEEN, Value, Values, no_such_row};

impl Rule {
    /// Whether the rule covers a row. The table's columns stand as in the rule's schema.
    pub fn covers(&self, table: &Table, row: usize) -> Result<bool> {
        self.check(table.schema())?;
        if row >= table.n_rows() {
            return Err(no_such_row(row, table.n_rows()));
        }
        Ok(self
            .conditions
            .iter()
            .all(|condition| condition.holds(table.columns()[condition.feature].at(row))))
    }

    /// The rows that the rule covers, packed: row `r` is bit `r mod 64` of word `r / 64`.
    pub fn cover(&self, table: &Table) -> Result<Vec<u64>> {
        self.check(table.schema())?;
        let mut rows = all_rows(table.n_rows());
        for condition in &self.conditions {
            condition.keep(&table.columns()[condition.feature], &mut rows);
        }
        Ok(rows)
    }

    /// Fails unless the rule is one on a schema: it asks numbers of columns of numbers, and levels of those that have
    /// them.
    pub fn check(&self, schema: &Schema) -> Result<()> {
        self.conditions.iter().try_for_each(|condition| condition.check(schema))
    }
}

impl Condition {
    /// Fails unless the condition is one on a schema.
    pub(super) fn check(&self, schema: &Schema) -> Result<()> {
        let Some(feature) = schema.features.get(self.feature) else {
            let (at, n_features) = (self.feature, schema.features.len());
            let message = format!("a rule asks of the column at position {at}, and there are {n_features}");
            return Err(Error::data("rule", message));
        };
        let has_codes =
            |codes: &[u32], levels: &[String]| codes.iter().all(|&code| (code as usize) < levels.len());
        let fits = match (&self.test, feature.kind.levels()) {
            (Test::Known | Test::Missing, _) | (Test::Interval { .. }, None) => true,
            (Test::In(codes) | Test::NotIn(codes), Some(levels)) => has_codes(codes, levels),
            (Test::Interval { .. }, Some(_)) | (Test::In(_) | Test::NotIn(_), None) => false,
        };
        if fits {
            return Ok(());
        }
        let message = "a rule asks for numbers or levels that this column does not have; use the schema that the rule was \
                       made for";
        Err(Error::data(format!("column `{}`", feature.name), message))
    }

    /// Whether the condition holds for a cell.
    pub fn holds(&self, value: Value) -> bool {
        match value {
            Value::Number(number) => self.holds_number(number),
            Value::Code(code) => self.holds_code(code),
        }
    }

    /// Whether the condition holds for a number; NaN is missing. No number is in a set of levels, or
    /// outside one.
    pub fn holds_number(&self, value: f64) -> bool {
        if value.is_nan() {
            return self.takes_missing;
        }
        match &self.test {
            Test::Interval { above, at_most } => {
                above.is_none_or(|above| value > above) && at_most.is_none_or(|at_most| value <= at_most)
            }
            Test::Known => true,
            Test::In(_) | Test::NotIn(_) | Test::Missing => false,
        }
    }

    /// Whether the condition holds for the code of a level, [`UNSEEN`] or [`MISSING`]. An unseen
    /// level is a known value: it is in no set and outside every set. No level is in an interval.
    pub fn holds_code(&self, code: u32) -> bool {
        if code == MISSING {
            return self.takes_missing;
        }
        match &self.test {
            Test::In(levels) => code != UNSEEN && levels.binary_search(&code).is_ok(),
            Test::NotIn(levels) => code == UNSEEN || levels.binary_search(&code).is_err(),
            Test::Known => true,
            Test::Interval { .. } | Test::Missing => false,
        }
    }

    /// Takes those rows out of a packed set for which the condition does not hold.
    fn keep(&self, values: &Values, rows: &mut [u64]) {
        let takes_missing = self.takes_missing;
        match (values, &self.test) {
            // The two tests that rules ask most get loops of their own, with nothing to look up. The
            // table has no infinities, so that infinite bounds can stand for open sides.
            (Values::Numbers(values), Test::Interval { above, at_most }) => {
                let above = above.unwrap_or(f64::NEG_INFINITY);
                let at_most = at_most.unwrap_or(f64::INFINITY);
                keep_where(values, rows, |value: f64| {
                    (value > above && value <= at_most) || (takes_missing && value.is_nan())
                });
            }
            (Values::Codes(codes), Test::In(levels)) if levels.len() == 1 => {
                let level = levels[0];
                keep_where(codes, rows, |code| code == level || (takes_missing && code == MISSING));
            }
            (Values::Numbers(values), _) => keep_where(values, rows, |value| self.holds_number(value)),
            (Values::Codes(codes), _) => keep_where(codes, rows, |code| self.holds_code(code)),
            (Values::SparseNumbers(values), _) => keep_sparse(values, rows, |value| self.holds_number(value)),
            (Values::SparseCodes(codes), _) => keep_sparse(codes, rows, |code| self.holds_code(code)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;

    fn condition(test: Test, takes_missing: bool) -> Condition {
        Condition { feature: 0, test, takes_missing }
    }

    #[test]
    fn no_comparison_holds_for_a_missing_value_unless_the_condition_takes_it() {
        let tests = [
            Test::Interval { above: Some(1.0), at_most: None },
            Test::In(vec![0]),
            Test::NotIn(vec![0]),
            Test::Known,
        ];
        for test in tests {
            for takes_missing in [false, true] {
                let condition = condition(test.clone(), takes_missing);
                assert_eq!(condition.holds_number(f64::NAN), takes_missing);
                assert_eq!(condition.holds_code(MISSING), takes_missing);
            }
        }
    }

    #[test]
    fn an_unseen_level_is_in_no_set_and_outside_every_set() {
        assert!(!condition(Test::In(vec![0, 1]), true).holds_code(UNSEEN));
        assert!(condition(Test::NotIn(vec![0, 1]), false).holds_code(UNSEEN));
        assert!(Condition::known(0).holds_code(UNSEEN));
        assert!(!Condition::missing(0).holds_code(UNSEEN));
    }

    #[test]
    fn an_interval_excludes_its_lower_and_includes_its_upper_end() {
        let condition = condition(Test::Interval { above: Some(31.0), at_most: Some(45.0) }, false);
        assert_eq!([31.0, 31.5, 45.0, 45.1].map(|x| condition.holds_number(x)), [false, true, true, false]);
    }

    proptest! {
        #[test]
        fn all_rows_at_once_are_as_one_by_one((table, rule) in arbitrary::table_and_rule()) {
            let rows = rule.cover(&table).unwrap();
            for row in 0..table.n_rows() {
                prop_assert_eq!(rows[row / 64] >> (row % 64) & 1 == 1, rule.covers(&table, row).unwrap());
            }
        }
    }
}
