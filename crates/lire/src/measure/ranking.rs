//! How well scores order the rows.

use super::checks::check_length;
use crate::error::Result;

/// The weight of the rows of one score.
#[derive(Debug, Clone, Copy, Default)]
struct Tie {
    positive: f64,
    negative: f64,
}

/// The chance that a positive row scores above a negative one, ties counting half; the area under
/// the ROC curve. None if a class has no weight. No score is NaN.
pub fn area_under_curve(labels: &[bool], scores: &[f64], weights: &[f64]) -> Result<Option<f64>> {
    let ties = ties(labels, scores, weights)?;
    let total = total(&ties);
    if total.positive <= 0.0 || total.negative <= 0.0 {
        return Ok(None);
    }
    // From the highest score down: each negative stands below the positives seen so far.
    let mut above = 0.0;
    let mut ordered = 0.0;
    for tie in ties {
        ordered += tie.negative * (above + tie.positive / 2.0);
        above += tie.positive;
    }
    Ok(Some(ordered / (total.positive * total.negative)))
}

/// The precision at each score, averaged by the recall that it adds. None without positive weight.
/// No score is NaN.
pub fn average_precision(labels: &[bool], scores: &[f64], weights: &[f64]) -> Result<Option<f64>> {
    let ties = ties(labels, scores, weights)?;
    let total = total(&ties);
    if total.positive <= 0.0 {
        return Ok(None);
    }
    let mut above = Tie::default();
    let mut sum = 0.0;
    for tie in ties {
        above = above.plus(tie);
        if tie.positive > 0.0 {
            sum += tie.positive * above.positive / (above.positive + above.negative);
        }
    }
    Ok(Some(sum / total.positive))
}

/// The rows by score, the highest first, those of equal score as one.
fn ties(labels: &[bool], scores: &[f64], weights: &[f64]) -> Result<Vec<Tie>> {
    check_length(labels.len(), scores.len(), "scores")?;
    check_length(labels.len(), weights.len(), "weights")?;
    let mut rows: Vec<usize> = (0..labels.len()).collect();
    // Adding zero makes −0 and 0 one score. The sort is stable, so sums have a fixed order.
    rows.sort_by(|&a, &b| (scores[b] + 0.0).total_cmp(&(scores[a] + 0.0)));
    let tie = |rows: &[usize]| {
        let weight =
            |label: bool| rows.iter().filter(|&&row| labels[row] == label).map(|&row| weights[row]).sum();
        Tie { positive: weight(true), negative: weight(false) }
    };
    Ok(rows.chunk_by(|&a, &b| scores[a] == scores[b]).map(tie).collect())
}

fn total(ties: &[Tie]) -> Tie {
    ties.iter().fold(Tie::default(), |sum, tie| sum.plus(*tie))
}

impl Tie {
    fn plus(self, other: Self) -> Self {
        Self { positive: self.positive + other.positive, negative: self.negative + other.negative }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn constant_scores_order_nothing() {
        let labels = [true, false, false, false];
        assert_eq!(area_under_curve(&labels, &[0.3; 4], &[1.0; 4]).unwrap(), Some(0.5));
        assert_eq!(average_precision(&labels, &[0.3; 4], &[1.0; 4]).unwrap(), Some(0.25));
        assert_eq!(area_under_curve(&[true, false], &[-0.0, 0.0], &[1.0; 2]).unwrap(), Some(0.5));
    }

    #[test]
    fn infinite_scores_have_their_place() {
        let scores = [f64::INFINITY, 0.0, f64::NEG_INFINITY];
        assert_eq!(area_under_curve(&[true, true, false], &scores, &[1.0; 3]).unwrap(), Some(1.0));
    }

    proptest! {
        #[test]
        fn the_area_counts_pairs(rows in proptest::collection::vec((any::<bool>(), 0u8..5, 0u8..4), 2..25)) {
            let labels: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let (mut pairs, mut ordered) = (0.0, 0.0);
            for a in 0..rows.len() {
                for b in (0..rows.len()).filter(|&b| labels[a] && !labels[b]) {
                    let weight = weights[a] * weights[b];
                    pairs += weight;
                    ordered += weight * (f64::from(scores[a] > scores[b]) + f64::from(scores[a] == scores[b]) / 2.0);
                }
            }
            let area = area_under_curve(&labels, &scores, &weights).unwrap();
            prop_assert_eq!(area.is_some(), pairs > 0.0);
            prop_assert!(area.is_none_or(|area| (area - ordered / pairs).abs() < 1e-12));
        }
    }
}
