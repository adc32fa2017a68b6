//! A configuration checked against the data, and taken apart.

use super::{ClassOptions, Config, GlrmOptions, MeaningOptions, Method, RulefitOptions, SelectionSettings};
use crate::error::{Error, Result};
use crate::forest::ForestConfig;
use crate::objective::{LossKind, PenaltyKind};
use crate::rules::{Direction, RuleConfig};
use crate::solver::SolverConfig;
use crate::table::{Schema, Target};

/// A configuration that was checked and taken apart: each stage gets what it needs and no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How the model is learned.
    pub method: Method,
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
    /// What `RuleFit` alone has.
    pub rulefit: RulefitOptions,
    /// What GLRM alone has.
    pub glrm: GlrmOptions,
    /// How much the rows of each class count.
    pub classes: ClassOptions,
    /// What scores mean.
    pub meaning: MeaningOptions,
    /// How the prediction must follow each feature.
    pub monotone: Vec<Option<Direction>>,
    /// Features that no rule and no linear term may use.
    pub excluded: Vec<usize>,
}

impl Config {
    /// Refuses values that cannot be meant for this data, and takes the rest apart. Defaults must have been filled in
    /// by [`Config::completed`].
    pub fn check(&self, schema: &Schema, target: &Target) -> Result<Settings> {
        self.check_values()?;
        self.check_used()?;
        self.check_target(target)?;
        let excluded = self.features.excluded(schema)?;
        let forest = ForestConfig {
            levels_as_columns: self.candidates.paper_candidates,
            excluded: excluded.clone(),
            seed: self.seed,
            ..self.trees.forest()
        };
        let settings = Settings {
            method: self.method,
            forest,
            rules: self.candidates.rules(),
            solver: self.search.solver(),
            loss: self.objective.checked_loss(self.method, target.task())?,
            ridge: self.objective.ridge.unwrap_or(0.0),
            penalty: self.objective.penalty,
            gamma: self.objective.gamma,
            lambda: self.objective.lambda,
            selection: self.selection.settings(target)?,
            rulefit: self.rulefit,
            glrm: self.glrm,
            classes: self.classes.clone(),
            meaning: self.meaning,
            monotone: self.features.constraints(schema, target)?,
            excluded,
        };
        Ok(settings)
    }

    /// Refuses values that cannot be meant for any data.
    pub fn check_values(&self) -> Result<()> {
        self.check_groups()?;
        if let Some(seconds) = self.time_limit.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite())) {
            return Err(Error::config("time_limit", format!("{seconds} is not a number of seconds above 0")));
        }
        Ok(())
    }

    /// Refuses options that make no sense for what is predicted.
    fn check_target(&self, target: &Target) -> Result<()> {
        self.meaning.check_target(target)?;
        if self.meaning.calibrate.is_some() && self.classes.base_rate.is_some() {
            let message =
                "calibrated probabilities already refer to the rows as they are; leave base_rate out";
            return Err(Error::config("calibrate", message));
        }
        self.classes.check_target(target)
    }
}
