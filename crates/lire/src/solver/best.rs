//! The default search: descents from several starts, exchanges of rules, and a certificate at the end.

use super::budget::Budget;
use super::descent::Descent;
use super::moves::Neighbourhood;
use super::rows::RowStore;
use super::{Problem, Solution, SolverConfig, State, Weights};
use crate::objective::{Penalty, Steps};
use crate::watch::Watch;
use rayon::prelude::*;

/// Ways to the wanted (γ, λ), as factors of it: straight, and over a model of cheaper rules, which has too many
/// and is thinned out. A large λ cannot be reached from the empty model, where the first rule has to pay for its
/// whole coverage; from a model of many rules it can. Each way alone ends in poor optima on some instances.
const WAYS: [&[(f64, f64)]; 2] = [&[(1.0, 1.0)], &[(0.5, 1.0), (1.0, 1.0)]];
/// Where all ways end in the empty model, one more over a model that pays nothing for long explanations.
const LAST_WAY: &[(f64, f64)] = &[(0.5, 0.0), (1.0, 1.0)];
/// The candidates kept for exchanges: those that came nearest to being chosen on the way.
const POOL_RULES: usize = 300;
/// On few rows (below this) parts of the model are rebuilt instead of exchanging single rules: there the local
/// optima are worst, and trials cheap enough to leave them.
const REBUILD_ROWS: usize = 1000;
/// How much exchanging is worth.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Trials of exchanging a single rule.
    pub trials: usize,
    /// Rows × rules × trials of rebuilding.
    pub rebuilding: usize,
}

impl Effort {
    /// For a single model.
    pub const FULL: Self = Self { trials: usize::MAX, rebuilding: 160_000 };
}

/// Solves from a start.
pub(super) fn search_best<L: Steps, R: RowStore>(
    problem: &Problem<R>,
    start: &Weights,
    penalty: Penalty,
    config: &SolverConfig,
    watch: &Watch,
) -> Solution {
    let go_to_the_end =
        |way: &&[(f64, f64)]| follow_to_the_end::<L, R>(problem, start, penalty, way, config, watch);
    let mut ends: Vec<End<L, R>> = WAYS.par_iter().map(go_to_the_end).collect();
    if ends.iter().all(|end| end.descent.state.support().is_empty()) {
        ends.push(go_to_the_end(&LAST_WAY));
    }
    let best = ends.into_iter().reduce(End::better).expect("there is more than one way");
    let End { descent, certified, budget } = best;
    Solution::of(&descent.state, penalty, certified, descent.trace, &budget)
}

/// Where a way led to.
struct End<'p, 'w, L, R: RowStore> {
    descent: Descent<'p, L, R>,
    certified: bool,
    budget: Budget<'w>,
}

impl<L: Steps, R: RowStore> End<'_, '_, L, R> {
    /// The one of the lower G, the first on a tie.
    fn better(self, other: Self) -> Self {
        if other.descent.objective < self.descent.objective { other } else { self }
    }
}

/// One way to a model, and from there to a certificate.
fn follow_to_the_end<'p, 'w, L: Steps, R: RowStore>(
    problem: &'p Problem<R>,
    start: &Weights,
    penalty: Penalty,
    way: &[(f64, f64)],
    config: &SolverConfig,
    watch: &'w Watch,
) -> End<'p, 'w, L, R> {
    let mut budget = Budget::new(config, watch);
    let mut descent: Descent<L, R> = follow(problem, start, penalty, way, &mut budget);
    let certified = descent.polish(&mut budget);
    End { descent, certified, budget }
}

/// One way to a model: descents at each stage, then exchanges among the nearest candidates.
fn follow<'p, L: Steps, R: RowStore>(
    problem: &'p Problem<R>,
    start: &Weights,
    penalty: Penalty,
    way: &[(f64, f64)],
    budget: &mut Budget,
) -> Descent<'p, L, R> {
    let mut pool = Pool::new(problem.shares.len());
    let mut state: State<L, R> = State::of(problem, start);
    let mut trace = Vec::new();
    for &(gamma, lambda) in way {
        let mut descent = Descent::new(problem, penalty.times(gamma, lambda), state);
        descent.descend(budget, |neighbourhood| pool.see(neighbourhood));
        (state, trace) = (descent.state, descent.trace);
    }
    let support = state.support();
    let rules = pool.rules(support, 2 * support.len());
    let small = problem.restrict(&rules);
    let start: State<L, R> = State::of(&small, &state.weights().restrict(&rules));
    let mut inner = Descent::new(&small, penalty, start);
    exchange(&mut inner, Effort::FULL, budget);
    trace.extend(&inner.trace);
    let state = State::of(problem, &inner.state.weights().extend(&rules));
    Descent { trace, ..Descent::new(problem, penalty, state) }
}

/// Exchanges rules on a restricted problem: one by one, or on few rows several at a time.
pub(super) fn exchange<L: Steps, R: RowStore>(
    descent: &mut Descent<L, R>,
    effort: Effort,
    budget: &mut Budget,
) {
    let (n_rows, n_rules) = (descent.problem.rows.n_rows(), descent.state.support().len());
    if n_rows < REBUILD_ROWS {
        descent.rebuild(effort.rebuilding / (n_rows.max(100) * n_rules.max(10)), budget);
    } else {
        descent.reinsert(effort.trials, budget);
    }
}

/// Remembers how near each candidate came to being the best insertion.
pub(super) struct Pool {
    distance: Vec<f64>,
}

impl Pool {
    pub fn new(n_rules: usize) -> Self {
        Self { distance: vec![f64::INFINITY; n_rules] }
    }

    pub fn see<L: Steps, R: RowStore>(&mut self, neighbourhood: &Neighbourhood<L, R>) {
        let estimates = neighbourhood.insertion_estimates();
        let best = estimates.iter().fold(f64::INFINITY, |best, &estimate| best.min(estimate));
        for (distance, estimate) in self.distance.iter_mut().zip(estimates) {
            *distance = distance.min(estimate - best);
        }
    }

    /// Together with what another pool has seen.
    pub fn with(mut self, other: &Self) -> Self {
        for (distance, other) in self.distance.iter_mut().zip(&other.distance) {
            *distance = distance.min(*other);
        }
        self
    }

    /// The support and the nearest candidates, so many at least, ascending.
    pub fn rules(mut self, support: &[usize], at_least: usize) -> Vec<usize> {
        for &rule in support {
            self.distance[rule] = f64::NEG_INFINITY;
        }
        let mut rules: Vec<usize> = (0..self.distance.len()).collect();
        rules.sort_by(|&a, &b| self.distance[a].total_cmp(&self.distance[b]));
        rules.truncate(POOL_RULES.max(at_least));
        rules.sort_unstable();
        rules
    }
}
