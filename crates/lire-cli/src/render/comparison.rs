//! Methods side by side: a line for each measure, with how likely the first is no worse than the others.

use lire::evaluate::{ComparedMeasure, Comparison, MethodMeasure};
use lire::measure::{Measure, Summary};
use serde_json::{Map, Value, json};

use super::format::{csv, json as to_json, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::measures::{name, spelled};
use crate::console::{Look, Style};
use crate::exit::Failure;

/// A p-value below this is worth a mark.
const SIGNIFICANT: f64 = 0.05;

/// For people: means and deviations, and below them the p-values of the first method against each other one.
pub fn table(comparison: &Comparison, look: Look) -> String {
    let columns = std::iter::once((String::new(), Side::Left));
    let methods = comparison.methods.iter().map(|method| (method.clone(), Side::Right));
    let mut grid = Grid::new(columns.chain(methods).collect());
    for compared in &comparison.measures {
        let mut cells = vec![plain(name(compared.measure))];
        for (index, method) in compared.methods.iter().enumerate() {
            let text = cell(compared.measure, method);
            cells.push(if index == 0 { styled(text, Style::Strong) } else { plain(text) });
        }
        grid.row(cells);
        if compared.methods.iter().any(|method| method.test.is_some()) {
            let mut cells = vec![styled("  p", Style::Faint)];
            cells.extend(compared.methods.iter().map(|method| match &method.test {
                None => plain(""),
                Some(test) if test.p_value < SIGNIFICANT => plain(p_value(test.p_value)),
                Some(test) => styled(p_value(test.p_value), Style::Faint),
            }));
            grid.row(cells);
        }
    }
    let first = comparison.methods.first().map_or("", String::as_str);
    format!(
        "{}\n{}\n",
        grid.render(look),
        look.paint(
            &format!(
                "p: chance of such differences if {first} were no worse (one-sided Wilcoxon signed-rank test)"
            ),
            Style::Faint
        )
    )
}

/// For programs: a list of methods, each with its measures as `evaluate` has them and its p-values.
pub fn as_json(comparison: &Comparison) -> Result<String, Failure> {
    let of_method = |(index, method): (usize, &String)| {
        let mut fields = Map::new();
        fields.insert("method".into(), json!(method));
        let mut p_values = Map::new();
        for compared in &comparison.measures {
            let MethodMeasure { summary, test, .. } = &compared.methods[index];
            fields.insert(compared.measure.key().into(), json!(summary));
            if let Some(test) = test {
                p_values.insert(compared.measure.key().into(), json!(test.p_value));
            }
        }
        let p_values = if index == 0 { Value::Null } else { Value::Object(p_values) };
        fields.insert("p_values".into(), p_values);
        Value::Object(fields)
    };
    to_json(&comparison.methods.iter().enumerate().map(of_method).collect::<Vec<_>>())
}

/// For spreadsheets: a line for each method and measure.
pub fn as_csv(comparison: &Comparison) -> String {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let row = |compared: &ComparedMeasure, method: &MethodMeasure| {
        vec![
            method.method.clone(),
            compared.measure.key().to_owned(),
            number(method.summary.map(|summary| summary.mean)),
            number(method.summary.and_then(|summary| summary.std)),
            number(method.test.as_ref().map(|test| test.p_value)),
        ]
    };
    let rows: Vec<_> = comparison
        .measures
        .iter()
        .flat_map(|compared| compared.methods.iter().map(move |method| row(compared, method)))
        .collect();
    csv(&["method", "measure", "mean", "std", "p_value"], &rows)
}

/// For documents.
pub fn as_markdown(comparison: &Comparison) -> String {
    let titles: Vec<String> = std::iter::once("measure".to_owned())
        .chain(comparison.methods.iter().map(|method| format!(">{method}")))
        .collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let row = |compared: &ComparedMeasure| -> Vec<String> {
        let cells = compared.methods.iter().map(|method| match &method.test {
            Some(test) => format!("{} (p {})", cell(compared.measure, method), p_value(test.p_value)),
            None => cell(compared.measure, method),
        });
        std::iter::once(name(compared.measure).to_owned()).chain(cells).collect()
    };
    markdown(&titles, &comparison.measures.iter().map(row).collect::<Vec<_>>())
}

fn cell(measure: Measure, method: &MethodMeasure) -> String {
    method.summary.map_or_else(|| "–".to_owned(), |summary: Summary| spelled(measure, summary))
}

fn p_value(p: f64) -> String {
    if p < 0.0005 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
