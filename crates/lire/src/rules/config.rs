//! Which rules become candidates.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Which of the forest's rules become candidates.
///
/// | name | default | paper | meaning | range |
/// |---|---|---|---|---|
/// | `min_coverage` | 0.005 | 0 | least share of the training weight a rule covers | 0 to below 1 |
/// | `min_rows` | 5 | 0 | least training weight a rule covers | ≥ 0 |
/// | `least_rows`, `least_share` | 0 | 0 | the same, of rows counted whatever they weigh | ≥ 0 |
/// | `max_rule_length` | none | none | most conditions of a rule | ≥ 1 |
/// | `distinct` | coverage | text | when two rules count as one | |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RuleConfig {
    /// The least share of the training weight that a rule covers. Keeps rules from resting on a
    /// handful of rows.
    pub min_coverage: f64,
    /// The least training weight that a rule covers, in rows.
    pub min_rows: f64,
    /// The fewest training rows that a rule covers, whatever they weigh.
    pub least_rows: f64,
    /// The least share of the training rows that a rule covers, whatever they weigh.
    pub least_share: f64,
    /// The most conditions of a rule; none for no limit.
    pub max_rule_length: Option<usize>,
    /// When two rules count as one.
    pub distinct: DistinctBy,
}

/// When two rules count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DistinctBy {
    /// When they read the same.
    Text,
    /// When they cover exactly the same training rows.
    #[default]
    Coverage,
}

impl Default for RuleConfig {
    fn default() -> Self {
        Self { min_coverage: 0.005, min_rows: 5.0, ..Self::paper() }.by_coverage()
    }
}

impl RuleConfig {
    /// The paper's: every node's rule, those of equal text once.
    pub fn paper() -> Self {
        Self {
            min_coverage: 0.0,
            min_rows: 0.0,
            least_rows: 0.0,
            least_share: 0.0,
            max_rule_length: None,
            distinct: DistinctBy::Text,
        }
    }

    /// Refuses values that cannot be meant.
    pub fn check(&self) -> Result<()> {
        if !(0.0..1.0).contains(&self.min_coverage) {
            let message = format!("{} is not a share; give a number from 0 to below 1", self.min_coverage);
            return Err(Error::config("min_coverage", message));
        }
        if !(self.min_rows >= 0.0 && self.min_rows.is_finite()) {
            let message = format!("{} is not a number of rows; give 0 or more", self.min_rows);
            return Err(Error::config("min_rows", message));
        }
        if self.max_rule_length == Some(0) {
            let message = "a rule needs at least one condition; give 1 or more, or leave it out";
            return Err(Error::config("max_rule_length", message));
        }
        Ok(())
    }

    fn by_coverage(self) -> Self {
        Self { distinct: DistinctBy::Coverage, ..self }
    }

    /// The fewest rows a rule must cover, of so many.
    pub fn fewest_rows(&self, n_rows: f64) -> f64 {
        self.least_rows.max(self.least_share * n_rows)
    }

    /// The least weight a rule must cover, of this total.
    pub fn least_weight(&self, total: f64) -> f64 {
        self.min_rows.max(self.min_coverage * total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_and_paper_pass_the_check() {
        assert!(RuleConfig::default().check().is_ok());
        assert!(RuleConfig::paper().check().is_ok());
    }

    #[test]
    fn nonsense_is_refused() {
        let nonsense = [
            RuleConfig { min_coverage: 1.0, ..Default::default() },
            RuleConfig { min_coverage: f64::NAN, ..Default::default() },
            RuleConfig { min_rows: -1.0, ..Default::default() },
            RuleConfig { max_rule_length: Some(0), ..Default::default() },
        ];
        assert!(nonsense.iter().all(|config| config.check().is_err()));
    }

    #[test]
    fn the_stricter_of_share_and_rows_counts() {
        let config = RuleConfig { min_coverage: 0.01, ..RuleConfig::default() };
        assert_eq!(config.least_weight(100.0), 5.0);
        assert_eq!(config.least_weight(10_000.0), 100.0);
    }
}
