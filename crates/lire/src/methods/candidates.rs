//! From rows to candidate rules: bins, trees for each output, the rules of their nodes, and what these cover.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::column_order::ColumnOrder;
use super::others::{CELLS_OF_OTHERS, with_others};
use super::outputs::trees_of_outputs;
use super::row_order::order_rows;
use super::{Timings, Training};
use crate::binning::{BinnedTable, Rows};
use crate::config::Settings;
use crate::coverage::{Candidates, Coverage, Pair};
use crate::forest::{self, Forest, ForestConfig};
use crate::objective::{Bounds, WEIGHT_LIMIT};
use crate::rules::{Allowed, Rule, distinct_by_text, extract};
use crate::side_by_side::side_by_side;
use crate::solver::{Problem, Weights};
use crate::table::Schema;
use crate::watch::Watch;

/// Trees take no more of the time that is left, so that some is left to choose rules in.
const TIME_FOR_TREES: f64 = 0.3;

/// Candidate rules of all outputs.
#[derive(Debug, Clone)]
pub struct GrownCandidates {
    /// The rules that the constraints allow, each once.
    pub rules: Vec<Rule>,
    /// What each output chooses from.
    pub outputs: Vec<OutputCandidates>,
    /// How long the stages took so far.
    pub timings: Timings,
}

/// Candidate rules of one output, with their coverage of the training rows.
#[derive(Debug, Clone)]
pub struct OutputCandidates {
    /// The place of each among the rules of all outputs.
    pub rules: Vec<usize>,
    /// What they cover, over rows that they tell apart.
    pub coverage: Arc<Coverage>,
    /// The masses of those rows.
    pub masses: Vec<Pair>,
}

impl GrownCandidates {
    /// Grows the trees and takes their rules: for each output those of its own trees, and as many of the others' as
    /// cost little.
    pub fn grow(training: &Training, settings: &Settings, watch: &Watch) -> Self {
        Self::grow_sharing(training, settings, CELLS_OF_OTHERS, watch)
    }

    /// The same with a limit for what rules of other outputs may cost, as `CELLS_OF_OTHERS`.
    pub fn grow_sharing(
        training: &Training,
        settings: &Settings,
        cells_of_others: usize,
        watch: &Watch,
    ) -> Self {
        let schema = training.table.schema();
        let mut clock = Clock(Instant::now());
        let mut timings = Timings::default();

        let binned = BinnedTable::of(&training.table, &training.weights);
        let mut rows = Rows::merge(&binned, &training.target, &training.weights);
        order_rows(&mut rows);
        let order = ColumnOrder::of(&rows);
        order.apply(&mut rows);
        clock.lap(&mut timings.binning);

        let config =
            ForestConfig { excluded: order.places(&settings.forest.excluded), ..settings.forest.clone() };
        let n_outputs = rows.outcomes.len();
        let grow = |output: usize, watch: &Watch| forest::grow(&rows, &rows.outcomes[output], &config, watch);
        let forests: Vec<Forest> = trees_of_outputs(n_outputs, &watch.share(TIME_FOR_TREES), grow);
        clock.lap(&mut timings.forest);

        let in_order = order.schema(schema);
        let own = side_by_side(n_outputs, |output| {
            let rules = extract(&forests[output], &rows.binned, &in_order, &settings.rules);
            let rules = rules.into_iter().map(|rule| order.rule(rule)).collect();
            let mut rules = distinct_by_text(rules, schema);
            rules.retain(|rule| rule.allowed(&settings.monotone) != Allowed::Nothing);
            rules
        });
        order.restore(&mut rows);
        let own = with_others(own, rows.len(), cells_of_others, schema);
        let candidates = side_by_side(n_outputs, |output| {
            let outcome = std::slice::from_ref(&rows.outcomes[output]);
            Candidates::of_outcomes(own[output].clone(), &rows, outcome, schema, &settings.rules)
        });
        let (rules, outputs) = together(candidates, schema);
        clock.lap(&mut timings.candidates);
        Self { rules, outputs, timings }
    }

    /// Candidates that all outputs share.
    pub fn shared(candidates: Candidates, timings: Timings) -> Self {
        let Candidates { rules, coverage, masses } = candidates;
        let all: Vec<usize> = (0..rules.len()).collect();
        let output =
            |masses| OutputCandidates { rules: all.clone(), coverage: Arc::clone(&coverage), masses };
        Self { outputs: masses.into_iter().map(output).collect(), rules, timings }
    }

    /// The solver's problem for one output. Its rules are those of the output, by their place there.
    pub fn problem(&self, output: usize, settings: &Settings) -> Problem {
        let OutputCandidates { rules, coverage, masses } = &self.outputs[output];
        let problem =
            Problem::new(Arc::clone(coverage), masses, settings.loss, settings.ridge, settings.penalty);
        Problem {
            bounds: rules.iter().map(|&rule| bounds(&self.rules[rule], settings)).collect(),
            constant: settings.loss.constant(),
            ..problem
        }
    }
}

impl OutputCandidates {
    /// Weights of rules by their place among those of all outputs.
    pub fn among_all(&self, weights: &Weights) -> Weights {
        let rules = weights.rules.iter().map(|&(rule, weight)| (self.rules[rule], weight)).collect();
        Weights { intercept: weights.intercept, rules }
    }

    /// Undoes [`OutputCandidates::among_all`].
    pub fn among_own(&self, weights: &Weights) -> Weights {
        let places: HashMap<usize, usize> =
            self.rules.iter().enumerate().map(|(own, &rule)| (rule, own)).collect();
        let rules = weights.rules.iter().map(|&(rule, weight)| (places[&rule], weight)).collect();
        Weights { intercept: weights.intercept, rules }
    }
}

/// The rules of all outputs, each text once, in the order of their first occurrence, and which of them each output has.
fn together(candidates: Vec<Candidates>, schema: &Schema) -> (Vec<Rule>, Vec<OutputCandidates>) {
    let mut all: Vec<Rule> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let outputs = candidates.into_iter().map(|Candidates { rules, coverage, mut masses }| {
        let place = |rule: Rule| {
            let text = rule.text(schema).expect("candidates are rules on these columns");
            *places.entry(text).or_insert_with(|| {
                all.push(rule);
                all.len() - 1
            })
        };
        let rules = rules.into_iter().map(place).collect();
        OutputCandidates { rules, coverage, masses: masses.swap_remove(0) }
    });
    let outputs = outputs.collect();
    (all, outputs)
}

/// Where the constraints allow a rule's weight to lie.
fn bounds(rule: &Rule, settings: &Settings) -> Bounds {
    match rule.allowed(&settings.monotone) {
        Allowed::Any => Bounds::default(),
        Allowed::Up => Bounds { low: 0.0, high: WEIGHT_LIMIT },
        Allowed::Down => Bounds { low: -WEIGHT_LIMIT, high: 0.0 },
        Allowed::Nothing => Bounds { low: 0.0, high: 0.0 },
    }
}

/// Measures stages.
pub(crate) struct Clock(pub Instant);

impl Clock {
    pub fn lap(&mut self, stage: &mut Duration) {
        *stage += self.0.elapsed();
        self.0 = Instant::now();
    }
}
