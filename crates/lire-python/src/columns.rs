//! Columns, target and weights as Python hands them over, made into the library's tables.

use std::collections::{BTreeMap, BTreeSet};

use lire::table::{
    ClassLabels, Dataset, Feature, FeatureKind, MISSING, RawColumn, RawTable, Schema, Table, Target,
    TargetValues, UNSEEN, Values,
};
use lire::{Error, Result};
use numpy::PyReadonlyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;
use rayon::prelude::*;

/// One column of features.
#[derive(FromPyObject)]
pub enum Column<'py> {
    /// Its name and its cells; NaN is missing.
    Numbers(String, PyReadonlyArray1<'py, f64>),
    /// Its name, the position of each cell's text among the levels (the largest number where it is missing), the
    /// levels, and whether they are `false` and `true`.
    Codes(String, PyReadonlyArray1<'py, u32>, Vec<String>, bool),
}

/// What is to be predicted.
#[derive(FromPyObject)]
pub enum Truth<'py> {
    /// The name, the position of each row's class, and the classes; of two the second is positive.
    Classes(String, PyReadonlyArray1<'py, u32>, Vec<String>),
    /// The name and the numbers.
    Numbers(String, PyReadonlyArray1<'py, f64>),
}

/// A column to read without the interpreter.
pub struct View<'a> {
    name: &'a str,
    cells: CellsView<'a>,
}

enum CellsView<'a> {
    Numbers(ArrayView1<'a, f64>),
    Codes { codes: ArrayView1<'a, u32>, levels: &'a [String], boolean: bool },
}

/// A column of the library's own.
struct OwnColumn {
    name: String,
    cells: Cells,
}

enum Cells {
    Numbers(Vec<f64>),
    Codes { codes: Vec<u32>, levels: Vec<String>, boolean: bool },
}

impl Column<'_> {
    /// The column where it lies in memory.
    pub fn view(&self) -> View<'_> {
        match self {
            Self::Numbers(name, numbers) => View { name, cells: CellsView::Numbers(numbers.as_array()) },
            Self::Codes(name, codes, levels, boolean) => {
                let cells = CellsView::Codes { codes: codes.as_array(), levels, boolean: *boolean };
                View { name, cells }
            }
        }
    }
}

impl View<'_> {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        match &self.cells {
            CellsView::Numbers(numbers) => numbers.len(),
            CellsView::Codes { codes, .. } => codes.len(),
        }
    }

    /// One of the levels.
    pub fn level(&self, place: u32) -> Option<&str> {
        match &self.cells {
            CellsView::Numbers(_) => None,
            CellsView::Codes { levels, .. } => levels.get(place as usize).map(String::as_str),
        }
    }

    /// Copies the cells.
    fn to_own(&self) -> OwnColumn {
        let cells = match &self.cells {
            CellsView::Numbers(numbers) => Cells::Numbers(numbers.to_vec()),
            CellsView::Codes { codes, levels, boolean } => {
                Cells::Codes { codes: codes.to_vec(), levels: levels.to_vec(), boolean: *boolean }
            }
        };
        OwnColumn { name: self.name.to_owned(), cells }
    }
}

impl Truth<'_> {
    /// Copies the truth.
    pub fn to_own(&self) -> Target {
        match self {
            Self::Classes(name, labels, classes) => {
                let labels = labels.as_array().iter().copied().collect();
                let classes = ClassLabels { classes: classes.clone(), labels, positive_chosen: true };
                Target { name: name.clone(), values: TargetValues::Classes(classes) }
            }
            Self::Numbers(name, values) => {
                let values = TargetValues::Numbers(values.as_array().iter().copied().collect());
                Target { name: name.clone(), values }
            }
        }
    }
}

/// Rows to learn from, without those of weight zero, which equal no row. Also gives the rows that stay. `known` has
/// levels by feature that stay although no row may have them.
pub fn dataset(
    columns: &[View<'_>],
    target: Target,
    weights: Option<Vec<f64>>,
    known: &BTreeMap<usize, BTreeSet<u32>>,
) -> Result<(Dataset, Vec<usize>)> {
    let n_rows = match &target.values {
        TargetValues::Classes(of) => of.labels.len(),
        TargetValues::Numbers(values) => values.len(),
    };
    let counts = |row: &usize| weights.as_ref().is_none_or(|weights| weights[*row] > 0.0);
    let rows: Vec<usize> = (0..n_rows).filter(counts).collect();
    let target = if rows.len() == n_rows { target } else { target.select(&rows) };
    refuse_one_class(&target)?;
    let table = typed_table(columns, &rows, known)?;
    let weights = weights.map(|weights| rows.iter().map(|&row| weights[row]).collect());
    let data = Dataset { table, target, weights };
    data.check_magnitudes().map_err(|error| match error {
        Error::Data { place, message } if place == "weights" => Error::data("sample_weight", message),
        other => other,
    })?;
    Ok((data, rows))
}

/// Some rows of the columns, typed as they look. `known` is as for [`dataset`].
pub fn typed_table(
    columns: &[View<'_>],
    rows: &[usize],
    known: &BTreeMap<usize, BTreeSet<u32>>,
) -> Result<Table> {
    let none = BTreeSet::new();
    let typed: Vec<_> = columns
        .par_iter()
        .enumerate()
        .map(|(place, column)| column.to_own().typed(rows, known.get(&place).unwrap_or(&none)))
        .collect();
    let (features, values) = typed.into_iter().unzip();
    Table::new(Schema { features }, values, rows.len())
}

/// Rows to predict for a model: its features in their order.
pub fn table(columns: &[View<'_>], schema: &Schema, n_rows: usize) -> Result<Table> {
    if columns.len() != schema.features.len() {
        let message = format!("{} columns, the model has {} features", columns.len(), schema.features.len());
        return Err(Error::data("the table", message));
    }
    let values = columns
        .par_iter()
        .zip(&schema.features)
        .map(|(column, feature)| column.to_own().into_values(feature));
    Table::new(schema.clone(), values.collect::<Result<_>>()?, n_rows)
}

fn refuse_one_class(target: &Target) -> Result<()> {
    let TargetValues::Classes(of) = &target.values else { return Ok(()) };
    let present: BTreeSet<u32> = of.labels.iter().copied().collect();
    match present.first().and_then(|&class| of.classes.get(class as usize)) {
        Some(class) if present.len() == 1 => {
            let message =
                format!("all rows that count are of one class, `{class}`; at least two classes are needed");
            Err(Error::data("the target", message))
        }
        _ => Ok(()),
    }
}

impl OwnColumn {
    /// The column as a feature to learn from. Levels that no row has are left out, except known ones.
    fn typed(self, rows: &[usize], known: &BTreeSet<u32>) -> (Feature, Values) {
        let (kind, values, has_missing) = match self.cells {
            Cells::Numbers(numbers) => {
                let numbers = if rows.len() == numbers.len() {
                    numbers
                } else {
                    rows.iter().map(|&row| numbers[row]).collect()
                };
                let has_missing = numbers.iter().any(|number| number.is_nan());
                let whole = numbers.iter().all(|number| number.is_nan() || number.fract() == 0.0);
                let kind = if whole { FeatureKind::Integer } else { FeatureKind::Real };
                (kind, Values::Numbers(numbers), has_missing)
            }
            Cells::Codes { codes, levels, boolean } => {
                let codes: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
                let (levels, of_code) =
                    if boolean { (levels, vec![0, 1]) } else { present(&levels, codes.iter().chain(known)) };
                let code = |&code: &u32| of_code.get(code as usize).copied().unwrap_or(MISSING);
                let codes: Vec<u32> = codes.iter().map(code).collect();
                let has_missing = codes.contains(&MISSING);
                let kind =
                    if boolean { FeatureKind::Boolean { levels } } else { FeatureKind::Category { levels } };
                (kind, Values::Codes(codes), has_missing)
            }
        };
        (Feature { name: self.name, kind, has_missing }, values)
    }

    /// The cells as a feature of a model wants them.
    fn into_values(self, feature: &Feature) -> Result<Values> {
        let place = || format!("column `{}`", feature.name);
        match (self.cells, feature.kind.levels()) {
            (Cells::Numbers(numbers), None) => Ok(Values::Numbers(numbers)),
            (Cells::Codes { codes, levels, .. }, Some(_)) => {
                let of_code = found(&levels, feature)?;
                let code = |&code: &u32| of_code.get(code as usize).copied().unwrap_or(MISSING);
                Ok(Values::Codes(codes.iter().map(code).collect()))
            }
            (Cells::Numbers(_), Some(_)) => {
                Err(Error::data(place(), "the model was trained on categories here, but these are numbers"))
            }
            (Cells::Codes { .. }, None) => {
                Err(Error::data(place(), "the model was trained on numbers here, but these are texts"))
            }
        }
    }
}

/// The levels of these codes, sorted, and for each code its place among them. An empty text is missing, as in a file.
fn present<'c>(levels: &[String], codes: impl Iterator<Item = &'c u32>) -> (Vec<String>, Vec<u32>) {
    let mut occurs = vec![false; levels.len()];
    for &code in codes {
        if let Some(occurs) = occurs.get_mut(code as usize) {
            *occurs = true;
        }
    }
    let names: BTreeSet<&String> = levels
        .iter()
        .zip(&occurs)
        .filter(|(level, occurs)| **occurs && !level.is_empty())
        .map(|(l, _)| l)
        .collect();
    let names: Vec<String> = names.into_iter().cloned().collect();
    let place = |level: &String| names.binary_search(level).map_or(MISSING, |place| place as u32);
    let of_code = levels.iter().map(place).collect();
    (names, of_code)
}

/// For each text the code of the model's level that it stands for, found as in files.
fn found(texts: &[String], feature: &Feature) -> Result<Vec<u32>> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let column = RawColumn::of_texts(&feature.name, texts.iter().map(String::as_str));
    let raw = RawTable::new("the table", vec![column], texts.len())?;
    let schema = Schema { features: vec![feature.clone()] };
    match Table::for_schema(&raw, &schema, &[])?.columns() {
        [Values::Codes(codes)] => Ok(codes.clone()),
        _ => Ok(vec![UNSEEN; texts.len()]),
    }
}
