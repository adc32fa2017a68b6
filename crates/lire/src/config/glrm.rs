//! What GLRM alone has.

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::ranges::{at_least, from_zero_up};
use super::uses::Purpose;
use crate::error::{Error, Result};

/// Options of GLRM: what conjunctions cost, and how they are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct GlrmOptions {
    /// `glrm`: the price of a rule.
    pub lambda0: f64,
    /// `glrm`: the price of each condition of a rule; by default a fifth of lambda0.
    pub lambda1: Option<f64>,
    /// `glrm`: rules that are followed at a time when a better one is sought.
    pub beam_width: usize,
    /// `glrm`: the most conditions of a rule.
    pub max_degree: usize,
    /// `glrm`: the most rules that are sought.
    pub max_rounds: usize,
    /// `glrm`: re-fit the weights without penalty in the end.
    pub debias: bool,
    /// How much the bound of all longer rules counts in choosing those that the search makes longer, beside their own
    /// reduced cost. It is no option of a fit.
    ///
    /// One half is what the authors of the method take. Where columns have rare levels the bound favours `≠` of each
    /// of them, which keeps almost all rows; 0 then finds more.
    #[serde(skip)]
    pub bound_share: f64,
}

impl Default for GlrmOptions {
    fn default() -> Self {
        Self {
            lambda0: 0.001,
            lambda1: None,
            beam_width: 1,
            max_degree: 10,
            max_rounds: 200,
            debias: true,
            bound_share: 0.5,
        }
    }
}

impl Group for GlrmOptions {
    fn purpose(_option: &str) -> Purpose {
        Purpose::Glrm
    }

    fn check(&self) -> Result<()> {
        GlrmOptions::check(self)
    }
}

impl GlrmOptions {
    /// λ1 as a share of λ0 where nothing else is said.
    const LAMBDA1_SHARE: f64 = 0.2;

    /// Refuses values that cannot be meant.
    pub fn check(&self) -> Result<()> {
        from_zero_up("lambda0", Some(self.lambda0))?;
        from_zero_up("lambda1", self.lambda1)?;
        if self.price(1) <= 0.0 {
            let message = "at a price of 0 all rules would be chosen; give a number above 0";
            return Err(Error::config("lambda0", message));
        }
        at_least("beam_width", self.beam_width, 1)?;
        at_least("max_degree", self.max_degree, 1)?;
        if !(0.0..=1.0).contains(&self.bound_share) {
            return Err(Error::config("bound_share", format!("{} is not from 0 to 1", self.bound_share)));
        }
        Ok(())
    }

    /// λ1.
    pub fn lambda1(&self) -> f64 {
        self.lambda1.unwrap_or(Self::LAMBDA1_SHARE * self.lambda0)
    }

    /// The price of a unit of weight of a conjunction of so many literals.
    pub fn price(&self, length: usize) -> f64 {
        self.lambda0 + self.lambda1() * length as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Method};

    #[test]
    fn free_rules_are_refused() {
        let refused = |lambda0: f64, lambda1: Option<f64>| {
            let config = Config::default().with(|config| {
                config.method = Method::Glrm;
                config.glrm = GlrmOptions { lambda0, lambda1, ..GlrmOptions::default() };
            });
            match config.check_values() {
                Err(Error::Config { parameter, .. }) => parameter,
                other => format!("{other:?}"),
            }
        };
        assert_eq!(refused(0.0, None), "lambda0");
        assert_eq!(refused(0.0, Some(0.0)), "lambda0");
        assert_eq!(refused(0.0, Some(0.01)), "Ok(())");
        assert_eq!(refused(0.01, Some(0.0)), "Ok(())");
    }
}
