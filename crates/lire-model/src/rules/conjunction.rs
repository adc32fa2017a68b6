//! Joins conditions into a rule in normal form: one condition a feature, none idle, none impossible.

use super::{Condition, Rule, Test};

impl Rule {
    /// The rule that holds where all the conditions hold; none if no value at all can satisfy it.
    pub fn conjunction(conditions: impl IntoIterator<Item = Condition>) -> Option<Self> {
        conditions.into_iter().try_fold(Self::default(), |rule, condition| rule.and(condition))
    }

    /// The rule with one condition more; none if no value at all can satisfy it.
    pub fn and(&self, condition: Condition) -> Option<Self> {
        let mut conditions = self.conditions.clone();
        let place = conditions.binary_search_by_key(&condition.feature, |condition| condition.feature);
        let (index, joined) = match place {
            Ok(index) => (index, conditions.remove(index).meet(condition)),
            Err(index) => (index, Condition { test: condition.test.normal(), ..condition }),
        };
        match (&joined.test, joined.takes_missing) {
            (Test::Missing, false) => None,
            (Test::Known, true) => Some(Self { conditions }),
            _ => {
                conditions.insert(index, joined);
                Some(Self { conditions })
            }
        }
    }
}

impl Condition {
    /// The condition that holds where both hold. Both are on the same feature.
    fn meet(self, other: Self) -> Self {
        Self {
            feature: self.feature,
            test: meet(self.test, other.test).normal(),
            takes_missing: self.takes_missing && other.takes_missing,
        }
    }
}

fn meet(one: Test, other: Test) -> Test {
    match (one, other) {
        (Test::Known, test) | (test, Test::Known) => test,
        (Test::Interval { above: a, at_most: b }, Test::Interval { above: c, at_most: d }) => {
            Test::Interval { above: pick(a, c, f64::max), at_most: pick(b, d, f64::min) }
        }
        (Test::In(a), Test::In(b)) => Test::In(a.into_iter().filter(|level| b.contains(level)).collect()),
        (Test::In(a), Test::NotIn(b)) | (Test::NotIn(b), Test::In(a)) => {
            Test::In(a.into_iter().filter(|level| !b.contains(level)).collect())
        }
        (Test::NotIn(a), Test::NotIn(b)) => Test::NotIn(a.into_iter().chain(b).collect()),
        // No value is both a number and a level.
        (Test::Missing, _)
        | (_, Test::Missing)
        | (Test::Interval { .. }, Test::In(_) | Test::NotIn(_))
        | (Test::In(_) | Test::NotIn(_), Test::Interval { .. }) => Test::Missing,
    }
}

/// The narrower of two bounds, where both exist.
fn pick(a: Option<f64>, b: Option<f64>, narrower: fn(f64, f64) -> f64) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(narrower(a, b)),
        (bound, None) | (None, bound) => bound,
    }
}

impl Test {
    /// The one way to write this test.
    fn normal(self) -> Self {
        match self {
            Self::Interval { above: None, at_most: None } => Self::Known,
            Self::Interval { above: Some(above), at_most: Some(at_most) } if above >= at_most => {
                Self::Missing
            }
            // Adding zero turns −0 into 0: they compare as equal but print differently.
            Self::Interval { above, at_most } => {
                Self::Interval { above: above.map(|x| x + 0.0), at_most: at_most.map(|x| x + 0.0) }
            }
            Self::In(levels) if levels.is_empty() => Self::Missing,
            Self::NotIn(levels) if levels.is_empty() => Self::Known,
            Self::In(levels) => Self::In(sorted(levels)),
            Self::NotIn(levels) => Self::NotIn(sorted(levels)),
            Self::Known | Self::Missing => self,
        }
    }
}

fn sorted(mut levels: Vec<u32>) -> Vec<u32> {
    levels.sort_unstable();
    levels.dedup();
    levels
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;

    fn joined(one: Test, other: Test) -> Option<Test> {
        let condition = |test| Condition { feature: 0, test, takes_missing: false };
        let rule = Rule::conjunction([condition(one), condition(other)])?;
        Some(rule.conditions[0].test.clone())
    }

    #[test]
    fn intervals_intersect() {
        let above = |x| Test::Interval { above: Some(x), at_most: None };
        let at_most = |x| Test::Interval { above: None, at_most: Some(x) };
        assert_eq!(joined(above(1.0), above(3.0)), Some(above(3.0)));
        let between = Test::Interval { above: Some(1.0), at_most: Some(4.0) };
        assert_eq!(joined(at_most(4.0), above(1.0)), Some(between));
        assert_eq!(joined(at_most(4.0), above(4.0)), None);
    }

    #[test]
    fn category_sets_join() {
        assert_eq!(joined(Test::NotIn(vec![2]), Test::NotIn(vec![0])), Some(Test::NotIn(vec![0, 2])));
        assert_eq!(joined(Test::In(vec![1]), Test::NotIn(vec![0])), Some(Test::In(vec![1])));
        assert_eq!(joined(Test::In(vec![1]), Test::NotIn(vec![1])), None);
    }

    #[test]
    fn what_holds_for_no_known_value_is_missing_if_both_take_missing_values() {
        let condition = |level| Condition { feature: 3, test: Test::In(vec![level]), takes_missing: true };
        let rule = Rule::conjunction([condition(0), condition(1)]);
        assert_eq!(rule, Rule::conjunction([Condition::missing(3)]));
        assert_eq!(Rule::conjunction([Condition::missing(3), Condition::known(3)]), None);
    }

    #[test]
    fn what_holds_always_is_dropped() {
        let any = Condition { feature: 0, test: Test::NotIn(vec![]), takes_missing: true };
        assert_eq!(Rule::conjunction([any]), Some(Rule::default()));
    }

    proptest! {
        #[test]
        fn a_conjunction_covers_what_both_rules_cover((table, one, other) in arbitrary::table_and_two_rules()) {
            let both = Rule::conjunction(one.conditions.iter().chain(&other.conditions).cloned());
            for row in 0..table.n_rows() {
                let expected = one.covers(&table, row).unwrap() && other.covers(&table, row).unwrap();
                prop_assert_eq!(both.as_ref().is_some_and(|rule| rule.covers(&table, row).unwrap()), expected);
            }
        }
    }
}
