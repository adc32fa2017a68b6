//! The scores of a model, and what the two sides of each stand for.

use serde::{Deserialize, Serialize};

use crate::explain::{GlobalExplanation, explain_outputs};
use crate::model::Model;

/// The scores of a model with their terms: flat if there is one, else a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ModelScores {
    /// The only one.
    One(GlobalExplanation),
    /// One for each class.
    Several {
        /// In the order of the classes.
        outputs: Vec<GlobalExplanation>,
    },
}

impl ModelScores {
    /// In the form that their number asks for.
    pub fn of(model: &Model) -> Self {
        let mut outputs = explain_outputs(model);
        match (outputs.pop(), outputs.is_empty()) {
            (Some(one), true) => Self::One(one),
            (last, _) => {
                outputs.extend(last);
                Self::Several { outputs }
            }
        }
    }

    /// All of them.
    pub fn all(&self) -> &[GlobalExplanation] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Several { outputs } => outputs,
        }
    }
}

/// What the two sides of the axis of a score stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sides {
    /// What negative weights speak for.
    pub low: String,
    /// What positive weights speak for.
    pub high: String,
}

impl Sides {
    /// Those of each score: two classes, a class and the others, or lower and higher numbers.
    pub fn of(model: &Model) -> Vec<Self> {
        let sides = |low: &str, high: &str| Self { low: low.to_owned(), high: high.to_owned() };
        match model.classes() {
            [] => vec![sides("lower", "higher")],
            [negative, positive] => vec![sides(negative, positive)],
            classes => classes.iter().map(|class| sides("others", class)).collect(),
        }
    }
}
