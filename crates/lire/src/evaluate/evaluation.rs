//! What a configuration is worth: its assessments on one or several splits, summed up.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::assess::Assessment;
use crate::error::Result;
use crate::measure::{Confusion, Measure, Measures, Reliability, ReliabilityBin, Summaries, Summary};

/// Mean and spread of every measure over the splits; to programs a map by the measures' names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// The measures of the task and of the rules, in their order. A value is over the splits that have
    /// one: no AUC comes from a split with rows of one class only.
    #[serde(flatten)]
    pub summaries: Summaries,
    /// Right and wrong labels by number of rows, over all splits together; none for numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confusion: Option<Confusion<usize>>,
    /// Rows by the probability that they were given, over all splits together; none for numbers.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_bins",
        deserialize_with = "read_bins"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ReliabilityBin>>"))]
    pub reliability: Option<Reliability>,
}

/// Programs get the ranges as a list.
#[allow(clippy::ref_option)] // The signature is serde's.
fn write_bins<S: Serializer>(
    reliability: &Option<Reliability>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    reliability.as_ref().map(|reliability| &reliability.bins).serialize(serializer)
}

fn read_bins<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<Reliability>, D::Error> {
    let bins: Option<Vec<ReliabilityBin>> = Deserialize::deserialize(deserializer)?;
    Ok(bins.map(|bins| Reliability { bins }))
}

impl Evaluation {
    /// Sums up assessments, one a split.
    pub fn of(assessments: &[Assessment]) -> Result<Self> {
        let mut kinds = kinds(assessments);
        if assessments.iter().any(|one| one.rules.is_some()) {
            let several_outputs =
                assessments.iter().any(|one| one.get(Measure::LocalSupportAllMean).is_some());
            let shown = |kind: &Measure| *kind != Measure::LocalSupportAllMean || several_outputs;
            kinds.extend(Measure::OF_RULES.into_iter().filter(shown));
        }
        kinds.push(Measure::FitSeconds);
        let summaries = Summaries::of(&kinds, assessments, Assessment::get);
        Self::with_totals(summaries, assessments.iter().map(|one| &one.measures))
    }

    /// The same for the baseline, which has no rules to measure.
    pub fn of_baseline(assessments: &[Assessment]) -> Result<Self> {
        let kinds = kinds(assessments);
        let summaries = Summaries::of(&kinds, assessments, |one, measure| one.baseline.get(measure));
        Self::with_totals(summaries, assessments.iter().map(|one| &one.baseline))
    }

    fn with_totals<'a>(
        summaries: Summaries,
        measures: impl Iterator<Item = &'a Measures> + Clone,
    ) -> Result<Self> {
        let reliabilities = measures.clone().filter_map(|one| Some(&one.classes()?.reliability));
        let reliability = reliabilities.fold(None, |sum: Option<Reliability>, one| {
            Some(sum.map_or_else(|| one.clone(), |sum| sum.with(one)))
        });
        Ok(Self { summaries, confusion: total(measures)?, reliability })
    }

    /// Mean and spread of a measure, if there is one.
    pub fn get(&self, measure: Measure) -> Option<Summary> {
        self.summaries.get(measure)
    }

    /// The same without a measure.
    #[must_use]
    pub fn without(mut self, measure: Measure) -> Self {
        self.summaries.0.retain(|(kind, _)| *kind != measure);
        self
    }
}

/// The measures of the task.
fn kinds(assessments: &[Assessment]) -> Vec<Measure> {
    assessments.first().map(|one| one.measures.kinds().to_vec()).unwrap_or_default()
}

fn total<'a>(measures: impl Iterator<Item = &'a Measures>) -> Result<Option<Confusion<usize>>> {
    let mut counts = measures.filter_map(|one| Some(&one.classes()?.counts));
    let Some(mut sum) = counts.next().cloned() else { return Ok(None) };
    for one in counts {
        sum.add_all(one)?;
    }
    Ok(Some(sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Baseline, RuleMeasures};
    use crate::model::{ClassPredictions, Predictions};
    use crate::table::{ClassLabels, TargetValues};

    fn of_numbers(said: f64, rules: Option<RuleMeasures>) -> Assessment {
        let truth = TargetValues::Numbers(vec![1.0, 3.0]);
        let weights = [1.0, 1.0];
        Assessment {
            measures: Measures::of(&truth, &Predictions::Numbers(vec![said, 3.0]), &weights).unwrap(),
            rules,
            baseline: Baseline::Mean(2.0).measure(&truth, &weights).unwrap(),
            fit_seconds: 0.5,
        }
    }

    fn of_three_classes(labels: &[u32], said: &[u32]) -> Assessment {
        let classes = ["a", "b", "c"].map(str::to_owned).to_vec();
        let truth =
            TargetValues::Classes(ClassLabels { classes, labels: labels.to_vec(), positive_chosen: false });
        let weights = vec![1.0; labels.len()];
        let column = |class: u32| said.iter().map(|&said| f64::from(u8::from(said == class))).collect();
        let columns: Vec<Vec<f64>> = (0..3).map(column).collect();
        let outputs = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let predictions = Predictions::Classes(ClassPredictions {
            scores: columns.clone(),
            probabilities: columns,
            labels: said.to_vec(),
        });
        let rules =
            RuleMeasures::of_outputs(&[[0b11_u64], [0b01]], &outputs, &predictions.outputs(), &weights)
                .unwrap();
        Assessment {
            measures: Measures::of(&truth, &predictions, &weights).unwrap(),
            rules: Some(rules),
            baseline: Baseline::Shares(vec![0.5, 0.25, 0.25]).measure(&truth, &weights).unwrap(),
            fit_seconds: 1.0,
        }
    }

    #[test]
    fn numbers_are_summed_up_by_their_names() {
        let rules = RuleMeasures::of(&[[0b01_u64]], &[1.0, 1.0]).unwrap();
        let assessments = [of_numbers(1.0, Some(rules.clone())), of_numbers(2.0, Some(rules))];
        let json = serde_json::to_string(&Evaluation::of(&assessments).unwrap()).unwrap();
        let names: Vec<&str> =
            json.split('"').skip(1).step_by(2).filter(|s| !["mean", "std"].contains(s)).collect();
        let expected = [
            "r2",
            "rmse",
            "mae",
            "support",
            "local_support_mean",
            "local_support_max",
            "support_ratio",
            "diversity",
            "fit_seconds",
        ];
        assert_eq!(names, expected, "in this order");
        let evaluation = Evaluation::of(&assessments).unwrap();
        assert_eq!(evaluation.get(Measure::Mae).map(|mae| mae.mean), Some(0.25));
        assert_eq!(evaluation.get(Measure::Diversity), None);
        assert_eq!(evaluation.get(Measure::Accuracy), None);
        let baseline = Evaluation::of_baseline(&assessments).unwrap();
        assert_eq!(baseline.get(Measure::R2), Some(Summary { mean: 0.0, std: Some(0.0) }));
        assert_eq!(baseline.get(Measure::Support), None);
    }

    #[test]
    fn confusions_of_several_classes_add_up() {
        let assessments = [of_three_classes(&[0, 1], &[0, 2]), of_three_classes(&[2, 0], &[2, 1])];
        let evaluation = Evaluation::of(&assessments).unwrap();
        let json = serde_json::to_value(&evaluation).unwrap();
        assert_eq!(json["confusion"]["classes"], serde_json::json!(["a", "b", "c"]));
        assert_eq!(json["confusion"]["cells"], serde_json::json!([[1, 1, 0], [0, 0, 1], [0, 0, 1]]));
        // Row by row the predicted classes use 1, 1, 2 and 0 of the rules that cover the row, of 2, 1, 2 and 1.
        assert_eq!(json["local_support_mean"]["mean"], 1.0);
        assert_eq!(json["local_support_all_mean"]["mean"], 1.5);
    }

    #[test]
    fn without_rules_there_is_nothing_to_read() {
        let evaluation = Evaluation::of(&[of_numbers(1.0, None)]).unwrap().without(Measure::FitSeconds);
        let kinds: Vec<Measure> = evaluation.summaries.0.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, Measure::OF_NUMBERS);
    }
}
