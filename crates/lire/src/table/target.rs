//! What is to be predicted: class labels, found in the data or known beforehand.

use super::MISSING;
use super::interned::Interned;
use super::levels::{LevelFinder, Levels, Tolerance, is_pair};
use super::nearest::list;
use super::note::Note;
use super::raw::{RawColumn, RawTable};
use super::survey::{Meaning, MissingTokens, Survey, number};
use crate::error::{Error, Result};

/// More classes than this are not listed in a message.
const LISTED_CLASSES: usize = 5;

/// What is to be predicted, of each row.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The column's name.
    pub name: String,
    /// The truth.
    pub values: TargetValues,
}

/// The truth of each row.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetValues {
    /// A class.
    Classes(ClassLabels),
    /// A number.
    Numbers(Vec<f64>),
}

/// The class of each row.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassLabels {
    /// The classes as the data spells them. Of two the second is positive: its probability is predicted.
    pub classes: Vec<String>,
    /// The position of each row's class among them.
    pub labels: Vec<u32>,
    /// Whether the user named the positive class.
    pub positive_chosen: bool,
}

impl ClassLabels {
    /// The classes that get a score of their own: of two only the positive one.
    pub fn outputs(&self) -> std::ops::Range<u32> {
        let n_classes = self.classes.len() as u32;
        u32::from(n_classes == 2)..n_classes
    }
}

impl TargetValues {
    /// Two classes, `false` and `true`.
    pub fn of_bools(labels: &[bool]) -> Self {
        Self::Classes(ClassLabels {
            classes: vec!["false".into(), "true".into()],
            labels: labels.iter().map(|&label| u32::from(label)).collect(),
            positive_chosen: false,
        })
    }

    /// The given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Classes(of) => {
                let labels = rows.iter().map(|&row| of.labels[row]).collect();
                Self::Classes(ClassLabels { labels, ..of.clone() })
            }
            Self::Numbers(values) => Self::Numbers(rows.iter().map(|&row| values[row]).collect()),
        }
    }
}

impl Target {
    /// Takes the labels of two known classes from a table, to measure a model on it.
    pub fn known(raw: &RawTable, name: &str, classes: &[String], missing: &[String]) -> Result<Self> {
        let column = raw.column(name)?;
        let cells = column.text()?;
        let survey = Survey::of(cells, &MissingTokens::new(missing));
        refuse_missing(raw, name, &rows_without(cells, &survey))?;
        let tolerance = if is_pair(classes) { Tolerance::Boolean } else { Tolerance::Case };
        let finder = LevelFinder::new(classes, tolerance);
        let by_code: Vec<Option<usize>> = cells.texts.iter().map(|text| finder.find(text)).collect();
        if let Some(row) = cells.codes.iter().position(|&code| by_code[code as usize].is_none()) {
            let message =
                format!("`{}` is not a class of the model, which knows {}", cells.cell(row), list(classes));
            return Err(Error::data(raw.row_numbers().place(name, row), message));
        }
        let labels = cells.codes.iter().filter_map(|&code| by_code[code as usize]).map(|class| class as u32);
        Ok(Self::of_classes(name, classes.to_vec(), labels.collect(), true))
    }

    /// The given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        Self { name: self.name.clone(), values: self.values.select(rows) }
    }

    /// The classes; none of a number.
    pub fn classes(&self) -> &[String] {
        match &self.values {
            TargetValues::Classes(of) => &of.classes,
            TargetValues::Numbers(_) => &[],
        }
    }

    /// Whether each row is of the last class: of two, the positive one.
    pub fn positives(&self) -> Vec<bool> {
        match &self.values {
            TargetValues::Classes(of) => {
                of.labels.iter().map(|&label| label as usize + 1 == of.classes.len()).collect()
            }
            TargetValues::Numbers(values) => vec![false; values.len()],
        }
    }

    fn of_classes(name: &str, classes: Vec<String>, labels: Vec<u32>, positive_chosen: bool) -> Self {
        let values = TargetValues::Classes(ClassLabels { classes, labels, positive_chosen });
        Self { name: name.into(), values }
    }

    /// Finds the two classes of a column without missing cells.
    pub(super) fn find(
        column: &RawColumn,
        positive: Option<&str>,
        weights: Option<&[f64]>,
        missing: &MissingTokens,
    ) -> Result<(Self, Option<Note>)> {
        let name = &column.name;
        let cells = column.text()?;
        let (names, sides) = classes_in_order(cells, missing);
        let pair = two_classes(name, names)?;
        let (positive_side, note) = choose_side(name, &pair, positive, || rarer_side(&sides, weights))?;
        let labels = sides.iter().map(|&side| u32::from(side as usize == positive_side)).collect();
        let mut classes = Vec::from(pair);
        if positive_side == 0 {
            classes.reverse();
        }
        Ok((Self::of_classes(name, classes, labels, positive.is_some()), note))
    }
}

/// The rows whose target is missing.
pub(super) fn rows_without(cells: &Interned, survey: &Survey) -> Vec<usize> {
    let is_missing = |code: u32| survey.meanings[code as usize] == Meaning::Missing;
    (0..cells.len()).filter(|&row| is_missing(cells.codes[row])).collect()
}

/// Fails if there are rows without a target.
pub(super) fn refuse_missing(raw: &RawTable, name: &str, rows: &[usize]) -> Result<()> {
    let Some(&first) = rows.first() else { return Ok(()) };
    let message = format!(
        "the target is missing here, and in {} of {} rows altogether; fill it in, or leave such rows out with \
         --drop-missing-target",
        rows.len(),
        raw.n_rows()
    );
    Err(Error::data(raw.row_numbers().place(name, first), message))
}

/// The classes in their natural order (no before yes, numbers by value, else by bytes) and that of each row.
fn classes_in_order(cells: &Interned, missing: &MissingTokens) -> (Vec<String>, Vec<u32>) {
    let survey = Survey::of(cells, missing);
    let levels = Levels::boolean(cells, &survey).unwrap_or_else(|| Levels::category(cells, &survey));
    let mut codes = levels.codes(cells);
    debug_assert!(!codes.contains(&MISSING), "rows without a target are dropped or refused before");
    let mut names = levels.names;
    let descending = names.len() == 2 && number(&names[0]) > number(&names[1]);
    if survey.is_numeric() && descending {
        names.reverse();
        for code in &mut codes {
            *code = 1 - *code;
        }
    }
    (names, codes)
}

/// The side that the user named, else the rarer one with a note that says so.
fn choose_side(
    name: &str,
    pair: &[String; 2],
    positive: Option<&str>,
    rarer: impl Fn() -> usize,
) -> Result<(usize, Option<Note>)> {
    let Some(label) = positive else {
        let side = rarer();
        let message =
            format!("positive class: `{}` (the rarer one; choose another with --positive)", pair[side]);
        return Ok((side, Some(Note::choice(message))));
    };
    let side = LevelFinder::new(pair, Tolerance::Case).find(label).ok_or_else(|| {
        let message = format!("`{label}` is no class of column `{name}`, which has {}", list(pair));
        Error::config("positive", message)
    })?;
    Ok((side, None))
}

fn two_classes(name: &str, names: Vec<String>) -> Result<[String; 2]> {
    <[String; 2]>::try_from(names).map_err(|names| {
        let place = format!("column `{name}`");
        if let [only] = &names[..] {
            return Error::data(place, format!("every row is `{only}`; a target needs two classes"));
        }
        let more = if names.len() > LISTED_CLASSES { ", …" } else { "" };
        let listed = list(&names[..names.len().min(LISTED_CLASSES)]);
        let count = names.len();
        let message = format!(
            "the target has {count} values ({listed}{more}), but must have two; choose another column, or recode \
             this one"
        );
        Error::data(place, message)
    })
}

/// The class with less weight; of equals the later, which is yes, true or 1.
fn rarer_side(sides: &[u32], weights: Option<&[f64]>) -> usize {
    let mut totals = [0.0; 2];
    for (row, &side) in sides.iter().enumerate() {
        totals[side as usize] += weights.map_or(1.0, |weights| weights[row]);
    }
    usize::from(totals[1] <= totals[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(
        cells: &[&str],
        positive: Option<&str>,
        weights: Option<&[f64]>,
    ) -> Result<(Target, Option<Note>)> {
        let column = RawColumn::of_texts("y", cells.iter().copied());
        Target::find(&column, positive, weights, &MissingTokens::default())
    }

    #[test]
    fn the_rarer_class_is_positive() {
        let (target, note) = find(&["a", "b", "a"], None, None).unwrap();
        assert_eq!((target.classes()[0].as_str(), target.classes()[1].as_str()), ("a", "b"));
        assert_eq!(target.positives(), [false, true, false]);
        let message = "positive class: `b` (the rarer one; choose another with --positive)";
        assert_eq!(note.unwrap().to_string(), message);
        let (target, _) = find(&["a", "b", "a"], None, Some(&[1.0, 9.0, 1.0])).unwrap();
        assert_eq!(target.classes()[1], "a");
    }

    #[test]
    fn of_equals_the_later_is_positive() {
        assert_eq!(find(&["1", "0"], None, None).unwrap().0.classes()[1], "1");
        assert_eq!(find(&["10", "9"], None, None).unwrap().0.classes()[1], "10");
        assert_eq!(find(&["Y", "N"], None, None).unwrap().0.classes()[1], "Y");
    }

    #[test]
    fn the_positive_class_is_chosen_by_any_spelling_of_its_number() {
        let (target, note) = find(&["1.0", "2.0", "1"], Some("1"), None).unwrap();
        assert_eq!((target.classes()[0].as_str(), target.classes()[1].as_str()), ("2.0", "1"));
        assert_eq!(target.positives(), [true, false, true]);
        assert!(note.is_none());
    }

    #[test]
    fn unsuitable_targets_are_refused() {
        let message = |cells: &[&str], positive| find(cells, positive, None).unwrap_err().to_string();
        assert_eq!(message(&["a", "a"], None), "column `y`: every row is `a`; a target needs two classes");
        let many = message(&["a", "b", "c", "d", "e", "f"], None);
        assert!(many.contains("6 values (`a`, `b`, `c`, `d`, `e`, …)"), "{many}");
        let unknown = message(&["a", "b"], Some("c"));
        assert_eq!(unknown, "`positive`: `c` is no class of column `y`, which has `a`, `b`");
    }

    #[test]
    fn known_classes_are_found_again() {
        let columns = vec![RawColumn::of_texts("y", ["1.0", "0", "1"])];
        let raw = RawTable::new("x.csv", columns, 3).unwrap();
        let classes = ["0".into(), "1".into()];
        assert_eq!(Target::known(&raw, "y", &classes, &[]).unwrap().positives(), [true, false, true]);
        let other = ["a".into(), "b".into()];
        let message = Target::known(&raw, "y", &other, &[]).unwrap_err().to_string();
        assert_eq!(message, "column `y`, row 1: `1.0` is not a class of the model, which knows `a`, `b`");
    }
}
