//! No option of a fit is ignored: it changes what comes out, or it is refused by its name.

use lire::config::Method;
use lire::fit::fit;
use lire::objective::{LossKind, PenaltyKind};
use lire::rules::Direction;
use lire::solver::Search;
use lire::{Config, Error, Watch};
use serde_json::Value;

use crate::tables::dataset;

/// An option with a value that cannot leave a model as it is, where it has an effect at all.
type Change = (&'static str, fn(&mut Config));

const OF_TREES: [Change; 12] = [
    ("tree_generator", |config| config.trees.tree_generator = lire::forest::TreeGenerator::ExtraTrees),
    ("n_estimators", |config| config.trees.n_estimators = 3),
    ("max_depth", |config| config.trees.max_depth = 1),
    ("max_leaves", |config| config.trees.max_leaves = Some(2)),
    ("max_features", |config| config.trees.max_features = Some(lire::forest::FeatureSampling::Count(1))),
    ("subsample", |config| config.trees.subsample = Some(lire::forest::RowSampling::Share(0.3))),
    ("learning_rate", |config| config.trees.learning_rate = 0.9),
    ("min_leaf_weight", |config| config.trees.min_leaf_weight = 60.0),
    ("min_coverage", |config| config.candidates.min_coverage = 0.3),
    ("min_rows", |config| config.candidates.min_rows = Some(150.0)),
    ("max_rule_length", |config| config.candidates.max_rule_length = Some(1)),
    ("paper_candidates", |config| config.candidates.paper_candidates = true),
];

const OF_METHODS: [Change; 20] = [
    ("monotone", |config| config.features.monotone = [("age".to_owned(), Direction::Decreasing)].into()),
    ("loss", |config| config.objective.loss = Some(LossKind::Exponential)),
    ("penalty", |config| config.objective.penalty = PenaltyKind::Count),
    ("gamma", |config| config.objective.gamma = Some(0.02)),
    ("lambda", |config| config.objective.lambda = Some(2.0)),
    ("ridge", |config| config.objective.ridge = Some(2.0)),
    ("search", |config| config.search.search = Search::Paper),
    ("max_moves", |config| config.search.max_moves = 1),
    ("linear_terms", |config| config.rulefit.linear_terms = true),
    ("lambda0", |config| config.glrm.lambda0 = 0.05),
    ("lambda1", |config| config.glrm.lambda1 = Some(0.02)),
    ("beam_width", |config| config.glrm.beam_width = 9),
    ("max_degree", |config| config.glrm.max_degree = 1),
    ("max_rounds", |config| config.glrm.max_rounds = 1),
    ("debias", |config| config.glrm.debias = false),
    ("class_weight", |config| {
        config.classes.class_weight = serde_json::from_str("\"balanced\"").ok();
    }),
    ("base_rate", |config| config.classes.base_rate = serde_json::from_str("0.01").ok()),
    ("forbid_in_rules", |config| config.features.forbid_in_rules = vec!["age".into()]),
    ("threshold", |config| config.meaning.threshold = Some(0.9)),
    ("calibrate", |config| config.meaning.calibrate = serde_json::from_str("\"platt\"").ok()),
];

const OF_CHOICE: [Change; 6] = [
    ("cv", |config| config.selection.cv = 2),
    ("validation_share", |config| config.selection.validation_share = Some(0.4)),
    ("metric", |config| config.selection.metric = serde_json::from_str("\"log_loss\"").ok()),
    ("select", |config| config.selection.select = serde_json::from_str("\"best\"").ok()),
    ("max_local_rules", |config| config.selection.max_local_rules = Some(0.5)),
    ("max_local_rules_any", |config| {
        config.selection.max_local_rules = Some(1.0);
        config.selection.max_local_rules_any = true;
    }),
];

/// Where budgets begin, which given prices can keep to as well.
const BUDGETS: usize = 4;

/// All that a fit says but the options themselves; or the parameter that it refuses.
fn outcome(config: &Config) -> Result<String, String> {
    match fit(&dataset(3, 300), config, &Watch::default()) {
        Ok(fit) => {
            let mut file: Value = serde_json::from_str(&fit.model.to_json()).unwrap();
            file.as_object_mut().unwrap().remove("config");
            Ok(format!("{file} {:?}", fit.selection))
        }
        Err(Error::Config { parameter, .. }) => Err(parameter),
        Err(other) => panic!("{other}"),
    }
}

/// Says which of the options have an effect. Every other one must be refused, by its own name.
fn used(base: &Config, changes: &[Change]) -> Vec<&'static str> {
    let plain = outcome(base).unwrap();
    let mut used = Vec::new();
    for (option, change) in changes {
        let mut config = base.clone();
        change(&mut config);
        match outcome(&config) {
            Ok(changed) => {
                assert_ne!(changed, plain, "{option} is ignored by {:?}", base.method);
                used.push(*option);
            }
            Err(parameter) => assert_eq!(parameter, *option, "{:?}", base.method),
        }
    }
    used
}

const FOR_ALL: [&str; 5] = ["class_weight", "base_rate", "forbid_in_rules", "threshold", "calibrate"];

#[test]
fn an_option_has_an_effect_or_is_refused() {
    let small = Config::default().with(|config| config.data.target = "ill".into());
    let all = |mut own: Vec<&'static str>| {
        own.extend(FOR_ALL);
        own
    };
    let grown = small.clone().with(|config| config.trees.n_estimators = 20);
    let trees: Vec<&str> = OF_TREES.iter().map(|(option, _)| *option).collect();

    let lire = grown.clone().with(|config| {
        config.objective.gamma = Some(0.002);
        config.objective.lambda = Some(0.05);
    });
    assert_eq!(used(&lire, &OF_TREES), trees);
    let own = ["monotone", "loss", "penalty", "gamma", "lambda", "ridge", "search", "max_moves"];
    assert_eq!(used(&lire, &OF_METHODS), all(own.to_vec()));
    assert_eq!(used(&lire, &OF_CHOICE[..BUDGETS]), [""; 0]);

    let rulefit = grown.with(|config| {
        config.method = Method::Rulefit;
        config.objective.gamma = Some(0.003);
    });
    assert_eq!(used(&rulefit, &OF_TREES), trees);
    assert_eq!(used(&rulefit, &OF_METHODS), all(vec!["monotone", "gamma", "linear_terms"]));
    assert_eq!(used(&rulefit, &OF_CHOICE[..=BUDGETS]), [""; 0]);
    let chosen = rulefit.with(|config| config.objective.gamma = None);
    assert_eq!(used(&chosen, &OF_CHOICE[..=BUDGETS]), ["cv", "validation_share"]);

    let glrm = small.with(|config| {
        config.method = Method::Glrm;
        config.glrm.lambda0 = 0.005;
    });
    assert_eq!(used(&glrm, &OF_TREES), ["min_coverage", "min_rows"]);
    let own = ["lambda0", "lambda1", "beam_width", "max_degree", "max_rounds", "debias"];
    assert_eq!(used(&glrm, &OF_METHODS), all(own.to_vec()));
    assert_eq!(used(&glrm, &OF_CHOICE[..=BUDGETS]), [""; 0]);
}

#[test]
fn what_a_choice_goes_by_has_an_effect() {
    let base = Config::default().with(|config| {
        config.data.target = "ill".into();
        config.trees.n_estimators = 5;
        config.objective.gamma = Some(0.004);
    });
    let all: Vec<&str> = OF_CHOICE.iter().map(|(option, _)| *option).collect();
    assert_eq!(used(&base, &OF_CHOICE), all);
}

#[test]
fn a_calibrated_model_is_made_by_folds_though_its_prices_are_given() {
    let base = Config::default().with(|config| {
        config.data.target = "ill".into();
        config.trees.n_estimators = 5;
        config.objective.gamma = Some(0.004);
        config.objective.lambda = Some(0.05);
        config.meaning.calibrate = serde_json::from_str("\"platt\"").ok();
    });
    assert_eq!(used(&base, &OF_CHOICE[..2]), ["cv", "validation_share"]);
    let glrm = Config::default().with(|config| {
        config.data.target = "ill".into();
        config.method = Method::Glrm;
        config.meaning.calibrate = base.meaning.calibrate;
    });
    assert_eq!(used(&glrm, &OF_CHOICE[..2]), ["cv", "validation_share"]);
}
