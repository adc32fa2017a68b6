//! What says nothing about the rows changes nothing in the models that are compared, and a seed changes little.

use lire::Watch;
use lire::config::{Config, Method};
use lire::fit::{Fit, fit};
use lire::measure::Measure;
use lire::selection::PathModel;
use lire::table::{Dataset, FeatureKind, Schema, Table, TargetValues, Values};

use crate::draws::Draws;
use crate::tables::dataset;

fn config() -> Config {
    Config::default().with(|config| {
        config.data.target = "ill".into();
        config.trees.n_estimators = 20;
        config.selection.cv = 3;
    })
}

fn fitted(data: &Dataset, config: &Config) -> Fit {
    fit(data, config, &Watch::default()).unwrap()
}

/// What is told of a model that was compared: prices, rules, its log loss in training, its validated AUC, and whether it
/// was chosen.
type Compared = (f64, f64, usize, f64, f64, bool);

fn compared(fit: &Fit) -> Vec<Compared> {
    let of_model = |model: &PathModel| {
        let auc = model.validation.as_ref().unwrap().get(Measure::Auc).unwrap().mean;
        let loss = model.train.get(Measure::LogLoss).unwrap();
        (model.gamma, model.lambda, model.n_rules, loss, auc, model.chosen)
    };
    fit.selection.as_ref().unwrap().models.iter().map(of_model).collect()
}

/// Of rules that cover the same training rows the briefest is shown, which names may decide, and with them what it says
/// of a few rows that were left out.
const BY_NAMES: f64 = 0.005;

fn check_same(plain: &[Compared], other: &[Compared], name: &str) {
    assert_eq!(plain.len(), other.len(), "{name}");
    for (one, other) in plain.iter().zip(other) {
        assert_eq!((one.0, one.1, one.2, one.5), (other.0, other.1, other.2, other.5), "{name}");
        assert!((one.3 - other.3).abs() < 1e-9, "{name}: {one:?}, {other:?}");
        assert!((one.4 - other.4).abs() < BY_NAMES, "{name}: {one:?}, {other:?}");
    }
}

/// The same rows with other names for columns and levels, columns and levels in another order, another unit of
/// numbers, and the rows shuffled.
fn respelled(data: &Dataset, draws: &mut Draws) -> Dataset {
    let n_rows = data.n_rows();
    let mut rows: Vec<usize> = (0..n_rows).collect();
    draws.shuffle(&mut rows);
    let data = data.select(&rows).unwrap();
    let mut places: Vec<usize> = (0..data.table.columns().len()).collect();
    draws.shuffle(&mut places);
    let columns = places.iter().map(|&place| {
        let mut feature = data.table.schema().features[place].clone();
        feature.name = format!("{}{place}", (b'a' + draws.below(26) as u8) as char);
        let values = match (&mut feature.kind, &data.table.columns()[place]) {
            (FeatureKind::Category { levels } | FeatureKind::Boolean { levels }, Values::Codes(codes)) => {
                let mut new: Vec<u32> = (0..levels.len() as u32).collect();
                draws.shuffle(&mut new);
                *levels = (0..levels.len()).map(|level| format!("level {level}")).collect();
                Values::Codes(
                    codes.iter().map(|&code| new.get(code as usize).copied().unwrap_or(code)).collect(),
                )
            }
            (FeatureKind::Real, Values::Numbers(numbers)) => {
                Values::Numbers(numbers.iter().map(|number| number * 10.0).collect())
            }
            (_, values) => values.clone(),
        };
        (feature, values)
    });
    let (features, columns) = columns.unzip();
    Dataset { table: Table::new(Schema { features }, columns, n_rows).unwrap(), ..data }
}

/// The same rows with other names of the classes, which sort the other way round; the positive class stays the same.
fn with_other_class_names(data: &Dataset) -> Dataset {
    let mut data = data.clone();
    let TargetValues::Classes(of) = &mut data.target.values else { panic!("classes") };
    of.classes = vec!["zero".into(), "a".into()];
    data
}

#[test]
fn spelling_changes_none_of_the_models_that_are_compared() {
    let mut draws = Draws::new(11);
    for (seed, n_rows) in [(41, 160), (42, 320)] {
        let data = dataset(seed, n_rows);
        let plain = compared(&fitted(&data, &config()));
        assert!(plain.len() > 5, "{} models", plain.len());
        for _ in 0..2 {
            let respelled = compared(&fitted(&respelled(&data, &mut draws), &config()));
            check_same(&plain, &respelled, &format!("table {seed}"));
        }
        let swapped = compared(&fitted(&with_other_class_names(&data), &config()));
        check_same(&plain, &swapped, &format!("classes of table {seed}"));
    }
}

/// Nothing but the rows decides what greedy methods take first.
#[test]
fn the_order_of_columns_does_not_change_other_methods() {
    let mut draws = Draws::new(12);
    for (seed, method) in [(43, Method::Glrm), (44, Method::Glrm), (45, Method::Rulefit)] {
        let config = Config::default().with(|config| {
            config.data.target = "ill".into();
            config.method = method;
            config.objective.gamma = (method == Method::Rulefit).then_some(0.01);
        });
        let data = dataset(seed, 300);
        let sorted = |fit: &Fit| {
            let mut weights = fit.model.outputs()[0].weights.clone();
            weights.sort_by(f64::total_cmp);
            weights
        };
        let plain = sorted(&fitted(&data, &config));
        let other = sorted(&fitted(&respelled(&data, &mut draws), &config));
        assert_eq!(plain.len(), other.len(), "table {seed}");
        for (one, other) in plain.iter().zip(&other) {
            assert!((one - other).abs() < 1e-6, "table {seed}: {one}, {other}");
        }
    }
}

/// Folds are drawn by the seed. On small tables several draws are averaged, so that another seed moves what is measured
/// by less than its error.
#[test]
fn a_seed_moves_the_validated_measure_by_less_than_its_error() {
    for table in [51, 52] {
        let data = dataset(table, 200);
        let of_seed = |seed| {
            let fit = fitted(&data, &config().with(|config| config.seed = seed));
            let selection = fit.selection.unwrap();
            let best = |model: &PathModel| model.validation.as_ref().unwrap().get(Measure::Auc);
            let best =
                selection.models.iter().filter_map(best).max_by(|a, b| a.mean.total_cmp(&b.mean)).unwrap();
            (best.mean, best.std.unwrap() / (selection.n_splits as f64).sqrt())
        };
        let of_seeds: Vec<(f64, f64)> = (0..4).map(of_seed).collect();
        let means = || of_seeds.iter().map(|(mean, _)| *mean);
        let spread = means().fold(f64::MIN, f64::max) - means().fold(f64::MAX, f64::min);
        let error = of_seeds.iter().map(|(_, error)| error).sum::<f64>() / of_seeds.len() as f64;
        assert!(spread < error, "table {table}: {of_seeds:?}");
    }
}
