//! What a model file must fulfil before anything relies on it.

use std::collections::HashSet;

use super::ModelFile;
use crate::error::{Error, Result};
use crate::objective::WEIGHT_LIMIT;
use crate::rules::Rule;
use crate::table::FeatureKind;

/// The rules of a file, if all of it can be relied on.
pub(super) fn rules_of(file: &ModelFile, place: &str) -> Result<Vec<Rule>> {
    check_features(file, place)?;
    check_outputs(file, place)?;
    let wrong = |message: String| Err(Error::model(place, message));
    if file.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        return wrong("`threshold` is not a probability".into());
    }
    let super::Link::Logistic { scale } = file.link;
    if !(scale > 0.0 && scale.is_finite()) {
        return wrong("`link.scale` is not a positive number".into());
    }
    if file.target.negative == file.target.positive {
        return wrong("the two classes of `target` are the same".into());
    }
    let mut rules = Vec::with_capacity(file.terms.len());
    // Rules are equal exactly when their texts are.
    let mut texts: HashSet<&str> = HashSet::with_capacity(file.terms.len());
    for (index, term) in file.terms.iter().enumerate() {
        let place = format!("{place}, terms[{index}]");
        let rule = term.conditions.to_rule(&file.features, &place)?;
        let text = rule.text(&file.features);
        if text != term.rule {
            // A text that differs from what is computed would be a false explanation.
            let message =
                format!("`rule` reads `{}` but the conditions say `{text}`; change both or none", term.rule);
            return Err(Error::model(place, message));
        }
        if !(0.0..=1.0).contains(&term.coverage) {
            return Err(Error::model(place, "`coverage` is not a share from 0 to 1"));
        }
        if !texts.insert(&term.rule) {
            return Err(Error::model(place, "the rule is listed twice"));
        }
        rules.push(rule);
    }
    Ok(rules)
}

fn check_features(file: &ModelFile, place: &str) -> Result<()> {
    let features = &file.features.features;
    let mut names: HashSet<&str> = HashSet::with_capacity(features.len());
    for (index, feature) in features.iter().enumerate() {
        let place = || format!("{place}, features[{index}]");
        if !names.insert(&feature.name) {
            return Err(Error::model(place(), format!("two features are named `{}`", feature.name)));
        }
        if let FeatureKind::Boolean { levels } = &feature.kind
            && levels.len() != 2
        {
            return Err(Error::model(place(), "a boolean feature has exactly two levels"));
        }
        if let Some(levels) = feature.kind.levels() {
            let mut sorted: Vec<&String> = levels.iter().collect();
            sorted.sort_unstable();
            if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(Error::model(place(), "a level is listed twice"));
            }
        }
    }
    Ok(())
}

fn check_outputs(file: &ModelFile, place: &str) -> Result<()> {
    let [output] = file.outputs.as_slice() else {
        return Err(Error::model(
            place,
            format!("{} outputs; two classes have exactly one", file.outputs.len()),
        ));
    };
    let place = format!("{place}, outputs[0]");
    if output.class != file.target.positive {
        return Err(Error::model(place, format!("its class is `{}`, not the positive one", output.class)));
    }
    if output.weights.len() != file.terms.len() {
        let message = format!("{} weights for {} terms", output.weights.len(), file.terms.len());
        return Err(Error::model(place, message));
    }
    for &weight in output.weights.iter().chain([&output.intercept]) {
        if !(-WEIGHT_LIMIT..=WEIGHT_LIMIT).contains(&weight) {
            return Err(Error::model(place, format!("the weight {weight} is not within ±{WEIGHT_LIMIT}")));
        }
    }
    Ok(())
}
