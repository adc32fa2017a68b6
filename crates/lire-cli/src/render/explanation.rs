//! Why rows have their scores: each rule that holds with what it adds, down to the sum.

use lire::explain::{Cell as Value, FeatureValue, LocalExplanation};
use std::fmt::Write as _;

use super::bars::{share_bar, signed_bar, signed_title};
use super::format::{csv, escaped, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{percent, signed};
use super::rules::half_width;
use super::wrap::{COMMA, wrap};
use crate::console::{Look, Style};

/// What a score starts with, named where rules stand.
const INTERCEPT: &str = "(intercept)";
/// Cells of the bar that shows a probability.
const PROBABILITY_CELLS: usize = 20;

/// The target's name and its negative label, which an explanation of one row does not repeat.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The target column.
    pub target: &'a str,
    /// The label that negative contributions speak for.
    pub negative: &'a str,
}

/// A block for people. The title says which row it is.
pub fn block(title: &str, explanation: &LocalExplanation, question: Question, look: Look) -> String {
    let is_positive = explanation.label == explanation.positive;
    let style = if is_positive { Style::Positive } else { Style::Negative };
    let mut text = format!(
        "{} {} = {}\n",
        look.paint(&format!("{title}:"), Style::Strong),
        question.target,
        look.paint(&explanation.label, style),
    );
    let bar: String = share_bar(explanation.probability, PROBABILITY_CELLS, style)
        .iter()
        .map(|span| look.paint(&span.text, span.style))
        .collect();
    let probability = percent(explanation.probability);
    let _ = write!(text, "  probability of {}  {bar}  {probability}\n\n", explanation.positive);
    text.push_str(&contributions(explanation, question, look));
    if !explanation.values.is_empty() {
        let values = explanation.values.iter().map(spelled).collect::<Vec<_>>().join(COMMA);
        for line in wrap(&format!("where {values}"), COMMA, look.width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", look.paint(&line, Style::Faint));
        }
    }
    text
}

/// The intercept, the rules and their sum.
fn contributions(explanation: &LocalExplanation, question: Question, look: Look) -> String {
    let half = half_width(look);
    let title = signed_title(question.negative, &explanation.positive, half);
    let mut grid = Grid::new(vec![
        (title, Side::Left),
        ("adds".to_owned(), Side::Right),
        ("because".to_owned(), Side::Flexible),
    ]);
    let contributions = explanation.rules.iter().map(|rule| rule.contribution);
    let all = contributions.chain([explanation.intercept, explanation.score]);
    let scale = all.map(f64::abs).fold(0.0, f64::max);
    let mut add =
        |value: f64, cell| grid.row(vec![signed_bar(value, scale, half), plain(signed(value)), cell]);
    add(explanation.intercept, styled("every score starts here (intercept)", Style::Faint));
    explanation.rules.iter().for_each(|rule| add(rule.contribution, plain(rule.rule.clone())));
    grid.rule();
    grid.row(vec![
        signed_bar(explanation.score, scale, half),
        styled(signed(explanation.score), Style::Strong),
        styled(format!("score, the sum: {}", explanation.label), Style::Strong),
    ]);
    grid.render(look)
}

/// For spreadsheets: a line for each thing that is added; the lines of a row sum to its score.
pub fn as_csv(explanations: &[LocalExplanation]) -> String {
    let mut rows = Vec::new();
    for explanation in explanations {
        let row = |rule: &str, contribution: f64| {
            vec![explanation.row.to_string(), rule.to_owned(), contribution.to_string()]
        };
        rows.push(row(INTERCEPT, explanation.intercept));
        rows.extend(explanation.rules.iter().map(|rule| row(&rule.rule, rule.contribution)));
    }
    csv(&["row", "rule", "contribution"], &rows)
}

/// For documents: a heading and a table for each row.
pub fn as_markdown(explanations: &[LocalExplanation], question: Question) -> String {
    let one = |explanation: &LocalExplanation| {
        let (target, label) = (escaped(question.target), escaped(&explanation.label));
        let probability = percent(explanation.probability);
        let positive = escaped(&explanation.positive);
        let mut rows = vec![vec![signed(explanation.intercept), INTERCEPT.to_owned()]];
        rows.extend(explanation.rules.iter().map(|rule| vec![signed(rule.contribution), rule.rule.clone()]));
        rows.push(vec![signed(explanation.score), "score".to_owned()]);
        format!(
            "### Row {}: {target} = {label}\n\nProbability of {positive}: {probability}\n\n{}",
            explanation.row,
            markdown(&[">adds", "because"], &rows)
        )
    };
    explanations.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn spelled(value: &FeatureValue) -> String {
    let feature = &value.feature;
    match &value.value {
        Some(Value::Number(number)) => format!("{feature} = {number}"),
        Some(Value::Level(level)) => format!("{feature} = {level}"),
        None if value.unseen => format!("{feature} is a category unknown to the model"),
        None => format!("{feature} is missing"),
    }
}
