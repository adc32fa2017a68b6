//! Rows in memory: packed coverage and a mass for each distinct row.

use super::{CoveredSums, RowStore, WeightedSupport, scores_without};
use crate::coverage::{Coverage, MergedRows, PackedColumn, Pair, Patterns, RowPatterns};
use crate::objective::RowValue;
use crate::solver::l1::solve_l1;
use crate::solver::{Problem, Weights};
use rayon::prelude::*;
use std::sync::Arc;

/// Distinct rows in memory, each with its mass.
#[derive(Debug, Clone)]
pub struct MemoryRows {
    coverage: Arc<Coverage>,
    masses: Vec<Pair>,
}

/// A list of rules with the pattern of each row.
#[derive(Debug, Clone)]
pub struct MemorySupport {
    rules: Vec<usize>,
    rows: RowPatterns,
}

impl MemoryRows {
    /// From the coverage of distinct rows and their masses, one for each.
    ///
    /// # Panics
    /// If there are not as many masses as rows.
    pub fn new(coverage: Arc<Coverage>, masses: Vec<Pair>) -> Self {
        assert_eq!(coverage.n_rows(), masses.len(), "each distinct row has a mass");
        Self { coverage, masses }
    }

    /// Which rule covers which distinct row.
    pub(crate) fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Adds a rule behind the others, which covers some rows; gives their mass.
    pub(crate) fn push(&mut self, rows: &[u32]) -> Pair {
        let mut column: PackedColumn = vec![0; self.masses.len().div_ceil(64)];
        let mut covered = [0.0; 2];
        for &row in rows {
            column[row as usize / 64] |= 1 << (row % 64);
            let mass = self.masses[row as usize];
            covered = [covered[0] + mass[0], covered[1] + mass[1]];
        }
        Arc::make_mut(&mut self.coverage).push(column);
        covered
    }

    /// The mass of each distinct row.
    pub(crate) fn masses(&self) -> &[Pair] {
        &self.masses
    }

    /// With the rule at a position taken out. The values change only on rows that it covers.
    fn sums_without_one<V: RowValue>(
        &self,
        at: &WeightedSupport<MemorySupport>,
        position: usize,
        sums: &[Pair],
    ) -> Vec<Pair> {
        let patterns = at.support.rows.patterns();
        // Before and after.
        let mut rates = vec![[[0.0; 2]; 2]; patterns.len()];
        for (pattern, score) in scores_without(patterns, at.scores, position, at.parameters[position + 1]) {
            rates[pattern] = [V::rates(at.scores[pattern]), V::rates(score)];
        }
        let of_row = at.support.rows.of_row();
        let rows = self.coverage.rows_of(at.support.rules[position]);
        let changes: Vec<Pair> = rows
            .iter()
            .map(|&row| {
                let (mass, rates) = (self.masses[row as usize], rates[of_row[row as usize] as usize]);
                let [old, new] = rates.map(|rates| V::row(mass, rates));
                [new[0] - old[0], new[1] - old[1]]
            })
            .collect();
        let mut found = self.coverage.sums_within(&rows, &changes);
        for (sum, before) in found.iter_mut().zip(sums) {
            *sum = [before[0] + sum[0], before[1] + sum[1]];
        }
        found
    }

    fn values<V: RowValue>(&self, at: &WeightedSupport<MemorySupport>) -> Vec<Pair> {
        let rates: Vec<Pair> = at.scores.iter().map(|&score| V::rates(score)).collect();
        let rows = self.masses.iter().zip(at.support.rows.of_row());
        rows.map(|(&mass, &pattern)| V::row(mass, rates[pattern as usize])).collect()
    }
}

impl RowStore for MemoryRows {
    type Support = MemorySupport;

    fn n_rules(&self) -> usize {
        self.coverage.n_rules()
    }

    fn n_rows(&self) -> usize {
        self.masses.len()
    }

    fn masses_of_rules(&self) -> Vec<Pair> {
        self.coverage.sums(&self.masses)
    }

    /// Rows that the rules do not tell apart are merged.
    fn restrict(&self, rules: &[usize]) -> Self {
        let rows = MergedRows::of(Coverage::clone(&self.coverage).keep(rules));
        Self { masses: rows.merge(&self.masses), coverage: Arc::new(rows.coverage) }
    }

    fn support(&self, rules: &[usize]) -> MemorySupport {
        if !rules.is_empty() && rules.is_sorted() {
            let rows = RowPatterns::of(&self.coverage, rules, &self.masses);
            return MemorySupport { rules: rules.to_vec(), rows };
        }
        let rows = RowPatterns::of_no_rules(&self.masses);
        let mut support = MemorySupport { rules: Vec::new(), rows };
        for &rule in rules {
            self.insert(&mut support, rule);
        }
        support
    }

    fn insert(&self, support: &mut MemorySupport, rule: usize) {
        support.rows.insert(&self.coverage, rule, &self.masses);
        support.rules.push(rule);
    }

    fn remove(&self, support: &mut MemorySupport, position: usize) {
        support.rows.remove(position);
        support.rules.remove(position);
    }

    fn patterns<'s>(&self, support: &'s MemorySupport) -> &'s Patterns {
        support.rows.patterns()
    }

    fn masses_under(&self, support: &MemorySupport, rules: &[usize]) -> Vec<Vec<Pair>> {
        rules.iter().map(|&rule| support.rows.masses_under(&self.coverage, rule, &self.masses)).collect()
    }

    fn sums<V: RowValue>(&self, at: &WeightedSupport<MemorySupport>) -> CoveredSums {
        let values = self.values::<V>(at);
        let of_all = values.iter().fold([0.0; 2], |sum, value| [sum[0] + value[0], sum[1] + value[1]]);
        CoveredSums { of_rules: self.coverage.sums(&values), of_all }
    }

    fn sums_without<V: RowValue>(
        &self,
        at: &WeightedSupport<MemorySupport>,
        positions: &[usize],
        sums: &[Pair],
    ) -> Vec<Vec<Pair>> {
        // A single one is not worth the way to another thread.
        if let &[position] = positions {
            return vec![self.sums_without_one::<V>(at, position, sums)];
        }
        positions.par_iter().map(|&position| self.sums_without_one::<V>(at, position, sums)).collect()
    }

    fn l1_weights(problem: &Problem, gamma: f64, tolerance: f64) -> Weights {
        solve_l1(problem, &Weights::default(), gamma, tolerance).weights
    }
}
