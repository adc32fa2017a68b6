//! Says what a rule asks of a category as briefly as training values allow.

use super::{Condition, Rule, Test};
use crate::binning::{BinnedTable, Edges};
use crate::table::Schema;

/// The same rule on training rows, with `x = c` in place of `x ≠ a` or `x not in {a, b}` where the
/// schema leaves no other level than `c`. None if no training row can satisfy it.
///
/// So columns of two levels always read `angina = yes`, `gender = 1`, `sex = male`. The two forms
/// differ on levels never seen in training: the rule then means what it says, and `x = c` does not
/// hold for them. A level that shares the bin of rare levels is never singled out, since the bins
/// could not tell it from the others: there the longer form stays.
pub(crate) fn simplify(rule: Rule, binned: &BinnedTable, schema: &Schema) -> Option<Rule> {
    let conditions = rule.conditions.into_iter().map(|condition| {
        let levels = schema.features[condition.feature].kind.levels();
        match (&condition.test, levels, &binned.columns[condition.feature].edges) {
            (Test::NotIn(excluded), Some(levels), Edges::Levels(bins)) => {
                Condition { test: without(excluded, levels.len(), bins), ..condition }
            }
            _ => condition,
        }
    });
    Rule::conjunction(conditions)
}

/// What is left when these levels are excluded.
fn without(excluded: &[u32], n_levels: usize, bins: &[Option<u32>]) -> Test {
    let is_left = |level: &u32| !excluded.contains(level);
    if !bins.iter().any(|bin| bin.as_ref().is_none_or(is_left)) {
        return Test::Missing;
    }
    let left: Vec<u32> = (0..n_levels as u32).filter(is_left).collect();
    match left[..] {
        [level] if bins.contains(&Some(level)) => Test::In(vec![level]),
        _ => Test::NotIn(excluded.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_levels_one_is_named() {
        assert_eq!(without(&[0], 2, &[Some(0), Some(1)]), Test::In(vec![1]));
        assert_eq!(without(&[1], 2, &[Some(0), Some(1)]), Test::In(vec![0]));
    }

    #[test]
    fn the_last_of_many_levels_is_named() {
        assert_eq!(without(&[0, 2], 3, &[Some(0), Some(1), Some(2)]), Test::In(vec![1]));
        assert_eq!(without(&[0], 3, &[Some(0), Some(1), Some(2)]), Test::NotIn(vec![0]));
    }

    #[test]
    fn a_rare_level_is_not_named() {
        assert_eq!(without(&[0], 2, &[Some(0), None]), Test::NotIn(vec![0]));
    }

    #[test]
    fn a_level_without_training_rows_keeps_the_longer_form() {
        assert_eq!(without(&[0], 3, &[Some(0), Some(1)]), Test::NotIn(vec![0]));
    }

    #[test]
    fn nothing_left_is_no_known_value() {
        assert_eq!(without(&[0, 1], 2, &[Some(0), Some(1)]), Test::Missing);
        assert_eq!(without(&[0, 1], 3, &[Some(0), Some(1)]), Test::Missing);
    }
}
