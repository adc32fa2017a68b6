//! Whether a column tells the target all by itself.

use std::collections::BTreeMap;

use crate::rules::{Condition, Test};
use crate::table::{ClassLabels, Dataset, Plain, TargetValues, Values};

/// The part of the variance that a column leaves unexplained if it predicts classes almost perfectly.
const ALMOST_OF_CLASSES: f64 = 0.01;
/// The same of numbers, which many an honest column comes near to.
const ALMOST_OF_NUMBERS: f64 = 0.001;
/// Less than this is rounding.
const NOTHING: f64 = 1e-9;
/// With fewer different rows of a class its rows may lie together by chance.
const LEAST_ROWS_OF_CLASS: usize = 5;
/// Levels tell something of the rows that have them if there are at least so many rows a level.
const ROWS_A_LEVEL: usize = 10;

/// How well a column predicts the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Giveaway {
    Perfect,
    Almost,
}

/// How well the column predicts the target by itself, if well enough to ask why; `different` are rows of different
/// features, and `used` the conditions on the column in the model.
///
/// Classes are predicted by their shares among rows that the cuts of the model do not tell apart, or of equal level;
/// numbers by the best curve that only rises or only falls, or by the means of levels.
pub(super) fn of(
    data: &Dataset,
    feature: usize,
    used: &[&Condition],
    different: &[usize],
) -> Option<Giveaway> {
    let column = &data.table.columns()[feature];
    let rows: Vec<Row> =
        data.row_weights().into_iter().enumerate().map(|(row, weight)| Row { row, weight }).collect();
    let (unexplained, almost) = match &data.target.values {
        TargetValues::Classes(of) => {
            if has_rare_class(of, different) {
                return None;
            }
            let groups = groups(column, used, &rows, different.len())?;
            let of_class = |class: u32| unexplained(&groups, |row| f64::from(of.labels[row] == class));
            let worst = of.outputs().map(of_class).try_fold(0.0, |worst: f64, part| Some(worst.max(part?)));
            (worst?, ALMOST_OF_CLASSES)
        }
        TargetValues::Numbers(values) => {
            let value = |row: usize| values[row];
            let part = match column.plain() {
                Plain::Numbers(numbers) => unexplained_by_curve(&numbers, &rows, value)?,
                Plain::Codes(_) => unexplained(&groups(column, used, &rows, different.len())?, value)?,
            };
            (part, ALMOST_OF_NUMBERS)
        }
    };
    match unexplained {
        part if part <= NOTHING => Some(Giveaway::Perfect),
        part if part <= almost => Some(Giveaway::Almost),
        _ => None,
    }
}

/// A row that counts.
#[derive(Debug, Clone, Copy)]
struct Row {
    row: usize,
    weight: f64,
}

fn has_rare_class(of: &ClassLabels, different: &[usize]) -> bool {
    let mut counts = vec![0; of.classes.len()];
    for &row in different {
        counts[of.labels[row] as usize] += 1;
    }
    counts.iter().any(|&count| count < LEAST_ROWS_OF_CLASS)
}

/// Rows of which the column says the same; none if there are too many levels to say anything of rows.
fn groups(column: &Values, used: &[&Condition], rows: &[Row], n_different: usize) -> Option<Vec<Vec<Row>>> {
    let mut groups: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
    match column.plain() {
        Plain::Numbers(numbers) => {
            let mut cuts: Vec<f64> = used.iter().flat_map(|condition| bounds(condition)).collect();
            cuts.sort_unstable_by(f64::total_cmp);
            for row in rows {
                let number = numbers[row.row];
                let above = cuts.partition_point(|&cut| cut < number) as u64;
                groups.entry(if number.is_nan() { u64::MAX } else { above }).or_default().push(*row);
            }
        }
        Plain::Codes(codes) => {
            for row in rows {
                groups.entry(codes[row.row].into()).or_default().push(*row);
            }
            if groups.len() * ROWS_A_LEVEL > n_different {
                return None;
            }
        }
    }
    Some(groups.into_values().collect())
}

fn bounds(condition: &Condition) -> impl Iterator<Item = f64> {
    let (above, at_most) = match condition.test {
        Test::Interval { above, at_most } => (above, at_most),
        _ => (None, None),
    };
    above.into_iter().chain(at_most)
}

/// The share of the variance that is left within the groups; none if there is no variance.
fn unexplained(groups: &[Vec<Row>], value: impl Fn(usize) -> f64 + Copy) -> Option<f64> {
    let within: f64 = groups.iter().map(|rows| Sums::of(rows, value).squares).sum();
    share(within, Sums::of(groups.iter().flatten(), value).squares)
}

/// The share of the variance that is left by the best curve over the numbers that only rises, or only falls; rows
/// without a number have their mean.
fn unexplained_by_curve(numbers: &[f64], rows: &[Row], value: impl Fn(usize) -> f64 + Copy) -> Option<f64> {
    let (mut known, missing): (Vec<Row>, Vec<Row>) =
        rows.iter().copied().partition(|row| !numbers[row.row].is_nan());
    // Value and weight decide among equal numbers, so that sums round the same way whatever the order of the rows.
    known.sort_unstable_by(|a, b| {
        let by_value = || value(a.row).total_cmp(&value(b.row)).then(a.weight.total_cmp(&b.weight));
        (numbers[a.row] + 0.0).total_cmp(&(numbers[b.row] + 0.0)).then_with(by_value)
    });
    let steps: Vec<Sums> =
        known.chunk_by(|a, b| numbers[a.row] == numbers[b.row]).map(|rows| Sums::of(rows, value)).collect();
    let rising = left_by_rising(steps.iter().copied());
    let falling = left_by_rising(steps.iter().rev().copied());
    let without = Sums::of(&missing, value).squares;
    share(rising.min(falling) + without, Sums::of(rows, value).squares)
}

/// What the best curve that never falls leaves of the variation: neighbours that fall are pooled.
fn left_by_rising(steps: impl Iterator<Item = Sums>) -> f64 {
    let mut pools: Vec<Sums> = Vec::new();
    for mut pool in steps {
        while let Some(last) = pools.last().copied().filter(|last| last.mean > pool.mean) {
            pool = last.with(pool);
            pools.pop();
        }
        pools.push(pool);
    }
    pools.iter().map(|pool| pool.squares).sum()
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0 && whole.is_finite()).then(|| part / whole)
}

/// Weight, mean, and the weighted sum of squares around it.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl Sums {
    fn of<'r>(rows: impl IntoIterator<Item = &'r Row>, value: impl Fn(usize) -> f64) -> Self {
        let sums = |row: &Row| Self { weight: row.weight, mean: value(row.row), squares: 0.0 };
        rows.into_iter().fold(Self::default(), |sum, row| sum.with(sums(row)))
    }

    /// The sums of both (Chan, Golub and `LeVeque` 1979).
    fn with(self, other: Self) -> Self {
        let weight = self.weight + other.weight;
        if weight <= 0.0 {
            return self;
        }
        let (apart, share) = (other.mean - self.mean, other.weight / weight);
        Self {
            weight,
            mean: self.mean + apart * share,
            squares: self.squares + other.squares + apart * apart * self.weight * share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize) -> Vec<Row> {
        (0..n).map(|row| Row { row, weight: 1.0 + (row % 3) as f64 }).collect()
    }

    #[test]
    fn sums_are_those_of_all_rows() {
        let value = |row: usize| ((row * row) % 13) as f64 + 1e6;
        let sums = Sums::of(&rows(40), value);
        let weight: f64 = rows(40).iter().map(|row| row.weight).sum();
        let mean = rows(40).iter().map(|row| row.weight * value(row.row)).sum::<f64>() / weight;
        let squares: f64 = rows(40).iter().map(|row| row.weight * (value(row.row) - mean).powi(2)).sum();
        assert!((sums.weight - weight).abs() < 1e-9 && (sums.mean - mean).abs() < 1e-9);
        assert!((sums.squares - squares).abs() < 1e-6 * squares);
    }

    #[test]
    fn a_curve_explains_what_rises_or_falls_and_nothing_else() {
        let numbers: Vec<f64> = (0..60).map(|row| if row == 5 { f64::NAN } else { row as f64 }).collect();
        let left = |value: fn(usize) -> f64| unexplained_by_curve(&numbers, &rows(60), value).unwrap();
        assert!(left(|row| (row as f64 / 10.0).exp()) < 1e-12);
        assert!(left(|row| -(row as f64).powi(3)) < 1e-12);
        assert!(left(|row| (row as f64 - 30.0).powi(2)) > 0.2);
        assert!(left(|row| ((row * 37) % 60) as f64) > 0.5);
        assert_eq!(unexplained_by_curve(&numbers, &rows(60), |_| 2.0), None, "nothing to explain");
    }

    #[test]
    fn pooling_gives_the_best_curve_that_never_falls() {
        // 1 3 2 5 4 4 → 1 2.5 2.5 4.33 4.33 4.33
        let steps = [1.0, 3.0, 2.0, 5.0, 4.0, 4.0].map(|mean| Sums { weight: 1.0, mean, squares: 0.0 });
        let expected = 2.0 * 0.25 + (2.0f64 / 3.0).powi(2) + 2.0 * (1.0f64 / 3.0).powi(2);
        assert!((left_by_rising(steps.into_iter()) - expected).abs() < 1e-12);
    }
}
