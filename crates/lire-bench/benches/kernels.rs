//! The hot kernels on generated rows: sizes in the names, data made outside the timed part, a naive peer beside.

use divan::{Bencher, black_box};
use std::sync::Arc;

use lire::coverage::{Coverage, MergedRows, PackedColumn, Pair};
use lire::objective::{Exponential, LossKind, PenaltyKind};
use lire::solver::l1::{L1_TOLERANCE, solve_l1};
use lire::solver::{Precision, Problem, State, Weights};

fn main() {
    divan::main();
}

const ROWS: [usize; 3] = [1_000, 10_000, 100_000];
const N_RULES: usize = 1_000;

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Rules as of trees of depth 3: fourteen nested ones for each of many random trees on ten features.
fn columns(n_rows: usize) -> Vec<PackedColumn> {
    let mut random = Random(42);
    let features: Vec<Vec<u16>> =
        (0..10).map(|_| (0..n_rows).map(|_| (random.next() >> 48) as u16).collect()).collect();
    let mut columns = Vec::new();
    while columns.len() < N_RULES {
        let everything = vec![u64::MAX; n_rows.div_ceil(64)];
        let mut level = vec![everything];
        for _ in 0..3 {
            let mut next = Vec::new();
            for node in &level {
                let feature = &features[(random.next() % 10) as usize];
                let threshold = (random.next() >> 48) as u16;
                let mut left = vec![0u64; node.len()];
                for (row, &value) in feature.iter().enumerate() {
                    left[row / 64] |= u64::from(value <= threshold) << (row % 64);
                }
                let inside: PackedColumn = node.iter().zip(&left).map(|(node, left)| node & left).collect();
                let mut outside: PackedColumn =
                    node.iter().zip(&left).map(|(node, left)| node & !left).collect();
                if !n_rows.is_multiple_of(64) {
                    *outside.last_mut().expect("there are rows") &= (1 << (n_rows % 64)) - 1;
                }
                next.extend([inside, outside]);
            }
            columns.extend(next.iter().cloned());
            level = next;
        }
    }
    columns.truncate(N_RULES);
    columns
}

fn masses(n_rows: usize) -> Vec<Pair> {
    let mut random = Random(7);
    (0..n_rows).map(|_| if random.next().is_multiple_of(3) { [1.0, 0.0] } else { [0.0, 1.0] }).collect()
}

fn problem(n_rows: usize) -> Problem {
    let columns = columns(n_rows);
    let coverage = Coverage::build(n_rows, N_RULES, |rule| columns[rule].clone());
    let merged = MergedRows::of(coverage);
    let masses = merged.merge(&masses(n_rows));
    Problem::new(Arc::new(merged.coverage), &masses, LossKind::Exponential, 0.001, PenaltyKind::Ratio)
}

#[divan::bench(args = ROWS)]
fn build_coverage(bencher: Bencher, n_rows: usize) {
    let columns = columns(n_rows);
    bencher.bench(|| Coverage::build(n_rows, N_RULES, |rule| columns[rule].clone()));
}

#[divan::bench(args = ROWS)]
fn scan_all_rules(bencher: Bencher, n_rows: usize) {
    let columns = columns(n_rows);
    let coverage = Coverage::build(n_rows, N_RULES, |rule| columns[rule].clone());
    let values = masses(n_rows);
    bencher.bench(|| coverage.sums(black_box(&values)));
}

/// The peer of the scan: every rule's bits, one by one.
#[divan::bench(args = ROWS)]
fn scan_all_rules_bit_by_bit(bencher: Bencher, n_rows: usize) {
    let columns = columns(n_rows);
    let values = masses(n_rows);
    bencher.bench(|| {
        columns
            .iter()
            .map(|column| {
                let mut sum = [0.0; 2];
                for (index, &word) in column.iter().enumerate() {
                    let mut bits = word;
                    while bits != 0 {
                        let value = values[index * 64 + bits.trailing_zeros() as usize];
                        bits &= bits - 1;
                        sum = [sum[0] + value[0], sum[1] + value[1]];
                    }
                }
                sum
            })
            .collect::<Vec<Pair>>()
    });
}

#[divan::bench(args = ROWS)]
fn refit_thirty_rules(bencher: Bencher, n_rows: usize) {
    let problem = problem(n_rows);
    let weights = Weights { intercept: 0.0, rules: (0..30).map(|nth| (nth * 33, 0.1)).collect() };
    let state = State::<Exponential>::of(&problem, &weights);
    bencher.bench(|| {
        let mut state = state.clone();
        state.refit(Precision::Exact);
        state.loss()
    });
}

#[divan::bench(args = [1_000, 10_000], sample_count = 10)]
fn l1_solution(bencher: Bencher, n_rows: usize) {
    let problem = problem(n_rows);
    bencher.bench(|| solve_l1(&problem, &Weights::default(), 0.002, L1_TOLERANCE));
}
