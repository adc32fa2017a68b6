//! The default search: descent by insertions, removals and swaps, from more than one start.

use super::moves::{Move, Neighbourhood};
use super::{Precision, Problem, Solution, State, StopReason, Weights};
use crate::objective::Penalty;
use rayon::prelude::*;

fn env(name: &str, default: f64) -> f64 { std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default) }

/// Solves from a start.
pub fn solve(problem: &Problem, start: &Weights, gamma: f64, lambda: f64) -> Solution {
    let penalty = Penalty { kind: problem.penalty, gamma, lambda };
    let verbose = env("VERB", 0.0) > 0.0;
    let t = std::time::Instant::now();
    let chains: Vec<String> = std::env::var("CHAINS").unwrap_or("1/1;4/0.1,1/1".into()).split(';').map(String::from).collect();
    let results: Vec<Weights> = chains.par_iter().map(|chain| {
        let mut scores = vec![f64::INFINITY; problem.shares.len()];
        let mut state = State::of(problem, start);
        for part in chain.split(',') {
            let (a, b) = part.split_once('/').unwrap();
            let stage = Penalty { gamma: gamma * a.parse::<f64>().unwrap(), lambda: lambda * b.parse::<f64>().unwrap(), ..penalty };
            descend(problem, &mut state, stage, Precision::Rough, Some(&mut scores), &[], 1000);
        }
        let g0 = state.objective(&penalty); let t0 = t.elapsed().as_secs_f64()*1e3;
        for &r in state.support() { scores[r] = f64::NEG_INFINITY; }
        let mut pool: Vec<usize> = (0..scores.len()).collect();
        pool.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        pool.truncate(env("POOL", 300.0) as usize);
        pool.sort_unstable();
        let small = problem.restrict(&pool);
        let w = state.weights();
        let w = Weights { intercept: w.intercept, rules: w.rules.iter().map(|&(r, a)| (pool.binary_search(&r).unwrap(), a)).collect() };
        let mut state = State::of(&small, &w);
        let t1 = t.elapsed().as_secs_f64()*1e3;
        for _ in 0..env("PASSES", 1.0) as usize { if !reinsert_pass(&small, &mut state, penalty) { break; } }
        if verbose { eprintln!("  chain {chain}: G {g0:.5} -> {:.5} K {} t {t0:.1} restrict {t1:.1} done {:.1}", state.objective(&penalty), state.support().len(), t.elapsed().as_secs_f64()*1e3); }
        let w = state.weights();
        Weights { intercept: w.intercept, rules: w.rules.iter().map(|&(r, a)| (pool[r], a)).collect() }
    }).collect();
    let states: Vec<State> = results.iter().map(|w| State::of(problem, w)).collect();
    let mut state = states.into_iter().min_by(|a, b| a.objective(&penalty).total_cmp(&b.objective(&penalty))).unwrap();
    state.refit(Precision::Exact);
    let n_moves = polish(problem, &mut state, penalty);
        if verbose { eprintln!("  polish: {n_moves} G {:.5} K {} t {:.1}", state.objective(&penalty), state.support().len(), t.elapsed().as_secs_f64()*1e3); }
    Solution {
        weights: state.weights(),
        objective: state.objective(&penalty),
        loss: state.loss() - state.ridge_part(),
        coverage_sum: state.summary().coverage_sum,
        certified: false,
        stop_reason: StopReason::Converged,
        trace: vec![],
        n_moves,
    }
}

fn reinsert_pass<'p>(problem: &'p Problem, state: &mut State<'p>, penalty: Penalty) -> bool {
    let mut objective = state.objective(&penalty);
    let mut tried: Vec<bool> = vec![false; problem.shares.len()];
    let mut any = false;
    loop {
        let estimates = state.removal_estimates();
        let mut order: Vec<usize> = (0..state.support().len()).filter(|&a| !tried[state.support()[a]]).collect();
        order.sort_by(|&a, &b| estimates[a].total_cmp(&estimates[b]));
        let mut found = false;
        for position in order {
            let rule = state.support()[position];
            tried[rule] = true;
            let mut trial = state.clone();
            trial.remove(position, 0.0);
            trial.refit(Precision::Rough);
            descend(problem, &mut trial, penalty, Precision::Rough, None, &[rule], 1);
            if trial.objective(&penalty) > objective + env("ABORT", 3.0) * penalty.gamma { continue; }
            descend(problem, &mut trial, penalty, Precision::Rough, None, &[], 1000);
            if trial.objective(&penalty) < objective - 1e-6 {
                *state = trial;
                objective = state.objective(&penalty);
                found = true; any = true;
                break;
            }
        }
        if !found { return any; }
    }
}

fn descend<'p>(problem: &'p Problem, state: &mut State<'p>, penalty: Penalty, precision: Precision, mut scores: Option<&mut [f64]>, taboo: &[usize], limit: usize) {
    let mut objective = state.objective(&penalty);
    for _ in 0..limit {
        let neighbourhood = Neighbourhood::of(problem, state, penalty, taboo);
        if let Some(scores) = scores.as_mut() { let b = neighbourhood.insertion_bounds(); let lo = b.iter().fold(f64::INFINITY, |a, &b| a.min(b)); for (s, b) in scores.iter_mut().zip(b) { *s = s.min(b - lo); } }
        let mut best: Option<Move> = neighbourhood.best_insertion();
        for candidate in neighbourhood.best_removal() {
            if best.is_none_or(|best| candidate.objective < best.objective) {
                best = Some(candidate);
            }
        }
        let Some(best) = best.filter(|best| best.objective < objective - 1e-6) else { return };
        let mut next = state.clone();
        best.apply(&mut next);
        next.refit(precision);
        let lower = next.objective(&penalty);
        if lower > objective - 1e-9 { return; }
        *state = next;
        objective = lower;
    }
}
fn polish<'p>(problem: &'p Problem, state: &mut State<'p>, penalty: Penalty) -> usize {
    let mut objective = state.objective(&penalty);
    let mut n = 0;
    loop {
        let neighbourhood = Neighbourhood::of(problem, state, penalty, &[]);
        let mut best: Option<Move> = neighbourhood.best_insertion();
        for candidate in neighbourhood.best_removal() {
            if best.is_none_or(|best| candidate.objective < best.objective) {
                best = Some(candidate);
            }
        }
        if best.is_none_or(|best| best.objective > objective - 1e-7) {
            best = neighbourhood.best_swaps(objective - 1e-7).into_iter().reduce(|a, b| if b.objective < a.objective { b } else { a });
        }
        let Some(best) = best.filter(|best| best.objective < objective - 1e-7) else { return n };
        let mut next = state.clone();
        best.apply(&mut next);
        next.refit(Precision::Exact);
        let lower = next.objective(&penalty);
        if lower > objective - 1e-9 { return n; }
        *state = next;
        objective = lower;
        n += 1;
    }
}
