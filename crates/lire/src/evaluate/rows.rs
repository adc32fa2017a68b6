//! Rows to measure on: folds, or a part held out, as far as the classes allow it.

use crate::error::{Error, Result};
use crate::split::{Division, Holdout};
use crate::table::TargetValues;

/// The share of rows that is held out to check a fit on.
const CHECKED_SHARE: f64 = 0.2;
/// The fewest rows of each class to train on, and to measure on.
const LEAST_ROWS_OF_CLASS: usize = 2;

/// Folds, each to be measured with what all others teach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    /// The folds.
    pub splits: Vec<Holdout>,
    /// What to know of a class that is not in every fold.
    pub warning: Option<String>,
}

/// Folds to measure on: refuses a class that cannot be on both sides, and warns of one that is not in every fold.
pub fn folds_to_measure(
    division: &Division,
    n_folds: usize,
    seed: u64,
    target: &TargetValues,
) -> Result<Folds> {
    let splits = division.folds(n_folds, seed)?;
    if division.is_forward() {
        let warning = (splits.len() < n_folds).then(|| {
            format!(
                "{} of {n_folds} splits forwards in time are left out: their earlier rows teach nothing, as they are all of \
                 one class, or of groups that are measured on",
                n_folds - splits.len()
            )
        });
        return Ok(Folds { splits, warning });
    }
    let mut warning = None;
    if let (Some(smallest), TargetValues::Classes(of)) = (division.smallest_class(), target)
        && let Some(class) = of.classes.get(smallest.label as usize)
    {
        let by_groups = division.divided_by().is_some();
        if smallest.n_different < 2 {
            let what = match smallest.n_rows {
                _ if by_groups => "rows of a single group",
                1 => "a single row",
                _ => "only copies of a single row",
            };
            let message = format!(
                "class `{class}` has {what}, which cannot be both learned from and measured on; add rows of it, or \
                 leave it out"
            );
            return Err(Error::data("folds", message));
        }
        let what = if by_groups { "groups with such rows" } else { "different rows" };
        warning = (smallest.n_different < n_folds).then(|| {
            format!(
                "class `{class}` has {} {what} for {n_folds} folds; some folds have none of it, and AUC leaves them out",
                smallest.n_different
            )
        });
    }
    Ok(Folds { splits, warning })
}

/// Rows held out to check a fit on; none if there are too few of some class, or of all.
pub fn rows_to_check(division: &Division, target: &TargetValues, seed: u64) -> Option<Holdout> {
    division.holdout(CHECKED_SHARE, seed).ok().filter(|split| is_enough(split, target))
}

/// Whether both parts have rows of each class, or rows at all for numbers.
fn is_enough(split: &Holdout, target: &TargetValues) -> bool {
    [&split.train, &split.test].into_iter().all(|rows| match target {
        TargetValues::Numbers(_) => rows.len() >= LEAST_ROWS_OF_CLASS,
        TargetValues::Classes(of) => {
            let mut counts = vec![0; of.classes.len()];
            for &row in rows {
                let label = of.labels.get(row).map(|&label| label as usize);
                if let Some(count) = label.and_then(|label| counts.get_mut(label)) {
                    *count += 1;
                }
            }
            counts.iter().all(|&count| count >= LEAST_ROWS_OF_CLASS)
        }
    })
}
