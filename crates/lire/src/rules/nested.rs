//! Rules of which some lie within others, as those of a tree do.

use rayon::prelude::*;

use super::{Condition, Rule};
use crate::error::{Error, Result};
use crate::table::{Schema, Table};

/// Rules, with what is known of how they lie within each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NestedRules {
    /// The rules.
    pub rules: Vec<Rule>,
    /// For each rule the place of an earlier one that covers all that it covers, if one is known.
    pub within: Vec<Option<usize>>,
}

impl NestedRules {
    /// Fails unless all rules are on the columns of a schema, and each stands within earlier ones only.
    pub fn check(&self, schema: &Schema) -> Result<()> {
        if self.within.len() != self.rules.len() {
            return Err(Error::data("rules", "say for each rule which earlier rule it lies within, or none"));
        }
        if self.within.iter().enumerate().any(|(rule, within)| within.is_some_and(|within| within >= rule)) {
            return Err(Error::data("rules", "a rule lies within a later one"));
        }
        self.rules.iter().try_for_each(|rule| rule.check(schema))
    }
}

impl From<Vec<Rule>> for NestedRules {
    fn from(rules: Vec<Rule>) -> Self {
        Self { within: vec![None; rules.len()], rules }
    }
}

impl NestedRules {
    /// Adds a rule and gives its place.
    pub fn push(&mut self, rule: Rule, within: Option<usize>) -> usize {
        self.rules.push(rule);
        self.within.push(within);
        self.rules.len() - 1
    }

    /// The rules that cover at least so much weight of a table's rows, in order.
    ///
    /// Deep trees have far more nodes than can become candidates: what lies within too little is not looked at. The rules
    /// were checked, and there is a weight for each row.
    pub(crate) fn covering(&self, table: &Table, weights: &[f64], least: f64) -> Vec<Rule> {
        let families = self.families();
        let kept = families.par_iter().flat_map_iter(|&(start, end)| {
            let mut covered: Vec<Option<Vec<u32>>> = Vec::with_capacity(end - start);
            for place in start..end {
                let rows = match self.within[place] {
                    None => Some(self.rows_of(place, table, 0..table.n_rows() as u32)),
                    Some(outer) => covered[outer - start]
                        .as_ref()
                        .map(|rows| self.rows_of(place, table, rows.iter().copied())),
                };
                let enough =
                    |rows: &Vec<u32>| rows.iter().map(|&row| weights[row as usize]).sum::<f64>() >= least;
                covered.push(rows.filter(enough));
            }
            (start..end).filter(move |place| covered[place - start].is_some())
        });
        kept.map(|place| self.rules[place].clone()).collect()
    }

    /// The rows that a rule covers, out of those that the rule covers that it lies within.
    fn rows_of(&self, place: usize, table: &Table, rows: impl Iterator<Item = u32>) -> Vec<u32> {
        let known = self.within[place].map_or(&[][..], |outer| &self.rules[outer].conditions);
        let asked: Vec<&Condition> =
            self.rules[place].conditions.iter().filter(|condition| !known.contains(condition)).collect();
        let holds = |row: u32, condition: &Condition| {
            condition.holds(table.columns()[condition.feature].at(row as usize))
        };
        rows.filter(|&row| asked.iter().all(|condition| holds(row, condition))).collect()
    }

    /// Runs of rules that lie within no rule of another run.
    fn families(&self) -> Vec<(usize, usize)> {
        let mut families = Vec::new();
        let (mut end, mut outermost) = (self.rules.len(), usize::MAX);
        for place in (0..self.rules.len()).rev() {
            outermost = outermost.min(self.within[place].unwrap_or(place));
            if outermost == place {
                families.push((place, end));
                (end, outermost) = (place, usize::MAX);
            }
        }
        families.reverse();
        families
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use lire_model::rules::arbitrary;

    proptest! {
        #[test]
        fn rules_that_cover_too_little_are_left_out(
            (table, one, other) in arbitrary::table_and_two_rules(),
            least in 0.0..8.0f64,
        ) {
            let both = Rule::conjunction(one.conditions.iter().chain(&other.conditions).cloned());
            let mut nested = NestedRules::default();
            nested.push(other.clone(), None);
            nested.push(one, None);
            if let Some(both) = both {
                nested.push(both.clone(), Some(1));
                nested.push(both, Some(2));
            }
            nested.push(other, None);
            let weights: Vec<f64> = (0..table.n_rows()).map(|row| 0.5 + row as f64 / 8.0).collect();
            let covers = |rule: &&Rule| {
                let covered = (0..table.n_rows()).filter(|&row| rule.covers(&table, row).unwrap());
                covered.map(|row| weights[row]).sum::<f64>() >= least
            };
            let expected: Vec<Rule> = nested.rules.iter().filter(covers).cloned().collect();
            prop_assert_eq!(nested.covering(&table, &weights, least), expected);
        }
    }

    #[test]
    fn families_are_as_small_as_can_be() {
        let within = vec![None, None, Some(0), Some(1), None, None, Some(5)];
        let nested = NestedRules { rules: vec![Rule::default(); within.len()], within };
        assert_eq!(nested.families(), [(0, 4), (4, 5), (5, 7)]);
    }
}
