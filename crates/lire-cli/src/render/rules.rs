//! The rules of a model: bars to both sides, weights, texts and what they cover.

use lire::explain::{GlobalExplanation, GlobalRule};

use super::bars::{signed_bar, signed_title};
use super::format::{csv, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{count, mean_count, measure, percent, signed};
use super::wrap::cut;
use crate::console::{Look, Style};

/// Terminals narrower than this have no room for the importance.
const WIDTH_WITH_IMPORTANCE: usize = 92;

/// The headline: how many rules there are, and how few of them a prediction needs.
pub fn headline(n_rules: usize, local_support_mean: f64) -> String {
    match n_rules {
        0 => "No rules: every row gets the same prediction".to_owned(),
        1 => format!("1 rule; it holds for {} of the rows", percent(local_support_mean)),
        _ => {
            let (rules, needed) = (count(n_rules, "rule"), mean_count(local_support_mean));
            format!("{rules}; a prediction needs {needed} of them on average")
        }
    }
}

/// The cells of a side of the axis, for terminals of this width.
pub fn half_width(look: Look) -> usize {
    match look.width {
        ..90 => 6,
        90..120 => 8,
        _ => 12,
    }
}

/// The table for people, with at most so many rules. They are numbered from 1, so that remarks can name them.
pub fn table(explanation: &GlobalExplanation, negative: &str, most: usize, look: Look) -> String {
    let half = half_width(look);
    let with_importance = look.width >= WIDTH_WITH_IMPORTANCE;
    let mut columns = vec![
        ("#".to_owned(), Side::Right),
        (signed_title(negative, &explanation.positive, half), Side::Left),
        ("weight".to_owned(), Side::Right),
        ("rule".to_owned(), Side::Flexible),
        ("covers".to_owned(), Side::Right),
        ("rows".to_owned(), Side::Right),
    ];
    if with_importance {
        columns.push(("importance".to_owned(), Side::Right));
    }
    let mut grid = Grid::new(columns);
    let weights = explanation.rules.iter().map(|rule| rule.weight);
    let scale = weights.chain([explanation.intercept]).map(f64::abs).fold(0.0, f64::max);
    for (index, rule) in explanation.rules.iter().enumerate().take(most) {
        let mut cells = vec![
            styled((index + 1).to_string(), Style::Faint),
            signed_bar(rule.weight, scale, half),
            plain(signed(rule.weight)),
            plain(rule_text(rule)),
            plain(percent(rule.coverage)),
            plain(rule.rows.to_string()),
        ];
        if with_importance {
            cells.push(plain(measure(rule.importance)));
        }
        grid.row(cells);
    }
    if let Some(more) = explanation.rules.len().checked_sub(most).filter(|more| *more > 0) {
        let more = format!("… and {} of less weight", count(more, "rule"));
        grid.row(vec![Vec::new(), Vec::new(), Vec::new(), styled(more, Style::Faint)]);
    }
    grid.rule();
    grid.row(vec![
        Vec::new(),
        signed_bar(explanation.intercept, scale, half),
        plain(signed(explanation.intercept)),
        styled("intercept, where every score starts", Style::Faint),
    ]);
    grid.render(look)
}

/// For spreadsheets: everything known of each rule.
pub fn as_csv(explanation: &GlobalExplanation) -> String {
    let row = |rule: &GlobalRule| {
        vec![
            rule.rule.clone(),
            rule.weight.to_string(),
            rule.coverage.to_string(),
            rule.rows.to_string(),
            rule.importance.to_string(),
            rule.sensitive.join(" "),
        ]
    };
    let rows: Vec<_> = explanation.rules.iter().map(row).collect();
    csv(&["rule", "weight", "coverage", "rows", "importance", "sensitive"], &rows)
}

/// For documents.
pub fn as_markdown(explanation: &GlobalExplanation) -> String {
    let row = |rule: &GlobalRule| {
        let (weight, importance) = (signed(rule.weight), measure(rule.importance));
        vec![weight, rule_text(rule), percent(rule.coverage), rule.rows.to_string(), importance]
    };
    let rows: Vec<_> = explanation.rules.iter().map(row).collect();
    let table = markdown(&[">weight", "rule", ">covers", ">rows", ">importance"], &rows);
    let (intercept, positive) =
        (signed(explanation.intercept), super::format::escaped(&explanation.positive));
    format!("{table}\nPositive weights speak for {positive}; every score starts at {intercept}.\n")
}

/// A label that may be long, for the middle of a sentence.
pub fn short_label(label: &str) -> String {
    cut(label, 24)
}

fn rule_text(rule: &GlobalRule) -> String {
    if rule.sensitive.is_empty() { rule.rule.clone() } else { format!("{} (sensitive)", rule.rule) }
}
