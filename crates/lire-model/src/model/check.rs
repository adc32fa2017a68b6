//! What a model file must fulfil before anything relies on it.

use std::collections::HashSet;

use super::{Linear, LinearTerm, Link, Model, ModelFile, Output, RuleTerm, Term, WEIGHT_LIMIT};
use crate::error::{Error, Result};
use crate::rules::Rule;
use crate::table::{FeatureKind, Task};

/// The rules and the linear terms of a file, if all of it can be relied on.
pub(super) fn terms_of(file: &ModelFile, place: &str) -> Result<(Vec<Rule>, Vec<Linear>)> {
    check_features(file, place)?;
    check_target(file, place)?;
    check_outputs(file, place)?;
    let (mut rules, mut linear) = (Vec::new(), Vec::new());
    // Rules are equal exactly when their texts are.
    let mut texts: HashSet<&str> = HashSet::with_capacity(file.terms.len());
    for (index, term) in file.terms.iter().enumerate() {
        let place = format!("{place}, terms[{index}]");
        let text = match term {
            Term::Rule(term) if linear.is_empty() => {
                rules.push(rule_of(file, term, &place)?);
                &term.rule
            }
            Term::Rule(_) => return Err(Error::model(place, "a rule comes after a linear term")),
            Term::Linear(term) => {
                linear.push(linear_of(file, term, &place)?);
                &term.feature
            }
        };
        if !texts.insert(text) {
            return Err(Error::model(place, "the term is listed twice"));
        }
    }
    Ok((rules, linear))
}

fn rule_of(file: &ModelFile, term: &RuleTerm, place: &str) -> Result<Rule> {
    let rule = term.conditions.to_rule(&file.features, place)?;
    let text = rule.text(&file.features)?;
    if text != term.rule {
        // A text that differs from what is computed would be a false explanation.
        let message =
            format!("`rule` reads `{}` but the conditions say `{text}`; change both or neither", term.rule);
        return Err(Error::model(place, message));
    }
    if !(0.0..=1.0).contains(&term.coverage) {
        return Err(Error::model(place, "`coverage` is not a share from 0 to 1"));
    }
    Ok(rule)
}

fn linear_of(file: &ModelFile, term: &LinearTerm, place: &str) -> Result<Linear> {
    let Some(feature) = file.features.position(&term.feature) else {
        return Err(Error::model(place, format!("there is no feature `{}`", term.feature)));
    };
    if file.features.features[feature].kind.levels().is_some() {
        return Err(Error::model(place, format!("`{}` is not a numeric feature", term.feature)));
    }
    let LinearTerm { low, high, mean, std, .. } = *term;
    let in_order = low <= mean && mean <= high && std > 0.0;
    if !(in_order && (high - low).is_finite() && std.is_finite()) {
        return Err(Error::model(place, "`low`, `mean`, `high` and `std` do not describe a spread"));
    }
    Ok(Linear { feature, low, high, mean })
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
            if feature.exact.iter().any(|level| !levels.contains(level)) {
                return Err(Error::model(place(), "`exact` names a level that is not listed"));
            }
        }
    }
    Ok(())
}

fn check_target(file: &ModelFile, place: &str) -> Result<()> {
    let wrong = |message: &str| Err(Error::model(place, message));
    let classes = &file.target.classes;
    let distinct: HashSet<&String> = classes.iter().collect();
    if distinct.len() != classes.len() {
        return wrong("a class of `target` is listed twice");
    }
    match (file.target.task, file.link) {
        (Task::Classification, Link::Logistic { .. }) if classes.len() < 2 => {
            wrong("`target` has no two classes")
        }
        (Task::Classification, Link::Logistic { scale }) if !(scale > 0.0 && scale.is_finite()) => {
            wrong("`link.scale` is not a positive number")
        }
        (Task::Regression, Link::Identity {}) if !classes.is_empty() => wrong("a number has no classes"),
        (Task::Classification, Link::Logistic { .. }) | (Task::Regression, Link::Identity {}) => {
            let shares = &file.training.class_shares;
            if shares.len() != classes.len() || shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
                return wrong("`training.class_shares` are not the shares of the classes");
            }
            match file.threshold {
                Some(_) if classes.len() != 2 => wrong("`threshold` is for two classes"),
                Some(threshold) if !(0.0..=1.0).contains(&threshold) => {
                    wrong("`threshold` is not a probability")
                }
                _ => Ok(()),
            }
        }
        _ => wrong("`link` does not belong to `target.task`"),
    }
}

fn check_outputs(file: &ModelFile, place: &str) -> Result<()> {
    let classes = &file.target.classes;
    let expected: Vec<Option<&String>> = match &classes[..] {
        [] => vec![None],
        [_, positive] => vec![Some(positive)],
        several => several.iter().map(Some).collect(),
    };
    if file.outputs.len() != expected.len() {
        let message = format!("{} outputs, but {} are expected", file.outputs.len(), expected.len());
        return Err(Error::model(place, message));
    }
    for (index, (output, class)) in file.outputs.iter().zip(expected).enumerate() {
        let place = format!("{place}, outputs[{index}]");
        if output.class.as_ref() != class {
            return Err(Error::model(place, "its class is not the class of `target` at this position"));
        }
        if output.weights.len() != file.terms.len() {
            let message = format!("{} weights for {} terms", output.weights.len(), file.terms.len());
            return Err(Error::model(place, message));
        }
        check_weights(file, output, &place)?;
        if let Some(calibration) = &output.calibration
            && !(calibration.is_sound() && class.is_some())
        {
            return Err(Error::model(place, "the probabilities of `calibration` do not rise with the score"));
        }
    }
    Ok(())
}

/// Weights of rules for classes are bounded; all others must at least be numbers.
fn check_weights(file: &ModelFile, output: &Output, place: &str) -> Result<()> {
    let of_rules = file.terms.iter().zip(&output.weights).filter(|(term, _)| matches!(term, Term::Rule(_)));
    let bounded: Vec<f64> = match file.target.task {
        Task::Classification => of_rules.map(|(_, &weight)| weight).chain([output.intercept]).collect(),
        Task::Regression => Vec::new(),
    };
    if let Some(weight) = bounded.iter().find(|weight| !(-WEIGHT_LIMIT..=WEIGHT_LIMIT).contains(*weight)) {
        return Err(Error::model(place, format!("the weight {weight} is not within ±{WEIGHT_LIMIT}")));
    }
    let all = output.weights.iter().chain([&output.intercept, &output.log_odds_shift]);
    if let Some(weight) = all.into_iter().find(|weight| !weight.is_finite()) {
        return Err(Error::model(place, format!("the weight {weight} is not a finite number")));
    }
    let reach = |term: &Term| if let Term::Linear(term) = term { term.high - term.low } else { 1.0 };
    let parts = file.terms.iter().zip(&output.weights).map(|(term, weight)| (weight * reach(term)).abs());
    let largest = parts.fold(output.intercept.abs(), |sum, part| sum + part);
    if largest.is_finite() {
        Ok(())
    } else {
        Err(Error::model(place, "the sum of the weights is not finite"))
    }
}

/// Fails unless the file reads back as it is, which it does not where a number is not finite.
pub(super) fn check_stored(model: &Model) -> Result<()> {
    let again = Model::from_json(model.to_json().as_bytes(), "the model");
    if again.is_ok_and(|again| again.file() == model.file()) {
        return Ok(());
    }
    let message = "it has a number that is not finite, which a file cannot store; scale very large or very small numbers \
                   of the table, and report this";
    Err(Error::model("the model", message))
}
