//! Numbers of any size: models from them are finite, or they are refused with a message.

use lire::config::Method;
use lire::fit::fit;
use lire::table::{Dataset, Feature, FeatureKind, Relations, Schema, Table, Target, TargetValues, Values};
use lire::{Config, Model, Watch};
use serde_json::Value;

use crate::draws::Draws;

const METHODS: [Method; 3] = [Method::Lire, Method::Rulefit, Method::Glrm];

/// Two features, multiplied, and a number that follows them, multiplied.
fn numbers(feature_scale: f64, target_scale: f64) -> Dataset {
    let mut draws = Draws::new(11);
    let n_rows = 300;
    let a: Vec<f64> = (0..n_rows).map(|_| draws.between(-1.0, 1.0)).collect();
    let b: Vec<f64> = (0..n_rows).map(|_| draws.between(-1.0, 1.0)).collect();
    let y = (0..n_rows)
        .map(|row| {
            target_scale * (f64::from(a[row] > 0.1) + 0.5 * f64::from(b[row] > -0.2) + 0.1 * draws.unit())
        })
        .collect();
    dataset([a, b].map(|values| values.iter().map(|value| value * feature_scale).collect()), y)
}

fn dataset(columns: [Vec<f64>; 2], y: Vec<f64>) -> Dataset {
    let feature = |name: &str| Feature::new(name, FeatureKind::Real, false);
    let schema = Schema { features: vec![feature("a"), feature("b")] };
    let table = Table::new(schema, columns.map(Values::Numbers).to_vec(), y.len()).unwrap();
    Dataset {
        table,
        target: Target { name: "y".into(), values: TargetValues::Numbers(y) },
        weights: None,
        relations: Relations::default(),
    }
}

fn config(method: Method) -> Config {
    let own = Config::default().with(|config| {
        config.data.target = "y".into();
        config.method = method;
    });
    let gamma = Some(0.005);
    match method {
        Method::Lire => own.with(|config| {
            config.trees.n_estimators = 20;
            config.objective.gamma = gamma;
            config.objective.lambda = Some(0.01);
        }),
        Method::Rulefit => own.with(|config| {
            config.trees.n_estimators = 20;
            config.objective.gamma = gamma;
            config.rulefit.linear_terms = true;
        }),
        Method::Glrm => own,
    }
}

fn fitted(data: &Dataset, method: Method) -> Model {
    fit(data, &config(method), &Watch::default()).unwrap().model
}

/// Whether nothing that should be a number is missing in the file, and it reads back.
fn is_whole(model: &Model) -> bool {
    let file: Value = serde_json::from_str(&model.to_json()).unwrap();
    let training = &file["training"];
    ["objective", "loss", "weight", "r2"].iter().all(|name| training[*name].is_number())
        && training["scale"]["mean"].is_number()
        && training["scale"]["std"].is_number()
        && Model::from_json(model.to_json().as_bytes(), "again").unwrap().file() == model.file()
}

#[test]
fn the_unit_of_a_number_does_not_matter() {
    for method in METHODS {
        let plain = fitted(&numbers(1.0, 1.0), method);
        assert!(plain.rules().len() > 1, "{method:?}");
        for exponent in [-330, -200, 200, 330] {
            let scale = 2_f64.powi(exponent);
            let scaled = fitted(&numbers(1.0, scale), method);
            assert!(is_whole(&scaled));
            assert_eq!(scaled.rules(), plain.rules(), "{method:?}, times 2^{exponent}");
            let expected: Vec<f64> = plain.outputs()[0].weights.iter().map(|weight| weight * scale).collect();
            assert_eq!(scaled.outputs()[0].weights, expected, "{method:?}, times 2^{exponent}");
            assert_eq!(scaled.file().training.r2, plain.file().training.r2);
        }
    }
}

#[test]
fn numbers_beyond_reason_are_refused() {
    for (scale, message) in [(1e300, "too large to compute with"), (1e-200, "too little to compute with")] {
        let error = numbers(1.0, scale).check_magnitudes().unwrap_err().to_string();
        assert!(error.starts_with("column `y`: ") && error.contains(message), "{error}");
        assert!(error.contains("power of ten"), "{error}");
    }
    let error = fit(&numbers(1.0, 1e300), &config(Method::Lire), &Watch::default()).unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
    for weight in [1e300, 1e-300] {
        let data = Dataset { weights: Some(vec![weight; 300]), ..numbers(1.0, 1.0) };
        let error = fit(&data, &config(Method::Lire), &Watch::default()).unwrap_err().to_string();
        assert!(error.starts_with("weights: the largest weight is"), "{error}");
    }
}

#[test]
fn mixtures_of_sizes_give_finite_models() {
    let mut draws = Draws::new(5);
    let sizes = [0.0, 1e-308, 1e-200, -1e-90, 1.0, -1.0, 1e20, 1e90, -1e100];
    for method in METHODS {
        let plain = numbers(1.0, 1.0);
        let [Values::Numbers(a), Values::Numbers(b)] = plain.table.columns() else { panic!("numbers") };
        let y = (0..a.len()).map(|_| sizes[draws.below(sizes.len())]).collect();
        let data = dataset([a.clone(), b.clone()], y);
        data.check_magnitudes().unwrap();
        let model = fitted(&data, method);
        assert!(is_whole(&model), "{method:?}");
        assert!(model.score(&data.table).unwrap().scores.iter().all(|score| score.is_finite()));
    }
}

#[test]
fn features_of_any_size_give_finite_models() {
    for scale in [1e308, -1.7e308, 1e-307, 1e-320] {
        for method in METHODS {
            let data = numbers(scale, 1.0);
            let model = fitted(&data, method);
            assert!(is_whole(&model), "{method:?} with features times {scale:e}");
            assert!(!model.rules().is_empty(), "{method:?} with features times {scale:e}");
            assert!(model.score(&data.table).unwrap().scores.iter().all(|score| score.is_finite()));
        }
    }
}
