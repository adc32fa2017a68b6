//! A configuration checked against the data, and taken apart.

use super::{BaseRate, ClassWeight, Config, Method, Metric, SelectionRule};
use crate::error::{Error, Result};
use crate::forest::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator};
use crate::measure::Measure;
use crate::objective::{LossKind, PenaltyKind};
use crate::rules::{Direction, RuleConfig};
use crate::solver::SolverConfig;
use crate::table::{FeatureKind, Schema, Target, Task};

/// A configuration that was checked and taken apart: each stage gets what it needs and no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// For growing trees.
    pub forest: ForestConfig,
    /// For choosing candidates.
    pub rules: RuleConfig,
    /// For the solver.
    pub solver: SolverConfig,
    /// The loss.
    pub loss: LossKind,
    /// ρ.
    pub ridge: f64,
    /// The form of the penalty.
    pub penalty: PenaltyKind,
    /// γ; none where it is to be chosen.
    pub gamma: Option<f64>,
    /// λ; none where it is to be chosen.
    pub lambda: Option<f64>,
    /// What models are chosen by, and what they may need.
    pub selection: SelectionSettings,
    /// How the prediction must follow each feature.
    pub monotone: Vec<Option<Direction>>,
    /// Features that no rule and no linear term may use.
    pub excluded: Vec<usize>,
}

/// How models are chosen.
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

impl Config {
    /// Refuses values that cannot be meant for this data, and takes the rest apart. Defaults must have been filled in
    /// by [`Config::completed`].
    pub fn check(&self, schema: &Schema, target: &Target) -> Result<Settings> {
        self.check_values()?;
        self.check_used()?;
        self.check_task(target)?;
        let excluded = self.excluded(schema)?;
        let settings = Settings {
            forest: self.forest(&excluded),
            rules: self.rules(),
            solver: SolverConfig { search: self.search, max_moves: self.max_moves },
            loss: self.checked_loss(target.task())?,
            ridge: self.ridge.unwrap_or(0.0),
            penalty: self.penalty,
            gamma: self.gamma,
            lambda: self.lambda,
            selection: self.selection(target)?,
            monotone: self.constraints(schema, target)?,
            excluded,
        };
        Ok(settings)
    }

    /// Refuses values that cannot be meant for any data.
    pub fn check_values(&self) -> Result<()> {
        self.forest(&[]).check().map_err(as_users_know_it)?;
        self.rules().check()?;
        let prices = [
            ("gamma", self.gamma),
            ("lambda", self.lambda),
            ("max_local_rules", self.max_local_rules),
            ("ridge", self.ridge),
            ("lambda0", Some(self.lambda0)),
            ("lambda1", self.lambda1),
        ];
        for (parameter, value) in prices {
            if let Some(value) = value.filter(|value| !(*value >= 0.0 && value.is_finite())) {
                return Err(Error::config(parameter, format!("{value} is not a number from 0 up")));
            }
        }
        if let Some(threshold) = self.threshold.filter(|threshold| !(0.0..=1.0).contains(threshold)) {
            return Err(Error::config("threshold", format!("{threshold} is not a probability from 0 to 1")));
        }
        if let Some(share) = self.validation_share.filter(|share| !(*share > 0.0 && *share < 1.0)) {
            return Err(Error::config("validation_share", format!("{share} is not a share between 0 and 1")));
        }
        if self.max_local_rules_any && self.max_local_rules.is_none() {
            return Err(Error::config(
                "max_local_rules_any",
                "it says how max_local_rules is meant; give both",
            ));
        }
        if self.allow_sensitive && self.sensitive.is_empty() {
            let message = "no column is declared sensitive; declare some, or leave it out";
            return Err(Error::config("allow_sensitive", message));
        }
        if let Some(seconds) = self.time_limit.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite())) {
            return Err(Error::config("time_limit", format!("{seconds} is not a number of seconds above 0")));
        }
        for (parameter, value, least) in
            [("cv", self.cv, 2), ("beam_width", self.beam_width, 1), ("max_degree", self.max_degree, 1)]
        {
            if value < least {
                return Err(Error::config(parameter, format!("{value} is too few; give {least} or more")));
            }
        }
        Ok(())
    }

    /// Refuses options that make no sense for what is predicted.
    fn check_task(&self, target: &Target) -> Result<()> {
        let two_classes = target.classes().len() == 2;
        let only_for = |parameter: &str, what: &str| {
            Err(Error::config(parameter, format!("this is for {what}, which `{}` is not", target.name)))
        };
        if self.threshold.is_some() && !two_classes {
            return only_for("threshold", "a target of two classes");
        }
        if target.task() == Task::Regression {
            if self.class_weight.is_some() {
                return only_for("class_weight", "a target of classes");
            }
            if self.base_rate.is_some() {
                return only_for("base_rate", "a target of classes");
            }
            if self.calibrate.is_some() {
                return only_for("calibrate", "a target of classes");
            }
        }
        if self.calibrate.is_some() && self.base_rate.is_some() {
            let message =
                "calibrated probabilities already refer to the rows as they are; leave base_rate out";
            return Err(Error::config("calibrate", message));
        }
        match self.base_rate {
            Some(BaseRate::Share(_)) if !two_classes => {
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
            _ => {}
        }
        if let Some(ClassWeight::Given(weights)) = &self.class_weight {
            let known =
                || target.classes().iter().map(|class| format!("`{class}`")).collect::<Vec<_>>().join(", ");
            for (class, weight) in weights {
                if !target.classes().contains(class) {
                    let message =
                        format!("`{class}` is no class of `{}`, which has {}", target.name, known());
                    return Err(Error::config("class_weight", message));
                }
                if !(*weight > 0.0 && weight.is_finite()) {
                    let message = format!("the weight {weight} of class `{class}` is not a number above 0");
                    return Err(Error::config("class_weight", message));
                }
            }
        }
        Ok(())
    }

    fn selection(&self, target: &Target) -> Result<SelectionSettings> {
        let metric = self.metric.unwrap_or(match target.classes().len() {
            0 => Metric::Rmse,
            2 => Metric::Auc,
            // Among several classes it is not enough to rank the rows of each.
            _ => Metric::LogLoss,
        });
        let of_numbers = matches!(metric, Metric::Rmse | Metric::R2);
        if of_numbers != (target.task() == Task::Regression) {
            let (is, others) = if of_numbers {
                ("numbers", "`auc`, `log_loss`, `accuracy` or `f1`")
            } else {
                ("classes", "`rmse` or `r2`")
            };
            return Err(Error::config("metric", format!("this is a measure of {is}; give {others}")));
        }
        let budget = SizeBudget {
            max_rules: self.max_rules,
            max_local_rules: self.max_local_rules,
            any_row: self.max_local_rules_any,
        };
        let rule = self.select.unwrap_or(SelectionRule::Best);
        Ok(SelectionSettings { measure: metric.measure(), rule, budget })
    }

    fn checked_loss(&self, task: Task) -> Result<LossKind> {
        let loss = self.loss.unwrap_or_default();
        let wrong = match (task, loss, self.method) {
            (Task::Regression, LossKind::Exponential | LossKind::Logistic, _) => {
                "this loss is for classes; a number is predicted with `squared`"
            }
            (Task::Classification, LossKind::Squared, _) => {
                "this loss is for numbers; classes are predicted with `exponential` or `logistic`"
            }
            (Task::Classification, LossKind::Exponential, Method::Rulefit | Method::Glrm) => {
                "this method minimises the `logistic` loss of classes; the exponential loss is for `lire`"
            }
            _ => return Ok(loss),
        };
        Err(Error::config("loss", wrong))
    }

    fn constraints(&self, schema: &Schema, target: &Target) -> Result<Vec<Option<Direction>>> {
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

    /// The positions of the features that stay out of rules. A sensitive column that is no feature (the target, a
    /// constant) cannot reach a rule anyway; a forbidden one that does not exist is a mistake.
    fn excluded(&self, schema: &Schema) -> Result<Vec<usize>> {
        let mut excluded: Vec<usize> = if self.allow_sensitive {
            Vec::new()
        } else {
            self.sensitive.iter().filter_map(|name| schema.position(name)).collect()
        };
        for name in &self.forbid_in_rules {
            let Some(position) = schema.position(name) else {
                let message = format!("there is no feature `{name}`{}", schema.advice(name));
                return Err(Error::config("forbid_in_rules", message));
            };
            excluded.push(position);
        }
        excluded.sort_unstable();
        excluded.dedup();
        Ok(excluded)
    }

    fn forest(&self, excluded: &[usize]) -> ForestConfig {
        let forests = self.tree_generator != TreeGenerator::Boosting;
        let features = if forests { FeatureSampling::Sqrt } else { FeatureSampling::All };
        let bootstrap = self.tree_generator == TreeGenerator::RandomForest;
        let rows = if bootstrap { RowSampling::Bootstrap } else { RowSampling::All };
        ForestConfig {
            generator: self.tree_generator,
            n_trees: self.n_estimators,
            max_depth: Some(self.max_depth),
            max_leaves: self.max_leaves,
            features_per_split: self.max_features.unwrap_or(features),
            row_sampling: self.subsample.unwrap_or(rows),
            learning_rate: self.learning_rate,
            min_leaf_weight: self.min_leaf_weight,
            levels_as_columns: self.paper_candidates,
            excluded: excluded.to_vec(),
            seed: self.seed,
            ..Default::default()
        }
    }

    fn rules(&self) -> RuleConfig {
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

/// The forest's own parameter names, as users of the configuration know them.
fn as_users_know_it(error: Error) -> Error {
    match error {
        Error::Config { parameter, message } => {
            let known = match parameter.as_str() {
                "n_trees" => "n_estimators",
                "features_per_split" => "max_features",
                "row_sampling" => "subsample",
                other => other,
            };
            Error::config(known, message)
        }
        other => other,
    }
}
