//! How much there is to read in a rule ensemble, and in its explanations.

use schemars::JsonSchema;
use serde::Serialize;

/// The size of an ensemble and of the explanations it gives.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RuleMeasures {
    /// The number of rules, the paper's `|S|`.
    pub support: usize,
    /// The mean number of rules that cover a row, the paper's `|S(x)|`; 0 without rows.
    pub local_support_mean: f64,
    /// The largest number of rules that cover a row.
    pub local_support_max: usize,
    /// The mean number of rules that cover a row as a share of all rules, the paper's `Ω_L`; 0
    /// without rules.
    pub support_ratio: f64,
    /// How different the rows are that two rules cover: the mean Jaccard distance, 0 to 1. None for
    /// fewer than two rules.
    pub diversity: Option<f64>,
}

impl RuleMeasures {
    /// Measures an ensemble by what each of its rules covers: packed rows, row `r` being bit
    /// `r mod 64` of word `r / 64`.
    pub fn of<C: AsRef<[u64]>>(coverage: &[C], weights: &[f64]) -> Self {
        let support = coverage.len();
        let mut local = vec![0; weights.len()];
        for rows in coverage {
            members(rows.as_ref(), weights.len()).for_each(|row| local[row] += 1);
        }
        Self::from_local_support(support, &local, weights, diversity(coverage, weights))
    }

    /// Puts together what is known already: the number of rules, how many of them cover each row, and
    /// their diversity.
    pub fn from_local_support(
        support: usize,
        local: &[usize],
        weights: &[f64],
        diversity: Option<f64>,
    ) -> Self {
        let total: f64 = weights.iter().sum();
        let sum: f64 = local.iter().zip(weights).map(|(&rules, weight)| rules as f64 * weight).sum();
        let mean = if total > 0.0 { sum / total } else { 0.0 };
        let counted = local.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        Self {
            support,
            local_support_mean: mean,
            local_support_max: counted.map(|(&rules, _)| rules).max().unwrap_or(0),
            support_ratio: if support > 0 { mean / support as f64 } else { 0.0 },
            diversity,
        }
    }
}

/// The mean over all pairs of rules of their Jaccard distance: 1 less the weight that both cover as a
/// share of the weight that either covers. Two rules that cover nothing are at distance 0. None for
/// fewer than two rules.
pub fn diversity<C: AsRef<[u64]>>(coverage: &[C], weights: &[f64]) -> Option<f64> {
    let n_rules = coverage.len();
    if n_rules < 2 {
        return None;
    }
    let covered: Vec<f64> = coverage.iter().map(|rows| weight_of(rows.as_ref(), weights)).collect();
    let mut sum = 0.0;
    for (a, one) in coverage.iter().enumerate() {
        for (b, other) in coverage.iter().enumerate().skip(a + 1) {
            let both: Vec<u64> = one.as_ref().iter().zip(other.as_ref()).map(|(a, b)| a & b).collect();
            let both = weight_of(&both, weights);
            let either = covered[a] + covered[b] - both;
            if either > 0.0 {
                sum += 1.0 - both / either;
            }
        }
    }
    Some(sum / (n_rules * (n_rules - 1) / 2) as f64)
}

/// The weight of a packed set of rows.
fn weight_of(rows: &[u64], weights: &[f64]) -> f64 {
    members(rows, weights.len()).map(|row| weights[row]).sum()
}

/// The rows of a packed set, ascending.
fn members(rows: &[u64], n_rows: usize) -> impl Iterator<Item = usize> + '_ {
    let bits = |(word, &bits): (usize, &u64)| {
        let rest = std::iter::successors(Some(bits), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0).map(move |rest| 64 * word + rest.trailing_zeros() as usize)
    };
    rows.iter().enumerate().flat_map(bits).take_while(move |&row| row < n_rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_support_counts_the_rules_of_each_row() {
        let measures = RuleMeasures::of(&[[0b0111_u64], [0b0011], [0b1000]], &[1.0; 4]);
        assert_eq!((measures.support, measures.local_support_max), (3, 2));
        assert_eq!(measures.local_support_mean, 1.5);
        assert_eq!(measures.support_ratio, 0.5);
        // The distances are 1/3, 1 and 1.
        assert!((measures.diversity.unwrap() - 7.0 / 9.0).abs() < 1e-15);
    }

    #[test]
    fn a_weight_is_a_repetition() {
        let weighted = RuleMeasures::of(&[[0b001_u64], [0b011]], &[1.0, 3.0, 0.0]);
        let repeated = RuleMeasures::of(&[[0b0001_u64], [0b1111]], &[1.0; 4]);
        assert_eq!(weighted, repeated);
        assert_eq!(weighted.diversity, Some(0.75));
        let unseen = RuleMeasures::of(&[[0b100_u64], [0b100]], &[1.0, 1.0, 0.0]);
        assert_eq!((unseen.local_support_max, unseen.diversity), (0, Some(0.0)));
    }

    #[test]
    fn few_or_no_rules_are_legal() {
        let empty = RuleMeasures::of::<[u64; 1]>(&[], &[1.0]);
        assert_eq!((empty.support, empty.support_ratio, empty.diversity), (0, 0.0, None));
        let single = RuleMeasures::of(&[[1_u64]], &[1.0, 1.0]);
        assert_eq!((single.local_support_mean, single.diversity), (0.5, None));
        assert_eq!(RuleMeasures::of::<[u64; 0]>(&[[]], &[]).local_support_mean, 0.0);
    }

    #[test]
    fn rows_beyond_the_first_word_count() {
        let measures = RuleMeasures::of(&[[0_u64, 1], [1 << 63, 1]], &[1.0; 65]);
        assert_eq!((measures.local_support_max, measures.diversity), (2, Some(0.5)));
    }
}
