//! Whether probabilities mean what they say: how often rows are positive that were given about the same probability.

use serde::{Deserialize, Serialize};

/// Ranges of probability of the same width.
const N_BINS: usize = 10;

/// Rows by the probability that was given: of two classes to the positive one, of several to the predicted one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reliability {
    /// The ranges, from 0 to 1.
    pub bins: Vec<ReliabilityBin>,
}

/// Rows of about the same probability.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReliabilityBin {
    /// Their weight.
    pub weight: f64,
    /// The weighted mean of the probabilities; 0 without rows.
    pub probability: f64,
    /// The share of them that is of the class; 0 without rows.
    pub share: f64,
}

impl Reliability {
    /// Sorts rows into bins: their probability, whether they are of the class, and their weight.
    pub fn of(rows: impl Iterator<Item = (f64, bool, f64)>) -> Self {
        let mut sums = [[0.0f64; 3]; N_BINS];
        for (probability, is_of_class, weight) in rows.filter(|(.., weight)| *weight > 0.0) {
            let bin = ((probability * N_BINS as f64) as usize).min(N_BINS - 1);
            sums[bin][0] += weight;
            sums[bin][1] += weight * probability;
            sums[bin][2] += if is_of_class { weight } else { 0.0 };
        }
        Self { bins: sums.iter().map(ReliabilityBin::of_sums).collect() }
    }

    /// The expected calibration error: how far probability and share are apart, weighted over the bins.
    pub fn error(&self) -> f64 {
        let total: f64 = self.bins.iter().map(|bin| bin.weight).sum();
        let apart = self.bins.iter().map(|bin| bin.weight * (bin.probability - bin.share).abs());
        if total > 0.0 { apart.sum::<f64>() / total } else { 0.0 }
    }

    /// Together with the rows of another one.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let sums = |bin: &ReliabilityBin| [1.0, bin.probability, bin.share].map(|mean| bin.weight * mean);
        let both = |(a, b): (&ReliabilityBin, &ReliabilityBin)| {
            let (a, b) = (sums(a), sums(b));
            ReliabilityBin::of_sums(&[a[0] + b[0], a[1] + b[1], a[2] + b[2]])
        };
        Self { bins: self.bins.iter().zip(&other.bins).map(both).collect() }
    }
}

impl ReliabilityBin {
    fn of_sums(&[weight, probability, share]: &[f64; 3]) -> Self {
        let mean = |sum: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        Self { weight, probability: mean(probability), share: mean(share) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_the_weighted_distance() {
        let rows =
            [(0.05, false, 1.0), (0.08, true, 1.0), (0.95, true, 2.0), (1.0, true, 1.0), (0.5, true, 0.0)];
        let reliability = Reliability::of(rows.into_iter());
        assert_eq!(reliability.bins[0], ReliabilityBin { weight: 2.0, probability: 0.065, share: 0.5 });
        assert_eq!(reliability.bins[5], ReliabilityBin::default(), "no weight, no row");
        let last = (1.9 + 1.0) / 3.0;
        let expected = (2.0 * (0.5 - 0.065) + 3.0 * (1.0 - last)) / 5.0;
        assert!((reliability.error() - expected).abs() < 1e-15);
    }

    #[test]
    fn parts_add_up() {
        let rows = |from: usize| {
            (from..from + 40)
                .map(|row| ((row * 37 % 100) as f64 / 100.0, row % 3 == 0, 1.0 + (row % 2) as f64))
        };
        let (together, parts) = (
            Reliability::of(rows(0).chain(rows(40))),
            Reliability::of(rows(0)).with(&Reliability::of(rows(40))),
        );
        for (one, other) in together.bins.iter().zip(&parts.bins) {
            assert!(
                (one.share - other.share).abs() < 1e-12
                    && (one.probability - other.probability).abs() < 1e-12
            );
        }
    }
}
