//! Rows with their scores, by which any program that runs the model can be checked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Section;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::rules::{Rule, Test};
use crate::table::{Cell, Cells, Feature, Table, TableBuilder};

/// So many rules have a row of their own, the heaviest first.
const MOST_RULES: usize = 6;

/// Rows that are made up from the thresholds and levels of the rules, with what the model says of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conformance {
    /// The rows.
    pub vectors: Vec<ConformanceVector>,
}

/// A row, and what the model says of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConformanceVector {
    /// Its cells by feature. Features that are not named are missing.
    pub row: BTreeMap<String, CellValue>,
    /// Its score from each output, bit for bit.
    pub scores: Vec<f64>,
    /// Its class; none where numbers are predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The positions of the rules that hold.
    pub rules: Vec<usize>,
}

/// The value of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum CellValue {
    /// A number.
    Number(f64),
    /// A level, or a text that is none; or a date, time or duration in ISO 8601.
    Text(String),
}

impl CellValue {
    fn of(number: f64, feature: &Feature) -> Self {
        feature.kind.moment().map_or(Self::Number(number), |moment| Self::Text(moment.iso(number)))
    }
}

impl Section for Conformance {
    const NAME: &'static str = "conformance";
}

impl Conformance {
    /// Rows of this model: one of missing values, one for each of the heaviest rules, at the edges of its conditions, and
    /// one just outside of all edges, with levels that the model does not list.
    pub fn of(model: &Model) -> Result<Self> {
        let rules = model.rules();
        let mut rows = vec![BTreeMap::new()];
        rows.extend(rules.iter().take(MOST_RULES).map(|rule| row_of(rule, model)));
        rows.push(row_outside(model));
        rows.dedup();
        let scored = model.score(&table_of(&rows, model)?)?;
        let vector = |(place, row): (usize, BTreeMap<String, CellValue>)| -> Result<_> {
            let scores = scored.of_row(place)?.to_vec();
            let decided = model.decide(&scores)?;
            let label = decided.map(|decision| model.classes()[decision.class].clone());
            Ok(ConformanceVector { row, scores, label, rules: scored.fired.of_row(place)?.collect() })
        };
        Ok(Self { vectors: rows.into_iter().enumerate().map(vector).collect::<Result<_>>()? })
    }

    /// Fails unless a model says the same of each row, bit for bit.
    pub fn check(&self, model: &Model) -> Result<()> {
        let rows: Vec<_> = self.vectors.iter().map(|vector| vector.row.clone()).collect();
        let scored = model.score(&table_of(&rows, model)?)?;
        for (place, vector) in self.vectors.iter().enumerate() {
            let scores = scored.of_row(place)?;
            let same_scores = scores.len() == vector.scores.len()
                && scores.iter().zip(&vector.scores).all(|(a, b)| a.to_bits() == b.to_bits());
            let label = model.decide(scores)?.map(|decision| &model.classes()[decision.class]);
            if !same_scores
                || label != vector.label.as_ref()
                || !scored.fired.of_row(place)?.eq(vector.rules.iter().copied())
            {
                let message = format!(
                    "row {} has the scores {scores:?}, and {:?} are expected; the model was changed, or is computed in \
                     another way",
                    place + 1,
                    vector.scores
                );
                return Err(Error::model("section `conformance`", message));
            }
        }
        Ok(())
    }
}

/// The rows as a table of the model's schema.
fn table_of(rows: &[BTreeMap<String, CellValue>], model: &Model) -> Result<Table> {
    let schema = model.schema();
    let cell = |row: &BTreeMap<String, CellValue>, feature: &Feature| match row.get(&feature.name) {
        None => Cell::Missing,
        Some(CellValue::Number(number)) => Cell::Number(*number),
        Some(CellValue::Text(text)) => Cell::Text(text.clone()),
    };
    let column = |feature: &Feature| Cells::Mixed(rows.iter().map(|row| cell(row, feature)).collect());
    let columns = schema.features.iter().map(column).collect();
    TableBuilder::new(schema, &model.file().config.missing()).columns_in_order(columns)?.finish(rows.len())
}

/// A row for which a rule holds, with each number as near to the edge as can be.
fn row_of(rule: &Rule, model: &Model) -> BTreeMap<String, CellValue> {
    let features = &model.schema().features;
    let cell = |condition: &crate::rules::Condition| {
        let feature = &features[condition.feature];
        let levels = feature.kind.levels().unwrap_or_default();
        let value = match &condition.test {
            Test::Interval { at_most: Some(number), .. } => CellValue::of(*number, feature),
            Test::Interval { above: Some(number), .. } => CellValue::of(next_up(*number, feature), feature),
            Test::In(places) => CellValue::Text(levels[*places.first()? as usize].clone()),
            Test::NotIn(places) => {
                let other = (0..levels.len()).find(|place| !places.contains(&(*place as u32)));
                CellValue::Text(other.map_or_else(|| unlisted(levels), |place| levels[place].clone()))
            }
            Test::Known if feature.kind.levels().is_none() => CellValue::of(0.0, feature),
            Test::Known => CellValue::Text(levels.first().cloned().unwrap_or_else(|| unlisted(levels))),
            Test::Interval { .. } | Test::Missing => return None,
        };
        Some((feature.name.clone(), value))
    };
    rule.conditions.iter().filter_map(cell).collect()
}

/// A row beyond the edges of all rules: numbers just above each largest threshold, and levels that are not listed.
fn row_outside(model: &Model) -> BTreeMap<String, CellValue> {
    let features = &model.schema().features;
    let mut row = BTreeMap::new();
    let mut outside: BTreeMap<usize, f64> = BTreeMap::new();
    for condition in model.rules().iter().flat_map(|rule| &rule.conditions) {
        let feature = &features[condition.feature];
        let bound = match condition.test {
            Test::Interval { above, at_most } => at_most.or(above),
            _ => None,
        };
        match (feature.kind.levels(), bound) {
            (Some(levels), _) => {
                row.insert(feature.name.clone(), CellValue::Text(unlisted(levels)));
            }
            (None, Some(bound)) => {
                let next = next_up(bound, feature);
                let largest = outside.entry(condition.feature).or_insert(next);
                *largest = largest.max(next);
            }
            (None, None) => {}
        }
    }
    for linear in model.linear() {
        let beyond = linear.beyond();
        let moment = features[linear.feature].kind.moment();
        outside.entry(linear.feature).or_insert(moment.map_or(beyond, |moment| moment.next_up(beyond)));
    }
    for (place, number) in outside {
        row.insert(features[place].name.clone(), CellValue::of(number, &features[place]));
    }
    row
}

/// The next larger value that the feature can have.
fn next_up(number: f64, feature: &Feature) -> f64 {
    feature.kind.moment().map_or_else(|| number.next_up(), |moment| moment.next_up(number))
}

/// A text that is no level.
fn unlisted(levels: &[String]) -> String {
    let mut text = "(other)".to_owned();
    while levels.contains(&text) {
        text.push('*');
    }
    text
}
