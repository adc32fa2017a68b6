//! Which way a rule may push a prediction that must rise or fall with some features.

use serde::{Deserialize, Serialize};

use super::{Condition, Rule, Test};

/// How the prediction must follow a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// It never falls when the feature rises.
    Increasing,
    /// It never rises when the feature rises.
    Decreasing,
}

/// What the constraints allow a rule's weight to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// Anything: the rule asks of no constrained feature.
    Any,
    /// Nothing below zero: the rule holds for rows that must not be predicted lower than others.
    Up,
    /// Nothing above zero.
    Down,
    /// Nothing: no weight other than zero keeps the constraints.
    Nothing,
}

impl Rule {
    /// What the constraints, one for each feature of the schema, allow the rule's weight to be.
    ///
    /// Only its conditions on constrained features count. Conditions that pull in different directions, intervals
    /// that are closed on both sides, and those that ask for missing values fit no direction.
    pub fn allowed(&self, constraints: &[Option<Direction>]) -> Allowed {
        let of_condition = |condition: &Condition| {
            constraints
                .get(condition.feature)
                .copied()
                .flatten()
                .map(|direction| condition.allowed(direction))
        };
        self.conditions.iter().filter_map(of_condition).fold(Allowed::Any, |all, one| match all {
            Allowed::Any => one,
            _ if all == one => all,
            _ => Allowed::Nothing,
        })
    }
}

impl Condition {
    fn allowed(&self, direction: Direction) -> Allowed {
        let holds_above = match &self.test {
            _ if self.takes_missing => return Allowed::Nothing,
            Test::Interval { above: Some(_), at_most: None } => true,
            Test::Interval { above: None, at_most: Some(_) } => false,
            // Of a boolean feature's two levels the second is the higher; an unseen one is neither.
            Test::In(levels) => match levels[..] {
                [1] => true,
                [0] => false,
                _ => return Allowed::Nothing,
            },
            _ => return Allowed::Nothing,
        };
        if holds_above == (direction == Direction::Increasing) { Allowed::Up } else { Allowed::Down }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(feature: usize, above: Option<f64>, at_most: Option<f64>) -> Condition {
        Condition { feature, test: Test::Interval { above, at_most }, takes_missing: false }
    }

    fn allowed(conditions: &[Condition]) -> Allowed {
        let constraints = [Some(Direction::Increasing), Some(Direction::Decreasing), None];
        Rule { conditions: conditions.to_vec() }.allowed(&constraints)
    }

    #[test]
    fn constrained_conditions_decide() {
        let (high_a, low_a) = (interval(0, Some(3.0), None), interval(0, None, Some(3.0)));
        let (high_b, low_b) = (interval(1, Some(3.0), None), interval(1, None, Some(3.0)));
        let free = interval(2, Some(0.0), Some(1.0));
        assert_eq!(allowed(std::slice::from_ref(&free)), Allowed::Any);
        assert_eq!(allowed(&[high_a.clone(), free.clone()]), Allowed::Up);
        assert_eq!(allowed(&[low_a.clone(), free]), Allowed::Down);
        assert_eq!(allowed(std::slice::from_ref(&high_b)), Allowed::Down);
        assert_eq!(allowed(&[high_a.clone(), low_b.clone()]), Allowed::Up);
        assert_eq!(allowed(&[low_a, high_b.clone()]), Allowed::Down);
        assert_eq!(allowed(&[high_a, high_b]), Allowed::Nothing);
        assert_eq!(allowed(&[interval(0, Some(1.0), Some(2.0))]), Allowed::Nothing);
        assert_eq!(allowed(&[Condition { takes_missing: true, ..low_b }]), Allowed::Nothing);
        assert_eq!(allowed(&[Condition::known(0)]), Allowed::Nothing);
        assert_eq!(allowed(&[Condition::missing(1)]), Allowed::Nothing);
    }

    #[test]
    fn of_a_boolean_the_second_level_is_higher() {
        let level = |test: Test| Condition { feature: 0, test, takes_missing: false };
        assert_eq!(allowed(&[level(Test::In(vec![1]))]), Allowed::Up);
        assert_eq!(allowed(&[level(Test::In(vec![0]))]), Allowed::Down);
        assert_eq!(allowed(&[level(Test::NotIn(vec![0]))]), Allowed::Nothing);
    }
}
