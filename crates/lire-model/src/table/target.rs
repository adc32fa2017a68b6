//! What is to be predicted: classes or numbers, and what a model knows of them.

use serde::{Deserialize, Serialize};

use super::find_target::{refuse_missing, rows_without, to_finite};
use super::levels::{LevelFinder, Tolerance, is_pair};
use super::nearest::list;
use super::raw::RawTable;
use super::selected;
use super::survey::{MissingTokens, Survey};
use crate::error::{Error, Result};

/// The fewest rows of a class that a fit is worth.
const LEAST_ROWS_OF_CLASS: usize = 2;
/// More classes than this are not listed in a message.
const LISTED_CLASSES: usize = 5;

/// What kind of thing is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// A class, with its probability.
    Classification,
    /// A number.
    Regression,
}

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

    /// Fails if a class has fewer than two rows: it could not be both learned and measured. `name` is the target's.
    pub fn refuse_rare_classes(&self, name: &str) -> Result<()> {
        self.check()?;
        let mut counts = vec![0; self.classes.len()];
        for &label in &self.labels {
            counts[label as usize] += 1;
        }
        let is_rare = |(_, count): &(&String, &usize)| **count < LEAST_ROWS_OF_CLASS;
        let rare: Vec<&String> =
            self.classes.iter().zip(&counts).filter(is_rare).map(|(class, _)| class).collect();
        let message = match rare[..] {
            [] => return Ok(()),
            [only] => format!(
                "class `{only}` has only one row, and a class needs at least two; leave that row out, or merge the \
                 class with another"
            ),
            _ => {
                let more = if rare.len() > LISTED_CLASSES { ", …" } else { "" };
                let listed = list(&rare[..rare.len().min(LISTED_CLASSES)]);
                format!(
                    "{} of {} classes have only one row ({listed}{more}), and a class needs at least two; choose \
                     another column, merge classes, or say `task = regression` if these are numbers",
                    rare.len(),
                    self.classes.len()
                )
            }
        };
        Err(Error::data(format!("column `{name}`"), message))
    }

    /// The weight of each class.
    pub fn weights(&self, row_weights: &[f64]) -> Result<Vec<f64>> {
        self.check()?;
        check_length("weights", row_weights.len(), self.labels.len())?;
        let mut totals = vec![0.0; self.classes.len()];
        for (&label, weight) in self.labels.iter().zip(row_weights) {
            totals[label as usize] += weight;
        }
        Ok(totals)
    }

    /// Fails on a label that stands for none of the classes.
    pub fn check(&self) -> Result<()> {
        match self.labels.iter().position(|&label| label as usize >= self.classes.len()) {
            None => Ok(()),
            Some(row) => {
                let message =
                    format!("the label {} is not one of {} classes", self.labels[row], self.classes.len());
                Err(Error::data(format!("target, row {}", row + 1), message))
            }
        }
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

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        match self {
            Self::Classes(of) => of.labels.len(),
            Self::Numbers(values) => values.len(),
        }
    }

    /// The given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        Ok(match self {
            Self::Classes(of) => {
                let ClassLabels { classes, labels, positive_chosen } = of;
                let labels = selected(labels, rows)?;
                Self::Classes(ClassLabels {
                    classes: classes.clone(),
                    labels,
                    positive_chosen: *positive_chosen,
                })
            }
            Self::Numbers(values) => Self::Numbers(selected(values, rows)?),
        })
    }
}

/// Fails unless there is one of a thing for each row.
pub(super) fn check_length(what: &str, length: usize, n_rows: usize) -> Result<()> {
    if length == n_rows {
        return Ok(());
    }
    Err(Error::data(what, format!("there are {length} for {n_rows} rows; give one for each row")))
}

impl Target {
    /// Takes the truth from a table, to measure a model on it that knows these classes; a number if there are none.
    pub fn known(raw: &RawTable, name: &str, classes: &[String], missing: &[String]) -> Result<Self> {
        let column = raw.column(name)?;
        let cells = column.text()?;
        let survey = Survey::of(cells, &MissingTokens::new(missing));
        refuse_missing(raw, name, &rows_without(cells, &survey))?;
        if classes.is_empty() {
            let survey = Survey::of_numbers(cells, &MissingTokens::new(missing));
            let values = TargetValues::Numbers(to_finite(name, cells, &survey, raw.row_numbers())?);
            return Ok(Self { name: name.into(), values });
        }
        let tolerance = if is_pair(classes) { Tolerance::Boolean } else { Tolerance::Case };
        let finder = LevelFinder::new(classes, tolerance);
        let by_code: Vec<Option<usize>> = cells.texts.iter().map(|text| finder.find(text)).collect();
        if let Some(row) = cells.codes.iter().position(|&code| by_code[code as usize].is_none()) {
            let message =
                format!("`{}` is not a class of the model, which knows {}", cells.at(row), list(classes));
            return Err(Error::data(raw.row_numbers().place(name, row), message));
        }
        let labels = cells.codes.iter().filter_map(|&code| by_code[code as usize]).map(|class| class as u32);
        Ok(Self::of_classes(name, classes.to_vec(), labels.collect(), true))
    }

    /// The given rows, in that order.
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        Ok(Self { name: self.name.clone(), values: self.values.select(rows)? })
    }

    /// What kind of thing is predicted.
    pub fn task(&self) -> Task {
        match &self.values {
            TargetValues::Classes(_) => Task::Classification,
            TargetValues::Numbers(_) => Task::Regression,
        }
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

    pub(super) fn of_classes(
        name: &str,
        classes: Vec<String>,
        labels: Vec<u32>,
        positive_chosen: bool,
    ) -> Self {
        let values = TargetValues::Classes(ClassLabels { classes, labels, positive_chosen });
        Self { name: name.into(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(classes: &[&str], labels: &[u32]) -> Option<String> {
        let classes = classes.iter().map(|&class| class.to_owned()).collect();
        let of = ClassLabels { classes, labels: labels.to_vec(), positive_chosen: false };
        of.refuse_rare_classes("y").err().map(|error| error.to_string())
    }

    #[test]
    fn classes_of_one_row_are_refused() {
        assert_eq!(message(&["a", "b"], &[0, 1, 1, 0]), None);
        let one = message(&["a", "b"], &[0, 1, 1]).unwrap();
        assert!(one.starts_with("column `y`: class `a` has only one row"), "{one}");
        let many = message(&["a", "b", "c", "d", "e", "f", "g"], &[0, 1, 2, 3, 4, 5, 6, 6]).unwrap();
        assert!(many.contains("6 of 7 classes have only one row (`a`, `b`, `c`, `d`, `e`, …)"), "{many}");
    }
}
