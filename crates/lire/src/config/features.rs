//! Which features rules may use, and how.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::uses::Purpose;
use crate::error::{Error, Result};
use crate::rules::Direction;
use crate::table::{FeatureKind, Schema, Target};

/// What the model may do with its features.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct FeatureOptions {
    /// Columns that no rule may use unless `allow_sensitive`.
    pub sensitive: Vec<String>,
    /// Let rules use sensitive columns; they are still named in reports.
    pub allow_sensitive: bool,
    /// Columns that stay in the table, for reports, but in no rule.
    pub forbid_in_rules: Vec<String>,
    /// Features that the prediction must rise or fall with.
    pub monotone: BTreeMap<String, Direction>,
}

impl Group for FeatureOptions {
    fn purpose(option: &str) -> Purpose {
        if option == "monotone" { Purpose::Constraints } else { Purpose::All }
    }

    fn check(&self) -> Result<()> {
        if self.allow_sensitive && self.sensitive.is_empty() {
            let message = "no column is declared sensitive; declare some, or leave it out";
            return Err(Error::config("allow_sensitive", message));
        }
        Ok(())
    }
}

impl FeatureOptions {
    /// Whether a feature stays out of rules.
    pub fn excludes(&self, name: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|other| other == name);
        (is_in(&self.sensitive) && !self.allow_sensitive) || is_in(&self.forbid_in_rules)
    }

    /// The positions of the features that stay out of rules. A sensitive column that is no feature (the target, a
    /// constant) cannot reach a rule anyway; a forbidden one that does not exist is a mistake.
    pub(super) fn excluded(&self, schema: &Schema) -> Result<Vec<usize>> {
        if let Some(name) = self.forbid_in_rules.iter().find(|name| schema.position(name).is_none()) {
            let message = format!("there is no feature `{name}`{}", schema.advice(name));
            return Err(Error::config("forbid_in_rules", message));
        }
        let features = schema.features.iter().enumerate();
        Ok(features.filter(|(_, feature)| self.excludes(&feature.name)).map(|(place, _)| place).collect())
    }

    /// For each feature how the prediction must follow it.
    pub(super) fn constraints(&self, schema: &Schema, target: &Target) -> Result<Vec<Option<Direction>>> {
        let refused = |message: String| Err(Error::config("monotone", message));
        if self.monotone.is_empty() {
            return Ok(vec![None; schema.features.len()]);
        }
        if target.classes().len() > 2 {
            return refused(
                "with more than two classes there is no one direction; it is for two, or a number".into(),
            );
        }
        let mut constraints = vec![None; schema.features.len()];
        for (name, &direction) in &self.monotone {
            let Some(position) = schema.position(name) else {
                return refused(format!("there is no feature `{name}`{}", schema.advice(name)));
            };
            if let FeatureKind::Category { .. } = schema.features[position].kind {
                return refused(format!("`{name}` is a category, whose values have no order"));
            }
            constraints[position] = Some(direction);
        }
        Ok(constraints)
    }
}
