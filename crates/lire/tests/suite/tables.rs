//! Generated tables with numbers, categories and missing values.

use lire::table::{
    ClassLabels, Dataset, Feature, FeatureKind, MISSING, Relations, Schema, Table, Target, TargetValues,
    UNSEEN, Values,
};

use crate::draws::Draws;

/// Four features: a real and an integer one, one of four levels, one of two; two of them with gaps.
pub fn schema() -> Schema {
    let levels = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let feature = |name: &str, kind, has_missing| Feature::new(name, kind, has_missing);
    Schema {
        features: vec![
            feature("income", FeatureKind::Real, true),
            feature("age", FeatureKind::Integer, false),
            feature(
                "region",
                FeatureKind::Category { levels: levels(&["east", "north", "south", "west"]) },
                true,
            ),
            feature("smokes", FeatureKind::Boolean { levels: levels(&["no", "yes"]) }, false),
        ],
    }
}

/// Random rows of [`schema`]; `unseen` also draws categories that it does not list.
pub fn table(draws: &mut Draws, n_rows: usize, unseen: bool) -> Table {
    let income = (0..n_rows)
        .map(|_| if draws.chance(0.1) { f64::NAN } else { (draws.unit() * 200.0).round() / 4.0 })
        .collect();
    let age = (0..n_rows).map(|_| (18 + draws.below(60)) as f64).collect();
    let region = (0..n_rows)
        .map(|_| match draws.below(if unseen { 7 } else { 5 }) {
            level if level < 4 => level as u32,
            4 => MISSING,
            _ => UNSEEN,
        })
        .collect();
    let smokes = (0..n_rows).map(|_| draws.below(2) as u32).collect();
    let columns =
        vec![Values::Numbers(income), Values::Numbers(age), Values::Codes(region), Values::Codes(smokes)];
    Table::new(schema(), columns, n_rows).unwrap()
}

/// Rows with classes that depend on age, region, missing income and smoking.
pub fn dataset(seed: u64, n_rows: usize) -> Dataset {
    let mut draws = Draws::new(seed);
    let table = table(&mut draws, n_rows, false);
    let [Values::Numbers(income), Values::Numbers(age), Values::Codes(region), Values::Codes(smokes)] =
        table.columns()
    else {
        panic!("the columns of the schema")
    };
    let labels: Vec<bool> = (0..n_rows)
        .map(|row| {
            let score = f64::from(age[row] > 50.0) * 1.5 + f64::from(region[row] == 2) * 1.2
                - f64::from(income[row] > 30.0)
                + f64::from(income[row].is_nan())
                + f64::from(smokes[row] == 1 && age[row] > 35.0)
                - 1.0;
            draws.chance(1.0 / (1.0 + (-2.0 * score).exp()))
        })
        .collect();
    let classes = ClassLabels {
        classes: vec!["no".into(), "yes".into()],
        labels: labels.iter().map(|&ill| u32::from(ill)).collect(),
        positive_chosen: true,
    };
    let target = Target { name: "ill".into(), values: TargetValues::Classes(classes) };
    Dataset { table, target, weights: None, relations: Relations::default() }
}
