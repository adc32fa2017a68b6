//! Why rows have their scores: each rule that holds with what it adds, down to the sum.

use lire::Model;
use lire::explain::{Cell as Value, FeatureValue, LocalExplanation, LocalLinear};
use std::fmt::Write as _;

use super::bars::{share_bar, signed_bar, signed_title};
use super::format::{csv, escaped, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{percent, prediction, signed_of};
use super::rules::half_width;
use super::sides::Sides;
use super::wrap::{COMMA, wrap};
use crate::console::{Look, Style};

/// What a score starts with, named where rules stand.
const INTERCEPT: &str = "(intercept)";
/// Cells of the bar that shows a probability.
const PROBABILITY_CELLS: usize = 20;

/// What is explained: the target's name and what the sides of a score stand for, which an explanation of one row does
/// not repeat.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The target column.
    pub target: &'a str,
    /// The sides of each output.
    sides: Vec<Sides>,
}

impl<'a> Question<'a> {
    /// The question that a model answers.
    pub fn of(model: &'a Model) -> Self {
        let sides = (0..model.n_outputs()).map(|output| Sides::of(model, output)).collect();
        Self { target: &model.file().target.name, sides }
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
        question.target,
        look.paint(&predicted(explanation), style),
    );
    if let (Some(probability), Some(class)) = (explanation.probability, &explanation.class) {
        let bar: String = share_bar(probability, PROBABILITY_CELLS, style)
            .iter()
            .map(|span| look.paint(&span.text, span.style))
            .collect();
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
    let of_rules = explanation.rules.iter().map(|rule| rule.contribution);
    let of_terms = of_rules.chain(explanation.linear.iter().map(|linear| linear.contribution));
    // A number may start far from zero; what counts then is how the terms move it.
    let ends = if is_number { vec![] } else { vec![explanation.intercept, explanation.score] };
    let scale = of_terms.chain(ends).map(f64::abs).fold(0.0, f64::max);
    let signed =
        |value: f64| signed_of(value, if is_number { scale.max(explanation.score.abs()) } else { 0.0 });
    let bar = |value: f64| signed_bar(value, scale, half);
    let bar_of_end = |value: f64| if is_number { Vec::new() } else { bar(value) };
    grid.row(vec![
        bar_of_end(explanation.intercept),
        plain(signed(explanation.intercept)),
        styled("every score starts here (intercept)", Style::Faint),
    ]);
    for rule in &explanation.rules {
        grid.row(vec![bar(rule.contribution), plain(signed(rule.contribution)), plain(rule.rule.clone())]);
    }
    for linear in &explanation.linear {
        grid.row(vec![
            bar(linear.contribution),
            plain(signed(linear.contribution)),
            plain(linear_text(linear)),
        ]);
    }
    grid.rule();
    let sum = match &explanation.label {
        Some(label) => format!("score, the sum: {label}"),
        None => "the sum is the prediction".to_owned(),
    };
    grid.row(vec![
        bar_of_end(explanation.score),
        styled(signed(explanation.score), Style::Strong),
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
        let signed = |value: f64| signed_of(value, 0.0);
        let mut rows = vec![vec![signed(explanation.intercept), INTERCEPT.to_owned()]];
        rows.extend(explanation.rules.iter().map(|rule| vec![signed(rule.contribution), rule.rule.clone()]));
        let linear = explanation.linear.iter();
        rows.extend(linear.map(|linear| vec![signed(linear.contribution), linear_text(linear)]));
        rows.push(vec![signed(explanation.score), "score".to_owned()]);
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
        None => prediction(explanation.score),
    }
}

fn linear_text(linear: &LocalLinear) -> String {
    match linear.value {
        Some(value) => format!("{} = {value}", linear.term),
        None => format!("{} is missing", linear.term),
    }
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
