//! Probabilities that were corrected by rows that a model had not seen.

use serde::{Deserialize, Serialize};

/// How the score of an output becomes a probability, learned from scores of rows left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Calibration {
    /// `1 / (1 + exp(−(slope · score + offset)))` (Platt 1999).
    Platt {
        /// What the score is multiplied by.
        slope: f64,
        /// What is added.
        offset: f64,
    },
    /// Straight lines between points that never fall, and constant beyond them (Zadrozny and Elkan 2002).
    Isotonic {
        /// Scores, ascending.
        scores: Vec<f64>,
        /// The probability at each of them.
        probabilities: Vec<f64>,
    },
}

/// Steps of Newton's method for Platt's two numbers; about ten are needed.
const MAX_STEPS: usize = 100;
const SMALLEST_STEP: f64 = 1e-12;

impl Calibration {
    /// The probability of a score. The calibration is sound.
    pub(super) fn probability(&self, score: f64) -> f64 {
        match self {
            Self::Platt { slope, offset } => sigmoid(slope * score + offset),
            Self::Isotonic { scores, probabilities } => interpolated(scores, probabilities, score),
        }
    }

    /// Whether it can be relied on.
    pub(super) fn is_sound(&self) -> bool {
        match self {
            Self::Platt { slope, offset } => slope.is_finite() && offset.is_finite(),
            Self::Isotonic { scores, probabilities } => {
                !scores.is_empty()
                    && scores.len() == probabilities.len()
                    && scores.iter().all(|score| score.is_finite())
                    && scores.windows(2).all(|pair| pair[0] < pair[1])
                    && probabilities.iter().all(|probability| (0.0..=1.0).contains(probability))
                    && probabilities.windows(2).all(|pair| pair[0] <= pair[1])
            }
        }
    }

    /// Platt's slope and offset: those of the greatest likelihood, with targets drawn in a little so that they stay
    /// finite where scores separate the classes. None without rows of both kinds.
    pub fn platt(rows: &[(f64, bool, f64)]) -> Option<Self> {
        let points = points(rows);
        let positive: f64 = points.iter().map(|point| point.positive).sum();
        let negative: f64 = points.iter().map(|point| point.negative).sum();
        if !(positive > 0.0 && negative > 0.0) {
            return None;
        }
        let (of_positive, of_negative) = ((positive + 1.0) / (positive + 2.0), 1.0 / (negative + 2.0));
        // Of each score the weight, and how much of it shall be positive.
        let goals: Vec<(f64, f64, f64)> = points
            .iter()
            .map(|point| {
                let goal = point.positive * of_positive + point.negative * of_negative;
                (point.score, point.weight(), goal)
            })
            .collect();
        let loss = |slope: f64, offset: f64| -> f64 {
            goals
                .iter()
                .map(|&(score, weight, goal)| {
                    let at = slope * score + offset;
                    weight * (at.max(0.0) + (-at.abs()).exp().ln_1p()) - at * goal
                })
                .sum()
        };
        let (mut slope, mut offset) = (0.0, ((positive + 1.0) / (negative + 1.0)).ln());
        let mut value = loss(slope, offset);
        for _ in 0..MAX_STEPS {
            let (mut gradient, mut curvature) = ([0.0; 2], [0.0; 3]);
            for &(score, weight, goal) in &goals {
                let probability = sigmoid(slope * score + offset);
                let (first, second) =
                    (weight * probability - goal, weight * probability * (1.0 - probability));
                gradient = [gradient[0] + first * score, gradient[1] + first];
                curvature = [
                    curvature[0] + second * score * score,
                    curvature[1] + second * score,
                    curvature[2] + second,
                ];
            }
            // A little is added so that equal scores leave a solvable system.
            let [a, b, c] = [curvature[0] + SMALLEST_STEP, curvature[1], curvature[2] + SMALLEST_STEP];
            let determinant = a * c - b * b;
            let step = [
                (c * gradient[0] - b * gradient[1]) / determinant,
                (a * gradient[1] - b * gradient[0]) / determinant,
            ];
            let mut share = 1.0;
            let mut next = loss(slope - step[0], offset - step[1]);
            // A loss that is no number is no progress either.
            while (next.is_nan() || next > value) && share > SMALLEST_STEP {
                share *= 0.5;
                next = loss(slope - share * step[0], offset - share * step[1]);
            }
            if next.is_nan() || value - next <= SMALLEST_STEP * value.abs() {
                break;
            }
            (slope, offset, value) = (slope - share * step[0], offset - share * step[1], next);
        }
        if slope < 0.0 {
            // On rows left out the score says nothing, or misleads. Of the curves that never fall the best is flat then.
            let share = goals.iter().map(|of| of.2).sum::<f64>() / goals.iter().map(|of| of.1).sum::<f64>();
            (slope, offset) = (0.0, (share / (1.0 - share)).ln());
        }
        let found = Self::Platt { slope, offset };
        found.is_sound().then_some(found)
    }

    /// The never falling step function of least squared error, as points: pools of adjacent violators. None without
    /// rows of both kinds.
    pub fn isotonic(rows: &[(f64, bool, f64)]) -> Option<Self> {
        let points = points(rows);
        if points.iter().all(|point| point.positive == 0.0)
            || points.iter().all(|point| point.negative == 0.0)
        {
            return None;
        }
        let mut pools: Vec<Pool> = Vec::new();
        for point in &points {
            let (score, weight) = (point.score, point.weight());
            pools.push(Pool { first: score, last: score, weight, positive: point.positive });
            while let [.., before, last] = &pools[..]
                && before.mean() >= last.mean()
            {
                let merged = Pool {
                    first: before.first,
                    last: last.last,
                    weight: before.weight + last.weight,
                    positive: before.positive + last.positive,
                };
                pools.truncate(pools.len() - 2);
                pools.push(merged);
            }
        }
        let (mut scores, mut probabilities) = (Vec::new(), Vec::new());
        for pool in &pools {
            let ends = if pool.first < pool.last { vec![pool.first, pool.last] } else { vec![pool.first] };
            probabilities.extend(vec![pool.mean(); ends.len()]);
            scores.extend(ends);
        }
        Some(Self::Isotonic { scores, probabilities })
    }
}

/// The rows of one score.
struct Point {
    score: f64,
    /// Their weight by kind.
    positive: f64,
    negative: f64,
}

impl Point {
    fn weight(&self) -> f64 {
        self.positive + self.negative
    }
}

/// The rows that count by their scores, ascending. The order of the rows does not matter, and a weight of 2 is the row
/// twice.
fn points(rows: &[(f64, bool, f64)]) -> Vec<Point> {
    let mut rows: Vec<(f64, bool, f64)> = rows.iter().copied().filter(|row| row.2 > 0.0).collect();
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.total_cmp(&b.2)));
    let point = |same: &[(f64, bool, f64)]| {
        let weight = |kind: bool| same.iter().filter(|row| row.1 == kind).map(|row| row.2).sum();
        Point { score: same[0].0, positive: weight(true), negative: weight(false) }
    };
    rows.chunk_by(|a, b| a.0 == b.0).map(point).collect()
}

/// Neighbouring scores of one probability.
struct Pool {
    first: f64,
    last: f64,
    weight: f64,
    positive: f64,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.positive / self.weight
    }
}

fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn interpolated(scores: &[f64], probabilities: &[f64], score: f64) -> f64 {
    let above = scores.partition_point(|&point| point < score);
    if above == 0 {
        return probabilities[0];
    }
    if above == scores.len() {
        return probabilities[above - 1];
    }
    let (low, high) = (scores[above - 1], scores[above]);
    let share = (score - low) / (high - low);
    probabilities[above - 1] + share * (probabilities[above] - probabilities[above - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores, classes and weights without any order.
    fn rows(n_rows: u64) -> Vec<(f64, bool, f64)> {
        // The fractional parts of the multiples of an irrational number, scattered.
        let noise = |row: u64| (row as f64 * 12.989_8).sin().mul_add(43_758.545_3, 0.0).rem_euclid(1.0);
        (0..n_rows)
            .map(|row| {
                let score = (20.0 * noise(row)).round() / 5.0 - 2.0;
                (score, noise(row + 1000) < sigmoid(1.5 * score - 0.4), 1.0 + (row % 3) as f64)
            })
            .collect()
    }

    #[test]
    fn platt_has_no_gradient_left() {
        let rows = rows(300);
        let Some(Calibration::Platt { slope, offset }) = Calibration::platt(&rows) else {
            panic!("rows of both kinds")
        };
        let weight = |kind: bool| rows.iter().filter(|row| row.1 == kind).map(|row| row.2).sum::<f64>();
        let (positive, negative) = (weight(true), weight(false));
        let mut gradient = [0.0, 0.0];
        for &(score, kind, weight) in &rows {
            let target = if kind { (positive + 1.0) / (positive + 2.0) } else { 1.0 / (negative + 2.0) };
            let error = weight * (sigmoid(slope * score + offset) - target);
            gradient = [gradient[0] + error * score, gradient[1] + error];
        }
        assert!(gradient.iter().all(|part| part.abs() < 1e-4), "{gradient:?}");
        assert!((slope - 1.5).abs() < 0.4 && (offset + 0.4).abs() < 0.4, "{slope} {offset}");
    }

    #[test]
    fn platt_stays_finite_on_separable_scores() {
        let rows: Vec<_> = (-5..5).map(|score| (f64::from(score), score >= 0, 1.0)).collect();
        let calibration = Calibration::platt(&rows).unwrap();
        assert!(calibration.is_sound() && calibration.probability(5.0) < 1.0);
        assert_eq!(Calibration::platt(&[(1.0, true, 1.0)]), None);
    }

    #[test]
    fn scores_that_mislead_get_a_flat_curve() {
        let rows: Vec<_> =
            (-50..50).map(|score| (f64::from(score), score % 7 == 0 && score < 0, 1.0)).collect();
        let Some(Calibration::Platt { slope, offset }) = Calibration::platt(&rows) else {
            panic!("both kinds")
        };
        let n_positive = rows.iter().filter(|row| row.1).count() as f64;
        let n_negative = rows.len() as f64 - n_positive;
        let share = (n_positive * (n_positive + 1.0) / (n_positive + 2.0) + n_negative / (n_negative + 2.0))
            / rows.len() as f64;
        assert!(slope == 0.0 && (sigmoid(offset) - share).abs() < 1e-12, "{slope} {offset}");
    }

    #[test]
    fn curves_do_not_hang_on_the_order_of_rows_and_weights_repeat_them() {
        let rows = rows(200);
        let once = |&(score, kind, weight): &(f64, bool, f64)| vec![(score, kind, 1.0); weight as usize];
        let mut repeated: Vec<_> = rows.iter().flat_map(once).collect();
        repeated.sort_by(|a, b| (7919.0 * a.0).sin().total_cmp(&(7919.0 * b.0).sin()).then(b.1.cmp(&a.1)));
        for fit in [Calibration::platt, Calibration::isotonic] {
            let reversed: Vec<_> = rows.iter().rev().copied().collect();
            assert_eq!(fit(&rows), fit(&reversed));
            assert_eq!(fit(&rows), fit(&repeated));
        }
    }

    /// Isotonic regression by its formula: the largest, over starts up to a score, of the smallest mean to any end
    /// from it.
    #[test]
    fn isotonic_is_the_max_of_min_means() {
        let rows = rows(60);
        let calibration = Calibration::isotonic(&rows).unwrap();
        assert!(calibration.is_sound());
        let mut scores: Vec<f64> = rows.iter().map(|row| row.0).collect();
        scores.sort_by(f64::total_cmp);
        scores.dedup();
        let mean = |from: f64, to: f64| {
            let inside = rows.iter().filter(|row| (from..=to).contains(&row.0));
            let (weight, positive) = inside.fold((0.0, 0.0), |(weight, positive), row| {
                (weight + row.2, positive + if row.1 { row.2 } else { 0.0 })
            });
            positive / weight
        };
        for &at in &scores {
            let lowest = |from: f64| {
                scores.iter().filter(|&&to| to >= at).map(|&to| mean(from, to)).fold(f64::INFINITY, f64::min)
            };
            let expected =
                scores.iter().filter(|&&from| from <= at).map(|&from| lowest(from)).fold(0.0, f64::max);
            assert!((calibration.probability(at) - expected).abs() < 1e-12, "at {at}");
        }
        assert_eq!(calibration.probability(-100.0), calibration.probability(scores[0]));
    }
}
