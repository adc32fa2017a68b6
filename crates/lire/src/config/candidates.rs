//! Which rules become candidates.

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::uses::Purpose;
use crate::error::Result;
use crate::rules::RuleConfig;

/// What a candidate rule covers at least, and how long it may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CandidateOptions {
    /// The least share of the training weight that a rule covers; other than the default also of the rows themselves.
    pub min_coverage: f64,
    /// The fewest training rows that a rule covers, counted and by weight. By default 5 by weight.
    pub min_rows: Option<f64>,
    /// The maximum number of conditions in a rule.
    pub max_rule_length: Option<usize>,
    /// Candidates as in the paper: no least coverage, rules of different text all kept, each category value a
    /// column of its own when features are sampled.
    pub paper_candidates: bool,
}

impl Default for CandidateOptions {
    fn default() -> Self {
        let min_coverage = RuleConfig::default().min_coverage;
        Self { min_coverage, min_rows: None, max_rule_length: None, paper_candidates: false }
    }
}

impl Group for CandidateOptions {
    fn purpose(option: &str) -> Purpose {
        match option {
            "max_rule_length" => Purpose::TreeRules,
            "paper_candidates" => Purpose::PaperCandidates,
            _ => Purpose::Floor,
        }
    }

    fn check(&self) -> Result<()> {
        self.rules().check()
    }
}

impl CandidateOptions {
    /// As the choice of candidates takes them.
    pub(super) fn rules(&self) -> RuleConfig {
        let usual = RuleConfig::default();
        let given_share = Some(self.min_coverage).filter(|share| *share != usual.min_coverage);
        let default = if self.paper_candidates { RuleConfig::paper() } else { usual };
        RuleConfig {
            min_coverage: given_share.unwrap_or(default.min_coverage),
            min_rows: self.min_rows.unwrap_or(default.min_rows),
            // What the user asks for is a promise on rows; a row does not become several by its weight.
            least_rows: self.min_rows.unwrap_or(0.0),
            least_share: given_share.unwrap_or(0.0),
            max_rule_length: self.max_rule_length,
            distinct: default.distinct,
        }
    }
}
