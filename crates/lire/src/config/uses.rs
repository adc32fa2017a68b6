//! What each option is for. One that would have no effect is refused, so that nobody relies on it.

use serde_json::{Map, Value};

use super::{Config, Method};
use crate::error::{Error, Result};
use crate::forest::{NO_STEPS, TreeGenerator};

/// What learns by the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    /// A rule ensemble.
    Rules(Method),
    /// Trees that predict by themselves.
    Trees(TreeGenerator),
}

/// What an option is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The data, what is predicted, or every method.
    All,
    /// How the trees are grown whose nodes become rules.
    Generator,
    /// All trees that are grown.
    Trees,
    /// The trees whose size and sampling is not fixed.
    TreeShape,
    /// Boosted trees.
    Steps,
    /// Which rules of trees become candidates.
    Candidates,
    /// The same as in the paper, which also says how categories count in trees.
    PaperCandidates,
    /// What candidates cover at least, unless they are the paper's.
    Floor,
    /// Constraints.
    Constraints,
    /// γ.
    Gamma,
    /// The objective of LIRE and its search.
    Lire,
    /// The size of a model.
    Budget,
    /// `RuleFit` alone.
    Rulefit,
    /// GLRM alone.
    Glrm,
    /// The choice among models.
    Choice,
    /// The folds of the choice and of the calibration.
    Folds,
    /// The rows held out for them.
    HeldOut,
}

/// Every option with what it is for.
const OPTIONS: &[(&str, Purpose)] = &[
    ("target", Purpose::All),
    ("task", Purpose::All),
    ("positive", Purpose::All),
    ("weight_column", Purpose::All),
    ("categorical", Purpose::All),
    ("numeric", Purpose::All),
    ("drop", Purpose::All),
    ("missing", Purpose::All),
    ("drop_missing_target", Purpose::All),
    ("sensitive", Purpose::All),
    ("allow_sensitive", Purpose::All),
    ("forbid_in_rules", Purpose::All),
    ("monotone", Purpose::Constraints),
    ("class_weight", Purpose::All),
    ("base_rate", Purpose::All),
    ("method", Purpose::All),
    ("tree_generator", Purpose::Generator),
    ("n_estimators", Purpose::Trees),
    ("max_depth", Purpose::TreeShape),
    ("max_leaves", Purpose::TreeShape),
    ("max_features", Purpose::TreeShape),
    ("subsample", Purpose::TreeShape),
    ("learning_rate", Purpose::Steps),
    ("min_leaf_weight", Purpose::Trees),
    ("min_coverage", Purpose::Floor),
    ("min_rows", Purpose::Floor),
    ("max_rule_length", Purpose::Candidates),
    ("paper_candidates", Purpose::PaperCandidates),
    ("loss", Purpose::All),
    ("penalty", Purpose::Lire),
    ("gamma", Purpose::Gamma),
    ("lambda", Purpose::Lire),
    ("ridge", Purpose::Lire),
    ("search", Purpose::Lire),
    ("max_moves", Purpose::Lire),
    ("linear_terms", Purpose::Rulefit),
    ("cv", Purpose::Folds),
    ("validation_share", Purpose::HeldOut),
    ("metric", Purpose::Choice),
    ("select", Purpose::Choice),
    ("max_rules", Purpose::Budget),
    ("max_local_rules", Purpose::Budget),
    ("max_local_rules_any", Purpose::Budget),
    ("lambda0", Purpose::Glrm),
    ("lambda1", Purpose::Glrm),
    ("beam_width", Purpose::Glrm),
    ("max_degree", Purpose::Glrm),
    ("max_rounds", Purpose::Glrm),
    ("debias", Purpose::Glrm),
    ("time_limit", Purpose::All),
    ("calibrate", Purpose::All),
    ("threshold", Purpose::All),
    ("seed", Purpose::All),
];

impl Config {
    /// Refuses options that were given another value than their default and would have no effect.
    pub fn check_used(&self) -> Result<()> {
        let learner = Learner::Rules(self.method);
        for option in self.changed() {
            self.check_option(option, learner)?;
        }
        Ok(())
    }

    /// Refuses an option that would have no effect, whatever its value.
    pub fn check_option(&self, option: &str, learner: Learner) -> Result<()> {
        self.idle(option, learner).map_or(Ok(()), |why| Err(Error::config(option, why)))
    }

    /// Refuses options about the growth of trees, where rules of trees are given.
    pub fn check_nothing_grown(&self) -> Result<()> {
        let is_of_growth = |option: &&str| {
            matches!(
                purpose_of(option),
                Some(Purpose::Generator | Purpose::Trees | Purpose::TreeShape | Purpose::Steps)
            )
        };
        match self.changed().into_iter().find(is_of_growth) {
            None => Ok(()),
            Some(option) => {
                Err(Error::config(option, "the trees are given, so that none are grown; leave it out"))
            }
        }
    }

    /// The options whose value is not the default.
    pub fn changed(&self) -> Vec<&'static str> {
        let (values, defaults) = (values_of(self), values_of(&Self::default()));
        let names = OPTIONS.iter().map(|(name, _)| *name);
        names.filter(|&name| values.get(name) != defaults.get(name)).collect()
    }

    /// The same without options that have no effect: what is left can be used for another fit.
    #[must_use]
    pub fn reduced(&self, learner: Learner) -> Self {
        let (mut values, mut defaults) = (values_of(self), values_of(&Self::default()));
        for &(name, _) in OPTIONS {
            if self.idle(name, learner).is_some()
                && let Some(default) = defaults.remove(name)
            {
                values.insert(name.to_owned(), default);
            }
        }
        serde_json::from_value(values.into()).unwrap_or_else(|_| self.clone())
    }

    /// Whether models are compared on rows left out, to choose prices or to keep to a budget.
    pub fn compares(&self) -> bool {
        match self.method {
            Method::Lire => {
                let has_budget = self.max_rules.is_some() || self.max_local_rules.is_some();
                self.gamma.is_none() || self.lambda.is_none() || has_budget
            }
            Method::Rulefit => self.gamma.is_none(),
            Method::Glrm => false,
        }
    }

    /// Why an option has no effect, and what to do; none if it has one.
    pub fn idle(&self, option: &str, learner: Learner) -> Option<String> {
        let purpose = purpose_of(option)?;
        let method = match learner {
            Learner::Rules(method) => method,
            Learner::Trees(generator) => {
                return (!purpose.is_of_trees(generator))
                    .then(|| "trees that predict by themselves do not use it; leave it out".into());
            }
        };
        let is_split = self.calibrate.is_some();
        match purpose {
            Purpose::Folds | Purpose::HeldOut if is_split => {}
            _ if !purpose.methods().contains(&method) => return Some(purpose.refusal(method)),
            Purpose::Steps if self.tree_generator != TreeGenerator::Boosting => {
                return Some(NO_STEPS.into());
            }
            Purpose::Choice | Purpose::Folds | Purpose::HeldOut if !self.compares() => {
                let given = if method == Method::Lire { "gamma and lambda are" } else { "gamma is" };
                return Some(format!("{given} given, so that no models are compared; leave it out"));
            }
            _ => {}
        }
        (purpose == Purpose::Folds && self.validation_share.is_some())
            .then(|| "models are compared on the rows of validation_share; leave one of the two out".into())
    }
}

impl Purpose {
    /// The methods that look at such options.
    fn methods(self) -> &'static [Method] {
        match self {
            Self::All | Self::Floor => &[Method::Lire, Method::Rulefit, Method::Glrm],
            Self::Generator
            | Self::Trees
            | Self::TreeShape
            | Self::Steps
            | Self::Candidates
            | Self::PaperCandidates
            | Self::Constraints
            | Self::Gamma
            | Self::Folds
            | Self::HeldOut => &[Method::Lire, Method::Rulefit],
            Self::Lire | Self::Budget | Self::Choice => &[Method::Lire],
            Self::Rulefit => &[Method::Rulefit],
            Self::Glrm => &[Method::Glrm],
        }
    }

    /// What to tell who gives such an option to a method that does not look at it.
    fn refusal(self, method: Method) -> String {
        let lack = match self {
            Self::Generator | Self::Trees | Self::TreeShape | Self::Steps => "grows no trees",
            Self::Candidates | Self::PaperCandidates => "takes no rules of trees",
            Self::Constraints => "cannot keep constraints",
            Self::Budget => "cannot keep to a number of rules",
            Self::Folds | Self::HeldOut => "compares no models",
            _ => "does not use it",
        };
        let others: Vec<String> = self.methods().iter().map(|other| format!("`{}`", other.name())).collect();
        format!("`{}` {lack}; leave it out, or use {}", method.name(), others.join(" or "))
    }

    /// Whether trees that predict by themselves look at such options.
    fn is_of_trees(self, generator: TreeGenerator) -> bool {
        match self {
            Self::All | Self::Trees | Self::PaperCandidates => true,
            // Forests are grown as deep as they usually are.
            Self::TreeShape | Self::Steps => generator == TreeGenerator::Boosting,
            _ => false,
        }
    }
}

fn purpose_of(option: &str) -> Option<Purpose> {
    OPTIONS.iter().find(|(name, _)| *name == option).map(|(_, purpose)| *purpose)
}

fn values_of(config: &Config) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(values)) => values,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CalibrationKind;

    #[test]
    fn every_option_has_a_purpose() {
        let mut known: Vec<String> = OPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        known.sort();
        let mut all: Vec<String> = values_of(&Config::default()).into_iter().map(|(name, _)| name).collect();
        all.sort();
        assert_eq!(known, all);
    }

    fn message(config: &Config) -> String {
        config.check_used().unwrap_err().to_string()
    }

    fn of(method: Method) -> Config {
        Config { method, ..Config::default() }
    }

    #[test]
    fn what_a_method_does_not_use_is_refused_with_a_remedy() {
        let cases = [
            (
                Config { lambda: Some(0.1), ..of(Method::Rulefit) },
                "`lambda`: `rulefit` does not use it; leave it out, or use `lire`",
            ),
            (
                Config { gamma: Some(0.1), ..of(Method::Glrm) },
                "`gamma`: `glrm` does not use it; leave it out, or use `lire` or `rulefit`",
            ),
            (
                Config { n_estimators: 20, ..of(Method::Glrm) },
                "`n_estimators`: `glrm` grows no trees; leave it out, or use `lire` or `rulefit`",
            ),
            (
                Config { linear_terms: true, ..Config::default() },
                "`linear_terms`: `lire` does not use it; leave it out, or use `rulefit`",
            ),
            (
                Config { max_rules: Some(3), ..of(Method::Rulefit) },
                "`max_rules`: `rulefit` cannot keep to a number of rules; leave it out, or use `lire`",
            ),
            (
                Config { cv: 3, ..of(Method::Glrm) },
                "`cv`: `glrm` compares no models; leave it out, or use `lire` or `rulefit`",
            ),
            (
                Config { learning_rate: 0.1, tree_generator: TreeGenerator::ExtraTrees, ..Config::default() },
                "`learning_rate`: only boosting takes steps; leave it out, or let boosting grow the trees",
            ),
            (
                Config { cv: 3, validation_share: Some(0.2), ..Config::default() },
                "`cv`: models are compared on the rows of validation_share; leave one of the two out",
            ),
        ];
        for (config, expected) in cases {
            assert_eq!(message(&config), expected);
        }
    }

    #[test]
    fn folds_are_for_comparisons_and_calibration() {
        let given = Config { gamma: Some(0.01), lambda: Some(0.1), cv: 3, ..Config::default() };
        assert!(message(&given).starts_with("`cv`: gamma and lambda are given"));
        let budget = Config { max_rules: Some(3), ..given.clone() };
        let calibrated = Config { calibrate: Some(CalibrationKind::Platt), ..given.clone() };
        let glrm = Config { method: Method::Glrm, gamma: None, lambda: None, ..calibrated.clone() };
        for config in [&budget, &calibrated, &glrm, &Config { gamma: None, ..given.clone() }] {
            config.check_used().unwrap();
        }
        let rulefit = Config { lambda: None, ..Config { method: Method::Rulefit, ..given } };
        assert!(message(&rulefit).starts_with("`cv`: gamma is given"));
        Config { gamma: None, ..rulefit }.check_used().unwrap();
    }

    #[test]
    fn what_is_left_has_an_effect() {
        let all = Config {
            gamma: Some(0.01),
            lambda: Some(0.1),
            cv: 3,
            select: Some(super::super::SelectionRule::Best),
            beam_width: 4,
            n_estimators: 9,
            learning_rate: 0.1,
            linear_terms: true,
            ..Config::default()
        };
        for method in [Method::Lire, Method::Rulefit, Method::Glrm] {
            let left = Config { method, ..all.clone() }.reduced(Learner::Rules(method));
            left.check_used().unwrap();
        }
        let lire = all.reduced(Learner::Rules(Method::Lire));
        assert_eq!(lire.changed(), ["n_estimators", "learning_rate", "gamma", "lambda"]);
        assert_eq!(all.reduced(Learner::Trees(TreeGenerator::RandomForest)).changed(), ["n_estimators"]);
        let boosted = all.reduced(Learner::Trees(TreeGenerator::Boosting));
        assert_eq!(boosted.changed(), ["n_estimators", "learning_rate"]);
        let refused = all.check_nothing_grown().unwrap_err().to_string();
        assert!(refused.starts_with("`n_estimators`: the trees are given"), "{refused}");
    }
}
