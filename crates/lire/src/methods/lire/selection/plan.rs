//! How the time of a fit is divided between the models of all rows and those that are compared on rows left out.

use std::time::{Duration, Instant};

use crate::solver::Prices;
use crate::split::Splits;
use crate::watch::{Stop, Watch};

/// Where models are compared, those of all rows take no more of the time that is left.
const TIME_FOR_MODELS: f64 = 0.5;

/// The models of all prices take as long as so many of one.
const ALL_PRICES: u32 = 6;

/// The prices of the one model that there is time for at least: those in the middle.
pub fn moderate(prices: &[Prices]) -> Prices {
    let middle = |price: fn(&Prices) -> f64| {
        let mut values: Vec<f64> = prices.iter().map(price).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Prices { gamma: middle(|at| at.gamma), lambda: middle(|at| at.lambda) }
}

/// Whether there is time for the models of all prices, one of them having taken so long. If not, one that is worked out
/// for all outputs is better than many for a few.
pub fn is_time_for_all(one_took: Duration, watch: &Watch) -> bool {
    let all = one_took * ALL_PRICES;
    watch.deadline.is_none_or(|deadline| deadline.saturating_duration_since(Instant::now()) > all)
}

/// How much of the time that is left the models of all rows may take. The chosen one has what remains.
pub fn time_for_models(splits: &Splits) -> f64 {
    if splits.all.is_empty() { 0.9 } else { TIME_FOR_MODELS }
}

/// The splits that there is time for, each taking about as long as the models of all rows took. Models that were cut
/// short are not compared: what is left of the time is better spent on one of them.
pub fn splits_in_time(splits: &Splits, took: Duration, of_models: &Watch, of_fit: &Watch) -> Splits {
    let Some(deadline) = of_fit.deadline else { return splits.clone() };
    if of_models.stop() == Some(Stop::TimeLimit) {
        return Splits::default();
    }
    let left = deadline.saturating_duration_since(Instant::now());
    let n_affordable = (left.as_secs_f64() / took.as_secs_f64().max(1e-9)) as usize;
    if n_affordable >= splits.all.len() {
        return splits.clone();
    }
    let affordable = splits.first_round().iter().take(n_affordable).cloned().collect();
    Splits { divided_by: splits.divided_by.clone(), ..Splits::once(affordable) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::Holdout;

    fn splits() -> Splits {
        let one = |row: usize| Holdout { train: vec![row], test: vec![row + 1] };
        Splits { all: (0..10).map(one).collect(), in_round: 5, divided_by: None }
    }

    fn within(days: u64) -> Watch<'static> {
        let deadline = Instant::now() + Duration::from_secs(days * 86_400);
        Watch { deadline: Some(deadline), ..Watch::default() }
    }

    #[test]
    fn as_many_splits_as_there_is_time_for() {
        let day = Duration::from_secs(86_400);
        let kept = |days: u64| {
            let kept = splits_in_time(&splits(), day, &within(1), &within(days));
            (kept.all.len(), kept.in_round)
        };
        assert_eq!(kept(30), (10, 5));
        assert_eq!(kept(8), (5, 5));
        assert_eq!(kept(4), (3, 3), "a moment less than four days");
        assert_eq!(kept(1), (0, 0));
        let unlimited = splits_in_time(&splits(), day, &Watch::default(), &Watch::default());
        assert_eq!((unlimited.all.len(), unlimited.in_round), (10, 5));
    }

    #[test]
    fn one_model_in_the_middle_comes_first() {
        let all = [0.1, 0.2, 0.5].map(|gamma| [0.0, 1.0].map(|lambda| Prices { gamma, lambda }));
        assert_eq!(moderate(all.as_flattened()), Prices { gamma: 0.2, lambda: 1.0 });
        let day = Duration::from_secs(86_400);
        assert!(is_time_for_all(day, &within(7)));
        assert!(!is_time_for_all(day, &within(6)));
        assert!(is_time_for_all(day, &Watch::default()));
    }

    #[test]
    fn models_cut_short_are_not_compared() {
        let over = Watch { deadline: Some(Instant::now()), ..Watch::default() };
        assert!(splits_in_time(&splits(), Duration::ZERO, &over, &within(9)).all.is_empty());
    }
}
