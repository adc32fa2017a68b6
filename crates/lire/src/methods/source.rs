//! Where candidate rules come from: trees grown here, or rules of trees that were grown elsewhere.

use std::time::Instant;

use super::candidates::Clock;
use super::{GrownCandidates, Timings, Training};
use crate::config::Settings;
use crate::coverage::{Candidates, Coverage};
use crate::error::Result;
use crate::rules::{Allowed, NestedRules, Rule, distinct_by_text};
use crate::table::Schema;
use crate::watch::Watch;

/// How much sums of the same weights may differ, as a share.
const ROUNDING: f64 = 1e-9;

/// Where candidate rules come from.
#[derive(Debug, Clone, Default)]
pub enum RuleSource {
    /// Trees that are grown on the rows at hand.
    #[default]
    Grown,
    /// Rules that are there already.
    Given(GivenRules),
}

/// Rules of trees from elsewhere.
#[derive(Debug, Clone, Default)]
pub struct GivenRules {
    /// The rules for the model of all rows.
    pub rules: NestedRules,
    /// For each split of the rows those of trees that saw only what it trains on. If empty, `rules` serve there too.
    pub of_splits: Vec<NestedRules>,
    /// What grew the trees.
    pub origin: String,
}

impl RuleSource {
    /// The candidates for all rows.
    pub fn candidates(&self, training: &Training, settings: &Settings, watch: &Watch) -> GrownCandidates {
        match self {
            Self::Grown => GrownCandidates::grow(training, settings, watch),
            Self::Given(given) => GrownCandidates::of_rules(&given.rules, training, settings),
        }
    }

    /// The candidates for the rows that a split trains on.
    pub fn of_split(
        &self,
        split: usize,
        part: &Training,
        settings: &Settings,
        watch: &Watch,
    ) -> GrownCandidates {
        match self {
            Self::Grown => GrownCandidates::grow(part, settings, watch),
            Self::Given(given) => GrownCandidates::of_rules(given.of_split(split), part, settings),
        }
    }

    /// The source for a model of the rows that a split trains on.
    pub fn for_split(&self, split: usize) -> Self {
        match self {
            Self::Grown => Self::Grown,
            Self::Given(given) => Self::Given(GivenRules {
                rules: given.of_split(split).clone(),
                of_splits: Vec::new(),
                origin: given.origin.clone(),
            }),
        }
    }

    /// What grew the trees, if it was not lire.
    pub fn origin(&self) -> Option<&str> {
        match self {
            Self::Grown => None,
            Self::Given(given) => Some(&given.origin),
        }
    }
}

impl GivenRules {
    /// Fails unless all rules are on the columns of a schema, and what stands within what is said of rules that there
    /// are.
    pub fn check(&self, schema: &Schema) -> Result<()> {
        for nested in std::iter::once(&self.rules).chain(&self.of_splits) {
            nested.check(schema)?;
        }
        Ok(())
    }

    fn of_split(&self, split: usize) -> &NestedRules {
        self.of_splits.get(split).unwrap_or(&self.rules)
    }
}

impl GrownCandidates {
    /// Takes rules as they are, as far as the settings allow them.
    pub(crate) fn of_rules(rules: &NestedRules, training: &Training, settings: &Settings) -> Self {
        let schema = training.table.schema();
        let mut clock = Clock(Instant::now());
        let mut timings = Timings::default();
        let (rows, counts) = training.distinct();
        clock.lap(&mut timings.binning);

        let most = settings.rules.max_rule_length;
        // A little less, since sums may round differently; the exact bound comes below.
        let least = settings.rules.least_weight(rows.weights.iter().sum()) * (1.0 - ROUNDING);
        let rules = rules.covering(&rows.table, &rows.weights, least);
        let fits = |rule: &Rule| {
            most.is_none_or(|most| rule.n_conditions() <= most)
                && rule.features().all(|feature| !settings.excluded.contains(&feature))
                && rule.allowed(&settings.monotone) != Allowed::Nothing
        };
        let rules = distinct_by_text(rules.into_iter().filter(fits).collect(), schema);
        let coverage = Coverage::build(rows.table.n_rows(), rules.len(), |rule| {
            rules[rule].cover(&rows.table).expect("rules were checked against the schema")
        });
        let candidates = Candidates::of_coverage(
            rules,
            coverage,
            [&rows.weights, &counts],
            &rows.masses(),
            schema,
            &settings.rules,
        );
        clock.lap(&mut timings.candidates);
        Self::shared(candidates, timings)
    }
}
