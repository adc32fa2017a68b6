//! How good a model is, beside the majority class.

use lire::evaluate::{Confusion, Summary};
use lire::evaluation::Evaluation;

use super::format::{csv, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{mean_count, measure, seconds};
use crate::console::{Look, Style};

/// The two models that are compared, over the same splits.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Ours.
    pub model: Evaluation,
    /// The one that knows nothing but the classes' shares.
    pub majority: Evaluation,
}

/// A line of the table.
struct Line {
    /// The name in JSON and CSV.
    key: &'static str,
    /// The name for people.
    name: &'static str,
    of: fn(&Evaluation) -> Option<Summary>,
    spell: fn(f64) -> String,
}

const LINES: [Line; 13] = [
    Line { key: "accuracy", name: "accuracy", of: |e| e.accuracy, spell: measure },
    Line { key: "balanced_accuracy", name: "balanced accuracy", of: |e| e.balanced_accuracy, spell: measure },
    Line { key: "f1", name: "F1", of: |e| e.f1, spell: measure },
    Line { key: "auc", name: "AUC", of: |e| e.auc, spell: measure },
    Line { key: "average_precision", name: "average precision", of: |e| e.average_precision, spell: measure },
    Line { key: "log_loss", name: "log loss (less is better)", of: |e| e.log_loss, spell: measure },
    Line { key: "brier", name: "Brier score (less is better)", of: |e| e.brier, spell: measure },
    Line { key: "support", name: "rules", of: |e| e.support, spell: mean_count },
    Line {
        key: "local_support_mean",
        name: "rules per explanation",
        of: |e| e.local_support_mean,
        spell: two_decimals,
    },
    Line {
        key: "local_support_max",
        name: "rules of the longest one",
        of: |e| e.local_support_max,
        spell: mean_count,
    },
    Line {
        key: "support_ratio",
        name: "share of rules per explanation",
        of: |e| e.support_ratio,
        spell: measure,
    },
    Line { key: "diversity", name: "diversity of rules", of: |e| e.diversity, spell: measure },
    Line { key: "fit_seconds", name: "time to fit", of: |e| e.fit_seconds, spell: seconds },
];

/// The lines that `fit` shows of these.
const ESSENTIAL: [&str; 8] = [
    "accuracy",
    "balanced_accuracy",
    "f1",
    "auc",
    "log_loss",
    "support",
    "local_support_mean",
    "local_support_max",
];

/// The measures that matter first, for people.
pub fn essential_table(compared: &Compared, look: Look) -> String {
    table(compared, look, |line| ESSENTIAL.contains(&line.key))
}

/// All measures, for people.
pub fn full_table(compared: &Compared, look: Look) -> String {
    table(compared, look, |_| true)
}

fn table(compared: &Compared, look: Look, shown: impl Fn(&Line) -> bool) -> String {
    let titles = ["", "model", "majority class"];
    let sides = [Side::Left, Side::Right, Side::Right];
    let mut grid = Grid::new(titles.map(str::to_owned).into_iter().zip(sides).collect());
    for line in LINES.iter().filter(|line| shown(line)) {
        let model = (line.of)(&compared.model);
        let majority = (line.of)(&compared.majority);
        let empty = || if model.is_none() { "none".to_owned() } else { String::new() };
        let cells =
            [model, majority].map(|summary| summary.map_or_else(empty, |summary| spelled(summary, line)));
        let [model, majority] = cells;
        grid.row(vec![plain(line.name), styled(model, Style::Strong), plain(majority)]);
    }
    grid.render(look)
}

/// Right and wrong labels, for people.
pub fn confusion_table(confusion: &Confusion<usize>, negative: &str, positive: &str, look: Look) -> String {
    let said = |label: &str| (format!("predicted {label}"), Side::Right);
    let mut grid = Grid::new(vec![("rows".to_owned(), Side::Left), said(positive), said(negative)]);
    let row = |label: &str, said_positive: usize, said_negative: usize| {
        vec![
            plain(format!("truly {label}")),
            plain(said_positive.to_string()),
            plain(said_negative.to_string()),
        ]
    };
    grid.row(row(positive, confusion.true_positive, confusion.false_negative));
    grid.row(row(negative, confusion.false_positive, confusion.true_negative));
    grid.render(look)
}

/// For spreadsheets.
pub fn as_csv(compared: &Compared) -> String {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let row = |line: &Line| {
        let (model, majority) = ((line.of)(&compared.model), (line.of)(&compared.majority));
        let mean = |summary: Option<Summary>| number(summary.map(|summary| summary.mean));
        let std = number(model.and_then(|summary| summary.std));
        vec![line.key.to_owned(), mean(model), std, mean(majority)]
    };
    csv(&["measure", "mean", "std", "majority_class"], &LINES.iter().map(row).collect::<Vec<_>>())
}

/// For documents.
pub fn as_markdown(compared: &Compared) -> String {
    let row = |line: &Line| {
        let cell =
            |evaluation| (line.of)(evaluation).map(|summary| spelled(summary, line)).unwrap_or_default();
        vec![line.name.to_owned(), cell(&compared.model), cell(&compared.majority)]
    };
    markdown(&["measure", ">model", ">majority class"], &LINES.iter().map(row).collect::<Vec<_>>())
}

fn spelled(summary: Summary, line: &Line) -> String {
    match summary.std {
        Some(std) => format!("{} ± {}", (line.spell)(summary.mean), (line.spell)(std)),
        None => (line.spell)(summary.mean),
    }
}

fn two_decimals(number: f64) -> String {
    format!("{number:.2}")
}
