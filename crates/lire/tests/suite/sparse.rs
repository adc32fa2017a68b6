//! A sparse table is the dense one: the same model, byte for byte, by every method and any number of threads.

use lire::config::{Config, Method};
use lire::fit::fit;
use lire::forest::TreeGenerator;
use lire::table::{
    Dataset, Feature, FeatureKind, MISSING, Places, Schema, Table, Target, TargetValues, Values, fingerprint,
    sparse_values,
};
use lire::watch::Watch;
use proptest::prelude::*;

use crate::draws::Draws;

const N: usize = 160;

/// Columns that are mostly one value, beside some that are not.
fn columns(draws: &mut Draws) -> Vec<Values> {
    let mostly = |draws: &mut Draws, share: f64, cell: f64| -> Vec<f64> {
        let draw = |draws: &mut Draws| match draws.below(12) {
            0 => f64::NAN,
            1 => -0.0,
            whole if whole < 7 => (whole % 4) as f64,
            _ => (draws.unit() * 1000.0).round() / 500.0 - 0.5,
        };
        (0..N).map(|_| if draws.chance(share) { draw(draws) } else { cell }).collect()
    };
    let mut columns = Vec::new();
    for share in [0.02, 0.05, 0.1, 0.2, 0.4] {
        let shared = [0.0, 0.0, 1.5, f64::NAN][draws.below(4)];
        columns.push(Values::Numbers(mostly(draws, share, shared)));
    }
    let codes = mostly(draws, 0.1, 1.0).into_iter().map(|cell| u32::from(cell <= 1.0));
    columns.push(Values::Codes(codes.collect()));
    let levels = mostly(draws, 0.2, 0.0).into_iter();
    columns.push(Values::Codes(
        levels.map(|cell| if cell.is_nan() { MISSING } else { cell.max(0.0) as u32 }).collect(),
    ));
    columns.push(Values::Numbers((0..N).map(|_| draws.unit()).collect()));
    columns
}

fn data(seed: u64, is_number: bool) -> Dataset {
    let mut draws = Draws::new(seed);
    let columns = columns(&mut draws);
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let kind = |place: usize| match place {
        5 => FeatureKind::Boolean { levels: names(&["false", "true"]) },
        6 => FeatureKind::Category { levels: names(&["a", "b", "c", "d"]) },
        _ => FeatureKind::Real,
    };
    let features =
        (0..columns.len()).map(|place| Feature::new(format!("x{place}"), kind(place), true)).collect();
    let table = Table::new(Schema { features }, columns, N).unwrap();
    let [_, Values::Numbers(fifth), Values::Numbers(tenth), .., Values::Numbers(last)] = table.columns()
    else {
        panic!("numbers")
    };
    let score = |row: usize| f64::from(tenth[row] > 0.5) + last[row] - f64::from(fifth[row] > 0.0);
    let values = if is_number {
        TargetValues::Numbers((0..N).map(|row| score(row) + draws.unit()).collect())
    } else {
        TargetValues::of_bools(
            &(0..N).map(|row| draws.chance(0.2 + 0.5 * score(row).clamp(0.0, 1.4))).collect::<Vec<_>>(),
        )
    };
    let weights = (0..N).map(|_| draws.below(4) as f64 * 0.5).collect();
    Dataset {
        table,
        target: Target { name: "y".into(), values },
        weights: draws.chance(0.5).then_some(weights),
        relations: lire::table::Relations::default(),
    }
}

/// The same table with each column listed by the rows that differ from its most frequent cell, and by some that do not.
fn sparse(table: &Table) -> Table {
    let column = |values: &Values| {
        let bits = |row: usize| format!("{:?}", values.at(row));
        let mut counts = std::collections::BTreeMap::new();
        (0..N).for_each(|row| *counts.entry(bits(row)).or_insert(0) += 1);
        let frequent = (0..N).max_by_key(|&row| counts[&bits(row)]).unwrap();
        let rows: Vec<u32> =
            (0..N as u32).filter(|&row| row % 37 == 5 || bits(row as usize) != bits(frequent)).collect();
        let shared_first: Vec<usize> =
            [frequent].into_iter().chain(rows.iter().map(|&row| row as usize)).collect();
        sparse_values(values.select(&shared_first).unwrap(), Places::new(rows, N).unwrap()).unwrap()
    };
    Table::new(table.schema().clone(), table.columns().iter().map(column).collect(), N).unwrap()
}

fn config(method: Method, generator: TreeGenerator) -> Config {
    Config::default().with(|config| {
        config.method = method;
        if method != Method::Glrm {
            config.trees.tree_generator = generator;
            config.trees.n_estimators = 12;
        }
        match method {
            Method::Lire => (config.objective.gamma, config.objective.lambda) = (Some(0.002), Some(0.01)),
            Method::Rulefit => config.rulefit.linear_terms = true,
            Method::Glrm => config.glrm.max_rounds = 8,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_sparse_table_gives_the_same_model(seed in 0u64..1000, is_number in any::<bool>()) {
        let dense = data(seed, is_number);
        let listed = Dataset { table: sparse(&dense.table), ..dense.clone() };
        let n_sparse = (listed.table.columns().iter())
            .filter(|values| !matches!(values, Values::Numbers(_) | Values::Codes(_)))
            .count();
        prop_assert!(n_sparse >= 5, "{n_sparse} sparse columns");
        prop_assert_eq!(fingerprint(&dense), fingerprint(&listed));
        let generators = [TreeGenerator::Boosting, TreeGenerator::RandomForest, TreeGenerator::ExtraTrees];
        let configs = generators.map(|generator| config(Method::Lire, generator));
        let others = [Method::Rulefit, Method::Glrm].map(|method| config(method, TreeGenerator::Boosting));
        for config in configs.into_iter().chain(others) {
            let fitted = |data: &Dataset, n_threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                pool.install(|| fit(data, &config, &Watch::default()).unwrap().model)
            };
            let (one, other) = (fitted(&dense, 1), fitted(&listed, 3));
            prop_assert_eq!(one.to_json(), other.to_json());
            let (scores, others) = (one.score(&dense.table).unwrap(), one.score(&listed.table).unwrap());
            prop_assert_eq!(scores, others);
        }
    }
}
