//! `lire compare`: methods on the same folds, side by side.

use std::time::{Duration, Instant};

use lire::Config;
use lire::assess::{Assessment, assess, assess_trees};
use lire::compare::{Comparison, Contender};
use lire::config::Method;
use lire::evaluate::{Holdout, folds};
use lire::forest::TreeGenerator;
use lire::table::Dataset;
use lire::watch::Watch;

use super::evaluate::warn_of_small_classes;
use super::inputs::TrainingData;
use crate::args::{CompareArgs, Contestant, Format};
use crate::console::{Console, Style};
use crate::exit::Failure;
use crate::progress::Activity;
use crate::render::comparison::{as_csv, as_json, as_markdown, table};
use crate::render::numbers::{count, seconds};

/// Runs the command.
pub fn run(args: &CompareArgs, console: &Console) -> Result<(), Failure> {
    let config = args.fit.effective()?;
    if let Some(twice) = (1..args.methods.len()).find(|&at| args.methods[..at].contains(&args.methods[at])) {
        return Err(Failure::usage(format!("--methods: `{}` is there twice", args.methods[twice].name())));
    }
    let TrainingData { data, .. } = TrainingData::read(&args.data, &config, console)?;
    let folds = folds(&data.target.values, args.folds)?;
    warn_of_small_classes(&data.target.values, args.folds, console);
    let splits: Vec<Holdout> = folds.splits().collect();
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
    let comparison = Comparison::of(&contenders)?;
    match console.format_or(Format::Table) {
        Format::Table => {
            let headline = format!("{} compared", count(args.methods.len(), "method"));
            let measured = format!("{}-fold cross-validation of {}", args.folds, count(data.n_rows(), "row"));
            let look = console.look;
            let (headline, measured) =
                (look.paint(&headline, Style::Strong), look.paint(&measured, Style::Faint));
            console.print(&format!("{headline}\n{measured}\n\n{}", table(&comparison, look)))
        }
        Format::Json => console.print(&as_json(&comparison)?),
        Format::Csv => console.print(&as_csv(&comparison)),
        Format::Markdown => console.print(&as_markdown(&comparison)),
    }
}

fn assess_one(
    method: Contestant,
    data: &Dataset,
    config: &Config,
    split: &Holdout,
    watch: &Watch,
) -> lire::Result<Assessment> {
    // The price and the loss that were asked for are those of LIRE.
    let other = |method| Config { method, gamma: None, loss: None, ..config.clone() };
    match method {
        Contestant::Lire => assess(data, &Config { method: Method::Lire, ..config.clone() }, split, watch),
        Contestant::Rulefit => assess(data, &other(Method::Rulefit), split, watch),
        Contestant::Glrm => assess(data, &other(Method::Glrm), split, watch),
        Contestant::Forest => {
            assess_trees(data, &other(Method::Lire), TreeGenerator::RandomForest, split, watch)
        }
        Contestant::Boosting => {
            assess_trees(data, &other(Method::Lire), TreeGenerator::Boosting, split, watch)
        }
    }
}
