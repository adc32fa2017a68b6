//! What moves are valued by: the sums over each candidate's rows, as they are and with one rule taken out.

use super::rows::{CoveredSums, Pair, RowStore, WeightedSupport, scores_without};
use super::{Problem, State};
use crate::objective::{ClassLosses, Level, Range, Score, Spread, Steps, Total};

/// The sums of all candidates at a state.
pub(super) struct CandidateSums<'s, 'p, L, R: RowStore> {
    problem: &'p Problem<R>,
    state: &'s State<'p, L, R>,
    /// The score of each pattern.
    scores: Vec<Score>,
    /// The sums over the rows that each rule covers.
    pub of_rules: Vec<Pair>,
    /// The sums over all rows.
    pub of_all: Total,
}

impl<'s, 'p, L: Steps, R: RowStore> CandidateSums<'s, 'p, L, R> {
    /// Scans all candidates once.
    pub fn of(problem: &'p Problem<R>, state: &'s State<'p, L, R>) -> Self {
        let scores = state.scores();
        let CoveredSums { of_rules, of_all: sums } = problem.rows.sums::<L>(&state.weighted(&scores));
        let patterns = state.patterns().iter().zip(&scores);
        let range = patterns.fold(Range::NONE, |range, ((_, &mass), score)| range.with(mass, score.sum));
        let of_all = Total { sums, base: L::base(state.loss() - state.ridge_part()), range };
        Self { problem, state, scores, of_rules, of_all }
    }

    /// The sums over all rows with one rule of the support taken out.
    pub fn all_without(&self, position: usize) -> Total {
        let (rule, weight) = (self.state.support()[position], self.state.weight(position));
        L::without(self.of_all, self.of_rules[rule], weight).unwrap_or_else(|| self.recount_without(position))
    }

    /// The same from the patterns: the change on those in which the rule is active.
    fn recount_without(&self, position: usize) -> Total {
        let mut all = self.of_all;
        for (mass, before, score) in self.changes_without(position) {
            let (old, new) = (L::row(mass, L::rates(before)), L::row(mass, L::rates(score)));
            all.sums = [all.sums[0] + (new[0] - old[0]), all.sums[1] + (new[1] - old[1])];
            all.range = all.range.with(mass, score.sum);
            all.base += L::value_at(mass, score) - L::value_at(mass, before);
        }
        all
    }

    /// The masses of the patterns in which a rule of the support is active, with their scores as they are and without it.
    fn changes_without(&self, position: usize) -> impl Iterator<Item = (Pair, Score, Score)> {
        let (patterns, weight) = (self.state.patterns(), self.state.weight(position));
        let changed = scores_without(patterns, &self.scores, position, weight);
        changed.map(|(pattern, score)| (patterns.mass(pattern), self.scores[pattern], score))
    }

    /// For each of some positions the sums of every rule with the one there taken out.
    pub fn sums_without(&self, positions: &[usize]) -> Vec<Vec<Pair>> {
        let at = self.state.weighted(&self.scores);
        let mut sums = self.problem.rows.sums_without::<L>(&at, positions, &self.of_rules);
        for sum in sums.iter_mut().flatten() {
            *sum = L::tidy(*sum);
        }
        sums
    }

    /// The score of each pattern, with or without one rule of the support.
    fn scores(&self, out: Option<usize>) -> Vec<Score> {
        let mut scores = self.scores.clone();
        if let Some(position) = out {
            let weight = self.state.weight(position);
            for (pattern, score) in scores_without(self.state.patterns(), &self.scores, position, weight) {
                scores[pattern] = score;
            }
        }
        scores
    }

    /// The rows by score, of each pattern for itself, with or without one rule of the support.
    pub fn levels(&self, out: Option<usize>) -> Vec<Level> {
        let patterns = self.state.patterns().iter();
        patterns.zip(self.scores(out)).map(|((_, &mass), score)| Level::new(mass, score)).collect()
    }

    /// The present losses of positive and negative rows over the rows that each rule covers, and over all; with or
    /// without one rule of the support.
    pub fn losses(&self, out: Option<usize>) -> CoveredSums {
        let scores = self.scores(out);
        let at = self.state.weighted(&scores);
        let mut parameters = at.parameters.to_vec();
        if let Some(position) = out {
            parameters[position + 1] = 0.0;
        }
        self.problem.rows.sums::<ClassLosses>(&WeightedSupport { parameters: &parameters, ..at })
    }

    /// For each of some rules, the rows of levels, one for each pattern, that it covers, and the others.
    pub fn spreads(&self, levels: &[Level], rules: &[usize]) -> Vec<Spread> {
        let at = self.state.weighted(&self.scores);
        let covered = self.problem.rows.masses_under(at.support, rules);
        covered.iter().map(|covered| Spread::of(levels, covered)).collect()
    }

    /// The part of each pattern's mass that a rule covers.
    pub fn covered(&self, rule: usize) -> Vec<Pair> {
        let at = self.state.weighted(&self.scores);
        self.problem.rows.masses_under(at.support, &[rule]).pop().expect("one rule has one answer")
    }

    /// The rows of levels that one rule covers, and the others.
    pub fn spread(&self, levels: &[Level], rule: usize) -> Spread {
        self.spreads(levels, &[rule]).pop().expect("one rule has one spread")
    }
}
