//! From cells of any source to a table of a model's schema: files, Python, servers and vectors all come through here.

use std::borrow::Cow;
use std::collections::HashMap;

use ahash::RandomState;
use rayon::prelude::*;

use super::interned::{Interned, Interner, Origin, hasher, text_of_number};
use super::levels::{LevelFinder, Tolerance, reads_as_number};
use super::nearest::list;
use super::raw::{Fault, RowNumbers};
use super::sparse_cells::sparse_for;
use super::survey::{Meaning, MissingTokens, Survey, number};
use super::{Feature, FeatureKind, MISSING, Moment, Places, Schema, Table, UNSEEN, Values};
use crate::error::{Error, Result};

/// One cell as its source has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// No value.
    #[default]
    Missing,
    /// A number; NaN is missing.
    Number(f64),
    /// A whole number, of which each digit counts where it is a category.
    Integer(i64),
    /// A truth value.
    Truth(bool),
    /// A text, which may spell a number.
    Text(String),
}

/// The cells of one column as their source has them.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells<'a> {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Dates, times or durations as numbers, with their kind; NaN is missing.
    Moments(Moment, Vec<f64>),
    /// Texts, with what the source says of them.
    Texts(Cow<'a, Interned>),
    /// Cells of several kinds.
    Mixed(Vec<Cell>),
    /// A column that is mostly one value: that value followed by the cells of the rows that differ, and these rows.
    Sparse(Box<Self>, Places),
    /// Cells that no rule can speak of: what they are, in the plural.
    Unusable(&'a str),
}

/// Collects columns and makes them a table of a schema.
///
/// Columns may stand in any order and there may be more of them. Numbers may be spelled as texts and truth values as 0
/// and 1; a level may be spelled as another form of the same number. A level that the schema does not list becomes
/// [`UNSEEN`]. A column that is absent, or whose cells cannot be what the schema says, is an error.
#[derive(Debug)]
pub struct TableBuilder<'a> {
    schema: &'a Schema,
    missing: MissingTokens,
    source: Cow<'a, str>,
    rows: RowNumbers,
    columns: Vec<(&'a str, Cells<'a>)>,
}

impl<'a> TableBuilder<'a> {
    /// A builder without columns. The texts of `missing` stand for missing values, beside the empty one.
    pub fn new(schema: &'a Schema, missing: &[String]) -> Self {
        Self::with_tokens(schema, MissingTokens::new(missing))
    }

    pub(super) fn with_tokens(schema: &'a Schema, missing: MissingTokens) -> Self {
        let (source, rows) = (Cow::Borrowed("the table"), RowNumbers::default());
        Self { schema, missing, source, rows, columns: Vec::new() }
    }

    /// Names the source in messages.
    #[must_use]
    pub fn source(self, source: impl Into<Cow<'a, str>>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// Counts rows in messages as their file does.
    #[must_use]
    pub(super) fn row_numbers(self, rows: RowNumbers) -> Self {
        Self { rows, ..self }
    }

    /// Adds a column by its name.
    #[must_use]
    pub fn column(mut self, name: &'a str, cells: Cells<'a>) -> Self {
        self.columns.push((name, cells));
        self
    }

    /// Adds the columns of the schema, in its order.
    pub fn columns_in_order(mut self, columns: Vec<Cells<'a>>) -> Result<Self> {
        let features = &self.schema.features;
        if columns.len() != features.len() {
            let message = format!("{} columns, the model has {} features", columns.len(), features.len());
            return Err(Error::data(self.source, message));
        }
        self.columns.extend(features.iter().map(|feature| feature.name.as_str()).zip(columns));
        Ok(self)
    }

    /// The table, of so many rows.
    pub fn finish(self, n_rows: usize) -> Result<Table> {
        let Self { schema, missing, source, rows, mut columns } = self;
        let columns = in_order(schema, &source, &mut columns)?;
        let columns: Vec<std::result::Result<Values, Fault>> = schema
            .features
            .par_iter()
            .zip(columns)
            .map(|(feature, cells)| values_for(feature, cells, &missing, &rows))
            .collect();
        Table::new(schema.clone(), sound(columns)?, n_rows)
    }
}

/// The columns, or the first fault by rows, then by columns: that of the whole table is then that of its first part with
/// a fault.
fn sound(columns: Vec<std::result::Result<Values, Fault>>) -> Result<Vec<Values>> {
    let mut found = Vec::with_capacity(columns.len());
    let mut first: Option<Fault> = None;
    for column in columns {
        match column {
            Ok(values) => found.push(values),
            // No row comes before the first one: a whole column cannot be what it must be.
            Err(fault) if first.as_ref().is_none_or(|first| fault.row < first.row) => first = Some(fault),
            Err(_) => {}
        }
    }
    first.map_or(Ok(found), |fault| Err(fault.error))
}

/// For each feature the column of its name.
fn in_order<'a>(
    schema: &Schema,
    source: &str,
    columns: &mut Vec<(&'a str, Cells<'a>)>,
) -> Result<Vec<Cells<'a>>> {
    let (mut found, mut absent) = (Vec::with_capacity(columns.len()), Vec::new());
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    // It is never walked through, so that hashing shows nowhere.
    let mut by_name: HashMap<&str, Vec<usize>, RandomState> = HashMap::with_hasher(hasher());
    for (place, (name, _)) in columns.iter().enumerate() {
        by_name.entry(name).or_default().push(place);
    }
    for feature in &schema.features {
        match by_name.get(feature.name.as_str()).map(Vec::as_slice) {
            Some(&[place]) => {
                // Each feature has a name of its own, so that no column is taken twice.
                found.push(std::mem::replace(&mut columns[place].1, Cells::Unusable("nothing")));
            }
            Some(_) => {
                let message = format!("two columns are named `{}`; rename one of them", feature.name);
                return Err(Error::data(source, message));
            }
            None => absent.push(feature.name.as_str()),
        }
    }
    match absent[..] {
        [] => Ok(found),
        // A single one may be a matter of spelling, where the nearest name helps.
        [only] => {
            Err(Error::data(source, format!("no column `{only}`{}", super::nearest::advice(only, &names))))
        }
        _ => {
            let message =
                format!("{} columns of the model are not in the table: {}", absent.len(), list(&absent));
            Err(Error::data(source, message))
        }
    }
}

/// The cells of a column as a feature has them.
pub(super) fn values_for(
    feature: &Feature,
    cells: Cells<'_>,
    missing: &MissingTokens,
    rows: &RowNumbers,
) -> std::result::Result<Values, Fault> {
    match (cells, feature.kind.levels()) {
        (Cells::Sparse(cells, places), _) => sparse_for(feature, *cells, places, missing, rows),
        (Cells::Unusable(what), _) => {
            let message = format!("it holds {what}; numbers or texts are needed here");
            Err(Error::data(format!("column `{}`", feature.name), message).into())
        }
        (Cells::Moments(moment, values), None) => Ok(moments_for(feature, moment, values)?),
        (Cells::Moments(moment, values), Some(levels)) => {
            refuse_moments(feature, levels, moment, &values)?;
            Ok(levels_for(feature, levels, &Interned::of_moments(moment, &values), missing))
        }
        (Cells::Numbers(numbers), None) if feature.kind.moment().is_some() => {
            if numbers.iter().any(|number| !number.is_nan()) {
                return Err(trained_on(feature, "numbers").into());
            }
            Ok(Values::Numbers(numbers))
        }
        (Cells::Numbers(numbers), None) => {
            numbers_for(feature, numbers, &missing.with(&feature.missing), rows)
        }
        (Cells::Numbers(numbers), Some(levels)) => {
            refuse_numbers(feature, levels, &numbers)?;
            Ok(levels_for(feature, levels, &Interned::of_numbers(numbers), missing))
        }
        (Cells::Mixed(cells), None) if feature.kind.moment().is_none() && cells.iter().all(is_number) => {
            let numbers = cells.iter().map(number_of).collect();
            numbers_for(feature, numbers, &missing.with(&feature.missing), rows)
        }
        (Cells::Mixed(cells), levels) => {
            let cells = interned(&cells, levels.is_none());
            values_for(feature, Cells::Texts(Cow::Owned(cells)), missing, rows)
        }
        (Cells::Texts(cells), None) => {
            let missing = missing.with(&feature.missing);
            if let Some(moment) = feature.kind.moment() {
                return read_values(feature, &cells, &missing, rows, moment.example(), |text| {
                    moment.read(text)
                });
            }
            let cells = if cells.origin == Origin::Truth { Cow::Owned(zero_or_one(&cells)) } else { cells };
            read_values(feature, &cells, &missing, rows, "a number", number)
        }
        (Cells::Texts(cells), Some(levels)) => Ok(levels_for(feature, levels, &cells, missing)),
    }
}

/// The value that each text spells, as `read` understands what is `wanted` here.
fn read_values(
    feature: &Feature,
    cells: &Interned,
    missing: &MissingTokens,
    rows: &RowNumbers,
    wanted: &str,
    read: impl Fn(&str) -> Option<f64>,
) -> std::result::Result<Values, Fault> {
    let meanings = Survey::meanings_as(cells, missing, read);
    let meaning_at = |code: &u32| meanings[*code as usize];
    let is_fault = |code: &u32| match meaning_at(code) {
        Meaning::Number(value) => value.is_infinite(),
        meaning => meaning == Meaning::Text,
    };
    // Most columns have fewer texts than cells.
    if (0..meanings.len() as u32).any(|code| is_fault(&code))
        && let Some(row) = cells.codes.iter().position(is_fault)
    {
        let wanted = if meaning_at(&cells.codes[row]) == Meaning::Text { wanted } else { "a finite number" };
        let message = format!("`{}` is not {wanted}; declare it with the option `missing`", cells.at(row));
        return Err(rows.fault(&feature.name, row, message));
    }
    let value = |meaning: &Meaning| if let Meaning::Number(value) = meaning { *value } else { f64::NAN };
    let by_code: Vec<f64> = meanings.iter().map(value).collect();
    Ok(Values::Numbers(cells.codes.iter().map(|&code| by_code[code as usize]).collect()))
}

/// Numbers, of which those that stand for a missing value are missing.
fn numbers_for(
    feature: &Feature,
    mut numbers: Vec<f64>,
    missing: &MissingTokens,
    rows: &RowNumbers,
) -> std::result::Result<Values, Fault> {
    for number in &mut numbers {
        if missing.matches_number(*number) {
            *number = f64::NAN;
        }
    }
    match numbers.iter().position(|number| number.is_infinite()) {
        None => Ok(Values::Numbers(numbers)),
        Some(row) => {
            let message =
                format!("`{}` is not a finite number; declare it with the option `missing`", numbers[row]);
            Err(rows.fault(&feature.name, row, message))
        }
    }
}

/// The failure to take cells of one type for those of another.
pub(super) fn trained_on(feature: &Feature, given: &str) -> Error {
    let message = format!("the model was trained on {} here, but these are {given}", feature.kind.plural());
    Error::data(format!("column `{}`", feature.name), message)
}

/// Dates, times or durations as the feature has them.
pub(super) fn moments_for(feature: &Feature, given: Moment, values: Vec<f64>) -> Result<Values> {
    match feature.kind.moment() {
        Some(wanted) if wanted.is_like(given) => {
            Ok(Values::Numbers(values.into_iter().map(|value| wanted.narrowed(value)).collect()))
        }
        _ if values.iter().all(|value| value.is_nan()) => Ok(Values::Numbers(values)),
        _ => Err(trained_on(feature, given.plural())),
    }
}

/// Refuses dates, times or durations where no level is one.
fn refuse_moments(feature: &Feature, levels: &[String], moment: Moment, values: &[f64]) -> Result<()> {
    let are_moments = levels.iter().any(|level| moment.read(level).is_some()) || feature.levels_left_out > 0;
    if are_moments || values.iter().all(|value| value.is_nan()) {
        return Ok(());
    }
    Err(trained_on(feature, moment.plural()))
}

/// The level of each text.
fn levels_for(feature: &Feature, levels: &[String], cells: &Interned, missing: &MissingTokens) -> Values {
    let missing = missing.with(&feature.missing);
    let tolerance = match feature.kind {
        FeatureKind::Boolean { .. } => Tolerance::Boolean,
        _ => Tolerance::Number,
    };
    let finder = LevelFinder::new(levels, tolerance).with_exact(&feature.exact);
    let level = |text: &str| match finder.find(text) {
        _ if missing.matches(text) => MISSING,
        Some(level) => level as u32,
        None => UNSEEN,
    };
    let of_code: Vec<u32> = cells.texts.iter().map(level).collect();
    Values::Codes(cells.codes.iter().map(|&code| of_code[code as usize]).collect())
}

/// Refuses numbers where no level is one.
fn refuse_numbers(feature: &Feature, levels: &[String], numbers: &[f64]) -> Result<()> {
    let are_numbers = matches!(feature.kind, FeatureKind::Boolean { .. })
        || levels.iter().any(|level| reads_as_number(level))
        || feature.levels_left_out > 0;
    if are_numbers || numbers.iter().all(|number| number.is_nan()) {
        return Ok(());
    }
    Err(trained_on(feature, "numbers"))
}

fn is_number(cell: &Cell) -> bool {
    !matches!(cell, Cell::Text(_))
}

/// The number that a cell is; a missing one is NaN.
fn number_of(cell: &Cell) -> f64 {
    match cell {
        Cell::Number(number) => *number,
        Cell::Integer(number) => *number as f64,
        Cell::Truth(truth) => f64::from(u8::from(*truth)),
        Cell::Missing | Cell::Text(_) => f64::NAN,
    }
}

/// The text of each cell; among numbers truth values are 0 and 1.
fn interned(cells: &[Cell], among_numbers: bool) -> Interned {
    let mut interner = Interner::default();
    for cell in cells {
        let code = match cell {
            Cell::Missing => interner.code_of(""),
            Cell::Number(number) if number.is_nan() => interner.code_of(""),
            Cell::Number(number) => interner.code_of(&text_of_number(*number)),
            Cell::Integer(number) => interner.code_of(&number.to_string()),
            Cell::Truth(truth) if among_numbers => interner.code_of(if *truth { "1" } else { "0" }),
            Cell::Truth(truth) => interner.code_of(if *truth { "true" } else { "false" }),
            Cell::Text(text) => interner.code_of(text.trim_ascii()),
        };
        interner.push_known(code);
    }
    interner.finish()
}

/// Truth values as numbers.
fn zero_or_one(cells: &Interned) -> Interned {
    let number = |text: &str| match text {
        "false" => "0",
        "true" => "1",
        _ => "",
    };
    let texts: Vec<&str> = cells.texts.iter().map(number).collect();
    Interned::of_places(texts, &cells.codes)
}

#[cfg(test)]
mod tests;
