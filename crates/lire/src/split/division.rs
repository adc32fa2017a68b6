//! A division of rows: what stays together, and the splits that follow from it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::contents::exact_hashes;
use super::units::{ClassSize, Together, Units};
use super::{copies, forward, groups};
use crate::error::{Error, Result};
use crate::model::sections::{DividedBy, DividingColumn};
use crate::table::{Dataset, Groups, TargetValues, Times};

/// Rows to train on and rows to test on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdout {
    /// The rows to train on.
    pub train: Vec<usize>,
    /// The rows to test on.
    pub test: Vec<usize>,
}

impl Holdout {
    /// Fails unless all rows are among so many.
    pub fn check(&self, n_rows: usize) -> Result<()> {
        match self.train.iter().chain(&self.test).find(|row| **row >= n_rows) {
            None => Ok(()),
            Some(row) => {
                let message =
                    format!("there is no row at position {row} of {n_rows}; positions count from 0");
                Err(Error::data("rows", message))
            }
        }
    }
}

/// Splits, in rounds: within a round each row is tested on at most once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Splits {
    /// All splits, round after round.
    pub all: Vec<Holdout>,
    /// How many there are in a round.
    pub in_round: usize,
    /// What decided them beside equal features.
    pub divided_by: Option<DividedBy>,
}

impl Splits {
    /// Splits as one round.
    pub fn once(all: Vec<Holdout>) -> Self {
        Self { in_round: all.len(), all, divided_by: None }
    }

    /// The splits of the first round.
    pub fn first_round(&self) -> &[Holdout] {
        self.all.get(..self.in_round).unwrap_or(&self.all)
    }
}

/// Rows that can be divided: which of them stay together, and what classes and weights these have.
#[derive(Debug, Clone)]
pub struct Division {
    units: Units,
    together: Together,
    divided_by: Option<DividedBy>,
    /// What each row has that no split may have on both sides, and what each is: where rows are ordered by time.
    of_rows: Option<OfRows>,
}

/// What decides whether something can be learned from rows, and which of them are left out.
#[derive(Debug, Clone)]
struct OfRows {
    groups: Option<Vec<u32>>,
    labels: Option<Vec<u32>>,
}

impl Division {
    /// The rows of a data set: divided by its groups and times if it has any, else so that copies stay together.
    pub fn of(data: &Dataset) -> Result<Self> {
        data.check()?;
        let contents = exact_hashes(&data.table);
        let relations = &data.relations;
        let (together, keys) = match (&relations.groups, &relations.times) {
            (None, None) => (Together::Copies, contents.clone()),
            (Some(groups), None) => {
                (Together::Groups, groups.of_rows.iter().map(|&group| group.into()).collect())
            }
            (_, Some(times)) => (Together::Times, times.of_rows.iter().map(|&time| ordered(time)).collect()),
        };
        let of_rows = relations.times.is_some().then(|| OfRows {
            groups: relations.groups.as_ref().map(|groups| groups.of_rows.clone()),
            labels: match &data.target.values {
                TargetValues::Classes(of) => Some(of.labels.clone()),
                TargetValues::Numbers(_) => None,
            },
        });
        let units = Units::of(data, together, &keys, &contents)?;
        Ok(Self { units, together, divided_by: divided_by(data), of_rows })
    }

    /// How many rows differ in their features.
    pub fn n_different(&self) -> usize {
        self.units.n_different
    }

    /// How many rows of any weight there are.
    pub fn n_rows(&self) -> usize {
        self.units.rows.len()
    }

    /// How many rows have the features of another row and stay together with it. Given groups or times, these alone decide.
    pub fn n_with_copies(&self) -> usize {
        if self.together != Together::Copies {
            return 0;
        }
        self.units.all.iter().map(|unit| unit.end - unit.start).filter(|&size| size > 1).sum()
    }

    /// What decides the splits beside equal features; none if nothing does.
    pub fn divided_by(&self) -> Option<&DividedBy> {
        self.divided_by.as_ref()
    }

    /// Whether models learn from earlier rows and are measured on later ones.
    pub fn is_forward(&self) -> bool {
        self.together == Together::Times
    }

    /// The most folds there can be; none if rows that differ are left to say how many make sense.
    pub(crate) fn most_folds(&self) -> Option<usize> {
        match self.together {
            Together::Copies => None,
            Together::Groups => Some(self.units.all.len()),
            Together::Times => Some(self.units.all.len().saturating_sub(1)),
        }
    }

    /// The class of the fewest different rows, or groups; none for numbers, and for times, by which a class may well
    /// appear late.
    pub fn smallest_class(&self) -> Option<ClassSize> {
        let classes = if self.is_forward() { &[] } else { &self.units.classes[..] };
        classes.iter().map(super::units::Class::size).min_by_key(|size| (size.n_different, size.n_rows))
    }

    /// Folds of about the same weight, each left out once. Each class needs two different rows, or groups.
    ///
    /// Given times, these are splits forwards: there are fewer if the earlier rows of some are all of one class.
    pub fn folds(&self, n_folds: usize, seed: u64) -> Result<Vec<Holdout>> {
        if n_folds < 2 {
            return Err(Error::config("folds", format!("{n_folds} is too few; give 2 or more")));
        }
        let refused = |message| Err(Error::config("folds", message));
        if let Some(most) = self.most_folds().filter(|most| n_folds > *most) {
            return refused(match self.together {
                Together::Times => format!(
                    "{n_folds} splits forwards in time need {} different times, and there are {}; give fewer",
                    n_folds + 1,
                    most + 1
                ),
                _ => format!("{n_folds} is more than the {most} groups; give fewer"),
            });
        }
        let of_classes = self.units.classes.iter().map(|class| class.n_units).max();
        let (most, of_what) = match of_classes {
            Some(most) => (most, "different rows of the largest class"),
            None => (self.units.all.len(), "different rows"),
        };
        if self.together == Together::Copies && n_folds > most {
            return refused(format!("{n_folds} is more than the {most} {of_what}; give fewer"));
        }
        let splits = self.splits(n_folds, seed);
        if splits.is_empty() {
            return Err(Error::data("folds", self.nothing_earlier()));
        }
        Ok(splits)
    }

    /// The same without a look at whether it makes sense, for at least one fold.
    pub(crate) fn splits(&self, n_folds: usize, seed: u64) -> Vec<Holdout> {
        if self.is_forward() {
            let ranges = forward::expanding(&self.units.all, n_folds);
            return ranges.into_iter().filter_map(|ranges| self.forward(ranges)).collect();
        }
        let folds = self.parts(&vec![1.0; n_folds], seed);
        let split = |fold: usize| {
            let others = (0..n_folds).filter(|&other| other != fold);
            Holdout {
                train: others.flat_map(|other| folds[other].clone()).collect(),
                test: folds[fold].clone(),
            }
        };
        (0..n_folds).map(split).collect()
    }

    /// A share of each class for testing, or the latest rows: at least one row, if that leaves one for training.
    pub fn holdout(&self, test_share: f64, seed: u64) -> Result<Holdout> {
        if !(test_share > 0.0 && test_share < 1.0) {
            let message = format!("{test_share} is not a share; give a number between 0 and 1");
            return Err(Error::config("holdout", message));
        }
        let refused = |message: String| Err(Error::data("holdout", message));
        if self.is_forward() {
            let Some(ranges) = forward::latest(&self.units.all, test_share) else {
                return refused(
                    "all rows are of the same time, so that none are later than others; add rows".into(),
                );
            };
            return self.forward(ranges).map_or_else(|| refused(self.nothing_earlier()), Ok);
        }
        let mut parts = self.parts(&[1.0 - test_share, test_share], seed);
        let (test, train) = (parts.pop().unwrap_or_default(), parts.pop().unwrap_or_default());
        if test.is_empty() || train.is_empty() {
            return refused(self.no_two().into());
        }
        Ok(Holdout { train, test })
    }

    fn no_two(&self) -> &'static str {
        match self.together {
            Together::Groups => "there are no two groups, one to train and one to test on; add groups",
            _ if self.units.classes.is_empty() => {
                "there are no two different rows, one to train and one to test on; add rows"
            }
            _ => "no class has two different rows, one to train and one to test on; add rows",
        }
    }

    fn nothing_earlier(&self) -> String {
        let all_groups = match self.of_rows.as_ref().and_then(|of| of.groups.as_ref()) {
            Some(_) => ", or of groups that are measured on",
            None => "",
        };
        format!(
            "the earlier rows are all of one class{all_groups}, so that nothing can be learned from them; divide the rows \
             without their times, or add earlier rows"
        )
    }

    /// Divides all rows into parts of these shares.
    fn parts(&self, shares: &[f64], seed: u64) -> Vec<Vec<usize>> {
        let units = &self.units.all;
        let parts = match self.together {
            Together::Groups => groups::deal(units, shares, seed),
            _ => copies::deal(units, self.units.classes.len(), shares, seed),
        };
        let rows =
            |units: Vec<_>| units.into_iter().flat_map(|unit| self.units.rows_of(unit)).copied().collect();
        parts.into_iter().map(rows).collect()
    }

    /// The rows of earlier and later units, without earlier rows of groups that are measured on; none if there is nothing
    /// to learn.
    fn forward(&self, (earlier, later): (Range<usize>, Range<usize>)) -> Option<Holdout> {
        let of_rows = self.of_rows.as_ref()?;
        let rows = |units: Range<usize>| {
            let units = self.units.all[units].iter();
            units.flat_map(|unit| self.units.rows_of(unit)).copied().collect::<Vec<usize>>()
        };
        let (mut train, test) = (rows(earlier), rows(later));
        if let Some(groups) = &of_rows.groups {
            let tested: BTreeSet<u32> = test.iter().map(|&row| groups[row]).collect();
            train.retain(|&row| !tested.contains(&groups[row]));
        }
        let first = *train.first()?;
        let has_two_classes = |labels: &Vec<u32>| train.iter().any(|&row| labels[row] != labels[first]);
        of_rows.labels.as_ref().is_none_or(has_two_classes).then_some(Holdout { train, test })
    }
}

/// A key that has the order of a finite number.
fn ordered(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// What the rows that count are divided by, beside equal features; none if there is nothing.
pub(crate) fn divided_by(data: &Dataset) -> Option<DividedBy> {
    let relations = &data.relations;
    if relations.is_empty() {
        return None;
    }
    let counts = |row: &usize| data.weights.as_ref().is_none_or(|weights| weights[*row] > 0.0);
    let distinct = |key: &dyn Fn(usize) -> u64| {
        (0..data.n_rows()).filter(counts).map(key).collect::<BTreeSet<u64>>().len()
    };
    let of_groups = |groups: &Groups| DividingColumn {
        column: groups.column.clone(),
        distinct: distinct(&|row| groups.of_rows[row].into()),
    };
    let of_times = |times: &Times| DividingColumn {
        column: times.column.clone(),
        distinct: distinct(&|row| ordered(times.of_rows[row])),
    };
    let (groups, time) = (relations.groups.as_ref().map(of_groups), relations.times.as_ref().map(of_times));
    Some(DividedBy { groups, time })
}
