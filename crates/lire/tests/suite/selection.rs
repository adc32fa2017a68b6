//! Paths of models, budgets and the choice among models.

use lire::config::{Config, Metric, SelectionRule};
use lire::fit::{Fit, Given, fit, fit_with};
use lire::measure::Measure;
use lire::methods::lire::path as lire_path;
use lire::methods::{RuleSource, Training, validation_splits};
use lire::selection::Selection;
use lire::solver::{PathEnd, Prices, Problem, Solution, SolverConfig, Weights, certify, solve, solve_path};
use lire::split::Holdout;
use lire::table::{ClassLabels, Dataset, TargetValues};
use lire::{Model, Watch};

use crate::draws::Draws;
use crate::naive::{LOSSES, Naive};
use crate::search::{check_claims, small_problem};
use crate::tables::dataset;

fn config() -> Config {
    Config::default().with(|config| {
        config.data.target = "ill".into();
        config.trees.n_estimators = 15;
        config.selection.cv = 3;
    })
}

fn fitted(data: &Dataset, config: &Config) -> Fit {
    fit(data, config, &Watch::default()).unwrap()
}

fn selection(fit: &Fit) -> &Selection {
    fit.selection.as_ref().unwrap()
}

/// Rules per explanation, counted rule by rule and row by row: their mean and the most.
fn local_rules(model: &Model, data: &Dataset) -> (f64, usize) {
    let rules = model.rules();
    let count = |row: usize| rules.iter().filter(|rule| rule.covers(&data.table, row).unwrap()).count();
    let counts: Vec<usize> = (0..data.n_rows()).map(count).collect();
    (counts.iter().sum::<usize>() as f64 / counts.len() as f64, counts.into_iter().max().unwrap())
}

#[test]
fn budgets_hold() {
    for seed in 0..4 {
        let data = dataset(seed, 500);
        let few = config().with(|config| config.selection.max_rules = Some(2 + seed as usize));
        assert!(fitted(&data, &few).model.rules().len() <= 2 + seed as usize);

        let limit = [0.6, 0.8, 1.3, 2.0][seed as usize];
        let short = config().with(|config| config.selection.max_local_rules = Some(limit));
        let fit = fitted(&data, &short);
        assert!(local_rules(&fit.model, &data).0 <= limit);
        assert!(!fit.model.rules().is_empty(), "a budget of {limit} leaves room for rules");
        // Prices at which all rows leave no rule, but fewer rows some, once won with the latter's AUC.
        let never_empty =
            fitted(&data, &config().with(|config| config.selection.max_local_rules = Some(limit / 2.0)));
        let has_rules =
            selection(&never_empty).models.iter().any(|m| m.validation.is_some() && m.n_rules > 0);
        assert_eq!(has_rules, !never_empty.model.rules().is_empty());

        let never_long = config().with(|config| {
            config.selection.max_local_rules = Some(1.0 + seed as f64);
            config.selection.max_local_rules_any = true;
        });
        assert!(local_rules(&fitted(&data, &never_long).model, &data).1 <= 1 + seed as usize);
    }
}

#[test]
fn a_budget_is_used_up() {
    let data = dataset(9, 800);
    let free = fitted(
        &data,
        &config().with(|config| {
            config.objective.gamma = Some(0.002);
            config.objective.lambda = Some(0.01);
            config.selection.cv = 5;
        }),
    );
    let free_mean = local_rules(&free.model, &data).0;
    let limit = 0.6 * free_mean;
    let fit = fitted(&data, &config().with(|config| config.selection.max_local_rules = Some(limit)));
    let models = &selection(&fit).models;
    let nearest =
        models.iter().map(|model| model.local_support_mean).filter(|&mean| mean <= limit).fold(0.0, f64::max);
    assert!(nearest > 0.8 * limit, "the nearest of {} models needs {nearest} of {limit}", models.len());
}

#[test]
fn a_budget_out_of_reach_names_the_nearest() {
    let given = config().with(|config| {
        config.objective.gamma = Some(0.0005);
        config.objective.lambda = Some(0.0);
        config.selection.max_local_rules = Some(0.01);
    });
    let message = fit(&dataset(3, 400), &given, &Watch::default()).unwrap_err().to_string();
    assert!(message.contains("max_local_rules") && message.contains("the nearest has"), "{message}");
}

/// How far a path may be above single solutions.
const ABOVE_ALONE: f64 = 1.005;

/// Solves at each of the prices alone, and compares.
fn compare_with_single_solutions(
    problem: &Problem,
    grid: &[Prices],
    path: &[Solution],
    at_most: f64,
    name: &str,
) {
    for (at, of_path) in grid.iter().zip(path) {
        let alone = solve(
            problem,
            &Weights::default(),
            at.gamma,
            at.lambda,
            SolverConfig::default(),
            &Watch::default(),
        );
        let (found, known) = (of_path.objective, alone.objective);
        assert!(found <= at_most * known, "{name}, {at:?}: {found} where {known} is known");
    }
}

fn grid_of(gammas: &[f64], lambdas: &[f64]) -> Vec<Prices> {
    let of_gamma = |&gamma: &f64| lambdas.iter().map(move |&lambda| Prices { gamma, lambda });
    gammas.iter().flat_map(of_gamma).collect()
}

#[test]
fn a_path_is_as_good_as_single_solutions() {
    for seed in 0..12 {
        let (naive, ..) = small_problem(LOSSES[seed as usize % 3], 900 + seed);
        let grid = grid_of(&[0.0005, 0.004, 0.02], &[0.0, 0.05, 0.5, 2.0]);
        let problem = naive.problem();
        let (config, watch) = (SolverConfig::default(), Watch::default());
        for end in [PathEnd::Certified, PathEnd::Close] {
            let path = solve_path(&problem, &grid, &[], end, config, &watch);
            compare_with_single_solutions(&problem, &grid, &path, ABOVE_ALONE, &format!("{end:?} of {seed}"));
            for (at, solution) in grid.iter().zip(&path) {
                let certified = certify(&problem, solution, *at, config, &watch);
                check_claims(&naive, solution, at.gamma, at.lambda);
                check_claims(&naive, &certified, at.gamma, at.lambda);
                assert!(certified.certified && (solution.certified || end == PathEnd::Close));
                assert!(certified.objective <= solution.objective + 1e-9);
            }
        }
    }
}

/// The models that the choice of prices rests on: those of the rows outside a fold of a table. Near large λ the empty
/// model is a poor local optimum.
#[test]
fn models_of_folds_are_as_good_as_single_solutions() {
    for seed in 0..24u64 {
        let data = dataset(70 + seed, 200 << (seed % 4));
        let config = config().with(|config| {
            config.trees.n_estimators = 30;
            config.objective.loss = Some(LOSSES[seed as usize % 2]);
        });
        let config = config.completed(data.target.task(), data.effective_rows());
        let settings = config.check(data.table.schema(), &data.target).unwrap();
        let split = &validation_splits(&data, &config).unwrap().all[0];
        let training = Training::of(&data, &config).select(&split.train);
        let watch = Watch::default();
        let candidates = RuleSource::Grown.of_split(0, &training, &settings, &watch);
        let grid = grid_of(&[0.0005, 0.002, 0.008], &[0.01, 0.03, 0.1, 0.3, 1.0]);
        let path = lire_path(&candidates, &settings, &grid, &std::iter::empty(), PathEnd::Close, &watch);
        let path: Vec<Solution> = path.into_iter().flatten().collect();
        let problem = candidates.problem(0, &settings);
        compare_with_single_solutions(&problem, &grid, &path, ABOVE_ALONE, &format!("table {seed}"));
    }
}

#[test]
fn what_is_known_is_a_start() {
    for seed in 0..12 {
        let (naive, ..) = small_problem(LOSSES[seed as usize % 3], 700 + seed);
        let problem = naive.problem();
        let (config, watch) = (SolverConfig::default(), Watch::default());
        let many = solve(&problem, &Weights::default(), 0.0002, 0.0, config, &watch);
        let at = Prices { gamma: 0.0004, lambda: 0.3 };
        let known = std::slice::from_ref(&many.weights);
        let path = solve_path(&problem, &[at], known, PathEnd::Close, config, &watch);
        check_claims(&naive, &path[0], at.gamma, at.lambda);
        let known = naive.objective(&many.weights, at.gamma, at.lambda);
        assert!(path[0].objective <= known + 1e-4, "{} from {known}", path[0].objective);
    }
}

#[test]
fn a_path_of_nothing_is_empty() {
    let mut draws = Draws::new(1);
    let naive = Naive::with_loss(&mut draws, LOSSES[0], 30, 4);
    let path = solve_path(
        &naive.problem(),
        &[],
        &[],
        PathEnd::Certified,
        SolverConfig::default(),
        &Watch::default(),
    );
    assert!(path.is_empty());
}

/// The same rows with the labels of some turned round.
fn turned(data: &Dataset, rows: &[usize]) -> Dataset {
    let mut data = data.clone();
    let TargetValues::Classes(ClassLabels { labels, .. }) = &mut data.target.values else {
        panic!("classes")
    };
    for &row in rows {
        labels[row] = 1 - labels[row];
    }
    data
}

#[test]
fn models_are_validated_on_rows_that_they_have_not_seen() {
    let data = dataset(5, 600);
    let split = Holdout { train: (0..400).collect(), test: (400..500).collect() };
    let config = config().with(|config| config.objective.gamma = Some(0.003));
    let validated = |data: &Dataset| {
        let given = Given { splits: Some(vec![split.clone()]), ..Given::default() };
        let fit = fit_with(data, &config, &given, &Watch::default()).unwrap();
        // A model of all rows without rules is validated as that.
        let models = selection(&fit).models.clone().into_iter().filter(|model| model.n_rules > 0);
        models.map(|model| (model.lambda, model.validation.unwrap())).collect::<Vec<_>>()
    };
    let before = validated(&data);
    // What the models of a split look like does not depend on the truth of the rows that they are measured on; how
    // good they are does.
    let on_turned = validated(&turned(&data, &split.test));
    for (lambda, after) in on_turned {
        let Some((_, before)) = before.iter().find(|(other, _)| *other == lambda) else { continue };
        for measure in [Measure::Support, Measure::LocalSupportMean] {
            assert_eq!(before.get(measure), after.get(measure), "λ {lambda}");
        }
        let auc = |summaries: &lire::measure::Summaries| summaries.get(Measure::Auc).unwrap().mean;
        assert!((auc(before) + auc(&after) - 1.0).abs() < 1e-9, "turned labels turn the AUC");
    }
    // Rows of neither side change nothing at all.
    let outside: Vec<usize> = (500..600).collect();
    let others = validated(&turned(&data, &outside));
    for (lambda, after) in others {
        let Some((_, before)) = before.iter().find(|(other, _)| *other == lambda) else { continue };
        assert_eq!(*before, after, "λ {lambda}");
    }
}

#[test]
fn threads_do_not_change_the_choice() {
    let data = dataset(6, 500);
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| fitted(&data, &config()))
    };
    let (one, three) = (with(1), with(3));
    assert_eq!(one.selection, three.selection);
    assert_eq!(one.model.to_json(), three.model.to_json());
}

#[test]
fn a_weight_of_two_is_the_row_twice_in_the_choice_too() {
    let data = dataset(7, 300);
    let counts: Vec<usize> = (0..300).map(|row| 1 + row % 3 / 2).collect();
    let weights = counts.iter().map(|&count| count as f64).collect();
    let weighted = Dataset { weights: Some(weights), ..data.clone() };
    let rows: Vec<usize> = (0..300).flat_map(|row| vec![row; counts[row]]).collect();
    let twice = data.select(&rows).unwrap();
    // The prices that are tried go by the number of rows, which a weight does not change.
    let config = config().with(|config| config.objective.gamma = Some(0.005));
    let (weighted, twice) = (fitted(&weighted, &config), fitted(&twice, &config));
    let rules = |fit: &Fit| fit.model.rule_terms().map(|term| term.rule.clone()).collect::<Vec<_>>();
    assert_eq!(rules(&weighted), rules(&twice));
    assert_eq!(weighted.model.outputs()[0].weights, twice.model.outputs()[0].weights);
}

#[test]
fn the_chosen_model_is_the_best_or_the_simplest_of_the_good() {
    let data = dataset(8, 500);
    for (select, metric) in [
        (SelectionRule::Best, Metric::LogLoss),
        (SelectionRule::OneSe, Metric::Auc),
        (SelectionRule::Best, Metric::F1),
    ] {
        let fit = fitted(
            &data,
            &config().with(|config| {
                config.selection.select = Some(select);
                config.selection.metric = Some(metric);
            }),
        );
        let selection = selection(&fit);
        let sign = if metric == Metric::LogLoss { -1.0 } else { 1.0 };
        let value = |model: &lire::selection::PathModel| {
            let summary = model.validation.as_ref().unwrap().get(metric.measure()).unwrap();
            (sign * summary.mean, summary.std.unwrap() / 3f64.sqrt())
        };
        let best = selection
            .models
            .iter()
            .map(value)
            .fold((f64::NEG_INFINITY, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        let chosen = selection.chosen().unwrap();
        let floor = if select == SelectionRule::Best { best.0 } else { best.0 - best.1 };
        assert!(value(chosen).0 >= floor);
        for other in selection.models.iter().filter(|other| value(other).0 >= floor) {
            assert!(chosen.local_support_mean <= other.local_support_mean);
        }
        let file = fit.model.file();
        assert!(file.training.certified);
        let used = file.config.to::<Config>().unwrap();
        assert_eq!((used.objective.gamma, used.objective.lambda), (Some(chosen.gamma), Some(chosen.lambda)));
        assert_eq!(fit.model.rules().len(), chosen.n_rules);
    }
}

#[test]
fn one_part_can_be_held_out_instead_of_folds() {
    let data = dataset(4, 400);
    let fit = fitted(
        &data,
        &config().with(|config| {
            config.selection.validation_share = Some(0.25);
            config.selection.cv = 5;
        }),
    );
    assert_eq!(selection(&fit).n_splits, 1);
    assert!(selection(&fit).chosen().is_some());
}
