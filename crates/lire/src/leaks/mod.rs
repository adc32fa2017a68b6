//! Columns of a model that a person would ask about: numbers of rows, and what gives the target away.

mod giveaway;
mod identifier;

use std::borrow::Cow;

use rayon::prelude::*;

use crate::error::Result;
use crate::model::Model;
use crate::rules::{Condition, Test};
use crate::split::exact_hashes;
use crate::table::{Dataset, Note, Schema};
use giveaway::Giveaway;

/// With fewer different rows nothing is said: almost anything happens by chance there.
const LEAST_ROWS: usize = 20;

/// Remarks on columns that the model uses, in the order of the columns. They do not depend on the order of the rows.
pub fn possible_leaks(model: &Model, data: &Dataset) -> Result<Vec<Note>> {
    data.check()?;
    let aligned;
    // The table that a model was learned from lists levels that the model leaves out, and these tell of identifiers.
    let names = |schema: &Schema| -> Vec<String> {
        schema.features.iter().map(|feature| feature.name.clone()).collect()
    };
    let data = match data.table.aligned(model.schema())? {
        _ if names(data.table.schema()) == names(model.schema()) => data,
        Cow::Borrowed(_) => data,
        Cow::Owned(table) => {
            aligned = Dataset { table, ..data.clone() };
            &aligned
        }
    };
    let different = different_rows(data);
    if different.len() < LEAST_ROWS {
        return Ok(Vec::new());
    }
    let remark = |feature: usize| {
        let used = Use::of(model, feature);
        if used.is_none() {
            return None;
        }
        let described = &data.table.schema().features[feature];
        let name = &described.name;
        // Times often differ in all rows, and say something all the same.
        if described.kind.moment().is_none()
            && identifier::is_likely(&data.table.columns()[feature], &different)
        {
            return Some(Note::hint(
                name,
                format!(
                    "the model uses it, though it looks like a row number or an identifier; if it is one, leave it out \
                     with the option `drop` = {}",
                    as_argument(name)
                ),
            ));
        }
        let how = match giveaway::of(data, feature, &used.conditions, &different)? {
            Giveaway::Perfect => "perfectly",
            Giveaway::Almost => "almost perfectly",
        };
        Some(Note::hint(
            name,
            format!(
                "it predicts `{}` {how} by itself, like a leak that is known only after the outcome; if it is one, leave \
                 it out with the option `drop` = {}",
                data.target.name,
                as_argument(name)
            ),
        ))
    };
    let features: Vec<usize> = (0..data.table.columns().len()).collect();
    Ok(features.into_par_iter().filter_map(remark).collect())
}

/// How a model uses the values of a column.
struct Use<'m> {
    /// The conditions that compare them.
    conditions: Vec<&'m Condition>,
    is_linear: bool,
}

impl<'m> Use<'m> {
    fn of(model: &'m Model, feature: usize) -> Self {
        // Whether a value is known at all says nothing of what it is.
        let compares = |condition: &&Condition| {
            condition.feature == feature && !matches!(condition.test, Test::Known | Test::Missing)
        };
        let conditions = model.rules().iter().flat_map(|rule| &rule.conditions).filter(compares).collect();
        Self { conditions, is_linear: model.linear().iter().any(|term| term.feature == feature) }
    }

    fn is_none(&self) -> bool {
        self.conditions.is_empty() && !self.is_linear
    }
}

/// One of each set of rows of equal features, of those that count.
fn different_rows(data: &Dataset) -> Vec<usize> {
    let (hashes, weights) = (exact_hashes(&data.table), data.row_weights());
    let mut rows: Vec<usize> = (0..hashes.len()).filter(|&row| weights[row] > 0.0).collect();
    rows.sort_by_key(|&row| hashes[row]);
    rows.dedup_by_key(|row| hashes[*row]);
    rows
}

/// A column's name as a shell takes it for one word.
fn as_argument(name: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "_-.:@%+/".contains(sign);
    if !name.is_empty() && name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word_to_a_shell() {
        for (name, argument) in
            [("id", "id"), ("größe", "größe"), ("row no", "'row no'"), ("it's", r"'it'\''s'"), ("", "''")]
        {
            assert_eq!(as_argument(name), argument);
        }
    }
}
