//! Every option of a fit. Rust groups them; in files, on the command line and in Python all names stand side by side.

mod candidates;
mod classes;
mod data;
mod features;
mod flat;
mod glrm;
mod meaning;
mod method;
mod objective;
mod ranges;
mod rulefit;
mod search;
mod selection;
mod settings;
mod trees;
mod uses;

pub use candidates::CandidateOptions;
pub use classes::{BaseRate, BaseRateSource, ClassOptions, ClassWeight, ClassWeightRule};
pub use data::DataOptions;
pub use features::FeatureOptions;
pub use glrm::GlrmOptions;
pub use meaning::{CalibrationKind, MeaningOptions};
pub use method::Method;
pub use objective::ObjectiveOptions;
pub use rulefit::RulefitOptions;
pub use search::SearchOptions;
pub use selection::{Metric, SelectionOptions, SelectionRule, SelectionSettings, SizeBudget};
pub use settings::Settings;
pub use trees::TreeOptions;
pub use uses::Learner;

// Options that are types of later stages.
pub use crate::forest::{FeatureSampling, RowSampling, TreeGenerator};
pub use crate::objective::{LossKind, PenaltyKind};
pub use crate::solver::Search;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::{Model, Options};
use crate::table::Task;

/// The options of a fit. Each name is the same in a configuration file and, with dashes, on the command line.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Config {
    /// What the columns of a table are.
    #[serde(flatten)]
    pub data: DataOptions,
    /// What the model may do with its features.
    #[serde(flatten)]
    pub features: FeatureOptions,
    /// How much the rows of each class count.
    #[serde(flatten)]
    pub classes: ClassOptions,
    /// How the model is learned.
    pub method: Method,
    /// How to grow the trees whose nodes become candidate rules.
    #[serde(flatten)]
    pub trees: TreeOptions,
    /// Which rules become candidates.
    #[serde(flatten)]
    pub candidates: CandidateOptions,
    /// What is minimised.
    #[serde(flatten)]
    pub objective: ObjectiveOptions,
    /// How LIRE searches.
    #[serde(flatten)]
    pub search: SearchOptions,
    /// What `RuleFit` alone has.
    #[serde(flatten)]
    pub rulefit: RulefitOptions,
    /// How models of several prices are compared, and which is chosen.
    #[serde(flatten)]
    pub selection: SelectionOptions,
    /// What GLRM alone has.
    #[serde(flatten)]
    pub glrm: GlrmOptions,
    /// Seconds after which the fit ends with the best model so far.
    pub time_limit: Option<f64>,
    /// What scores mean.
    #[serde(flatten)]
    pub meaning: MeaningOptions,
    /// Decides all that is drawn.
    pub seed: u64,
}

impl Config {
    /// The same with some options changed.
    ///
    /// ```
    /// let config = lire::Config::default().with(|config| {
    ///     config.data.target = "disease".into();
    ///     config.objective.gamma = Some(0.01);
    /// });
    /// # assert_eq!(config.objective.gamma, Some(0.01));
    /// ```
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The same with the defaults filled in that depend on the method, the task and the number of rows.
    pub fn completed(&self, task: Task, n_rows: f64) -> Self {
        self.clone().with(|config| {
            config.data.task = Some(task);
            config.objective = self.objective.completed(self.method, task, n_rows);
            // Class weights are to move labels, not what a probability says of the rows; calibrated ones need no
            // correction.
            if self.classes.class_weight.is_some() && self.meaning.calibrate.is_none() {
                let of_data = BaseRate::From(BaseRateSource::Data);
                config.classes.base_rate.get_or_insert(of_data);
            }
            if self.method == Method::Lire && self.compares() {
                config.selection.select.get_or_insert(self.selection.default_rule());
            }
            if self.method == Method::Glrm {
                config.glrm.lambda1 = Some(self.glrm.lambda1());
            }
        })
    }

    /// The same with the choice of a model settled: neither a budget, which holds for the rows that it was chosen on,
    /// nor what the choice went by.
    #[must_use]
    pub fn settled(&self) -> Self {
        let free = Self { selection: self.selection.without_budget(), ..self.clone() };
        free.reduced(Learner::Rules(self.method))
    }

    /// The options that a model was made with, as far as this version knows them, and the names of those that it does
    /// not know: a newer version wrote them. Options that are off are not named.
    pub fn of_model(model: &Model) -> (Self, Vec<String>) {
        let stored = &model.file().config;
        let (mut known, mut unknown) = (Map::new(), Vec::new());
        for name in stored.names() {
            let value = stored.get(name).cloned().unwrap_or_default();
            let alone = Map::from_iter([(name.to_owned(), value.clone())]);
            if serde_json::from_value::<Self>(Value::Object(alone)).is_ok() {
                known.insert(name.to_owned(), value);
            } else if !is_off(&value) {
                unknown.push(name.to_owned());
            }
        }
        let config = serde_json::from_value(Value::Object(known)).expect("each option was read by itself");
        (config, unknown)
    }

    /// As the model file stores them.
    pub fn to_options(&self) -> Options {
        Options::of(self).expect("options have string keys and no failing parts")
    }
}

/// Whether a value asks for nothing.
fn is_off(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}
