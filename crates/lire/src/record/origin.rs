//! Where a model comes from: options, versions and data, and the models that it was chosen from.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::cells::short;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::measure::{Better, Measure};
use crate::methods::lire::selection::{PathModel, Selection};
use crate::model::sections::{DataProvenance, Estimate, FrontierModel, Provenance, SelectionRecord};
use crate::model::{Model, Options};
use crate::split::divided_by;
use crate::table::Dataset;

/// Digits of measures.
const DIGITS: usize = 4;

/// The options, the version of lire, and the data.
pub(super) fn provenance(model: &Model, data: &Dataset, given: &Config) -> Result<Provenance> {
    let file = model.file();
    Ok(Provenance {
        versions: BTreeMap::from([("lire".to_owned(), file.product_version.clone())]),
        options: differing(given, data)?,
        data: DataProvenance {
            fingerprint: file.training.data_fingerprint.clone(),
            rows: file.training.rows,
            features: data.table.columns().len(),
            weighted: data.weights.is_some(),
            divided_by: divided_by(data),
        },
        created: None,
    })
}

/// The options that differ from the defaults of the method, these filled in, so that it does not matter whether a default
/// was given or left out.
fn differing(given: &Config, data: &Dataset) -> Result<Options> {
    let as_map = |config: &Config| serde_json::to_value(config.to_options());
    let wrong = |error: serde_json::Error| Error::model("config", error.to_string());
    let completed = |config: &Config| config.completed(data.target.task(), data.effective_rows());
    let (method, default) = (given.method, Config::default());
    let given = as_map(&completed(given)).map_err(wrong)?;
    let default_of_method = as_map(&completed(&Config { method, ..default.clone() })).map_err(wrong)?;
    let is_own = |(name, value): &(String, Value)| {
        default_of_method.get(name) != Some(value) || (name == "method" && method != default.method)
    };
    let own: Map<String, Value> = match given {
        Value::Object(given) => given.into_iter().filter(is_own).collect(),
        _ => Map::new(),
    };
    Options::of(&own).map_err(wrong)
}

/// The frontier that a model was chosen from.
pub(super) fn selection(selection: &Selection) -> SelectionRecord {
    let mut kinds = vec![selection.metric];
    if Measure::OF_CLASSES.contains(&selection.metric) && selection.metric != Measure::Accuracy {
        kinds.push(Measure::Accuracy);
    }
    SelectionRecord {
        metric: selection.metric.key().into(),
        higher_is_better: selection.metric.better() == Better::Higher,
        rule: as_text(selection.rule),
        splits: selection.n_splits,
        rounds: selection.n_rounds,
        sampled_rows: selection.sampled_rows,
        divided_by: selection.divided_by.clone(),
        compared: selection.models.len(),
        frontier: selection.frontier().into_iter().map(|model| of_model(model, &kinds)).collect(),
    }
}

fn of_model(model: &PathModel, kinds: &[Measure]) -> FrontierModel {
    let estimate = |&kind: &Measure| {
        let summary = model.validation.as_ref()?.get(kind)?;
        let (mean, std) = (short(summary.mean, DIGITS), summary.std.map(|std| short(std, DIGITS)));
        Some((kind.key().to_owned(), Estimate { mean, std }))
    };
    FrontierModel {
        gamma: short(model.gamma, DIGITS),
        lambda: short(model.lambda, DIGITS),
        rules: model.n_rules,
        local_support_mean: short(model.local_support_mean, DIGITS),
        local_support_max: model.local_support_max,
        validation: kinds.iter().filter_map(estimate).collect(),
        chosen: model.chosen,
    }
}

/// The name of a choice, as configuration files spell it.
fn as_text(choice: impl serde::Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(Value::String(text)) => text,
        _ => String::new(),
    }
}
