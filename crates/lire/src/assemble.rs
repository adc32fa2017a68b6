//! Puts what a method learned, and all that is known of it, into a model.

use std::collections::BTreeMap;

use crate::config::Config;
use crate::error::Result;
use crate::methods::training::shares;
use crate::methods::{Learned, LearnedOutput, Training};
use crate::model::{
    Model, ModelFile, Output, RuleTerm, Sections, TargetData, TargetScale, Term, TrainingRecord,
};
use crate::rules::{Rule, RuleData};
use crate::solver::StopReason;
use crate::table::{Dataset, TargetValues, fingerprint};

/// The model: rules with a weight, heaviest first, then linear terms, in the units of the target.
pub(crate) fn assemble(
    data: &Dataset,
    config: &Config,
    training: &Training,
    learned: &Learned,
) -> Result<Model> {
    let schema = data.table.schema();
    let chosen = chosen_rules(learned, schema)?;
    let terms = rule_terms(data, &chosen)?
        .into_iter()
        .map(Term::Rule)
        .chain(learned.linear.iter().cloned().map(Term::Linear))
        .collect();
    let shifts = training.log_odds_shifts(&data.row_weights(), config.classes.base_rate);
    let outputs = outputs(data, training, learned, &chosen, &shifts);
    let link = config.objective.loss.unwrap_or_default().link();
    let (format, format_version, product_version) = ModelFile::header();
    let file = ModelFile {
        format,
        format_version,
        product_version,
        requires: Vec::new(),
        checksum: None,
        target: TargetData {
            name: data.target.name.clone(),
            task: data.target.task(),
            classes: data.target.classes().to_vec(),
        },
        terms,
        outputs,
        link,
        threshold: config.meaning.threshold,
        sensitive: config.features.sensitive.clone(),
        features: schema.clone(),
        training: record(data, config, training, learned),
        config: config.to_options(),
        sections: Sections::default(),
    };
    Model::new(file, "the fitted model")
}

/// A rule that has a weight in some output.
struct Chosen<'a> {
    text: String,
    rule: &'a Rule,
    /// Its weight in each output.
    weights: Vec<f64>,
}

impl Chosen<'_> {
    fn heaviness(&self) -> f64 {
        self.weights.iter().fold(0.0, |most, weight| most.max(weight.abs()))
    }
}

fn chosen_rules<'a>(learned: &'a Learned, schema: &crate::table::Schema) -> Result<Vec<Chosen<'a>>> {
    let mut weights = vec![vec![0.0; learned.outputs.len()]; learned.rules.len()];
    for (output, of_output) in learned.outputs.iter().enumerate() {
        for &(rule, weight) in &of_output.weights.rules {
            weights[rule][output] = weight;
        }
    }
    let mut chosen = learned
        .rules
        .iter()
        .zip(weights)
        .filter(|(_, weights)| weights.iter().any(|&weight| weight != 0.0))
        .map(|(rule, weights)| Ok(Chosen { text: rule.text(schema)?, rule, weights }))
        .collect::<Result<Vec<Chosen>>>()?;
    chosen.sort_by(|a, b| b.heaviness().total_cmp(&a.heaviness()).then_with(|| a.text.cmp(&b.text)));
    Ok(chosen)
}

fn rule_terms(data: &Dataset, chosen: &[Chosen]) -> Result<Vec<RuleTerm>> {
    let weights = data.row_weights();
    let total: f64 = weights.iter().sum();
    let term = |chosen: &Chosen| {
        let (rows, weight) = count(&chosen.rule.cover(&data.table)?, &weights);
        let conditions = RuleData::of(chosen.rule, data.table.schema())?;
        Ok(RuleTerm { rule: chosen.text.clone(), conditions, coverage: weight / total, rows })
    };
    chosen.iter().map(term).collect()
}

/// The outputs in the units of the target.
fn outputs(
    data: &Dataset,
    training: &Training,
    learned: &Learned,
    chosen: &[Chosen],
    shifts: &[f64],
) -> Vec<Output> {
    let TargetScale { mean, std } = training.scale.unwrap_or(TargetScale { mean: 0.0, std: 1.0 });
    let classes: Vec<Option<String>> = match &data.target.values {
        TargetValues::Classes(of) => {
            of.outputs().map(|class| Some(of.classes[class as usize].clone())).collect()
        }
        TargetValues::Numbers(_) => vec![None],
    };
    let output = |(index, (of_output, class)): (usize, (&LearnedOutput, Option<String>))| {
        let of_rules = chosen.iter().map(|chosen| chosen.weights[index]);
        Output {
            class,
            intercept: mean + std * of_output.weights.intercept,
            weights: of_rules.chain(of_output.slopes.iter().copied()).map(|weight| std * weight).collect(),
            log_odds_shift: shifts[index],
            calibration: None,
        }
    };
    learned.outputs.iter().zip(classes).enumerate().map(output).collect()
}

fn record(data: &Dataset, config: &Config, training: &Training, learned: &Learned) -> TrainingRecord {
    let weights = data.row_weights();
    let outputs = &learned.outputs;
    let ended = |reason: &StopReason| outputs.iter().any(|output| output.stop_reason == *reason);
    let reasons = [StopReason::Interrupted, StopReason::TimeLimit, StopReason::MoveLimit];
    TrainingRecord {
        rows: weights.iter().filter(|weight| **weight > 0.0).count(),
        weight: weights.iter().sum(),
        class_shares: match &data.target.values {
            TargetValues::Classes(of) => shares(of, &weights),
            TargetValues::Numbers(_) => Vec::new(),
        },
        scale: training.scale,
        candidates: learned.n_candidates,
        trees_from: None,
        objective: outputs.iter().map(|output| output.objective).sum(),
        loss: outputs.iter().map(|output| output.loss).sum(),
        local_support_mean: 0.0,
        local_support_max: 0,
        accuracy: None,
        auc: None,
        r2: None,
        certified: outputs.iter().all(|output| output.certified),
        stop_reason: reasons.into_iter().find(ended).unwrap_or(StopReason::Converged),
        seed: config.seed,
        data_fingerprint: fingerprint(data),
        more: BTreeMap::new(),
    }
}

/// The number and the weight of covered rows that count.
fn count(covered: &[u64], weights: &[f64]) -> (usize, f64) {
    let holds = |row: usize| covered[row / 64] >> (row % 64) & 1 == 1;
    let counted = weights.iter().enumerate().filter(|&(row, &weight)| weight > 0.0 && holds(row));
    counted.fold((0, 0.0), |(rows, sum), (_, weight)| (rows + 1, sum + weight))
}
