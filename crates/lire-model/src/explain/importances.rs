//! How much each feature moves the scores.

use crate::model::Model;

use super::explain_outputs;

/// The share of each feature in all importance: that of a rule is divided evenly among its features, and the outputs
/// are summed (Friedman and Popescu 2008). All zero for a model without terms.
pub fn feature_importances(model: &Model) -> Vec<f64> {
    let mut sums = vec![0.0; model.schema().features.len()];
    for explained in explain_outputs(model) {
        for explained in &explained.rules {
            let features: Vec<usize> = model.rules()[explained.index].features().collect();
            for &feature in &features {
                sums[feature] += explained.importance / features.len() as f64;
            }
        }
        for linear in &explained.linear {
            if let Some(feature) = model.schema().position(&linear.feature) {
                sums[feature] += linear.importance;
            }
        }
    }
    let total: f64 = sums.iter().sum();
    if total > 0.0 {
        for sum in &mut sums {
            *sum /= total;
        }
    }
    sums
}
