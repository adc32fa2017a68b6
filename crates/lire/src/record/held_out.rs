//! Measures and curves on rows held out, in steps that tell of no single row.

use super::cells::{merged, short};
use crate::binning::threshold_between;
use crate::measure::{Measure, Measures};
use crate::model::Predictions;
use crate::model::sections::{ClassCurves, EvaluatedModel, HeldOutEvaluation, ReliabilityCell};
use crate::table::{ClassLabels, Target, TargetValues};

/// Steps of a curve, if there are rows enough.
const STEPS: usize = 40;
/// Ranges of probability.
const RANGES: usize = 10;
/// Digits of rates and measures.
const DIGITS: usize = 5;

/// A row: its score, its probability, whether it is of the class, and its weight.
type Row = (f64, f64, bool, f64);

/// How good predictions are, beside those of a baseline, with curves for classes.
pub fn evaluation(
    of: EvaluatedModel,
    target: &Target,
    predictions: &Predictions,
    weights: &[f64],
    (measures, baseline): (&Measures, &Measures),
    least_rows: usize,
) -> HeldOutEvaluation {
    let named = |measures: &Measures| {
        let kinds = measures.kinds().iter();
        let value = |kind: &Measure| Some((kind.key().to_owned(), short(measures.get(*kind)?, DIGITS)));
        kinds.filter_map(value).collect()
    };
    let curves = match (&target.values, predictions) {
        (TargetValues::Classes(of), Predictions::Classes(said)) => {
            let curve = |(output, class): (usize, u32)| {
                let row = |row: usize| {
                    let score = said.scores[output][row] + 0.0;
                    (score, said.probabilities[output][row], of.labels[row] == class, weights[row])
                };
                let rows: Vec<Row> = (0..weights.len()).filter(|&row| weights[row] > 0.0).map(row).collect();
                curves(of, class, rows, least_rows)
            };
            of.outputs().enumerate().filter_map(curve).collect()
        }
        _ => Vec::new(),
    };
    HeldOutEvaluation {
        of,
        rows: weights.iter().filter(|weight| **weight > 0.0).count(),
        divided_by: None,
        min_rows: least_rows,
        measures: named(measures),
        baseline: named(baseline),
        curves,
    }
}

/// The curves of a class; none where it has too few rows, or all others have.
fn curves(of: &ClassLabels, class: u32, mut rows: Vec<Row>, least_rows: usize) -> Option<ClassCurves> {
    let n_positive = rows.iter().filter(|row| row.2).count();
    if n_positive < least_rows || rows.len() - n_positive < least_rows {
        return None;
    }
    rows.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.2.cmp(&a.2)).then(a.3.total_cmp(&b.3)));
    let steps = steps(&rows, least_rows.max(rows.len().div_ceil(STEPS)))?;
    let total = steps.iter().fold(Step::default(), Step::and);
    let mut curves = ClassCurves {
        class: of.classes[class as usize].clone(),
        positive: total.positive,
        negative: total.negative,
        threshold: Vec::with_capacity(steps.len()),
        true_positive_rate: Vec::with_capacity(steps.len()),
        false_positive_rate: Vec::with_capacity(steps.len()),
        precision: Vec::with_capacity(steps.len()),
        reliability: reliability(rows, least_rows),
    };
    let mut above = Step::default();
    for step in &steps {
        above = above.and(step);
        curves.threshold.push(step.threshold);
        curves.true_positive_rate.push(short(above.positive / total.positive, DIGITS));
        curves.false_positive_rate.push(short(above.negative / total.negative, DIGITS));
        curves.precision.push(short(above.positive / (above.positive + above.negative), DIGITS));
    }
    Some(curves)
}

/// Rows between two thresholds.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    threshold: f64,
    positive: f64,
    negative: f64,
}

impl Step {
    fn and(self, next: &Self) -> Self {
        let (positive, negative) = (self.positive + next.positive, self.negative + next.negative);
        Self { threshold: next.threshold, positive, negative }
    }
}

/// Rows, the highest score first, in steps of at least so many.
fn steps(rows: &[Row], at_least: usize) -> Option<Vec<Step>> {
    let ties: Vec<&[Row]> = rows.chunk_by(|a, b| a.0 == b.0).collect();
    let n_rows: Vec<usize> = ties.iter().map(|tie| tie.len()).collect();
    let step = |part: std::ops::Range<usize>| {
        let inside = || ties[part.clone()].iter().flat_map(|tie| tie.iter());
        let weight = |of_class: bool| inside().filter(|row| row.2 == of_class).map(|row| row.3).sum();
        let lowest = ties[part.end - 1][0].0;
        let next = ties.get(part.end).map_or(lowest - 1.0, |tie| tie[0].0);
        let threshold = threshold_between(next, lowest, false);
        Step { threshold, positive: weight(true), negative: weight(false) }
    };
    Some(merged(&n_rows, at_least)?.into_iter().map(step).collect())
}

/// Rows of about the same probability, in ranges of the same width that are put together where they have few rows.
fn reliability(mut rows: Vec<Row>, least_rows: usize) -> Vec<ReliabilityCell> {
    let range = |row: &Row| ((row.1 * RANGES as f64) as usize).min(RANGES - 1);
    rows.sort_by(|a, b| a.1.total_cmp(&b.1));
    let ranges: Vec<&[Row]> = rows.chunk_by(|a, b| range(a) == range(b)).collect();
    let n_rows: Vec<usize> = ranges.iter().map(|rows| rows.len()).collect();
    let cell = |part: std::ops::Range<usize>| {
        let inside = || ranges[part.clone()].iter().flat_map(|rows| rows.iter());
        let weight: f64 = inside().map(|row| row.3).sum();
        let mean = |value: &dyn Fn(&Row) -> f64| inside().map(|row| row.3 * value(row)).sum::<f64>() / weight;
        ReliabilityCell {
            weight,
            probability: short(mean(&|row| row.1), DIGITS),
            share: short(mean(&|row| f64::from(u8::from(row.2))), DIGITS),
        }
    };
    merged(&n_rows, least_rows).unwrap_or_default().into_iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve rows by hand: scores 12 down to 1, of the class where the pattern says so.
    fn rows(pattern: &str) -> Vec<Row> {
        let n = pattern.len();
        let row = |(place, sign): (usize, char)| {
            let score = (n - place) as f64;
            (score, score / (n + 1) as f64, sign == '+', 1.0)
        };
        pattern.chars().enumerate().map(row).collect()
    }

    fn labels() -> ClassLabels {
        let classes = vec!["no".to_owned(), "yes".to_owned()];
        ClassLabels { classes, labels: Vec::new(), positive_chosen: true }
    }

    #[test]
    fn curves_are_those_counted_by_hand() {
        let found = curves(&labels(), 1, rows("+++-+-+--+----------"), 5).unwrap();
        assert_eq!((found.class.as_str(), found.positive, found.negative), ("yes", 6.0, 14.0));
        assert_eq!(found.threshold, [15.5, 10.5, 5.5, 0.5]);
        assert_eq!(found.true_positive_rate, [0.66667, 1.0, 1.0, 1.0]);
        assert_eq!(found.false_positive_rate, [0.071_429, 0.28571, 0.64286, 1.0]);
        assert_eq!(found.precision, [0.8, 0.6, 0.4, 0.3]);
        let weight: f64 = found.reliability.iter().map(|cell| cell.weight).sum();
        assert_eq!(weight, 20.0);
        assert!(found.reliability.iter().all(|cell| cell.weight >= 5.0));
    }

    #[test]
    fn the_order_of_the_rows_and_ties_do_not_matter() {
        let mut tied = rows("+-+-+-+-+-+-");
        for row in &mut tied {
            row.0 = (row.0 / 6.0).ceil();
        }
        let found = curves(&labels(), 1, tied.clone(), 5).unwrap();
        assert_eq!(
            (found.threshold.as_slice(), found.precision.as_slice()),
            (&[1.5, 0.5][..], &[0.5, 0.5][..])
        );
        tied.reverse();
        assert_eq!(curves(&labels(), 1, tied, 5), Some(found));
    }

    #[test]
    fn too_few_rows_of_a_class_have_no_curves() {
        assert_eq!(curves(&labels(), 1, rows("++++-----------"), 5), None);
    }
}
