//! The rules of a model: bars to both sides, weights, texts and what they cover.

use lire::explain::{GlobalExplanation, GlobalLinear, GlobalRule};
use lire::report::{ModelScores, Sides};

use super::bars::{signed_bar, signed_title};
use super::format::{csv, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{Notation, count, mean_count, percent, percent_of_rows, scientific, shortest};
use super::visible::visible;
use super::wrap::cut;
use crate::console::{Look, Style};

/// The decimals of weights, in documents.
const MARKDOWN_DECIMALS: usize = 3;
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
pub fn table(explanation: &GlobalExplanation, sides: &Sides, most: usize, look: Look) -> String {
    let half = half_width(look);
    let with_importance = look.width >= WIDTH_WITH_IMPORTANCE;
    let mut columns = vec![
        ("#".to_owned(), Side::Right),
        (signed_title(&sides.low, &sides.high, half), Side::Left),
        ("weight".to_owned(), Side::Right),
        ("rule".to_owned(), Side::Flexible),
        ("covers".to_owned(), Side::Right),
        ("rows".to_owned(), Side::Right),
    ];
    if with_importance {
        columns.push(("importance".to_owned(), Side::Right));
    }
    let mut grid = Grid::new(columns);
    let is_number = explanation.class.is_none();
    let scale = scale(explanation);
    let notation = if is_number { Notation::of(scale) } else { Notation::SCORE };
    for (index, rule) in explanation.rules.iter().enumerate().take(most) {
        let mut cells = vec![
            styled((index + 1).to_string(), Style::Faint),
            signed_bar(rule.weight, scale, half),
            plain(notation.signed(rule.weight)),
            plain(rule_text(rule)),
            plain(percent_of_rows(rule.coverage, rule.rows)),
            plain(rule.rows.to_string()),
        ];
        if with_importance {
            cells.push(plain(notation.unsigned(rule.importance)));
        }
        grid.row(cells);
    }
    if let Some(more) = explanation.rules.len().checked_sub(most).filter(|more| *more > 0) {
        let more = format!("… and {} of less weight", count(more, "rule"));
        grid.row(vec![Vec::new(), Vec::new(), Vec::new(), styled(more, Style::Faint)]);
    }
    for linear in explanation.linear.iter().take(most) {
        let mut cells = vec![
            Vec::new(),
            signed_bar(linear.weight * (linear.high - linear.mean), scale, half),
            plain(slope(linear)),
            plain(linear_text(linear)),
            Vec::new(),
            Vec::new(),
        ];
        if with_importance {
            cells.push(plain(notation.unsigned(linear.importance)));
        }
        grid.row(cells);
    }
    grid.rule();
    let bar = if is_number { Vec::new() } else { signed_bar(explanation.intercept, scale, half) };
    grid.row(vec![
        Vec::new(),
        bar,
        plain(notation.signed(explanation.intercept)),
        styled("intercept, where every score starts", Style::Faint),
    ]);
    grid.render(look)
}

/// The tables of all scores of a model, under the names of their classes where there are several.
pub fn tables(scores: &ModelScores, sides: &[Sides], most: usize, look: Look) -> String {
    let outputs = scores.all();
    let one = |(explanation, sides): (&GlobalExplanation, &Sides)| {
        let table = table(explanation, sides, most, look);
        match &explanation.class {
            Some(class) if outputs.len() > 1 => {
                let title = format!("What speaks for {}", visible(class));
                format!("{}\n{table}", look.paint(&title, Style::Strong))
            }
            _ => table,
        }
    };
    outputs.iter().zip(sides).map(one).collect::<Vec<_>>().join("\n")
}

/// For spreadsheets: everything known of each rule.
pub fn as_csv(outputs: &[GlobalExplanation]) -> String {
    let several = outputs.len() > 1;
    let mut columns = vec!["rule", "weight", "coverage", "rows", "importance", "sensitive"];
    if several {
        columns.insert(0, "class");
    }
    let with_class = |explanation: &GlobalExplanation| {
        let class = several.then(|| explanation.class.clone().unwrap_or_default());
        csv_rows(explanation)
            .into_iter()
            .map(move |row| class.clone().into_iter().chain(row).collect::<Vec<_>>())
    };
    let rows: Vec<Vec<String>> = outputs.iter().flat_map(with_class).collect();
    csv(&columns, &rows)
}

fn csv_rows(explanation: &GlobalExplanation) -> Vec<Vec<String>> {
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
    let mut rows: Vec<_> = explanation.rules.iter().map(row).collect();
    rows.extend(explanation.linear.iter().map(|linear| {
        let sensitive = if linear.sensitive { linear.feature.clone() } else { String::new() };
        let (weight, importance) = (linear.weight.to_string(), linear.importance.to_string());
        vec![linear.feature.clone(), weight, String::new(), String::new(), importance, sensitive]
    }));
    rows
}

/// For documents: a table for each score.
pub fn as_markdown(outputs: &[GlobalExplanation]) -> String {
    outputs.iter().map(one_as_markdown).collect::<Vec<_>>().join("\n")
}

fn one_as_markdown(explanation: &GlobalExplanation) -> String {
    let notation = match explanation.class {
        Some(_) => Notation::SCORE,
        None => Notation::with_decimals(scale(explanation), MARKDOWN_DECIMALS),
    };
    let row = |rule: &GlobalRule| {
        let (weight, importance) = (notation.signed(rule.weight), notation.unsigned(rule.importance));
        let covers = percent_of_rows(rule.coverage, rule.rows);
        vec![weight, rule_text(rule), covers, rule.rows.to_string(), importance]
    };
    let mut rows: Vec<_> = explanation.rules.iter().map(row).collect();
    rows.extend(explanation.linear.iter().map(|linear| {
        let (weight, importance) = (slope(linear), notation.unsigned(linear.importance));
        vec![weight, linear_text(linear), String::new(), String::new(), importance]
    }));
    let table = markdown(&[">weight", "rule", ">covers", ">rows", ">importance"], &rows);
    let intercept = notation.signed(explanation.intercept);
    match &explanation.class {
        Some(class) => {
            let class = super::format::escaped(class);
            format!("{table}\nPositive weights speak for {class}; every score starts at {intercept}.\n")
        }
        None => format!("{table}\nEvery prediction starts at {intercept}.\n"),
    }
}

/// A label that may be long, for the middle of a sentence.
pub fn short_label(label: &str) -> String {
    cut(label, 24)
}

/// What one unit of a feature adds, which may be very little.
fn slope(linear: &GlobalLinear) -> String {
    let weight = linear.weight * linear.moment.map_or(1.0, |moment| moment.unit().1);
    if weight == 0.0 || (1e-2..1e4).contains(&weight.abs()) {
        return Notation::of(weight).signed(weight);
    }
    format!("{}{}", if weight < 0.0 { '−' } else { '+' }, scientific(weight.abs(), 3))
}

/// The size of the largest weight. A predicted number may start far from zero; what counts then is how rules move it.
fn scale(explanation: &GlobalExplanation) -> f64 {
    let weights = explanation.rules.iter().map(|rule| rule.weight);
    let start = explanation.class.is_some().then_some(explanation.intercept);
    weights.chain(start).map(f64::abs).fold(0.0, f64::max)
}

fn linear_text(linear: &GlobalLinear) -> String {
    let GlobalLinear { feature, low, high, mean, .. } = linear;
    let sensitive = if linear.sensitive { " (sensitive)" } else { "" };
    if let Some(moment) = linear.moment {
        let (low, high) = (moment.spell(*low), moment.spell(*high));
        let mean = moment.spell(*mean);
        let unit = moment.unit().0;
        return format!(
            "for each {unit} of {feature} after {mean} (counted from {low} to {high}){sensitive}"
        );
    }
    let mean = if *mean == 0.0 || (1e-3..1e15).contains(&mean.abs()) {
        format!("{mean:.4}")
    } else {
        scientific(*mean, 3)
    };
    let (low, high) = (shortest(*low), shortest(*high));
    format!("for each unit of {feature} above {mean} (counted from {low} to {high}){sensitive}")
}

fn rule_text(rule: &GlobalRule) -> String {
    if rule.sensitive.is_empty() { rule.rule.clone() } else { format!("{} (sensitive)", rule.rule) }
}
