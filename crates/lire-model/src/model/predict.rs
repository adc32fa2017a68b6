//! Scores rows, tells which rules fired, and what the scores mean.

use std::slice::ChunksExact;

use rayon::prelude::*;

use super::compiled::BLOCK_ROWS;
use super::{Decision, Model, Predictions};
use crate::error::{Error, Result};
use crate::table::{Plain, Table, no_such_row};

/// The scores of each row, and which rules make them.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// `f(x)`: the intercept, then the weights of the fired rules and what the linear terms count times their weights,
    /// added in the model's order. Row after row, a score for each output.
    pub scores: Vec<f64>,
    /// The number of scores of a row.
    pub n_outputs: usize,
    /// Which rules fired for which row.
    pub fired: FiredRules,
}

/// A set of rules for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct FiredRules {
    words_per_row: usize,
    words: Vec<u64>,
}

impl Scores {
    /// The scores of a row, one for each output.
    pub fn of_row(&self, row: usize) -> Result<&[f64]> {
        let end = row.checked_add(1).and_then(|next| next.checked_mul(self.n_outputs));
        let found = end.and_then(|end| self.scores.get(end - self.n_outputs..end));
        found.ok_or_else(|| no_such_row(row, self.n_rows()))
    }

    /// The scores of each row, one for each output.
    pub fn rows(&self) -> ChunksExact<'_, f64> {
        self.scores.chunks_exact(self.n_outputs.max(1))
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows().len()
    }
}

impl Model {
    /// Scores all rows of a table. It has the model's columns, perhaps among others and in another order, and may list
    /// other levels; a table without them is refused.
    pub fn score(&self, table: &Table) -> Result<Scores> {
        let table = &*table.aligned(self.schema())?;
        let (n_rows, n_outputs) = (table.n_rows(), self.n_outputs());
        let words_per_row = self.words_per_row();
        let mut scores: Vec<f64> = self.file().outputs.iter().map(|output| output.intercept).collect();
        scores = scores.repeat(n_rows);
        let mut words = vec![0u64; n_rows * words_per_row];
        scores
            .par_chunks_mut(BLOCK_ROWS * n_outputs)
            .zip(words.par_chunks_mut(BLOCK_ROWS * words_per_row))
            .enumerate()
            .for_each_init(
                || self.compiled.workspace(),
                |masks, (block, (scores, words))| {
                    let start = block * BLOCK_ROWS;
                    self.compiled.evaluate(table, start, scores.len() / n_outputs, masks);
                    self.compiled.add_up(&self.weights, n_outputs, masks, scores, words, words_per_row);
                    self.add_linear(table, start, scores);
                },
            );
        Ok(Scores { scores, n_outputs, fired: FiredRules { words_per_row, words } })
    }

    fn add_linear(&self, table: &Table, start: usize, scores: &mut [f64]) {
        let n_outputs = self.n_outputs();
        let weights = self.weights[self.rules().len() * n_outputs..].chunks_exact(n_outputs);
        for (linear, weights) in self.linear().iter().zip(weights) {
            let rows = start..start + scores.len() / n_outputs;
            let Plain::Numbers(values) = table.columns()[linear.feature].plain_range(rows) else {
                unreachable!("a linear term stands on a column of numbers");
            };
            for (scores, &value) in scores.chunks_exact_mut(n_outputs).zip(&*values) {
                let count = linear.count(value);
                for (score, weight) in scores.iter_mut().zip(weights) {
                    *score += weight * count;
                }
            }
        }
    }

    /// What the scores of a row mean; none for a number, which the score is.
    pub fn decide(&self, scores: &[f64]) -> Result<Option<Decision>> {
        self.meaning.decide(scores)
    }

    /// The same of scores that are one for each output.
    pub(crate) fn decision(&self, scores: &[f64]) -> Option<Decision> {
        self.meaning.decision(scores)
    }

    /// What the scores of each row mean; none for a number.
    pub fn decisions(&self, scores: &Scores) -> Result<Option<Vec<Decision>>> {
        self.check_scores(scores)?;
        let rows = (0..scores.n_rows()).into_par_iter().with_min_len(BLOCK_ROWS);
        Ok(rows.map(|row| self.meaning.decision(self.scores_at(scores, row))).collect())
    }

    /// Fails unless scores are of a model of as many outputs and rules.
    pub(crate) fn check_scores(&self, scores: &Scores) -> Result<()> {
        let FiredRules { words_per_row, words } = &scores.fired;
        // Bits of the last word that stand for no rule.
        let in_last = self.rules().len() - 64 * (self.words_per_row() - 1);
        let beyond = if in_last < 64 { u64::MAX << in_last } else { 0 };
        let n_rows = scores.n_rows();
        let fits = scores.n_outputs == self.n_outputs()
            && scores.scores.len() == n_rows * scores.n_outputs
            && *words_per_row == self.words_per_row()
            && words.len() == n_rows * words_per_row
            && words
                .chunks_exact(*words_per_row)
                .all(|words| words.last().is_none_or(|last| last & beyond == 0));
        if fits { Ok(()) } else { Err(Error::data("scores", "they are those of another model")) }
    }

    /// The scores of a row that there is.
    pub(crate) fn scores_at<'s>(&self, scores: &'s Scores, row: usize) -> &'s [f64] {
        &scores.scores[row * self.n_outputs()..(row + 1) * self.n_outputs()]
    }

    fn words_per_row(&self) -> usize {
        self.rules().len().div_ceil(64).max(1)
    }

    /// The local support of each row: the number of terms in the explanation of its prediction. These are the rules
    /// that hold for the row and the linear terms, as far as they have a weight in the score of the predicted class.
    pub fn local_support(&self, scores: &Scores) -> Result<Vec<usize>> {
        self.check_scores(scores)?;
        let n_rules = self.rules().len();
        // Linear terms are part of every explanation.
        let linear: Vec<usize> = (self.file().outputs.iter())
            .map(|output| output.weights[n_rules..].iter().filter(|weight| **weight != 0.0).count())
            .collect();
        let count = |row: usize| {
            let decision = self.meaning.decision(self.scores_at(scores, row));
            let output = decision.map_or(0, |decision| self.speaking_output(decision.class));
            let weights = &self.file().outputs[output].weights;
            scores.fired.at(row).filter(|&rule| weights[rule] != 0.0).count() + linear[output]
        };
        Ok((0..scores.n_rows()).into_par_iter().map(count).collect())
    }

    /// What is predicted from scores.
    pub fn predictions(&self, scores: &Scores) -> Result<Predictions> {
        self.meaning.predictions(&scores.scores)
    }
}

impl FiredRules {
    /// The rules that fired for a row, ascending.
    pub fn of_row(&self, row: usize) -> Result<impl Iterator<Item = usize> + '_> {
        self.row_words(row).map(members)
    }

    /// How many rules fired for a row.
    pub fn count(&self, row: usize) -> Result<usize> {
        Ok(self.row_words(row)?.iter().map(|word| word.count_ones() as usize).sum())
    }

    /// The rules of a row as bits: rule `r` is bit `r mod 64` of word `r / 64`.
    pub fn row_words(&self, row: usize) -> Result<&[u64]> {
        let n_rows = self.words.len() / self.words_per_row;
        if row < n_rows { Ok(self.words_at(row)) } else { Err(no_such_row(row, n_rows)) }
    }

    /// The rules that fired for a row that there is.
    pub(crate) fn at(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        members(self.words_at(row))
    }

    fn words_at(&self, row: usize) -> &[u64] {
        &self.words[row * self.words_per_row..(row + 1) * self.words_per_row]
    }
}

/// The places of the bits that are set.
fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
    })
}
