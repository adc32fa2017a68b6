//! From rows to candidate rules: bins, trees for each output, the rules of their nodes, and what these cover.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::column_order::ColumnOrder;
use super::row_order::order_rows;
use super::{Timings, Training};
use crate::binning::{BinnedTable, Rows};
use crate::config::Settings;
use crate::coverage::{Candidates, Coverage, Pair};
use crate::forest::{self, ForestConfig};
use crate::objective::{Bounds, WEIGHT_LIMIT};
use crate::rules::{Allowed, Rule, distinct_by_text, extract};
use crate::solver::Problem;
use crate::watch::Watch;

/// Candidate rules of grown trees, with their coverage of the training rows.
#[derive(Debug, Clone)]
pub struct GrownCandidates {
    /// The rules that the constraints allow.
    pub rules: Vec<Rule>,
    /// What they cover, over rows that they tell apart.
    pub coverage: Arc<Coverage>,
    /// The masses of those rows, for each output.
    pub masses: Vec<Vec<Pair>>,
    /// How long the stages took so far.
    pub timings: Timings,
}

impl GrownCandidates {
    /// Grows the trees and takes their rules.
    pub fn grow(training: &Training, settings: &Settings, watch: &Watch) -> Self {
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
        let grow = |outcome| forest::grow(&rows, outcome, &config, watch);
        let forests: Vec<forest::Forest> = rows.outcomes.iter().map(grow).collect();
        clock.lap(&mut timings.forest);

        let in_order = order.schema(schema);
        let of_forest = |forest| extract(forest, &rows.binned, &in_order, &settings.rules);
        let rules = forests.iter().flat_map(of_forest).map(|rule| order.rule(rule)).collect();
        let mut rules = distinct_by_text(rules, schema);
        order.restore(&mut rows);
        rules.retain(|rule| rule.allowed(&settings.monotone) != Allowed::Nothing);
        let Candidates { rules, coverage, masses } = Candidates::of(rules, &rows, schema, &settings.rules);
        clock.lap(&mut timings.candidates);
        Self { rules, coverage, masses, timings }
    }

    /// The solver's problem for one output.
    pub fn problem(&self, output: usize, settings: &Settings) -> Problem {
        let coverage = Arc::clone(&self.coverage);
        let problem =
            Problem::new(coverage, &self.masses[output], settings.loss, settings.ridge, settings.penalty);
        Problem {
            bounds: self.rules.iter().map(|rule| bounds(rule, settings)).collect(),
            constant: settings.loss.constant(),
            ..problem
        }
    }
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
