//! LIRE: for each output the support and weights that minimise the objective, at given prices or at chosen ones.

mod at_prices;
pub mod selection;

pub use at_prices::path;

use super::{Learned, MethodInput};
use crate::config::Settings;
use crate::error::Result;
use crate::solver::Prices;

/// Chooses rules among the candidates; the prices too, unless both are given and there is no budget to keep to.
pub(crate) fn learn(input: MethodInput) -> Result<Learned> {
    let MethodInput { training, settings, source, watch, .. } = input;
    let Some(at) = given_prices(settings) else {
        return selection::choose(input);
    };
    let candidates = source.candidates(training, settings, watch);
    Ok(at_prices::choose(candidates, settings, at, watch))
}

/// The prices of the one model that is wanted, unless models have to be compared.
fn given_prices(settings: &Settings) -> Option<Prices> {
    let (gamma, lambda) = (settings.gamma?, settings.lambda?);
    settings.selection.budget.is_unlimited().then_some(Prices { gamma, lambda })
}
