//! How much each feature moves the scores.

use crate::model::Model;

use super::explain_outputs;

/// The share of each feature in all importance: that of a rule is divided evenly among its features, and the outputs
/// are summed (Friedman and Popescu 2008). All zero for a model without terms.
pub fn feature_importances(model: &Model) -> Vec<f64> {
    let mut sums = vec![0.0; model.schema().features.len()];
    for explained in explain_outputs(model) {
        // Terms without a weight in this output are not explained, so rules are found again by their text.
        let mut explained_rules = explained.rules.iter().peekable();
        for (rule, term) in model.rules().iter().zip(model.rule_terms()) {
            let Some(of_rule) = explained_rules.next_if(|explained| explained.rule == term.rule) else {
                continue;
            };
            let features: Vec<usize> = rule.features().collect();
            for &feature in &features {
                sums[feature] += of_rule.importance / features.len() as f64;
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
