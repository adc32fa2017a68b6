//! A model for people: its rules, and what a careful reader wants to know before relying on them.

use std::fmt::Write as _;

use lire::model::{StopReason, TrainingRecord};
use lire::report::{DecisionRule, ModelReport, RuleName, SensitiveUse};

use super::facts;
use super::numbers::{count, measure, percent, prediction};
use super::rules;
use super::visible::visible_in_toml;
use crate::console::{Look, Style};

/// The rules, facts below them, and the options of the fit if they are given.
pub fn text(report: &ModelReport, options: Option<&str>, look: Look) -> String {
    let headline = rules::headline(report.n_terms, report.local_support_mean);
    let tables = rules::tables(&report.scores, &report.sides, usize::MAX, look);
    let mut text = format!(
        "{}\n\n{tables}\n{}",
        look.paint(&headline, Style::Strong),
        facts::render(&what_is_known(report), look)
    );
    if let Some(options) = options {
        let title = look.paint("Options of the fit", Style::Strong);
        let _ = write!(text, "\n{title}, as a file for --config\n\n{}", visible_in_toml(options));
    }
    text
}

/// What is known of the model, by name.
fn what_is_known(report: &ModelReport) -> Vec<(&'static str, String)> {
    let TrainingRecord { rows, accuracy, auc, r2, local_support_max, .. } = &report.training;
    let measured = [("accuracy", accuracy), ("AUC", auc), ("R²", r2)];
    let measured: Vec<String> = measured
        .iter()
        .filter_map(|(name, value)| value.map(|value| format!("{name} {}", measure(value))))
        .collect();
    let mut known = vec![
        ("predicts", decides(report)),
        ("method", method(report)),
        ("trained on", format!("{}{}", count(*rows, "row"), composition(report))),
        ("in training", format!("{} (new rows are usually harder; see lire evaluate)", measured.join(", "))),
        ("explanations", format!("of at most {}", count(*local_support_max, "rule"))),
        ("search", ending(&report.training, report.sides.len() > 1)),
        ("fewest rows", fewest_rows(report)),
        ("sensitive", sensitive_use(report)),
    ];
    if report.is_edited {
        known.push(("edited", "after lire wrote it: the checksum does not match the content".into()));
    }
    known
}

/// What is predicted, and when which class.
fn decides(report: &ModelReport) -> String {
    let ModelReport { target, classes, .. } = report;
    let positive = classes.get(1).map_or("", String::as_str);
    match report.decision {
        DecisionRule::Number => format!("the number {target}: the sum itself"),
        DecisionRule::Probability { above } => {
            format!("{target} = {positive} where its probability is above {above}")
        }
        DecisionRule::Score { probability, class_weights } => {
            let by_score = format!("{target} = {positive} where the score is above 0");
            let why = if class_weights { ", as class weights ask for" } else { "" };
            match probability {
                Some(probability) => format!("{by_score}{why}: a probability above {probability:.3}"),
                None => by_score,
            }
        }
        DecisionRule::HighestScore => {
            format!("{target}, one of {} classes: that of the highest score", classes.len())
        }
        DecisionRule::MostProbable => {
            format!("{target}, one of {} classes: the most probable", classes.len())
        }
    }
}

fn method(report: &ModelReport) -> String {
    let loss = report.loss.as_ref().map(|loss| format!(", {loss} loss")).unwrap_or_default();
    format!("{}{loss}", report.method)
}

/// Of what classes, or how far spread, the training rows were.
fn composition(report: &ModelReport) -> String {
    let training = &report.training;
    if let Some(scale) = training.scale {
        return format!(
            ", {} ± {} on average",
            prediction(scale.mean, scale.mean),
            prediction(scale.std, scale.mean)
        );
    }
    let of_class = |(class, &share): (&String, &f64)| format!("{} {class}", percent(share));
    match (&report.classes[..], &training.class_shares[..]) {
        ([_, positive], [_, share]) => format!(", {} of them {positive}", percent(*share)),
        (classes, shares) => {
            let parts: Vec<String> = classes.iter().zip(shares).map(of_class).collect();
            format!(": {}", parts.join(", "))
        }
    }
}

/// How the search ended, and what that means.
fn ending(training: &TrainingRecord, several_outputs: bool) -> String {
    let all = count(training.candidates, "candidate rule");
    let among =
        if several_outputs { format!("each class among its own of {all}") } else { format!("among {all}") };
    let how = match training.stop_reason {
        _ if training.certified => "certified: no rule to add, remove or swap makes it better",
        StopReason::Converged => "ended by itself",
        StopReason::MoveLimit => "ended by its limit of moves; a longer one may find better rules",
        StopReason::TimeLimit => "ended by its time limit; a longer one may find better rules",
        StopReason::Interrupted => "ended by an interruption; a longer one may find better rules",
        StopReason::Unknown => "ended for a reason that only a newer lire knows",
    };
    format!("{how}, {among} (objective {:.5}, loss {:.5})", training.objective, training.loss)
}

/// How remarks call a rule: its number in the table, and its class if there are several.
fn rule_name(RuleName { number, class }: &RuleName) -> String {
    let of = class.as_ref().map(|class| format!(" for {class}")).unwrap_or_default();
    format!("rule {number}{of}")
}

fn fewest_rows(report: &ModelReport) -> String {
    let (Some(rule), Some(rows)) = (&report.fewest_rule, report.fewest_rows) else {
        return "no rule rests on any rows".to_owned();
    };
    let (rule, rows) = (rule_name(rule), count(rows, "training row"));
    if report.tells_of_few {
        format!(
            "caution: {rule} rests on {rows} only; anyone who knows some of them may learn about the others. Raise --min-rows \
             before you share this model"
        )
    } else {
        format!("every rule rests on {rows} or more (the fewest: {rule})")
    }
}

fn sensitive_use(report: &ModelReport) -> String {
    if report.sensitive.is_empty() {
        return "no column was declared sensitive (--sensitive)".to_owned();
    }
    if report.sensitive_uses.is_empty() {
        return format!("no rule uses {}", report.sensitive.join(", "));
    }
    let named = report.sensitive_uses.iter().map(|SensitiveUse { rule, columns }| match rule {
        Some(rule) => format!("{} uses {}", rule_name(rule), columns.join(" and ")),
        None => format!("{} is a linear term", columns.join(" and ")),
    });
    format!("caution: {}", named.collect::<Vec<_>>().join("; "))
}
