//! Right and wrong labels, class by class.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How often each class was said to be which, by weight or by number of rows.
///
/// Of two classes, the second being positive, programs get the four cells by their names
/// (`true_positive`, …) before the classes, of more the names of the classes and the matrix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    into = "ConfusionData<T>",
    try_from = "ConfusionData<T>",
    bound(serialize = "T: Copy + Serialize", deserialize = "T: Copy + Deserialize<'de>")
)]
#[cfg_attr(feature = "schema", schemars(with = "ConfusionData<T>"))]
pub struct Confusion<T> {
    /// The classes.
    pub classes: Vec<String>,
    /// What the rows of each class were said to be: `cells[truth][said]`.
    pub cells: Vec<Vec<T>>,
}

impl<T: Copy + Default + AddAssign> Confusion<T> {
    /// Nothing said yet.
    pub fn new(classes: &[String]) -> Self {
        let n_classes = classes.len();
        Self { classes: classes.to_vec(), cells: vec![vec![T::default(); n_classes]; n_classes] }
    }

    /// Counts a row.
    pub fn add(&mut self, truth: usize, said: usize, amount: T) -> Result<()> {
        let n_classes = self.classes.len();
        let Some(cell) = self.cells.get_mut(truth).and_then(|row| row.get_mut(said)) else {
            let message = format!("there are no classes at positions {truth} and {said} of {n_classes}");
            return Err(Error::data("confusion", message));
        };
        *cell += amount;
        Ok(())
    }

    /// Counts all that another one of the same classes did.
    pub fn add_all(&mut self, other: &Self) -> Result<()> {
        if self.classes != other.classes {
            return Err(Error::data(
                "confusion",
                "the classes differ; only counts of the same classes add up",
            ));
        }
        for (truth, row) in other.cells.iter().enumerate() {
            for (said, &amount) in row.iter().enumerate() {
                self.add(truth, said, amount)?;
            }
        }
        Ok(())
    }

    /// The rows with the right label.
    pub fn right(&self) -> T {
        sum(self.found().into_iter())
    }

    /// The rows of each class that were said to be of it.
    pub fn found(&self) -> Vec<T> {
        self.cells.iter().enumerate().filter_map(|(class, row)| row.get(class).copied()).collect()
    }

    /// The rows of each class.
    pub fn of_classes(&self) -> Vec<T> {
        self.cells.iter().map(|row| sum(row.iter().copied())).collect()
    }

    /// The rows that were said to be of each class.
    pub fn said(&self) -> Vec<T> {
        let column = |class: usize| sum(self.cells.iter().filter_map(|row| row.get(class).copied()));
        (0..self.classes.len()).map(column).collect()
    }

    /// All rows.
    pub fn total(&self) -> T {
        sum(self.cells.iter().flatten().copied())
    }
}

impl Confusion<f64> {
    /// For each class the share of its rows that were found; none if it has no rows.
    pub fn recalls(&self) -> Vec<Option<f64>> {
        self.found().iter().zip(self.of_classes()).map(|(&found, all)| share(found, all)).collect()
    }

    /// For each class the harmonic mean of its precision and recall; none if it neither occurs nor was said.
    pub fn f1s(&self) -> Vec<Option<f64>> {
        let totals = self.of_classes().into_iter().zip(self.said()).map(|(all, said)| all + said);
        self.found().iter().zip(totals).map(|(&found, total)| share(2.0 * found, total)).collect()
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

fn sum<T: Copy + Default + AddAssign>(cells: impl Iterator<Item = T>) -> T {
    cells.fold(T::default(), |mut sum, cell| {
        sum += cell;
        sum
    })
}

/// The matrix as programs read it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum ConfusionData<T> {
    /// Two classes.
    Two {
        /// Positive rows said to be positive.
        true_positive: T,
        /// Negative rows said to be positive.
        false_positive: T,
        /// Negative rows said to be negative.
        true_negative: T,
        /// Positive rows said to be negative.
        false_negative: T,
        /// The negative and the positive class.
        classes: [String; 2],
    },
    /// Several classes.
    Several {
        /// The classes.
        classes: Vec<String>,
        /// A row for each true class with a column for each predicted one.
        cells: Vec<Vec<T>>,
    },
}

impl<T: Copy> From<Confusion<T>> for ConfusionData<T> {
    fn from(confusion: Confusion<T>) -> Self {
        let Confusion { classes, cells } = confusion;
        let of_two = match &cells[..] {
            [negative, positive] => match (&negative[..], &positive[..]) {
                (&[tn, fp], &[fne, tp]) => Some([tn, fp, fne, tp]),
                _ => None,
            },
            _ => None,
        };
        match (<[String; 2]>::try_from(classes), of_two) {
            (Ok(classes), Some([true_negative, false_positive, false_negative, true_positive])) => {
                Self::Two { true_positive, false_positive, true_negative, false_negative, classes }
            }
            (Ok(classes), None) => Self::Several { classes: classes.to_vec(), cells },
            (Err(classes), _) => Self::Several { classes, cells },
        }
    }
}

impl<T> TryFrom<ConfusionData<T>> for Confusion<T> {
    type Error = &'static str;

    fn try_from(data: ConfusionData<T>) -> std::result::Result<Self, Self::Error> {
        match data {
            ConfusionData::Two { true_positive, false_positive, true_negative, false_negative, classes } => {
                let cells = vec![vec![true_negative, false_positive], vec![false_negative, true_positive]];
                Ok(Self { classes: classes.to_vec(), cells })
            }
            ConfusionData::Several { classes, cells } => {
                let is_square =
                    cells.len() == classes.len() && cells.iter().all(|row| row.len() == classes.len());
                if is_square {
                    Ok(Self { classes, cells })
                } else {
                    Err("a confusion has a cell for each pair of classes")
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_have_named_cells_and_more_a_matrix() {
        let mut two = Confusion::<usize>::new(&["no".into(), "yes".into()]);
        for (truth, said, rows) in [(0, 0, 1), (0, 1, 2), (1, 0, 3), (1, 1, 4)] {
            two.add(truth, said, rows).unwrap();
        }
        let expected = r#"{"true_positive":4,"false_positive":2,"true_negative":1,"false_negative":3,"classes":["no","yes"]}"#;
        assert_eq!(serde_json::to_string(&two).unwrap(), expected);
        let mut three = Confusion::<usize>::new(&["a".into(), "b".into(), "c".into()]);
        three.add(2, 0, 5).unwrap();
        let expected = r#"{"classes":["a","b","c"],"cells":[[0,0,0],[0,0,0],[5,0,0]]}"#;
        assert_eq!(serde_json::to_string(&three).unwrap(), expected);
        for confusion in [two, three] {
            let text = serde_json::to_string(&confusion).unwrap();
            assert_eq!(serde_json::from_str::<Confusion<usize>>(&text).unwrap(), confusion);
        }
        let ragged = r#"{"classes":["a","b"],"cells":[[1],[2,3]]}"#;
        assert!(serde_json::from_str::<Confusion<usize>>(ragged).is_err());
    }

    #[test]
    fn sums_are_those_of_rows_columns_and_diagonal() {
        let mut one = Confusion::<usize>::new(&["a".into(), "b".into(), "c".into()]);
        let numbers = [[1, 2, 4], [8, 16, 32], [64, 128, 256]];
        for (truth, row) in numbers.iter().enumerate() {
            row.iter().enumerate().for_each(|(said, &number)| one.add(truth, said, number).unwrap());
        }
        assert_eq!((one.of_classes()[1], one.said()[1], one.right(), one.total()), (56, 146, 273, 511));
        let mut both = one.clone();
        both.add_all(&one).unwrap();
        assert_eq!((both.of_classes()[2], both.total()), (2 * 448, 2 * 511));
    }
}
