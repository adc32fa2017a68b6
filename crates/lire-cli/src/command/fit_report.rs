//! What `lire fit` tells in the end: rules, measures, an example, and where to go from here.

use std::fmt::Write as _;
use std::path::Path;

use lire::evaluate::Assessment;
use lire::explain::{GlobalExplanation, LocalExplanation, explain_outputs};
use lire::fit::Fit;
use lire::measure::{Measures, RuleMeasures};
use lire::model::TrainingRecord;
use lire::selection::PathModel;
use lire::table::{Dataset, Task};
use serde::Serialize;

use crate::args::{FitArgs, Format};
use crate::console::{Console, Style};
use crate::exit::Failure;
use crate::render::explanation::{self, Question};
use crate::render::format::{json, shell_word};
use crate::render::frontier;
use crate::render::measures::{Compared, essential_table};
use crate::render::numbers::{count, percent, prediction};
use crate::render::rules::{self, ScoreData};
use crate::render::visible::visible;

/// The rules that are shown; `lire show` has them all.
const SHOWN_RULES: usize = 20;

/// All that there is to tell.
pub struct FitReport<'a> {
    /// What was asked for.
    pub args: &'a FitArgs,
    /// Where the model is.
    pub out: &'a Path,
    /// The rows.
    pub data: &'a Dataset,
    /// The model.
    pub fit: &'a Fit,
    /// Measures on rows held out, if there were enough.
    pub held_out: Option<HeldOut>,
    /// An explanation of one row.
    pub example: Option<LocalExplanation>,
    /// Whether the rows still have the numbers they have in the file.
    pub all_rows: bool,
}

/// What the model is worth on rows held out.
pub struct HeldOut {
    /// How many they are.
    pub rows: usize,
    /// A word on copies among all rows, where they are common.
    pub copies: String,
    /// What was measured.
    pub assessment: Assessment,
}

/// Prints the report in the form that was asked for.
pub fn print(report: &FitReport, console: &Console) -> Result<(), Failure> {
    let model = &report.fit.model;
    let outputs: Vec<GlobalExplanation> = explain_outputs(model);
    match console.format_or(Format::Table) {
        Format::Table => console.print(&text(report, &outputs, console)?),
        Format::Json => console.print(&json(&ReportData::of(report, &outputs))?),
        Format::Csv => console.print(&rules::as_csv(&outputs)),
        Format::Markdown => console.print(&rules::as_markdown(&outputs)),
    }
}

fn text(report: &FitReport, outputs: &[GlobalExplanation], console: &Console) -> Result<String, Failure> {
    let (look, model) = (console.look, &report.fit.model);
    let question = Question::of(model);
    let headline = rules::headline(model.file().terms.len(), model.file().training.local_support_mean);
    let mut text = format!(
        "{}\n{}\n\n",
        look.paint(&headline, Style::Strong),
        look.paint(&composition(report), Style::Faint)
    );
    text.push_str(&rules::tables(model, outputs, SHOWN_RULES / outputs.len().max(1), look));
    if let Some(HeldOut { rows, copies, assessment }) = &report.held_out {
        let assessments = std::slice::from_ref(assessment);
        let compared = Compared::of(assessments)?;
        let title = look.paint("How good it is", Style::Strong);
        let _ = write!(text, "\n{title}: measured on {} that a fit did not see", count(*rows, "row"));
        if report.fit.selection.is_some() {
            // They had a say in the choice of prices, which flatters a little.
            text.push_str(" (with gamma and lambda of all rows)");
        }
        text.push_str(copies);
        text.push_str("\n\n");
        text.push_str(&essential_table(&compared, look));
    }
    if let Some(selection) = &report.fit.selection {
        let title = look.paint("What it was chosen from", Style::Strong);
        let _ = write!(text, "\n{title}: {}\n\n", frontier::caption(selection));
        text.push_str(&frontier::table(selection, &selection.frontier(), look));
    }
    if let Some(example) = &report.example {
        let title = if report.all_rows {
            format!("For example, row {}", example.row)
        } else {
            "For example".to_owned()
        };
        let _ = write!(text, "\n{}", explanation::block(&title, example, &question, look));
    }
    let _ = write!(
        text,
        "\n{} {}\n",
        look.paint("Model written to", Style::Strong),
        visible(&report.out.display().to_string())
    );
    if !console.quiet {
        text.push_str(&next_commands(report, console));
    }
    Ok(text)
}

/// How many rows of what there were.
fn composition(report: &FitReport) -> String {
    let file = report.fit.model.file();
    let (rows, target) = (count(report.data.n_rows(), "row"), visible(&file.target.name));
    let features = count(report.data.table.schema().features.len(), "feature");
    match (&file.target.classes[..], &file.training.class_shares[..], file.training.scale) {
        ([_, positive], [_, share], _) => {
            let (share, positive) = (percent(*share), rules::short_label(positive));
            format!("{rows}, {share} of them {target} = {positive}; {features}")
        }
        (_, _, Some(scale)) => {
            let (mean, std) = (prediction(scale.mean, scale.mean), prediction(scale.std, scale.mean));
            format!("{rows} with {target} {mean} ± {std} on average; {features}")
        }
        (classes, _, None) => format!("{rows} of {} classes of {target}; {features}", classes.len()),
    }
}

/// What to type next, ready to be copied.
fn next_commands(report: &FitReport, console: &Console) -> String {
    let model = shell_word(&visible(&report.out.display().to_string()));
    let data = match report.args.data.to_string_lossy() {
        stdin if stdin == "-" => "DATA.csv".to_owned(),
        path => shell_word(&visible(&path)),
    };
    let row = report.example.as_ref().filter(|_| report.all_rows).map_or(1, |example| example.row);
    let commands = [
        (format!("lire explain {model} {data} --row {row}"), "why this prediction"),
        (format!("lire predict {model} NEW.csv --out predictions.csv"), "predict new rows"),
        (format!("lire show {model}"), "all rules and cautions"),
    ];
    let widest = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let line = |(command, purpose): &(String, &str)| {
        let padding = " ".repeat(widest - command.chars().count());
        let purpose = format!("   # {purpose}");
        let fits = 2 + widest + purpose.len() <= console.look.width;
        let purpose = if fits {
            console.look.paint(&format!("{padding}{purpose}"), Style::Faint)
        } else {
            String::new()
        };
        format!("  {command}{purpose}\n")
    };
    commands.iter().map(line).collect()
}

/// The report for programs.
#[derive(Serialize)]
struct ReportData<'a> {
    model: String,
    target: &'a str,
    task: Task,
    classes: &'a [String],
    n_rows: usize,
    n_features: usize,
    n_rules: usize,
    local_support_mean: f64,
    #[serde(flatten)]
    scores: ScoreData<'a>,
    /// The models that it was chosen from.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a [PathModel]>,
    /// On rows held out.
    measures: Option<HeldOutData<'a>>,
    training: &'a TrainingRecord,
    example: Option<&'a LocalExplanation>,
}

#[derive(Serialize)]
struct HeldOutData<'a> {
    n_rows: usize,
    #[serde(flatten)]
    quality: &'a Measures,
    #[serde(flatten)]
    size: Option<&'a RuleMeasures>,
    fit_seconds: f64,
    /// The baseline of classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    majority_class: Option<&'a Measures>,
    /// The baseline of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    training_mean: Option<&'a Measures>,
}

impl<'a> ReportData<'a> {
    fn of(report: &'a FitReport, outputs: &'a [GlobalExplanation]) -> Self {
        let file = report.fit.model.file();
        let is_number = file.target.classes.is_empty();
        let held_out = report.held_out.as_ref().map(|held_out| HeldOutData {
            n_rows: held_out.rows,
            quality: &held_out.assessment.measures,
            size: held_out.assessment.rules.as_ref(),
            fit_seconds: held_out.assessment.fit_seconds,
            majority_class: (!is_number).then_some(&held_out.assessment.baseline),
            training_mean: is_number.then_some(&held_out.assessment.baseline),
        });
        Self {
            model: report.out.display().to_string(),
            target: &file.target.name,
            task: file.target.task,
            classes: &file.target.classes,
            n_rows: report.data.n_rows(),
            n_features: file.features.features.len(),
            n_rules: report.fit.model.rules().len(),
            local_support_mean: file.training.local_support_mean,
            scores: ScoreData::of(outputs),
            path: report.fit.selection.as_ref().map(|selection| &selection.models[..]),
            measures: held_out,
            training: &file.training,
            example: report.example.as_ref().filter(|_| report.all_rows),
        }
    }
}
