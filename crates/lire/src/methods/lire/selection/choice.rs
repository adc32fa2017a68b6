//! Which of the validated models is chosen, and what becomes of it.

use super::{Entry, PathModel};
use crate::config::{SelectionRule, SelectionSettings};
use crate::error::Result;
use crate::measure::{Better, Measure};

/// Chooses a model and brings it to its certificate. One that leaves the budget on that way is not chosen; where all
/// do, the first choice stays as it is.
pub fn settle(
    models: &mut [PathModel],
    entries: &mut [Entry],
    selection: &SelectionSettings,
    n_splits: usize,
    certified: impl Fn(&Entry) -> Result<Entry>,
) -> Result<usize> {
    let mut left = models.to_vec();
    let mut chosen = chosen_place(&left, selection, n_splits);
    let first = chosen;
    while left[chosen].validation.is_some() {
        let entry = certified(&entries[chosen])?;
        if entry.fits(&selection.budget) {
            models[chosen] = PathModel::of(&entry, models[chosen].validation.take());
            entries[chosen] = entry;
            models[chosen].chosen = true;
            return Ok(chosen);
        }
        left[chosen].validation = None;
        chosen = chosen_place(&left, selection, n_splits);
    }
    models[first].chosen = true;
    Ok(first)
}

/// The position of the chosen model. Without a validation it goes by the training rows.
fn chosen_place(models: &[PathModel], selection: &SelectionSettings, n_splits: usize) -> usize {
    // A part of one class only has no AUC, but a log loss.
    let measures = [selection.measure, Measure::LogLoss];
    // Where a model of all rows is empty, those of its prices on fewer rows may not be, and say nothing of it.
    let is_inside = |place: &usize| models[*place].validation.is_some();
    let some_rules = (0..models.len()).any(|place| is_inside(&place) && models[place].n_rules > 0);
    let inside =
        || (0..models.len()).filter(is_inside).filter(move |&place| models[place].n_rules > 0 || !some_rules);
    let validated = |measure: Measure| {
        let value = move |place: usize| {
            let summary = models[place].validation.as_ref()?.get(measure)?;
            Some((place, summary.mean, summary.std.map_or(0.0, |std| std / (n_splits as f64).sqrt())))
        };
        inside().filter_map(value).collect::<Vec<_>>()
    };
    let trained = |measure: Measure| {
        inside().filter_map(|place| Some((place, models[place].train.get(measure)?, 0.0))).collect::<Vec<_>>()
    };
    let mut known = measures.iter().map(|&measure| (measure, validated(measure)));
    let known = known
        .find(|(_, values)| !values.is_empty())
        .unwrap_or_else(|| (selection.measure, trained(selection.measure)));
    let (measure, values) = known;
    let sign = if measure.better() == Better::Higher { 1.0 } else { -1.0 };
    let (best, error) = values.iter().fold((f64::NEG_INFINITY, 0.0), |best, &(_, value, error)| {
        if sign * value > best.0 { (sign * value, error) } else { best }
    });
    let least = match selection.rule {
        SelectionRule::Best => best,
        SelectionRule::OneSe => best - error,
    };
    let good = values.iter().filter(|(_, value, _)| sign * value >= least).map(|(place, ..)| *place);
    let simplest = good.min_by(|&a, &b| {
        let (a, b) = (&models[a], &models[b]);
        a.local_support_mean.total_cmp(&b.local_support_mean).then(a.n_rules.cmp(&b.n_rules))
    });
    simplest.or_else(|| inside().next()).unwrap_or(0)
}
