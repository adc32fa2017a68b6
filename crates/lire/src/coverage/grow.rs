//! A coverage that grows by a rule at a time, and what column generation asks of it.

use super::Coverage;
use super::build::{PackedColumn, cell_limit, group_of_columns, join};

impl Coverage {
    /// Adds a rule behind the others. Only the last group is made anew.
    pub fn push(&mut self, column: PackedColumn) {
        let single = group_of_columns(self.n_rows, &[column]);
        let joined = self.groups.last().and_then(|last| join(last, &single, cell_limit(self.n_rows)));
        if joined.is_some() {
            self.groups.pop();
        }
        self.groups.push(joined.unwrap_or(single));
        let group = self.groups.len() - 1;
        self.places.push((group as u32, self.groups[group].n_rules() as u32 - 1));
    }

    /// Those of some rows that a rule covers, in their order.
    pub fn rows_within(&self, rule: usize, rows: &[u32]) -> Vec<u32> {
        let (group, lookup) = self.lookup(rule);
        rows.iter().copied().filter(|&row| lookup[group.cells[row as usize] as usize]).collect()
    }

    /// The score of each row: the intercept and the weights of the rules that cover it.
    pub fn scores(&self, intercept: f64, weights: &[(usize, f64)]) -> Vec<f64> {
        let mut of_cells = vec![None; self.groups.len()];
        for &(rule, weight) in weights {
            let (group, position) = self.places[rule];
            let of_cell = of_cells[group as usize].get_or_insert([0.0; 256]);
            for &cell in &self.groups[group as usize].members[position as usize] {
                of_cell[cell as usize] += weight;
            }
        }
        let mut scores = vec![intercept; self.n_rows];
        for (group, of_cell) in self.groups.iter().zip(&of_cells) {
            let Some(of_cell) = of_cell else { continue };
            for (score, &cell) in scores.iter_mut().zip(&group.cells) {
                *score += of_cell[cell as usize];
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Coverage, PackedColumn};
    use crate::binning::mix;

    const N_ROWS: usize = 1000;

    fn covers(rule: usize, row: usize) -> bool {
        mix((rule * N_ROWS + row) as u64).is_multiple_of(2 + rule as u64 % 7)
    }

    fn column(rule: usize) -> PackedColumn {
        let word = |first: usize| {
            (first..(first + 64).min(N_ROWS))
                .fold(0, |word, row| word | u64::from(covers(rule, row)) << (row - first))
        };
        (0..N_ROWS).step_by(64).map(word).collect()
    }

    #[test]
    fn a_rule_more_is_as_if_it_had_been_there() {
        for n_before in [0, 1, 40] {
            let mut coverage = Coverage::build(N_ROWS, n_before, column);
            for rule in n_before..n_before + 30 {
                coverage.push(column(rule));
            }
            assert_eq!(coverage.n_rules(), n_before + 30);
            let ones = vec![[1.0, 2.0]; N_ROWS];
            for (rule, sum) in coverage.sums(&ones).into_iter().enumerate() {
                let rows: Vec<u32> = (0..N_ROWS as u32).filter(|&row| covers(rule, row as usize)).collect();
                assert_eq!(sum, [rows.len() as f64, 2.0 * rows.len() as f64]);
                assert_eq!(coverage.rows_of(rule), rows);
            }
        }
    }

    #[test]
    fn rows_within_and_scores_are_as_row_by_row() {
        let coverage = Coverage::build(N_ROWS, 50, column);
        let some: Vec<u32> = (0..N_ROWS as u32).filter(|row| row % 3 == 1).collect();
        let expected: Vec<u32> = some.iter().copied().filter(|&row| covers(7, row as usize)).collect();
        assert_eq!(coverage.rows_within(7, &some), expected);
        let weights = [(3, 1.0), (4, -0.5), (41, 8.0)];
        for (row, score) in coverage.scores(0.25, &weights).into_iter().enumerate() {
            let of_rules = weights.iter().filter(|(rule, _)| covers(*rule, row)).map(|(_, weight)| weight);
            assert_eq!(score, 0.25 + of_rules.sum::<f64>());
        }
    }
}
