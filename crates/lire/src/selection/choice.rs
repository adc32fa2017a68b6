//! Which of the validated models is chosen.

use super::PathModel;
use crate::config::{SelectionRule, SelectionSettings};
use crate::evaluate::{Better, Measure};

/// The position of the chosen model. Of models without a validation the simplest is chosen.
pub fn chosen(models: &[PathModel], selection: &SelectionSettings, n_splits: usize) -> usize {
    // A part of one class only has no AUC, but a log loss.
    let measures = [selection.measure, Measure::LogLoss];
    let validated = |measure: Measure| {
        let value = move |place: usize| {
            let summary = models[place].validation.as_ref()?.get(measure)?;
            let sign = if measure.better() == Better::Higher { 1.0 } else { -1.0 };
            let error = summary.std.map_or(0.0, |std| std / (n_splits as f64).sqrt());
            summary.mean.is_finite().then_some((place, sign * summary.mean, error))
        };
        (0..models.len()).filter_map(value).collect::<Vec<_>>()
    };
    let validated = measures.into_iter().map(validated).find(|validated| !validated.is_empty());
    let simplest = |places: &mut dyn Iterator<Item = usize>| {
        places.min_by(|&a, &b| {
            let (a, b) = (&models[a], &models[b]);
            a.local_support_mean.total_cmp(&b.local_support_mean).then(a.n_rules.cmp(&b.n_rules))
        })
    };
    let Some(validated) = validated else {
        let mut inside = (0..models.len()).filter(|&place| models[place].validation.is_some());
        return simplest(&mut inside).unwrap_or(0);
    };
    let (_, best, error) =
        validated.iter().copied().fold((0, f64::NEG_INFINITY, 0.0), |a, b| if b.1 > a.1 { b } else { a });
    let least = match selection.rule {
        SelectionRule::Best => best,
        SelectionRule::OneSe => best - error,
    };
    let mut good = validated.iter().filter(|(_, value, _)| *value >= least).map(|(place, ..)| *place);
    simplest(&mut good).unwrap_or(0)
}
