//! Many classes at a glance: a line for each.

use lire::explain::GlobalExplanation;
use lire::report::FitReport;

use super::format::shell_word;
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{Notation, count, percent};
use super::visible::visible;
use crate::console::{Look, Style};

/// So many lines fit on a page.
const MOST_LINES: usize = 40;

/// For each class its share of the rows, its rules, and the one of the largest weight; `lire show` has them all.
pub fn overview(report: &FitReport, look: Look) -> String {
    let outputs = report.scores.all();
    let mut grid = Grid::new(vec![
        ("class".to_owned(), Side::Left),
        ("of the rows".to_owned(), Side::Right),
        ("rules".to_owned(), Side::Right),
        ("weight".to_owned(), Side::Right),
        ("heaviest rule".to_owned(), Side::Flexible),
    ]);
    let shares = report.training.class_shares.iter();
    for (explanation, &share) in outputs.iter().zip(shares).take(MOST_LINES) {
        let class = explanation.class.as_deref().unwrap_or_default();
        let (weight, rule) = heaviest(explanation);
        let n_rules = explanation.rules.len().to_string();
        grid.row(vec![plain(class), plain(percent(share)), plain(n_rules), plain(weight), plain(rule)]);
    }
    if let Some(more) = outputs.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        let more = format!("… and {more} classes more");
        grid.row(vec![Vec::new(), Vec::new(), Vec::new(), Vec::new(), styled(more, Style::Faint)]);
    }
    let title = look.paint("What speaks most for each class", Style::Strong);
    let used: usize = outputs.iter().map(|explanation| explanation.rules.len()).sum();
    let all = format!(
        "{} over all classes; `lire show {}` has them all",
        count(used, "weighted rule"),
        shell_word(&visible(&report.model))
    );
    format!("{title}\n{}  {}\n", grid.render(look), look.paint(&all, Style::Faint))
}

/// The rule of the largest weight that speaks for the class; rules come heaviest first.
fn heaviest(explanation: &GlobalExplanation) -> (String, String) {
    let speaks_for = explanation.rules.iter().find(|rule| rule.weight > 0.0);
    match speaks_for.or(explanation.rules.first()) {
        Some(rule) => (Notation::SCORE.signed(rule.weight), rule.rule.clone()),
        None => (String::new(), "none".to_owned()),
    }
}
