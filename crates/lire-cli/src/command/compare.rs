//! `lire compare`: methods on the same folds, side by side.

use std::time::{Duration, Instant};

use lire::Config;
use lire::config::{Learner, Method};
use lire::evaluate::{Assessment, Contender, assess, assess_trees};
use lire::forest::TreeGenerator;
use lire::report::ComparisonReport;
use lire::split::{Division, Holdout};
use lire::table::Dataset;
use lire::watch::Watch;

use super::evaluate::fold_splits;
use super::inputs::TrainingData;
use crate::args::{CompareArgs, Contestant, Format};
use crate::console::Console;
use crate::exit::Failure;
use crate::progress::Activity;
use crate::render::comparison::{as_csv, as_markdown, text};
use crate::render::format::json;
use crate::render::numbers::seconds;

/// Runs the command.
pub fn run(args: &CompareArgs, console: &Console) -> Result<(), Failure> {
    let config = args.fit.config()?;
    if let Some(twice) = (1..args.methods.len()).find(|&at| args.methods[..at].contains(&args.methods[at])) {
        return Err(Failure::usage(format!("--methods: `{}` is listed twice", args.methods[twice].name())));
    }
    args.fit.check_each(&config, |option| check_option(option, &config, &args.methods))?;
    let TrainingData { data, .. } = TrainingData::read(&args.data, &config, console)?;
    let division = Division::of(&data)?;
    let splits = fold_splits(&division, args.folds, config.seed, &data.target.values, console)?;
    let mut contenders = Vec::new();
    for &method in &args.methods {
        let mut assessments = Vec::new();
        for (index, split) in splits.iter().enumerate() {
            let what = format!("{}, fold {} of {}", method.name(), index + 1, splits.len());
            let activity = Activity::start(console, what.clone());
            let deadline = config.time_limit.map(|limit| Instant::now() + Duration::from_secs_f64(limit));
            let assessment =
                activity.watch(deadline, |watch| assess_one(method, &data, &config, split, watch))?;
            drop(activity);
            console.detail(&format!("{what}: {}", seconds(assessment.fit_seconds)));
            assessments.push(assessment);
        }
        contenders.push(Contender { name: method.name().to_owned(), assessments });
    }
    let report = ComparisonReport::of(&contenders, &division, data.n_rows())?;
    match console.format_or(Format::Table) {
        Format::Table => console.print(&text(&report, console.look)),
        Format::Json => console.print(&json(&report)?),
        Format::Csv => console.print(&as_csv(&report)),
        Format::Markdown => console.print(&as_markdown(&report)),
    }
}

/// Refuses an option that none of the methods looks at.
fn check_option(option: &str, config: &Config, methods: &[Contestant]) -> lire::Result<()> {
    let refused = |why: &str| Err(lire::Error::config(option, why));
    if option == "method" {
        return refused("the methods to compare are those of --methods; leave it out");
    }
    let own = |method: &Contestant| method.own_config(config);
    if methods.iter().any(|method| is_used(option, *method, &own(method))) {
        return Ok(());
    }
    match methods {
        [one] if !is_of_lire(option) => own(one).check_option(option, one.learner()),
        _ if is_of_lire(option) => refused("it applies to `lire` only; leave it out, or compare `lire` too"),
        _ => refused("none of the compared methods uses it; leave it out"),
    }
}

/// The price and the loss that are asked for are those of LIRE.
fn is_of_lire(option: &str) -> bool {
    matches!(option, "gamma" | "loss")
}

fn is_used(option: &str, method: Contestant, own: &Config) -> bool {
    (method == Contestant::Lire || !is_of_lire(option)) && own.idle(option, method.learner()).is_none()
}

impl Contestant {
    fn learner(self) -> Learner {
        match self {
            Self::Lire => Learner::Rules(Method::Lire),
            Self::Rulefit => Learner::Rules(Method::Rulefit),
            Self::Glrm => Learner::Rules(Method::Glrm),
            Self::Forest => Learner::Trees(TreeGenerator::RandomForest),
            Self::Boosting => Learner::Trees(TreeGenerator::Boosting),
        }
    }

    /// The configuration as this method takes it.
    fn own_config(self, config: &Config) -> Config {
        let method = match self.learner() {
            Learner::Rules(method) => method,
            Learner::Trees(_) => Method::Lire,
        };
        match self {
            Self::Lire => config.clone().with(|config| config.method = method),
            _ => config.clone().with(|config| {
                config.method = method;
                config.objective.gamma = None;
                config.objective.loss = None;
            }),
        }
    }
}

fn assess_one(
    method: Contestant,
    data: &Dataset,
    config: &Config,
    split: &Holdout,
    watch: &Watch,
) -> lire::Result<Assessment> {
    let learner = method.learner();
    let own = method.own_config(config).reduced(learner);
    match learner {
        Learner::Rules(_) => assess(data, &own, split, watch),
        Learner::Trees(generator) => assess_trees(data, &own, generator, split, watch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_for_one_of_the_methods_at_least() {
        let config = Config::default();
        let check = |option: &str, methods: &[Contestant]| {
            check_option(option, &config, methods).map_err(|error| error.to_string())
        };
        for option in ["gamma", "lambda", "linear_terms", "beam_width", "n_estimators", "monotone", "cv"] {
            assert_eq!(check(option, &Contestant::ALL), Ok(()), "{option}");
        }
        let refused = |option: &str, methods: &[Contestant]| check(option, methods).unwrap_err();
        assert!(refused("method", &Contestant::ALL).contains("--methods"));
        let [_, rulefit, glrm, forest, _] = Contestant::ALL;
        assert!(refused("gamma", &[rulefit, glrm]).contains("`lire` only"));
        assert!(refused("lambda", &[rulefit, glrm]).contains("none of the compared methods"));
        assert!(refused("cv", &[glrm]).contains("`glrm` compares no models"));
        assert!(refused("max_depth", &[glrm, forest]).contains("none of the compared methods"));
        assert_eq!(check("n_estimators", &[glrm, forest]), Ok(()));
    }
}
