//! Leaves out of the file what would tell of few training rows.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::sections::Conformance;
use super::{Model, ModelFile, Term};
use crate::error::Result;
use crate::table::{FeatureKind, Plain, Table, told_apart_by_spelling};

/// No part of a model file tells of fewer training rows, except a rule.
pub const LEAST_ROWS_TOLD: usize = 5;

impl Model {
    /// The same model without the levels that fewer than `least_rows` of the rows have, unless a rule names them. `table`
    /// has the training rows, of which `counts` says which ones count.
    ///
    /// It predicts the same as before for every row: a level that no rule names is like one that training never saw.
    pub fn without_rare_levels(
        self,
        table: &Table,
        counts: impl Fn(usize) -> bool,
        least_rows: usize,
    ) -> Result<Self> {
        let mut file = self.file().clone();
        let named = named_levels(&file);
        let mut changed = false;
        for feature in &mut file.features.features {
            let FeatureKind::Category { levels } = &mut feature.kind else { continue };
            let n_rows = rows_of_levels(table, &feature.name, &counts);
            let is_named =
                |level: &String| named.get(feature.name.as_str()).is_some_and(|named| named.contains(level));
            let n_rows = |level: &String| n_rows.get(level.as_str()).copied().unwrap_or(0);
            let (kept, left): (Vec<String>, Vec<String>) =
                levels.drain(..).partition(|level| is_named(level) || n_rows(level) >= least_rows);
            changed |= !left.is_empty();
            feature.levels_left_out += left.iter().filter(|level| n_rows(level) > 0).count();
            feature.exact.extend(told_apart_by_spelling(&kept, &left));
            *levels = kept;
        }
        if changed { Self { file, ..self }.changed("levels") } else { Ok(self) }
    }

    /// Whether training may have had as many cells, in so many rows, whose level the model leaves out of a feature. More
    /// of them are news.
    pub fn expects_unlisted(&self, feature: usize, n_cells: usize, n_rows: usize) -> bool {
        let file = self.file();
        let min_rows = file.config.get("min_rows").and_then(Value::as_f64).unwrap_or(0.0);
        let most_of_level = min_rows.ceil().max(LEAST_ROWS_TOLD as f64) - 1.0;
        let left_out = file.features.features.get(feature).map_or(0, |feature| feature.levels_left_out);
        n_cells as f64 * file.training.rows as f64 <= left_out as f64 * most_of_level * n_rows as f64
    }

    /// The same model with vectors to check other programs by.
    pub fn with_conformance(mut self) -> Result<Self> {
        let vectors = Conformance::of(&self)?;
        self.file.sections.set(&vectors)?;
        Ok(self)
    }
}

/// By feature the levels that rules name.
fn named_levels(file: &ModelFile) -> HashMap<String, HashSet<String>> {
    let mut named: HashMap<String, HashSet<String>> = HashMap::new();
    for term in &file.terms {
        let Term::Rule(term) = term else { continue };
        for condition in &term.conditions.conditions {
            let levels = [&condition.one_of, &condition.none_of].into_iter().flatten().flatten();
            named.entry(condition.feature.clone()).or_default().extend(levels.cloned());
        }
    }
    named
}

/// How many rows that count have each level of a column.
fn rows_of_levels<'t>(
    table: &'t Table,
    name: &str,
    counts: impl Fn(usize) -> bool,
) -> HashMap<&'t str, usize> {
    let Some(place) = table.schema().position(name) else { return HashMap::new() };
    let (Some(levels), Plain::Codes(codes)) =
        (table.schema().features[place].kind.levels(), table.columns()[place].plain())
    else {
        return HashMap::new();
    };
    let mut n_rows = vec![0; levels.len()];
    for (row, &code) in codes.iter().enumerate() {
        if let Some(n_rows) = n_rows.get_mut(code as usize).filter(|_| counts(row)) {
            *n_rows += 1;
        }
    }
    levels.iter().map(String::as_str).zip(n_rows).collect()
}
