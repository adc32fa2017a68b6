//! What `lire fit` tells in the end: rules, measures, an example, and where to go from here.

use std::fmt::Write as _;
use std::path::Path;

use lire::assess::Assessment;
use lire::evaluate::{Measures, RuleMeasures};
use lire::explain::{GlobalRule, LocalExplanation, explain_global};
use lire::fit::Fit;
use lire::model::TrainingRecord;
use lire::table::Dataset;
use serde::Serialize;

use crate::args::{FitArgs, Format};
use crate::console::{Console, Style};
use crate::exit::Failure;
use crate::render::explanation::{self, Question};
use crate::render::format::{json, shell_word};
use crate::render::measures::{Compared, essential_table};
use crate::render::numbers::{count, percent};
use crate::render::rules;

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
    /// What was measured.
    pub assessment: Assessment,
}

/// Prints the report in the form that was asked for.
pub fn print(report: &FitReport, console: &Console) -> Result<(), Failure> {
    let global = explain_global(&report.fit.model);
    match console.format_or(Format::Table) {
        Format::Table => console.print(&text(report, console)),
        Format::Json => console.print(&json(&ReportData::of(report, &global.rules, global.intercept))?),
        Format::Csv => console.print(&rules::as_csv(&global)),
        Format::Markdown => console.print(&rules::as_markdown(&global)),
    }
}

fn text(report: &FitReport, console: &Console) -> String {
    let (look, model) = (console.look, &report.fit.model);
    let (target, training) = (&model.file().target, &model.file().training);
    let question = Question { target: &target.name, negative: &target.negative };
    let headline = rules::headline(model.rules().len(), training.local_support_mean);
    let mut text = format!(
        "{}\n{}\n\n",
        look.paint(&headline, Style::Strong),
        look.paint(
            &format!(
                "{}, {} of them {} = {}; {}",
                count(report.data.n_rows(), "row"),
                percent(training.positive_share),
                target.name,
                rules::short_label(&target.positive),
                count(report.data.table.schema().features.len(), "feature"),
            ),
            Style::Faint
        )
    );
    text.push_str(&rules::table(&explain_global(model), &target.negative, SHOWN_RULES, look));
    if let Some(HeldOut { rows, assessment }) = &report.held_out {
        let assessments = std::slice::from_ref(assessment);
        let compared = Compared::of(assessments);
        let title = look.paint("How good it is", Style::Strong);
        let _ = write!(text, "\n{title}: measured on {} that a fit did not see\n\n", count(*rows, "row"));
        text.push_str(&essential_table(&compared, look));
    }
    if let Some(example) = &report.example {
        let title = if report.all_rows {
            format!("For example, row {}", example.row)
        } else {
            "For example".to_owned()
        };
        let _ = write!(text, "\n{}", explanation::block(&title, example, question, look));
    }
    let _ = write!(text, "\n{} {}\n", look.paint("Model written to", Style::Strong), report.out.display());
    if !console.quiet {
        text.push_str(&next_commands(report, console));
    }
    text
}

/// What to type next, ready to be copied.
fn next_commands(report: &FitReport, console: &Console) -> String {
    let model = shell_word(&report.out.display().to_string());
    let data = match report.args.data.to_string_lossy() {
        stdin if stdin == "-" => "DATA.csv".to_owned(),
        path => shell_word(&path),
    };
    let row = report.example.as_ref().filter(|_| report.all_rows).map_or(1, |example| example.row);
    let commands = [
        (format!("lire explain {model} {data} --row {row}"), "why this label"),
        (format!("lire predict {model} NEW.csv --out labels.csv"), "label new rows"),
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
    negative: &'a str,
    positive: &'a str,
    n_rows: usize,
    n_features: usize,
    n_rules: usize,
    local_support_mean: f64,
    intercept: f64,
    rules: &'a [GlobalRule],
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
    majority_class: &'a Measures,
}

impl<'a> ReportData<'a> {
    fn of(report: &'a FitReport, rules: &'a [GlobalRule], intercept: f64) -> Self {
        let file = report.fit.model.file();
        let held_out = report.held_out.as_ref().map(|held_out| HeldOutData {
            n_rows: held_out.rows,
            quality: &held_out.assessment.measures,
            size: held_out.assessment.rules.as_ref(),
            fit_seconds: held_out.assessment.fit_seconds,
            majority_class: &held_out.assessment.baseline,
        });
        Self {
            model: report.out.display().to_string(),
            target: &file.target.name,
            negative: &file.target.negative,
            positive: &file.target.positive,
            n_rows: report.data.n_rows(),
            n_features: file.features.features.len(),
            n_rules: rules.len(),
            local_support_mean: file.training.local_support_mean,
            intercept,
            rules,
            measures: held_out,
            training: &file.training,
            example: report.example.as_ref().filter(|_| report.all_rows),
        }
    }
}
