//! Whole fits of all tasks and methods: several classes, numbers, class weights, constraints.

use std::collections::BTreeMap;

use lire::config::{BaseRate, BaseRateSource, ClassWeight, ClassWeightRule, Method};
use lire::explain::explain_rows;
use lire::fit::fit;
use lire::objective::LossKind;
use lire::rules::{Direction, Rule};
use lire::table::{ClassLabels, Dataset, Target, TargetValues, Values};
use lire::{Config, Model, Watch};

use crate::draws::Draws;
use crate::tables::{dataset, table};

fn config(method: Method) -> Config {
    let own = Config::default().with(|config| {
        config.data.target = "y".into();
        config.method = method;
    });
    match method {
        Method::Lire => own.with(|config| {
            config.trees.n_estimators = 20;
            config.objective.gamma = Some(0.005);
            config.objective.lambda = Some(0.1);
        }),
        Method::Rulefit => own.with(|config| {
            config.trees.n_estimators = 20;
            config.objective.gamma = Some(0.003);
        }),
        Method::Glrm => own,
    }
}

/// The same with γ chosen by a short cross-validation, where there is one.
fn with_choice(method: Method) -> Config {
    match method {
        Method::Lire | Method::Rulefit => config(method).with(|config| {
            config.objective.gamma = None;
            config.selection.cv = 3;
        }),
        Method::Glrm => config(method),
    }
}

const METHODS: [Method; 3] = [Method::Lire, Method::Rulefit, Method::Glrm];

fn fitted(data: &Dataset, config: &Config) -> Model {
    fit(data, config, &Watch::default()).unwrap().model
}

/// Numbers that depend on age, income, region and smoking.
fn numbers(seed: u64, n_rows: usize) -> Dataset {
    let data = dataset(seed, n_rows);
    let mut draws = Draws::new(seed);
    let [Values::Numbers(income), Values::Numbers(age), Values::Codes(region), Values::Codes(smokes)] =
        data.table.columns()
    else {
        panic!("the columns of the schema")
    };
    let mut value = |row: usize| {
        1000.0
            + 10.0 * age[row]
            + 150.0 * f64::from(region[row] == 2)
            + 200.0 * f64::from(smokes[row] == 1 && age[row] > 40.0)
            - if income[row].is_nan() { 50.0 } else { 3.0 * income[row] }
            + draws.between(-20.0, 20.0) * (1.0 + (row % 3) as f64)
    };
    let values = TargetValues::Numbers((0..n_rows).map(&mut value).collect());
    Dataset { target: Target { name: "y".into(), values }, ..data }
}

/// Three classes by age and region, with some noise.
fn three_classes(seed: u64, n_rows: usize) -> Dataset {
    let data = dataset(seed, n_rows);
    let mut draws = Draws::new(seed);
    let (Values::Numbers(age), Values::Codes(region)) = (&data.table.columns()[1], &data.table.columns()[2])
    else {
        panic!("the columns of the schema")
    };
    let mut label = |row: usize| match draws.below(10) {
        0 => (row % 3) as u32,
        _ if age[row] > 55.0 => 2,
        _ => u32::from(region[row] == 1 || age[row] < 30.0),
    };
    let labels = (0..n_rows).map(&mut label).collect();
    let classes = ["high", "low", "mid"].map(String::from).to_vec();
    let values = TargetValues::Classes(ClassLabels { classes, labels, positive_chosen: false });
    Dataset { target: Target { name: "y".into(), values }, ..data }
}

#[test]
fn explanations_add_up_for_all_tasks_and_methods() {
    for method in METHODS {
        for data in [dataset(1, 500), three_classes(2, 500), numbers(3, 500)] {
            let linear_terms = method == Method::Rulefit;
            let model =
                fitted(&data, &config(method).with(|config| config.rulefit.linear_terms = linear_terms));
            let outputs = &model.file().outputs;
            let is_used = |term| outputs.iter().any(|output| output.weights[term] != 0.0);
            assert!((0..model.file().terms.len()).all(is_used), "every term of a model has a weight");
            assert!(!model.rules().is_empty(), "{method:?}");
            let scored = model.score(&data.table).unwrap();
            let n_classes = model.classes().len();
            for class in (0..n_classes).map(Some).chain([None]) {
                for (row, explanation) in
                    explain_rows(&model, &data.table, 1, class).unwrap().iter().enumerate()
                {
                    let of_rules = explanation.rules.iter().map(|rule| rule.contribution);
                    let of_linear = explanation.linear.iter().map(|linear| linear.contribution);
                    let sum = of_rules.chain(of_linear).fold(explanation.intercept, |sum, one| sum + one);
                    assert_eq!(sum.to_bits(), explanation.score.to_bits());
                    let decision = model.decide(scored.of_row(row).unwrap()).unwrap();
                    let output = match class.or(decision.as_ref().map(|decision| decision.class)) {
                        Some(class) => model.output_of(class).unwrap(),
                        None => 0,
                    };
                    assert_eq!(explanation.score.to_bits(), scored.of_row(row).unwrap()[output].to_bits());
                    let Some(decision) = decision else { continue };
                    assert!((decision.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                    let highest = decision.probabilities.iter().copied().fold(0.0, f64::max);
                    assert!(decision.probabilities[decision.class] >= highest - 1e-12);
                }
            }
            let again = Model::from_json(model.to_json().as_bytes(), "again").unwrap();
            assert_eq!(again.score(&data.table).unwrap(), scored);
        }
    }
}

#[test]
fn models_of_all_tasks_and_methods_learn() {
    for method in METHODS {
        let classes = fitted(&three_classes(4, 800), &config(method));
        let accuracy = classes.file().training.accuracy.unwrap();
        assert!(accuracy > 0.85, "{method:?}: accuracy {accuracy}");
        let number = fitted(&numbers(5, 800), &config(method));
        let r2 = number.file().training.r2.unwrap();
        assert!(r2 > 0.8, "{method:?}: R² {r2}");
    }
}

/// A class that no row has adds an output that says never, and leaves the others as they are for two classes.
#[test]
fn two_of_several_classes_are_as_two_classes() {
    for method in METHODS {
        let two = dataset(6, 600);
        let TargetValues::Classes(of) = &two.target.values else { panic!("classes") };
        let mut three = of.clone();
        three.classes.push("never".into());
        let values = TargetValues::Classes(three);
        let three = Dataset { target: Target { values, ..two.target.clone() }, ..two.clone() };
        let (two, three) = (fitted(&two, &config(method)), fitted(&three, &config(method)));
        let weights = |model: &Model, output: usize| -> BTreeMap<String, u64> {
            let terms = model.rule_terms().zip(&model.outputs()[output].weights);
            terms
                .filter(|(_, weight)| **weight != 0.0)
                .map(|(term, weight)| (term.rule.clone(), weight.to_bits()))
                .collect()
        };
        assert_eq!(weights(&two, 0), weights(&three, 1), "{method:?}");
        assert_eq!(two.outputs()[0].intercept.to_bits(), three.outputs()[1].intercept.to_bits());
        let table = table(&mut Draws::new(6), 500, true);
        let (in_two, in_three) = (two.score(&table).unwrap(), three.score(&table).unwrap());
        for row in 0..500 {
            let labels = [&two, &three].map(|model| {
                let scored = if model.n_outputs() == 1 { &in_two } else { &in_three };
                model.decide(scored.of_row(row).unwrap()).unwrap().unwrap().class
            });
            assert_eq!(
                labels[0],
                labels[1],
                "{:?} {:?}",
                in_two.of_row(row).unwrap(),
                in_three.of_row(row).unwrap()
            );
        }
    }
}

/// Predictions are in the units of the target, whatever those are.
#[test]
fn another_unit_of_the_target_changes_the_weights_only() {
    for method in METHODS {
        let data = numbers(7, 500);
        let TargetValues::Numbers(values) = &data.target.values else { panic!("numbers") };
        let values = TargetValues::Numbers(values.iter().map(|value| 32.0 + value / 1024.0).collect());
        let other = Dataset { target: Target { values, ..data.target.clone() }, ..data.clone() };
        let (one, other) = (fitted(&data, &config(method)), fitted(&other, &config(method)));
        let (one, other) = (one.score(&data.table).unwrap().scores, other.score(&data.table).unwrap().scores);
        for (one, other) in one.iter().zip(other) {
            assert!((32.0 + one / 1024.0 - other).abs() < 1e-5, "{method:?}: {one} {other}");
        }
    }
}

#[test]
fn class_weights_are_row_weights() {
    for method in METHODS {
        let data = three_classes(8, 600);
        let TargetValues::Classes(of) = &data.target.values else { panic!("classes") };
        let factors = [4.0, 1.0, 2.0];
        let given = [("high".to_owned(), 4.0), ("mid".to_owned(), 2.0)].into();
        let ridge = (method == Method::Lire).then_some(0.01);
        let config = config(method).with(|config| {
            config.classes.class_weight = Some(ClassWeight::Given(given));
            config.objective.ridge = ridge;
        });
        let weights = of.labels.iter().map(|&label| factors[label as usize]).collect();
        let weighted = Dataset { weights: Some(weights), ..data.clone() };
        let plain = config.clone().with(|config| config.classes.class_weight = None);
        let (by_class, by_row) = (fitted(&data, &config), fitted(&weighted, &plain));
        assert_eq!(by_class.score(&data.table).unwrap(), by_row.score(&data.table).unwrap(), "{method:?}");
    }
}

#[test]
fn base_rates_shift_the_log_odds() {
    let data = dataset(9, 700);
    let balanced = Some(ClassWeight::Rule(ClassWeightRule::Balanced));
    for loss in [LossKind::Exponential, LossKind::Logistic] {
        let config = config(Method::Lire).with(|config| {
            config.classes.class_weight = balanced.clone();
            config.objective.loss = Some(loss);
        });
        let even = config.clone().with(|config| config.classes.base_rate = Some(BaseRate::Share(0.5)));
        let weighted = fitted(&data, &even);
        let share = weighted.file().training.class_shares[1];
        let odds = |p: f64| p / (1.0 - p);
        for (base_rate, wanted) in
            [(BaseRate::From(BaseRateSource::Data), share), (BaseRate::Share(0.03), 0.03)]
        {
            let corrected =
                fitted(&data, &config.clone().with(|config| config.classes.base_rate = Some(base_rate)));
            if wanted == share {
                assert_eq!(
                    corrected.file(),
                    fitted(&data, &config).file(),
                    "the shares of the rows are the default"
                );
            }
            for row in 0..50 {
                let scored = weighted.score(&data.table).unwrap();
                let scores = scored.of_row(row).unwrap();
                let [before, after] = [&weighted, &corrected]
                    .map(|model| model.decide(scores).unwrap().unwrap().probabilities[1]);
                let [before_class, after_class] =
                    [&weighted, &corrected].map(|model| model.decide(scores).unwrap().unwrap().class);
                assert_eq!(before_class, usize::from(scores[0] > 0.0), "the weighted rows decide labels");
                assert_eq!(after_class, before_class);
                // Balanced classes have odds of one.
                assert!((odds(after) / odds(before) / odds(wanted) - 1.0).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn constraints_hold_for_any_rows() {
    let directions = |age, income| [("age".to_owned(), age), ("income".to_owned(), income)].into();
    let constraints = [
        directions(Direction::Increasing, Direction::Decreasing),
        directions(Direction::Decreasing, Direction::Increasing),
    ];
    for (seed, monotone) in constraints.into_iter().enumerate() {
        for (method, data) in [
            (Method::Lire, dataset(10, 700)),
            (Method::Lire, numbers(10, 700)),
            (Method::Rulefit, dataset(11, 700)),
            (Method::Rulefit, numbers(11, 700)),
        ] {
            let linear_terms = method == Method::Rulefit;
            let config = config(method).with(|config| {
                config.features.monotone = BTreeMap::clone(&monotone);
                config.rulefit.linear_terms = linear_terms;
            });
            let model = fitted(&data, &config);
            let mut draws = Draws::new(seed as u64);
            for (feature, name) in [(1, "age"), (0, "income")] {
                let rows = table(&mut draws, 400, true);
                let higher = raised(&rows, feature, &mut draws);
                let (before, after) =
                    (model.score(&rows).unwrap().scores, model.score(&higher).unwrap().scores);
                let sign = if monotone[name] == Direction::Increasing { 1.0 } else { -1.0 };
                for (before, after) in before.iter().zip(&after) {
                    assert!(sign * (after - before) >= -1e-9, "{method:?} {name}: {before} {after}");
                }
            }
        }
    }
}

/// The rows with one feature of numbers raised by a random amount.
fn raised(rows: &lire::table::Table, feature: usize, draws: &mut Draws) -> lire::table::Table {
    let mut columns = rows.columns().to_vec();
    let Values::Numbers(values) = &mut columns[feature] else { panic!("numbers") };
    for value in values.iter_mut() {
        *value += draws.between(0.0, 30.0);
    }
    lire::table::Table::new(rows.schema().clone(), columns, rows.n_rows()).unwrap()
}

#[test]
fn forbidden_features_stay_out_of_all_terms() {
    for method in METHODS {
        let linear_terms = method == Method::Rulefit;
        let forbid_in_rules = vec!["age".to_owned()];
        let config = config(method).with(|config| {
            config.features.forbid_in_rules = forbid_in_rules;
            config.rulefit.linear_terms = linear_terms;
        });
        let model = fitted(&numbers(12, 500), &config);
        assert!(!model.rules().is_empty());
        assert!(model.rules().iter().flat_map(Rule::features).all(|feature| feature != 1));
        assert!(model.linear().iter().all(|linear| linear.feature != 1));
        assert!(model.schema().position("age").is_some(), "it stays in the table");
    }
}

#[test]
fn threads_do_not_change_a_byte_of_any_model() {
    for method in METHODS {
        for data in [three_classes(13, 400), numbers(13, 400)] {
            let with = |n_threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                pool.install(|| fitted(&data, &with_choice(method)).to_json())
            };
            assert_eq!(with(1), with(3), "{method:?}");
        }
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let message =
        |data: &Dataset, config: Config| fit(data, &config, &Watch::default()).unwrap_err().to_string();
    let (two, three, number) = (dataset(14, 60), three_classes(14, 60), numbers(14, 60));
    let base = config(Method::Lire);
    let loss = |loss| base.clone().with(|config| config.objective.loss = Some(loss));
    assert!(message(&number, loss(LossKind::Logistic)).starts_with("`loss`: this loss is for classes"));
    assert!(message(&two, loss(LossKind::Squared)).starts_with("`loss`: this loss is for numbers"));
    let rulefit = config(Method::Rulefit).with(|config| config.objective.loss = Some(LossKind::Exponential));
    assert!(message(&two, rulefit).starts_with("`loss`: this method minimises the `logistic` loss"));
    let threshold = base.clone().with(|config| config.meaning.threshold = Some(0.3));
    assert!(
        message(&three, threshold.clone()).starts_with("`threshold`: this is for a target of two classes")
    );
    assert!(message(&number, threshold).starts_with("`threshold`"));
    let monotone = |name: &str| {
        base.clone()
            .with(|config| config.features.monotone = [(name.to_owned(), Direction::Increasing)].into())
    };
    assert!(message(&two, monotone("agee")).contains("there is no feature `agee`; did you mean `age`?"));
    assert!(message(&two, monotone("region")).contains("`region` is a category"));
    assert!(message(&three, monotone("age")).contains("more than two classes"));
    let glrm =
        config(Method::Glrm).with(|config| config.features.monotone = monotone("age").features.monotone);
    assert!(message(&two, glrm).contains("`glrm` cannot keep constraints; leave it out, or use `lire` or"));
    let forbidden = base.clone().with(|config| config.features.forbid_in_rules = vec!["ages".into()]);
    assert!(message(&two, forbidden).starts_with("`forbid_in_rules`: there is no feature `ages`"));
    let weights = |class: &str, weight: f64| {
        base.clone().with(|config| {
            config.classes.class_weight = Some(ClassWeight::Given([(class.to_owned(), weight)].into()));
        })
    };
    assert!(message(&two, weights("maybe", 1.0)).contains("`maybe` is not a class of `ill`"));
    assert!(message(&two, weights("yes", -1.0)).contains("is not a number above 0"));
    assert!(
        message(&number, weights("yes", 1.0)).starts_with("`class_weight`: this is for a target of classes")
    );
    let rate =
        |share: f64| base.clone().with(|config| config.classes.base_rate = Some(BaseRate::Share(share)));
    assert!(message(&three, rate(0.5)).starts_with("`base_rate`"));
    assert!(message(&two, rate(1.5)).contains("is not a share between 0 and 1"));
}

/// The rows, some of them more than once, in another order.
fn shuffled(data: &Dataset, by: usize) -> Dataset {
    let n_rows = data.n_rows();
    let copied = |place: usize| if place < n_rows { place } else { 3 * (place - n_rows) };
    let all = n_rows + n_rows / 4;
    data.select(&(0..all).map(|place| copied((place * by + by) % all)).collect::<Vec<usize>>()).unwrap()
}

#[test]
fn the_order_of_the_rows_reaches_no_bit_of_any_method() {
    for data in [dataset(31, 400), three_classes(32, 400), numbers(33, 400)] {
        for method in METHODS {
            for config in [config(method), with_choice(method)] {
                let gamma = config.objective.gamma;
                let (one, other) =
                    (fitted(&shuffled(&data, 1), &config), fitted(&shuffled(&data, 137), &config));
                let (one, other) = (one.file(), other.file());
                assert_eq!(one.outputs, other.outputs, "{method:?}, gamma {gamma:?}");
                assert_eq!(one.terms, other.terms, "{method:?}, gamma {gamma:?}");
                let measures = |file: &lire::model::ModelFile| {
                    let training = &file.training;
                    (
                        training.objective,
                        training.accuracy,
                        training.auc,
                        training.r2,
                        training.local_support_mean,
                    )
                };
                assert_eq!(measures(one), measures(other), "{method:?}, gamma {gamma:?}");
            }
        }
    }
}
