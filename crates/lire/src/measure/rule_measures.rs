//! How much there is to read in a rule ensemble, and in its explanations.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::checks::{check_length, check_rows};
use super::kinds::Measure;
use crate::error::{Error, Result};
use crate::rules::n_words;

/// The size of an ensemble and of the explanations it gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleMeasures {
    /// The number of rules, the paper's `|S|`.
    pub support: usize,
    /// The mean number of rules that explain a row, the paper's `|S(x)|`: those that cover it and, of
    /// several outputs, have a weight in the one that its prediction rests on; 0 without rows.
    pub local_support_mean: f64,
    /// The mean number of rules that cover a row and have a weight in any of several outputs: what
    /// there is to read if one asks why not another class. None for a single output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_support_all_mean: Option<f64>,
    /// The largest number of rules that explain a row.
    pub local_support_max: usize,
    /// The mean number of rules that explain a row as a share of all rules, the paper's `Ω_L`; 0
    /// without rules.
    pub support_ratio: f64,
    /// How different the rows are that two rules cover: the mean Jaccard distance, 0 to 1. None for
    /// fewer than two rules.
    pub diversity: Option<f64>,
}

impl RuleMeasures {
    /// Measures an ensemble of one output by what each of its rules covers: packed rows, row `r` being
    /// bit `r mod 64` of word `r / 64`.
    pub fn of<C: AsRef<[u64]>>(coverage: &[C], weights: &[f64]) -> Result<Self> {
        let every_rule = vec![1.0; coverage.len()];
        Self::of_outputs(coverage, &[every_rule], &vec![0; weights.len()], weights)
    }

    /// Measures an ensemble by what each of its rules covers, the weights of the rules in each output
    /// (0 where it does not use one), and the output that each row's prediction rests on.
    pub fn of_outputs<C: AsRef<[u64]>, O: AsRef<[f64]>>(
        coverage: &[C],
        outputs: &[O],
        output_of_row: &[u32],
        weights: &[f64],
    ) -> Result<Self> {
        let (sizes, used) = Self::sizes(coverage, outputs, output_of_row, weights)?;
        Ok(Self { diversity: diversity(&used, weights)?, ..sizes })
    }

    /// The same without the diversity, which takes longer than all else, and what the rules that have a weight cover.
    pub fn sizes<'c, C: AsRef<[u64]>, O: AsRef<[f64]>>(
        coverage: &'c [C],
        outputs: &[O],
        output_of_row: &[u32],
        weights: &[f64],
    ) -> Result<(Self, Vec<&'c C>)> {
        let n_rows = weights.len();
        check_coverage(coverage, n_rows)?;
        check_length(n_rows, output_of_row.len(), "outputs that predictions rest on")?;
        for output in outputs {
            if output.as_ref().len() != coverage.len() {
                let message = format!("{} weights for {} rules", output.as_ref().len(), coverage.len());
                return Err(Error::data("evaluation", message));
            }
        }
        check_rows(output_of_row, "there is no such output", |&output| (output as usize) < outputs.len())?;
        let (mut local, mut all) = (vec![0usize; n_rows], vec![0usize; n_rows]);
        let mut used = Vec::new();
        for (rule, rows) in coverage.iter().enumerate() {
            let uses: Vec<bool> = outputs.iter().map(|output| output.as_ref()[rule] != 0.0).collect();
            if !uses.contains(&true) {
                continue;
            }
            used.push(rows);
            for row in members(rows.as_ref(), n_rows) {
                local[row] += usize::from(uses[output_of_row[row] as usize]);
                all[row] += 1;
            }
        }
        let support = used.len();
        let local_support_mean = mean(&local, weights);
        let counted = local.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        let sizes = Self {
            support,
            local_support_mean,
            local_support_all_mean: (outputs.len() > 1).then(|| mean(&all, weights)),
            local_support_max: counted.map(|(&rules, _)| rules).max().unwrap_or(0),
            support_ratio: if support > 0 { local_support_mean / support as f64 } else { 0.0 },
            diversity: None,
        };
        Ok((sizes, used))
    }

    /// One of the measures; none if it is none of rules, or there is no such value.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Support => Some(self.support as f64),
            Measure::LocalSupportMean => Some(self.local_support_mean),
            Measure::LocalSupportAllMean => self.local_support_all_mean,
            Measure::LocalSupportMax => Some(self.local_support_max as f64),
            Measure::SupportRatio => Some(self.support_ratio),
            Measure::Diversity => self.diversity,
            _ => None,
        }
    }
}

/// The weighted mean of counts; 0 without rows.
fn mean(counts: &[usize], weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let sum: f64 = counts.iter().zip(weights).map(|(&count, weight)| count as f64 * weight).sum();
    if total > 0.0 { sum / total } else { 0.0 }
}

/// The mean over all pairs of rules of their Jaccard distance: 1 less the weight that both cover as a
/// share of the weight that either covers. Two rules that cover nothing are at distance 0. None for
/// fewer than two rules.
pub fn diversity<C: AsRef<[u64]>>(coverage: &[C], weights: &[f64]) -> Result<Option<f64>> {
    check_coverage(coverage, weights.len())?;
    let n_rules = coverage.len();
    if n_rules < 2 {
        return Ok(None);
    }
    let counted = counted_rows(weights);
    let sets: Vec<Vec<u64>> = coverage
        .iter()
        .map(|rows| rows.as_ref().iter().zip(&counted).map(|(rows, counted)| rows & counted).collect())
        .collect();
    // Where all rows count the same, their number says it all, and is found much faster.
    let sum = if weigh_the_same(weights) {
        distances(&sets, |rows| rows.iter().map(|word| word.count_ones()).sum::<u32>().into())
    } else {
        distances(&sets, |rows| weight_of(rows, weights))
    };
    Ok(Some(sum / (n_rules * (n_rules - 1) / 2) as f64))
}

/// The sum of the Jaccard distances of all pairs of sets, rule by rule, so that it does not depend on the thread count.
fn distances(sets: &[Vec<u64>], size: impl Fn(&[u64]) -> f64 + Sync) -> f64 {
    let sizes: Vec<f64> = sets.par_iter().map(|set| size(set)).collect();
    let to_later = |one: usize| {
        let mut both = Vec::new();
        let distance = |other: usize| {
            both.clear();
            both.extend(sets[one].iter().zip(&sets[other]).map(|(a, b)| a & b));
            let both = size(&both);
            let either = sizes[one] + sizes[other] - both;
            if either > 0.0 { 1.0 - both / either } else { 0.0 }
        };
        (one + 1..sets.len()).map(distance).sum::<f64>()
    };
    (0..sets.len()).into_par_iter().map(to_later).collect::<Vec<f64>>().into_iter().sum()
}

/// The rows that have a weight, packed.
fn counted_rows(weights: &[f64]) -> Vec<u64> {
    let word = |rows: &[f64]| {
        rows.iter().enumerate().fold(0, |word, (row, weight)| word | u64::from(*weight > 0.0) << row)
    };
    weights.chunks(64).map(word).collect()
}

/// Whether all rows that have a weight have the same.
fn weigh_the_same(weights: &[f64]) -> bool {
    let mut positive = weights.iter().filter(|weight| **weight > 0.0);
    let first = positive.next();
    positive.all(|weight| Some(weight) == first)
}

/// Fails unless what rules cover are sets of so many rows.
fn check_coverage<C: AsRef<[u64]>>(coverage: &[C], n_rows: usize) -> Result<()> {
    let needed = n_words(n_rows);
    match coverage.iter().position(|rows| rows.as_ref().len() < needed) {
        None => Ok(()),
        Some(rule) => {
            let message = format!("the coverage of rule {} is not given for all {n_rows} rows", rule + 1);
            Err(Error::data("evaluation", message))
        }
    }
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
    use crate::binning::mix;

    #[test]
    fn local_support_counts_the_rules_of_each_row() {
        let measures = RuleMeasures::of(&[[0b0111_u64], [0b0011], [0b1000]], &[1.0; 4]).unwrap();
        assert_eq!((measures.support, measures.local_support_max), (3, 2));
        assert_eq!(measures.local_support_mean, 1.5);
        assert_eq!(measures.support_ratio, 0.5);
        // The distances are 1/3, 1 and 1.
        assert!((measures.diversity.unwrap() - 7.0 / 9.0).abs() < 1e-15);
    }

    #[test]
    fn a_weight_is_a_repetition() {
        let weighted = RuleMeasures::of(&[[0b001_u64], [0b011]], &[1.0, 3.0, 0.0]).unwrap();
        let repeated = RuleMeasures::of(&[[0b0001_u64], [0b1111]], &[1.0; 4]).unwrap();
        assert_eq!(weighted, repeated);
        assert_eq!(weighted.diversity, Some(0.75));
        let unseen = RuleMeasures::of(&[[0b100_u64], [0b100]], &[1.0, 1.0, 0.0]).unwrap();
        assert_eq!((unseen.local_support_max, unseen.diversity), (0, Some(0.0)));
    }

    #[test]
    fn few_or_no_rules_are_legal() {
        let empty = RuleMeasures::of::<[u64; 1]>(&[], &[1.0]).unwrap();
        assert_eq!((empty.support, empty.support_ratio, empty.diversity), (0, 0.0, None));
        let single = RuleMeasures::of(&[[1_u64]], &[1.0, 1.0]).unwrap();
        assert_eq!((single.local_support_mean, single.diversity), (0.5, None));
        assert_eq!(RuleMeasures::of::<[u64; 0]>(&[[]], &[]).unwrap().local_support_mean, 0.0);
    }

    #[test]
    fn of_several_outputs_the_predicted_one_explains() {
        // The rules' weights in three outputs; the last rule is in none.
        let outputs = [[1.0, 0.0, 0.0, 0.0], [-2.0, 0.5, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0]];
        let coverage = [[0b0111_u64], [0b0011], [0b1001], [0b1111]];
        let weights = [1.0, 2.0, 1.0, 0.0];
        let measures = RuleMeasures::of_outputs(&coverage, &outputs, &[2, 1, 0, 1], &weights).unwrap();
        assert_eq!((measures.support, measures.local_support_max), (3, 2));
        // Row 0 has rule 2; row 1 the rules 0 and 1; row 2 rule 0; row 3 does not count.
        assert_eq!(measures.local_support_mean, (1.0 + 2.0 * 2.0 + 1.0) / 4.0);
        assert_eq!(measures.local_support_all_mean, Some((3.0 + 2.0 * 2.0 + 1.0) / 4.0));
        assert_eq!(measures.support_ratio, 0.5);
        let json = serde_json::to_value(&measures).unwrap();
        assert_eq!(json["local_support_all_mean"], 2.0);
        let single = serde_json::to_value(RuleMeasures::of(&coverage, &weights).unwrap()).unwrap();
        assert!(single.get("local_support_all_mean").is_none());
    }

    #[test]
    fn counted_rows_and_summed_weights_agree() {
        let coverage: Vec<[u64; 3]> =
            (0..9).map(|rule| [3, 5, 7].map(|salt| mix(rule * 31 + salt) & mix(rule ^ salt << 9))).collect();
        let equal: Vec<f64> = (0..150).map(|row| if row % 7 == 0 { 0.0 } else { 2.0 }).collect();
        // So nearly equal that the result is the same, but not to the bit: the weights are summed up.
        let nearly: Vec<f64> =
            equal.iter().enumerate().map(|(row, weight)| weight * (1.0 + 1e-14 * row as f64)).collect();
        assert!(weigh_the_same(&equal) && !weigh_the_same(&nearly));
        let [equal, nearly] = [equal, nearly].map(|weights| diversity(&coverage, &weights).unwrap().unwrap());
        assert!((equal - nearly).abs() < 1e-9 && equal > 0.1 && equal < 0.95, "{equal} {nearly}");
    }

    #[test]
    fn rows_beyond_the_first_word_count() {
        let measures = RuleMeasures::of(&[[0_u64, 1], [1 << 63, 1]], &[1.0; 65]).unwrap();
        assert_eq!((measures.local_support_max, measures.diversity), (2, Some(0.5)));
    }
}
