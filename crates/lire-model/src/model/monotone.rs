//! Proof that a model keeps its constraints.

use super::Model;
use crate::error::{Error, Result};
use crate::rules::{Allowed, Direction};

impl Model {
    /// Fails unless each term pushes the way that the constraints, one for each feature, allow: then their sum is
    /// monotone too, and so is the probability.
    pub fn check_monotone(&self, constraints: &[Option<Direction>]) -> Result<()> {
        if constraints.iter().all(Option::is_none) {
            return Ok(());
        }
        let n_features = self.schema().features.len();
        if constraints.len() != n_features {
            let message = format!("{} constraints for {n_features} features", constraints.len());
            return Err(Error::config("monotone", message));
        }
        for output in &self.file().outputs {
            let of_rules = self.rules().iter().map(|rule| rule.allowed(constraints));
            let of_linear = self.linear().iter().map(|linear| match constraints[linear.feature] {
                None => Allowed::Any,
                Some(Direction::Increasing) => Allowed::Up,
                Some(Direction::Decreasing) => Allowed::Down,
            });
            for (term, (allowed, &weight)) in of_rules.chain(of_linear).zip(&output.weights).enumerate() {
                let keeps = match allowed {
                    Allowed::Any => true,
                    Allowed::Up => weight >= 0.0,
                    Allowed::Down => weight <= 0.0,
                    Allowed::Nothing => weight == 0.0,
                };
                if !keeps {
                    let message =
                        format!("terms[{term}] with its weight {weight} breaks a monotone constraint");
                    return Err(Error::model("the fitted model", message));
                }
            }
        }
        Ok(())
    }
}
