//! Methods side by side: a line for each measure, with how likely the first is no worse than the others.

use lire::measure::Measure;
use lire::report::{ComparedMethod, ComparisonReport};

use super::division;
use super::evaluation::about_copies;
use super::format::{csv, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::measures::{name, spelled};
use super::numbers::count;
use crate::console::{Look, Style};

/// A p-value below this is worth a mark.
const SIGNIFICANT: f64 = 0.05;

/// All that was compared, for people.
pub fn text(report: &ComparisonReport, look: Look) -> String {
    let ComparisonReport { n_rows, rows_with_copies, folds, methods, divided_by, .. } = report;
    let headline = format!("{} compared", count(methods.len(), "method"));
    let measured = format!(
        "{}{}",
        division::several(*folds, *n_rows, divided_by.as_ref()),
        about_copies(*rows_with_copies, *n_rows)
    );
    let (headline, measured) = (look.paint(&headline, Style::Strong), look.paint(&measured, Style::Faint));
    format!("{headline}\n{measured}\n\n{}", table(report, look))
}

/// Means and deviations, and below them the p-values of the first method against each other one.
fn table(report: &ComparisonReport, look: Look) -> String {
    let columns = std::iter::once((String::new(), Side::Left));
    let methods = report.methods.iter().map(|method| (method.method.clone(), Side::Right));
    let mut grid = Grid::new(columns.chain(methods).collect());
    for measure in report.measures() {
        let mut cells = vec![plain(name(measure))];
        for (index, method) in report.methods.iter().enumerate() {
            let text = cell(measure, method);
            cells.push(if index == 0 { styled(text, Style::Strong) } else { plain(text) });
        }
        grid.row(cells);
        if report.methods.iter().any(|method| method.p_value(measure).is_some()) {
            let mut cells = vec![styled("  p", Style::Faint)];
            cells.extend(report.methods.iter().map(|method| match method.p_value(measure) {
                None => plain(""),
                Some(p) if p < SIGNIFICANT => plain(p_value(p)),
                Some(p) => styled(p_value(p), Style::Faint),
            }));
            grid.row(cells);
        }
    }
    let first = report.methods.first().map_or("", |first| &first.method);
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

/// For spreadsheets: a line for each method and measure.
pub fn as_csv(report: &ComparisonReport) -> String {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let row = |measure: Measure, method: &ComparedMethod| {
        let summary = method.measures.get(measure);
        vec![
            method.method.clone(),
            measure.key().to_owned(),
            number(summary.map(|summary| summary.mean)),
            number(summary.and_then(|summary| summary.std)),
            number(method.p_value(measure)),
        ]
    };
    let rows: Vec<_> = report
        .measures()
        .into_iter()
        .flat_map(|measure| report.methods.iter().map(move |method| row(measure, method)))
        .collect();
    csv(&["method", "measure", "mean", "std", "p_value"], &rows)
}

/// For documents.
pub fn as_markdown(report: &ComparisonReport) -> String {
    let titles: Vec<String> = std::iter::once("measure".to_owned())
        .chain(report.methods.iter().map(|method| format!(">{}", method.method)))
        .collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let row = |measure: Measure| -> Vec<String> {
        let cells = report.methods.iter().map(|method| match method.p_value(measure) {
            Some(p) => format!("{} (p {})", cell(measure, method), p_value(p)),
            None => cell(measure, method),
        });
        std::iter::once(name(measure).to_owned()).chain(cells).collect()
    };
    markdown(&titles, &report.measures().into_iter().map(row).collect::<Vec<_>>())
}

fn cell(measure: Measure, method: &ComparedMethod) -> String {
    let summary = method.measures.get(measure);
    summary.map_or_else(|| "–".to_owned(), |summary| spelled(measure, summary))
}

fn p_value(p: f64) -> String {
    if p < 0.0005 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
