//! Scores as points: a scale of odds, and a table of whole points.

use serde::{Deserialize, Serialize};

use super::Section;

/// A scale on which so many points double the odds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreScale {
    /// The points of `base_odds`.
    pub base_points: f64,
    /// The odds of the positive class at `base_points`.
    pub base_odds: f64,
    /// The points that double the odds; negative where more points speak against the positive class.
    pub points_to_double: f64,
}

impl ScoreScale {
    /// The points of log-odds.
    pub fn points(&self, log_odds: f64) -> f64 {
        let doublings = (log_odds - self.base_odds.ln()) / std::f64::consts::LN_2;
        self.base_points + self.points_to_double * doublings
    }
}

/// Whole points for each term, and what their sum means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointsTable {
    /// What a point adds to the score.
    pub multiplier: f64,
    /// The points that every row has.
    pub intercept: i64,
    /// The points of each term, in the model's order.
    pub terms: Vec<i64>,
    /// The probability of the positive class at each sum, rising.
    pub probabilities: Vec<PointsProbability>,
}

/// What a sum of points means.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointsProbability {
    /// The sum.
    pub points: i64,
    /// The probability of the positive class.
    pub probability: f64,
}

impl Section for ScoreScale {
    const NAME: &'static str = "score_scale";
}

impl Section for PointsTable {
    const NAME: &'static str = "points";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_points_double_the_odds() {
        let scale = ScoreScale { base_points: 600.0, base_odds: 50.0, points_to_double: 20.0 };
        for (odds, points) in [(50.0, 600.0), (100.0, 620.0), (25.0, 580.0), (400.0, 660.0)] {
            assert!((scale.points(f64::ln(odds)) - points).abs() < 1e-9);
        }
    }
}
