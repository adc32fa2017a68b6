//! Several classes: each output beside a fit of its class against all others, and what must not change a model.

use std::collections::BTreeMap;

use lire::config::{CalibrationKind, Method};
use lire::fit::fit;
use lire::methods::{GrownCandidates, Training};
use lire::model::{Predictions, Term};
use lire::solver::{Weights, solve};
use lire::table::{ClassLabels, Dataset, Target, TargetValues, Values};
use lire::{Config, Model, Watch};

use crate::draws::Draws;
use crate::tables::dataset;

/// Five classes by age, income and region, with some noise.
fn five_classes(seed: u64, n_rows: usize) -> Dataset {
    let data = dataset(seed, n_rows);
    let mut draws = Draws::new(seed);
    let [Values::Numbers(income), Values::Numbers(age), Values::Codes(region), _] = data.table.columns()
    else {
        panic!("the columns of the schema")
    };
    let mut label = |row: usize| match draws.below(8) {
        0 => (row % 5) as u32,
        _ if age[row] > 55.0 => 2 + u32::from(income[row] > 20.0),
        _ if region[row] == 1 => 4,
        _ => u32::from(age[row] < 30.0),
    };
    let labels = (0..n_rows).map(&mut label).collect();
    labelled(data, &["a", "b", "c", "d", "e"], labels)
}

fn labelled(data: Dataset, classes: &[&str], labels: Vec<u32>) -> Dataset {
    let classes = classes.iter().map(|&class| class.to_owned()).collect();
    let values = TargetValues::Classes(ClassLabels { classes, labels, positive_chosen: false });
    Dataset { target: Target { name: "y".into(), values }, ..data }
}

fn labels(data: &Dataset) -> &[u32] {
    let TargetValues::Classes(of) = &data.target.values else { panic!("classes") };
    &of.labels
}

fn config(method: Method) -> Config {
    Config::default().with(|config| {
        config.data.target = "y".into();
        config.method = method;
        if method != Method::Glrm {
            config.trees.n_estimators = 20;
            config.objective.gamma = Some(0.004);
        }
        if method == Method::Lire {
            config.objective.lambda = Some(0.1);
        }
    })
}

fn fitted(data: &Dataset, config: &Config) -> Model {
    fit(data, config, &Watch::default()).unwrap().model
}

const METHODS: [Method; 3] = [Method::Lire, Method::Rulefit, Method::Glrm];

/// What an output of a model says: its intercept, and the weight of each rule that it uses.
fn output(model: &Model, class: &str) -> (u64, BTreeMap<String, u64>) {
    let outputs = &model.file().outputs;
    let Some(output) = outputs.iter().find(|output| output.class.as_deref() == Some(class)) else {
        panic!("no output for {class}")
    };
    let rules = model.file().terms.iter().map(|term| match term {
        Term::Rule(rule) => rule.rule.clone(),
        Term::Linear(linear) => panic!("a linear term of {}", linear.feature),
    });
    let used = rules.zip(&output.weights).filter(|(_, weight)| **weight != 0.0);
    (output.intercept.to_bits(), used.map(|(rule, weight)| (rule, weight.to_bits())).collect())
}

/// A class against all others, as a table of two classes.
fn against_others(data: &Dataset, class: u32) -> Dataset {
    let inside: Vec<bool> = labels(data).iter().map(|&label| label == class).collect();
    Dataset { target: Target { name: "y".into(), values: TargetValues::of_bools(&inside) }, ..data.clone() }
}

#[test]
fn without_rules_of_others_each_output_is_the_fit_of_its_class_against_all_others() {
    let data = five_classes(1, 600);
    let config = config(Method::Lire).completed(data.target.task(), data.effective_rows());
    let candidates = |data: &Dataset| {
        let settings = config.check(data.table.schema(), &data.target).unwrap();
        let training = Training::of(data, &config);
        (GrownCandidates::grow_sharing(&training, &settings, 0, &Watch::default()), settings)
    };
    let chosen = |data: &Dataset, output: usize| {
        let (candidates, settings) = candidates(data);
        let problem = candidates.problem(output, &settings);
        let start = Weights::default();
        let solution = solve(&problem, &start, 0.004, 0.1, settings.solver, &Watch::default());
        let weights = candidates.outputs[output].among_all(&solution.weights);
        assert_eq!(candidates.outputs[output].among_own(&weights), solution.weights);
        let rules: BTreeMap<String, u64> = weights
            .rules
            .iter()
            .map(|&(rule, weight)| {
                (candidates.rules[rule].text(data.table.schema()).unwrap(), weight.to_bits())
            })
            .collect();
        (weights.intercept.to_bits(), rules, solution.objective.to_bits())
    };
    for class in 0..5 {
        let together = chosen(&data, class);
        assert!(!together.1.is_empty());
        assert_eq!(together, chosen(&against_others(&data, class as u32), 0), "class {class}");
    }
}

#[test]
fn rules_of_others_lower_what_each_output_minimises() {
    let data = five_classes(2, 600);
    let config = config(Method::Lire).completed(data.target.task(), data.effective_rows());
    let settings = config.check(data.table.schema(), &data.target).unwrap();
    let training = Training::of(&data, &config);
    let objectives = |cells: usize| -> Vec<f64> {
        let candidates = GrownCandidates::grow_sharing(&training, &settings, cells, &Watch::default());
        let objective = |output| {
            let problem = candidates.problem(output, &settings);
            solve(&problem, &Weights::default(), 0.004, 0.1, settings.solver, &Watch::default()).objective
        };
        (0..5).map(objective).collect()
    };
    let (own, all) = (objectives(0), objectives(usize::MAX));
    assert!(all.iter().sum::<f64>() < own.iter().sum::<f64>(), "{own:?} {all:?}");
}

#[test]
fn neither_threads_nor_the_order_of_rows_and_classes_change_a_model() {
    let data = five_classes(3, 400);
    let shuffled = {
        let mut draws = Draws::new(7);
        let mut rows: Vec<usize> = (0..data.n_rows()).collect();
        (1..rows.len()).rev().for_each(|last| rows.swap(last, draws.below(last + 1)));
        data.select(&rows).unwrap()
    };
    let turned = {
        let labels = labels(&data).iter().map(|label| 4 - label).collect();
        labelled(data.clone(), &["e", "d", "c", "b", "a"], labels)
    };
    for method in METHODS {
        let config = config(method);
        let on_threads = |n_threads: usize, data: &Dataset| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| fitted(data, &config))
        };
        let one = on_threads(1, &data);
        assert!(!one.rules().is_empty());
        for other in [on_threads(2, &data), on_threads(7, &data), on_threads(3, &shuffled)] {
            assert_eq!(one.file().terms, other.file().terms, "{method:?}");
            assert_eq!(one.file().outputs, other.file().outputs, "{method:?}");
        }
        let other = on_threads(2, &turned);
        for class in ["a", "b", "c", "d", "e"] {
            assert_eq!(output(&one, class), output(&other, class), "{method:?}, class {class}");
        }
    }
}

#[test]
fn a_class_of_a_handful_of_rows_breaks_nothing() {
    let data = dataset(4, 1500);
    let of_rest = |row: usize| (row % 3) as u32;
    let labels = (0..data.n_rows()).map(|row| if row % 300 == 7 { 3 } else { of_rest(row) }).collect();
    let data = labelled(data, &["a", "b", "c", "rare"], labels);
    for method in METHODS {
        let config = config(method).with(|config| {
            config.objective.gamma = None;
            config.objective.lambda = None;
            config.meaning.calibrate = Some(CalibrationKind::Platt);
            config.selection.cv = 3;
        });
        let model = fitted(&data, &config);
        let predictions = model.predictions(&model.score(&data.table).unwrap()).unwrap();
        let Predictions::Classes(classes) = predictions else { panic!("classes") };
        for row in 0..data.n_rows() {
            let probabilities = classes.probabilities.iter().map(|of_class| of_class[row]);
            let sum: f64 = probabilities.clone().sum();
            assert!(probabilities.clone().all(|one| (0.0..=1.0).contains(&one)), "{method:?}");
            assert!((sum - 1.0).abs() < 1e-9, "{method:?}");
        }
    }
}
