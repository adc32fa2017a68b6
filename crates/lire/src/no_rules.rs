//! Why a model has no rules, for the person who wanted some.

use crate::config::Method;
use crate::fit::Fit;
use crate::solver::StopReason;
use crate::table::{Dataset, Plain, TargetValues, Values};

/// A class of less than this share of the rows is rare: that alone can make every rule too dear.
const RARE: f64 = 0.02;

/// The reason why a model has no rules.
#[derive(Debug, Clone, PartialEq)]
pub enum NoRules {
    /// An option asks for it.
    AskedFor {
        /// The option.
        option: &'static str,
    },
    /// A limit of time or moves ended the search before it chose a rule.
    Ended,
    /// No rule may use any column.
    NoColumns,
    /// Each column is the same in all rows.
    Constant,
    /// No rule covers as many rows as it must.
    NoCandidates {
        /// The number of rows.
        rows: usize,
    },
    /// A class has few rows, and rules for it lower the loss by little.
    RareClass {
        /// The class.
        class: String,
        /// Its rows.
        rows: usize,
        /// All rows.
        of: usize,
        /// The option with the price of a rule.
        option: &'static str,
    },
    /// A price that was given is higher than what any rule gains.
    Price {
        /// The option.
        option: &'static str,
        /// The price.
        price: f64,
    },
    /// On rows left out no rule was worth its price.
    NothingGained,
}

impl NoRules {
    /// The reason; none if there are terms.
    pub fn of(fit: &Fit, data: &Dataset) -> Option<Self> {
        let file = fit.model.file();
        let config = &fit.config;
        if !file.terms.is_empty() {
            return None;
        }
        let option = match (config.selection.max_rules, config.selection.max_local_rules) {
            (Some(0), _) => Some("max_rules"),
            (_, Some(0.0)) => Some("max_local_rules"),
            _ => None,
        };
        if let Some(option) = option {
            return Some(Self::AskedFor { option });
        }
        if data.table.schema().features.iter().all(|feature| config.features.excludes(&feature.name)) {
            return Some(Self::NoColumns);
        }
        if data.table.columns().iter().all(is_constant) {
            return Some(Self::Constant);
        }
        let stop_reason = file.training.stop_reason;
        let has_candidates = file.training.candidates > 0;
        // A time limit may also end the growing of trees.
        if stop_reason == StopReason::TimeLimit || (has_candidates && stop_reason == StopReason::MoveLimit) {
            return Some(Self::Ended);
        }
        if !has_candidates {
            return Some(Self::NoCandidates { rows: file.training.rows });
        }
        let (option, price) = match config.method {
            Method::Glrm => ("lambda0", Some(config.glrm.lambda0)),
            Method::Lire | Method::Rulefit => {
                ("gamma", config.objective.gamma.filter(|_| fit.selection.is_none()))
            }
        };
        let rare = rare_class(data, option).filter(|_| config.classes.class_weight.is_none());
        Some(match (rare, price) {
            (Some(rare), _) => rare,
            (None, Some(price)) => Self::Price { option, price },
            (None, None) => Self::NothingGained,
        })
    }

    /// The reason in words, with options as `spelled` for who reads it.
    pub fn message(&self, spelled: impl Fn(&str) -> String) -> String {
        let why = match self {
            Self::AskedFor { option } => format!("{} asks for none; raise it", spelled(option)),
            Self::Ended => "the search ended before it chose one; give it more time, or more moves".into(),
            Self::NoColumns => format!(
                "all columns are kept out of rules; leave some out of {} or {}",
                spelled("sensitive"),
                spelled("forbid_in_rules")
            ),
            Self::Constant => "no column differs from row to row; give columns that do".into(),
            Self::NoCandidates { rows } => format!(
                "no rule covers enough of the {rows} rows; give more rows or lower {} and {}",
                spelled("min_rows"),
                spelled("min_coverage")
            ),
            Self::RareClass { class, rows, of, option } => format!(
                "only {rows} of {of} rows are `{class}`, so that rules for it gain little; try {} balanced, or a lower {}",
                spelled("class_weight"),
                spelled(option)
            ),
            Self::Price { option, price } => {
                format!("at {} {price} a rule costs more than it gains; lower it", spelled(option))
            }
            Self::NothingGained => format!(
                "on rows left out no rule was worth its price, so the columns may say little about the target; give \
                 more rows or columns, or a low {}",
                spelled("gamma")
            ),
        };
        format!("the model has no rules, only an intercept, and gives every row the same prediction: {why}")
    }
}

fn is_constant(column: &Values) -> bool {
    match column.plain() {
        Plain::Numbers(numbers) => {
            numbers.windows(2).all(|pair| pair[0] == pair[1] || (pair[0].is_nan() && pair[1].is_nan()))
        }
        Plain::Codes(codes) => codes.windows(2).all(|pair| pair[0] == pair[1]),
    }
}

/// The class of the fewest rows, if it is rare.
fn rare_class(data: &Dataset, option: &'static str) -> Option<NoRules> {
    let TargetValues::Classes(of) = &data.target.values else { return None };
    of.check().ok()?;
    let mut counts = vec![0; of.classes.len()];
    of.labels.iter().for_each(|&label| counts[label as usize] += 1);
    let (class, &rows) = counts.iter().enumerate().min_by_key(|(_, count)| **count)?;
    let is_rare = (rows as f64) < RARE * data.n_rows() as f64;
    is_rare.then(|| NoRules::RareClass { class: of.classes[class].clone(), rows, of: data.n_rows(), option })
}
