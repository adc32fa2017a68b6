//! All that is drawn: rows by their content, features and thresholds by node.
//!
//! Each draw is a hash of the seed and of what it is for. That makes draws independent of the order of rows
//! and of threads, which the running state of a generator could not; and the few lines of splitmix64 stay
//! the same forever, which no generator crate promises of its distributions.

use std::sync::LazyLock;

use super::RowSampling;
use crate::binning::mix;

/// A stream of random bits for one purpose.
pub(super) struct Draws(u64);

impl Draws {
    /// The stream for this purpose, which is told by a few numbers such as seed, tree and node.
    pub(super) fn of(purpose: &[u64]) -> Self {
        Self(purpose.iter().fold(0, |state, &part| mix(state ^ part)))
    }

    fn next(&mut self) -> u64 {
        self.0 = mix(self.0);
        self.0
    }

    /// Uniform in [0, 1).
    fn share(&mut self) -> f64 {
        unit(self.next())
    }

    /// Uniform below the bound, which must not be 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        // The high half of the product: uniform up to a bias of bound / 2^64.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// All numbers below `n`, shuffled.
    pub(super) fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for position in (1..n).rev() {
            order.swap(position, self.below(position + 1));
        }
        order
    }
}

/// The Poisson number of mean 1 that the first eight bits decide, or [`UNCLEAR`]. Most rows weigh 1, and a look
/// here spares them a loop that no processor can predict.
static SINGLE: LazyLock<[u8; 256]> = LazyLock::new(|| {
    std::array::from_fn(|first| {
        let least = (first as u64) << 56;
        let [low, high] = [least, least | (u64::MAX >> 8)].map(|bits| poisson(1.0, bits));
        if low == high { low as u8 } else { UNCLEAR }
    })
});
const UNCLEAR: u8 = u8::MAX;

/// Draws rows for one tree.
pub(super) struct RowDraws {
    sampling: RowSampling,
    key: u64,
    single: &'static [u8; 256],
}

impl RowDraws {
    pub(super) fn of(sampling: RowSampling, seed: u64, tree: usize) -> Self {
        const ROWS: u64 = 1; // keeps these draws apart from those of features
        Self { sampling, key: Draws::of(&[seed, tree as u64, ROWS]).0, single: &SINGLE }
    }

    /// How much of the positive and negative mass of a content the tree is grown on. The last bit of the hash
    /// tells the two apart.
    pub(super) fn masses(&self, positive: f64, negative: f64, hash: u64) -> (f64, f64) {
        if self.sampling == RowSampling::All {
            return (positive, negative);
        }
        if positive > 0.0 && negative > 0.0 {
            return (self.mass(positive, hash ^ 1), self.mass(negative, hash));
        }
        let is_positive = positive > 0.0;
        let mass = self.mass(positive + negative, hash ^ u64::from(is_positive));
        if is_positive { (mass, 0.0) } else { (0.0, mass) }
    }

    /// How much of this mass with this hash the tree is grown on.
    pub(super) fn mass(&self, mass: f64, hash: u64) -> f64 {
        let bits = || mix(hash ^ self.key);
        match self.sampling {
            RowSampling::All => mass,
            RowSampling::Bootstrap => {
                let bits = bits();
                let count = self.single[(bits >> 56) as usize];
                if mass == 1.0 && count != UNCLEAR { f64::from(count) } else { poisson(mass, bits) }
            }
            RowSampling::Share(share) if share >= 1.0 => mass,
            // The share of a mass of whole rows, rounded up or down at random: exact for heavy rows, and a
            // coin for single ones. The cast rounds down, without the function call that `floor` can be.
            RowSampling::Share(share) => (mass * share + unit(bits())) as i64 as f64,
        }
    }
}

fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Means beyond this draw from the normal distribution, whose error is then below one percent of a deviation.
const LARGE_MEAN: f64 = 100.0;

/// A Poisson number: the quantile that the bits point at.
fn poisson(mean: f64, bits: u64) -> f64 {
    if mean > LARGE_MEAN {
        let mut draws = Draws(bits);
        let radius = (-2.0 * (1.0 - draws.share()).ln()).sqrt();
        let deviate = radius * (std::f64::consts::TAU * draws.share()).cos();
        return (mean + mean.sqrt() * deviate).round().max(0.0);
    }
    let none = (-mean).exp();
    let point = unit(bits);
    let (mut count, mut probability, mut cumulated) = (0.0, none, none);
    // The probabilities may sum to a little less than the point; beyond this count they are zero.
    while point >= cumulated && count < 4.0 * LARGE_MEAN {
        count += 1.0;
        probability *= mean / count;
        cumulated += probability;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_the_mean_and_variance_of_poisson() {
        const N: u64 = 40_000;
        let draws = RowDraws::of(RowSampling::Bootstrap, 3, 5);
        for mean in [0.2, 1.0, 7.5, 90.0, 400.0] {
            let counts: Vec<f64> = (0..N).map(|row| draws.mass(mean, mix(row))).collect();
            let average = counts.iter().sum::<f64>() / N as f64;
            let variance = counts.iter().map(|count| (count - average).powi(2)).sum::<f64>() / N as f64;
            assert!((average / mean - 1.0).abs() < 0.05, "mean {average} is not {mean}");
            assert!((variance / mean - 1.0).abs() < 0.05, "variance {variance} is not {mean}");
        }
    }

    #[test]
    fn a_glance_at_eight_bits_tells_the_same_count() {
        let draws = RowDraws::of(RowSampling::Bootstrap, 1, 1);
        for hash in (0..100_000).map(mix) {
            assert_eq!(draws.mass(1.0, hash), poisson(1.0, mix(hash ^ draws.key)));
        }
    }

    #[test]
    fn shares_keep_their_part_of_any_mass() {
        const N: u64 = 40_000;
        let draws = RowDraws::of(RowSampling::Share(0.3), 3, 5);
        for mass in [0.5, 1.0, 2.0, 1000.0] {
            let kept: f64 = (0..N).map(|row| draws.mass(mass, mix(row))).sum();
            assert!((kept / (N as f64 * mass) - 0.3).abs() < 0.01);
        }
    }
}
