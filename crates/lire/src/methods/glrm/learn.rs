//! GLRM as a method among the others: the models of all outputs over one set of rules.

use std::collections::HashMap;
use std::time::Instant;

use super::{Binarised, GlrmFit, fit_glrm, n_literals};
use crate::binning::{BinnedTable, Rows};
use crate::config::{GlrmOptions, Settings};
use crate::coverage::Pair;
use crate::methods::candidates::Clock;
use crate::methods::column_order::ColumnOrder;
use crate::methods::outputs::of_outputs;
use crate::methods::row_order::order_rows;
use crate::methods::{Learned, LearnedOutput, MethodInput, Timings, Training};
use crate::rules::Rule;

/// Learns each output by itself from the same literals.
pub(crate) fn learn(input: MethodInput) -> Learned {
    let MethodInput { training, settings, watch, .. } = input;
    let mut clock = Clock(Instant::now());
    let mut timings = Timings::default();
    let binned = BinnedTable::of(&training.table, &training.weights);
    let mut rows = Rows::merge(&binned, &training.target, &training.weights);
    order_rows(&mut rows);
    let order = ColumnOrder::of(&rows);
    order.apply(&mut rows);
    clock.lap(&mut timings.binning);

    let (schema, excluded) = (order.schema(training.table.schema()), order.places(&settings.excluded));
    let binarised = Binarised::of_at_least(&rows, &schema, &excluded, least(&rows, settings));
    clock.lap(&mut timings.candidates);

    let own = &settings.glrm;
    let fits: Vec<GlrmFit> = of_outputs(binarised.masses.len(), watch, |output, watch| {
        let fit = fit_glrm(&binarised, &binarised.masses[output], settings.loss, own, watch);
        GlrmFit { rules: fit.rules.into_iter().map(|rule| order.rule(rule)).collect(), ..fit }
    });
    let mut shared = SharedRules::default();
    let outputs =
        fits.iter().map(|fit| shared.output(fit, own, training, settings.loss.constant())).collect();
    clock.lap(&mut timings.solver);
    let n_candidates = binarised.literals.len();
    Learned { rules: shared.rules, outputs, n_candidates, timings, ..Learned::default() }
}

/// The least weight and the fewest rows that the user lets a rule cover; the method has no floors of its own.
fn least(rows: &Rows, settings: &Settings) -> Pair {
    let asked_for = |total: f64| settings.rules.fewest_rows(total);
    [asked_for(rows.weights().iter().sum()), asked_for(rows.counts.iter().sum())]
}

/// Rules of several outputs, each once.
#[derive(Default)]
struct SharedRules {
    rules: Vec<Rule>,
    places: HashMap<String, usize>,
}

impl SharedRules {
    fn output(
        &mut self,
        fit: &GlrmFit,
        own: &GlrmOptions,
        training: &Training,
        constant: f64,
    ) -> LearnedOutput {
        let mut place = |rule: &Rule| {
            let text = rule.text(training.table.schema()).expect("a rule on these columns");
            *self.places.entry(text).or_insert_with(|| {
                self.rules.push(rule.clone());
                self.rules.len() - 1
            })
        };
        let price = |&(rule, weight): &(usize, f64)| own.price(n_literals(&fit.rules[rule])) * weight.abs();
        let penalty: f64 = fit.penalised.rules.iter().map(price).sum();
        let mut weights = fit.weights.clone();
        for (rule, _) in &mut weights.rules {
            *rule = place(&fit.rules[*rule]);
        }
        LearnedOutput {
            weights,
            slopes: Vec::new(),
            objective: fit.objective + constant,
            loss: fit.objective + constant - penalty,
            certified: false,
            stop_reason: fit.stop_reason,
            n_moves: fit.trace.len(),
        }
    }
}
