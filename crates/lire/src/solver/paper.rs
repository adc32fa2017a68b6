//! Algorithm 1 of the paper: coordinate descent with local search, started from the l1 solution.

use super::budget::Budget;
use super::l1::solve_l1;
use super::moves::Neighbourhood;
use super::{Precision, Problem, Solution, SolverConfig, State, Weights};
use crate::objective::Penalty;
use crate::watch::Watch;

/// A weight that a re-optimisation changes by less is as it was.
const SAME_WEIGHT: f64 = 1e-9;

/// The start need not be more exact than the search that follows.
const START_TOLERANCE: f64 = 1e-5;

/// Follows the published algorithm. It never grows the support.
pub(super) fn search_paper(
    problem: &Problem,
    penalty: Penalty,
    config: &SolverConfig,
    watch: &Watch,
) -> Solution {
    let mut state = State::of(problem, &l1_start(problem, penalty.gamma));
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

/// The `RuleFit` solution with half its weights, because the exponential loss fits half the log-odds.
fn l1_start(problem: &Problem, gamma: f64) -> Weights {
    let l1 = solve_l1(problem, &Weights::default(), gamma, START_TOLERANCE).weights;
    let half = |(rule, weight): (usize, f64)| (rule, problem.bounds[rule].clamp(0.5 * weight));
    let mut weights =
        Weights { intercept: 0.5 * l1.intercept, rules: l1.rules.into_iter().map(half).collect() };
    weights.rules.retain(|(_, weight)| weight.abs() >= crate::objective::MIN_WEIGHT);
    weights
}

/// Walks over the support until a rule is dropped (step 1) or exchanged (step 2). Says whether one was.
fn improve_once<'p>(
    problem: &'p Problem,
    state: &mut State<'p>,
    penalty: Penalty,
    resisted: &mut [usize],
    budget: &mut Budget,
) -> bool {
    let mut walk: Vec<usize> = state.support().to_vec();
    walk.sort_by_key(|&rule| (resisted[rule], rule));
    let mut row_losses = state.row_losses();
    let mut sums = problem.coverage.sums(&row_losses);
    for rule in walk {
        if !budget.allows() {
            return false;
        }
        let position =
            state.support().iter().position(|&other| other == rule).expect("the walk is over the support");
        let neighbourhood = Neighbourhood::from_sums(problem, state, penalty, row_losses, sums);
        let Some(weight) = neighbourhood.best_weight_in_place(position) else {
            state.remove(position, 0.0);
            return true;
        };
        resisted[rule] += 1;
        let exchange = neighbourhood.first_better_in_place(position);
        (row_losses, sums) = neighbourhood.into_sums();
        if let Some(exchange) = exchange {
            exchange.apply(state);
            return true;
        }
        if (weight - state.weight(position)).abs() > SAME_WEIGHT {
            state.set_weight(position, weight);
            row_losses = state.row_losses();
            sums = problem.coverage.sums(&row_losses);
        }
    }
    false
}
