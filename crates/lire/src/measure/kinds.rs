//! The measures by name: how programs call them, and whether more or less is better.

use serde::{Deserialize, Serialize};

/// A measure of predictions, of the rules behind them, or of the fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The share of rows with the right label.
    Accuracy,
    /// The mean over the classes of the share of their rows with the right label.
    BalancedAccuracy,
    /// The harmonic mean of precision and recall.
    F1,
    /// The chance that a row of the class scores above another one.
    Auc,
    /// The precision at each score, averaged by the recall that it adds.
    AveragePrecision,
    /// The mean of −ln of the probability that the right class was given.
    LogLoss,
    /// The mean squared error of the probabilities.
    Brier,
    /// How far probabilities are from the shares that they stand for.
    CalibrationError,
    /// The share of the target's variance that is explained.
    R2,
    /// The root of the mean squared error.
    Rmse,
    /// The mean absolute error.
    Mae,
    /// The number of rules.
    Support,
    /// The mean number of rules that explain a row.
    LocalSupportMean,
    /// The mean number of rules that explain the scores of all classes of a row.
    LocalSupportAllMean,
    /// The largest number of rules that explain a row.
    LocalSupportMax,
    /// The mean number of rules that explain a row as a share of all rules.
    SupportRatio,
    /// How different the rows are that two rules cover.
    Diversity,
    /// How long a fit took.
    FitSeconds,
}

/// What one wishes of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

impl Measure {
    /// The measures of predicted classes.
    pub const OF_CLASSES: [Self; 8] = [
        Self::Accuracy,
        Self::BalancedAccuracy,
        Self::F1,
        Self::Auc,
        Self::AveragePrecision,
        Self::LogLoss,
        Self::Brier,
        Self::CalibrationError,
    ];
    /// The measures of predicted numbers.
    pub const OF_NUMBERS: [Self; 3] = [Self::R2, Self::Rmse, Self::Mae];
    /// The measures of rules.
    pub const OF_RULES: [Self; 6] = [
        Self::Support,
        Self::LocalSupportMean,
        Self::LocalSupportAllMean,
        Self::LocalSupportMax,
        Self::SupportRatio,
        Self::Diversity,
    ];

    /// The name in JSON and CSV.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::BalancedAccuracy => "balanced_accuracy",
            Self::F1 => "f1",
            Self::Auc => "auc",
            Self::AveragePrecision => "average_precision",
            Self::LogLoss => "log_loss",
            Self::Brier => "brier",
            Self::CalibrationError => "calibration_error",
            Self::R2 => "r2",
            Self::Rmse => "rmse",
            Self::Mae => "mae",
            Self::Support => "support",
            Self::LocalSupportMean => "local_support_mean",
            Self::LocalSupportAllMean => "local_support_all_mean",
            Self::LocalSupportMax => "local_support_max",
            Self::SupportRatio => "support_ratio",
            Self::Diversity => "diversity",
            Self::FitSeconds => "fit_seconds",
        }
    }

    /// Whether more or less of it is better.
    pub const fn better(self) -> Better {
        match self {
            Self::Accuracy
            | Self::BalancedAccuracy
            | Self::F1
            | Self::Auc
            | Self::AveragePrecision
            | Self::R2
            | Self::Diversity => Better::Higher,
            Self::LogLoss
            | Self::Brier
            | Self::CalibrationError
            | Self::Rmse
            | Self::Mae
            | Self::Support
            | Self::LocalSupportMean
            | Self::LocalSupportAllMean
            | Self::LocalSupportMax
            | Self::SupportRatio
            | Self::FitSeconds => Better::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_read_and_write_the_same_names() {
        let all = Measure::OF_CLASSES.iter().chain(&Measure::OF_NUMBERS).chain(&Measure::OF_RULES);
        for measure in all.chain(&[Measure::FitSeconds]) {
            let text = format!("{:?}", measure.key());
            assert_eq!(serde_json::to_string(measure).unwrap(), text);
            assert_eq!(serde_json::from_str::<Measure>(&text).unwrap(), *measure);
        }
    }
}
