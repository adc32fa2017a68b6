//! Why rows have their scores: each rule that holds with what it adds, down to the sum.

use lire::explain::{Cell as Value, FeatureValue, LocalExplanation, LocalLinear};
use lire::report::Sides;
use std::fmt::Write as _;

use super::bars::{share_bar, signed_bar, signed_title};
use super::format::{csv, escaped, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{Notation, percent, prediction, shortest};
use super::rules::half_width;
use super::visible::visible;
use super::wrap::{COMMA, wrap};
use crate::console::{Look, Style};

/// What a score starts with, named where rules stand.
const INTERCEPT: &str = "(intercept)";
/// Cells of the bar that shows a probability.
const PROBABILITY_CELLS: usize = 20;
/// The decimals of what is added, in documents.
const MARKDOWN_DECIMALS: usize = 3;

/// What is explained: the target's name and what the sides of a score stand for, which an explanation of one row does
/// not repeat.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The target column.
    pub target: &'a str,
    /// The sides of each output.
    sides: &'a [Sides],
}

impl<'a> Question<'a> {
    /// The question of a target, with the sides of each score.
    pub fn of(target: &'a str, sides: &'a [Sides]) -> Self {
        Self { target, sides }
    }

    fn sides(&self, explanation: &LocalExplanation) -> &Sides {
        let of_class = |sides: &&Sides| Some(&sides.high) == explanation.class.as_ref();
        self.sides.iter().find(of_class).unwrap_or(&self.sides[0])
    }
}

/// A block for people. The title says which row it is.
pub fn block(title: &str, explanation: &LocalExplanation, question: &Question, look: Look) -> String {
    let is_positive = explanation.label == explanation.class;
    let style = if is_positive { Style::Positive } else { Style::Negative };
    let mut text = format!(
        "{} {} = {}\n",
        look.paint(&format!("{title}:"), Style::Strong),
        visible(question.target),
        look.paint(&visible(&predicted(explanation)), style),
    );
    if let (Some(probability), Some(class)) = (explanation.probability, &explanation.class) {
        let bar: String = share_bar(probability, PROBABILITY_CELLS, style)
            .iter()
            .map(|span| look.paint(&span.text, span.style))
            .collect();
        let class = visible(class);
        let _ = writeln!(text, "  probability of {class}  {bar}  {}", percent(probability));
    }
    text.push('\n');
    text.push_str(&contributions(explanation, question.sides(explanation), look));
    if !explanation.values.is_empty() {
        let values = explanation.values.iter().map(spelled).collect::<Vec<_>>().join(COMMA);
        for line in wrap(&format!("where {values}"), COMMA, look.width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", look.paint(&line, Style::Faint));
        }
    }
    text
}

/// The intercept, the rules and their sum.
fn contributions(explanation: &LocalExplanation, sides: &Sides, look: Look) -> String {
    let half = half_width(look);
    let title = signed_title(&sides.low, &sides.high, half);
    let mut grid = Grid::new(vec![
        (title, Side::Left),
        ("adds".to_owned(), Side::Right),
        ("because".to_owned(), Side::Flexible),
    ]);
    let is_number = explanation.class.is_none();
    let of_terms = explanation.addends().skip(1);
    // A number may start far from zero; what counts then is how the terms move it.
    let ends = if is_number { vec![] } else { vec![explanation.intercept, explanation.score] };
    let scale = of_terms.chain(ends).map(f64::abs).fold(0.0, f64::max);
    let largest = scale.max(explanation.score.abs()).max(explanation.intercept.abs());
    let notation = match is_number {
        true if scale > 0.0 => Notation::of_sum(scale, largest),
        true => Notation::of(largest),
        false => Notation::SCORE,
    };
    let (parts, sum_shown) = notation.sum_of(explanation);
    let bar = |value: f64| signed_bar(value, scale, half);
    let bar_of_end = |value: f64| if is_number { Vec::new() } else { bar(value) };
    grid.row(vec![
        bar_of_end(explanation.intercept),
        plain(&parts[0]),
        styled("every score starts here (intercept)", Style::Faint),
    ]);
    for ((added, shown), reason) in explanation.addends().zip(&parts).skip(1).zip(reasons(explanation)) {
        grid.row(vec![bar(added), plain(shown), plain(reason)]);
    }
    grid.rule();
    let sum = match &explanation.label {
        Some(label) => format!("score, the sum: {label}"),
        None => "the sum is the prediction".to_owned(),
    };
    grid.row(vec![
        bar_of_end(explanation.score),
        styled(sum_shown, Style::Strong),
        styled(sum, Style::Strong),
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
        rows.extend(explanation.linear.iter().map(|linear| row(&linear.term, linear.contribution)));
    }
    csv(&["row", "rule", "contribution"], &rows)
}

/// For documents: a heading and a table for each row.
pub fn as_markdown(explanations: &[LocalExplanation], question: &Question) -> String {
    let one = |explanation: &LocalExplanation| {
        let (target, label) = (escaped(question.target), escaped(&predicted(explanation)));
        let probability = match (explanation.probability, &explanation.class) {
            (Some(probability), Some(class)) => {
                format!("Probability of {}: {}\n\n", escaped(class), percent(probability))
            }
            _ => String::new(),
        };
        let size = explanation.addends().chain([explanation.score]).map(f64::abs).fold(0.0, f64::max);
        let notation = match explanation.class {
            Some(_) => Notation::SCORE,
            None => Notation::with_decimals(size, MARKDOWN_DECIMALS),
        };
        let (parts, sum) = notation.sum_of(explanation);
        let reasons = std::iter::once(INTERCEPT.to_owned()).chain(reasons(explanation));
        let mut rows: Vec<Vec<String>> =
            parts.into_iter().zip(reasons).map(|(part, reason)| vec![part, reason]).collect();
        rows.push(vec![sum, "score".to_owned()]);
        format!(
            "### Row {}: {target} = {label}\n\n{probability}{}",
            explanation.row,
            markdown(&[">adds", "because"], &rows)
        )
    };
    explanations.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The predicted label or number.
fn predicted(explanation: &LocalExplanation) -> String {
    match &explanation.label {
        Some(label) => label.clone(),
        None => prediction(explanation.score, explanation.score),
    }
}

/// Why each term adds what it adds, in the order in which they are summed.
fn reasons(explanation: &LocalExplanation) -> impl Iterator<Item = String> + '_ {
    let rules = explanation.rules.iter().map(|rule| rule.rule.clone());
    rules.chain(explanation.linear.iter().map(linear_text))
}

fn linear_text(linear: &LocalLinear) -> String {
    if let Some((value, moment)) = linear.value.zip(linear.moment) {
        return format!("{} = {}", linear.term, moment.spell(value));
    }
    match linear.value {
        Some(value) => format!("{} = {}", linear.term, shortest(value)),
        None => format!("{} is missing", linear.term),
    }
}

fn spelled(value: &FeatureValue) -> String {
    let feature = &value.feature;
    match &value.value {
        Some(Value::Number(number)) => format!("{feature} = {}", shortest(*number)),
        Some(Value::Level(level)) => format!("{feature} = {level}"),
        None if value.unseen => format!("{feature} is a category unknown to the model"),
        None => format!("{feature} is missing"),
    }
}
