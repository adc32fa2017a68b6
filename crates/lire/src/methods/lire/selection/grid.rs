//! The prices among which is chosen, and those added where a budget binds.

use crate::config::{Settings, SizeBudget};
use crate::objective::PenaltyKind;
use crate::solver::Prices;

use super::Entry;

/// Each γ is so many times the one before.
const GAMMA_STEP: f64 = 2.5;
/// The smallest γ where there are rows enough.
const MIN_GAMMA: f64 = 0.00025;
/// What a rule of no worth gains by chance falls with the number of rows; γ must not be below it.
const GAMMA_ROWS: f64 = 1.0;
/// So many γ.
const N_GAMMAS: usize = 5;
/// The λ for each form of the penalty.
const LAMBDAS_OF_RATIO: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];
const LAMBDAS_OF_COUNT: [f64; 5] = [0.0, 0.0005, 0.001, 0.003, 0.01];

/// Prices nearer to each other than by this factor lead to much the same model.
const NEAR: f64 = 1.25;
/// How far prices go beyond the largest while no model is inside the budget.
const BEYOND: f64 = 4.0;
/// The largest price that is tried: more than any loss.
const LARGEST: f64 = 100.0;

/// A budget is used up if so much of it is.
const USED_UP: f64 = 0.85;

/// The grid: those given, and a range where none is.
pub fn grid(settings: &Settings, n_rows: f64) -> Vec<Prices> {
    let smallest = MIN_GAMMA.max(GAMMA_ROWS / n_rows);
    let gammas = match settings.gamma {
        Some(gamma) => vec![gamma],
        None => {
            std::iter::successors(Some(smallest), |gamma| Some(gamma * GAMMA_STEP)).take(N_GAMMAS).collect()
        }
    };
    let lambdas = match (settings.lambda, settings.penalty) {
        (Some(lambda), _) => vec![lambda],
        (None, PenaltyKind::Ratio) => LAMBDAS_OF_RATIO.to_vec(),
        (None, PenaltyKind::Count) => LAMBDAS_OF_COUNT.to_vec(),
    };
    gammas.iter().flat_map(|&gamma| lambdas.iter().map(move |&lambda| Prices { gamma, lambda })).collect()
}

/// Prices between models inside and outside a budget, or beyond them all, to come nearer to where it binds.
pub fn refined(entries: &[Entry], budget: &SizeBudget, settings: &Settings) -> Vec<Prices> {
    let along_lambda = settings.lambda.is_none() && budget.max_local_rules.is_some();
    // A high λ may leave no rule at all where a high γ still leaves some.
    let used_up = entries.iter().any(|entry| entry.fits(budget) && entry.uses_up(budget, USED_UP));
    let along_gamma = settings.gamma.is_none() && (budget.max_rules.is_some() || !along_lambda || !used_up);
    let mut added = Vec::new();
    if along_lambda {
        added.extend(along(
            entries,
            budget,
            |at| (at.gamma, at.lambda),
            |gamma, lambda| Prices { gamma, lambda },
        ));
    }
    if along_gamma {
        added.extend(along(
            entries,
            budget,
            |at| (at.lambda, at.gamma),
            |lambda, gamma| Prices { gamma, lambda },
        ));
    }
    added
}

/// The same along one of the prices, with the other one as it is.
fn along(
    entries: &[Entry],
    budget: &SizeBudget,
    apart: impl Fn(Prices) -> (f64, f64),
    together: impl Fn(f64, f64) -> Prices,
) -> Vec<Prices> {
    let mut sorted: Vec<(f64, f64, &Entry)> = entries
        .iter()
        .map(|entry| {
            let (fixed, moved) = apart(entry.prices);
            (fixed, moved, entry)
        })
        .collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let next = |line: &[(f64, f64, &Entry)]| {
        let outside = line.iter().rposition(|(_, _, entry)| !entry.fits(budget))?;
        let (fixed, low, _) = line[outside];
        let Some(&(_, high, _)) = line.get(outside + 1) else {
            let beyond = (low * BEYOND).max(1e-4);
            return (beyond <= LARGEST).then(|| together(fixed, beyond));
        };
        if low == 0.0 {
            return (high > 1e-6).then(|| together(fixed, high / BEYOND));
        }
        (high / low > NEAR).then(|| together(fixed, (low * high).sqrt()))
    };
    sorted.chunk_by(|a, b| a.0 == b.0).filter_map(next).collect()
}
