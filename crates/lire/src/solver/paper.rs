//! Algorithm 1 of the paper: coordinate descent with local search, started from the l1 solution.

use super::budget::Budget;
use super::moves::{Move, Neighbourhood};
use super::rows::RowStore;
use super::{Precision, Problem, Solution, SolverConfig, State, Weights};
use crate::objective::{MIN_WEIGHT, Penalty, Steps};
use crate::watch::Watch;

/// A weight that its own re-optimisation changes by less is left for the re-fit of all.
const SAME_WEIGHT: f64 = 1e-3;

/// The start need not be more exact than the search that follows.
const START_TOLERANCE: f64 = 1e-6;

/// Follows the published algorithm. It never grows the support.
pub(super) fn search_paper<L: Steps, R: RowStore>(
    problem: &Problem<R>,
    penalty: Penalty,
    config: &SolverConfig,
    watch: &Watch,
) -> Solution {
    let mut state: State<L, R> = State::of(problem, &l1_start(problem, penalty.gamma));
    let mut budget = Budget::new(config, watch);
    let mut trace = Vec::new();
    // The paper gives no order of the walk; as in the authors' code, rules that resisted removal most often come
    // last, for they are unlikely to yield now.
    let mut resisted = vec![0usize; problem.shares.len()];
    let mut refitted = false;
    while budget.allows() {
        let improved = improve_once(problem, &mut state, penalty, &mut resisted, &mut budget);
        if !improved && refitted {
            break;
        }
        // Step 3: all weights on the bare loss. Where a round leaves the support as it is, another one follows on
        // weights that are re-fitted exactly: they are the model, and must stand the test too.
        state.refit(if improved { Precision::Close } else { Precision::Exact });
        refitted = !improved;
        if !improved {
            continue;
        }
        let objective = state.objective(&penalty);
        trace.push(objective);
        budget.spend(objective, state.support().len());
    }
    if !refitted {
        state.refit(Precision::Exact);
    }
    let certified = budget.allows() && Neighbourhood::of(problem, &state, penalty, None).is_local_optimum();
    Solution::of(&state, penalty, certified, trace, &budget)
}

/// The `RuleFit` solution; for the exponential loss, which fits half the log-odds, with half its weights.
fn l1_start<R: RowStore>(problem: &Problem<R>, gamma: f64) -> Weights {
    let Weights { intercept, rules } = R::l1_weights(problem, gamma, START_TOLERANCE);
    let scale = problem.loss.per_l1_score();
    let scaled = |(rule, weight): (usize, f64)| (rule, problem.bounds[rule].clamp(scale * weight));
    let mut rules: Vec<(usize, f64)> = rules.into_iter().map(scaled).collect();
    rules.retain(|(_, weight)| weight.abs() >= MIN_WEIGHT);
    Weights { intercept: scale * intercept, rules }
}

/// What the walk over the support comes upon.
enum Find {
    /// Step 1: the rule at this position is not worth its price.
    Drop(usize),
    /// Step 1: it has a better weight.
    Reweigh(usize, f64),
    /// Step 2: another rule is better in its place.
    Exchange(Move),
}

/// Walks over the support until a rule is dropped or exchanged. Says whether one was.
fn improve_once<'p, L: Steps, R: RowStore>(
    problem: &'p Problem<R>,
    state: &mut State<'p, L, R>,
    penalty: Penalty,
    resisted: &mut [usize],
    budget: &mut Budget,
) -> bool {
    let mut order: Vec<usize> = (0..state.support().len()).collect();
    order.sort_by_key(|&position| (resisted[state.support()[position]], state.support()[position]));
    let mut positions = order.into_iter();
    loop {
        let neighbourhood = Neighbourhood::of(problem, state, penalty, None);
        let mut left = positions.by_ref().take_while(|_| budget.allows());
        match left.find_map(|position| find_at(&neighbourhood, state, position, resisted)) {
            None => return false,
            Some(Find::Drop(position)) => {
                state.remove(position, 0.0);
                return true;
            }
            Some(Find::Exchange(exchange)) => {
                exchange.apply(state);
                return true;
            }
            Some(Find::Reweigh(position, weight)) => state.set_weight(position, weight),
        }
    }
}

/// What there is to do about the rule at a position; counts that it resisted if it is worth its price.
fn find_at<L: Steps, R: RowStore>(
    neighbourhood: &Neighbourhood<L, R>,
    state: &State<L, R>,
    position: usize,
    resisted: &mut [usize],
) -> Option<Find> {
    let Some(weight) = neighbourhood.best_weight_in_place(position) else {
        return Some(Find::Drop(position));
    };
    resisted[state.support()[position]] += 1;
    if let Some(exchange) = neighbourhood.first_better_in_place(position) {
        return Some(Find::Exchange(exchange));
    }
    let differs = (weight - state.weight(position)).abs() > SAME_WEIGHT;
    differs.then_some(Find::Reweigh(position, weight))
}
