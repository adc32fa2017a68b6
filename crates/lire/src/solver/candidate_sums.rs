//! What moves are priced on: the sums over each candidate's rows, as they are and with one rule taken out.

use super::{Problem, State};
use crate::coverage::Pair;
use crate::objective::{Level, Range, Score, Spread, Steps, Total, exp};

/// The rows of a state as its loss sees them.
pub(super) struct CandidateSums<'s, 'p, L> {
    problem: &'p Problem,
    state: &'s State<'p, L>,
    /// The score of each pattern.
    scores: Vec<Score>,
    /// What is summed up for each distinct row.
    rows: Vec<Pair>,
    /// Its sums over the rows that each rule covers.
    pub sums: Vec<Pair>,
    /// Its sums over all rows.
    pub all: Total,
}

impl<'s, 'p, L: Steps> CandidateSums<'s, 'p, L> {
    /// Scans all candidates once.
    pub fn of(problem: &'p Problem, state: &'s State<'p, L>) -> Self {
        let scores = state.scores();
        let rates: Vec<Pair> = scores.iter().map(|&score| L::rates(score)).collect();
        let of_row = |(&mass, &pattern): (&Pair, &u32)| L::row(mass, rates[pattern as usize]);
        let rows: Vec<Pair> = problem.masses.iter().zip(state.rows().of_row()).map(of_row).collect();
        let sums = problem.coverage.sums(&rows);
        let total = rows.iter().fold([0.0; 2], |sum, row| [sum[0] + row[0], sum[1] + row[1]]);
        let patterns = state.patterns().iter().zip(&scores);
        let range = patterns.fold(Range::NONE, |range, ((_, &mass), score)| range.with(mass, score.sum));
        let all = Total { sums: total, base: L::base(state.loss() - state.ridge_part()), range };
        Self { problem, state, scores, rows, sums, all }
    }

    /// The sums over all rows with one rule of the support taken out.
    pub fn all_without(&self, position: usize) -> Total {
        let (rule, weight) = (self.state.support()[position], self.state.weight(position));
        L::without(self.all, self.sums[rule], weight).unwrap_or_else(|| self.recount_without(position))
    }

    /// The same from the patterns: the change on those in which the rule is active.
    fn recount_without(&self, position: usize) -> Total {
        let mut all = self.all;
        for (pattern, mass, score) in self.changed_without(position) {
            let before = self.scores[pattern];
            let (old, new) = (L::row(mass, L::rates(before)), L::row(mass, L::rates(score)));
            all.sums = [all.sums[0] + (new[0] - old[0]), all.sums[1] + (new[1] - old[1])];
            all.range = all.range.with(mass, score.sum);
            all.base += L::value_at(mass, score) - L::value_at(mass, before);
        }
        all
    }

    /// The sums of every rule with one of the support taken out: they change only on rows that it covers.
    pub fn sums_without(&self, position: usize) -> Vec<Pair> {
        let mut rates = vec![[0.0; 2]; self.scores.len()];
        for (pattern, _, score) in self.changed_without(position) {
            rates[pattern] = L::rates(score);
        }
        let rows = self.problem.coverage.rows_of(self.state.support()[position]);
        let pattern_of = self.state.rows().of_row();
        let change: Vec<Pair> = rows
            .iter()
            .map(|&row| {
                let row = row as usize;
                let (old, new) =
                    (self.rows[row], L::row(self.problem.masses[row], rates[pattern_of[row] as usize]));
                [new[0] - old[0], new[1] - old[1]]
            })
            .collect();
        let mut sums = self.problem.coverage.sums_within(&rows, &change);
        for (sum, before) in sums.iter_mut().zip(&self.sums) {
            *sum = L::tidy([before[0] + sum[0], before[1] + sum[1]]);
        }
        sums
    }

    /// The rows by score, of each pattern for itself, with or without one rule of the support.
    pub fn levels(&self, out: Option<usize>) -> Vec<Level> {
        let mut scores = self.scores.clone();
        if let Some(position) = out {
            for (pattern, _, score) in self.changed_without(position) {
                scores[pattern] = score;
            }
        }
        let patterns = self.state.patterns().iter();
        patterns.zip(scores).map(|((_, &mass), score)| Level::new(mass, score)).collect()
    }

    /// The present losses of positive and negative rows over the rows that each rule covers, and over all.
    pub fn losses(&self, levels: &[Level]) -> (Vec<Pair>, Pair) {
        let factors: Vec<Pair> =
            levels.iter().map(|level| [(level.log - level.score).max(0.0), level.log]).collect();
        let of_row = |(mass, &pattern): (&Pair, &u32)| {
            let factor = factors[pattern as usize];
            [mass[0] * factor[0], mass[1] * factor[1]]
        };
        let pattern_of = self.state.rows().of_row();
        let rows: Vec<Pair> = self.problem.masses.iter().zip(pattern_of).map(of_row).collect();
        let all = rows.iter().fold([0.0; 2], |sum, row| [sum[0] + row[0], sum[1] + row[1]]);
        (self.problem.coverage.sums(&rows), all)
    }

    /// The rows of levels, one for each pattern, that a rule covers, and the others.
    pub fn spread(&self, levels: &[Level], rule: usize) -> Spread {
        let covered = self.state.rows().masses_under(&self.problem.coverage, rule, &self.problem.masses);
        let mut spread = Spread::default();
        for (&level, inside) in levels.iter().zip(covered) {
            let outside = [(level.mass[0] - inside[0]).max(0.0), (level.mass[1] - inside[1]).max(0.0)];
            for (mass, side) in [(inside, &mut spread.covered), (outside, &mut spread.uncovered)] {
                if mass[0] + mass[1] > 0.0 {
                    side.push(Level { mass, ..level });
                }
            }
        }
        spread
    }

    /// The patterns in which a rule of the support is active, with their masses and their scores without it.
    fn changed_without(&self, position: usize) -> impl Iterator<Item = (usize, Pair, Score)> {
        let weight = self.state.weight(position);
        let factor = exp(-weight);
        let patterns = self.state.patterns().iter().enumerate();
        patterns.filter(move |(_, (active, _))| active.contains(&(position as u16))).map(
            move |(pattern, (_, &mass))| {
                let before = self.scores[pattern];
                let score = Score { sum: before.sum - weight, exp: before.exp * factor };
                let in_range = (1e-300..1e300).contains(&score.exp);
                (pattern, mass, if in_range { score } else { Score::of(score.sum) })
            },
        )
    }
}
