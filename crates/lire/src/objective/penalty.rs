//! The price of a support, a function of two numbers.

use serde::{Deserialize, Serialize};

/// How λ charges the rules per explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PenaltyKind {
    /// λ times the mean share of the model's rules in an explanation (the paper's `Ω_L`).
    #[default]
    Ratio,
    /// λ times the mean number of rules in an explanation.
    Count,
}

/// γ, λ and the form of the penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// The form.
    pub kind: PenaltyKind,
    /// Price of a rule in the model.
    pub gamma: f64,
    /// Price of rules per explanation.
    pub lambda: f64,
}

/// All that the penalty needs to know of a support.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SupportSummary {
    /// K: the number of rules.
    pub n_rules: usize,
    /// P: the sum of their shares.
    pub coverage_sum: f64,
}

impl SupportSummary {
    /// With a rule more.
    pub fn with(self, share: f64) -> Self {
        Self { n_rules: self.n_rules + 1, coverage_sum: self.coverage_sum + share }
    }

    /// With a rule less.
    pub fn without(self, share: f64) -> Self {
        Self { n_rules: self.n_rules - 1, coverage_sum: self.coverage_sum - share }
    }

    /// `Ω_L`, the mean share of the rules that an explanation needs; 0 for the empty support.
    pub fn omega_local(self) -> f64 {
        if self.n_rules == 0 { 0.0 } else { self.coverage_sum / self.n_rules as f64 }
    }
}

impl Penalty {
    /// With other prices, as factors of these.
    pub fn times(self, gamma: f64, lambda: f64) -> Self {
        Self { gamma: self.gamma * gamma, lambda: self.lambda * lambda, ..self }
    }

    /// The price of a support.
    pub fn of(&self, support: SupportSummary) -> f64 {
        let local = match self.kind {
            PenaltyKind::Ratio => support.omega_local(),
            PenaltyKind::Count => support.coverage_sum,
        };
        self.gamma * support.n_rules as f64 + self.lambda * local
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Lemma of the paper: `C_m = γ + λ (p_m − Ω_L)/(K + 1)`.
    #[test]
    fn lemma_of_the_price_of_a_rule() {
        let penalty = Penalty { kind: PenaltyKind::Ratio, gamma: 0.01, lambda: 0.3 };
        let support = SupportSummary { n_rules: 4, coverage_sum: 1.7 };
        let share = 0.2;
        let expected = 0.01 + 0.3 * (share - support.omega_local()) / 5.0;
        assert!((penalty.of(support.with(share)) - penalty.of(support) - expected).abs() < 1e-15);
        let empty = SupportSummary::default();
        assert!((penalty.of(empty.with(share)) - penalty.of(empty) - (0.01 + 0.3 * share)).abs() < 1e-15);
    }
}
