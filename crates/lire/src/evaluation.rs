//! What a configuration is worth: its assessments on one or several splits, summed up.

use serde::Serialize;

use crate::assess::Assessment;
use crate::evaluate::{Confusion, Measures, RuleMeasures, Summary};

/// Mean and spread of every measure over the splits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// The share of rows with the right label.
    pub accuracy: Option<Summary>,
    /// The mean over the classes of the share of their rows with the right label.
    pub balanced_accuracy: Option<Summary>,
    /// The harmonic mean of precision and recall.
    pub f1: Option<Summary>,
    /// The chance that a positive row scores above a negative one; over the splits that have both.
    pub auc: Option<Summary>,
    /// The precision at each score, averaged by the recall that it adds.
    pub average_precision: Option<Summary>,
    /// The mean of −ln of the probability that the right class was given.
    pub log_loss: Option<Summary>,
    /// The mean squared error of the probability.
    pub brier: Option<Summary>,
    /// The number of rules.
    pub support: Option<Summary>,
    /// The mean number of rules that cover a row.
    pub local_support_mean: Option<Summary>,
    /// The largest number of rules that cover a row.
    pub local_support_max: Option<Summary>,
    /// The mean number of rules that cover a row as a share of all rules.
    pub support_ratio: Option<Summary>,
    /// How different the rows are that two rules cover; over the splits with two rules or more.
    pub diversity: Option<Summary>,
    /// How long a fit took.
    pub fit_seconds: Option<Summary>,
    /// Right and wrong labels by number of rows, over all splits together.
    pub confusion: Confusion<usize>,
}

impl Evaluation {
    /// Sums up assessments, one a split.
    pub fn of(assessments: &[Assessment]) -> Self {
        let sizes = |of: fn(&RuleMeasures) -> Option<f64>| summary(assessments, |one| of(&one.rules));
        Self {
            support: sizes(|rules| Some(rules.support as f64)),
            local_support_mean: sizes(|rules| Some(rules.local_support_mean)),
            local_support_max: sizes(|rules| Some(rules.local_support_max as f64)),
            support_ratio: sizes(|rules| Some(rules.support_ratio)),
            diversity: sizes(|rules| rules.diversity),
            fit_seconds: summary(assessments, |one| Some(one.fit_seconds)),
            ..Self::of_predictions(assessments, |one| &one.measures)
        }
    }

    /// The same for the majority class, which has no rules to measure.
    pub fn of_majority(assessments: &[Assessment]) -> Self {
        Self::of_predictions(assessments, |one| &one.majority)
    }

    fn of_predictions(assessments: &[Assessment], measured: fn(&Assessment) -> &Measures) -> Self {
        let quality = |of: fn(&Measures) -> Option<f64>| summary(assessments, |one| of(measured(one)));
        Self {
            accuracy: quality(|m| Some(m.accuracy)),
            balanced_accuracy: quality(|m| Some(m.balanced_accuracy)),
            f1: quality(|m| Some(m.f1)),
            auc: quality(|m| m.auc),
            average_precision: quality(|m| m.average_precision),
            log_loss: quality(|m| Some(m.log_loss)),
            brier: quality(|m| Some(m.brier)),
            support: None,
            local_support_mean: None,
            local_support_max: None,
            support_ratio: None,
            diversity: None,
            fit_seconds: None,
            confusion: total(assessments.iter().map(|one| measured(one).counts)),
        }
    }
}

/// Over the splits where there is a value.
fn summary(assessments: &[Assessment], of: impl Fn(&Assessment) -> Option<f64>) -> Option<Summary> {
    Summary::of(&assessments.iter().filter_map(of).collect::<Vec<f64>>())
}

fn total(confusions: impl Iterator<Item = Confusion<usize>>) -> Confusion<usize> {
    confusions.fold(Confusion::default(), |sum, one| Confusion {
        true_positive: sum.true_positive + one.true_positive,
        false_positive: sum.false_positive + one.false_positive,
        true_negative: sum.true_negative + one.true_negative,
        false_negative: sum.false_negative + one.false_negative,
    })
}
