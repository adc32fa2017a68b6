//! What is minimised: the loss, and what rules and weights cost.

use serde::{Deserialize, Serialize};

use super::Method;
use super::flat::Group;
use super::ranges::from_zero_up;
use super::uses::Purpose;
use crate::error::{Error, Result};
use crate::objective::{LossKind, PenaltyKind};
use crate::table::Task;

/// The terms of the objective.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ObjectiveOptions {
    /// The loss: by default `logistic` for classes and `squared` for numbers; the paper's is `exponential`.
    pub loss: Option<LossKind>,
    /// How lambda charges the rules per explanation.
    pub penalty: PenaltyKind,
    /// The price of a rule in the model; of `rulefit` the l1 penalty. Chosen by validation if absent.
    pub gamma: Option<f64>,
    /// The price of rules per explanation. Chosen by validation if absent.
    pub lambda: Option<f64>,
    /// Shrinks the weights. By default 60 / rows up to 10,000 rows and less beyond, within 0.0002 and 0.03.
    pub ridge: Option<f64>,
}

impl Group for ObjectiveOptions {
    fn purpose(option: &str) -> Purpose {
        match option {
            "loss" => Purpose::All,
            "gamma" => Purpose::Gamma,
            _ => Purpose::Lire,
        }
    }

    fn check(&self) -> Result<()> {
        from_zero_up("gamma", self.gamma)?;
        from_zero_up("lambda", self.lambda)?;
        from_zero_up("ridge", self.ridge)
    }
}

/// The default ridge where there are rows enough.
const MIN_RIDGE: f64 = 0.0002;
/// With few rows most rules are pure, and only the ridge keeps their weights from growing without reason.
const RIDGE_ROWS: f64 = 60.0;
/// Beyond so many rows it falls with their cube: what is learned from them hardly needs it any more, and weights that
/// it holds down call for more rules.
const MANY_ROWS: f64 = 1e4;
/// The default ridge where there are few rows: more would leave hardly any weight.
const MAX_RIDGE: f64 = 0.03;

fn default_ridge(n_rows: f64) -> f64 {
    (RIDGE_ROWS / n_rows * (MANY_ROWS / n_rows).min(1.0).powi(2)).clamp(MIN_RIDGE, MAX_RIDGE)
}

impl ObjectiveOptions {
    /// The same with the defaults that depend on the method, the task and the number of rows.
    pub(super) fn completed(&self, method: Method, task: Task, n_rows: f64) -> Self {
        let loss = match task {
            Task::Regression => LossKind::Squared,
            Task::Classification => LossKind::Logistic,
        };
        let ridge = (method == Method::Lire).then(|| default_ridge(n_rows));
        Self { loss: self.loss.or(Some(loss)), ridge: self.ridge.or(ridge), ..self.clone() }
    }

    /// The loss, if the method can minimise it for what is predicted.
    pub(super) fn checked_loss(&self, method: Method, task: Task) -> Result<LossKind> {
        let loss = self.loss.unwrap_or_default();
        let wrong = match (task, loss, method) {
            (Task::Regression, LossKind::Exponential | LossKind::Logistic, _) => {
                "this loss is for classes; a number is predicted with `squared`"
            }
            (Task::Classification, LossKind::Squared, _) => {
                "this loss is for numbers; classes are predicted with `exponential` or `logistic`"
            }
            (Task::Classification, LossKind::Exponential, Method::Rulefit | Method::Glrm) => {
                "this method minimises the `logistic` loss of classes; the exponential loss is for `lire`"
            }
            (Task::Regression, LossKind::Squared, _)
            | (Task::Classification, LossKind::Logistic, _)
            | (Task::Classification, LossKind::Exponential, Method::Lire) => return Ok(loss),
        };
        Err(Error::config("loss", wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_ridge_falls_with_the_rows_as_documented() {
        let documented = [
            (0.0, 0.03),
            (1_000.0, 0.03),
            (6_000.0, 0.01),
            (10_000.0, 0.006),
            (20_000.0, 0.00075),
            (1e7, 0.0002),
        ];
        for (n_rows, ridge) in documented {
            assert!(
                (default_ridge(n_rows) - ridge).abs() < 1e-12,
                "{n_rows} rows: {}",
                default_ridge(n_rows)
            );
        }
    }

    #[test]
    fn a_ridge_that_is_given_stays() {
        let given = ObjectiveOptions { ridge: Some(0.5), ..Default::default() };
        assert_eq!(given.completed(Method::Lire, Task::Classification, 1e5).ridge, Some(0.5));
    }
}
