//! A table keeps its predictions however its numbers are stored: 32 or 64 bits, Parquet, or a text of 6, 9 or 17 digits.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch, StringArray};
use lire::config::Method;
use lire::fit::fit;
use lire::table::{Dataset, DatasetOptions, RawTable, ReadOptions, Table};
use lire::{Config, Model, Watch};
use parquet::arrow::ArrowWriter;

use crate::draws::Draws;

/// Columns of numbers with gaps of many kinds, and the classes of their rows.
struct Numbers {
    columns: Vec<(&'static str, Vec<f64>)>,
    labels: Vec<&'static str>,
}

fn numbers(seed: u64, n_rows: usize) -> Numbers {
    let mut draws = Draws::new(seed);
    let mut column = |value: &mut dyn FnMut(&mut Draws) -> f64| -> Vec<f64> {
        (0..n_rows).map(|_| value(&mut draws)).collect()
    };
    let tenths = column(&mut |draws| draws.below(40) as f64 / 10.0);
    let few = column(&mut |draws| [0.1, 0.2, 0.3][draws.below(3)]);
    let skewed = column(&mut |draws| (draws.between(-12.0, 6.0)).exp());
    let offset = column(&mut |draws| 1000.0 + draws.below(90) as f64 / 100.0);
    let any = column(&mut |draws| draws.between(-1.0, 1.0));
    let age = column(&mut |draws| 18.0 + draws.below(60) as f64);
    let label = |row: usize| {
        let odds = f64::from(tenths[row] > 1.55) + f64::from(few[row] > 0.15) - f64::from(skewed[row] > 0.5)
            + f64::from(offset[row] > 1000.45)
            + f64::from(any[row] > 0.2)
            + f64::from(age[row] > 44.0);
        if odds > 2.5 { "yes" } else { "no" }
    };
    let labels = (0..n_rows).map(label).collect();
    let columns = vec![
        ("tenths", tenths),
        ("few", few),
        ("skewed", skewed),
        ("offset", offset),
        ("any", any),
        ("age", age),
    ];
    Numbers { columns, labels }
}

/// A file of the table, in which each number is spelled so.
fn csv(data: &Numbers, spell: impl Fn(f64) -> String) -> Vec<u8> {
    let names: Vec<&str> = data.columns.iter().map(|(name, _)| *name).collect();
    let mut text = format!("{},y\n", names.join(","));
    for (row, label) in data.labels.iter().enumerate() {
        for (_, values) in &data.columns {
            write!(text, "{},", spell(values[row])).unwrap();
        }
        writeln!(text, "{label}").unwrap();
    }
    text.into_bytes()
}

fn parquet(data: &Numbers, array: impl Fn(&[f64]) -> ArrayRef) -> Vec<u8> {
    let labels: ArrayRef = Arc::new(StringArray::from(data.labels.clone()));
    let columns = data.columns.iter().map(|(name, values)| (*name, array(values)));
    let batch = RecordBatch::try_from_iter(columns.chain([("y", labels)])).unwrap();
    let mut content = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut content, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    content
}

/// The table in every form, by name.
fn forms(data: &Numbers) -> Vec<(&'static str, Vec<u8>)> {
    let digits = |digits: usize| move |value: f64| format!("{value:.*e}", digits - 1);
    let short = |value: f64| value as f32;
    vec![
        ("csv of 17 digits", csv(data, digits(17))),
        ("csv of 9 digits", csv(data, digits(9))),
        ("csv of 6 digits", csv(data, digits(6))),
        ("csv of 32-bit numbers", csv(data, |value| short(value).to_string())),
        ("csv of 32-bit numbers as 64-bit ones", csv(data, |value| f64::from(short(value)).to_string())),
        ("parquet of 64 bits", parquet(data, |values| Arc::new(Float64Array::from(values.to_vec())))),
        (
            "parquet of 32 bits",
            parquet(data, |values| {
                Arc::new(values.iter().map(|&value| short(value)).collect::<Float32Array>())
            }),
        ),
    ]
}

fn read(content: &[u8]) -> RawTable {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    lire::table::read(file.path(), &ReadOptions::default()).unwrap()
}

#[test]
fn predictions_do_not_depend_on_how_numbers_are_stored() {
    let forms = forms(&numbers(1, 500));
    for method in [Method::Lire, Method::Rulefit, Method::Glrm] {
        for (learned_from, content) in &forms {
            let options = DatasetOptions { target: "y".into(), ..DatasetOptions::default() };
            let (data, _) = Dataset::prepare(read(content), &options).unwrap();
            let own = Config::default().with(|config| {
                config.data.target = "y".into();
                config.method = method;
            });
            let config = match method {
                Method::Lire => own.with(|config| {
                    config.trees.n_estimators = 20;
                    config.objective.gamma = Some(0.003);
                    config.objective.lambda = Some(0.1);
                }),
                Method::Rulefit => own.with(|config| {
                    config.trees.n_estimators = 20;
                    config.objective.gamma = Some(0.003);
                }),
                Method::Glrm => own,
            };
            let model = fit(&data, &config, &Watch::default()).unwrap().model;
            assert!(model.rules().len() > 3, "{method:?} learns from all kinds of columns");
            let expected = model.score(&data.table).unwrap().scores;
            for (scored, content) in &forms {
                let scores = scores(&model, &read(content));
                let moved = scores.iter().zip(&expected).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
                assert_eq!(moved, 0, "{method:?} learned from {learned_from}, predicted on {scored}");
            }
        }
    }
}

fn scores(model: &Model, raw: &RawTable) -> Vec<f64> {
    model.score(&Table::for_schema(raw, model.schema(), &[]).unwrap()).unwrap().scores
}
