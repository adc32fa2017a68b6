//! What each term counts on average: what the contributions of a single decision are compared with.

use serde::{Deserialize, Serialize};

use super::Section;
use crate::model::Output;

/// The mean of each term over some rows.
///
/// The mean contribution of a term to an output is its mean here times its weight there. With the intercept these add up
/// to the mean score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BaselineContributions {
    /// Which rows these are.
    pub population: String,
    /// How many rows these are.
    pub rows: usize,
    /// For each term the mean of what it counts: of a rule the share of the weight that it covers.
    pub means: Vec<f64>,
}

impl BaselineContributions {
    /// The mean contribution of each term to an output of the model.
    pub fn contributions<'a>(&'a self, output: &'a Output) -> impl Iterator<Item = f64> + 'a {
        self.means.iter().zip(&output.weights).map(|(mean, weight)| weight * mean)
    }

    /// The mean score of an output of the model.
    pub fn mean_score(&self, output: &Output) -> f64 {
        self.contributions(output).fold(output.intercept, |sum, part| sum + part)
    }
}

impl Section for BaselineContributions {
    const NAME: &'static str = "baseline";
}
