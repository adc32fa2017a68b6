//! Draws the models among which one was chosen: how good they are against how much there is to read.

use lire::measure::{Better, Summary};
use lire::selection::{PathModel, Selection};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::frontier::{caption, metric_name};
use crate::exit::Failure;

const SIZE: (u32, u32) = (960, 420);
const FONT: &str = "sans-serif";
/// The colours of the tables' two sides, which almost everyone can tell apart.
const OTHERS: RGBColor = RGBColor(0x2b, 0x6c, 0xb0);
const CHOSEN: RGBColor = RGBColor(0xd9, 0x6b, 0x0b);
const GREY: RGBColor = RGBColor(0x66, 0x66, 0x66);

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// How much there is to read.
type Size = fn(&PathModel) -> f64;

/// A picture of two panels: the metric against rules per explanation, and against rules.
pub fn svg(selection: &Selection) -> Result<String, Failure> {
    let mut picture = String::new();
    draw(selection, &mut picture).map_err(|error| Failure::usage(format!("--plot: {error}")))?;
    Ok(picture)
}

fn draw(selection: &Selection, picture: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let points: Vec<(&PathModel, Summary)> = selection
        .models
        .iter()
        .filter_map(|model| Some((model, model.validation.as_ref()?.get(selection.metric)?)))
        .collect();
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(&caption_line(selection), (FONT, 17))?;
    let panels = root.split_evenly((1, 2));
    let across: [(&str, Size); 2] = [
        ("rules per explanation", |model| model.local_support_mean),
        ("rules", |model| model.n_rules as f64),
    ];
    let better = selection.metric.better();
    for (panel, (title, x_of)) in panels.iter().zip(across) {
        let (low, high) = range(&points);
        let widest = points.iter().map(|(model, _)| x_of(model)).fold(1.0, f64::max) * 1.06;
        let mut chart = ChartBuilder::on(panel)
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(62)
            .build_cartesian_2d(0.0..widest, low..high)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(0xe8, 0xe8, 0xe8))
            .axis_style(GREY)
            .label_style((FONT, 13))
            .axis_desc_style((FONT, 14))
            .x_desc(title)
            .y_desc(metric_name(selection))
            .draw()?;
        let line = best_so_far(points.iter().map(|(model, summary)| (x_of(model), summary.mean)), better);
        chart.draw_series([PathElement::new(line, OTHERS.mix(0.35).stroke_width(2))])?;
        for (model, summary) in points.iter().filter(|(model, _)| !model.chosen) {
            point(&mut chart, x_of(model), *summary, OTHERS, 4)?;
        }
        for (model, summary) in points.iter().filter(|(model, _)| model.chosen) {
            point(&mut chart, x_of(model), *summary, CHOSEN, 6)?;
        }
    }
    root.present()?;
    Ok(())
}

/// From left to right the points that are better than all before.
fn best_so_far(points: impl Iterator<Item = (f64, f64)>, better: Better) -> Vec<(f64, f64)> {
    let worth = |y: f64| if better == Better::Higher { y } else { -y };
    let mut points: Vec<(f64, f64)> = points.collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(worth(b.1).total_cmp(&worth(a.1))));
    let mut best = f64::NEG_INFINITY;
    points.retain(|&(_, y)| {
        let is_better = worth(y) > best;
        best = best.max(worth(y));
        is_better
    });
    points
}

/// What is drawn, and how the chosen one is marked.
fn caption_line(selection: &Selection) -> String {
    let how = caption(selection);
    let how = how.split(';').next().unwrap_or_default();
    format!("{how}; orange: chosen, bars: one standard deviation")
}

/// A mean with its spread.
fn point(
    chart: &mut Chart,
    x: f64,
    summary: Summary,
    color: RGBColor,
    size: i32,
) -> Result<(), Box<dyn std::error::Error>> {
    let Summary { mean, std } = summary;
    if let Some(std) = std {
        let bar = vec![(x, mean - std), (x, mean + std)];
        chart.draw_series([PathElement::new(bar, color.mix(0.45).stroke_width(1))])?;
    }
    chart.draw_series([Circle::new((x, mean), size, color.filled())])?;
    Ok(())
}

/// From the lowest to the highest bar, with some air.
fn range(points: &[(&PathModel, Summary)]) -> (f64, f64) {
    let ends = |(_, summary): &(&PathModel, Summary)| {
        let std = summary.std.unwrap_or(0.0);
        (summary.mean - std, summary.mean + std)
    };
    let (low, high) = points
        .iter()
        .map(ends)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    if !(low.is_finite() && high.is_finite()) {
        return (0.0, 1.0);
    }
    let air = 0.06 * (high - low).max(1e-6);
    (low - air, high + air)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_only_gets_better() {
        let points = [(3.0, 0.8), (1.0, 0.5), (2.0, 0.9), (1.0, 0.7), (4.0, 0.95)];
        assert_eq!(best_so_far(points.into_iter(), Better::Higher), [(1.0, 0.7), (2.0, 0.9), (4.0, 0.95)]);
        assert_eq!(best_so_far(points.into_iter(), Better::Lower), [(1.0, 0.5)]);
    }
}
