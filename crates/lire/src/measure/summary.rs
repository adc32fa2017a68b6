//! A measure over several folds.

use std::fmt::Formatter;

use serde::de::value::Error as ValueError;
use serde::de::{IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::kinds::Measure;

/// Mean and spread of a measure over folds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the sample (divided by n − 1); none for a single value.
    pub std: Option<f64>,
}

impl Summary {
    /// Summarises values; none if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self { mean, std: (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()) })
    }
}

/// Mean and spread of several measures; to programs a map by their names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summaries(pub Vec<(Measure, Option<Summary>)>);

impl Summaries {
    /// Summarises what each of several parts has of each measure, over those that have a value.
    pub fn of<T>(kinds: &[Measure], parts: &[T], get: impl Fn(&T, Measure) -> Option<f64>) -> Self {
        let values = |kind| parts.iter().filter_map(|part| get(part, kind)).collect::<Vec<f64>>();
        Self(kinds.iter().map(|&kind| (kind, Summary::of(&values(kind)))).collect())
    }

    /// The same where parts come in rounds that divide the same rows anew: the mean over all parts, and the mean of the
    /// rounds' spreads. Rounds are not independent, so more of them must not make the mean look surer than one does.
    pub fn of_rounds<T>(
        kinds: &[Measure],
        parts: &[T],
        in_round: usize,
        get: impl Fn(&T, Measure) -> Option<f64>,
    ) -> Self {
        let rounds: Vec<Self> =
            parts.chunks(in_round.max(1)).map(|round| Self::of(kinds, round, &get)).collect();
        let of_kind = |&(kind, all): &(Measure, Option<Summary>)| {
            let spreads: Vec<f64> = rounds.iter().filter_map(|round| round.get(kind)?.std).collect();
            let std = Summary::of(&spreads).map(|spreads| spreads.mean);
            (kind, all.map(|all| Summary { std, ..all }))
        };
        Self(Self::of(kinds, parts, &get).0.iter().map(of_kind).collect())
    }

    /// Mean and spread of a measure, if there is one.
    pub fn get(&self, measure: Measure) -> Option<Summary> {
        self.0.iter().find(|(kind, _)| *kind == measure).and_then(|(_, summary)| *summary)
    }
}

impl Serialize for Summaries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(measure, summary)| (measure, summary)))
    }
}

impl<'de> Deserialize<'de> for Summaries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SummariesVisitor)
    }
}

/// Reads the measures of a map into their order. Other things may stand beside them.
struct SummariesVisitor;

impl<'de> Visitor<'de> for SummariesVisitor {
    type Value = Summaries;

    fn expecting(&self, formatter: &mut Formatter) -> std::fmt::Result {
        formatter.write_str("a map of measures to their means and spreads")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Summaries, A::Error> {
        let mut summaries = Summaries::default();
        while let Some(name) = map.next_key::<String>()? {
            let known: Result<Measure, ValueError> = Measure::deserialize(name.as_str().into_deserializer());
            match known {
                Ok(measure) => summaries.0.push((measure, map.next_value()?)),
                Err(_) => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        // Whoever wrote the map may have sorted its names.
        summaries.0.sort_by_key(|(measure, _)| *measure);
        Ok(summaries)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Summaries {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Summaries".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let summary = generator.subschema_for::<Option<Summary>>();
        let measures = Measure::OF_CLASSES.iter().chain(&Measure::OF_NUMBERS).chain(&Measure::OF_RULES);
        let named = measures.chain(&[Measure::FitSeconds]).map(|measure| (measure.key(), summary.clone()));
        let properties: serde_json::Map<String, serde_json::Value> =
            named.map(|(key, summary)| (key.to_owned(), summary.into())).collect();
        schemars::json_schema!({ "type": "object", "properties": properties })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_a_sample() {
        assert_eq!(Summary::of(&[1.0, 2.0, 3.0]), Some(Summary { mean: 2.0, std: Some(1.0) }));
        assert_eq!(Summary::of(&[5.0]), Some(Summary { mean: 5.0, std: None }));
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn rounds_do_not_make_a_mean_surer() {
        let of = |parts: &[f64]| Summaries::of_rounds(&[Measure::Auc], parts, 3, |part, _| Some(*part));
        let summary = of(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0]).get(Measure::Auc);
        assert_eq!(summary, Some(Summary { mean: 3.0, std: Some(1.5) }));
        let single =
            Summaries::of_rounds(&[Measure::Auc], &[0.5], 1, |part, _| Some(*part)).get(Measure::Auc);
        assert_eq!(single, Some(Summary { mean: 0.5, std: None }));
    }
}
