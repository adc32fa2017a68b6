//! The search on another store of rows: columns of booleans in several parts that are asked one by one. It knows nothing
//! of packed coverage, and its solutions are those on rows in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use lire::Watch;
use lire::objective::{ClassLosses, Exponential, Logistic, LossKind, PenaltyKind, RowValue, Score, Squared};
use lire::solver::l1::solve_l1;
use lire::solver::rows::{CoveredSums, Pair, Patterns, RowStore, WeightedSupport};
use lire::solver::{
    PathEnd, Prices, Problem, Search, Solution, SolverConfig, Weights, certify, solve, solve_path,
};

use crate::draws::Draws;
use crate::naive::{LOSSES, Naive, coverage_of};

/// Some of the rows: for each the rules that cover it, and its mass.
#[derive(Clone, Default)]
struct Part {
    covers: Vec<Vec<bool>>,
    masses: Vec<Pair>,
}

#[derive(Clone)]
struct PartedRows {
    parts: Vec<Part>,
    n_rules: usize,
}

#[derive(Clone)]
struct Listed {
    rules: Vec<usize>,
    patterns: Patterns,
}

fn sum(a: Pair, b: Pair) -> Pair {
    [a[0] + b[0], a[1] + b[1]]
}

impl Part {
    /// For each distinct set of active positions the mass of its rows: of all, or of those that a rule covers.
    fn patterns(&self, rules: &[usize], under: Option<usize>) -> BTreeMap<Vec<u16>, Pair> {
        let mut found = BTreeMap::new();
        for (covers, &mass) in self.covers.iter().zip(&self.masses) {
            let active = (0..rules.len()).filter(|&at| covers[rules[at]]).map(|at| at as u16).collect();
            let mass = if under.is_none_or(|rule| covers[rule]) { mass } else { [0.0; 2] };
            let of_pattern = found.entry(active).or_insert([0.0; 2]);
            *of_pattern = sum(*of_pattern, mass);
        }
        found
    }

    /// The sums of the rows' values over each rule, and over all.
    fn sums<V: RowValue>(&self, rules: &[usize], parameters: &[f64]) -> CoveredSums {
        let n_rules = self.covers.first().map_or(0, Vec::len);
        let mut sums = CoveredSums { of_rules: vec![[0.0; 2]; n_rules], of_all: [0.0; 2] };
        for (covers, &mass) in self.covers.iter().zip(&self.masses) {
            let active = rules.iter().zip(&parameters[1..]).filter(|(rule, _)| covers[**rule]);
            let score = parameters[0] + active.map(|(_, weight)| weight).sum::<f64>();
            let value = V::row(mass, V::rates(Score::of(score)));
            sums.of_all = sum(sums.of_all, value);
            for (of_rule, _) in sums.of_rules.iter_mut().zip(covers).filter(|(_, covered)| **covered) {
                *of_rule = sum(*of_rule, value);
            }
        }
        sums
    }
}

impl PartedRows {
    /// Deals the rows out: some parts get many, some few or none.
    fn deal(naive: &Naive, n_parts: usize, draws: &mut Draws) -> Self {
        let mut parts = vec![Part::default(); n_parts];
        for (row, mass) in naive.masses.iter().enumerate() {
            let part = &mut parts[draws.below(n_parts).min(draws.below(n_parts))];
            part.covers.push(naive.columns.iter().map(|column| column[row]).collect());
            part.masses.push(mass.map(|mass| mass / naive.total()));
        }
        Self { parts, n_rules: naive.n_rules() }
    }

    /// The answers of all parts, added up.
    fn merged(&self, rules: &[usize], under: Option<usize>) -> BTreeMap<Vec<u16>, Pair> {
        let mut merged = BTreeMap::new();
        for (active, mass) in self.parts.iter().flat_map(|part| part.patterns(rules, under)) {
            let of_pattern = merged.entry(active).or_insert([0.0; 2]);
            *of_pattern = sum(*of_pattern, mass);
        }
        merged
    }

    fn total<V: RowValue>(&self, rules: &[usize], parameters: &[f64]) -> CoveredSums {
        let mut total = CoveredSums { of_rules: vec![[0.0; 2]; self.n_rules], of_all: [0.0; 2] };
        for part in &self.parts {
            let sums = part.sums::<V>(rules, parameters);
            total.of_all = sum(total.of_all, sums.of_all);
            for (of_rule, other) in total.of_rules.iter_mut().zip(sums.of_rules) {
                *of_rule = sum(*of_rule, other);
            }
        }
        total
    }
}

impl RowStore for PartedRows {
    type Support = Listed;

    fn n_rules(&self) -> usize {
        self.n_rules
    }

    fn n_rows(&self) -> usize {
        let contents = self.parts.iter().flat_map(|part| &part.covers);
        contents.collect::<std::collections::BTreeSet<_>>().len()
    }

    fn masses_of_rules(&self) -> Vec<Pair> {
        let covered = |rule| self.merged(&[rule], Some(rule)).into_values().fold([0.0; 2], sum);
        (0..self.n_rules).map(covered).collect()
    }

    fn restrict(&self, rules: &[usize]) -> Self {
        let thinned = |part: &Part| Part {
            covers: part
                .covers
                .iter()
                .map(|covers| rules.iter().map(|&rule| covers[rule]).collect())
                .collect(),
            masses: part.masses.clone(),
        };
        Self { parts: self.parts.iter().map(thinned).collect(), n_rules: rules.len() }
    }

    fn support(&self, rules: &[usize]) -> Listed {
        let mut patterns = Patterns::default();
        for (active, mass) in self.merged(rules, None) {
            patterns.push(active.into_iter(), mass);
        }
        Listed { rules: rules.to_vec(), patterns }
    }

    fn insert(&self, support: &mut Listed, rule: usize) {
        support.rules.push(rule);
        *support = self.support(&support.rules);
    }

    fn remove(&self, support: &mut Listed, position: usize) {
        support.rules.remove(position);
        *support = self.support(&support.rules);
    }

    fn patterns<'s>(&self, support: &'s Listed) -> &'s Patterns {
        &support.patterns
    }

    fn masses_under(&self, support: &Listed, rules: &[usize]) -> Vec<Vec<Pair>> {
        // Patterns come in the order of their sets here as well.
        rules.iter().map(|&rule| self.merged(&support.rules, Some(rule)).into_values().collect()).collect()
    }

    fn sums<V: RowValue>(&self, at: &WeightedSupport<Listed>) -> CoveredSums {
        self.total::<V>(&at.support.rules, at.parameters)
    }

    fn sums_without<V: RowValue>(
        &self,
        at: &WeightedSupport<Listed>,
        positions: &[usize],
        _: &[Pair],
    ) -> Vec<Vec<Pair>> {
        let without = |&position: &usize| {
            let mut rules = at.support.rules.clone();
            let mut parameters = at.parameters.to_vec();
            rules.remove(position);
            parameters.remove(position + 1);
            self.total::<V>(&rules, &parameters).of_rules
        };
        positions.iter().map(without).collect()
    }

    fn l1_weights(problem: &Problem<Self>, gamma: f64, tolerance: f64) -> Weights {
        let parts = &problem.rows.parts;
        let masses: Vec<Pair> = parts.iter().flat_map(|part| part.masses.clone()).collect();
        let rows: Vec<&Vec<bool>> = parts.iter().flat_map(|part| &part.covers).collect();
        let column = |rule: usize| rows.iter().map(|covers| covers[rule]).collect();
        let columns: Vec<Vec<bool>> = (0..problem.rows.n_rules).map(column).collect();
        let coverage = Arc::new(coverage_of(&columns, masses.len()));
        let memory = Problem::new(coverage, &masses, problem.loss, problem.ridge, problem.penalty);
        solve_l1(&memory, &Weights::default(), gamma, tolerance).weights
    }
}

/// The same problem on rows in memory and on rows in parts.
fn both(naive: &Naive, n_parts: usize, draws: &mut Draws) -> (Problem, Problem<PartedRows>) {
    let rows = PartedRows::deal(naive, n_parts, draws);
    let parted = Problem::over(rows, naive.loss, naive.ridge, naive.kind);
    (naive.problem(), Problem { bounds: naive.bounds.clone(), constant: naive.constant(), ..parted })
}

/// The same rules, weights, objective and certificate, up to the rounding of sums.
fn check_same(found: &Solution, expected: &Solution, name: &str) {
    let rules = |solution: &Solution| -> Vec<usize> {
        solution.weights.rules.iter().map(|&(rule, _)| rule).collect()
    };
    assert_eq!(rules(found), rules(expected), "{name}");
    for (found, expected) in found.weights.rules.iter().zip(&expected.weights.rules) {
        assert!((found.1 - expected.1).abs() < 1e-4, "{name}: {found:?} against {expected:?}");
    }
    assert!((found.objective - expected.objective).abs() < 1e-8, "{name}");
    assert!((found.loss - expected.loss).abs() < 1e-6, "{name}");
    assert!((found.coverage_sum - expected.coverage_sum).abs() < 1e-9, "{name}");
    assert_eq!((found.certified, found.stop_reason), (expected.certified, expected.stop_reason), "{name}");
}

fn problem(loss: LossKind, seed: u64) -> (Naive, f64, f64, Draws) {
    let mut draws = Draws::new(31_000 + seed);
    let (n_rows, n_rules) = (60 + draws.below(300), 8 + draws.below(25));
    let mut naive = Naive::with_loss(&mut draws, loss, n_rows, n_rules);
    naive.kind = [PenaltyKind::Ratio, PenaltyKind::Count][seed as usize % 2];
    naive.ridge = [0.01, 0.001][seed as usize / 2 % 2];
    let prices = ([0.001, 0.003, 0.01][draws.below(3)], [0.0, 0.02, 0.1][draws.below(3)]);
    (naive, prices.0, prices.1, draws)
}

#[test]
fn rows_in_parts_give_the_solutions_of_rows_in_memory() {
    let mut n_rules = 0;
    for loss in LOSSES {
        for (seed, n_parts) in (0..12).zip([1, 2, 3, 7].into_iter().cycle()) {
            let (naive, gamma, lambda, mut draws) = problem(loss, seed);
            let (memory, parted) = both(&naive, n_parts, &mut draws);
            for search in [Search::Best, Search::Paper] {
                let config = SolverConfig { search, ..SolverConfig::default() };
                let (start, watch) = (Weights::default(), Watch::default());
                let expected = solve(&memory, &start, gamma, lambda, config, &watch);
                let found = solve(&parted, &start, gamma, lambda, config, &watch);
                check_same(&found, &expected, &format!("{loss:?}, seed {seed}, {search:?}"));
                n_rules += expected.weights.rules.len();
            }
        }
    }
    assert!(n_rules > 200, "{n_rules} rules: the problems have something to find");
}

/// Enough rows for single rules to be exchanged, instead of parts of the model to be rebuilt.
#[test]
fn many_rows_in_parts_give_the_solutions_of_rows_in_memory() {
    for (seed, loss) in (50..53).zip(LOSSES) {
        let mut draws = Draws::new(seed);
        let mut naive = Naive::with_loss(&mut draws, loss, 1400, 16);
        naive.ridge = 0.001;
        let (memory, parted) = both(&naive, 4, &mut draws);
        assert!(memory.rows.n_rows() > 1000 && memory.rows.n_rows() == parted.rows.n_rows());
        let (start, config, watch) = (Weights::default(), SolverConfig::default(), Watch::default());
        let expected = solve(&memory, &start, 0.002, 0.05, config, &watch);
        let found = solve(&parted, &start, 0.002, 0.05, config, &watch);
        check_same(&found, &expected, &format!("{loss:?}"));
        assert!(expected.certified && expected.weights.rules.len() > 3);
    }
}

fn near(a: Pair, b: Pair) -> bool {
    (a[0] - b[0]).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12
}

/// The answers of both stores about a support with its weights.
fn check_answers<V: RowValue>(naive: &Naive, rules: &[usize], draws: &mut Draws) {
    let (memory, parted) = both(naive, 3, draws);
    let parameters: Vec<f64> = (0..=rules.len()).map(|_| draws.between(-1.0, 1.0)).collect();
    let expected = answers::<V, _>(&memory.rows, rules, &parameters);
    let found = answers::<V, _>(&parted.rows, rules, &parameters);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(&found, &expected)| near(found, expected)));
    }
}

/// The answers to all questions, those about patterns in the order of their sets.
fn answers<V: RowValue, R: RowStore>(rows: &R, rules: &[usize], parameters: &[f64]) -> Vec<Vec<Pair>> {
    // The rules come in one by one, with another one that leaves again.
    let mut support = rows.support(&rules[..1]);
    let guest = (0..rows.n_rules()).find(|rule| !rules.contains(rule)).unwrap();
    rows.insert(&mut support, guest);
    for &rule in &rules[1..] {
        rows.insert(&mut support, rule);
    }
    rows.remove(&mut support, 1);
    let patterns = rows.patterns(&support);
    let mut order: Vec<usize> = (0..patterns.len()).collect();
    order.sort_by_key(|&pattern| patterns.active(pattern));
    let in_order = |values: &[Pair]| order.iter().map(|&pattern| values[pattern]).collect::<Vec<Pair>>();
    let score = |(active, _): (&[u16], &Pair)| {
        let weights = active.iter().map(|&at| parameters[at as usize + 1]);
        Score::of(parameters[0] + weights.sum::<f64>())
    };
    let scores: Vec<Score> = patterns.iter().map(score).collect();
    let masses: Vec<Pair> = patterns.iter().map(|(_, &mass)| mass).collect();
    let under = rows.masses_under(&support, &(0..rows.n_rules()).collect::<Vec<usize>>());
    let at = WeightedSupport { support: &support, parameters, scores: &scores };
    let sums = rows.sums::<V>(&at);
    let positions: Vec<usize> = (0..rules.len()).collect();
    let mut answers = rows.sums_without::<V>(&at, &positions, &sums.of_rules);
    answers.extend(rows.sums_without::<V>(&at, &[2], &sums.of_rules));
    answers.extend(under.iter().map(|under| in_order(under)));
    answers.extend([in_order(&masses), vec![sums.of_all], rows.masses_of_rules(), sums.of_rules]);
    answers
}

#[test]
fn all_stores_answer_alike() {
    for seed in 0..30 {
        let mut draws = Draws::new(32_000 + seed);
        let naive = Naive::with_loss(&mut draws, LOSSES[seed as usize % 3], 20 + 10 * seed as usize, 9);
        let rules = [[4, 1, 7, 2], [0, 3, 5, 8], [8, 7, 1, 0]][seed as usize % 3];
        check_answers::<Exponential>(&naive, &rules, &mut draws);
        check_answers::<Logistic>(&naive, &rules, &mut draws);
        check_answers::<Squared>(&naive, &rules, &mut draws);
        check_answers::<ClassLosses>(&naive, &rules, &mut draws);
    }
}

#[test]
fn a_path_over_rows_in_parts_is_that_over_rows_in_memory() {
    let prices = [(0.001, 0.0), (0.004, 0.0), (0.001, 0.05), (0.004, 0.05), (0.02, 0.05)];
    let prices = prices.map(|(gamma, lambda)| Prices { gamma, lambda });
    for (seed, loss) in (20..26).zip(LOSSES.into_iter().cycle()) {
        let (naive, _, _, mut draws) = problem(loss, seed);
        let (memory, parted) = both(&naive, 3, &mut draws);
        let (config, watch) = (SolverConfig::default(), Watch::default());
        let expected = solve_path(&memory, &prices, &[], PathEnd::Close, config, &watch);
        let found = solve_path(&parted, &prices, &[], PathEnd::Close, config, &watch);
        for ((found, expected), at) in found.iter().zip(&expected).zip(prices) {
            let name = format!("{loss:?}, seed {seed}, {at:?}");
            check_same(found, expected, &name);
            check_same(
                &certify(&parted, found, at, config, &watch),
                &certify(&memory, expected, at, config, &watch),
                &name,
            );
        }
    }
}
