//! What was learned, and why this row: plain data that every rendering starts from.

mod values;

pub use values::{Cell, FeatureValue};

use std::collections::BTreeSet;

use serde::Serialize;

use crate::model::Model;
use crate::table::Table;

/// All rules of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GlobalExplanation {
    /// The class that positive weights speak for.
    pub positive: String,
    /// Where every score starts.
    pub intercept: f64,
    /// The rules, in the order in which they are summed: heaviest first.
    pub rules: Vec<GlobalRule>,
}

/// One rule of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GlobalRule {
    /// The rule as text.
    pub rule: String,
    /// What it adds to a score.
    pub weight: f64,
    /// The share of training weight that it covers.
    pub coverage: f64,
    /// The number of training rows that it covers.
    pub rows: usize,
    /// `|α| √(p (1 − p))`: how much it moves scores over the training rows.
    pub importance: f64,
    /// Sensitive columns that it uses.
    pub sensitive: Vec<String>,
}

/// Why one row has its score: the intercept and these rules, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LocalExplanation {
    /// The row, counted from 1.
    pub row: usize,
    /// The intercept plus all contributions, added in this order.
    pub score: f64,
    /// The probability of the positive class.
    pub probability: f64,
    /// The predicted label.
    pub label: String,
    /// The class that positive contributions speak for.
    pub positive: String,
    /// Where the score starts.
    pub intercept: f64,
    /// The rules that hold for the row, in the model's order.
    pub rules: Vec<LocalRule>,
    /// The row's values of the features in these rules, in the order of the features.
    pub values: Vec<FeatureValue>,
}

/// A rule that holds for a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LocalRule {
    /// The rule as text.
    pub rule: String,
    /// Its weight in the model.
    pub weight: f64,
    /// What it adds to this row's score. For a rule that is its weight.
    pub contribution: f64,
}

/// Explains a model as a whole.
pub fn explain_global(model: &Model) -> GlobalExplanation {
    let file = model.file();
    let rules = file
        .terms
        .iter()
        .zip(model.weights())
        .zip(model.rules())
        .map(|((term, &weight), rule)| {
            let names = rule.features().map(|feature| &model.schema().features[feature].name);
            GlobalRule {
                rule: term.rule.clone(),
                weight,
                coverage: term.coverage,
                rows: term.rows,
                importance: weight.abs() * (term.coverage * (1.0 - term.coverage)).sqrt(),
                sensitive: names.filter(|name| file.sensitive.contains(name)).cloned().collect(),
            }
        })
        .collect();
    GlobalExplanation { positive: model.positive().into(), intercept: model.intercept(), rules }
}

/// Explains rows of a table of the model's schema, in order; the first of them has the number `first_row`.
pub fn explain_rows(model: &Model, table: &Table, first_row: usize) -> Vec<LocalExplanation> {
    let scored = model.score(table);
    let explain = |(index, &score): (usize, &f64)| {
        let decision = model.decide(score);
        let local = |rule: usize| {
            let weight = model.weights()[rule];
            LocalRule { rule: model.file().terms[rule].rule.clone(), weight, contribution: weight }
        };
        let features = |row: usize| -> BTreeSet<usize> {
            scored.fired.of_row(row).flat_map(|rule| model.rules()[rule].features()).collect()
        };
        LocalExplanation {
            row: first_row + index,
            score,
            probability: decision.probability,
            label: model.label(decision).into(),
            positive: model.positive().into(),
            intercept: model.intercept(),
            rules: scored.fired.of_row(index).map(local).collect(),
            values: features(index)
                .into_iter()
                .map(|feature| values::value_at(table, feature, index))
                .collect(),
        }
    };
    scored.scores.iter().enumerate().map(explain).collect()
}
