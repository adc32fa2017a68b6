//! Columns, target and weights as Python hands them over, made into the library's tables.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lire::table::{
    Cells as TableCells, ClassLabels, Dataset, Feature, FeatureKind, Groups, Interned, MISSING, Moment, Note,
    Origin, Places, RawCells, RawColumn, Relations, Schema, Table, TableBuilder, Target, TargetValues, Times,
    Values, all_whole, hint_on_classes, hint_on_groups, hint_on_groups_of_numbers, sparse_values,
    type_moments, type_texts,
};
use lire::{Error, Result};
use numpy::PyReadonlyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::moments::kind_of;

/// One column of features.
#[derive(FromPyObject)]
pub enum Column<'py> {
    /// Its name and its cells; NaN is missing.
    Numbers(String, PyReadonlyArray1<'py, f64>),
    /// Its name, its cells in microseconds (NaN is missing), and what they are: `date`, `timestamp`, `duration` or `time`.
    Moments(String, PyReadonlyArray1<'py, f64>, String),
    /// Its name, the position of each cell's text among the levels (the largest number where it is missing), the
    /// levels, and what they are: `truth` for `false` and `true`, `text` for texts and categories, `mixed` for texts
    /// beside numbers.
    Codes(String, PyReadonlyArray1<'py, u32>, Vec<String>, String),
    /// Numbers that are mostly one: that one, followed by those of the rows that differ; and these rows.
    SparseNumbers(String, PyReadonlyArray1<'py, f64>, Rows<'py>),
    /// The same of codes.
    SparseCodes(String, PyReadonlyArray1<'py, u32>, Vec<String>, String, Rows<'py>),
}

/// Some rows, ascending, and how many there are in all.
type Rows<'py> = (PyReadonlyArray1<'py, u32>, usize);

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
    /// Of a sparse column the rows that have a cell of their own, and the number of rows.
    sparse: Option<(ArrayView1<'a, u32>, usize)>,
}

enum CellsView<'a> {
    Numbers(ArrayView1<'a, f64>),
    Moments(ArrayView1<'a, f64>, Moment),
    Codes { codes: ArrayView1<'a, u32>, levels: &'a [String], origin: Origin },
}

/// A column of the library's own.
struct OwnColumn {
    name: String,
    /// Of a sparse column first what most rows share.
    cells: Cells,
    places: Option<Places>,
}

enum Cells {
    Numbers(Vec<f64>),
    Moments(Vec<f64>, Moment),
    Codes { codes: Vec<u32>, levels: Vec<String>, origin: Origin },
}

impl Column<'_> {
    /// The column where it lies in memory.
    pub fn view(&self) -> View<'_> {
        let sparse = match self {
            Self::SparseNumbers(_, _, (rows, n_rows)) | Self::SparseCodes(_, _, _, _, (rows, n_rows)) => {
                Some((rows.as_array(), *n_rows))
            }
            Self::Numbers(..) | Self::Moments(..) | Self::Codes(..) => None,
        };
        match self {
            Self::Numbers(name, numbers) | Self::SparseNumbers(name, numbers, _) => {
                View { name, cells: CellsView::Numbers(numbers.as_array()), sparse }
            }
            Self::Moments(name, values, kind) => {
                let moment = kind_of(kind).unwrap_or(Moment::Timestamp);
                View { name, cells: CellsView::Moments(values.as_array(), moment), sparse }
            }
            Self::Codes(name, codes, levels, kind) | Self::SparseCodes(name, codes, levels, kind, _) => {
                let origin = match kind.as_str() {
                    "truth" => Origin::Truth,
                    "mixed" => Origin::Untyped,
                    _ => Origin::Text,
                };
                let cells = CellsView::Codes { codes: codes.as_array(), levels, origin };
                View { name, cells, sparse }
            }
        }
    }
}

impl View<'_> {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        match (&self.sparse, &self.cells) {
            (Some((_, n_rows)), _) => *n_rows,
            (None, CellsView::Numbers(numbers) | CellsView::Moments(numbers, _)) => numbers.len(),
            (None, CellsView::Codes { codes, .. }) => codes.len(),
        }
    }

    /// One of the levels.
    pub fn level(&self, place: u32) -> Option<&str> {
        match &self.cells {
            CellsView::Numbers(_) | CellsView::Moments(..) => None,
            CellsView::Codes { levels, .. } => levels.get(place as usize).map(String::as_str),
        }
    }

    /// A remark on a column that looks like an identifier of groups.
    fn hint_on_groups(&self, rows: &[usize]) -> Option<Note> {
        if self.sparse.is_some() {
            return None;
        }
        match &self.cells {
            CellsView::Moments(..) => None,
            CellsView::Numbers(numbers) => {
                hint_on_groups_of_numbers(self.name, rows.iter().map(|&row| numbers[row]))
            }
            CellsView::Codes { codes, levels, .. } => {
                let codes: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
                hint_on_groups(self.name, &interned(levels, &codes, Origin::Untyped))
            }
        }
    }

    /// The column as a file would have it. It is not sparse.
    fn raw(&self) -> RawColumn {
        match &self.cells {
            CellsView::Moments(values, moment) => RawColumn {
                name: self.name.to_owned(),
                cells: RawCells::Text(Interned::of_moments(*moment, &values.to_vec())),
            },
            CellsView::Numbers(numbers) => RawColumn::of_numbers(self.name, numbers.iter().copied()),
            CellsView::Codes { codes, levels, origin } => {
                let codes: Vec<u32> = codes.iter().copied().collect();
                RawColumn {
                    name: self.name.to_owned(),
                    cells: RawCells::Text(interned(levels, &codes, *origin)),
                }
            }
        }
    }

    /// Copies the cells.
    fn to_own(&self) -> Result<OwnColumn> {
        let cells = match &self.cells {
            CellsView::Numbers(numbers) => Cells::Numbers(numbers.to_vec()),
            CellsView::Moments(values, moment) => Cells::Moments(values.to_vec(), *moment),
            CellsView::Codes { codes, levels, origin } => {
                Cells::Codes { codes: codes.to_vec(), levels: levels.to_vec(), origin: *origin }
            }
        };
        let places = self.sparse.map(|(rows, n_rows)| Places::new(rows.to_vec(), n_rows)).transpose()?;
        Ok(OwnColumn { name: self.name.to_owned(), cells, places })
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

/// How columns are made features.
#[derive(Clone, Copy)]
pub enum Typing<'a> {
    /// As in files, except those that are declared categories.
    AsFound { categorical: &'a [String] },
    /// As they were given to other libraries. Some levels by feature stay although no row may have them.
    AsGiven { known: &'a BTreeMap<usize, BTreeSet<u32>> },
}

/// Rows to learn from, without those of weight zero, which equal no row; the rows that stay; and remarks.
pub fn dataset(
    columns: &[View<'_>],
    target: Target,
    weights: Option<Vec<f64>>,
    relations: Relations,
    typing: Typing<'_>,
) -> Result<(Dataset, Vec<usize>, Vec<Note>)> {
    let of_target = match &target.values {
        TargetValues::Classes(of) => hint_on_classes(&target.name, &of.classes),
        TargetValues::Numbers(_) => None,
    };
    let n_rows = match &target.values {
        TargetValues::Classes(of) => of.labels.len(),
        TargetValues::Numbers(values) => values.len(),
    };
    let counts = |row: &usize| weights.as_ref().is_none_or(|weights| weights[*row] > 0.0);
    let rows: Vec<usize> = (0..n_rows).filter(counts).collect();
    let target = if rows.len() == n_rows { target } else { target.select(&rows)? };
    refuse_one_class(&target)?;
    let (table, mut notes) = typed_table(columns, &rows, typing)?;
    notes.extend(of_target);
    if relations.groups.is_none() {
        notes.extend(columns.iter().filter_map(|column| column.hint_on_groups(&rows)));
    }
    let relations = relations.select(&rows)?;
    let weights = weights.map(|weights| rows.iter().map(|&row| weights[row]).collect());
    let data = Dataset { table, target, weights, relations };
    data.check_magnitudes().map_err(|error| match error {
        Error::Data { place, message } if place == "weights" => Error::data("sample_weight", message),
        other => other,
    })?;
    Ok((data, rows, notes))
}

/// Which rows belong together, and when they were. A column of the argument's own name has none.
pub fn relations(groups: Option<&View<'_>>, time: Option<&View<'_>>) -> Result<Relations> {
    let groups = groups.map(|column| Groups::of(&column.raw())).transpose()?;
    let times = time.map(|column| Times::of(&column.raw())).transpose()?;
    let named = |column: Option<String>, argument: &str| column.filter(|name| name != argument);
    Ok(Relations {
        groups: groups.map(|groups| Groups { column: named(groups.column, "groups"), ..groups }),
        times: times.map(|times| Times { column: named(times.column, "time"), ..times }),
    })
}

/// Some rows of the columns with their types, and remarks.
pub fn typed_table(columns: &[View<'_>], rows: &[usize], typing: Typing<'_>) -> Result<(Table, Vec<Note>)> {
    let none = BTreeSet::new();
    let typed: Vec<Result<_>> = columns
        .par_iter()
        .enumerate()
        .map(|(place, column)| match typing {
            Typing::AsFound { categorical } => column.to_own()?.found(rows, categorical),
            Typing::AsGiven { known } => column.to_own()?.given(rows, known.get(&place).unwrap_or(&none)),
        })
        .collect();
    let (mut features, mut values, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for typed in typed {
        let (feature, cells, remarks) = typed?;
        features.push(feature);
        values.push(cells);
        notes.extend(remarks);
    }
    Ok((Table::new(Schema { features }, values, rows.len())?, notes))
}

/// Rows to predict for a model: its features in their order. `missing` are texts that stand for missing values.
pub fn table(columns: &[View<'_>], schema: &Schema, missing: &[String], n_rows: usize) -> Result<Table> {
    let cells = columns.par_iter().map(|column| Ok(column.to_own()?.into_cells())).collect::<Result<_>>()?;
    let built = TableBuilder::new(schema, missing).columns_in_order(cells)?.finish(n_rows);
    built.map_err(|error| not_a_number(schema, error))
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
    /// The column as a feature to learn from, of the type that it would have in a file.
    fn found(self, rows: &[usize], categorical: &[String]) -> Result<(Feature, Values, Vec<Note>)> {
        let mut column = self.selected(rows)?;
        let places = column.places.take();
        let (feature, values, notes) = column.typed(categorical)?;
        let values = match places {
            Some(places) => sparse_values(values, places)?,
            None => values,
        };
        Ok((feature, values, notes))
    }

    /// Some rows of the column, ascending; dense if none of them shares anything.
    fn selected(self, rows: &[usize]) -> Result<Self> {
        let Some(places) = self.places else {
            return Ok(Self { cells: self.cells.selected(rows), ..self });
        };
        let kept = places.rows().iter().zip(1..).filter_map(|(&row, at)| {
            let place = if rows.len() == places.n_rows() {
                Ok(row as usize)
            } else {
                rows.binary_search(&(row as usize))
            };
            Some((place.ok()? as u32, at))
        });
        let (kept, mut cells): (Vec<u32>, Vec<usize>) = kept.unzip();
        let places = Places::new(kept, rows.len())?;
        if places.are_all() {
            return Ok(Self { cells: self.cells.selected(&cells), places: None, ..self });
        }
        cells.insert(0, 0);
        Ok(Self { cells: self.cells.selected(&cells), places: Some(places), ..self })
    }

    fn typed(self, categorical: &[String]) -> Result<(Feature, Values, Vec<Note>)> {
        match self.cells {
            Cells::Numbers(numbers) => {
                let (feature, values) = of_numbers(self.name, numbers);
                Ok((feature, values, Vec::new()))
            }
            Cells::Moments(values, moment) => {
                let (feature, values) = type_moments(self.name, moment, values);
                Ok((feature, values, Vec::new()))
            }
            Cells::Codes { codes, levels, origin } => {
                let cells = interned(&levels, &codes, origin);
                type_texts(&self.name, &cells, categorical.contains(&self.name))
            }
        }
    }

    /// The column as a feature for the rules of other libraries, which know its levels by their places. Levels that no
    /// row has are left out, except known ones.
    fn given(self, rows: &[usize], known: &BTreeSet<u32>) -> Result<(Feature, Values, Vec<Note>)> {
        let column = self.selected(rows)?;
        let cells = match column.places {
            Some(places) => {
                let shared_first: Vec<usize> = (0..=places.rows().len()).collect();
                column.cells.selected(&places.spread(&shared_first))
            }
            None => column.cells,
        };
        let (feature, values) = match cells {
            Cells::Numbers(numbers) => of_numbers(column.name, numbers),
            Cells::Moments(_, moment) => {
                let message = format!(
                    "it holds {}, of which trees of other libraries know nothing; give the numbers that they learned from",
                    moment.plural()
                );
                return Err(Error::data(format!("column `{}`", column.name), message));
            }
            Cells::Codes { codes, levels, origin } => {
                refuse_blanks(&column.name, &levels)?;
                let is_boolean = origin == Origin::Truth;
                let (levels, of_code) = if is_boolean {
                    (levels, vec![0, 1])
                } else {
                    present(&levels, codes.iter().chain(known))
                };
                let code = |&code: &u32| of_code.get(code as usize).copied().unwrap_or(MISSING);
                let codes: Vec<u32> = codes.iter().map(code).collect();
                let has_missing = codes.contains(&MISSING);
                let kind = if is_boolean {
                    FeatureKind::Boolean { levels }
                } else {
                    FeatureKind::Category { levels }
                };
                (Feature::new(column.name, kind, has_missing), Values::Codes(codes))
            }
        };
        Ok((feature, values, Vec::new()))
    }

    /// The cells as the library's builder takes them.
    fn into_cells(self) -> TableCells<'static> {
        let cells = match self.cells {
            Cells::Numbers(numbers) => TableCells::Numbers(numbers),
            Cells::Moments(values, moment) => TableCells::Moments(moment, values),
            Cells::Codes { codes, levels, origin } => {
                TableCells::Texts(Cow::Owned(interned(&levels, &codes, origin)))
            }
        };
        match self.places {
            Some(places) => TableCells::Sparse(Box::new(cells), places),
            None => cells,
        }
    }
}

impl Cells {
    /// The cells at the given places.
    fn selected(self, rows: &[usize]) -> Self {
        match self {
            Self::Numbers(numbers) => Self::Numbers(select(numbers, rows)),
            Self::Moments(values, moment) => Self::Moments(select(values, rows), moment),
            Self::Codes { codes, levels, origin } => {
                Self::Codes { codes: select(codes, rows), levels, origin }
            }
        }
    }
}

/// Says of a text among numbers, or other such cells, that the model was trained on these.
fn not_a_number(schema: &Schema, error: Error) -> Error {
    let Error::Data { place, message } = &error else { return error };
    let is_of_numbers = |feature: &&Feature| {
        feature.kind.levels().is_none() && place.starts_with(&format!("column `{}`, row ", feature.name))
    };
    match schema.features.iter().find(is_of_numbers) {
        Some(feature) => Error::data(
            format!(
                "column `{}` held {} in training",
                feature.name,
                feature.kind.moment().map_or("numbers", Moment::plural)
            ),
            format!("{place}: {message}"),
        ),
        None => error,
    }
}

fn of_numbers(name: String, numbers: Vec<f64>) -> (Feature, Values) {
    let has_missing = numbers.iter().any(|number| number.is_nan());
    let kind = if all_whole(&numbers) { FeatureKind::Integer } else { FeatureKind::Real };
    (Feature::new(name, kind, has_missing), Values::Numbers(numbers))
}

fn select<T: Copy>(cells: Vec<T>, rows: &[usize]) -> Vec<T> {
    let are_all = rows.len() == cells.len() && rows.iter().enumerate().all(|(place, &row)| place == row);
    if are_all { cells } else { rows.iter().map(|&row| cells[row]).collect() }
}

fn interned(levels: &[String], codes: &[u32], origin: Origin) -> Interned {
    Interned::of_places(levels.iter().map(String::as_str), codes).with_origin(origin)
}

/// Refuses levels that trees of other libraries tell apart, but no table of ours: blanks around a text never count.
fn refuse_blanks(name: &str, levels: &[String]) -> Result<()> {
    let mut known: BTreeMap<&str, &String> = BTreeMap::new();
    for level in levels {
        if let Some(other) = known.insert(level.trim_ascii(), level).filter(|other| *other != level) {
            let message = format!(
                "the categories `{other}` and `{level}` differ in blanks around them only, which never count; strip them"
            );
            return Err(Error::data(format!("column `{name}`"), message));
        }
    }
    Ok(())
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
        .filter(|(level, occurs)| **occurs && !level.trim_ascii().is_empty())
        .map(|(l, _)| l)
        .collect();
    let names: Vec<String> = names.into_iter().cloned().collect();
    let place = |level: &String| names.binary_search(level).map_or(MISSING, |place| place as u32);
    let of_code = levels.iter().map(place).collect();
    (names, of_code)
}
