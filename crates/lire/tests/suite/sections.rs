//! What a model file remembers beyond prediction, and that it tells of no few rows.

use std::collections::BTreeSet;

use lire::config::Method;
use lire::fit::fit;
use lire::model::sections::{
    BaselineContributions, Bound, Conformance, FeatureSpread, Monitoring, Provenance, SelectionRecord,
};
use lire::model::{ModelFile, Term};
use lire::table::{Dataset, DatasetOptions, RawColumn, RawTable, Table, UNSEEN, Values};
use lire::{Config, Model, Watch};

use crate::draws::Draws;
use crate::tables::dataset;

/// A table of texts: a column of `n_levels` levels of which many are rare, numbers with one extreme value, and labels.
struct People {
    city: Vec<String>,
    income: Vec<String>,
    label: Vec<String>,
}

/// The one number that nobody else has.
const EXTREME: &str = "918273645.5";

impl People {
    fn new(draws: &mut Draws, n_rows: usize, n_levels: usize) -> Self {
        // Squares of draws: the first levels are frequent, the last ones rare.
        let level = |draws: &mut Draws| (draws.unit().powi(3) * n_levels as f64) as usize;
        let city: Vec<usize> = (0..n_rows).map(|_| level(draws)).collect();
        let income: Vec<f64> = (0..n_rows).map(|_| (draws.unit() * 400.0).round() / 4.0).collect();
        let label = |row: usize, draws: &mut Draws| {
            let likely =
                f64::from(city[row].is_multiple_of(3)) * 0.4 + f64::from(income[row] > 50.0) * 0.3 + 0.15;
            if draws.chance(likely) { "yes" } else { "no" }.to_owned()
        };
        let label = (0..n_rows).map(|row| label(row, draws)).collect();
        let mut income: Vec<String> = income.iter().map(ToString::to_string).collect();
        EXTREME.clone_into(&mut income[n_rows / 2]);
        let city = city.into_iter().map(|city| format!("city-of-marker-{city:03}-end")).collect();
        Self { city, income, label }
    }

    fn raw(&self) -> RawTable {
        let column =
            |name: &str, cells: &[String]| RawColumn::of_texts(name, cells.iter().map(String::as_str));
        let columns =
            vec![column("city", &self.city), column("income", &self.income), column("left", &self.label)];
        RawTable::new("people", columns, self.label.len()).unwrap()
    }

    fn data(&self) -> Dataset {
        let options = DatasetOptions { target: "left".into(), ..DatasetOptions::default() };
        Dataset::prepare(self.raw(), &options).unwrap().0
    }

    fn rows_of(&self, city: &str) -> usize {
        self.city.iter().filter(|other| *other == city).count()
    }
}

fn config(method: Method, min_rows: Option<f64>) -> Config {
    Config::default().with(|config| {
        config.data.target = "left".into();
        config.method = method;
        match method {
            Method::Lire => {
                config.trees.n_estimators = 30;
                config.candidates.min_rows = min_rows;
                config.objective.gamma = Some(0.001);
                config.objective.lambda = Some(0.05);
            }
            Method::Rulefit => {
                config.trees.n_estimators = 30;
                config.candidates.min_rows = min_rows;
                config.objective.gamma = Some(0.002);
                config.rulefit.linear_terms = true;
            }
            Method::Glrm => {}
        }
    })
}

/// The levels that rules name.
fn named(model: &Model) -> BTreeSet<String> {
    let conditions = model.rule_terms().flat_map(|term| &term.conditions.conditions);
    conditions
        .flat_map(|condition| [&condition.one_of, &condition.none_of])
        .flatten()
        .flatten()
        .cloned()
        .collect()
}

fn bits(model: &Model, table: &Table) -> Vec<u64> {
    model.score(table).unwrap().scores.iter().map(|score| score.to_bits()).collect()
}

#[test]
fn no_file_tells_of_few_rows_and_predictions_stay() {
    let mut n_left_out = 0;
    for (seed, method, min_rows) in [
        (1, Method::Lire, None),
        (2, Method::Lire, Some(12.0)),
        (3, Method::Lire, Some(1.0)),
        (4, Method::Rulefit, None),
        (5, Method::Glrm, None),
    ] {
        let mut draws = Draws::new(700 + seed);
        let people = People::new(&mut draws, 400, 150);
        let data = people.data();
        let model = fit(&data, &config(method, min_rows), &Watch::default()).unwrap().model;
        assert!(model.rules().len() > 2, "{method:?}");

        let least = min_rows.unwrap_or(5.0).max(5.0) as usize;
        let (text, named) = (model.to_json(), named(&model));
        let all: BTreeSet<&String> = people.city.iter().collect();
        let is_rare = |city: &String| people.rows_of(city) < least;
        for &city in &all {
            let may_be_there = !is_rare(city) || named.contains(city);
            assert_eq!(text.contains(city.as_str()), may_be_there, "{city}: {} rows", people.rows_of(city));
        }
        assert!(!text.contains(EXTREME) && !text.contains("918273645"), "{method:?}");
        let left_out = all.iter().filter(|&&city| is_rare(city) && !named.contains(city)).count();
        assert_eq!(model.schema().features[0].levels_left_out, left_out);
        n_left_out += left_out;

        // The same model with all levels, on the table that it was learned from.
        let file = ModelFile { features: data.table.schema().clone(), ..model.file().clone() };
        let whole = Model::new(file, "with all levels").unwrap();
        let expected = bits(&whole, &data.table);
        assert_eq!(bits(&model, &data.table), expected, "{method:?}");
        let read = Table::for_schema(&people.raw(), model.schema(), &[]).unwrap();
        assert_eq!(bits(&model, &read), expected, "{method:?}");
        // Texts that training never saw are as before, too.
        let others = People::new(&mut draws, 300, 190);
        let read =
            |model: &Model| bits(model, &Table::for_schema(&others.raw(), model.schema(), &[]).unwrap());
        assert_eq!(read(&model), read(&whole), "{method:?}");
        let again = Model::from_json(text.as_bytes(), "again").unwrap();
        assert_eq!((again.to_json(), again.is_edited()), (text, false));
    }
    assert!(n_left_out > 100, "the test is of tables with rare levels");
}

#[test]
fn a_level_left_out_is_not_taken_for_another_spelling_of_a_number() {
    let mut codes: Vec<String> = (0..300).map(|row| (row % 3).to_string()).collect();
    codes[7] = "1.0".into();
    let label = |row: usize| if codes[row] == "1" { "yes" } else { "no" };
    let labels: Vec<&str> = (0..300).map(label).collect();
    let columns = vec![
        RawColumn::of_texts("code", codes.iter().map(String::as_str)),
        RawColumn::of_texts("left", labels),
    ];
    let raw = RawTable::new("codes", columns, 300).unwrap();
    let mut options = DatasetOptions { target: "left".into(), ..DatasetOptions::default() };
    options.columns.categorical = vec!["code".into()];
    let (data, _) = Dataset::prepare(raw.clone(), &options).unwrap();
    let config = config(Method::Lire, None).with(|config| config.data.categorical = vec!["code".into()]);
    let model = fit(&data, &config, &Watch::default()).unwrap().model;
    let feature = &model.schema().features[0];
    assert_eq!((feature.levels_left_out, feature.exact.as_slice()), (1, &["1".to_owned()][..]));
    let read = Table::for_schema(&raw, model.schema(), &[]).unwrap();
    assert_eq!(bits(&model, &read), bits(&model, &data.table));
    assert_ne!(bits(&model, &read)[7], bits(&model, &read)[4], "`1.0` is not `1` here, as in training");
}

#[test]
fn a_fit_fills_what_is_known_of_its_rows() {
    let data = dataset(3, 500);
    let config = Config::default().with(|config| {
        config.trees.n_estimators = 20;
        config.seed = 4;
    });
    let fitted = fit(&data, &config, &Watch::default()).unwrap();
    let (model, sections) = (&fitted.model, &fitted.model.file().sections);

    let provenance = sections.get::<Provenance>().unwrap();
    assert_eq!(provenance.data.fingerprint, model.file().training.data_fingerprint);
    assert_eq!((provenance.data.rows, provenance.data.features, provenance.data.weighted), (500, 4, false));
    let options = serde_json::to_value(&provenance.options).unwrap();
    assert_eq!(options, serde_json::json!({"n_estimators": 20, "seed": 4}));

    let record = sections.get::<SelectionRecord>().unwrap();
    let selection = fitted.selection.as_ref().unwrap();
    assert_eq!((record.compared, record.splits), (selection.models.len(), selection.n_splits));
    assert_eq!(record.frontier.iter().filter(|model| model.chosen).count(), 1);
    assert_eq!(record.frontier.len(), selection.frontier().len());

    let baseline = sections.get::<BaselineContributions>().unwrap();
    let scores = model.score(&data.table).unwrap().scores;
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    assert!((baseline.mean_score(&model.file().outputs[0]) - mean).abs() < 1e-12);

    let monitoring = sections.get::<Monitoring>().unwrap();
    let shares: f64 = monitoring.scores[0].shares.iter().sum();
    assert!((shares - 1.0).abs() < 1e-4 && monitoring.scores[0].shares.iter().all(|share| *share >= 0.01));
    let missing = monitoring.missing["income"];
    assert!((0.05..0.2).contains(&missing) && !monitoring.missing.contains_key("age"));

    let spread = sections.get::<FeatureSpread>().unwrap();
    assert_eq!(spread.quantiles.keys().collect::<Vec<_>>(), ["age", "income"]);
    assert!(spread.quantiles["age"].is_sorted() && spread.interquartile_range("age").unwrap() > 10.0);
    sections.get::<Conformance>().unwrap().check(model).unwrap();
    assert!(sections.get::<Bound>().is_none());
}

#[test]
fn vectors_find_every_change_of_the_model() {
    for method in [Method::Lire, Method::Rulefit, Method::Glrm] {
        let people = People::new(&mut Draws::new(31), 400, 12);
        let model = fit(&people.data(), &config(method, None), &Watch::default()).unwrap().model;
        let vectors = |model: &Model| model.file().sections.get::<Conformance>().unwrap();
        assert!((3..=8).contains(&vectors(&model).vectors.len()));
        vectors(&model).check(&model).unwrap();
        let mut file = model.file().clone();
        file.outputs[0].intercept += 0.125;
        let changed = Model::new(file, "changed").unwrap();
        let message = vectors(&model).check(&changed).unwrap_err().to_string();
        assert!(message.starts_with("section `conformance`: row 1 has the scores"), "{message}");
        // What the library changes takes its vectors along.
        let strict = model.clone().with_threshold(Some(1.0)).unwrap();
        vectors(&strict).check(&strict).unwrap();
        let negative = model.classes()[0].as_str();
        assert!(vectors(&strict).vectors.iter().all(|vector| vector.label.as_deref() == Some(negative)));
        let first = |model: &Model| vectors(model).vectors[1].rules.contains(&0);
        assert!(first(&model), "{method:?}: the second row is one for which the first rule holds");
    }
}

#[test]
fn sections_are_no_part_of_what_the_checksum_vouches_for() {
    let people = People::new(&mut Draws::new(32), 300, 60);
    let model = fit(&people.data(), &config(Method::Lire, None), &Watch::default()).unwrap().model;
    let mut file: serde_json::Value = serde_json::from_str(&model.to_json()).unwrap();
    file["monitoring"] = serde_json::json!({"rows": "many"});
    file.as_object_mut().unwrap().remove("spread");
    file["features"][0]["levels_left_out"] = serde_json::json!(0);
    let read = Model::from_json(file.to_string().as_bytes(), "m.json").unwrap();
    assert!(!read.is_edited());
    assert_eq!(read.file().sections.get::<Monitoring>(), None);
    assert_eq!(read.file().sections.raw("monitoring"), Some(&file["monitoring"]));
    assert!(read.to_json().contains("\"many\""));
    file["features"][0]["exact"] = file["features"][0]["levels"].clone();
    assert!(Model::from_json(file.to_string().as_bytes(), "m.json").unwrap().is_edited());
    file["features"][0]["exact"] = serde_json::json!(["nowhere"]);
    assert!(Model::from_json(file.to_string().as_bytes(), "m.json").is_err());
}

#[test]
fn few_rows_leave_nothing_to_tell() {
    let data = dataset(8, 9);
    let config = Config::default().with(|config| {
        config.objective.gamma = Some(0.01);
        config.objective.lambda = Some(0.1);
        config.trees.n_estimators = 5;
    });
    let model = fit(&data, &config, &Watch::default()).unwrap().model;
    let sections = &model.file().sections;
    assert!(sections.get::<FeatureSpread>().unwrap().quantiles.is_empty());
    assert!(sections.get::<Monitoring>().unwrap().missing.is_empty());
    assert!(matches!(model.file().terms.first(), None | Some(Term::Rule(_))));
}

#[test]
fn no_more_unlisted_levels_than_in_training_are_no_news() {
    let people = People::new(&mut Draws::new(33), 400, 150);
    let model = fit(&people.data(), &config(Method::Lire, None), &Watch::default()).unwrap().model;
    let table = Table::for_schema(&people.raw(), model.schema(), &[]).unwrap();
    let Values::Codes(codes) = &table.columns()[0] else { panic!("cities are levels") };
    let unlisted = codes.iter().filter(|&&code| code == UNSEEN).count();
    let left_out = model.schema().features[0].levels_left_out;
    assert!(unlisted > 50 && unlisted <= 4 * left_out, "each of them has at most four rows");
    assert!(model.expects_unlisted(0, unlisted, 400));
    assert!(!model.expects_unlisted(0, 4 * left_out + 1, 400) && !model.expects_unlisted(1, 1, 400));
}
