//! `lire show`: the rules of a model, and what a careful reader wants to know before relying on them.

use std::fmt::Write as _;
use std::path::Path;

use lire::Model;
use lire::explain::{GlobalExplanation, explain_global};
use lire::model::TrainingRecord;
use lire::solver::StopReason;
use serde::Serialize;

use super::inputs::read_model;
use crate::args::{Format, ShowArgs};
use crate::console::{Console, Style};
use crate::exit::Failure;
use crate::render::facts;
use crate::render::format::json;
use crate::render::numbers::{count, measure, percent};
use crate::render::rules;

/// A rule on fewer training rows than this may tell about single people.
const PRIVATE_ROWS: usize = 5;

/// Runs the command.
pub fn run(args: &ShowArgs, console: &Console) -> Result<(), Failure> {
    let model = read_model(&args.model)?;
    let global = explain_global(&model);
    match console.format_or(Format::Table) {
        Format::Table => console.print(&text(&model, &global, console)?),
        Format::Json => console.print(&json(&ModelData::of(&args.model, &model, &global))?),
        Format::Csv => console.print(&rules::as_csv(&global)),
        Format::Markdown => console.print(&rules::as_markdown(&global)),
    }
}

fn text(model: &Model, global: &GlobalExplanation, console: &Console) -> Result<String, Failure> {
    let (look, file) = (console.look, model.file());
    let headline = rules::headline(global.rules.len(), file.training.local_support_mean);
    let table = rules::table(global, &file.target.negative, global.rules.len(), look);
    let mut lines = training_facts(model);
    lines.push(("fewest rows", fewest_rows(global)));
    lines.push(("sensitive", sensitive_use(model, global)));
    let mut text =
        format!("{}\n\n{table}\n{}", look.paint(&headline, Style::Strong), facts::render(&lines, look));
    if console.verbose {
        let options = toml::to_string(&file.config).map_err(|error| Failure::usage(error.to_string()))?;
        let title = look.paint("Options of the fit", Style::Strong);
        let _ = write!(text, "\n{title}, as a file for --config\n\n{options}");
    }
    Ok(text)
}

/// What is known of the training, by name.
fn training_facts(model: &Model) -> Vec<(&'static str, String)> {
    let file = model.file();
    let TrainingRecord { rows, positive_share, accuracy, auc, local_support_max, .. } = &file.training;
    let (target, positive) = (&file.target.name, &file.target.positive);
    let auc = auc.map(|auc| format!(", AUC {}", measure(auc))).unwrap_or_default();
    let decides = match file.threshold {
        Some(threshold) => format!("{target} = {positive} where its probability is above {threshold}"),
        None => format!("{target} = {positive} where the score is above 0"),
    };
    vec![
        ("predicts", decides),
        ("trained on", format!("{}, {} of them {positive}", count(*rows, "row"), percent(*positive_share))),
        (
            "in training",
            format!("accuracy {}{auc} (new rows are usually harder; see lire evaluate)", measure(*accuracy)),
        ),
        ("explanations", format!("of at most {}", count(*local_support_max, "rule"))),
        ("search", ending(&file.training)),
    ]
}

/// How the search ended, and what that means.
fn ending(training: &TrainingRecord) -> String {
    let among = format!("among {}", count(training.candidates, "candidate rule"));
    let how = match training.stop_reason {
        _ if training.certified => "certified: no rule to add, remove or swap makes it better",
        StopReason::Converged => "ended by itself",
        StopReason::MoveLimit => "ended by its limit of moves; a longer one may find better rules",
        StopReason::TimeLimit => "ended by its time limit; a longer one may find better rules",
        StopReason::Interrupted => "ended by an interruption; a longer one may find better rules",
    };
    format!("{how}, {among} (objective {:.5}, loss {:.5})", training.objective, training.loss)
}

/// The rule that rests on the fewest rows.
fn fewest(global: &GlobalExplanation) -> Option<(usize, usize)> {
    let rows = global.rules.iter().enumerate().map(|(index, rule)| (rule.rows, index + 1));
    rows.min()
}

fn fewest_rows(global: &GlobalExplanation) -> String {
    match fewest(global) {
        None => "no rule rests on any rows".to_owned(),
        Some((rows, rule)) if rows < PRIVATE_ROWS => format!(
            "caution: rule {rule} rests on {} only; who knows some of them may learn about the others. Raise --min-rows \
             before you share this model",
            count(rows, "training row")
        ),
        Some((rows, rule)) => {
            format!("every rule rests on {} or more (the fewest: rule {rule})", count(rows, "training row"))
        }
    }
}

fn sensitive_use(model: &Model, global: &GlobalExplanation) -> String {
    let declared = &model.file().sensitive;
    if declared.is_empty() {
        return "no column was declared sensitive (--sensitive)".to_owned();
    }
    let columns = declared.join(", ");
    let using = global.rules.iter().enumerate().filter(|(_, rule)| !rule.sensitive.is_empty());
    let named: Vec<String> = using
        .map(|(index, rule)| format!("rule {} uses {}", index + 1, rule.sensitive.join(" and ")))
        .collect();
    if named.is_empty() {
        format!("no rule uses {columns}")
    } else {
        format!("caution: {}", named.join("; "))
    }
}

/// The model for programs.
#[derive(Serialize)]
struct ModelData<'a> {
    model: String,
    target: &'a str,
    negative: &'a str,
    positive: &'a str,
    threshold: Option<f64>,
    n_rules: usize,
    local_support_mean: f64,
    intercept: f64,
    rules: &'a [lire::explain::GlobalRule],
    /// The fewest training rows behind any rule.
    fewest_rows: Option<usize>,
    /// Columns declared sensitive.
    sensitive: &'a [String],
    /// Rules that use them, by text.
    sensitive_rules: Vec<&'a str>,
    training: &'a TrainingRecord,
    config: &'a lire::Config,
}

impl<'a> ModelData<'a> {
    fn of(path: &Path, model: &'a Model, global: &'a GlobalExplanation) -> Self {
        let file = model.file();
        let sensitive_rules = global.rules.iter().filter(|rule| !rule.sensitive.is_empty());
        Self {
            model: path.display().to_string(),
            target: &file.target.name,
            negative: &file.target.negative,
            positive: &file.target.positive,
            threshold: file.threshold,
            n_rules: global.rules.len(),
            local_support_mean: file.training.local_support_mean,
            intercept: global.intercept,
            rules: &global.rules,
            fewest_rows: fewest(global).map(|(rows, _)| rows),
            sensitive: &file.sensitive,
            sensitive_rules: sensitive_rules.map(|rule| rule.rule.as_str()).collect(),
            training: &file.training,
            config: &file.config,
        }
    }
}
