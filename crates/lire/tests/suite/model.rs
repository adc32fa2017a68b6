//! Scores, decisions and explanations against evaluation rule by rule; the file there and back.

use lire::Model;
use lire::explain::{GlobalExplanation, LocalExplanation, explain_global, explain_rows};
use lire::fit::fit;
use lire::model::{ModelFile, Output, RuleTerm, Term};
use lire::rules::{Condition, Rule, RuleData, Test};
use lire::table::{Feature, FeatureKind, MISSING, Schema, Table, UNSEEN, Value, Values};

use crate::draws::Draws;
use crate::tables::{dataset, schema, table};

/// A model with random rules on the generated tables: as many distinct ones of `n_rules` as there are.
pub fn random_model(draws: &mut Draws, n_rules: usize) -> Model {
    let data = dataset(1, 60);
    let loss = Some(lire::objective::LossKind::Exponential);
    let config = lire::Config::default().with(|config| {
        config.trees.n_estimators = 1;
        config.objective.gamma = Some(0.01);
        config.objective.lambda = Some(0.1);
        config.objective.loss = loss;
    });
    let fitted = fit(&data, &config, &lire::Watch::default()).unwrap();
    let mut rules: Vec<Rule> = Vec::new();
    for _ in 0..n_rules {
        let rule = random_rule(draws);
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    let schema = schema();
    let terms = rules.iter().map(|rule| {
        let conditions = RuleData::of(rule, &schema).unwrap();
        Term::Rule(RuleTerm { rule: rule.text(&schema).unwrap(), conditions, coverage: 0.5, rows: 3 })
    });
    let file = ModelFile {
        terms: terms.collect(),
        outputs: vec![Output {
            class: Some("yes".into()),
            intercept: draws.between(-1.0, 1.0),
            weights: rules.iter().map(|_| draws.between(-2.0, 2.0)).collect(),
            log_odds_shift: 0.0,
            calibration: None,
        }],
        ..fitted.model.file().clone()
    };
    Model::new(file, "random").unwrap()
}

fn random_rule(draws: &mut Draws) -> Rule {
    loop {
        let mut conditions = Vec::new();
        for feature in 0..4 {
            if draws.chance(0.5) {
                conditions.push(random_condition(draws, feature));
            }
        }
        if let Some(rule) = Rule::conjunction(conditions) {
            return rule;
        }
    }
}

fn random_condition(draws: &mut Draws, feature: usize) -> Condition {
    let takes_missing = draws.chance(0.3);
    let test = match (feature, draws.below(5)) {
        (0 | 2, 0) => return Condition::known(feature),
        (0 | 2, 1) => return Condition::missing(feature),
        (0 | 1, kind) => {
            let low = draws.below(60) as f64 / 2.0;
            match kind {
                2 => Test::Interval { above: Some(low), at_most: None },
                3 => Test::Interval { above: None, at_most: Some(low) },
                _ => Test::Interval { above: Some(low), at_most: Some(low + 10.5) },
            }
        }
        (2, 2) => Test::In(vec![0, 2]),
        (2, 3) => Test::In(vec![draws.below(4) as u32]),
        (2, _) => Test::NotIn(vec![draws.below(4) as u32]),
        _ => Test::In(vec![draws.below(2) as u32]),
    };
    Condition { feature, test, takes_missing }
}

/// Whether a condition holds, as its text says.
fn holds(condition: &Condition, table: &Table, row: usize) -> bool {
    let (number, code) = match table.columns()[condition.feature].at(row) {
        Value::Number(value) => (Some(value).filter(|value| !value.is_nan()), None),
        Value::Code(code) => (None, Some(code).filter(|&code| code != lire::table::MISSING)),
    };
    match (number, code, &condition.test) {
        (None, None, _) => condition.takes_missing,
        (Some(value), _, Test::Interval { above, at_most }) => {
            above.is_none_or(|above| above < value) && at_most.is_none_or(|at_most| value <= at_most)
        }
        (_, Some(code), Test::In(levels)) => levels.contains(&code),
        (_, Some(code), Test::NotIn(levels)) => !levels.contains(&code),
        (_, _, test) => *test == Test::Known,
    }
}

#[test]
fn scores_are_sums_over_the_rules_that_hold() {
    for (seed, (n_rows, n_rules)) in
        [(0, 3), (1, 0), (1, 1), (63, 64), (64, 65), (1023, 130), (1024, 10), (1025, 300), (3000, 70)]
            .into_iter()
            .enumerate()
    {
        let mut draws = Draws::new(50 + seed as u64);
        let model = random_model(&mut draws, n_rules);
        let table = table(&mut draws, n_rows, true);
        let scored = model.score(&table).unwrap();
        assert_eq!(scored.scores.len(), n_rows);
        for row in 0..n_rows {
            let fires = |rule: &Rule| rule.conditions.iter().all(|condition| holds(condition, &table, row));
            let fired: Vec<usize> =
                (0..model.rules().len()).filter(|&rule| fires(&model.rules()[rule])).collect();
            let score = fired
                .iter()
                .fold(model.outputs()[0].intercept, |sum, &rule| sum + model.outputs()[0].weights[rule]);
            assert_eq!(scored.scores[row].to_bits(), score.to_bits(), "row {row}");
            assert_eq!(scored.fired.of_row(row).unwrap().collect::<Vec<_>>(), fired);
            assert_eq!(scored.fired.count(row).unwrap(), fired.len());
        }
    }
}

#[test]
fn explanations_add_up_to_the_score_bit_for_bit() {
    let mut draws = Draws::new(90);
    let model = random_model(&mut draws, 80);
    let table = table(&mut draws, 1500, true);
    let scores = model.score(&table).unwrap().scores;
    let explanations = explain_rows(&model, &table, 5, None).unwrap();
    assert_eq!(explanations.len(), 1500);
    for (index, explanation) in explanations.iter().enumerate() {
        assert_eq!(explanation.row, 5 + index);
        let sum = explanation.rules.iter().fold(explanation.intercept, |sum, rule| sum + rule.contribution);
        assert_eq!(sum.to_bits(), scores[index].to_bits());
        assert_eq!(explanation.score.to_bits(), scores[index].to_bits());
        assert_eq!(explanation.label.as_deref() == Some("yes"), scores[index] > 0.0);
    }
    let whole = explain_global(&model, 0).unwrap();
    assert_eq!(whole.rules.len(), model.rules().len());
    for ((rule, term), weight) in whole.rules.iter().zip(model.rule_terms()).zip(&model.outputs()[0].weights)
    {
        assert_eq!((&rule.rule, rule.weight), (&term.rule, *weight));
        assert!((rule.importance - weight.abs() * 0.5).abs() < 1e-12, "coverage is one half");
    }
}

#[test]
fn explanations_say_which_term_it_is_and_what_it_rests_on() {
    let mut draws = Draws::new(91);
    let model = random_model(&mut draws, 60);
    let rows = table(&mut draws, 300, true);
    let mut places = Vec::new();
    for (row, explanation) in explain_rows(&model, &rows, 1, None).unwrap().iter().enumerate() {
        for rule in &explanation.rules {
            let Term::Rule(term) = &model.file().terms[rule.index] else { panic!("a rule") };
            assert_eq!((&rule.rule, &rule.conditions), (&term.rule, &term.conditions));
            assert_eq!((rule.coverage, rule.rows), (term.coverage, term.rows));
            let again = rule.conditions.to_rule(model.schema(), "again").unwrap();
            assert!(again.covers(&rows, row).unwrap());
            places.push(rule.index);
        }
        let json = serde_json::to_string(explanation).unwrap();
        assert_eq!(serde_json::from_str::<LocalExplanation>(&json).unwrap(), *explanation);
    }
    assert!(places.iter().any(|&place| place > 40), "later terms fire too");
    let whole = explain_global(&model, 0).unwrap();
    assert!(whole.rules.iter().enumerate().all(|(place, rule)| rule.index == place));
    let json = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<GlobalExplanation>(&json).unwrap(), whole);
}

#[test]
fn explanations_are_the_same_at_any_number_of_threads() {
    let mut draws = Draws::new(92);
    let model = random_model(&mut draws, 70);
    let rows = table(&mut draws, 3000, true);
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| serde_json::to_string(&explain_rows(&model, &rows, 1, None).unwrap()).unwrap())
    };
    let alone = with(1);
    assert!([2, 3, 8].into_iter().all(|n_threads| with(n_threads) == alone));
}

#[test]
fn the_file_comes_back_bit_for_bit() {
    for seed in 0..10 {
        let mut draws = Draws::new(seed);
        let model = random_model(&mut draws, 40);
        let json = model.to_json();
        let read = Model::from_json(json.as_bytes(), "again").unwrap();
        assert_eq!(read.file(), model.file());
        assert_eq!(read.rules(), model.rules());
        assert_eq!(read.to_json(), json);
        let table = table(&mut draws, 200, true);
        let bits = |model: &Model| -> Vec<u64> {
            model.score(&table).unwrap().scores.iter().map(|score| score.to_bits()).collect()
        };
        assert_eq!(bits(&read), bits(&model));
    }
}

#[test]
fn a_file_is_written_and_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    let model = random_model(&mut Draws::new(4), 5);
    model.write(&path).unwrap();
    assert_eq!(Model::read(&path).unwrap().file(), model.file());
    assert!(Model::is_model_file(&path));
    std::fs::write(&path, "{}").unwrap();
    assert!(!Model::is_model_file(&path) && !Model::is_model_file(&folder.path().join("none.json")));
    model.write(&path).unwrap();
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing is left beside the file");
    let nowhere = folder.path().join("lacking").join("model.json");
    assert!(matches!(model.write(&nowhere), Err(lire::Error::Io { .. })));
}

#[test]
fn decisions_are_by_score_or_threshold_and_ties_are_negative() {
    let model = random_model(&mut Draws::new(3), 4);
    let positive = |model: &Model, score: f64| model.decide(&[score]).unwrap().unwrap().class == 1;
    for score in [-20.0, -1.0, 0.0, 1e-300, 0.7, 20.0] {
        let decision = model.decide(&[score]).unwrap().unwrap();
        let expected = 1.0 / (1.0 + (-2.0 * score).exp());
        assert!((decision.probabilities[1] - expected).abs() < 1e-15);
        assert!((decision.probabilities[0] + decision.probabilities[1] - 1.0).abs() < 1e-15);
        assert_eq!(decision.class, usize::from(score > 0.0));
    }
    let strict = model.with_threshold(Some(0.9)).unwrap();
    assert!(!positive(&strict, 0.5) && positive(&strict, 3.0));
    let tie = strict.decide(&[0.4]).unwrap().unwrap().probabilities[1];
    let at_tie = strict.with_threshold(Some(tie)).unwrap();
    assert!(!positive(&at_tie, 0.4) && positive(&at_tie, 0.4 + 1e-9));
    let without = at_tie.with_threshold(None).unwrap();
    assert!(!positive(&without, 0.0));
    assert!(without.with_threshold(Some(f64::NAN)).is_err());
}

fn as_json(model: &Model) -> serde_json::Value {
    serde_json::from_str(&model.to_json()).unwrap()
}

fn from_json(value: &serde_json::Value) -> lire::Result<Model> {
    Model::from_json(value.to_string().as_bytes(), "m.json")
}

#[test]
fn an_edited_file_says_so_and_stays_known_as_edited() {
    let model = random_model(&mut Draws::new(6), 4);
    assert!(!model.is_edited() && !from_json(&as_json(&model)).unwrap().is_edited());
    let mut edited = as_json(&model);
    edited["outputs"][0]["intercept"] = serde_json::json!(0.125);
    let edited = from_json(&edited).unwrap();
    assert!(edited.is_edited() && from_json(&as_json(&edited)).unwrap().is_edited());
    assert!(edited.with_threshold(Some(0.3)).unwrap().is_edited());
    // What lire changes is no edit, and what prediction does not use may change.
    let changed = model.clone().with_threshold(Some(0.3)).unwrap();
    assert!(!changed.is_edited() && !from_json(&as_json(&changed)).unwrap().is_edited());
    let mut told = as_json(&model);
    told["training"]["seed"] = serde_json::json!(77);
    told["terms"][0]["coverage"] = serde_json::json!(0.25);
    assert!(!from_json(&told).unwrap().is_edited());
}

#[test]
fn sections_that_nobody_knows_are_kept() {
    let mut file = as_json(&random_model(&mut Draws::new(7), 3));
    file["monitoring"] = serde_json::json!({"histogram": [1, 2.5], "since": "2030"});
    file["training"]["later"] = serde_json::json!(1);
    let model = from_json(&file).unwrap();
    assert!(!model.is_edited());
    assert_eq!(as_json(&model)["monitoring"], file["monitoring"]);
}

#[test]
fn what_a_file_requires_must_be_known() {
    let mut file = as_json(&random_model(&mut Draws::new(8), 3));
    file["requires"] = serde_json::json!(["splines"]);
    let message = from_json(&file).unwrap_err().to_string();
    assert!(message.contains("requires `splines`") && message.contains("newer"), "{message}");
    file["requires"] = serde_json::json!([]);
    assert!(from_json(&file).is_ok());
    file["outputs"][0]["splines"] = serde_json::json!(1);
    assert!(from_json(&file).is_err(), "what prediction needs is read strictly");
    let mut file = as_json(&random_model(&mut Draws::new(8), 3));
    file["features"][1]["unit"] = serde_json::json!("years");
    let message = from_json(&file).unwrap_err().to_string();
    assert_eq!(message, "m.json, features[1]: unknown field `unit`; a newer lire may know it");
}

/// A reader is strict on what prediction needs, and on nothing else.
#[test]
fn what_a_newer_version_records_of_the_training_is_no_obstacle() {
    let mut file = as_json(&random_model(&mut Draws::new(8), 3));
    file["training"]["stop_reason"] = serde_json::json!("bound_reached");
    file["training"]["scale"] = serde_json::json!({ "mean": 0.0, "std": 1.0, "median": 0.5 });
    file["training"]["gap"] = serde_json::json!({ "absolute": 0.25 });
    file["config"]["loss"] = serde_json::json!("poisson");
    file["config"]["exposure_column"] = serde_json::json!("hours");
    file["config"]["bound"] = serde_json::json!(null);
    let model = from_json(&file).unwrap();
    assert!(!model.is_edited());
    assert_eq!(model.file().training.stop_reason, lire::model::StopReason::Unknown);
    let again = as_json(&model);
    assert_eq!((&again["training"]["gap"], &again["config"]), (&file["training"]["gap"], &file["config"]));
    let (config, unknown) = lire::Config::of_model(&model);
    assert_eq!(unknown, ["exposure_column", "loss"]);
    assert_eq!((config.objective.loss, config.objective.gamma), (None, Some(0.01)));
}

/// The same rows with the columns the other way round, one more of them, and levels listed in another order.
fn shuffled(table: &Table) -> Table {
    let mut features: Vec<Feature> = table.schema().features.iter().rev().cloned().collect();
    let mut columns: Vec<Values> = table.columns().iter().rev().cloned().collect();
    for (feature, values) in features.iter_mut().zip(&mut columns) {
        let (FeatureKind::Category { levels }, Values::Codes(codes)) = (&mut feature.kind, values) else {
            continue;
        };
        levels.reverse();
        levels.push("elsewhere".into());
        let n_levels = levels.len() as u32 - 1;
        for code in codes {
            *code = match *code {
                UNSEEN => n_levels,
                MISSING => MISSING,
                level => n_levels - 1 - level,
            };
        }
    }
    features.push(Feature::new("further", FeatureKind::Real, false));
    columns.push(Values::Numbers(vec![0.5; table.n_rows()]));
    Table::new(Schema { features }, columns, table.n_rows()).unwrap()
}

#[test]
fn tables_of_another_order_or_other_levels_score_the_same() {
    for seed in 0..5 {
        let mut draws = Draws::new(100 + seed);
        let model = random_model(&mut draws, 60);
        let table = table(&mut draws, 300, true);
        let other = shuffled(&table);
        assert_eq!(model.score(&other).unwrap(), model.score(&table).unwrap());
        let explained = explain_rows(&model, &table, 1, None).unwrap();
        assert_eq!(explain_rows(&model, &other, 1, None).unwrap(), explained);
    }
}

#[test]
fn a_table_of_another_kind_is_refused() {
    let mut draws = Draws::new(9);
    let model = random_model(&mut draws, 20);
    let table = table(&mut draws, 10, false);
    let changed = |change: &dyn Fn(&mut Vec<Feature>, &mut Vec<Values>)| {
        let (mut features, mut columns) = (table.schema().features.clone(), table.columns().to_vec());
        change(&mut features, &mut columns);
        let table = Table::new(Schema { features }, columns, 10).unwrap();
        let message = model.score(&table).unwrap_err().to_string();
        assert_eq!(explain_rows(&model, &table, 1, None).unwrap_err().to_string(), message);
        message
    };
    let absent = changed(&|features, columns| {
        features.remove(1);
        columns.remove(1);
    });
    assert!(absent.contains("no column `age`"), "{absent}");
    let of_texts = changed(&|features, columns| {
        features[1].kind = FeatureKind::Category { levels: vec!["18".into()] };
        columns[1] = Values::Codes(vec![0; 10]);
    });
    assert_eq!(of_texts, "column `age`: the model was trained on numbers here, but these are categories");
}
