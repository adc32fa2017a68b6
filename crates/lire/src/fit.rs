//! The whole way from a table to a model, one line a stage.

use std::time::{Duration, Instant};

use crate::binning::{BinnedTable, Rows};
use crate::config::Config;
use crate::coverage::Candidates;
use crate::error::{Error, Result};
use crate::evaluate::{ClassPredictions, Measure, Measures, Predictions, RuleMeasures};
use crate::forest;
use crate::model::{Link, Model, ModelFile, Output, TargetData, Term, TrainingRecord};
use crate::rules::{Rule, RuleData, distinct_by_text, extract};
use crate::solver::{Problem, Solution, StopReason, Weights, solve};
use crate::table::{Dataset, Table, fingerprint};
use crate::watch::{Stop, Watch};

/// A model with what is worth knowing of how it came about.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// The solver's result.
    pub solution: Solution,
    /// How long the stages took.
    pub timings: Timings,
}

/// How long the stages of a fit took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    /// Binning and merging rows.
    pub binning: Duration,
    /// Growing trees.
    pub forest: Duration,
    /// Extracting rules and evaluating them.
    pub candidates: Duration,
    /// Choosing rules and weights.
    pub solver: Duration,
}

/// Learns a rule ensemble.
pub fn fit(data: &Dataset, config: &Config, watch: &Watch) -> Result<Fit> {
    let schema = data.table.schema();
    let config = &config.for_rows(data.effective_rows());
    let settings = config.check(schema)?;
    let weights = data.row_weights();
    let mut clock = Clock(Instant::now());
    let mut timings = Timings::default();

    let binned = BinnedTable::of(&data.table, &weights);
    let rows = Rows::merge(&binned, &data.target.values, &weights);
    clock.lap(&mut timings.binning);

    let forest = forest::grow(&rows, &rows.outcomes[0], &settings.forest, watch);
    clock.lap(&mut timings.forest);

    let rules = distinct_by_text(extract(&forest, &rows.binned, schema, &settings.rules), schema);
    let Candidates { rules, coverage, masses } = Candidates::of(rules, &rows, schema, &settings.rules);
    let problem = Problem::new(coverage, &masses[0], config.loss, settings.ridge, settings.penalty);
    clock.lap(&mut timings.candidates);

    let solution =
        solve(&problem, &Weights::default(), settings.gamma, settings.lambda, settings.solver, watch);
    clock.lap(&mut timings.solver);

    if watch.stop() == Some(Stop::Interrupted) && solution.stop_reason == StopReason::Interrupted {
        return Err(Error::Interrupted);
    }
    let model = assemble(data, config, &rules, &solution)?;
    Ok(Fit { model, solution, timings })
}

/// Puts the chosen rules, heaviest first, and all that is known of them into a model.
fn assemble(data: &Dataset, config: &Config, candidates: &[Rule], solution: &Solution) -> Result<Model> {
    let schema = data.table.schema();
    let weights = data.row_weights();
    let total: f64 = weights.iter().sum();
    let mut chosen: Vec<(String, &Rule, f64)> = solution
        .weights
        .rules
        .iter()
        .map(|&(rule, weight)| (candidates[rule].text(schema), &candidates[rule], weight))
        .collect();
    chosen.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then_with(|| a.0.cmp(&b.0)));

    let coverages: Vec<Vec<u64>> = chosen.iter().map(|(_, rule, _)| rule.cover(&data.table)).collect();
    let terms = chosen
        .iter()
        .zip(&coverages)
        .map(|((text, rule, _), covered)| {
            let (rows, weight) = count(covered, &weights);
            Term {
                rule: text.clone(),
                conditions: RuleData::of(rule, schema),
                coverage: weight / total,
                rows,
            }
        })
        .collect();
    let target = &data.target;
    let positive: f64 =
        weights.iter().zip(&target.positives()).filter(|(_, label)| **label).map(|(weight, _)| weight).sum();
    let sizes = RuleMeasures::of(&coverages, &weights);
    let (format, format_version, product_version) = ModelFile::header();
    let file = ModelFile {
        format,
        format_version,
        product_version,
        target: TargetData {
            name: target.name.clone(),
            negative: target.classes()[0].clone(),
            positive: target.classes()[1].clone(),
        },
        terms,
        outputs: vec![Output {
            class: target.classes()[1].clone(),
            intercept: solution.weights.intercept,
            weights: chosen.iter().map(|&(_, _, weight)| weight).collect(),
        }],
        link: Link::Logistic { scale: 2.0 },
        threshold: config.threshold,
        sensitive: config.sensitive.clone(),
        features: schema.clone(),
        training: TrainingRecord {
            rows: weights.iter().filter(|weight| **weight > 0.0).count(),
            weight: total,
            positive_share: positive / total,
            candidates: candidates.len(),
            objective: solution.objective,
            loss: solution.loss,
            local_support_mean: sizes.local_support_mean,
            local_support_max: sizes.local_support_max,
            accuracy: 0.0,
            auc: None,
            certified: solution.certified,
            stop_reason: solution.stop_reason,
            seed: config.seed,
            data_fingerprint: fingerprint(data),
        },
        config: config.clone(),
    };
    let model = Model::new(file, "the fitted model")?;
    let measures = measure(&model, data)?;
    let accuracy = measures.get(Measure::Accuracy).unwrap_or(0.0);
    Ok(model.with_training_measures(accuracy, measures.get(Measure::Auc)))
}

/// How good a model is on some rows.
pub fn measure(model: &Model, data: &Dataset) -> Result<Measures> {
    Measures::of(&data.target.values, &predictions(model, &data.table), &data.row_weights())
}

/// What a model says of some rows.
pub fn predictions(model: &Model, table: &Table) -> Predictions {
    let scores = model.score(table).scores;
    let decisions: Vec<_> = scores.iter().map(|&score| model.decide(score)).collect();
    Predictions::Classes(ClassPredictions {
        scores: vec![scores],
        probabilities: vec![decisions.iter().map(|decision| decision.probability).collect()],
        labels: decisions.iter().map(|decision| u32::from(decision.positive)).collect(),
    })
}

/// The number and the weight of covered rows that count.
fn count(covered: &[u64], weights: &[f64]) -> (usize, f64) {
    let holds = |row: usize| covered[row / 64] >> (row % 64) & 1 == 1;
    let counted = weights.iter().enumerate().filter(|&(row, &weight)| weight > 0.0 && holds(row));
    counted.fold((0, 0.0), |(rows, sum), (_, weight)| (rows + 1, sum + weight))
}

/// Measures stages.
struct Clock(Instant);

impl Clock {
    fn lap(&mut self, stage: &mut Duration) {
        *stage = self.0.elapsed();
        self.0 = Instant::now();
    }
}
