//! How much the rows of each class count, and which class shares probabilities refer to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::uses::Purpose;
use crate::error::{Error, Result};
use crate::table::{Target, Task};

/// The shares of the classes: those that are learned from, and those that probabilities refer to.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ClassOptions {
    /// How much the rows of each class count: `balanced`, or a weight for each class. Labels follow the weighted rows;
    /// probabilities refer to the rows as they are, or to `base_rate`.
    pub class_weight: Option<ClassWeight>,
    /// The class shares that probabilities refer to: `data` for those of the training rows, which is the default with
    /// class weights, or the share of the positive class. It does not change labels.
    pub base_rate: Option<BaseRate>,
}

/// How much the rows of a class count, beside their own weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ClassWeight {
    /// By a rule.
    Rule(ClassWeightRule),
    /// For each class; 1 for those that are not named.
    Given(BTreeMap<String, f64>),
}

/// A rule for the weights of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClassWeightRule {
    /// All classes count the same in total.
    Balanced,
}

/// The shares of the classes that probabilities shall refer to, where class weights changed them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BaseRate {
    /// From where.
    From(BaseRateSource),
    /// The share of the positive class.
    Share(f64),
}

/// Where base rates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BaseRateSource {
    /// The training rows, without class weights.
    Data,
}

impl Group for ClassOptions {
    fn purpose(_option: &str) -> Purpose {
        Purpose::All
    }
}

impl ClassOptions {
    /// Refuses options that make no sense for what is predicted.
    pub(super) fn check_target(&self, target: &Target) -> Result<()> {
        if target.task() == Task::Regression {
            let given =
                [("class_weight", self.class_weight.is_some()), ("base_rate", self.base_rate.is_some())];
            return match given.into_iter().find(|(_, is_given)| *is_given) {
                Some((option, _)) => Err(only_for(option, "a target of classes", target)),
                None => Ok(()),
            };
        }
        match self.base_rate {
            Some(BaseRate::Share(_)) if target.classes().len() != 2 => {
                let message = format!(
                    "a share is for a target of two classes, and `{}` has {}; say `data`, or leave it out",
                    target.name,
                    target.classes().len()
                );
                return Err(Error::config("base_rate", message));
            }
            Some(BaseRate::Share(share)) if !(share > 0.0 && share < 1.0) => {
                return Err(Error::config("base_rate", format!("{share} is not a share between 0 and 1")));
            }
            Some(BaseRate::Share(_) | BaseRate::From(BaseRateSource::Data)) | None => {}
        }
        match &self.class_weight {
            Some(ClassWeight::Given(weights)) => check_weights(weights, target),
            Some(ClassWeight::Rule(ClassWeightRule::Balanced)) | None => Ok(()),
        }
    }
}

fn check_weights(weights: &BTreeMap<String, f64>, target: &Target) -> Result<()> {
    for (class, weight) in weights {
        if !target.classes().contains(class) {
            let known: Vec<String> = target.classes().iter().map(|class| format!("`{class}`")).collect();
            let message =
                format!("`{class}` is not a class of `{}`, which has {}", target.name, known.join(", "));
            return Err(Error::config("class_weight", message));
        }
        if !(*weight > 0.0 && weight.is_finite()) {
            let message = format!("the weight {weight} of class `{class}` is not a number above 0");
            return Err(Error::config("class_weight", message));
        }
    }
    Ok(())
}

/// The refusal of an option that is for other targets.
pub(super) fn only_for(option: &str, what: &str, target: &Target) -> Error {
    Error::config(option, format!("this is for {what}, which `{}` is not", target.name))
}
