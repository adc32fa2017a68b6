//! The models among which one was chosen.

use lire::measure::{Measure, Summary};
use lire::selection::{PathModel, Selection};

use super::division;
use super::format::{csv, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::measures::{name, spelled};
use super::numbers::{count, shortest};
use crate::console::{Look, Style};

/// How the models were compared: `21 models, by AUC in a 5-fold cross-validation; shown are those that no other beats`.
pub fn caption(selection: &Selection) -> String {
    let validated = selection.n_compared();
    let on = match selection.n_splits {
        0 => "without rows to compare them on".to_owned(),
        n => {
            let how = division::compared_on(n, selection.divided_by.as_ref());
            format!("by {} {how}", metric_name(selection))
        }
    };
    let of = selection
        .sampled_rows
        .map_or(String::new(), |rows| format!(" of a sample of {}", count(rows, "row")));
    format!("{}, {on}{of}; shown are those that no other beats", count(validated, "model"))
}

/// The name of the metric in a line.
pub fn metric_name(selection: &Selection) -> &'static str {
    name(selection.metric).split([',', '(']).next().unwrap_or_default().trim()
}

/// Some of the models, for people.
pub fn table(selection: &Selection, models: &[&PathModel], look: Look) -> String {
    let metric = metric_name(selection);
    let titles = [
        ("per explanation", Side::Right),
        ("rules", Side::Right),
        (metric, Side::Right),
        ("in training", Side::Right),
        ("gamma", Side::Right),
        ("lambda", Side::Right),
        ("", Side::Left),
    ];
    let mut grid = Grid::new(titles.map(|(title, side)| (title.to_owned(), side)).to_vec());
    for model in models {
        let style = if model.chosen { Style::Strong } else { Style::Plain };
        let cells = row(selection, model);
        grid.row(cells.into_iter().map(|cell| styled(cell, style)).chain([mark(model)]).collect());
    }
    grid.render(look)
}

fn mark(model: &PathModel) -> super::grid::Cell {
    if model.chosen { styled("◂ chosen", Style::Strong) } else { plain("") }
}

fn row(selection: &Selection, model: &PathModel) -> Vec<String> {
    let metric = selection.metric;
    let validation = model.validation.as_ref().map(|validation| validation.get(metric));
    let train = model.train.get(metric).map(|mean| spelled(metric, Summary { mean, std: None }));
    vec![
        spelled(Measure::LocalSupportMean, Summary { mean: model.local_support_mean, std: None }),
        model.n_rules.to_string(),
        match validation {
            Some(Some(summary)) => spelled(metric, summary),
            Some(None) => "–".to_owned(),
            None => "outside".to_owned(),
        },
        train.unwrap_or_default(),
        short(model.gamma),
        short(model.lambda),
    ]
}

/// A price in three digits.
fn short(price: f64) -> String {
    if price == 0.0 || price.abs() >= 1e15 {
        return shortest(price);
    }
    let decimals = (2 - price.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{price:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// For spreadsheets: every model, numbers in full.
pub fn as_csv(selection: &Selection) -> String {
    let kinds = selection.models.first().map(|model| model.train.kinds()).unwrap_or_default();
    let mut header: Vec<String> =
        ["gamma", "lambda", "n_rules", "local_support_mean", "chosen"].map(str::to_owned).to_vec();
    for kind in kinds {
        let key = kind.key();
        header.extend([format!("train_{key}"), format!("{key}_mean"), format!("{key}_std")]);
    }
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let row = |model: &PathModel| {
        let mut cells = vec![
            model.gamma.to_string(),
            model.lambda.to_string(),
            model.n_rules.to_string(),
            model.local_support_mean.to_string(),
            model.chosen.to_string(),
        ];
        for &kind in kinds {
            let summary = model.validation.as_ref().and_then(|validation| validation.get(kind));
            let std = summary.and_then(|summary| summary.std);
            cells.extend([model.train.get(kind), summary.map(|summary| summary.mean), std].map(number));
        }
        cells
    };
    let rows: Vec<_> = selection.models.iter().map(row).collect();
    csv(&header.iter().map(String::as_str).collect::<Vec<_>>(), &rows)
}

/// For documents.
pub fn as_markdown(selection: &Selection) -> String {
    let metric = format!(">{}", metric_name(selection));
    let rows: Vec<Vec<String>> = selection
        .models
        .iter()
        .map(|model| {
            let mut cells = row(selection, model);
            cells.push(if model.chosen { "chosen" } else { "" }.to_owned());
            cells
        })
        .collect();
    markdown(&[">per explanation", ">rules", &metric, ">in training", ">gamma", ">lambda", ""], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_short() {
        assert_eq!([short(0.0006), short(0.0), short(3.0), short(0.054_772)], ["0.0006", "0", "3", "0.0548"]);
    }
}
