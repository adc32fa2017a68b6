//! What was learned, and why this row: plain data that every rendering starts from.

mod importances;
mod shown;
mod values;

pub use importances::feature_importances;
pub use shown::{ShownSum, shown_sum};
pub use values::{Cell, FeatureValue};

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::model::{Linear, Model, Output, Term};
use crate::rules::RuleData;
use crate::table::{FeatureKind, Moment, Table, Value};

/// Rows that a thread explains at least: fewer are not worth another thread.
const ROWS_AT_ONCE: usize = 64;

/// All terms of one score of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GlobalExplanation {
    /// The class that positive weights speak for; none where the score is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Where every score starts.
    pub intercept: f64,
    /// The rules, in the order in which they are summed.
    pub rules: Vec<GlobalRule>,
    /// The linear terms, summed after the rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linear: Vec<GlobalLinear>,
}

/// One rule of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GlobalRule {
    /// Its place among the model's terms, counted from 0.
    pub index: usize,
    /// The rule as text.
    pub rule: String,
    /// The rule as data.
    pub conditions: RuleData,
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

/// A numeric feature that enters a score as it is: `weight · (clamp(x, low, high) − mean)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GlobalLinear {
    /// Its place among the model's terms, counted from 0.
    pub index: usize,
    /// The feature.
    pub feature: String,
    /// What its numbers stand for, if they are not just numbers: `low`, `high` and `mean` then count microseconds, and the
    /// weight is that of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Moment>,
    /// What one unit of it adds to a score.
    pub weight: f64,
    /// Lower values count as this.
    pub low: f64,
    /// Higher values count as this.
    pub high: f64,
    /// Where it adds nothing.
    pub mean: f64,
    /// `|weight| · std`: how much it moves scores over the training rows.
    pub importance: f64,
    /// Whether it is a sensitive column.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
}

/// Why one row has its score: the intercept and these terms, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalExplanation {
    /// The row, counted from 1.
    pub row: usize,
    /// The intercept plus all contributions, added in this order. It is the prediction where that is a number.
    pub score: f64,
    /// The probability of the explained class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The predicted label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The class that positive contributions speak for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Where the score starts.
    pub intercept: f64,
    /// The rules that hold for the row, in the model's order.
    pub rules: Vec<LocalRule>,
    /// The linear terms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linear: Vec<LocalLinear>,
    /// The row's values of the features in these terms, in the order of the features.
    pub values: Vec<FeatureValue>,
}

/// A rule that holds for a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalRule {
    /// Its place among the model's terms, counted from 0.
    pub index: usize,
    /// The rule as text.
    pub rule: String,
    /// The rule as data.
    pub conditions: RuleData,
    /// The share of training weight that it covers.
    pub coverage: f64,
    /// The number of training rows that it covers.
    pub rows: usize,
    /// Its weight in the model.
    pub weight: f64,
    /// What it adds to this row's score. For a rule that is its weight.
    pub contribution: f64,
}

/// What a linear term adds for a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalLinear {
    /// Its place among the model's terms, counted from 0.
    pub index: usize,
    /// The feature.
    pub term: String,
    /// The row's value; none where it is missing, and the term adds nothing.
    pub value: Option<f64>,
    /// What the value stands for, if it is not just a number: it then counts microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Moment>,
    /// What one unit adds.
    pub weight: f64,
    /// What it adds to this row's score.
    pub contribution: f64,
}

impl LocalExplanation {
    /// What is added up, in this order: the intercept, the rules, the linear terms.
    pub fn addends(&self) -> impl Iterator<Item = f64> + '_ {
        let rules = self.rules.iter().map(|rule| rule.contribution);
        let linear = self.linear.iter().map(|linear| linear.contribution);
        std::iter::once(self.intercept).chain(rules).chain(linear)
    }

    /// The addends and the score as they are printed with so many decimals: what is shown adds up.
    pub fn shown(&self, decimals: usize) -> ShownSum {
        shown_sum(&self.addends().collect::<Vec<f64>>(), self.score, decimals)
    }
}

/// Explains all outputs of a model.
pub fn explain_outputs(model: &Model) -> Vec<GlobalExplanation> {
    model.outputs().iter().map(|output| explained(model, output)).collect()
}

/// Explains one output of a model: all that has a weight there.
pub fn explain_global(model: &Model, output: usize) -> Result<GlobalExplanation> {
    let n_outputs = model.n_outputs();
    let wrong =
        || Error::data("output", format!("there is no output {output} of {n_outputs}; they count from 0"));
    Ok(explained(model, model.outputs().get(output).ok_or_else(wrong)?))
}

fn explained(model: &Model, of_output: &Output) -> GlobalExplanation {
    let file = model.file();
    let (mut rules, mut linear) = (Vec::new(), Vec::new());
    for (index, (term, &weight)) in file.terms.iter().zip(&of_output.weights).enumerate() {
        match term {
            _ if weight == 0.0 => {}
            Term::Rule(term) => {
                let names = model.rules()[index].features().map(|at| &model.schema().features[at].name);
                rules.push(GlobalRule {
                    index,
                    rule: term.rule.clone(),
                    conditions: term.conditions.clone(),
                    weight,
                    coverage: term.coverage,
                    rows: term.rows,
                    importance: weight.abs() * (term.coverage * (1.0 - term.coverage)).sqrt(),
                    sensitive: names.filter(|name| file.sensitive.contains(name)).cloned().collect(),
                });
            }
            Term::Linear(term) => linear.push(GlobalLinear {
                index,
                feature: term.feature.clone(),
                moment: model.schema().kind_of(&term.feature).and_then(FeatureKind::moment),
                weight,
                low: term.low,
                high: term.high,
                mean: term.mean,
                importance: weight.abs() * term.std,
                sensitive: file.sensitive.contains(&term.feature),
            }),
        }
    }
    GlobalExplanation { class: of_output.class.clone(), intercept: of_output.intercept, rules, linear }
}

/// Explains rows of a table of the model's schema, in order; the first of them has the number `first_row`. Each is
/// explained for its predicted class unless another is named. Rows are explained in parallel, each by itself: the
/// explanations are the same at any number of threads.
pub fn explain_rows(
    model: &Model,
    table: &Table,
    first_row: usize,
    class: Option<usize>,
) -> Result<Vec<LocalExplanation>> {
    if let Some(class) = class {
        model.check_class(class)?;
    }
    let table = &*table.aligned(model.schema())?;
    let scored = model.score(table)?;
    let explain = |row: usize| {
        let scores = model.scores_at(&scored, row);
        let decision = model.decision(scores);
        let explained = class.or(decision.as_ref().map(|decision| decision.class)).unwrap_or(0);
        let output = model.speaking_output(explained);
        let of_output = &model.file().outputs[output];
        let weighted = |&term: &usize| of_output.weights[term] != 0.0;
        let fired: Vec<usize> = scored.fired.at(row).filter(weighted).collect();
        let linear = local_linear(model, table, row, output);
        let mut features: BTreeSet<usize> =
            fired.iter().flat_map(|&rule| model.rules()[rule].features()).collect();
        features.extend(linear.iter().filter_map(|linear| model.schema().position(&linear.term)));
        // Of two classes the one output speaks of the positive class, whichever is predicted.
        let spoken_of = if model.n_outputs() == 1 { 1 } else { explained };
        LocalExplanation {
            row: first_row.saturating_add(row),
            score: scores[output],
            probability: decision.as_ref().map(|decision| decision.probabilities[spoken_of]),
            label: decision.as_ref().map(|decision| model.classes()[decision.class].clone()),
            class: of_output.class.clone(),
            intercept: of_output.intercept,
            rules: fired.iter().map(|&rule| local_rule(model, rule, of_output.weights[rule])).collect(),
            linear,
            values: features.into_iter().map(|feature| values::value_at(table, feature, row)).collect(),
        }
    };
    Ok((0..scored.n_rows()).into_par_iter().with_min_len(ROWS_AT_ONCE).map(explain).collect())
}

fn local_rule(model: &Model, rule: usize, weight: f64) -> LocalRule {
    let Term::Rule(term) = &model.file().terms[rule] else { unreachable!("rules are the first terms") };
    LocalRule {
        index: rule,
        rule: term.rule.clone(),
        conditions: term.conditions.clone(),
        coverage: term.coverage,
        rows: term.rows,
        weight,
        contribution: weight,
    }
}

fn local_linear(model: &Model, table: &Table, row: usize, output: usize) -> Vec<LocalLinear> {
    let n_rules = model.rules().len();
    let weights = &model.outputs()[output].weights[n_rules..];
    let local = |(place, (linear, &weight)): (usize, (&Linear, &f64))| {
        let Value::Number(value) = table.columns()[linear.feature].at(row) else {
            unreachable!("a linear term stands on a column of numbers");
        };
        LocalLinear {
            index: n_rules + place,
            term: model.schema().features[linear.feature].name.clone(),
            value: (!value.is_nan()).then_some(value),
            moment: model.schema().features[linear.feature].kind.moment(),
            weight,
            contribution: weight * linear.count(value),
        }
    };
    let terms = model.linear().iter().zip(weights).enumerate();
    terms.filter(|(_, (_, weight))| **weight != 0.0).map(local).collect()
}
