//! All that a careful reader wants to know of a model before relying on it.

use serde::{Deserialize, Serialize};

use super::{ModelScores, Sides, Version};
use crate::explain::{GlobalExplanation, GlobalRule};
use crate::model::{Model, Options, TrainingRecord};
use crate::table::Task;

/// A rule on fewer training rows than this may tell about single people.
const PRIVATE_ROWS: usize = 5;

/// A model, with what there is to say of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelReport {
    /// The version of this form.
    pub version: Version,
    /// Where the model is.
    pub model: String,
    /// The target column.
    pub target: String,
    /// Whether it is a class or a number.
    pub task: Task,
    /// The classes; of two the second is positive. None for a number.
    pub classes: Vec<String>,
    /// The probability above which a row is labelled positive, if one was set.
    pub threshold: Option<f64>,
    /// Rules with a weight.
    pub n_rules: usize,
    /// The mean number of terms that explain a training row.
    pub local_support_mean: f64,
    /// The scores with their terms.
    #[serde(flatten)]
    pub scores: ModelScores,
    /// The fewest training rows behind any rule.
    pub fewest_rows: Option<usize>,
    /// Columns declared sensitive.
    pub sensitive: Vec<String>,
    /// Rules that use them, by text.
    pub sensitive_rules: Vec<String>,
    /// What is known of the training.
    pub training: TrainingRecord,
    /// The options of the fit.
    pub config: Options,
    /// Rules and linear terms.
    pub n_terms: usize,
    /// What the sides of each score stand for.
    pub sides: Vec<Sides>,
    /// When which class is predicted.
    pub decision: DecisionRule,
    /// The method that made it.
    pub method: String,
    /// The loss that was minimised, if it is known.
    pub loss: Option<String>,
    /// The rule with the fewest rows.
    pub fewest_rule: Option<RuleName>,
    /// Whether these are so few that the rule may tell about single people.
    pub tells_of_few: bool,
    /// Where sensitive columns are used.
    pub sensitive_uses: Vec<SensitiveUse>,
    /// Whether the file was edited after it was written.
    pub is_edited: bool,
}

/// When which class is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum DecisionRule {
    /// No class: the score is the predicted number.
    Number,
    /// The positive class where its probability is above this.
    Probability {
        /// The threshold.
        above: f64,
    },
    /// The positive class where the score is above 0.
    Score {
        /// The probability of a score of 0, where a correction makes it another one than one half.
        probability: Option<f64>,
        /// Whether class weights ask for labels by the score.
        class_weights: bool,
    },
    /// The class of the highest score, which may not be the most probable one.
    HighestScore,
    /// The most probable class.
    MostProbable,
}

/// How a table of rules names one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleName {
    /// Its number among the rules of its score, from 1.
    pub number: usize,
    /// The class of the score, if there are several scores.
    pub class: Option<String>,
}

/// A term that uses sensitive columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitiveUse {
    /// The rule; none for a linear term.
    pub rule: Option<RuleName>,
    /// The columns.
    pub columns: Vec<String>,
}

impl ModelReport {
    /// What there is to say of a model; `place` is where it is.
    pub fn of(model: &Model, place: &str) -> Self {
        let file = model.file();
        let scores = ModelScores::of(model);
        let fewest = named_rules(scores.all()).min_by_key(|(_, rule)| rule.rows);
        let fewest = fewest.map(|(name, rule)| (name, rule.rows));
        let option = |name: &str| Some(file.config.get(name)?.as_str()?.to_owned());
        Self {
            version: Version,
            model: place.to_owned(),
            target: file.target.name.clone(),
            task: file.target.task,
            classes: file.target.classes.clone(),
            threshold: file.threshold,
            n_rules: model.rules().len(),
            local_support_mean: file.training.local_support_mean,
            fewest_rows: fewest.as_ref().map(|(_, rows)| *rows),
            sensitive: file.sensitive.clone(),
            sensitive_rules: named_rules(scores.all())
                .filter(|(_, rule)| !rule.sensitive.is_empty())
                .map(|(_, rule)| rule.rule.clone())
                .collect(),
            training: file.training.clone(),
            config: file.config.clone(),
            n_terms: file.terms.len(),
            sides: Sides::of(model),
            decision: DecisionRule::of(model),
            // Files of the first version that were made with all defaults do not name it.
            method: option("method").unwrap_or_else(|| "lire".to_owned()),
            loss: option("loss"),
            tells_of_few: fewest.as_ref().is_some_and(|(_, rows)| *rows < PRIVATE_ROWS),
            fewest_rule: fewest.map(|(name, _)| name),
            sensitive_uses: sensitive_uses(scores.all()),
            is_edited: model.is_edited(),
            scores,
        }
    }
}

impl DecisionRule {
    /// That of a model.
    pub fn of(model: &Model) -> Self {
        let file = model.file();
        // Then the probability of a score of 0 is not one half.
        let is_corrected =
            file.outputs.iter().any(|output| output.log_odds_shift != 0.0 || output.calibration.is_some());
        match (model.classes(), file.threshold) {
            ([], _) => Self::Number,
            ([_, _], Some(above)) => Self::Probability { above },
            ([_, _], None) => {
                let at_zero = model.decide(&[0.0]).ok().flatten().filter(|_| is_corrected);
                Self::Score {
                    probability: at_zero.and_then(|decision| decision.probabilities.last().copied()),
                    class_weights: file.config.get("class_weight").is_some_and(|weight| !weight.is_null()),
                }
            }
            _ if is_corrected => Self::HighestScore,
            _ => Self::MostProbable,
        }
    }
}

/// All rules with the names that remarks call them by: their number in the table, and its class if there are several.
fn named_rules(outputs: &[GlobalExplanation]) -> impl Iterator<Item = (RuleName, &GlobalRule)> {
    outputs.iter().flat_map(move |output| {
        let class = output.class.clone().filter(|_| outputs.len() > 1);
        let name = move |index: usize| RuleName { number: index + 1, class: class.clone() };
        output.rules.iter().enumerate().map(move |(index, rule)| (name(index), rule))
    })
}

/// Rules first, then linear terms.
fn sensitive_uses(outputs: &[GlobalExplanation]) -> Vec<SensitiveUse> {
    let of_rule = |(name, rule): (RuleName, &GlobalRule)| SensitiveUse {
        rule: Some(name),
        columns: rule.sensitive.clone(),
    };
    let linear = outputs.iter().flat_map(|output| &output.linear).filter(|linear| linear.sensitive);
    let of_linear = linear.map(|linear| SensitiveUse { rule: None, columns: vec![linear.feature.clone()] });
    let rules = named_rules(outputs).filter(|(_, rule)| !rule.sensitive.is_empty()).map(of_rule);
    rules.chain(of_linear).collect()
}
