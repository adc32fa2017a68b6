//! Candidate rules of your own instead of grown trees: those that an expert wrote down. The solver chooses among them
//! and weighs them.
//!
//!     cargo run --release -p lire --example own_rules

use std::path::Path;

use lire::fit::{Given, fit_with};
use lire::methods::{GivenRules, RuleSource};
use lire::rules::{Rule, parse};
use lire::table::{Dataset, ReadOptions, read};
use lire::{Config, Result, Watch};

/// What a physician might suspect.
const SUSPICIONS: [&str; 7] = [
    "age > 60",
    "sex = male & age > 45",
    "chest_pain = asymptomatic",
    "chest_pain = asymptomatic & exercise_angina = yes",
    "major_vessels > 0",
    "max_heart_rate ≤ 140",
    "cholesterol > 280",
];

fn main() -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/heart.csv");
    let config = Config::default().with(|config| config.data.target = "disease".into());
    let raw = read(&path, &ReadOptions::default())?;
    let (data, _) = Dataset::prepare(raw, &config.data.dataset_options())?;

    let schema = data.table.schema();
    let rules: Vec<Rule> = SUSPICIONS.iter().map(|text| parse(text, schema)).collect::<Result<_>>()?;
    let given = GivenRules { rules: rules.into(), of_splits: Vec::new(), origin: "an expert".into() };
    let given = Given { splits: None, source: RuleSource::Given(given) };
    let model = fit_with(&data, &config, &given, &Watch::default())?.model;

    for term in model.rule_terms() {
        println!("{:5.1} % of the rows  {}", 100.0 * term.coverage, term.rule);
    }
    Ok(())
}
