//! Many (γ, λ) over one problem: each model starts from those of its neighbours.
//!
//! Models grow while γ falls, and are thinned out while it rises again; then each may start from any other that is
//! better under its own prices. All exchanges run on one restricted problem, each certificate on the full one.

use super::best::{Effort, Pool, exchange};
use super::budget::Budget;
use super::descent::{ROUGH_GAIN, Walk};
use super::{Precision, Problem, Search, Solution, SolverConfig, State, Weights, solve};
use crate::objective::{Exponential, Logistic, LossKind, Penalty, Squared, Steps, SupportSummary};
use crate::watch::Watch;
use rayon::prelude::*;

/// What rules cost: in the model, and per explanation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    /// γ.
    pub gamma: f64,
    /// λ.
    pub lambda: f64,
}

/// So often each model looks whether another one is a better start.
const ROUNDS: usize = 2;
/// It must be better by so many prices of a rule.
const BETTER_RULES: f64 = 0.25;
/// The same for rough models.
const BETTER_RULES_ROUGHLY: f64 = 2.0;
/// Candidates for exchanges beside the rules of all models.
const MORE_CANDIDATES: usize = 100;

/// How far a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    /// To a certificate for each model.
    Certified,
    /// To models as good as that, almost: the certificate, which takes most of the time, is left out.
    Close,
    /// To models that tell what the prices are worth, in a fraction of the time.
    Rough,
}

impl PathEnd {
    /// Exchanges are tried less than for a single model: the neighbours replace most of that.
    fn effort(self) -> Effort {
        match self {
            Self::Certified | Self::Close => Effort { trials: 16, rebuilding: Effort::FULL.rebuilding / 4 },
            Self::Rough => Effort { trials: 3, rebuilding: Effort::FULL.rebuilding / 16 },
        }
    }
}

/// Minimises G for all prices, one solution for each, in their order. Pure, like [`solve`]; warm starts make it much
/// faster than as many single calls. Models that are known already, of other prices, are starts too.
pub fn solve_path(
    problem: &Problem,
    prices: &[Prices],
    known: &[Weights],
    end: PathEnd,
    config: SolverConfig,
    watch: &Watch,
) -> Vec<Solution> {
    if config.search == Search::Paper {
        // Its start is given, whatever the neighbours have.
        let one = |at: &Prices| solve(problem, &Weights::default(), at.gamma, at.lambda, config, watch);
        return prices.par_iter().map(one).collect();
    }
    match problem.loss {
        LossKind::Exponential => path::<Exponential>(problem, prices, known, end, &config, watch),
        LossKind::Logistic => path::<Logistic>(problem, prices, known, end, &config, watch),
        LossKind::Squared => path::<Squared>(problem, prices, known, end, &config, watch),
    }
}

/// Goes on from a solution of a path until no single move betters it.
pub fn certify(
    problem: &Problem,
    from: &Solution,
    at: Prices,
    config: SolverConfig,
    watch: &Watch,
) -> Solution {
    if config.search == Search::Paper || from.certified {
        return from.clone();
    }
    let start = Point { weights: from.weights.clone(), ..Point::new(0, at, problem, &config, watch) };
    let mut solution = match problem.loss {
        LossKind::Exponential => start.finish::<Exponential>(problem, PathEnd::Certified),
        LossKind::Logistic => start.finish::<Logistic>(problem, PathEnd::Certified),
        LossKind::Squared => start.finish::<Squared>(problem, PathEnd::Certified),
    };
    solution.n_moves += from.n_moves;
    solution
}

fn path<L: Steps>(
    problem: &Problem,
    prices: &[Prices],
    known: &[Weights],
    end: PathEnd,
    config: &SolverConfig,
    watch: &Watch,
) -> Vec<Solution> {
    let columns: Vec<Vec<Point>> = columns(prices)
        .into_iter()
        .map(|column| {
            column.into_iter().map(|place| Point::new(place, prices[place], problem, config, watch)).collect()
        })
        .collect();

    let grown: Vec<(Pool, Vec<Point>)> =
        columns.into_par_iter().map(|column| grow::<L>(problem, column)).collect();
    let pool = grown.iter().fold(Pool::new(problem.shares.len()), |pool, (seen, _)| pool.with(seen));
    let support =
        supports(grown.iter().flat_map(|(_, column)| column).map(|point| &point.weights).chain(known));
    let rules = pool.rules(&support, support.len() + MORE_CANDIDATES);
    let small = problem.restrict(&rules);

    let mut points: Vec<Point> = grown
        .into_par_iter()
        .flat_map_iter(|(_, column)| thin_out::<L>(&small, &rules, column, end.effort()))
        .collect();
    let known: Vec<Point> = known
        .par_iter()
        .map(|weights| {
            let mut point = Point::new(0, Prices { gamma: 0.0, lambda: 0.0 }, problem, config, watch);
            point.take(&Walk::new(&small, point.penalty, State::<L>::of(&small, &weights.restrict(&rules))));
            point
        })
        .collect();
    let n_rounds = if end == PathEnd::Rough { 1 } else { ROUNDS };
    for _ in 0..n_rounds {
        let others: Vec<Point> = points.iter().chain(&known).cloned().collect();
        points.par_iter_mut().for_each(|point| point.start_from_a_better::<L>(&small, &others, end));
    }
    points.par_iter_mut().for_each(|point| point.weights = point.weights.extend(&rules));
    points.sort_by_key(|point| point.place);
    points.into_par_iter().map(|point| point.finish::<L>(problem, end)).collect()
}

/// The places of prices of the same λ, from the largest γ down.
fn columns(prices: &[Prices]) -> Vec<Vec<usize>> {
    let mut places: Vec<usize> = (0..prices.len()).collect();
    places.sort_by(|&a, &b| {
        let (a, b) = (prices[a], prices[b]);
        a.lambda.total_cmp(&b.lambda).then(b.gamma.total_cmp(&a.gamma))
    });
    places.chunk_by(|&a, &b| prices[a].lambda == prices[b].lambda).map(<[usize]>::to_vec).collect()
}

/// The models of one λ, each grown from the one of the next larger γ.
fn grow<'w, L: Steps>(problem: &Problem, mut column: Vec<Point<'w>>) -> (Pool, Vec<Point<'w>>) {
    let mut pool = Pool::new(problem.shares.len());
    let mut state: State<L> = State::empty(problem);
    for point in &mut column {
        let mut walk = Walk::new(problem, point.penalty, state);
        walk.descend(&mut point.budget, |neighbourhood| pool.see(neighbourhood));
        point.take(&walk);
        state = walk.state;
    }
    (pool, column)
}

/// The models of one λ, each the better one of itself and of what becomes of the one of the next smaller γ, with
/// exchanges. Their weights are those of the restricted problem from here on.
fn thin_out<'w, L: Steps>(
    small: &Problem,
    rules: &[usize],
    mut column: Vec<Point<'w>>,
    effort: Effort,
) -> Vec<Point<'w>> {
    let mut larger: Option<State<L>> = None;
    for point in column.iter_mut().rev() {
        let start: State<L> = State::of(small, &point.weights.restrict(rules));
        let mut walk = Walk::new(small, point.penalty, start);
        if let Some(larger) = larger.take() {
            let mut thinned = Walk::new(small, point.penalty, larger);
            thinned.descend(&mut point.budget, |_| ());
            if thinned.objective < walk.objective {
                walk = thinned;
            }
        }
        exchange(&mut walk, effort, &mut point.budget);
        point.take(&walk);
        larger = Some(walk.state);
    }
    column
}

/// The rules of all models, ascending.
fn supports<'a>(models: impl Iterator<Item = &'a Weights>) -> Vec<usize> {
    let mut rules: Vec<usize> =
        models.flat_map(|weights| weights.rules.iter().map(|&(rule, _)| rule)).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// One model of the path in the making.
#[derive(Clone)]
struct Point<'w> {
    /// Where its prices stood.
    place: usize,
    penalty: Penalty,
    budget: Budget<'w>,
    weights: Weights,
    /// Loss with ridge.
    loss: f64,
    summary: SupportSummary,
}

impl<'w> Point<'w> {
    fn new(place: usize, at: Prices, problem: &Problem, config: &SolverConfig, watch: &'w Watch<'w>) -> Self {
        Self {
            place,
            penalty: Penalty { kind: problem.penalty, gamma: at.gamma, lambda: at.lambda },
            budget: Budget::new(config, watch),
            weights: Weights::default(),
            loss: f64::INFINITY,
            summary: SupportSummary::default(),
        }
    }

    fn take<L: Steps>(&mut self, walk: &Walk<L>) {
        self.weights = walk.state.weights();
        self.loss = walk.state.loss();
        self.summary = walk.state.summary();
    }

    /// Goes on from the model that is the best under this one's prices, if it is another.
    fn start_from_a_better<L: Steps>(&mut self, small: &Problem, others: &[Point], end: PathEnd) {
        let better_by = if end == PathEnd::Rough { BETTER_RULES_ROUGHLY } else { BETTER_RULES };
        let objective = |point: &Point| point.loss + self.penalty.of(point.summary);
        let Some(best) = others.iter().min_by(|a, b| objective(a).total_cmp(&objective(b))) else { return };
        if objective(best) >= objective(self) - ROUGH_GAIN.max(better_by * self.penalty.gamma) {
            return;
        }
        let mut walk = Walk::new(small, self.penalty, State::<L>::of(small, &best.weights));
        walk.descend(&mut self.budget, |_| ());
        exchange(&mut walk, end.effort(), &mut self.budget);
        self.take(&walk);
    }

    /// The solution of the full problem.
    fn finish<L: Steps>(mut self, problem: &Problem, end: PathEnd) -> Solution {
        let mut walk = Walk::new(problem, self.penalty, State::<L>::of(problem, &self.weights));
        let certified = match end {
            PathEnd::Certified => walk.polish(&mut self.budget),
            PathEnd::Close | PathEnd::Rough => {
                walk.state.refit(Precision::Exact);
                false
            }
        };
        Solution::of(&walk.state, self.penalty, certified, walk.trace, &self.budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_down_in_gamma() {
        let prices = [(0.1, 1.0), (0.2, 0.5), (0.2, 1.0), (0.3, 0.5)];
        let prices = prices.map(|(gamma, lambda)| Prices { gamma, lambda });
        assert_eq!(columns(&prices), [vec![3, 1], vec![2, 0]]);
        assert!(columns(&[]).is_empty());
    }
}
