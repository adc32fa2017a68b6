//! Prices chosen on a sample of the rows, and the model at these prices learned on all of them.
//!
//! Which prices are good shows on some hundred thousand rows as well as on all; comparing models is what costs most.

use super::lire::selection;
use super::{Learned, MethodInput, Training, learn, validation_splits};
use crate::config::{Config, Method, Settings};
use crate::error::Result;
use crate::solver::Prices;
use crate::split::sample;
use crate::table::{Dataset, TargetValues};

/// The choice needs so many different rows at most,
const MOST_ROWS: usize = 200_000;
/// and with several outputs, each of which has its say on the same prices, so many divided by their number,
const ROWS_OF_ALL_OUTPUTS: usize = 1_000_000;
/// but never fewer than these.
const ROWS_AT_LEAST: usize = 10_000;
/// With a time limit: the most that the choice takes of it.
const SHARE_OF_CHOICE: f64 = 0.6;

/// The rows that prices are chosen on, where they are fewer than all.
pub fn rows_of_choice(data: &Dataset, config: &Config) -> Result<Option<Dataset>> {
    let n_outputs = match &data.target.values {
        TargetValues::Classes(of) => of.outputs().len(),
        TargetValues::Numbers(_) => 1,
    };
    let n_contents = (ROWS_OF_ALL_OUTPUTS / n_outputs.max(1)).clamp(ROWS_AT_LEAST, MOST_ROWS);
    if !config.compares() || data.n_rows() <= n_contents {
        return Ok(None);
    }
    sample(data, n_contents, config.seed)
}

/// Chooses prices on some of the rows and learns on all. The splits of the input are not used.
pub fn learn_sampled(input: MethodInput, part: &Dataset, config: &Config) -> Result<Learned> {
    let MethodInput { settings, watch, .. } = input;
    let (training, splits) = (Training::of(part, config), validation_splits(part, config)?);
    let watch_choice = watch.share(SHARE_OF_CHOICE);
    let on_part =
        MethodInput { data: part, training: &training, splits: &splits, watch: &watch_choice, ..input };
    let chosen = learn(on_part)?;
    let at = Settings { gamma: chosen.gamma, lambda: chosen.lambda, ..settings.clone() };
    let on_all = MethodInput { settings: &at, ..input };
    let mut learned = match (settings.method, chosen.gamma, chosen.lambda) {
        (Method::Lire, Some(gamma), Some(lambda)) => selection::near(on_all, Prices { gamma, lambda })?,
        _ => learn(on_all)?,
    };
    learned.timings.comparison += chosen.timings.total();
    learned.selection = chosen
        .selection
        .map(|selection| selection::Selection { sampled_rows: Some(part.n_rows()), ..selection });
    learned.sampled_rows = Some(part.n_rows());
    Ok(learned)
}
