//! Wrong tables, rows, classes and splits: every public function answers with an error, and none panics.

use lire::evaluate::{Evaluation, assess, assess_trees};
use lire::explain::{explain_global, explain_rows, shown_sum};
use lire::fit::{Given, fit, fit_with, measure_all, splits_of};
use lire::forest::TreeGenerator;
use lire::measure::{
    Baseline, Confusion, Measures, RuleMeasures, area_under_curve, average_precision, diversity,
};
use lire::methods::{GivenRules, RuleSource};
use lire::model::{ClassPredictions, Predictions};
use lire::rules::{Condition, NestedRules, Rule, RuleData, Test};
use lire::split::{Division, Holdout};
use lire::table::{
    Dataset, FeatureKind, Interner, RawColumn, RawTable, Relations, Schema, Table, Target, TargetValues,
    Values, fingerprint,
};
use lire::{Config, Error, Model, Watch};

use crate::draws::Draws;
use crate::model::random_model;
use crate::tables::{dataset, schema, table};

fn config() -> Config {
    Config::default().with(|config| {
        config.data.target = "ill".into();
        config.trees.n_estimators = 5;
        config.objective.gamma = Some(0.01);
        config.objective.lambda = Some(0.1);
    })
}

/// A model of numbers.
fn regression() -> (Model, Dataset) {
    let data = dataset(2, 120);
    let values = TargetValues::Numbers((0..120).map(|row| (row % 7) as f64).collect());
    let data = Dataset { target: Target { name: "ill".into(), values }, ..data };
    (fit(&data, &config(), &Watch::default()).unwrap().model, data)
}

/// Proper tables that lack a column of [`schema`], or have another type in it.
fn wrong_tables(draws: &mut Draws) -> Vec<Table> {
    let n_rows = draws.below(5);
    let right = table(draws, n_rows, true);
    let (features, columns) = (&right.schema().features, right.columns());
    let build = |order: &[usize], change: &dyn Fn(&mut Schema, &mut Vec<Values>)| {
        let mut schema = Schema { features: order.iter().map(|&at| features[at].clone()).collect() };
        let mut columns: Vec<Values> = order.iter().map(|&at| columns[at].clone()).collect();
        change(&mut schema, &mut columns);
        Table::new(schema, columns, n_rows).unwrap()
    };
    vec![
        build(&[], &|_, _| {}),
        build(&[0, 1, 2], &|_, _| {}),
        build(&[0, 1, 2, 3], &|schema, _| schema.features[1].name = "Age".into()),
        build(&[0, 1, 2, 3], &|schema, columns| {
            schema.features[2].kind = FeatureKind::Real;
            columns[2] = columns[0].clone();
        }),
        build(&[0, 1, 2, 3], &|schema, columns| {
            schema.features[0].kind =
                FeatureKind::Category { levels: (0..9).map(|n| n.to_string()).collect() };
            columns[0] = Values::Codes(vec![8; n_rows]);
        }),
    ]
}

/// Data sets whose parts do not belong together.
fn wrong_datasets(draws: &mut Draws) -> Vec<Dataset> {
    let right = dataset(draws.word(), 40);
    let labels = |labels: Vec<u32>| {
        let TargetValues::Classes(of) = right.target.values.clone() else { panic!("classes") };
        Dataset {
            target: Target {
                name: "ill".into(),
                values: TargetValues::Classes(lire::table::ClassLabels { labels, ..of }),
            },
            ..right.clone()
        }
    };
    let weights = |weights: Vec<f64>| Dataset { weights: Some(weights), ..right.clone() };
    let mut wild = vec![0; 40];
    wild[draws.below(40)] = 2 + draws.below(1000) as u32;
    let mut negative = vec![1.0; 40];
    negative[draws.below(40)] = [-1.0, f64::NAN, f64::INFINITY][draws.below(3)];
    vec![
        labels(vec![0; draws.below(40)]),
        labels(vec![1; 41 + draws.below(9)]),
        labels(wild),
        weights(vec![1.0; draws.below(40)]),
        weights(vec![1.0; 41]),
        weights(negative),
        Dataset { table: right.table.select(&[]).unwrap(), ..right.clone() },
    ]
}

/// Rules that are none on [`schema`].
fn wrong_rules() -> Vec<Rule> {
    let rule = |feature, test| Rule { conditions: vec![Condition { feature, test, takes_missing: false }] };
    let interval = || Test::Interval { above: Some(1.0), at_most: None };
    vec![
        rule(4, interval()),
        rule(usize::MAX, Test::Known),
        rule(2, interval()),
        rule(0, Test::In(vec![0])),
        rule(2, Test::NotIn(vec![4])),
        rule(3, Test::In(vec![u32::MAX])),
    ]
}

#[allow(clippy::needless_pass_by_value)] // A call with its result reads better without a borrow.
fn is_data<T: std::fmt::Debug>(result: lire::Result<T>) -> bool {
    matches!(result, Err(Error::Data { .. }))
}

#[test]
fn other_tables_are_refused() {
    let mut draws = Draws::new(11);
    let fitted = fit(&dataset(3, 200), &config(), &Watch::default()).unwrap();
    let (of_numbers, _) = regression();
    for round in 0..30 {
        let random = random_model(&mut draws, round % 9);
        for wrong in wrong_tables(&mut draws) {
            for model in [&random, &fitted.model, &of_numbers] {
                assert!(is_data(model.score(&wrong)), "{:?}", wrong.schema());
                assert!(is_data(explain_rows(model, &wrong, 1, None)));
                let n_rows = wrong.n_rows();
                let target = Target { name: "ill".into(), values: TargetValues::Numbers(vec![1.0; n_rows]) };
                let data =
                    Dataset { table: wrong.clone(), target, weights: None, relations: Relations::default() };
                assert!(measure_all(model, &data).is_err());
                assert!(lire::leaks::possible_leaks(model, &data).is_err());
                assert!(!fingerprint(&data).is_empty());
            }
        }
        let right = table(&mut draws, 0, true);
        assert_eq!(fitted.model.score(&right).unwrap().n_rows(), 0, "no rows are rows enough");
        assert!(explain_rows(&fitted.model, &right, usize::MAX, None).unwrap().is_empty());
    }
}

#[test]
fn rows_classes_and_outputs_that_there_are_not_are_refused() {
    let mut draws = Draws::new(12);
    let (of_numbers, _) = regression();
    for round in 0..40 {
        let n_rows = draws.below(70);
        let (model, rows) = (random_model(&mut draws, round * 4), table(&mut draws, n_rows, true));
        let scored = model.score(&rows).unwrap();
        for row in [n_rows, n_rows + draws.below(99), usize::MAX / 2, usize::MAX] {
            assert!(is_data(scored.of_row(row)));
            assert!(is_data(scored.fired.count(row)) && is_data(scored.fired.row_words(row)));
            assert!(scored.fired.of_row(row).is_err());
            assert!(is_data(rows.select(&[row])) && is_data(rows.columns()[0].select(&[row])));
            assert!(is_data(model.rules().first().cloned().unwrap_or_default().covers(&rows, row)));
            let data = dataset(1, 30);
            assert!(is_data(data.select(&[0, 30 + row / 2])) && is_data(data.target.select(&[30 + row / 2])));
        }
        for class in [2, 3, usize::MAX] {
            assert!(is_data(model.output_of(class)));
            assert!(is_data(explain_rows(&model, &rows, 1, Some(class))));
            assert!(is_data(explain_global(&model, class - 1)));
        }
        assert!(is_data(of_numbers.output_of(0)) && is_data(explain_rows(&of_numbers, &rows, 1, Some(0))));
        for wrong in [&[][..], &[1.0, 2.0]] {
            assert!(is_data(model.decide(wrong)) && is_data(of_numbers.decide(wrong)));
        }
        let other = random_model(&mut draws, 0);
        if model.rules().len() != other.rules().len() {
            assert!(is_data(other.local_support(&scored)) && is_data(other.decisions(&scored)));
        }
        let mut cut = scored.clone();
        cut.scores.push(0.5);
        assert!(is_data(model.local_support(&cut)));
        assert!(model.clone().with_calibrations(vec![]).is_err());
        assert!(model.check_monotone(&[Some(lire::rules::Direction::Increasing)]).is_err());
    }
    assert_eq!(shown_sum(&[0.5], 0.5, usize::MAX).sum, 0.5);
    assert_eq!(shown_sum(&[0.0], 0.0, usize::MAX).sum, 0.0);
}

#[test]
fn rules_on_other_columns_are_refused() {
    let rows = table(&mut Draws::new(13), 9, true);
    for rule in wrong_rules() {
        assert!(is_data(rule.cover(&rows)) && is_data(rule.covers(&rows, 0)), "{rule:?}");
        assert!(is_data(rule.text(&schema())) && is_data(RuleData::of(&rule, &schema())));
        let given = GivenRules { rules: NestedRules::from(vec![rule]), ..GivenRules::default() };
        let given = Given { splits: None, source: RuleSource::Given(given) };
        assert!(fit_with(&dataset(1, 50), &config(), &given, &Watch::default()).is_err());
    }
    let nested = NestedRules { rules: vec![Rule::default()], within: vec![Some(7)] };
    assert!(is_data(nested.check(&schema())));
}

#[test]
fn data_whose_parts_do_not_belong_together_is_refused() {
    let mut draws = Draws::new(14);
    let model = random_model(&mut draws, 5);
    for _ in 0..20 {
        for wrong in wrong_datasets(&mut draws) {
            let all = Holdout { train: (0..20).collect(), test: (20..40).collect() };
            let choosing = config().with(|config| {
                config.objective.gamma = None;
                config.objective.lambda = None;
            });
            for config in [config(), choosing] {
                assert!(fit(&wrong, &config, &Watch::default()).is_err());
                assert!(splits_of(&wrong, &config).is_err());
            }
            let watch = &Watch::default();
            assert!(is_data(measure_all(&model, &wrong)));
            assert!(is_data(Division::of(&wrong)) && is_data(lire::leaks::possible_leaks(&model, &wrong)));
            // Rows of both parts that do belong together may be learned from.
            drop(assess(&wrong, &config(), &all, watch));
            drop(assess_trees(&wrong, &config(), TreeGenerator::Boosting, &all, watch));
            drop(Baseline::of(&wrong.target.values, &wrong.row_weights()));
        }
    }
}

#[test]
fn splits_of_other_rows_are_refused() {
    let data = dataset(4, 60);
    let holdout = |train: &[usize], test: &[usize]| Holdout { train: train.to_vec(), test: test.to_vec() };
    let some: Vec<usize> = (0..30).collect();
    for split in
        [holdout(&some, &[60]), holdout(&[0, usize::MAX], &some), holdout(&[], &some), holdout(&[], &[])]
    {
        let watch = &Watch::default();
        assert!(assess(&data, &config(), &split, watch).is_err(), "{split:?}");
        for generator in [TreeGenerator::RandomForest, TreeGenerator::Boosting] {
            assert!(assess_trees(&data, &config(), generator, &split, watch).is_err(), "{split:?}");
        }
    }
    let choosing = config().with(|config| {
        config.objective.gamma = None;
        config.objective.lambda = None;
    });
    for wrong in [holdout(&some, &[60]), holdout(&[usize::MAX], &[1])] {
        let given = Given { splits: Some(vec![wrong]), source: RuleSource::Grown };
        let refused = fit_with(&data, &choosing, &given, &Watch::default()).map(|_| ());
        assert!(matches!(refused, Err(Error::Config { parameter, .. }) if parameter == "splits"));
    }
    let division = Division::of(&data).unwrap();
    for n_folds in [0, 1, 61, usize::MAX] {
        assert!(division.folds(n_folds, 0).is_err());
    }
    for share in [0.0, 1.0, f64::NAN, -1.0] {
        assert!(division.holdout(share, 0).is_err());
    }
}

#[test]
fn measures_of_what_does_not_belong_together_are_refused() {
    let (labels, scores, weights) = ([true, false, true], [0.1, 0.2, 0.3], [1.0; 3]);
    assert!(is_data(area_under_curve(&labels, &scores[..2], &weights)));
    assert!(is_data(average_precision(&labels, &scores, &weights[..1])));
    assert!(area_under_curve(&labels, &[f64::NAN; 3], &weights).is_ok());
    let (short, long): ([[u64; 0]; 2], [[u64; 1]; 2]) = ([[], []], [[1], [2]]);
    assert!(is_data(RuleMeasures::of(&short, &weights)) && is_data(diversity(&short, &weights)));
    assert!(is_data(RuleMeasures::of_outputs(&long, &[[1.0]], &[0; 3], &weights)));
    assert!(is_data(RuleMeasures::of_outputs(&long, &[[1.0, 1.0]], &[1; 3], &weights)));
    assert!(is_data(RuleMeasures::of_outputs(&long, &[[1.0, 1.0]], &[0; 2], &weights)));
    let mut confusion = Confusion::<usize>::new(&["a".into(), "b".into()]);
    assert!(is_data(confusion.add(2, 0, 1)) && is_data(confusion.add(0, usize::MAX, 1)));
    assert!(is_data(confusion.add_all(&Confusion::new(&["a".into()]))));
    let ragged = Confusion { cells: vec![vec![1], vec![]], ..confusion };
    assert_eq!((ragged.right(), ragged.said(), ragged.of_classes()), (1, vec![1, 0], vec![1, 0]));
    let truth = dataset(5, 3).target.values;
    let said = |labels: Vec<u32>, columns: Vec<Vec<f64>>| {
        Predictions::Classes(ClassPredictions { scores: columns.clone(), probabilities: columns, labels })
    };
    for wrong in [
        said(vec![0; 2], vec![vec![0.5; 3]]),
        said(vec![5; 3], vec![vec![0.5; 3]]),
        said(vec![0; 3], vec![]),
        said(vec![0; 3], vec![vec![0.5; 2]]),
        Predictions::Numbers(vec![0.5; 3]),
    ] {
        assert!(is_data(Measures::of(&truth, &wrong, &weights)));
    }
    assert!(is_data(Baseline::of(&truth, &[1.0])) && is_data(Baseline::of(&truth, &[0.0; 3])));
    assert!(Evaluation::of(&[]).is_ok());
}

#[test]
fn cells_and_codes_that_there_are_not_are_refused() {
    let raw = RawTable::new("x.csv", vec![RawColumn::of_texts("a", ["1", "2"])], 2).unwrap();
    let cells = raw.column("a").unwrap().text().unwrap();
    assert!(is_data(cells.cell(2)) && is_data(cells.cell(usize::MAX)));
    let mut interner = Interner::default();
    assert!(is_data(interner.push_code(0)));
    let code = interner.code_of("x");
    assert!(interner.push_code(code).is_ok() && is_data(interner.push_code(code + 1)));
}
