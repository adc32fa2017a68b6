//! How good models are, for people: the one thing to know, all measures, and which class was taken for which.

use std::fmt::Write as _;

use lire::evaluate::Assessment;
use lire::measure::Measure;
use lire::report::{EvaluationReport, Measured};

use super::confusion::confusion_table;
use super::division;
use super::measures::{Compared, full_table, name, quantity};
use super::numbers::{count, percent, seconds};
use super::reliability::reliability_table;
use super::visible::visible;
use crate::console::{Look, Style};

/// From this share of the rows on copies are worth a word.
const COMMON_COPIES: f64 = 0.1;

/// All that was measured.
pub fn text(report: &EvaluationReport, look: Look) -> String {
    let headline = look.paint(&headline(report), Style::Strong);
    let measured = look.paint(&visible(&measured(report)), Style::Faint);
    let mut text = format!("{headline}\n{measured}\n\n{}", full_table(&Compared::of(report), look));
    if let Some(confusion) = &report.model.confusion {
        text.push('\n');
        text.push_str(&confusion_table(confusion, look));
    }
    if let Some(reliability) = &report.model.reliability {
        let class = report.positive.as_deref().unwrap_or("the predicted class");
        let title = look.paint("Reliability of the probabilities", Style::Strong);
        let _ = write!(text, "\n{title}\n\n{}", reliability_table(reliability, class, look));
    }
    text
}

/// The one thing to know.
pub fn headline(report: &EvaluationReport) -> String {
    let mean = |measure| report.model.get(measure).map(|summary| summary.mean);
    if let Some(accuracy) = mean(Measure::Accuracy) {
        return format!("{} of the labels are right", percent(accuracy));
    }
    let error = mean(Measure::Mae).unwrap_or_default();
    let off = format!("Predictions are off by {} on average", quantity(error, error));
    match mean(Measure::R2) {
        Some(r2) if r2 > 0.0 => format!("{off} and explain {} of the variance", percent(r2)),
        Some(_) => format!("{off}, which is no better than the mean of the rows"),
        None => off,
    }
}

/// What was measured, and on which rows.
fn measured(report: &EvaluationReport) -> String {
    let by = report.divided_by.as_ref();
    let measured = match &report.measured {
        Measured::Folds { n_folds } => division::several(*n_folds, report.n_rows, by),
        Measured::Holdout { n_rows } => {
            let held_out = division::held_out(by);
            let rows = count(*n_rows, "row");
            format!("measured on {rows} that the fit did not see, of {}{held_out}", report.n_rows)
        }
        Measured::AllRows { model } => return format!("{model} on {}", count(report.n_rows, "row")),
    };
    format!("{measured}{}", about_copies(report.rows_with_copies, report.n_rows))
}

/// What is worth knowing of copies where there are many, to append to what was measured.
pub fn about_copies(copied: usize, n_rows: usize) -> String {
    if (copied as f64) < COMMON_COPIES * n_rows as f64 {
        return String::new();
    }
    format!("; {} share their features with another row, and such rows stay together", count(copied, "row"))
}

/// What was measured in a few words: `12 rules, accuracy 0.8525, 1.20 s`.
pub fn in_short(assessment: &Assessment) -> String {
    let rules = assessment.rules.as_ref().map(|rules| count(rules.support, "rule"));
    let quality = assessment.measures.kinds().iter().find_map(|&kind| {
        let name = name(kind).split([',', '(']).next().unwrap_or_default().trim();
        Some(format!("{name} {:.4}", assessment.get(kind)?))
    });
    let parts = [rules, quality, Some(seconds(assessment.fit_seconds))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
