//! `lire show`: the rules of a model, and what a careful reader wants to know before relying on them.

use std::fmt::Write as _;
use std::path::Path;

use lire::config::Learner;
use lire::explain::{GlobalExplanation, GlobalRule, explain_outputs};
use lire::model::{Options, TrainingRecord};
use lire::solver::StopReason;
use lire::table::Task;
use lire::{Config, Model};
use serde::Serialize;

use super::inputs::read_model;
use crate::args::{Format, ShowArgs};
use crate::console::{Console, Style};
use crate::exit::Failure;
use crate::render::facts;
use crate::render::format::json;
use crate::render::numbers::{count, measure, percent, prediction};
use crate::render::rules::{self, ScoreData};
use crate::render::visible::visible_in_toml;

/// A rule on fewer training rows than this may tell about single people.
const PRIVATE_ROWS: usize = 5;

/// Runs the command.
pub fn run(args: &ShowArgs, console: &Console) -> Result<(), Failure> {
    let model = read_model(&args.model, console)?;
    let outputs: Vec<GlobalExplanation> = explain_outputs(&model);
    match console.format_or(Format::Table) {
        Format::Table => console.print(&text(&model, &outputs, console)?),
        Format::Json => console.print(&json(&ModelData::of(&args.model, &model, &outputs))?),
        Format::Csv => console.print(&rules::as_csv(&outputs)),
        Format::Markdown => console.print(&rules::as_markdown(&outputs)),
    }
}

fn text(model: &Model, outputs: &[GlobalExplanation], console: &Console) -> Result<String, Failure> {
    let (look, file) = (console.look, model.file());
    let headline = rules::headline(file.terms.len(), file.training.local_support_mean);
    let tables = rules::tables(model, outputs, usize::MAX, look);
    let mut lines = training_facts(model);
    lines.push(("fewest rows", fewest_rows(outputs)));
    lines.push(("sensitive", sensitive_use(model, outputs)));
    if model.is_edited() {
        lines.push(("edited", "after lire wrote it: the checksum is not that of the content".into()));
    }
    let mut text =
        format!("{}\n\n{tables}\n{}", look.paint(&headline, Style::Strong), facts::render(&lines, look));
    if console.verbose {
        let config = Config::of_model(model)?;
        let used = config.reduced(Learner::Rules(config.method));
        let options = toml::to_string(&used).map_err(|error| Failure::usage(error.to_string()))?;
        let options = visible_in_toml(&options);
        let title = look.paint("Options of the fit", Style::Strong);
        let _ = write!(text, "\n{title}, as a file for --config\n\n{options}");
    }
    Ok(text)
}

/// What is known of the training, by name.
fn training_facts(model: &Model) -> Vec<(&'static str, String)> {
    let file = model.file();
    let TrainingRecord { rows, accuracy, auc, r2, local_support_max, .. } = &file.training;
    let measured = [("accuracy", accuracy), ("AUC", auc), ("R²", r2)];
    let measured: Vec<String> = measured
        .iter()
        .filter_map(|(name, value)| value.map(|value| format!("{name} {}", measure(value))))
        .collect();
    vec![
        ("predicts", decides(model)),
        ("method", method(model)),
        ("trained on", format!("{}{}", count(*rows, "row"), composition(model))),
        ("in training", format!("{} (new rows are usually harder; see lire evaluate)", measured.join(", "))),
        ("explanations", format!("of at most {}", count(*local_support_max, "rule"))),
        ("search", ending(&file.training)),
    ]
}

/// What is predicted, and when which class.
fn decides(model: &Model) -> String {
    let file = model.file();
    let target = &file.target.name;
    // Then the probability of a score of 0 is not one half.
    let is_corrected =
        file.outputs.iter().any(|output| output.log_odds_shift != 0.0 || output.calibration.is_some());
    match (model.classes(), file.threshold) {
        ([], _) => format!("the number {target}: the sum itself"),
        ([_, positive], Some(threshold)) => {
            format!("{target} = {positive} where its probability is above {threshold}")
        }
        ([_, positive], None) => {
            let by_score = format!("{target} = {positive} where the score is above 0");
            let why = if file.config.get("class_weight").is_some_and(|weight| !weight.is_null()) {
                ", as class weights ask for"
            } else {
                ""
            };
            match model.decide(&[0.0]).ok().flatten().filter(|_| is_corrected) {
                Some(at) => format!("{by_score}{why}: a probability above {:.3}", at.probabilities[1]),
                None => by_score,
            }
        }
        (classes, _) if is_corrected => {
            format!("{target}, one of {} classes: that of the highest score", classes.len())
        }
        (classes, _) => format!("{target}, one of {} classes: the most probable", classes.len()),
    }
}

fn method(model: &Model) -> String {
    let option = |name| model.file().config.get(name).and_then(|value| value.as_str());
    let loss = option("loss").map(|loss| format!(", {loss} loss")).unwrap_or_default();
    // Files of the first version that were made with all defaults do not name it.
    format!("{}{loss}", option("method").unwrap_or("lire"))
}

/// Of what classes, or how far spread, the training rows were.
fn composition(model: &Model) -> String {
    let training = &model.file().training;
    if let Some(scale) = training.scale {
        return format!(
            ", {} ± {} on average",
            prediction(scale.mean, scale.mean),
            prediction(scale.std, scale.mean)
        );
    }
    let of_class = |(class, &share): (&String, &f64)| format!("{} {class}", percent(share));
    match (model.classes(), &training.class_shares[..]) {
        ([_, positive], [_, share]) => format!(", {} of them {positive}", percent(*share)),
        (classes, shares) => {
            let parts: Vec<String> = classes.iter().zip(shares).map(of_class).collect();
            format!(": {}", parts.join(", "))
        }
    }
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

/// All rules with the names that remarks call them by: their number in the table, and its class if there are several.
fn named_rules(outputs: &[GlobalExplanation]) -> impl Iterator<Item = (String, &GlobalRule)> {
    outputs.iter().flat_map(move |output| {
        let class = output.class.as_ref().filter(|_| outputs.len() > 1);
        let of = class.map(|class| format!(" for {class}")).unwrap_or_default();
        output.rules.iter().enumerate().map(move |(index, rule)| (format!("rule {}{of}", index + 1), rule))
    })
}

/// The rule that rests on the fewest rows.
fn fewest(outputs: &[GlobalExplanation]) -> Option<(String, usize)> {
    named_rules(outputs).map(|(name, rule)| (name, rule.rows)).min_by_key(|(_, rows)| *rows)
}

fn fewest_rows(outputs: &[GlobalExplanation]) -> String {
    match fewest(outputs) {
        None => "no rule rests on any rows".to_owned(),
        Some((rule, rows)) if rows < PRIVATE_ROWS => format!(
            "caution: {rule} rests on {} only; who knows some of them may learn about the others. Raise --min-rows \
             before you share this model",
            count(rows, "training row")
        ),
        Some((rule, rows)) => {
            format!("every rule rests on {} or more (the fewest: {rule})", count(rows, "training row"))
        }
    }
}

fn sensitive_use(model: &Model, outputs: &[GlobalExplanation]) -> String {
    let declared = &model.file().sensitive;
    if declared.is_empty() {
        return "no column was declared sensitive (--sensitive)".to_owned();
    }
    let columns = declared.join(", ");
    let rules = named_rules(outputs).filter(|(_, rule)| !rule.sensitive.is_empty());
    let mut named: Vec<String> =
        rules.map(|(name, rule)| format!("{name} uses {}", rule.sensitive.join(" and "))).collect();
    let linear = outputs.iter().flat_map(|output| &output.linear).filter(|linear| linear.sensitive);
    named.extend(linear.map(|linear| format!("{} is a linear term", linear.feature)));
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
    task: Task,
    classes: &'a [String],
    threshold: Option<f64>,
    n_rules: usize,
    local_support_mean: f64,
    #[serde(flatten)]
    scores: ScoreData<'a>,
    /// The fewest training rows behind any rule.
    fewest_rows: Option<usize>,
    /// Columns declared sensitive.
    sensitive: &'a [String],
    /// Rules that use them, by text.
    sensitive_rules: Vec<&'a str>,
    training: &'a TrainingRecord,
    config: &'a Options,
}

impl<'a> ModelData<'a> {
    fn of(path: &Path, model: &'a Model, outputs: &'a [GlobalExplanation]) -> Self {
        let file = model.file();
        Self {
            model: path.display().to_string(),
            target: &file.target.name,
            task: file.target.task,
            classes: &file.target.classes,
            threshold: file.threshold,
            n_rules: model.rules().len(),
            local_support_mean: file.training.local_support_mean,
            scores: ScoreData::of(outputs),
            fewest_rows: fewest(outputs).map(|(_, rows)| rows),
            sensitive: &file.sensitive,
            sensitive_rules: named_rules(outputs)
                .filter(|(_, rule)| !rule.sensitive.is_empty())
                .map(|(_, rule)| rule.rule.as_str())
                .collect(),
            training: &file.training,
            config: &file.config,
        }
    }
}
