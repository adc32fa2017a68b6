//! Every option of a fit, as users write it: in a TOML file, on the command line, in Python.

mod settings;
mod uses;
mod wishes;

pub use settings::{SelectionSettings, Settings, SizeBudget};
pub use uses::Learner;
pub use wishes::{
    BaseRate, BaseRateSource, CalibrationKind, ClassWeight, ClassWeightRule, Method, Metric, SelectionRule,
};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::forest::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator};
use crate::model::{Model, Options};
use crate::objective::{LossKind, PenaltyKind};
use crate::rules::{Direction, RuleConfig};
use crate::solver::{Search, SolverConfig};
use crate::table::{ColumnOptions, DatasetOptions, Task};

/// The options of a fit. Each name is the same in a configuration file and, with dashes, on the command line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // Each is an option of its own.
pub struct Config {
    /// The column to predict.
    pub target: String,
    /// Whether the target holds classes or numbers; what it looks like if absent.
    pub task: Option<Task>,
    /// The label of the positive class of two; the rarer one if absent.
    pub positive: Option<String>,
    /// The column that says how much each row counts.
    pub weight_column: Option<String>,
    /// Columns that are categories even if they look like numbers.
    pub categorical: Vec<String>,
    /// Columns that must be numbers.
    pub numeric: Vec<String>,
    /// Columns that are not used.
    pub drop: Vec<String>,
    /// Texts that stand for a missing value, beside the empty cell.
    pub missing: Vec<String>,
    /// Leave rows without a target out instead of refusing them.
    pub drop_missing_target: bool,
    /// Columns that no rule may use unless `allow_sensitive`.
    pub sensitive: Vec<String>,
    /// Let rules use sensitive columns; they are still named in reports.
    pub allow_sensitive: bool,
    /// Columns that stay in the table, for reports, but in no rule.
    pub forbid_in_rules: Vec<String>,
    /// Features that the prediction must rise or fall with.
    pub monotone: BTreeMap<String, Direction>,
    /// How much the rows of each class count: `balanced`, or a weight for each class. Labels follow the weighted rows;
    /// probabilities refer to the rows as they are, or to `base_rate`.
    pub class_weight: Option<ClassWeight>,
    /// The class shares that probabilities refer to: `data` for those of the training rows, which is the default with
    /// class weights, or the share of the positive class. Labels do not change by it.
    pub base_rate: Option<BaseRate>,

    /// How the model is learned.
    pub method: Method,

    /// How the trees are grown whose nodes become candidate rules.
    pub tree_generator: TreeGenerator,
    /// The number of trees.
    pub n_estimators: usize,
    /// The depth of the trees: the most conditions that a rule is made of.
    pub max_depth: usize,
    /// The most leaves of a tree; with it the best leaf is split first.
    pub max_leaves: Option<usize>,
    /// Features tried at each split: `all`, `sqrt`, `log2`, a share or a number. By default all for boosting,
    /// `sqrt` for forests.
    pub max_features: Option<FeatureSampling>,
    /// Rows of each tree: `all`, `bootstrap` or a share. By default `bootstrap` for a random forest, else all.
    pub subsample: Option<RowSampling>,
    /// Boosting: the share of each tree's step that is taken.
    pub learning_rate: f64,
    /// The least weight of a leaf, in rows.
    pub min_leaf_weight: f64,
    /// The least share of the training weight that a rule covers; other than the default also of the rows themselves.
    pub min_coverage: f64,
    /// The fewest training rows that a rule covers, counted and by weight. By default 5 by weight.
    pub min_rows: Option<f64>,
    /// The most conditions of a rule.
    pub max_rule_length: Option<usize>,
    /// Candidates as in the paper: no least coverage, rules of different text all kept, each category value a
    /// column of its own when features are sampled.
    pub paper_candidates: bool,

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
    /// How the rules are chosen.
    pub search: Search,
    /// The most moves of the search.
    pub max_moves: usize,
    /// `rulefit`: let numeric features enter as they are too, winsorised.
    pub linear_terms: bool,
    /// Folds of the cross-validation that chooses gamma and lambda.
    pub cv: usize,
    /// Choose on one part of the rows, this share of them, held out instead of a cross-validation.
    pub validation_share: Option<f64>,
    /// What the choice goes by: by default `auc` for two classes, `log_loss` for several, `rmse` for numbers.
    pub metric: Option<Metric>,
    /// Which model is chosen: the best, or the simplest within one standard error of it. By default the former within a
    /// budget of rules, and the latter without one.
    pub select: Option<SelectionRule>,
    /// The most rules of the model.
    pub max_rules: Option<usize>,
    /// The most rules per explanation, as the mean over the training rows.
    pub max_local_rules: Option<f64>,
    /// Let `max_local_rules` hold for every training row, not only for their mean.
    pub max_local_rules_any: bool,
    /// `glrm`: the price of a rule.
    pub lambda0: f64,
    /// `glrm`: the price of each condition of a rule; by default a fifth of lambda0.
    pub lambda1: Option<f64>,
    /// `glrm`: rules that are followed at a time when a better one is sought.
    pub beam_width: usize,
    /// `glrm`: the most conditions of a rule.
    pub max_degree: usize,
    /// `glrm`: the most rules that are sought.
    pub max_rounds: usize,
    /// `glrm`: re-fit the weights without penalty in the end.
    pub debias: bool,
    /// Seconds after which the fit ends with the best model so far.
    pub time_limit: Option<f64>,

    /// Correct probabilities by scores of rows left out in turn, `cv` parts of them: `platt` or `isotonic`.
    pub calibrate: Option<CalibrationKind>,
    /// The probability above which a row is labelled positive; without it a positive score decides.
    pub threshold: Option<f64>,
    /// Decides all that is drawn.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        let forest = ForestConfig::default();
        let rules = RuleConfig::default();
        Self {
            target: String::new(),
            task: None,
            positive: None,
            weight_column: None,
            categorical: Vec::new(),
            numeric: Vec::new(),
            drop: Vec::new(),
            missing: Vec::new(),
            drop_missing_target: false,
            sensitive: Vec::new(),
            allow_sensitive: false,
            forbid_in_rules: Vec::new(),
            monotone: BTreeMap::new(),
            class_weight: None,
            base_rate: None,
            method: Method::Lire,
            tree_generator: forest.generator,
            n_estimators: forest.n_trees,
            max_depth: 3,
            max_leaves: None,
            max_features: None,
            subsample: None,
            learning_rate: forest.learning_rate,
            min_leaf_weight: forest.min_leaf_weight,
            min_coverage: rules.min_coverage,
            min_rows: None,
            max_rule_length: None,
            paper_candidates: false,
            loss: None,
            penalty: PenaltyKind::Ratio,
            gamma: None,
            lambda: None,
            ridge: None,
            search: Search::Best,
            max_moves: SolverConfig::default().max_moves,
            linear_terms: false,
            cv: 5,
            validation_share: None,
            metric: None,
            select: None,
            max_rules: None,
            max_local_rules: None,
            max_local_rules_any: false,
            lambda0: 0.001,
            lambda1: None,
            beam_width: 1,
            max_degree: 10,
            max_rounds: 200,
            debias: true,
            time_limit: None,
            calibrate: None,
            threshold: None,
            seed: 0,
        }
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

/// The default price of a condition, as a share of the price of a rule.
const LAMBDA1_SHARE: f64 = 0.2;

fn default_ridge(n_rows: f64) -> f64 {
    (RIDGE_ROWS / n_rows * (MANY_ROWS / n_rows).min(1.0).powi(2)).clamp(MIN_RIDGE, MAX_RIDGE)
}

impl Config {
    /// The same with the defaults filled in that depend on the method, the task and the number of rows.
    pub fn completed(&self, task: Task, n_rows: f64) -> Self {
        let loss = match task {
            Task::Regression => LossKind::Squared,
            Task::Classification => LossKind::Logistic,
        };
        // Class weights are to move labels, not what a probability says of the rows; calibrated ones need no correction.
        let weighted = self.class_weight.is_some() && self.calibrate.is_none();
        let base_rate = weighted.then_some(BaseRate::From(BaseRateSource::Data));
        let has_budget = self.max_rules.is_some() || self.max_local_rules.is_some();
        let select = if has_budget { SelectionRule::Best } else { SelectionRule::OneSe };
        let (is_lire, is_glrm) = (self.method == Method::Lire, self.method == Method::Glrm);
        Self {
            task: Some(task),
            loss: self.loss.or(Some(loss)),
            lambda1: self.lambda1.or(is_glrm.then_some(LAMBDA1_SHARE * self.lambda0)),
            base_rate: self.base_rate.or(base_rate),
            select: self.select.or((is_lire && self.compares()).then_some(select)),
            ridge: self.ridge.or(is_lire.then(|| default_ridge(n_rows))),
            ..self.clone()
        }
    }

    /// The same with the choice of a model settled: neither a budget, which holds for the rows that it was chosen on,
    /// nor what the choice went by.
    #[must_use]
    pub fn settled(&self) -> Self {
        let free =
            Self { max_rules: None, max_local_rules: None, max_local_rules_any: false, ..self.clone() };
        free.reduced(Learner::Rules(self.method))
    }

    /// The options that a model was made with.
    pub fn of_model(model: &Model) -> Result<Self> {
        let unknown = |error| Error::model("config", format!("{error}; a newer lire may know this option"));
        model.file().config.to().map_err(unknown)
    }

    /// As the model file stores them.
    pub fn to_options(&self) -> Options {
        Options::of(self).expect("options have string keys and no failing parts")
    }

    /// What the readers of a table need to know.
    pub fn dataset_options(&self) -> DatasetOptions {
        DatasetOptions {
            target: self.target.clone(),
            task: self.task,
            positive: self.positive.clone(),
            weight_column: self.weight_column.clone(),
            drop_missing_target: self.drop_missing_target,
            columns: ColumnOptions {
                categorical: self.categorical.clone(),
                numeric: self.numeric.clone(),
                drop: self.drop.clone(),
                missing: self.missing.clone(),
            },
        }
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
        let given = Config { ridge: Some(0.5), ..Config::default() };
        assert_eq!(given.completed(Task::Classification, 1e5).ridge, Some(0.5));
    }
}
