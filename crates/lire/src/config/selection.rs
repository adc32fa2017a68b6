//! How models of several prices are compared, and which is chosen.

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::ranges::{at_least, from_zero_up};
use super::uses::Purpose;
use crate::error::{Error, Result};
use crate::measure::Measure;
use crate::table::{Target, Task};

/// The rows left out, what models are compared by, and how large they may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SelectionOptions {
    /// Folds of the cross-validation that chooses gamma and lambda.
    pub cv: usize,
    /// Choose on one part of the rows, this share of them, held out instead of a cross-validation.
    pub validation_share: Option<f64>,
    /// The measure to choose by: by default `auc` for two classes, `log_loss` for several, `rmse` for numbers.
    pub metric: Option<Metric>,
    /// Which model is chosen: the best, or the simplest within one standard error of it. By default the former within a
    /// budget of rules, and the latter without one.
    pub select: Option<SelectionRule>,
    /// The maximum number of rules in the model.
    pub max_rules: Option<usize>,
    /// The maximum number of rules per explanation, on average over the training rows.
    pub max_local_rules: Option<f64>,
    /// Apply `max_local_rules` to every training row, not only to their average.
    pub max_local_rules_any: bool,
}

/// What the choice among models goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The chance that a positive row scores above a negative one.
    Auc,
    /// The mean of −ln of the probability that the right class was given.
    LogLoss,
    /// The share of rows with the right label.
    Accuracy,
    /// The harmonic mean of precision and recall.
    F1,
    /// The root of the mean squared error.
    Rmse,
    /// The share of the target's variance that is explained.
    R2,
}

/// Which of the validated models is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SelectionRule {
    /// The best by the metric.
    Best,
    /// The one of the fewest rules per explanation, then of the fewest rules, within one standard error of the best.
    OneSe,
}

/// How models are chosen, checked against the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectionSettings {
    /// What the choice goes by.
    pub measure: Measure,
    /// Which is chosen.
    pub rule: SelectionRule,
    /// How large models may be.
    pub budget: SizeBudget,
}

/// How large a model may be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SizeBudget {
    /// The most rules.
    pub max_rules: Option<usize>,
    /// The most rules per explanation.
    pub max_local_rules: Option<f64>,
    /// Whether that holds for every row instead of the mean.
    pub any_row: bool,
}

impl SizeBudget {
    /// Whether there is no limit.
    pub fn is_unlimited(&self) -> bool {
        self.max_rules.is_none() && self.max_local_rules.is_none()
    }
}

impl Default for SelectionOptions {
    fn default() -> Self {
        Self {
            cv: 5,
            validation_share: None,
            metric: None,
            select: None,
            max_rules: None,
            max_local_rules: None,
            max_local_rules_any: false,
        }
    }
}

impl Group for SelectionOptions {
    fn purpose(option: &str) -> Purpose {
        match option {
            "cv" => Purpose::Folds,
            "validation_share" => Purpose::HeldOut,
            "metric" | "select" => Purpose::Choice,
            _ => Purpose::Budget,
        }
    }

    fn check(&self) -> Result<()> {
        at_least("cv", self.cv, 2)?;
        from_zero_up("max_local_rules", self.max_local_rules)?;
        if let Some(share) = self.validation_share.filter(|share| !(*share > 0.0 && *share < 1.0)) {
            return Err(Error::config("validation_share", format!("{share} is not a share between 0 and 1")));
        }
        if self.max_local_rules_any && self.max_local_rules.is_none() {
            let message = "it says how max_local_rules is meant; give both";
            return Err(Error::config("max_local_rules_any", message));
        }
        Ok(())
    }
}

impl SelectionOptions {
    /// How large models may be.
    pub fn budget(&self) -> SizeBudget {
        SizeBudget {
            max_rules: self.max_rules,
            max_local_rules: self.max_local_rules,
            any_row: self.max_local_rules_any,
        }
    }

    /// The same without a budget, which holds for the rows that a model was chosen on.
    pub(super) fn without_budget(&self) -> Self {
        Self { max_rules: None, max_local_rules: None, max_local_rules_any: false, ..self.clone() }
    }

    /// Which model is chosen where nothing else is said.
    pub(super) fn default_rule(&self) -> SelectionRule {
        if self.budget().is_unlimited() { SelectionRule::OneSe } else { SelectionRule::Best }
    }

    /// Checked against the target.
    pub(super) fn settings(&self, target: &Target) -> Result<SelectionSettings> {
        let metric = self.metric.unwrap_or(match target.classes().len() {
            0 => Metric::Rmse,
            2 => Metric::Auc,
            // Among several classes it is not enough to rank the rows of each.
            _ => Metric::LogLoss,
        });
        if metric.task() != target.task() {
            let is = match metric.task() {
                Task::Classification => "classes",
                Task::Regression => "numbers",
            };
            let others = Metric::names_of(target.task());
            return Err(Error::config("metric", format!("this is a measure of {is}; give {others}")));
        }
        let rule = self.select.unwrap_or(SelectionRule::Best);
        Ok(SelectionSettings { measure: metric.measure(), rule, budget: self.budget() })
    }
}

impl Metric {
    /// All there are.
    pub const ALL: [Self; 6] = [Self::Auc, Self::LogLoss, Self::Accuracy, Self::F1, Self::Rmse, Self::R2];

    /// The name, as users write it.
    pub const fn name(self) -> &'static str {
        self.measure().key()
    }

    /// What it is a measure of: predicted classes, or numbers.
    pub fn task(self) -> Task {
        if Measure::OF_NUMBERS.contains(&self.measure()) { Task::Regression } else { Task::Classification }
    }

    /// The names of all that measure such predictions, as a list in a sentence.
    fn names_of(task: Task) -> String {
        let of_task = Self::ALL.into_iter().filter(|metric| metric.task() == task);
        let names: Vec<String> = of_task.map(|metric| format!("`{}`", metric.name())).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => names.concat(),
        }
    }

    /// The measure of that name.
    pub const fn measure(self) -> Measure {
        match self {
            Self::Auc => Measure::Auc,
            Self::LogLoss => Measure::LogLoss,
            Self::Accuracy => Measure::Accuracy,
            Self::F1 => Measure::F1,
            Self::Rmse => Measure::Rmse,
            Self::R2 => Measure::R2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A metric that is missing in the list could not be typed.
    #[test]
    fn all_metrics_are_listed_by_the_names_that_files_use() {
        let names = Metric::ALL.map(Metric::name);
        for name in names {
            let metric: Metric = serde_json::from_str(&format!("{name:?}")).unwrap();
            assert_eq!(metric.name(), name);
        }
        // Serde's message lists the variants.
        let message = serde_json::from_str::<Metric>("\"none\"").unwrap_err().to_string();
        assert_eq!(message.matches('`').count() / 2 - 1, names.len(), "{message}");
        assert_eq!(Metric::names_of(Task::Regression), "`rmse` or `r2`");
        assert_eq!(Metric::names_of(Task::Classification), "`auc`, `log_loss`, `accuracy` or `f1`");
    }
}
