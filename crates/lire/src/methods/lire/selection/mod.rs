//! Chooses prices by what their models are worth on rows left out, within a budget of rules.

mod choice;
mod grid;
mod measured;
mod plan;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::at_prices;
use crate::config::{SelectionRule, SizeBudget};
use crate::error::{Error, Result};
use crate::measure::{Better, Measure, Measures, Summaries};
use crate::methods::candidates::Clock;
use crate::methods::{GrownCandidates, Learned, MethodInput, Training};
use crate::model::Meaning;
use crate::model::sections::DividedBy;
use crate::side_by_side::side_by_side_in_time;
use crate::solver::{PathEnd, Prices, Solution};
use crate::table::TargetValues;
use crate::watch::{Progress, Stop, Watch};
use measured::{Measured, MeasuredRows};

/// With a time limit: the most of what is left that the comparison takes.
const SHARE_OF_COMPARISON: f64 = 0.9;

/// So often prices are added to come nearer to where a budget binds.
const REFINEMENTS: usize = 3;

/// Prices chosen on a sample are raised by these factors until the model of all rows is inside the budget.
const HIGHER: [f64; 10] = [1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 3.0, 5.0, 10.0];

/// A γ that leaves no rule.
const PROHIBITIVE: f64 = 1e9;

/// The models that were compared, and the one that was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Selection {
    /// What the choice went by.
    pub metric: Measure,
    /// Which was chosen.
    pub rule: SelectionRule,
    /// How many parts of the rows were left out in turn.
    pub n_splits: usize,
    /// How often the rows were divided into such parts.
    pub n_rounds: usize,
    /// The rows that the models were compared on, where these are a sample of all: the measures and sizes here are of
    /// models of these rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled_rows: Option<usize>,
    /// What decided how they were divided, beside equal features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
    /// The models, each different from the others, by γ and then λ.
    pub models: Vec<PathModel>,
}

/// One of the models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathModel {
    /// γ.
    pub gamma: f64,
    /// λ.
    pub lambda: f64,
    /// Rules of the model of all rows.
    pub n_rules: usize,
    /// The mean number of rules that explain one of these rows.
    pub local_support_mean: f64,
    /// The largest number of them.
    pub local_support_max: usize,
    /// Measures on the rows that it was fitted on.
    pub train: Measures,
    /// Mean and spread (of a round, on average) of the measures on rows left out, of models of the same prices fitted on the others; none if
    /// the model is outside the budget.
    pub validation: Option<Summaries>,
    /// Whether it was chosen.
    pub chosen: bool,
}

impl PathModel {
    fn of(entry: &Entry, validation: Option<Summaries>) -> Self {
        let size = &entry.measured.size;
        Self {
            gamma: entry.prices.gamma,
            lambda: entry.prices.lambda,
            n_rules: size.support,
            local_support_mean: size.local_support_mean,
            local_support_max: size.local_support_max,
            train: entry.measured.quality.clone(),
            validation,
            chosen: false,
        }
    }
}

impl Selection {
    /// How many models were compared: those inside the budget.
    pub fn n_compared(&self) -> usize {
        self.models.iter().filter(|model| model.validation.is_some()).count()
    }

    /// The chosen model.
    pub fn chosen(&self) -> Option<&PathModel> {
        self.models.iter().find(|model| model.chosen)
    }

    /// Models that none beats in all of the metric, rules per explanation and rules, by rules per explanation. Where
    /// there were no rows to compare them on, it is the metric in training.
    pub fn frontier(&self) -> Vec<&PathModel> {
        let value = |model: &PathModel| {
            let validation = model.validation.as_ref()?;
            let mean = match self.n_splits {
                0 => model.train.get(self.metric)?,
                _ => validation.get(self.metric)?.mean,
            };
            Some(if self.metric.better() == Better::Higher { mean } else { -mean })
        };
        let beats = |a: &PathModel, b: &PathModel| {
            let (a_size, b_size) = ((a.local_support_mean, a.n_rules), (b.local_support_mean, b.n_rules));
            value(a) >= value(b)
                && a_size.0 <= b_size.0
                && a_size.1 <= b_size.1
                && (value(a) > value(b) || a_size != b_size)
        };
        let mut frontier: Vec<&PathModel> = self
            .models
            .iter()
            .filter(|model| value(model).is_some())
            .filter(|model| model.chosen || !self.models.iter().any(|other| beats(other, model)))
            .collect();
        frontier.sort_by(|a, b| a.local_support_mean.total_cmp(&b.local_support_mean));
        frontier
    }
}

/// A model of all rows at some prices.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its prices.
    pub prices: Prices,
    outputs: Vec<Solution>,
    measured: Measured,
}

impl Entry {
    /// Whether it is inside a budget.
    pub fn fits(&self, budget: &SizeBudget) -> bool {
        budget.max_rules.is_none_or(|most| self.measured.size.support <= most)
            && budget.max_local_rules.is_none_or(|most| self.local_rules(budget) <= most)
    }

    /// Whether it needs at least this share of the allowed rules per explanation.
    pub fn uses_up(&self, budget: &SizeBudget, share: f64) -> bool {
        budget.max_local_rules.is_none_or(|most| self.local_rules(budget) >= share * most)
    }

    /// The rules per explanation that a budget is about.
    fn local_rules(&self, budget: &SizeBudget) -> f64 {
        let size = &self.measured.size;
        if budget.any_row { size.local_support_max as f64 } else { size.local_support_mean }
    }

    /// What it chose, of each output.
    fn supports(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        self.outputs.iter().map(|solution| solution.weights.rules.iter().map(|&(rule, _)| rule))
    }

    fn is_same_as(&self, other: &Self) -> bool {
        self.supports().zip(other.supports()).all(|(one, other)| one.eq(other))
    }
}

/// Learns the models of many prices and chooses one.
pub(crate) fn choose(input: MethodInput) -> Result<Learned> {
    let MethodInput { data, training, settings, source, splits, watch } = input;
    let start = Instant::now();
    let candidates = source.candidates(training, settings, watch);
    let (mut clock, mut timings) = (Clock(Instant::now()), candidates.timings);
    let to_compare = watch.share(plan::time_for_models(splits));
    let mut entries = entries(MethodInput { watch: &to_compare, ..input }, &candidates)?;
    clock.lap(&mut timings.solver);
    let budget = &settings.selection.budget;
    if entries.iter().all(|entry| !entry.fits(budget)) {
        return Err(out_of_reach(&entries, budget));
    }
    let prices = Validated::of(&entries, budget);
    let splits = plan::splits_in_time(splits, start.elapsed(), &to_compare, watch);
    let in_comparison = watch.share(SHARE_OF_COMPARISON);
    let Validation { of_prices: validated, n_splits, n_rounds } =
        validate(MethodInput { splits: &splits, watch: &in_comparison, ..input }, &prices)?;
    clock.lap(&mut timings.comparison);
    if watch.stop() == Some(Stop::Interrupted) {
        return Err(Error::Interrupted);
    }

    let mut validated = validated.into_iter();
    let mut models: Vec<PathModel> = entries
        .iter()
        .map(|entry| PathModel::of(entry, entry.fits(budget).then(|| validated.next().unwrap_or_default())))
        .collect();
    let certified = |entry: &Entry| {
        let outputs = at_prices::certified(&candidates, settings, entry.prices, &entry.outputs, watch);
        let meaning = meaning(input, training, &data.row_weights());
        let rows = MeasuredRows::new(data, training, meaning, &candidates.rules, outputs.iter())?;
        Ok(Entry { prices: entry.prices, measured: rows.measure(&outputs)?, outputs })
    };
    let chosen = choice::settle(&mut models, &mut entries, &settings.selection, n_splits, certified)?;
    let selection = Selection {
        metric: settings.selection.measure,
        rule: settings.selection.rule,
        n_splits,
        n_rounds,
        sampled_rows: None,
        divided_by: splits.divided_by.clone(),
        models,
    };
    let Entry { prices, outputs, .. } = entries.swap_remove(chosen);
    clock.lap(&mut timings.solver);
    let learned = at_prices::learned(candidates, prices, outputs);
    Ok(Learned { timings, selection: Some(selection), ..learned })
}

/// The model at these prices, or at prices a little higher if it would not be inside the budget.
pub(crate) fn near(input: MethodInput, at: Prices) -> Result<Learned> {
    let MethodInput { data, training, settings, source, watch, .. } = input;
    let candidates = source.candidates(training, settings, watch);
    let budget = &settings.selection.budget;
    if budget.is_unlimited() {
        return Ok(at_prices::choose(candidates, settings, at, watch));
    }
    let (mut clock, mut timings) = (Clock(Instant::now()), candidates.timings);
    let mut higher = HIGHER.iter().map(|by| Prices { gamma: at.gamma * by, lambda: at.lambda * by });
    let mut known: Vec<Solution> = Vec::new();
    let mut tried: Vec<Entry> = Vec::new();
    loop {
        let Some(prices) = higher.next() else { return Err(out_of_reach(&tried, budget)) };
        let known_models = (!known.is_empty()).then_some(known.as_slice()).into_iter();
        let mut path =
            at_prices::path(&candidates, settings, &[prices], &known_models, PathEnd::Certified, watch);
        let outputs = path.swap_remove(0);
        let meaning = meaning(input, training, &data.row_weights());
        let rows = MeasuredRows::new(data, training, meaning, &candidates.rules, outputs.iter())?;
        let entry = Entry { prices, measured: rows.measure(&outputs)?, outputs: outputs.clone() };
        if entry.fits(budget) {
            clock.lap(&mut timings.solver);
            return Ok(Learned { timings, ..at_prices::learned(candidates, prices, outputs) });
        }
        tried.push(entry);
        known = outputs;
    }
}

/// The distinct models of all rows, by γ and then λ; with a budget also some near to where it binds.
fn entries(input: MethodInput, candidates: &GrownCandidates) -> Result<Vec<Entry>> {
    let MethodInput { data, training, settings, watch, .. } = input;
    let budget = &settings.selection.budget;
    let mut entries: Vec<Entry> = Vec::new();
    let mut prices = grid::grid(settings, data.effective_rows());
    let solve_all = |prices: &[Prices], known: &[Entry]| -> Result<Vec<Entry>> {
        let known = known.iter().map(|entry| entry.outputs.as_slice());
        let path = at_prices::path(candidates, settings, prices, &known, PathEnd::Close, watch);
        let meaning = meaning(input, training, &data.row_weights());
        let rows = MeasuredRows::new(data, training, meaning, &candidates.rules, path.iter().flatten())?;
        let entry = |(&prices, outputs): (&Prices, Vec<Solution>)| {
            let measured = rows.measure(&outputs)?;
            Ok(Entry { prices, outputs, measured })
        };
        prices.iter().zip(path).map(entry).collect()
    };
    if watch.deadline.is_some() && budget.is_unlimited() {
        let start = Instant::now();
        let one = solve_all(&[plan::moderate(&prices)], &[])?;
        if !plan::is_time_for_all(start.elapsed(), watch) {
            return Ok(one);
        }
    }
    for _ in 0..=REFINEMENTS {
        let added = solve_all(&prices, &entries)?;
        entries.extend(added);
        if budget.is_unlimited() {
            break;
        }
        prices = grid::refined(&entries, budget, settings);
        if prices.is_empty() {
            break;
        }
    }
    entries.sort_by(|a, b| {
        let (a, b) = (a.prices, b.prices);
        a.gamma.total_cmp(&b.gamma).then(a.lambda.total_cmp(&b.lambda))
    });
    let mut distinct: Vec<Entry> = Vec::new();
    for entry in entries {
        if !distinct.iter().any(|other| other.is_same_as(&entry)) {
            distinct.push(entry);
        }
    }
    Ok(distinct)
}

/// The prices of a validation.
struct Validated {
    /// First those of the models inside the budget, then those of larger models that they are reached from.
    all: Vec<Prices>,
    n_measured: usize,
}

impl Validated {
    fn of(entries: &[Entry], budget: &SizeBudget) -> Self {
        let inside = || entries.iter().filter(|entry| entry.fits(budget));
        // At the prices of a model without rules fewer rows may have some: it is the model that is validated.
        let of_entry = |entry: &Entry| match entry.measured.size.support {
            0 => Prices { gamma: PROHIBITIVE, ..entry.prices },
            _ => entry.prices,
        };
        let mut all: Vec<Prices> = inside().map(of_entry).collect();
        let n_measured = all.len();
        let mut gammas: Vec<f64> = all.iter().map(|at| at.gamma).collect();
        gammas.dedup();
        let larger = entries.iter().filter(|entry| !entry.fits(budget)).map(|entry| entry.prices);
        all.extend(larger.filter(|at| gammas.contains(&at.gamma)));
        Self { all, n_measured }
    }
}

/// What models are worth on rows left out.
struct Validation {
    /// For each of the prices.
    of_prices: Vec<Summaries>,
    /// How many parts were left out in turn: those that there was time for.
    n_splits: usize,
    /// How often the rows were divided into such parts.
    n_rounds: usize,
}

/// For each of the prices the measures on rows left out, with everything learned anew on the others.
fn validate(input: MethodInput, prices: &Validated) -> Result<Validation> {
    let MethodInput { data, training, settings, source, splits, watch } = input;
    let total = splits.all.len() * training.n_outputs();
    let n_done = AtomicUsize::new(0);
    let count = |progress| {
        if let Progress::Outputs { .. } = progress {
            let done = 1 + n_done.fetch_add(1, Ordering::Relaxed);
            watch.report(Progress::Validation { done, total });
        }
    };
    let of_split = |place: usize, watch: &Watch| -> Result<Option<Vec<Measured>>> {
        let split = &splits.all[place];
        let watch_split = Watch { on_progress: Some(&count), ..*watch };
        let part = training.select(&split.train);
        let left_out = data.select(&split.test)?;
        let candidates = source.of_split(place, &part, settings, &watch_split);
        let known = std::iter::empty();
        let mut path =
            at_prices::path(&candidates, settings, &prices.all, &known, PathEnd::Close, &watch_split);
        if watch_split.stop().is_some() {
            // Models that were cut short say nothing of those of all rows.
            return Ok(None);
        }
        path.truncate(prices.n_measured);
        let row_weights = data.row_weights();
        let row_weights: Vec<f64> = split.train.iter().map(|&row| row_weights[row]).collect();
        let meaning = meaning(input, &part, &row_weights);
        let rows = MeasuredRows::new(&left_out, &part, meaning, &candidates.rules, path.iter().flatten())?;
        path.iter().map(|outputs| rows.measure(outputs)).collect::<Result<_>>().map(Some)
    };
    let of_splits: Vec<Option<Vec<Measured>>> =
        side_by_side_in_time(splits.all.len(), watch, of_split).into_iter().collect::<Result<_>>()?;
    let n_asked = of_splits.len();
    let of_splits: Vec<Vec<Measured>> = of_splits.into_iter().flatten().collect();
    let in_round = if of_splits.len() == n_asked { splits.in_round } else { of_splits.len() };
    let kinds: Vec<Measure> = match &data.target.values {
        TargetValues::Classes(_) => Measure::OF_CLASSES.to_vec(),
        TargetValues::Numbers(_) => Measure::OF_NUMBERS.to_vec(),
    };
    let kinds: Vec<Measure> =
        kinds.into_iter().chain([Measure::Support, Measure::LocalSupportMean]).collect();
    let summed_up = |place: usize| {
        let parts: Vec<&Measured> = of_splits.iter().map(|of_split| &of_split[place]).collect();
        Summaries::of_rounds(&kinds, &parts, in_round, |part, kind| part.get(kind))
    };
    Ok(Validation {
        of_prices: (0..prices.n_measured).map(summed_up).collect(),
        n_splits: in_round,
        n_rounds: of_splits.len() / in_round.max(1),
    })
}

/// What scores mean before there is a model, for what it learns from.
fn meaning(input: MethodInput, training: &Training, row_weights: &[f64]) -> Meaning {
    let settings = input.settings;
    let shifts = training.log_odds_shifts(row_weights, settings.classes.base_rate);
    let calibrations = vec![None; shifts.len()];
    Meaning { link: settings.loss.link(), shifts, calibrations, threshold: settings.meaning.threshold }
}

fn out_of_reach(entries: &[Entry], budget: &SizeBudget) -> Error {
    let (parameter, excess): (_, &dyn Fn(&Entry) -> f64) = if budget.max_local_rules.is_some() {
        ("max_local_rules", &|entry| entry.measured.size.local_support_mean)
    } else {
        ("max_rules", &|entry| entry.measured.size.support as f64)
    };
    let nearest = entries.iter().min_by(|a, b| excess(a).total_cmp(&excess(b)));
    let size = nearest.map(|entry| &entry.measured.size);
    let (rules, mean, most) =
        size.map_or((0, 0.0, 0), |size| (size.support, size.local_support_mean, size.local_support_max));
    Error::config(
        parameter,
        format!(
            "no model is that small; the nearest has {rules} rules, {mean:.2} per explanation and at most {most}; allow \
             more, or leave gamma and lambda to be chosen"
        ),
    )
}
