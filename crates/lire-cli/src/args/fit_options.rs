//! The options of a fit: every field of [`lire::Config`], laid over a file, laid over the defaults.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lire::Config;
use lire::config::{BaseRate, ClassWeight, Learner, Metric};
use lire::forest::{FeatureSampling, RowSampling};
use lire::rules::Direction;
use serde::Serialize;
use serde_json::{Map, Value};

use super::values::{base_rate, class_weight, directions, finite, whole};
use crate::exit::Failure;

/// The options of a fit. Those that were not given are not serialised.
#[derive(Debug, Args, Serialize)]
pub struct FitOptions {
    /// Read options from a TOML file, named as here with `_` for `-`; the command line takes precedence.
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// What that file says of the fit.
    #[arg(skip)]
    #[serde(skip)]
    pub(super) file: Map<String, Value>,
    #[command(flatten)]
    #[serde(flatten)]
    data: DataOptions,
    #[command(flatten)]
    #[serde(flatten)]
    candidates: CandidateOptions,
    #[command(flatten)]
    #[serde(flatten)]
    choice: ChoiceOptions,
    #[command(flatten)]
    #[serde(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    other_methods: OtherMethodOptions,
}

impl FitOptions {
    /// What a fit is to be done by, checked as far as that goes without data: no option is without effect.
    pub fn effective(&self) -> Result<Config, Failure> {
        let config = self.config()?;
        let learner = Learner::Rules(config.method);
        self.check_each(&config, |option| config.check_option(option, learner))?;
        Ok(config)
    }

    /// Defaults, then the file, then the command line. The values are checked, but not whether they have an effect.
    pub fn config(&self) -> Result<Config, Failure> {
        let mut options = self.file.clone();
        options.extend(self.typed()?);
        let config: Config = serde_json::from_value(Value::Object(options)).map_err(unexpected)?;
        config.check_values()?;
        Ok(config)
    }

    /// Checks each option that was typed, and each that a file has changed from its default.
    pub fn check_each(
        &self,
        config: &Config,
        check: impl Fn(&str) -> lire::Result<()>,
    ) -> Result<(), Failure> {
        let typed = self.typed()?;
        let changed = config.changed().into_iter().filter(|option| !typed.contains_key(*option));
        for option in typed.keys().map(String::as_str).chain(changed) {
            check(option)?;
        }
        Ok(())
    }

    /// What was typed, by name.
    fn typed(&self) -> Result<Map<String, Value>, Failure> {
        match serde_json::to_value(self).map_err(unexpected)? {
            Value::Object(options) => Ok(options),
            _ => Ok(Map::new()),
        }
    }
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "The data")]
struct DataOptions {
    /// The column to predict.
    #[arg(long, value_name = "COLUMN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    /// Whether the target holds classes or numbers; detected by default.
    #[arg(long, value_name = "TASK", value_parser = ["classification", "regression"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    /// The label, of two, whose probability is predicted; the rarer one by default.
    #[arg(long, value_name = "LABEL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<String>,
    /// The column with the weight of each row.
    #[arg(long, value_name = "COLUMN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    weight_column: Option<String>,
    /// The column of groups: rows of equal values, such as the visits of one patient, stay together wherever rows are
    /// divided, so that measures hold for new ones. It is no feature.
    #[arg(long, value_name = "COLUMN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<String>,
    /// The column of times: models learn from earlier rows and are validated on later ones. It is no feature.
    #[arg(long, value_name = "COLUMN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    /// Columns that are categories even if they look like numbers or dates.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    categorical: Option<Vec<String>>,
    /// Columns that must be numbers.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    numeric: Option<Vec<String>>,
    /// Columns that are not used.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    drop: Option<Vec<String>>,
    /// Texts that mean a missing value, besides the empty cell; for example `?,NA`.
    #[arg(long, value_name = "TEXTS", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Vec<String>>,
    /// Skip rows without a target instead of refusing them.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    drop_missing_target: bool,
    /// Columns that no rule may use.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitive: Option<Vec<String>>,
    /// Let rules use sensitive columns; reports name those rules.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    allow_sensitive: bool,
    /// Features that stay in the table for reports, but that no rule may use.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    forbid_in_rules: Option<Vec<String>>,
    /// Features that the prediction must rise or fall with; for example `income=increasing,debt=decreasing`.
    #[arg(long, value_name = "FEATURES", value_parser = directions)]
    #[serde(skip_serializing_if = "Option::is_none")]
    monotone: Option<BTreeMap<String, Direction>>,
    /// The weights of the classes: `balanced`, or numbers such as `yes=3,no=1`. Labels follow the
    /// weighted rows; probabilities refer to the rows as they are, or to --base-rate.
    #[arg(long, value_name = "WEIGHTS", value_parser = class_weight)]
    #[serde(skip_serializing_if = "Option::is_none")]
    class_weight: Option<ClassWeight>,
    /// The class shares that probabilities refer to: `data` for those of the rows, which is the default with class
    /// weights, or the share of the positive class. It does not change labels.
    #[arg(long, value_name = "SHARE", value_parser = base_rate)]
    #[serde(skip_serializing_if = "Option::is_none")]
    base_rate: Option<BaseRate>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Candidate rules")]
struct CandidateOptions {
    /// How to grow the trees whose nodes become candidate rules.
    #[arg(long, value_name = "KIND", value_parser = ["boosting", "random-forest", "extra-trees"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    tree_generator: Option<String>,
    /// The number of trees.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    n_estimators: Option<usize>,
    /// The depth of the trees, and so the maximum number of conditions in a rule.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_depth: Option<usize>,
    /// The maximum number of leaves of a tree; if it is given, the best leaf is split first.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_leaves: Option<usize>,
    /// Features tried at each split: all, sqrt, log2, a share such as 0.5, or a number. By default all for
    /// boosting, sqrt for forests.
    #[arg(long, value_name = "FEATURES", value_parser = sampling::<FeatureSampling>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_features: Option<FeatureSampling>,
    /// Rows of each tree: all, bootstrap, or a share such as 0.8. By default bootstrap for a random forest, else all.
    #[arg(long, value_name = "ROWS", value_parser = sampling::<RowSampling>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    subsample: Option<RowSampling>,
    /// Boosting: the learning rate, as a share of each tree's step.
    #[arg(long, value_name = "SHARE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    learning_rate: Option<f64>,
    /// The minimum weight of a leaf, in rows.
    #[arg(long, value_name = "ROWS", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    min_leaf_weight: Option<f64>,
    /// The minimum share of the rows that a rule covers.
    #[arg(long, value_name = "SHARE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    min_coverage: Option<f64>,
    /// The minimum number of rows that a rule covers, both counted and by weight; by default 5 by weight.
    #[arg(long, value_name = "ROWS", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    min_rows: Option<f64>,
    /// The maximum number of conditions in a rule.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_rule_length: Option<usize>,
    /// Candidate rules as in the paper: no minimum coverage, all rules with different texts, and a column for each
    /// category when features are sampled.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    paper_candidates: bool,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "The choice of rules")]
struct ChoiceOptions {
    /// The method: few rules per explanation, or `RuleFit`, or a generalised linear rule model.
    #[arg(long, value_name = "METHOD", value_parser = ["lire", "rulefit", "glrm"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    /// The price of each rule in the model; higher gives fewer rules. For rulefit, the l1 penalty. By default chosen by
    /// cross-validation.
    #[arg(long, value_name = "PRICE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<f64>,
    /// The price of rules per explanation; higher gives shorter explanations. By default chosen by cross-validation.
    #[arg(long, value_name = "PRICE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    lambda: Option<f64>,
    /// What lambda charges: the share of the model's rules in an explanation, or their number.
    #[arg(long, value_name = "KIND", value_parser = ["ratio", "count"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    penalty: Option<String>,
    /// Shrinks the weights. By default 60 / rows up to 10,000 rows and less beyond, within 0.0002 and 0.03.
    #[arg(long, value_name = "PRICE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    ridge: Option<f64>,
    /// The loss that is minimised: by default logistic for classes and squared for numbers; the paper's is exponential.
    #[arg(long, value_name = "LOSS", value_parser = ["exponential", "logistic", "squared"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<String>,
    /// How the rules are chosen: our search, or the algorithm of the paper.
    #[arg(long, value_name = "SEARCH", value_parser = ["best", "paper"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<String>,
    /// The maximum number of moves of the search.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_moves: Option<usize>,
    /// Seconds after which the search ends with the best model so far. `fit` spends up to half of them on the rows held
    /// out; `evaluate` gives each fit all of them.
    #[arg(long, value_name = "SECONDS", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    time_limit: Option<f64>,
    /// Calibrate probabilities on cross-validated scores: with a sigmoid of two parameters, or with any curve that never
    /// falls.
    #[arg(long, value_name = "KIND", value_parser = ["platt", "isotonic"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    calibrate: Option<String>,
    /// The probability above which a row is labelled positive; without it a positive score decides.
    #[arg(long, value_name = "PROBABILITY", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    /// The random seed: the same seed gives the same model.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "The choice of a model, unless gamma and lambda are given")]
struct SelectionOptions {
    /// The maximum number of rules in the model.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_rules: Option<usize>,
    /// The maximum number of rules per explanation, on average over the training rows.
    #[arg(long, value_name = "N", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_local_rules: Option<f64>,
    /// Apply --max-local-rules to every training row, not only to their average.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    max_local_rules_any: bool,
    /// The measure to choose by: by default `auc` for two classes, `log_loss` for several, `rmse` for numbers.
    #[arg(long, value_name = "METRIC", value_parser = Metric::ALL.map(Metric::name))]
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<String>,
    /// Which model is chosen: the best, or the simplest within one standard error of it. By default the former within a
    /// budget of rules, and the latter without one.
    #[arg(long, value_name = "RULE", value_parser = ["best", "one_se"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    select: Option<String>,
    /// Folds of the cross-validation.
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    cv: Option<usize>,
    /// Choose on this share of the rows, held out, instead of by cross-validation.
    #[arg(long, value_name = "SHARE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_share: Option<f64>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "The other methods")]
struct OtherMethodOptions {
    /// rulefit: also use numeric features as linear terms, winsorised.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_off")]
    linear_terms: bool,
    /// glrm: the price of a rule.
    #[arg(long, value_name = "PRICE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    lambda0: Option<f64>,
    /// glrm: the price of each condition of a rule; by default a fifth of lambda0.
    #[arg(long, value_name = "PRICE", value_parser = finite)]
    #[serde(skip_serializing_if = "Option::is_none")]
    lambda1: Option<f64>,
    /// glrm: the width of the beam search for a better rule.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beam_width: Option<usize>,
    /// glrm: the maximum number of conditions in a rule.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_degree: Option<usize>,
    /// glrm: the maximum number of rules to search for.
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_rounds: Option<usize>,
    /// glrm: whether to refit the weights without the penalty at the end.
    #[arg(long, value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    debias: Option<bool>,
}

fn sampling<S: std::str::FromStr<Err = lire::Error>>(text: &str) -> Result<S, String> {
    text.parse().map_err(|error| match error {
        lire::Error::Config { message, .. } => message,
        other => other.to_string(),
    })
}

#[allow(clippy::trivially_copy_pass_by_ref)] // The signature is serde's.
fn is_off(flag: &bool) -> bool {
    !*flag
}

/// Types that were checked one by one fit together; if not, say what serde says.
#[allow(clippy::needless_pass_by_value)] // For map_err.
fn unexpected(error: serde_json::Error) -> Failure {
    Failure::usage(format!("the options do not fit together: {error}"))
}
