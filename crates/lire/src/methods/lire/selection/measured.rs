//! What solutions are worth on some rows.

use crate::error::Result;
use crate::measure::{Measure, Measures, RuleMeasures};
use crate::methods::Training;
use crate::model::{Meaning, TargetScale};
use crate::rules::Rule;
use crate::solver::Solution;
use crate::table::Dataset;

/// How good a model is on some rows, and how much there is to read.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// How good the predictions are.
    pub quality: Measures,
    /// The size of the model and of its explanations.
    pub size: RuleMeasures,
}

impl Measured {
    /// One of the measures.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        self.quality.get(measure).or_else(|| self.size.get(measure))
    }
}

/// Rows to measure on, with what the candidate rules cover of them.
pub struct MeasuredRows<'a> {
    data: &'a Dataset,
    weights: Vec<f64>,
    meaning: Meaning,
    scale: TargetScale,
    /// The rules that some solution uses, ascending, and what they cover.
    rules: Vec<usize>,
    coverage: Vec<Vec<u64>>,
}

impl<'a> MeasuredRows<'a> {
    /// Evaluates all rules that the solutions use.
    pub fn new<'s>(
        data: &'a Dataset,
        training: &Training,
        meaning: Meaning,
        rules: &[Rule],
        solutions: impl Iterator<Item = &'s Solution>,
    ) -> Result<Self> {
        let mut used: Vec<usize> =
            solutions.flat_map(|solution| solution.weights.rules.iter().map(|&(rule, _)| rule)).collect();
        used.sort_unstable();
        used.dedup();
        let coverage = used.iter().map(|&rule| rules[rule].cover(&data.table)).collect::<Result<_>>()?;
        let scale = training.scale.unwrap_or(TargetScale { mean: 0.0, std: 1.0 });
        Ok(Self { data, weights: data.row_weights(), meaning, scale, rules: used, coverage })
    }

    /// Measures the solutions of all outputs together.
    pub fn measure(&self, outputs: &[Solution]) -> Result<Measured> {
        let n_rows = self.data.n_rows();
        let mut scores = vec![0.0; n_rows * outputs.len()];
        let mut weights = vec![vec![0.0; self.rules.len()]; outputs.len()];
        for (output, solution) in outputs.iter().enumerate() {
            scores.iter_mut().skip(output).step_by(outputs.len()).for_each(|score| {
                *score = solution.weights.intercept;
            });
            for (rule, weight) in &solution.weights.rules {
                let Ok(place) = self.rules.binary_search(rule) else { continue };
                weights[output][place] = *weight;
                let covered = &self.coverage[place];
                for (row, score) in scores.iter_mut().skip(output).step_by(outputs.len()).enumerate() {
                    if covered[row / 64] >> (row % 64) & 1 == 1 {
                        *score += weight;
                    }
                }
            }
        }
        for score in &mut scores {
            *score = self.scale.mean + self.scale.std * *score;
        }
        let predictions = self.meaning.predictions(&scores)?;
        let quality = Measures::of(&self.data.target.values, &predictions, &self.weights)?;
        let (size, _) = RuleMeasures::sizes(&self.coverage, &weights, &predictions.outputs(), &self.weights)?;
        Ok(Measured { quality, size })
    }
}
