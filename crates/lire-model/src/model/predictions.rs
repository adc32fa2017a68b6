//! What was predicted for some rows, of any task.

/// What was predicted, of each row.
#[derive(Debug, Clone, PartialEq)]
pub enum Predictions {
    /// A class.
    Classes(ClassPredictions),
    /// A number.
    Numbers(Vec<f64>),
}

/// The predicted class of each row, and how it came about.
///
/// Of two classes there is one column of scores and probabilities: those of the second, the positive
/// one. Of more there is one for each class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassPredictions {
    /// What orders the rows, those likely of the class highest; the probabilities may serve.
    pub scores: Vec<Vec<f64>>,
    /// The probabilities of the classes; of several they add up to 1 in each row.
    pub probabilities: Vec<Vec<f64>>,
    /// The position of each row's predicted class among the classes.
    pub labels: Vec<u32>,
}

impl Predictions {
    /// The output that each row's prediction rests on: of several classes that of the predicted one,
    /// else the only one.
    pub fn outputs(&self) -> Vec<u32> {
        match self {
            Self::Classes(said) if said.scores.len() > 1 => said.labels.clone(),
            Self::Classes(said) => vec![0; said.labels.len()],
            Self::Numbers(values) => vec![0; values.len()],
        }
    }
}
