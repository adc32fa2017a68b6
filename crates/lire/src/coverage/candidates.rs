//! The rules worth offering to the solver: those that cover enough, each distinct coverage once.

use super::{Coverage, MergedRows, Pair};
use crate::binning::{Outcome, Rows};
use crate::rules::{DistinctBy, Rule, RuleConfig, brevity, cover_binned};
use crate::table::Schema;
use std::collections::HashMap;
use std::sync::Arc;

/// Candidate rules with their coverage of the training rows.
#[derive(Debug, Clone)]
pub struct Candidates {
    /// The rules, in the order of their first occurrence.
    pub rules: Vec<Rule>,
    /// What they cover, over rows that they tell apart.
    pub coverage: Arc<Coverage>,
    /// The masses of those rows, for each outcome.
    pub masses: Vec<Vec<Pair>>,
}

impl Candidates {
    /// Evaluates the rules on the training rows and keeps those that the configuration admits.
    ///
    /// The rules are distinct by text and were extracted from trees on these very bins.
    pub fn of(rules: Vec<Rule>, rows: &Rows, schema: &Schema, config: &RuleConfig) -> Self {
        Self::of_outcomes(rules, rows, &rows.outcomes, schema, config)
    }

    /// The same for some of the outcomes of the rows.
    pub fn of_outcomes(
        rules: Vec<Rule>,
        rows: &Rows,
        outcomes: &[Outcome],
        schema: &Schema,
        config: &RuleConfig,
    ) -> Self {
        let column = |rule: usize| {
            cover_binned(&rules[rule], &rows.binned)
                .expect("thresholds of extracted rules lie on the edges of bins")
        };
        let coverage = Coverage::build(rows.binned.n_rows, rules.len(), column);
        let masses: Vec<Vec<Pair>> = outcomes.iter().map(Outcome::masses).collect();
        Self::of_coverage(rules, coverage, [&rows.weights(), &rows.counts], &masses, schema, config)
    }

    /// The same from a coverage of rows with these weights and counts and, for each outcome, masses.
    pub fn of_coverage(
        mut rules: Vec<Rule>,
        coverage: Coverage,
        [weights, counts]: [&[f64]; 2],
        masses: &[Vec<Pair>],
        schema: &Schema,
        config: &RuleConfig,
    ) -> Self {
        let sizes: Vec<Pair> = weights.iter().zip(counts).map(|(&weight, &count)| [weight, count]).collect();
        let least = config.least_weight(weights.iter().sum());
        let fewest = config.fewest_rows(counts.iter().sum());
        let covered = coverage.sums(&sizes);
        let is_enough = |&rule: &usize| covered[rule][0] >= least && covered[rule][1] >= fewest;
        let kept: Vec<usize> = (0..rules.len()).filter(is_enough).collect();
        let kept = match config.distinct {
            DistinctBy::Coverage => briefest(&rules, &kept, &coverage.fingerprints(), schema),
            DistinctBy::Text => kept.into_iter().map(|rule| (rule, rule)).collect(),
        };
        let coverage = coverage.keep(&kept.iter().map(|&(first, _)| first).collect::<Vec<usize>>());
        let rules = kept.iter().map(|&(_, briefest)| std::mem::take(&mut rules[briefest])).collect();
        let merged = MergedRows::of(coverage);
        let masses = masses.iter().map(|masses| merged.merge(masses)).collect();
        Self { rules, coverage: Arc::new(merged.coverage), masses }
    }
}

/// Of rules with equal fingerprints the first, and the one that is briefest to read, ties by first occurrence. Names
/// decide which of them is shown; they do not move it.
fn briefest(rules: &[Rule], kept: &[usize], fingerprints: &[u64], schema: &Schema) -> Vec<(usize, usize)> {
    let mut best: HashMap<u64, usize> = HashMap::with_capacity(kept.len());
    for &rule in kept {
        best.entry(fingerprints[rule])
            .and_modify(|other| {
                if brevity(&rules[rule], schema) < brevity(&rules[*other], schema) {
                    *other = rule;
                }
            })
            .or_insert(rule);
    }
    let first = |&rule: &usize| best.remove(&fingerprints[rule]).map(|briefest| (rule, briefest));
    kept.iter().filter_map(first).collect()
}
