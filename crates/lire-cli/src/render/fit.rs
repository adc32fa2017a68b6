//! What `lire fit` tells in the end: rules, measures, an example, and where to go from here.

use std::fmt::Write as _;

use lire::report::FitReport;

use super::classes;
use super::division;
use super::evaluation::about_copies;
use super::explanation::{self, Question};
use super::format::shell_word;
use super::frontier;
use super::measures::{Compared, essential_table};
use super::numbers::{count, percent, prediction};
use super::rules;
use super::visible::visible;
use crate::console::{Look, Style};
use crate::exit::Failure;

/// The rules that are shown; `lire show` has them all.
const SHOWN_RULES: usize = 20;

/// Where there are so many classes that each could show fewer rules, there is one line for each instead.
const FEWEST_SHOWN: usize = 3;

/// The rules, how good they are, what they were chosen from, an example, and where to go from here.
pub fn text(report: &FitReport, next: Option<&Next>, look: Look) -> Result<String, Failure> {
    let headline = rules::headline(report.n_terms, report.local_support_mean);
    let mut text = format!(
        "{}\n{}\n\n",
        look.paint(&headline, Style::Strong),
        look.paint(&composition(report), Style::Faint)
    );
    let shown_of_each = SHOWN_RULES / report.sides.len().max(1);
    if shown_of_each < FEWEST_SHOWN {
        text.push_str(&classes::overview(report, look));
    } else {
        text.push_str(&rules::tables(&report.scores, &report.sides, shown_of_each, look));
    }
    if let Some(held_out) = &report.measures {
        let title = look.paint("How good it is", Style::Strong);
        let rows = count(held_out.n_rows, "row");
        let which = division::held_out(held_out.divided_by.as_ref());
        let _ = write!(text, "\n{title}: measured on {rows} that a fit did not see{which}");
        if report.choice.is_some() {
            // They had a say in the choice of prices, which flatters a little.
            text.push_str(" (with gamma and lambda of all rows)");
        }
        text.push_str(&about_copies(held_out.rows_with_copies, report.n_rows));
        text.push_str("\n\n");
        text.push_str(&essential_table(&Compared::of_held_out(held_out)?, look));
    }
    if let Some(selection) = &report.selection() {
        let title = look.paint("Selected from", Style::Strong);
        let _ = write!(text, "\n{title}: {}\n\n", frontier::caption(selection));
        text.push_str(&frontier::table(selection, &selection.frontier(), look));
    }
    if let Some(example) = &report.example {
        let title = if report.rows_left_out {
            "For example".to_owned()
        } else {
            format!("For example, row {}", example.row)
        };
        let question = Question::of(&report.target, &report.sides);
        let _ = write!(text, "\n{}", explanation::block(&title, example, &question, look));
    }
    let _ = write!(text, "\n{} {}\n", look.paint("Model written to", Style::Strong), visible(&report.model));
    if let Some(next) = next {
        text.push_str(&next.commands(report, look));
    }
    Ok(text)
}

/// How many rows of what there were.
fn composition(report: &FitReport) -> String {
    let (rows, target) = (count(report.n_rows, "row"), visible(&report.target));
    let features = count(report.n_features, "feature");
    match (&report.classes[..], &report.training.class_shares[..], report.training.scale) {
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
pub struct Next {
    /// The table that was read; none if it was standard input.
    pub data: Option<String>,
}

impl Next {
    fn commands(&self, report: &FitReport, look: Look) -> String {
        let model = shell_word(&visible(&report.model));
        let data =
            self.data.as_ref().map_or_else(|| "DATA.csv".to_owned(), |path| shell_word(&visible(path)));
        let row = report.example.as_ref().filter(|_| !report.rows_left_out).map_or(1, |example| example.row);
        let commands = [
            (format!("lire explain {model} {data} --row {row}"), "why this prediction"),
            (format!("lire predict {model} NEW.csv --out predictions.csv"), "predict new rows"),
            (format!("lire show {model}"), "all rules and cautions"),
        ];
        let widest = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
        let line = |(command, purpose): &(String, &str)| {
            let padding = " ".repeat(widest - command.chars().count());
            let purpose = format!("   # {purpose}");
            let fits = 2 + widest + purpose.len() <= look.width;
            let purpose =
                if fits { look.paint(&format!("{padding}{purpose}"), Style::Faint) } else { String::new() };
            format!("  {command}{purpose}\n")
        };
        commands.iter().map(line).collect()
    }
}
