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
