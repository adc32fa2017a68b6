//! Wilcoxon's signed-rank test: whether differences of pairs lean to one side.

use serde::{Deserialize, Serialize};

/// Up to so many differences the distribution is counted out, beyond it is taken as normal; where
/// scipy changes over too. Below 2⁵³ all counts of sign patterns are exact in floating point.
const MOST_EXACT: usize = 50;

/// What is to be shown of the differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Alternative {
    /// They lean below 0.
    Less,
    /// They lean above 0.
    Greater,
}

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wilcoxon {
    /// The sum of the ranks of the positive differences.
    pub statistic: f64,
    /// The number of differences that are not 0, and count.
    pub n: usize,
    /// The chance of a statistic as far to the side of the alternative, or farther, if either sign of
    /// each difference is equally likely.
    pub p_value: f64,
}

impl Wilcoxon {
    /// Tests differences. Those of 0 (or no number) are left out; of equal size, they share their mean
    /// rank. The p-value is exact for the ties there are, up to 50 differences, and 1 if there are none.
    pub fn of(differences: &[f64], alternative: Alternative) -> Self {
        let mut counted: Vec<f64> = differences.iter().copied().filter(|d| d.abs() > 0.0).collect();
        counted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
        let n = counted.len();
        if n == 0 {
            return Self { statistic: 0.0, n, p_value: 1.0 };
        }
        let doubled = doubled_ranks(&counted);
        let positive = counted.iter().zip(&doubled).filter(|(difference, _)| **difference > 0.0);
        let statistic: usize = positive.map(|(_, rank)| rank).sum();
        // By symmetry the chance of as low a sum as this is that of as high a sum as all others make.
        let at_most = match alternative {
            Alternative::Less => statistic,
            Alternative::Greater => n * (n + 1) - statistic,
        };
        let p_value = if n <= MOST_EXACT { exact(&doubled, at_most) } else { asymptotic(&counted, at_most) };
        Self { statistic: statistic as f64 / 2.0, n, p_value }
    }
}

/// The ranks of differences sorted by size, twice: so are the mean ranks of ties whole.
fn doubled_ranks(sorted: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    for tied in ties(sorted) {
        // The first of them has rank `len + 1`, the last `len + tied`.
        let doubled = 2 * ranks.len() + 1 + tied;
        ranks.extend(std::iter::repeat_n(doubled, tied));
    }
    ranks
}

/// The numbers of neighbours of equal size.
fn ties(sorted: &[f64]) -> impl Iterator<Item = usize> + '_ {
    sorted.chunk_by(|a, b| a.abs() == b.abs()).map(<[f64]>::len)
}

/// The share of sign patterns whose positive ranks add up to no more.
fn exact(doubled_ranks: &[usize], at_most: usize) -> f64 {
    let total: usize = doubled_ranks.iter().sum();
    // The number of patterns of each sum, rank by rank: each is in or out.
    let mut patterns = vec![0.0_f64; total + 1];
    patterns[0] = 1.0;
    let mut reached = 0;
    for &rank in doubled_ranks {
        for sum in (0..=reached).rev() {
            patterns[sum + rank] += patterns[sum];
        }
        reached += rank;
    }
    patterns[..=at_most].iter().sum::<f64>() / patterns.iter().sum::<f64>()
}

/// The same by the normal distribution, its variance lessened by ties.
fn asymptotic(sorted: &[f64], doubled_at_most: usize) -> f64 {
    let n = sorted.len() as f64;
    let mean = n * (n + 1.0) / 4.0;
    let tied: f64 = ties(sorted).map(|tied| (tied as f64).powi(3) - tied as f64).sum();
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - tied / 2.0) / 24.0;
    normal_tail((mean - doubled_at_most as f64 / 2.0) / variance.sqrt())
}

/// The chance of a standard normal number above `z`.
fn normal_tail(z: f64) -> f64 {
    /// Beyond it the continued fraction converges within [`TERMS`], below it the series does.
    const FAR: f64 = 2.5;
    const TERMS: u32 = 120;
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 0.0 {
        return 1.0 - normal_tail(-z);
    }
    if z > FAR {
        // Laplace's continued fraction, from its far end: 1 / (z + 1 / (z + 2 / (z + 3 / …))).
        return density / (1..=TERMS).rev().fold(z, |rest, k| z + f64::from(k) / rest);
    }
    // z + z³/3 + z⁵/(3·5) + …
    let (_, sum) = (1..=TERMS).fold((z, z), |(term, sum), k| {
        let term = term * z * z / f64::from(2 * k + 1);
        (term, sum + term)
    });
    0.5 - density * sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn both(differences: &[f64]) -> [Wilcoxon; 2] {
        [Alternative::Less, Alternative::Greater].map(|alternative| Wilcoxon::of(differences, alternative))
    }

    fn assert_outcome(differences: &[f64], statistic: f64, p_values: [f64; 2]) {
        for (found, p_value) in both(differences).iter().zip(p_values) {
            assert_eq!(found.statistic, statistic);
            assert!((found.p_value - p_value).abs() < 1e-12 * p_value, "{} is not {p_value}", found.p_value);
        }
    }

    /// scipy 1.17.1: `wilcoxon(d, alternative="less" and "greater", method="exact", zero_method="wilcox")`.
    #[test]
    fn exact_tests_are_those_of_scipy() {
        let some = [0.5, -1.25, 2.0, 3.5, -0.75, 4.25, 1.0, 2.25, -0.1, 0.3];
        assert_outcome(&some, 44.0, [0.958_007_812_5, 0.052_734_375]);
        let small = [-0.0013, 0.0021, -0.0034, -0.0008, -0.0055, 0.0004, -0.0027, -0.0019, -0.0061, -0.0042];
        assert_outcome(&small, 6.0, [0.013_671_875, 0.990_234_375]);
        assert_outcome(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 21.0, [1.0, 0.015_625]);
        assert_outcome(&[0.0, 1.5, -2.5, 0.0, 3.5], 4.0, [0.75, 0.375]);
        let many: Vec<f64> = (0..30)
            .map(|i| match f64::from(i) {
                x if i % 3 == 0 => (x + 1.0) * 2.1,
                x => (-1.0_f64).powi(i) * (x + 0.5).powf(1.5),
            })
            .collect();
        assert_outcome(&many, 291.0, [0.885_723_588_988_184_9, 0.118_326_172_232_627_87]);
    }

    /// The same with `method="asymptotic", correction=False`, one with ties and zeros and one without.
    #[test]
    fn asymptotic_tests_are_those_of_scipy() {
        let ties: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 23) - 9.0).collect();
        assert_outcome(&ties, 1116.0, [0.978_233_972_118_602_5, 0.021_766_027_881_397_504]);
        assert_eq!(Wilcoxon::of(&ties, Alternative::Less).n, 58);
        let none: Vec<f64> = (0..80).map(|i| f64::from(i * 37 % 101) - 60.5).collect();
        assert_outcome(&none, 1027.5, [0.002_242_318_990_455_599_6, 0.997_757_681_009_544_4]);
    }

    /// scipy 1.17.1: `norm.sf`.
    #[test]
    fn the_normal_tail_is_that_of_scipy() {
        let expected = [
            (0.0, 0.5),
            (0.5, 0.308_537_538_725_986_9),
            (1.96, 0.024_997_895_148_220_435),
            (2.45, 0.007_142_810_735_271_415),
            (2.55, 0.005_386_145_954_066_687),
            (2.9, 0.001_865_813_300_384_037_5),
            (3.1, 0.000_967_603_213_218_356_3),
            (6.0, 9.865_876_450_376_946e-10),
            (10.0, 7.619_853_024_160_47e-24),
            (-1.0, 0.841_344_746_068_542_9),
            (-8.0, 0.999_999_999_999_999_3),
        ];
        for (z, tail) in expected {
            assert!((normal_tail(z) / tail - 1.0).abs() < 1e-12, "{z}: {} is not {tail}", normal_tail(z));
        }
    }

    #[test]
    fn without_differences_nothing_is_shown() {
        for outcome in both(&[0.0, -0.0, f64::NAN]).iter().chain(&both(&[])) {
            assert_eq!(*outcome, Wilcoxon { statistic: 0.0, n: 0, p_value: 1.0 });
        }
    }

    #[test]
    fn the_normal_distribution_follows_the_exact_one() {
        let differences: Vec<f64> =
            (1..=50).map(|i| f64::from(i) * if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
        let found = Wilcoxon::of(&differences, Alternative::Greater);
        let doubled_at_most = 50 * 51 - (2.0 * found.statistic) as usize;
        let normal = asymptotic(&differences, doubled_at_most);
        assert!((found.p_value / normal - 1.0).abs() < 0.05, "{} and {normal}", found.p_value);
    }

    proptest! {
        /// All sign patterns one by one, with ranks by counting; the sizes are few, so there are ties.
        #[test]
        fn ties_are_counted_out(differences in proptest::collection::vec(-4i8..=4, 0..10)) {
            let differences: Vec<f64> = differences.iter().map(|&d| f64::from(d)).collect();
            let counted: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
            let rank = |d: f64| {
                let below = counted.iter().filter(|other| other.abs() < d.abs()).count() as f64;
                let equal = counted.iter().filter(|other| other.abs() == d.abs()).count() as f64;
                below + f64::midpoint(equal, 1.0)
            };
            let ranks: Vec<f64> = counted.iter().map(|&d| rank(d)).collect();
            let statistic: f64 = (0..ranks.len()).filter(|&i| counted[i] > 0.0).map(|i| ranks[i]).sum();
            let (mut less, mut greater) = (0u32, 0u32);
            for signs in 0..1u32 << ranks.len() {
                let sum: f64 = (0..ranks.len()).filter(|i| signs >> i & 1 == 1).map(|i| ranks[i]).sum();
                less += u32::from(sum <= statistic);
                greater += u32::from(sum >= statistic);
            }
            let patterns = f64::from(1u32 << ranks.len());
            let [found_less, found_greater] = both(&differences);
            prop_assert_eq!(found_less.statistic, statistic);
            prop_assert_eq!(found_less.n, counted.len());
            prop_assert!((found_less.p_value - f64::from(less) / patterns).abs() < 1e-15);
            prop_assert!((found_greater.p_value - f64::from(greater) / patterns).abs() < 1e-15);
        }
    }
}
