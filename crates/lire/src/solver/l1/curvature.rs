//! The second derivatives of the loss by the weights of a working set.

use super::rows::{Bends, WorkingRows};

/// `Σ_n bend_n · x_n x_nᵀ` over intercept, linear columns and rules, with the bends of one point. Rules can come and
/// go: the bends stay those of the point where it was made, so that it stays a sum of squares.
pub(super) struct Curvature {
    bends: Bends,
    /// In full, row by row.
    pub matrix: Vec<f64>,
}

impl Curvature {
    /// Of the columns of a working set, as many as `size`.
    pub fn of(rows: &WorkingRows, size: usize, bends: Bends) -> Self {
        let n_head = rows.n_head();
        let mut matrix = vec![0.0; size * size];
        let of_patterns = rows.pattern_sums(&bends);
        for of_pattern in of_patterns.chunks_exact(n_head) {
            for (column, bend) in of_pattern.iter().enumerate() {
                matrix[column * size] += bend;
            }
        }
        rows.for_each_linear_pair(&bends, |nth, other, part| matrix[(nth + 1) * size + other + 1] += part);
        for ((active, _), bends) in rows.patterns().iter().zip(of_patterns.chunks_exact(n_head)) {
            for (nth, &rule) in active.iter().enumerate() {
                let row = n_head + rule as usize;
                let line = &mut matrix[row * size..(row + 1) * size];
                add_line(line, bends, &active[..=nth]);
            }
        }
        for row in 0..size {
            for column in row + 1..size {
                matrix[row * size + column] = matrix[column * size + row];
            }
        }
        Self { bends, matrix }
    }

    /// The same for other rules, with where each column was before; none if too many are new to gain from it.
    pub fn carried_over(self, rows: &WorkingRows, before: &[Option<usize>]) -> Option<Self> {
        let (n_head, size) = (rows.n_head(), before.len());
        let n_before = self.matrix.len().isqrt();
        let n_new = before.iter().filter(|place| place.is_none()).count();
        // A line that is added is summed up in full, where a new matrix needs but one half.
        if 2 * n_new > size {
            return None;
        }
        let mut matrix = vec![0.0; size * size];
        for (line, &place) in matrix.chunks_exact_mut(size).zip(before) {
            let Some(place) = place else { continue };
            let from = &self.matrix[place * n_before..(place + 1) * n_before];
            for (to, &place) in line.iter_mut().zip(before) {
                *to = place.map_or(0.0, |place| from[place]);
            }
        }
        if n_new > 0 {
            let of_patterns = rows.pattern_sums(&self.bends);
            for ((active, _), bends) in rows.patterns().iter().zip(of_patterns.chunks_exact(n_head)) {
                for row in active.iter().map(|&rule| n_head + rule as usize) {
                    if before[row].is_none() {
                        add_line(&mut matrix[row * size..(row + 1) * size], bends, active);
                    }
                }
            }
            for new in (0..size).filter(|&row| before[row].is_none()) {
                for row in (0..size).filter(|&row| before[row].is_some()) {
                    matrix[row * size + new] = matrix[new * size + row];
                }
            }
        }
        Some(Self { bends: self.bends, matrix })
    }
}

/// Adds what the rows of a pattern have in common with the columns before the rules, and with some of its rules.
fn add_line(line: &mut [f64], bends: &[f64], rules: &[u16]) {
    let (head, of_rules) = line.split_at_mut(bends.len());
    for (sum, bend) in head.iter_mut().zip(bends) {
        *sum += bend;
    }
    for &rule in rules {
        of_rules[rule as usize] += bends[0];
    }
}

#[cfg(test)]
mod tests {
    use super::super::DenseColumn;
    use super::super::dual::Dual;
    use super::*;
    use crate::coverage::{Coverage, Pair};
    use crate::objective::Squared;
    use crate::solver::rows::MemoryRows;
    use std::sync::Arc;

    /// Row `n` is covered by rule `m` where this says so.
    fn covers(rule: usize, row: usize) -> bool {
        (row * (2 * rule + 3) + rule * rule) % 7 < 3
    }

    /// `Σ_n bend_n · x_n x_nᵀ`, row by row.
    fn naive(rules: &[usize], linear: &[f64], bends: &[f64]) -> Vec<f64> {
        let n_linear = linear.len() / bends.len();
        let column = |row: usize| -> Vec<f64> {
            let of_rules = rules.iter().map(|&rule| f64::from(u8::from(covers(rule, row))));
            let head = std::iter::once(1.0).chain(linear[row * n_linear..][..n_linear].iter().copied());
            head.chain(of_rules).collect()
        };
        let size = 1 + n_linear + rules.len();
        let mut sums = vec![0.0; size * size];
        for (row, bend) in bends.iter().enumerate() {
            let values = column(row);
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum += bend * values[at / size] * values[at % size];
            }
        }
        sums
    }

    #[test]
    fn it_is_the_sum_of_squares_when_made_and_when_rules_come_and_go() {
        let (n_rows, n_rules) = (60, 12);
        let words = |rule: usize| {
            let bits = (0..n_rows).filter(|&row| covers(rule, row)).fold(0u64, |bits, row| bits | 1 << row);
            vec![bits]
        };
        let coverage = Coverage::build(n_rows, n_rules, words);
        // The second derivative of the squared loss is the weight, whatever the scores.
        let masses: Vec<Pair> = (0..n_rows).map(|row| [0.3, 0.1 + (row % 5) as f64]).collect();
        let bends: Vec<f64> = masses.iter().map(|&mass| Squared::slope_and_bend(mass, 0.7)[1]).collect();
        let memory = MemoryRows::new(Arc::new(coverage), masses);
        for n_linear in [0, 2] {
            let linear: Vec<f64> = (0..n_rows * n_linear).map(|at| (at % 11) as f64 - 5.0).collect();
            let column =
                |nth: usize| DenseColumn::new((0..n_rows).map(|row| linear[row * n_linear + nth]).collect());
            let n_head = 1 + n_linear;
            let check = |found: &Curvature, rules: &[usize]| {
                let expected = naive(rules, &linear, &bends);
                assert_eq!(found.matrix.len(), expected.len());
                for (found, expected) in found.matrix.iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-9, "{found} against {expected}");
                }
            };
            let (rules, later) = (vec![0, 2, 3, 5, 8, 9], vec![1, 2, 3, 5, 7, 9]);
            let mut rows = WorkingRows::new(&memory, &(0..n_linear).map(column).collect::<Vec<_>>());
            rows.set_rules(&memory, &rules);
            let size = n_head + rules.len();
            let made = Curvature::of(&rows, size, rows.bends::<Squared>(&memory, &vec![0.1; size]));
            check(&made, &rules);
            rows.set_rules(&memory, &later);
            let place = |rule| rules.binary_search(rule).ok().map(|place| n_head + place);
            let before: Vec<_> = (0..n_head).map(Some).chain(later.iter().map(place)).collect();
            let carried = made.carried_over(&rows, &before);
            check(&carried.expect("most rules were there before"), &later);
        }
    }
}
