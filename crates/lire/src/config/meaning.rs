//! What scores mean: probabilities and labels.

use serde::{Deserialize, Serialize};

use super::classes::only_for;
use super::flat::Group;
use super::uses::Purpose;
use crate::error::{Error, Result};
use crate::table::{Target, Task};

/// How scores become probabilities and labels.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct MeaningOptions {
    /// Correct probabilities by scores of rows left out in turn, `cv` parts of them: `platt` or `isotonic`.
    pub calibrate: Option<CalibrationKind>,
    /// The probability above which a row is labelled positive; without it a positive score decides.
    pub threshold: Option<f64>,
}

/// How probabilities are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CalibrationKind {
    /// By a curve of two numbers.
    Platt,
    /// By any curve that never falls; needs some thousand rows.
    Isotonic,
}

impl Group for MeaningOptions {
    fn purpose(_option: &str) -> Purpose {
        Purpose::All
    }

    fn check(&self) -> Result<()> {
        match self.threshold.filter(|threshold| !(0.0..=1.0).contains(threshold)) {
            Some(threshold) => {
                Err(Error::config("threshold", format!("{threshold} is not a probability from 0 to 1")))
            }
            None => Ok(()),
        }
    }
}

impl MeaningOptions {
    /// Refuses options that make no sense for what is predicted.
    pub(super) fn check_target(&self, target: &Target) -> Result<()> {
        if self.threshold.is_some() && target.classes().len() != 2 {
            return Err(only_for("threshold", "a target of two classes", target));
        }
        if self.calibrate.is_some() && target.task() == Task::Regression {
            return Err(only_for("calibrate", "a target of classes", target));
        }
        Ok(())
    }
}
