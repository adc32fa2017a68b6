//! What each option is for. One that would have no effect is refused, so that nobody relies on it.

use super::flat::{PURPOSES, values_of};
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
pub(super) enum Purpose {
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
    /// The rules that come from trees.
    TreeRules,
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
        let names = PURPOSES.iter().map(|(name, _)| name.as_str());
        names.filter(|&name| values.get(name) != defaults.get(name)).collect()
    }

    /// The same without options that have no effect: what is left can be used for another fit.
    #[must_use]
    pub fn reduced(&self, learner: Learner) -> Self {
        let (mut values, mut defaults) = (values_of(self), values_of(&Self::default()));
        for (name, _) in PURPOSES.iter() {
            if self.idle(name, learner).is_some()
                && let Some(default) = defaults.remove(name)
            {
                values.insert(name.clone(), default);
            }
        }
        let reduced: Self = serde_json::from_value(values.into()).expect("options read what they wrote");
        // It is no option, so that no option tells it.
        reduced.with(|config| config.glrm.bound_share = self.glrm.bound_share)
    }

    /// Whether models are compared on rows left out, to choose prices or to keep to a budget.
    pub fn compares(&self) -> bool {
        match self.method {
            Method::Lire => {
                let has_budget = !self.selection.budget().is_unlimited();
                self.objective.gamma.is_none() || self.objective.lambda.is_none() || has_budget
            }
            Method::Rulefit => self.objective.gamma.is_none(),
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
        let is_split = self.meaning.calibrate.is_some();
        match purpose {
            Purpose::Folds | Purpose::HeldOut if is_split => {}
            _ if !purpose.methods().contains(&method) => return Some(purpose.refusal(method)),
            Purpose::Steps if self.trees.tree_generator != TreeGenerator::Boosting => {
                return Some(NO_STEPS.into());
            }
            Purpose::Choice | Purpose::Folds | Purpose::HeldOut if !self.compares() => {
                let given = if method == Method::Lire { "gamma and lambda are" } else { "gamma is" };
                return Some(format!("{given} given, so that no models are compared; leave it out"));
            }
            _ => {}
        }
        (purpose == Purpose::Folds && self.selection.validation_share.is_some())
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
            | Self::TreeRules
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
            Self::TreeRules | Self::PaperCandidates => "takes no rules of trees",
            Self::Constraints => "cannot keep constraints",
            Self::Budget => "cannot limit the number of rules",
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
    PURPOSES.iter().find(|(name, _)| name == option).map(|(_, purpose)| *purpose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CalibrationKind;

    fn message(config: &Config) -> String {
        config.check_used().unwrap_err().to_string()
    }

    fn of(method: Method) -> Config {
        Config::default().with(|config| config.method = method)
    }

    #[test]
    fn what_a_method_does_not_use_is_refused_with_a_remedy() {
        let cases = [
            (
                of(Method::Rulefit).with(|config| config.objective.lambda = Some(0.1)),
                "`lambda`: `rulefit` does not use it; leave it out, or use `lire`",
            ),
            (
                of(Method::Glrm).with(|config| config.objective.gamma = Some(0.1)),
                "`gamma`: `glrm` does not use it; leave it out, or use `lire` or `rulefit`",
            ),
            (
                of(Method::Glrm).with(|config| config.trees.n_estimators = 20),
                "`n_estimators`: `glrm` grows no trees; leave it out, or use `lire` or `rulefit`",
            ),
            (
                Config::default().with(|config| config.rulefit.linear_terms = true),
                "`linear_terms`: `lire` does not use it; leave it out, or use `rulefit`",
            ),
            (
                of(Method::Rulefit).with(|config| config.selection.max_rules = Some(3)),
                "`max_rules`: `rulefit` cannot limit the number of rules; leave it out, or use `lire`",
            ),
            (
                of(Method::Glrm).with(|config| config.selection.cv = 3),
                "`cv`: `glrm` compares no models; leave it out, or use `lire` or `rulefit`",
            ),
            (
                Config::default().with(|config| {
                    config.trees.learning_rate = 0.1;
                    config.trees.tree_generator = TreeGenerator::ExtraTrees;
                }),
                "`learning_rate`: only boosting takes steps; leave it out, or let boosting grow the trees",
            ),
            (
                Config::default().with(|config| {
                    config.selection.cv = 3;
                    config.selection.validation_share = Some(0.2);
                }),
                "`cv`: models are compared on the rows of validation_share; leave one of the two out",
            ),
        ];
        for (config, expected) in cases {
            assert_eq!(message(&config), expected);
        }
    }

    #[test]
    fn folds_are_for_comparisons_and_calibration() {
        let given = Config::default().with(|config| {
            config.objective.gamma = Some(0.01);
            config.objective.lambda = Some(0.1);
            config.selection.cv = 3;
        });
        assert!(message(&given).starts_with("`cv`: gamma and lambda are given"));
        let budget = given.clone().with(|config| config.selection.max_rules = Some(3));
        let calibrated = given.clone().with(|config| config.meaning.calibrate = Some(CalibrationKind::Platt));
        let glrm = calibrated.clone().with(|config| {
            config.method = Method::Glrm;
            config.objective.gamma = None;
            config.objective.lambda = None;
        });
        for config in
            [&budget, &calibrated, &glrm, &given.clone().with(|config| config.objective.gamma = None)]
        {
            config.check_used().unwrap();
        }
        let rulefit = given
            .with(|config| config.method = Method::Rulefit)
            .with(|config| config.objective.lambda = None);
        assert!(message(&rulefit).starts_with("`cv`: gamma is given"));
        rulefit.with(|config| config.objective.gamma = None).check_used().unwrap();
    }

    #[test]
    fn what_is_left_has_an_effect() {
        let all = Config::default().with(|config| {
            config.objective.gamma = Some(0.01);
            config.objective.lambda = Some(0.1);
            config.selection.cv = 3;
            config.selection.select = Some(super::super::SelectionRule::Best);
            config.glrm.beam_width = 4;
            config.trees.n_estimators = 9;
            config.trees.learning_rate = 0.1;
            config.rulefit.linear_terms = true;
        });
        for method in [Method::Lire, Method::Rulefit, Method::Glrm] {
            let left = all.clone().with(|config| config.method = method).reduced(Learner::Rules(method));
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
