//! Every option of a fit, as users write it: in a TOML file, on the command line, in Python.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::forest::{FeatureSampling, ForestConfig, RowSampling, TreeGenerator};
use crate::objective::{LossKind, PenaltyKind};
use crate::rules::{DistinctBy, RuleConfig};
use crate::solver::{Search, SolverConfig};
use crate::table::{DatasetOptions, ReadOptions, Schema};

/// The options of a fit. Each name is the same in a configuration file and, with dashes, on the command line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The column to predict.
    pub target: String,
    /// The label of the positive class; the rarer one if absent.
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
    /// The least share of the training weight that a rule covers.
    pub min_coverage: f64,
    /// The least training weight that a rule covers, in rows.
    pub min_rows: f64,
    /// The most conditions of a rule.
    pub max_rule_length: Option<usize>,
    /// Candidates as in the paper: no least coverage, rules of different text all kept, each category value a
    /// column of its own when features are sampled.
    pub paper_candidates: bool,

    /// The loss.
    pub loss: LossKind,
    /// How lambda charges the rules per explanation.
    pub penalty: PenaltyKind,
    /// The price of a rule in the model. By default 0.0005, or 3 / rows if that is more.
    pub gamma: Option<f64>,
    /// The price of rules per explanation.
    pub lambda: f64,
    /// Shrinks the weights. By default 0.001, or 10 / rows if that is more.
    pub ridge: Option<f64>,
    /// How the rules are chosen.
    pub search: Search,
    /// The most moves of the search.
    pub max_moves: usize,
    /// Seconds after which the fit ends with the best model so far.
    pub time_limit: Option<f64>,

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
            positive: None,
            weight_column: None,
            categorical: Vec::new(),
            numeric: Vec::new(),
            drop: Vec::new(),
            missing: Vec::new(),
            drop_missing_target: false,
            sensitive: Vec::new(),
            allow_sensitive: false,
            tree_generator: forest.generator,
            n_estimators: forest.n_trees,
            max_depth: 3,
            max_leaves: None,
            max_features: None,
            subsample: None,
            learning_rate: forest.learning_rate,
            min_leaf_weight: forest.min_leaf_weight,
            min_coverage: rules.min_coverage,
            min_rows: rules.min_rows,
            max_rule_length: None,
            paper_candidates: false,
            loss: LossKind::Exponential,
            penalty: PenaltyKind::Ratio,
            gamma: None,
            lambda: 0.1,
            ridge: None,
            search: Search::Best,
            max_moves: SolverConfig::default().max_moves,
            time_limit: None,
            threshold: None,
            seed: 0,
        }
    }
}

/// A configuration that was checked and taken apart: each stage gets what it needs and no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// For growing trees.
    pub forest: ForestConfig,
    /// For choosing candidates.
    pub rules: RuleConfig,
    /// For the solver.
    pub solver: SolverConfig,
    /// ρ.
    pub ridge: f64,
    /// The form of the penalty.
    pub penalty: PenaltyKind,
    /// γ.
    pub gamma: f64,
    /// λ.
    pub lambda: f64,
}

/// The default γ where there are rows enough.
const MIN_GAMMA: f64 = 0.0005;
/// The default ridge where there are rows enough.
const MIN_RIDGE: f64 = 0.001;
/// What a rule of no worth gains by chance falls with the number of rows; γ must not be below it. On the shipped
/// example (303 rows) this and the ridge below give 13 rules instead of 66, and better predictions.
const GAMMA_ROWS: f64 = 3.0;
/// With few rows most rules are pure, and only the ridge keeps their weights from growing without reason.
const RIDGE_ROWS: f64 = 10.0;

impl Config {
    /// The same with the defaults that depend on the number of rows filled in.
    pub fn for_rows(&self, n_rows: f64) -> Self {
        Self {
            gamma: self.gamma.or(Some(MIN_GAMMA.max(GAMMA_ROWS / n_rows))),
            ridge: self.ridge.or(Some(MIN_RIDGE.max(RIDGE_ROWS / n_rows))),
            ..self.clone()
        }
    }

    /// What the readers of a table need to know.
    pub fn dataset_options(&self) -> DatasetOptions {
        DatasetOptions {
            target: self.target.clone(),
            positive: self.positive.clone(),
            weight_column: self.weight_column.clone(),
            drop_missing_target: self.drop_missing_target,
            read: ReadOptions {
                categorical: self.categorical.clone(),
                numeric: self.numeric.clone(),
                drop: self.drop.clone(),
                missing: self.missing.clone(),
                ..Default::default()
            },
        }
    }

    /// Refuses values that cannot be meant, and takes the rest apart.
    pub fn check(&self, schema: &Schema) -> Result<Settings> {
        let (gamma, ridge) = (self.gamma.unwrap_or(MIN_GAMMA), self.ridge.unwrap_or(MIN_RIDGE));
        for (parameter, value) in [("gamma", gamma), ("lambda", self.lambda), ("ridge", ridge)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::config(parameter, format!("{value} is not a number from 0 up")));
            }
        }
        if let Some(threshold) = self.threshold.filter(|threshold| !(0.0..=1.0).contains(threshold)) {
            return Err(Error::config("threshold", format!("{threshold} is not a probability from 0 to 1")));
        }
        if let Some(seconds) = self.time_limit.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite())) {
            return Err(Error::config("time_limit", format!("{seconds} is not a number of seconds above 0")));
        }
        let settings = Settings {
            forest: self.forest(schema),
            rules: self.rules(),
            solver: SolverConfig { search: self.search, max_moves: self.max_moves },
            ridge,
            penalty: self.penalty,
            gamma,
            lambda: self.lambda,
        };
        settings.forest.check().map_err(as_users_know_it)?;
        settings.rules.check()?;
        Ok(settings)
    }

    fn forest(&self, schema: &Schema) -> ForestConfig {
        let forests = self.tree_generator != TreeGenerator::Boosting;
        let features = if forests { FeatureSampling::Sqrt } else { FeatureSampling::All };
        let bootstrap = self.tree_generator == TreeGenerator::RandomForest;
        let rows = if bootstrap { RowSampling::Bootstrap } else { RowSampling::All };
        let excluded = if self.allow_sensitive { Vec::new() } else { self.sensitive_features(schema) };
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
            excluded,
            seed: self.seed,
            ..Default::default()
        }
    }

    fn rules(&self) -> RuleConfig {
        if self.paper_candidates {
            return RuleConfig { max_rule_length: self.max_rule_length, ..RuleConfig::paper() };
        }
        RuleConfig {
            min_coverage: self.min_coverage,
            min_rows: self.min_rows,
            max_rule_length: self.max_rule_length,
            distinct: DistinctBy::Coverage,
        }
    }

    /// The positions of the sensitive features. A sensitive column that is no feature (the target, a constant)
    /// cannot reach a rule anyway.
    fn sensitive_features(&self, schema: &Schema) -> Vec<usize> {
        self.sensitive.iter().filter_map(|name| schema.position(name)).collect()
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
