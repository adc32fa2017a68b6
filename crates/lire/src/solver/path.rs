//! Many (γ, λ) over one problem: each model starts from those of its neighbours.
//!
//! Models grow while γ falls, and are thinned out while it rises again and while λ rises; then each may start from any
//! other that is better under its own prices. All exchanges run on one restricted problem, each certificate on the full one.

use super::best::{Effort, Pool, exchange};
use super::budget::Budget;
use super::descent::{Descent, ROUGH_GAIN};
use super::rows::RowStore;
use super::{Precision, Problem, Search, Solution, SolverConfig, State, Weights, solve};
use crate::objective::{Penalty, Steps, SupportSummary, with_loss};
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

/// Rounds in which each model may restart from a better one of other prices.
const ROUNDS: usize = 2;
/// The least improvement that is worth a restart, in multiples of γ.
const BETTER_RULES: f64 = 0.25;
/// Candidates for exchanges beside the rules of all models.
const MORE_CANDIDATES: usize = 100;

/// How far a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    /// To a certificate for each model.
    Certified,
    /// To models nearly as good: large models get no certificate. On many rows small models get none either, and fewer
    /// exchanges are tried.
    Close,
}

impl PathEnd {
    /// Exchanges are tried less than for a single model: the neighbours replace most of that.
    fn effort(self, n_rows: usize) -> Effort {
        let saves = self == Self::Close && n_rows > MANY_ROWS;
        Effort { trials: if saves { 3 } else { 16 }, rebuilding: Effort::FULL.rebuilding }
    }

    /// How a model ends.
    fn finish(self, n_rows: usize, n_rules: usize) -> Finish {
        match self {
            Self::Close if n_rules > FEW_RULES => Finish::Refitted,
            Self::Close if n_rows > MANY_ROWS => Finish::Settled,
            Self::Certified | Self::Close => Finish::Certified,
        }
    }
}

/// What is left to do for a model once it is one of the full problem.
enum Finish {
    /// Moves until none pays.
    Certified,
    /// The most promising moves while they pay.
    Settled,
    /// Exact weights.
    Refitted,
}

/// Where no neighbour has more rules, a model of rules that cost so much less takes its place.
const CHEAPER: f64 = 0.5;
/// Models of at most this many rules go on among the moves of the full problem: it costs little there, and each rule
/// matters.
const FEW_RULES: usize = 20;
/// Beyond this many distinct rows the path saves time. On the benchmark instances a path then takes a third of the time,
/// and its models are .05 % worse on average than single solutions instead of .07 % better.
const MANY_ROWS: usize = 4000;

/// Minimises G for all prices, one solution for each, in their order. Pure, like [`solve`]; warm starts make it much
/// faster than as many single calls. Models that are known already, of other prices, are starts too.
pub fn solve_path<R: RowStore>(
    problem: &Problem<R>,
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
    with_loss!(problem.loss, L => path::<L, R>(problem, prices, known, end, &config, watch))
}

/// Goes on from a solution of a path until no single move betters it.
pub fn certify<R: RowStore>(
    problem: &Problem<R>,
    from: &Solution,
    at: Prices,
    config: SolverConfig,
    watch: &Watch,
) -> Solution {
    if config.search == Search::Paper || from.certified {
        return from.clone();
    }
    let start = Point { weights: from.weights.clone(), ..Point::new(0, at, problem, &config, watch) };
    let mut solution = with_loss!(problem.loss, L => start.finish::<L, R>(problem, PathEnd::Certified));
    solution.n_moves += from.n_moves;
    solution
}

fn path<L: Steps, R: RowStore>(
    problem: &Problem<R>,
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

    let effort = end.effort(problem.rows.n_rows());
    let grown: Vec<(Pool, Vec<Point>)> =
        columns.into_par_iter().map(|column| grow::<L, R>(problem, column)).collect();
    let pool = grown.iter().fold(Pool::new(problem.shares.len()), |pool, (seen, _)| pool.with(seen));
    let support =
        supports(grown.iter().flat_map(|(_, column)| column).map(|point| &point.weights).chain(known));
    let rules = pool.rules(&support, support.len() + MORE_CANDIDATES);
    let small = problem.restrict(&rules);

    let points: Vec<Point> = grown
        .into_par_iter()
        .flat_map_iter(|(_, column)| thin_out::<L, R>(&small, &rules, column, effort))
        .collect();
    let known: Vec<Point> = known
        .par_iter()
        .map(|weights| {
            let mut point = Point::new(0, Prices { gamma: 0.0, lambda: 0.0 }, problem, config, watch);
            point.take(&Descent::new(
                &small,
                point.penalty,
                State::<L, R>::of(&small, &weights.restrict(&rules)),
            ));
            point
        })
        .collect();
    let mut points: Vec<Point> =
        rows(points).into_par_iter().flat_map_iter(|row| shorten::<L, R>(&small, row, effort)).collect();
    for _ in 0..ROUNDS {
        let others: Vec<Point> = points.iter().chain(&known).cloned().collect();
        points.par_iter_mut().for_each(|point| point.start_from_a_better::<L, R>(&small, &others, effort));
    }
    points.par_iter_mut().for_each(|point| point.weights = point.weights.extend(&rules));
    points.sort_by_key(|point| point.place);
    points.into_par_iter().map(|point| point.finish::<L, R>(problem, end)).collect()
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
fn grow<'w, L: Steps, R: RowStore>(
    problem: &Problem<R>,
    mut column: Vec<Point<'w>>,
) -> (Pool, Vec<Point<'w>>) {
    let mut pool = Pool::new(problem.shares.len());
    let mut state: State<L, R> = State::empty(problem);
    for point in &mut column {
        let mut walk = Descent::new(problem, point.penalty, state);
        walk.descend(&mut point.budget, |neighbourhood| pool.see(neighbourhood));
        point.take(&walk);
        state = walk.state;
    }
    (pool, column)
}

/// The models of one λ, each the better one of itself and of what becomes of the one of the next smaller γ, with
/// exchanges. Their weights are those of the restricted problem from here on.
fn thin_out<'w, L: Steps, R: RowStore>(
    small: &Problem<R>,
    rules: &[usize],
    mut column: Vec<Point<'w>>,
    effort: Effort,
) -> Vec<Point<'w>> {
    let mut larger: Option<State<L, R>> = column.last_mut().map(|point| {
        let own = State::of(small, &point.weights.restrict(rules));
        descended(small, point.penalty.times(CHEAPER, 1.0), own, &mut point.budget).state
    });
    for point in column.iter_mut().rev() {
        let start: State<L, R> = State::of(small, &point.weights.restrict(rules));
        let mut walk = Descent::new(small, point.penalty, start);
        if let Some(larger) = larger.take() {
            let thinned = descended(small, point.penalty, larger, &mut point.budget);
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

/// The points of the same γ, from the smallest λ up.
fn rows(mut points: Vec<Point>) -> Vec<Vec<Point>> {
    points.sort_by(|a, b| {
        let (a, b) = (a.penalty, b.penalty);
        a.gamma.total_cmp(&b.gamma).then(a.lambda.total_cmp(&b.lambda))
    });
    points.chunk_by(|a, b| a.penalty.gamma == b.penalty.gamma).map(<[Point]>::to_vec).collect()
}

/// The models of one γ, each the better one of itself and of what becomes of the one of the next smaller λ. A large λ
/// cannot be reached from the empty model, where the first rule has to pay for its whole coverage.
fn shorten<'w, L: Steps, R: RowStore>(
    small: &Problem<R>,
    mut row: Vec<Point<'w>>,
    effort: Effort,
) -> Vec<Point<'w>> {
    let mut longer: Option<State<L, R>> = None;
    for point in &mut row {
        let own: State<L, R> = State::of(small, &point.weights);
        if own.support().is_empty() && longer.as_ref().is_none_or(|longer| longer.support().is_empty()) {
            let free = point.penalty.times(CHEAPER, 0.0);
            longer = Some(descended(small, free, State::empty(small), &mut point.budget).state);
        }
        if let Some(start) = longer.take() {
            let mut shortened = descended(small, point.penalty, start, &mut point.budget);
            if shortened.objective < own.objective(&point.penalty) - ROUGH_GAIN {
                exchange(&mut shortened, effort, &mut point.budget);
                point.take(&shortened);
                longer = Some(shortened.state);
                continue;
            }
        }
        longer = Some(own);
    }
    row
}

/// Where a descent from a state ends.
fn descended<'p, L: Steps, R: RowStore>(
    small: &'p Problem<R>,
    penalty: Penalty,
    from: State<'p, L, R>,
    budget: &mut Budget,
) -> Descent<'p, L, R> {
    let mut walk = Descent::new(small, penalty, from);
    walk.descend(budget, |_| ());
    walk
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
    fn new<R>(
        place: usize,
        at: Prices,
        problem: &Problem<R>,
        config: &SolverConfig,
        watch: &'w Watch<'w>,
    ) -> Self {
        Self {
            place,
            penalty: Penalty { kind: problem.penalty, gamma: at.gamma, lambda: at.lambda },
            budget: Budget::new(config, watch),
            weights: Weights::default(),
            loss: f64::INFINITY,
            summary: SupportSummary::default(),
        }
    }

    fn take<L: Steps, R: RowStore>(&mut self, walk: &Descent<L, R>) {
        self.weights = walk.state.weights();
        self.loss = walk.state.loss();
        self.summary = walk.state.summary();
    }

    /// Goes on from the model that is the best under this one's prices, if it is another.
    fn start_from_a_better<L: Steps, R: RowStore>(
        &mut self,
        small: &Problem<R>,
        others: &[Point],
        effort: Effort,
    ) {
        let objective = |point: &Point| point.loss + self.penalty.of(point.summary);
        let Some(best) = others.iter().min_by(|a, b| objective(a).total_cmp(&objective(b))) else { return };
        if objective(best) >= objective(self) - ROUGH_GAIN.max(BETTER_RULES * self.penalty.gamma) {
            return;
        }
        let start = State::<L, R>::of(small, &best.weights);
        let mut walk = descended(small, self.penalty, start, &mut self.budget);
        exchange(&mut walk, effort, &mut self.budget);
        self.take(&walk);
    }

    /// The solution of the full problem.
    fn finish<L: Steps, R: RowStore>(mut self, problem: &Problem<R>, end: PathEnd) -> Solution {
        let mut walk = Descent::new(problem, self.penalty, State::<L, R>::of(problem, &self.weights));
        let certified = match end.finish(problem.rows.n_rows(), walk.state.support().len()) {
            Finish::Certified => walk.polish(&mut self.budget),
            Finish::Settled => {
                walk.settle(&mut self.budget);
                walk.state.refit(Precision::Exact);
                false
            }
            Finish::Refitted => {
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
