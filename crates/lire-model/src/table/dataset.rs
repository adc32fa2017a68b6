//! A table with what is to be predicted and how much each row counts: all that a fit needs.

use rayon::prelude::*;

use super::conform::conform;
use super::find_target::{Wish, find_target, refuse_missing, rows_without};
use super::group_hint::hint_on_groups;
use super::note::Note;
use super::raw::{RawColumn, RawTable};
use super::relations::{Groups, Relations, Times};
use super::survey::{MissingTokens, Survey};
use super::target::{Target, TargetValues, Task, check_length};
use super::typing::{Forced, Typed, type_column};
use super::weights::weights_of;
use super::{Schema, Table, selected};
use crate::error::{Error, Result};

/// Features, truth and weights of the same rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// The features.
    pub table: Table,
    /// What is to be predicted.
    pub target: Target,
    /// How much each row counts; absent where each counts once.
    pub weights: Option<Vec<f64>>,
    /// Which rows belong together, and when they were.
    pub relations: Relations,
}

/// What the columns of a table are for.
#[derive(Debug, Clone, Default)]
pub struct DatasetOptions {
    /// The column to predict.
    pub target: String,
    /// Whether it holds classes or numbers; by default what it looks like.
    pub task: Option<Task>,
    /// The label of the positive class; by default the rarer one.
    pub positive: Option<String>,
    /// The column of row weights.
    pub weight_column: Option<String>,
    /// The column whose equal values are of rows that belong together.
    pub groups: Option<String>,
    /// The column that says when each row was.
    pub time: Option<String>,
    /// Whether rows without a target are left out instead of refused.
    pub drop_missing_target: bool,
    /// Types, dropped columns and missing values.
    pub columns: ColumnOptions,
}

/// How columns are typed. The default finds everything out by itself.
#[derive(Debug, Clone, Default)]
pub struct ColumnOptions {
    /// Columns that are categories even if they look like numbers or dates.
    pub categorical: Vec<String>,
    /// Columns that must be numbers.
    pub numeric: Vec<String>,
    /// Columns that are not used.
    pub drop: Vec<String>,
    /// Texts that stand for a missing value, beside the empty one.
    pub missing: Vec<String>,
}

/// Where to find what a known model is measured on.
#[derive(Debug, Clone)]
pub struct EvaluationOptions {
    /// The column with the truth.
    pub target: String,
    /// The model's classes; none if it predicts a number.
    pub classes: Vec<String>,
    /// The column of row weights.
    pub weight_column: Option<String>,
    /// Whether rows without a target are left out instead of refused.
    pub drop_missing_target: bool,
    /// Texts that stand for a missing value, beside the empty one.
    pub missing: Vec<String>,
}

impl Dataset {
    /// Takes target and weights out of a raw table and finds the types of all other columns.
    pub fn prepare(raw: RawTable, options: &DatasetOptions) -> Result<(Self, Vec<Note>)> {
        options.check(&raw)?;
        let missing = MissingTokens::new(&options.columns.missing);
        let mut notes = Vec::new();
        let weight_column = options.weight_column.as_deref();
        let raw = keep_labelled(raw, &options.target, options.drop_missing_target, &missing, &mut notes)?;
        let (mut raw, weights) = keep_weighted(raw, weight_column, &missing, &mut notes)?;
        let target_column = raw.take(&options.target)?;
        let wish = Wish { task: options.task, positive: options.positive.as_deref() };
        let (target, of_target) =
            find_target(&target_column, wish, weights.as_deref(), &missing, raw.row_numbers())?;
        notes.extend(of_target);
        let relations = take_relations(&mut raw, options, &missing, &mut notes)?;
        raw.drop_columns(&options.columns.drop);
        if relations.groups.is_none() {
            let texts = raw.columns().iter().filter_map(|column| Some((&column.name, column.text().ok()?)));
            notes.extend(texts.filter_map(|(name, cells)| hint_on_groups(name, cells)));
        }
        let table = type_features(raw, &options.columns, &missing, &mut notes)?;
        let data = Self { table, target, weights, relations };
        data.check_magnitudes()?;
        Ok((data, notes))
    }

    /// Reads features by a known schema and the classes that a model knows, to measure the model.
    pub fn for_schema(
        raw: RawTable,
        schema: &Schema,
        options: &EvaluationOptions,
    ) -> Result<(Self, Vec<Note>)> {
        let missing = MissingTokens::new(&options.missing);
        let mut notes = Vec::new();
        let raw = keep_labelled(raw, &options.target, options.drop_missing_target, &missing, &mut notes)?;
        let weight_column = options.weight_column.as_deref();
        let weights = weight_column
            .map(|name| weights_of(raw.column(name)?, &missing, raw.row_numbers()))
            .transpose()?;
        let target = Target::known(&raw, &options.target, &options.classes, &options.missing)?;
        let table = conform(&raw, schema, &missing)?;
        let data = Self { table, target, weights, relations: Relations::default() };
        data.check_sizes()?;
        Ok((data, notes))
    }

    /// How much each row counts, 1 where nothing else was said.
    pub fn row_weights(&self) -> Vec<f64> {
        self.weights.clone().unwrap_or_else(|| vec![1.0; self.n_rows()])
    }

    /// The weights as numbers of rows: if all are above 1, the smallest is one row, and if all are below, the largest, so
    /// that the same weight on every row means the same as none.
    pub fn weights_in_rows(&self) -> Vec<f64> {
        let mut weights = self.row_weights();
        let counted = || weights.iter().copied().filter(|weight| *weight > 0.0);
        let (smallest, largest) = (counted().fold(f64::INFINITY, f64::min), counted().fold(0.0, f64::max));
        let one_row = if smallest > 1.0 { smallest } else { largest.min(1.0) };
        if one_row > 0.0 && one_row.is_finite() {
            for weight in &mut weights {
                *weight /= one_row;
            }
        }
        weights
    }

    /// How many rows there are. Whole weights, with the smallest as one row, count rows that stand for several; of any
    /// other weights it is how many rows of equal weight would tell as much: `(Σw)² / Σw²` (Kish 1965).
    pub fn effective_rows(&self) -> f64 {
        let mut weights = self.weights_in_rows();
        weights.retain(|weight| *weight > 0.0);
        // In order of size, so that the sums do not depend on the order of the rows.
        weights.sort_unstable_by(f64::total_cmp);
        let sum: f64 = weights.iter().sum();
        if weights.iter().all(|weight| weight.fract() == 0.0) {
            return sum;
        }
        sum * sum / weights.iter().map(|weight| weight * weight).sum::<f64>()
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.table.n_rows()
    }

    /// The given rows, in that order. The schema with its levels stays as it is.
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        let weights = self.weights.as_ref().map(|weights| selected(weights, rows)).transpose()?;
        let relations = self.relations.select(rows)?;
        Ok(Self { table: self.table.select(rows)?, target: self.target.select(rows)?, weights, relations })
    }

    /// Fails unless all parts are of the same rows, labels are of the classes, weights are weights and times are finite.
    pub fn check(&self) -> Result<()> {
        let n_rows = self.table.n_rows();
        check_length("target", self.target.values.n_rows(), n_rows)?;
        if let TargetValues::Classes(of) = &self.target.values {
            of.check()?;
        }
        self.relations.check(n_rows)?;
        let Some(weights) = &self.weights else { return Ok(()) };
        check_length("weights", weights.len(), n_rows)?;
        match weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            None => Ok(()),
            Some(row) => {
                let message = format!("{} is not a finite number of 0 or more", weights[row]);
                Err(Error::data(format!("weights, row {}", row + 1), message))
            }
        }
    }
}

impl DatasetOptions {
    /// Fails on names that do not exist and on wishes that contradict each other.
    fn check(&self, raw: &RawTable) -> Result<()> {
        let columns = &self.columns;
        raw.column(&self.target)?;
        let roles = self.roles();
        for (at, &(option, name, what)) in roles.iter().enumerate() {
            raw.column(name)?;
            if let Some((_, _, other)) = roles[..at].iter().find(|role| role.1 == name) {
                let use_so_far =
                    if *other == "target" { "is the target".into() } else { format!("holds the {other}") };
                let message = format!("`{name}` {use_so_far}; {what} need a column of their own");
                return Err(Error::config(option, message));
            }
        }
        for name in [&columns.drop, &columns.categorical, &columns.numeric].into_iter().flatten() {
            raw.column(name)?;
        }
        if let Some(name) = columns.categorical.iter().find(|name| columns.numeric.contains(name)) {
            let message =
                format!("column `{name}` is also declared with the option `numeric`; declare it once");
            return Err(Error::config("categorical", message));
        }
        self.check_features(&roles)
    }

    /// The columns that are no features: the option that names each, its name, and what it holds.
    fn roles(&self) -> Vec<(&'static str, &str, &'static str)> {
        let optional = [
            ("weight_column", &self.weight_column, "weights"),
            ("groups", &self.groups, "groups"),
            ("time", &self.time, "times"),
        ];
        let given =
            optional.into_iter().filter_map(|(option, name, what)| Some((option, name.as_deref()?, what)));
        std::iter::once(("target", self.target.as_str(), "target")).chain(given).collect()
    }

    /// Fails on wishes for features about columns that are none.
    fn check_features(&self, roles: &[(&str, &str, &str)]) -> Result<()> {
        let columns = &self.columns;
        if roles.iter().any(|(_, name, _)| columns.drop.iter().any(|dropped| dropped == name)) {
            let message =
                "columns of the target, weights, groups and times are no features, and cannot be dropped";
            return Err(Error::config("drop", message));
        }
        for (option, names) in [("categorical", &columns.categorical), ("numeric", &columns.numeric)] {
            let of_relation = |(role, name, _): &&(&str, &str, &str)| {
                ["groups", "time"].contains(role) && names.iter().any(|wished| wished == name)
            };
            if let Some((_, name, what)) = roles.iter().find(of_relation) {
                let message =
                    format!("column `{name}` holds the {what} and is no feature; leave it out here");
                return Err(Error::config(option, message));
            }
        }
        Ok(())
    }
}

/// Leaves out the rows without a target, or refuses them.
fn keep_labelled(
    raw: RawTable,
    target: &str,
    drop: bool,
    missing: &MissingTokens,
    notes: &mut Vec<Note>,
) -> Result<RawTable> {
    let cells = raw.column(target)?.text()?;
    let survey = Survey::of(cells, missing);
    let without = rows_without(cells, &survey);
    if !drop {
        refuse_missing(&raw, target, &without)?;
    }
    if without.is_empty() {
        return Ok(raw);
    }
    if without.len() == raw.n_rows() {
        return Err(Error::data(format!("column `{target}`"), "the target is missing in every row"));
    }
    let is_missing = |row: &usize| without.binary_search(row).is_ok();
    let kept: Vec<usize> = (0..raw.n_rows()).filter(|row| !is_missing(row)).collect();
    notes.push(Note::rows_dropped(target, format!("{} rows without a target are left out", without.len())));
    Ok(raw.into_rows(&kept))
}

/// Takes the weights out, and with them the rows of weight zero: they equal no row, also when types are found.
fn keep_weighted(
    mut raw: RawTable,
    weight_column: Option<&str>,
    missing: &MissingTokens,
    notes: &mut Vec<Note>,
) -> Result<(RawTable, Option<Vec<f64>>)> {
    let Some(name) = weight_column else { return Ok((raw, None)) };
    let column = raw.take(name)?;
    let weights = weights_of(&column, missing, raw.row_numbers())?;
    let kept: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
    if kept.len() == weights.len() {
        return Ok((raw, Some(weights)));
    }
    let dropped = weights.len() - kept.len();
    notes.push(Note::rows_dropped(name, format!("{dropped} rows of weight zero are left out")));
    Ok((raw.into_rows(&kept), Some(kept.iter().map(|&row| weights[row]).collect())))
}

/// Takes the columns of groups and times out, which are no features.
fn take_relations(
    raw: &mut RawTable,
    options: &DatasetOptions,
    missing: &MissingTokens,
    notes: &mut Vec<Note>,
) -> Result<Relations> {
    let mut relations = Relations::default();
    if let Some(name) = &options.groups {
        let groups = Groups::of_column(&raw.take(name)?, missing, raw.row_numbers())?;
        notes.extend(groups.remark().map(|remark| Note::hint(name, remark)));
        relations.groups = Some(groups);
    }
    if let Some(name) = &options.time {
        relations.times = Some(Times::of_column(&raw.take(name)?, missing, raw.row_numbers())?);
    }
    Ok(relations)
}

/// Finds the type of each column; notes come in the columns' order, and so does the first failure. That no column is
/// left is none: a model may be an intercept only.
fn type_features(
    raw: RawTable,
    options: &ColumnOptions,
    missing: &MissingTokens,
    notes: &mut Vec<Note>,
) -> Result<Table> {
    let n_rows = raw.n_rows();
    let rows = raw.row_numbers().clone();
    let forced = |column: &RawColumn| match &column.name {
        name if options.categorical.contains(name) => Some(Forced::Category),
        name if options.numeric.contains(name) => Some(Forced::Number),
        _ => None,
    };
    let typed: Vec<Result<Typed>> = raw
        .into_columns()
        .into_par_iter()
        .map(|column| {
            let forced = forced(&column);
            type_column(column, forced, missing, &rows)
        })
        .collect();
    let mut schema = Schema::default();
    let mut columns = Vec::new();
    for typed in typed {
        match typed? {
            Typed::LeftOut(note) => notes.push(note),
            Typed::Feature { feature, values, hints } => {
                schema.features.push(feature);
                columns.push(values);
                notes.extend(hints);
            }
        }
    }
    Table::new(schema, columns, n_rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{FeatureKind, NoteKind, fingerprint};

    fn raw() -> RawTable {
        let columns = vec![
            RawColumn::of_texts("age", ["31", "45", "", "28", "n/a"]),
            RawColumn::of_texts("plan", ["b", "a", "b", "c", "a"]),
            RawColumn::of_texts("weight", ["1", "2", "1", "0", "1"]),
            RawColumn::of_texts("left", ["yes", "no", "no", "no", ""]),
        ];
        RawTable::new("people.csv", columns, 5).unwrap()
    }

    fn options() -> DatasetOptions {
        let columns = ColumnOptions { missing: vec!["n/a".into()], ..Default::default() };
        DatasetOptions {
            target: "left".into(),
            weight_column: Some("weight".into()),
            drop_missing_target: true,
            columns,
            ..Default::default()
        }
    }

    #[test]
    fn target_and_weights_are_taken_and_the_rest_typed() {
        let (dataset, notes) = Dataset::prepare(raw(), &options()).unwrap();
        assert_eq!(dataset.weights, Some(vec![1.0, 2.0, 1.0]));
        assert_eq!(dataset.target.positives(), [true, false, false]);
        let features = &dataset.table.schema().features;
        assert_eq!(features.len(), 2);
        assert!(features[0].kind == FeatureKind::Integer && features[0].has_missing);
        // The level `c` is only in the row of weight zero.
        assert_eq!(features[1].kind.levels().unwrap(), ["a", "b"]);
        let kinds: Vec<NoteKind> = notes.iter().map(|note| note.kind).collect();
        assert_eq!(kinds, [NoteKind::RowsDropped, NoteKind::RowsDropped, NoteKind::Choice]);
    }

    #[test]
    fn contradictions_and_unknown_names_are_refused() {
        let message = |change: fn(&mut DatasetOptions)| {
            let mut options = options();
            change(&mut options);
            Dataset::prepare(raw(), &options).unwrap_err().to_string()
        };
        assert!(
            message(|o| o.target = "lefft".into())
                .starts_with("people.csv: no column `lefft`; did you mean `left`?")
        );
        assert!(message(|o| o.weight_column = Some("left".into())).contains("is the target"));
        assert!(message(|o| o.columns.drop = vec!["plam".into()]).contains("did you mean `plan`?"));
        assert!(message(|o| o.columns.drop = vec!["left".into()]).starts_with("`drop`"));
        let twice = message(|o| {
            o.columns.categorical = vec!["age".into()];
            o.columns.numeric = vec!["age".into()];
        });
        assert_eq!(
            twice,
            "`categorical`: column `age` is also declared with the option `numeric`; declare it once"
        );
        assert_eq!(
            message(|o| o.drop_missing_target = false),
            "column `left`, row 5: the target is missing here, and in 1 of 5 rows altogether; fill it in, or leave \
             such rows out with the option `drop_missing_target`"
        );
    }

    #[test]
    fn no_feature_at_all_is_legal() {
        let mut options = options();
        options.columns.drop = vec!["age".into(), "plan".into()];
        let (data, _) = Dataset::prepare(raw(), &options).unwrap();
        assert!(data.table.schema().features.is_empty());
        assert_eq!(data.n_rows(), 3);
    }

    #[test]
    fn rows_are_counted_as_in_the_file_after_some_were_dropped() {
        let cells =
            vec![RawColumn::of_texts("age", ["1", "2", "x"]), RawColumn::of_texts("left", ["yes", "", "no"])];
        let columns = ColumnOptions { numeric: vec!["age".into()], ..Default::default() };
        let options = DatasetOptions {
            target: "left".into(),
            drop_missing_target: true,
            columns,
            ..Default::default()
        };
        let message = Dataset::prepare(RawTable::new("p.csv", cells, 3).unwrap(), &options).unwrap_err();
        assert!(message.to_string().starts_with("column `age`, row 3:"), "{message}");
    }

    #[test]
    fn the_same_rows_are_read_again_by_the_schema() {
        let (dataset, _) = Dataset::prepare(raw(), &options()).unwrap();
        let again = EvaluationOptions {
            target: "left".into(),
            classes: dataset.target.classes().to_vec(),
            weight_column: Some("weight".into()),
            drop_missing_target: true,
            missing: vec!["n/a".into()],
        };
        let (evaluated, _) = Dataset::for_schema(raw(), dataset.table.schema(), &again).unwrap();
        assert_eq!(evaluated.weights, Some(vec![1.0, 2.0, 1.0, 0.0]));
        assert_eq!(fingerprint(&evaluated.select(&[0, 1, 2]).unwrap()), fingerprint(&dataset));
        assert_eq!(evaluated.target.positives(), [true, false, false, false]);
    }

    #[test]
    fn the_fingerprint_tells_data_apart() {
        let (dataset, _) = Dataset::prepare(raw(), &options()).unwrap();
        let print = fingerprint(&dataset);
        assert_eq!(print, "1b778f897c3db835");
        assert_eq!(
            print,
            fingerprint(&dataset.select(&[0, 2, 1]).unwrap()),
            "the order of the rows does not matter"
        );
        assert_ne!(print, fingerprint(&dataset.select(&[0, 1, 1]).unwrap()));
        assert_ne!(print, fingerprint(&Dataset { weights: None, ..dataset }));
    }
}
