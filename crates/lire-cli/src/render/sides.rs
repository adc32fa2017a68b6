//! What the two sides of the axis of a score stand for.

use lire::Model;

/// The names of the sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Sides {
    /// What negative weights speak for.
    pub low: String,
    /// What positive weights speak for.
    pub high: String,
}

impl Sides {
    /// Those of one output of a model: two classes, a class and the others, or lower and higher numbers.
    pub fn of(model: &Model, output: usize) -> Self {
        let (low, high) = match model.classes() {
            [] => ("lower", "higher"),
            [negative, positive] => (negative.as_str(), positive.as_str()),
            classes => ("others", classes[output].as_str()),
        };
        Self { low: low.to_owned(), high: high.to_owned() }
    }
}
