//! The γ of `RuleFit` that serves best on rows left out.

use rayon::prelude::*;

use super::Design;
use super::linear::LinearColumn;
use crate::config::Settings;
use crate::coverage::Pair;
use crate::methods::{RuleSource, Training};
use crate::objective::LossKind;
use crate::rules::Rule;
use crate::side_by_side::side_by_side;
use crate::solver::l1::{Accuracy, L1Path, L1Problem, L1Solution, gamma_grid};
use crate::split::Holdout;
use crate::table::Table;
use crate::watch::Watch;

/// The γ that are compared: from the least that leaves no rule down to this share of it.
const GRID_SIZE: usize = 21;
const GRID_END: f64 = 1e-4;
/// The share of the largest γ that is taken where there is nothing to compare on.
const MODERATE: f64 = 0.05;
/// The search down the grid ends after so many γ without a gain: small γ cost most, and are rarely the best.
const PATIENCE: usize = 2;
/// A gain is at least this share of all that was gained before.
const LEAST_GAIN: f64 = 0.02;
/// So many γ are looked at in any case. They cost next to nothing, and the first rules may well gain nothing.
const FIRST_STEPS: usize = 6;
/// How exactly the models are solved: the optimality conditions hold up to this share of γ, and no weights could lower
/// the objective by more than this share of the loss of zero weights.
const ROUGH_SHARE: f64 = 0.01;
const ROUGH_GAP: f64 = 1e-4;

/// What a fold leaves to learn from, and the rows that it leaves out.
pub struct Part {
    rules: Vec<Rule>,
    /// For each output the places of its rules among these.
    of_outputs: Vec<Vec<usize>>,
    design: Design,
    left_out: Training<'static>,
}

/// Everything learned anew on the rows that each split trains on, the weights excepted.
pub fn grow_parts(
    training: &Training,
    settings: &Settings,
    source: &RuleSource,
    splits: &[Holdout],
    watch: &Watch,
) -> Vec<Part> {
    // Several forests at a time have no progress that could be told as one.
    let watch = watch.silent();
    let usable: Vec<(usize, &Holdout)> = splits
        .iter()
        .enumerate()
        .filter(|(_, split)| !split.train.is_empty() && !split.test.is_empty())
        .collect();
    let part = |part: usize| {
        let (place, split) = usable[part];
        let rows = training.select(&split.train);
        let candidates = source.of_split(place, &rows, settings, &watch);
        let design = Design::of(&candidates, &rows, settings);
        let of_outputs = candidates.outputs.into_iter().map(|output| output.rules).collect();
        Part { rules: candidates.rules, of_outputs, design, left_out: training.select(&split.test) }
    };
    side_by_side(usable.len(), part)
}

/// The γ of the least loss on the rows left out. All parts walk down the grid together, until it pays no more. Without
/// parts to compare on, or time to do so, it is a moderate one.
pub fn gamma_of_least_loss(parts: &[Part], loss: LossKind, gamma_max: f64, watch: &Watch) -> f64 {
    if parts.is_empty() {
        return MODERATE * gamma_max;
    }
    let problems: Vec<(&Part, usize, L1Problem)> = parts
        .iter()
        .flat_map(|part| {
            let problems = part.design.problems.iter().enumerate();
            problems.map(move |(output, problem)| (part, output, part.design.l1(problem, watch)))
        })
        .collect();
    let mut paths: Vec<OutputPath> =
        problems.par_iter().map(|(part, output, l1)| OutputPath::new(part, *output, l1)).collect();
    let mut losses: Vec<f64> = Vec::new();
    let grid = gamma_grid(gamma_max, GRID_END, GRID_SIZE);
    let mut patience = Patience::default();
    for &gamma in &grid {
        let losses_of_paths: Vec<f64> = paths.par_iter_mut().map(|path| path.loss_at(gamma, loss)).collect();
        if watch.stop().is_some() {
            // Some of the models may not be solved.
            break;
        }
        losses.push(losses_of_paths.iter().sum());
        if patience.is_over(&losses) {
            break;
        }
    }
    let best = (0..losses.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b]));
    best.map_or(MODERATE * gamma_max, |best| grid[best])
}

/// Sees when the losses along the grid have stopped falling.
#[derive(Default)]
struct Patience {
    /// Where the loss last fell by enough.
    gained_at: usize,
}

impl Patience {
    /// Whether the last loss ends the search.
    fn is_over(&mut self, losses: &[f64]) -> bool {
        let last = losses.len() - 1;
        let best = losses[self.gained_at];
        if losses[last] < best - LEAST_GAIN * (losses[0] - best) {
            self.gained_at = last;
        }
        last >= FIRST_STEPS && last - self.gained_at >= PATIENCE
    }
}

/// One output of one part on its way from large γ to small ones.
struct OutputPath<'p> {
    part: &'p Part,
    /// The places of its rules among those of the part.
    rules: &'p [usize],
    path: L1Path<'p>,
    /// The masses of the rows left out.
    masses: Vec<Pair>,
    /// Which of them each rule covers, for rules that had a weight so far.
    covers: Vec<Option<Vec<u64>>>,
    /// The linear columns of the rows left out.
    linear: Vec<Vec<f64>>,
}

impl<'p> OutputPath<'p> {
    fn new(part: &'p Part, output: usize, l1: &'p L1Problem<'p>) -> Self {
        let values = |column: &LinearColumn| column.values(&part.left_out.table);
        Self {
            part,
            rules: &part.of_outputs[output],
            path: l1.walk(),
            masses: part.left_out.masses().swap_remove(output),
            covers: vec![None; part.of_outputs[output].len()],
            linear: part.design.linear.iter().map(values).collect(),
        }
    }

    /// Goes on to the next γ, and measures there.
    fn loss_at(&mut self, gamma: f64, loss: LossKind) -> f64 {
        let accuracy = Accuracy { tolerance: ROUGH_SHARE * gamma, gap_share: ROUGH_GAP };
        let solution = self.path.reach(gamma, accuracy);
        let scores = self.scores(&solution);
        self.masses.iter().zip(scores).map(|(&mass, score)| loss.of_l1().value(mass, score)).sum()
    }

    /// The scores that a solution gives to the rows left out.
    fn scores(&mut self, solution: &L1Solution) -> Vec<f64> {
        let table: &Table = &self.part.left_out.table;
        let mut scores = vec![solution.weights.intercept; table.n_rows()];
        for &(rule, weight) in &solution.weights.rules {
            let covered = self.covers[rule].get_or_insert_with(|| {
                self.part.rules[self.rules[rule]].cover(table).expect("rules were checked against the schema")
            });
            for (row, score) in scores.iter_mut().enumerate() {
                *score += weight * (covered[row / 64] >> (row % 64) & 1) as f64;
            }
        }
        for (values, &weight) in
            self.linear.iter().zip(&solution.linear).filter(|(_, weight)| **weight != 0.0)
        {
            for (score, value) in scores.iter_mut().zip(values) {
                *score += weight * value;
            }
        }
        scores
    }
}
