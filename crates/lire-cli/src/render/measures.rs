//! How good a model is, beside the baseline.

use lire::evaluate::{Assessment, Evaluation};
use lire::measure::{Measure, Summaries, Summary};
use lire::report::{EvaluationReport, HeldOut};

use super::format::{csv, markdown};
use super::grid::{Grid, Side, plain, styled};
use super::numbers::{mean_count, measure, seconds};
use crate::console::{Look, Style};

/// Digits of a number in the target's own unit.
const DIGITS: i32 = 4;

/// The two models that are compared, over the same splits.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Ours.
    pub model: Evaluation,
    /// The one that knows nothing but the training target.
    pub baseline: Evaluation,
}

impl Compared {
    /// The measures of a report.
    pub fn of(report: &EvaluationReport) -> Self {
        let nothing = || Evaluation { summaries: Summaries::default(), confusion: None, reliability: None };
        Self { model: report.model.clone(), baseline: report.baseline().cloned().unwrap_or_else(nothing) }
    }

    /// The measures on rows held out.
    pub fn of_held_out(held_out: &HeldOut) -> lire::Result<Self> {
        let assessments: Vec<Assessment> = held_out.assessment().into_iter().collect();
        Ok(Self { model: Evaluation::of(&assessments)?, baseline: Evaluation::of_baseline(&assessments)? })
    }

    /// What the baseline is: the most frequent class and the classes' shares, or the mean.
    fn baseline_name(&self) -> &'static str {
        if self.has_classes() { "majority class" } else { "training mean" }
    }

    fn has_classes(&self) -> bool {
        self.model.confusion.is_some()
    }

    fn has_several_classes(&self) -> bool {
        self.model.confusion.as_ref().is_some_and(|confusion| confusion.classes.len() > 2)
    }

    /// The name of a measure for people.
    fn name(&self, measure: Measure) -> &'static str {
        if self.has_several_classes() {
            match measure {
                Measure::F1 => return "F1, mean of the classes",
                Measure::Auc => return "AUC, mean of the classes",
                Measure::AveragePrecision => return "average precision, mean of the classes",
                _ => {}
            }
        }
        name(measure)
    }
}

/// The name of a measure for people.
pub fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::Accuracy => "accuracy",
        Measure::BalancedAccuracy => "balanced accuracy",
        Measure::F1 => "F1",
        Measure::Auc => "AUC",
        Measure::AveragePrecision => "average precision",
        Measure::LogLoss => "log loss (less is better)",
        Measure::Brier => "Brier score (less is better)",
        Measure::CalibrationError => "calibration error (less is better)",
        Measure::R2 => "R², the share of variance explained",
        Measure::Rmse => "root mean squared error (less is better)",
        Measure::Mae => "mean absolute error (less is better)",
        Measure::Support => "rules",
        Measure::LocalSupportMean => "rules per explanation",
        Measure::LocalSupportAllMean => "rules per explanation of all classes",
        Measure::LocalSupportMax => "most rules per explanation",
        Measure::SupportRatio => "share of rules per explanation",
        Measure::Diversity => "diversity of rules",
        Measure::FitSeconds => "time to fit",
    }
}

/// Whether `fit` shows a measure.
fn is_essential(measure: Measure) -> bool {
    !matches!(
        measure,
        Measure::AveragePrecision
            | Measure::Brier
            | Measure::CalibrationError
            | Measure::SupportRatio
            | Measure::Diversity
            | Measure::FitSeconds
    )
}

/// The measures that matter first, for people.
pub fn essential_table(compared: &Compared, look: Look) -> String {
    table(compared, look, is_essential)
}

/// All measures, for people.
pub fn full_table(compared: &Compared, look: Look) -> String {
    table(compared, look, |_| true)
}

fn table(compared: &Compared, look: Look, shown: impl Fn(Measure) -> bool) -> String {
    let titles = ["", "model", compared.baseline_name()];
    let sides = [Side::Left, Side::Right, Side::Right];
    let mut grid = Grid::new(titles.map(str::to_owned).into_iter().zip(sides).collect());
    for &(kind, model) in compared.model.summaries.0.iter().filter(|(kind, _)| shown(*kind)) {
        let model = model.map_or_else(|| "none".to_owned(), |summary| spelled(kind, summary));
        let baseline = compared.baseline.get(kind).map(|summary| spelled(kind, summary)).unwrap_or_default();
        grid.row(vec![plain(compared.name(kind)), styled(model, Style::Strong), plain(baseline)]);
    }
    grid.render(look)
}

/// For spreadsheets.
pub fn as_csv(compared: &Compared) -> String {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mean = |summary: Option<Summary>| number(summary.map(|summary| summary.mean));
    let row = |&(kind, model): &(Measure, Option<Summary>)| {
        let std = number(model.and_then(|summary| summary.std));
        vec![kind.key().to_owned(), mean(model), std, mean(compared.baseline.get(kind))]
    };
    let baseline = compared.baseline_name().replace(' ', "_");
    let rows: Vec<_> = compared.model.summaries.0.iter().map(row).collect();
    csv(&["measure", "mean", "std", &baseline], &rows)
}

/// For documents.
pub fn as_markdown(compared: &Compared) -> String {
    let row = |&(kind, model): &(Measure, Option<Summary>)| {
        let cell = |summary: Option<Summary>| summary.map(|one| spelled(kind, one)).unwrap_or_default();
        vec![compared.name(kind).to_owned(), cell(model), cell(compared.baseline.get(kind))]
    };
    let baseline = format!(">{}", compared.baseline_name());
    let rows: Vec<_> = compared.model.summaries.0.iter().map(row).collect();
    markdown(&["measure", ">model", &baseline], &rows)
}

/// Mean and deviation of a measure, as people read it.
pub fn spelled(kind: Measure, Summary { mean, std }: Summary) -> String {
    let spell = |number: f64| match kind {
        Measure::Support | Measure::LocalSupportMax => mean_count(number),
        Measure::LocalSupportMean | Measure::LocalSupportAllMean => format!("{number:.2}"),
        Measure::FitSeconds => seconds(number),
        // The spread with the decimals of the mean.
        Measure::Rmse | Measure::Mae => quantity(number, mean),
        _ => measure(number),
    };
    match std {
        Some(std) => format!("{} ± {}", spell(mean), spell(std)),
        None => spell(mean),
    }
}

/// A number in the target's own unit, with as many decimals as give another one its digits.
pub fn quantity(number: f64, like: f64) -> String {
    let magnitude = if like == 0.0 { 0 } else { like.abs().log10().floor() as i32 };
    // Beyond these, zeros would be all that one sees.
    if !(-6..9).contains(&magnitude) || number.abs() >= 1e15 {
        return format!("{number:.3e}").replace('-', "−");
    }
    let decimals = (DIGITS - 1 - magnitude).max(0) as usize;
    format!("{number:.decimals$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_four_digits() {
        let alone = [0.0, 3.26159, 51234.5, 0.001_234_56, 1.5e-9].map(|number| quantity(number, number));
        assert_eq!(alone, ["0.000", "3.262", "51234", "0.001235", "1.500e−9"]);
        assert_eq!(quantity(0.012_345, 12.3), "0.01");
    }
}
