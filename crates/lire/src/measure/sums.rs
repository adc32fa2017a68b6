//! Sums that are the same, bit for bit, whatever the order of what is summed.

/// The largest term takes so many bits as an integer: 40 of 127 are left for more terms than memory holds, and what is
/// cut off is far below the last bit of the sum.
const BITS_OF_LARGEST: i32 = 86;
/// Adds up in integers of a fixed unit, which the largest term decides.
pub fn order_free_sum(terms: &[f64]) -> f64 {
    let largest = terms.iter().fold(0.0, |largest: f64, term| largest.max(term.abs()));
    if largest == 0.0 || !largest.is_finite() || terms.iter().any(|term| term.is_nan()) {
        return terms.iter().sum();
    }
    let power = BITS_OF_LARGEST - largest.log2().ceil() as i32;
    // In two steps: for the smallest numbers the power itself would overflow.
    let (first, second) = (2.0_f64.powi(power / 2), 2.0_f64.powi(power - power / 2));
    let sum: i128 = terms.iter().map(|term| (term * first * second) as i128).sum();
    sum as f64 / first / second
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_is_lost() {
        assert_eq!(order_free_sum(&[]), 0.0);
        assert_eq!(order_free_sum(&[0.1; 10]), 1.0, "ten times the double next to a tenth rounds to 1");
        assert_eq!(order_free_sum(&[1e300, 1.0, -1e300, 1e290]), 1e290);
        assert_eq!(order_free_sum(&[f64::INFINITY, 1.0]), f64::INFINITY);
        assert!(order_free_sum(&[f64::NAN, 1.0]).is_nan());
        let tiny = f64::from_bits(1);
        assert_eq!(order_free_sum(&[tiny, tiny]), 2.0 * tiny);
    }

    proptest! {
        #[test]
        fn the_order_does_not_matter(terms in proptest::collection::vec(-1e3f64..1e3, 1..50)) {
            let backwards: Vec<f64> = terms.iter().rev().copied().collect();
            let sum = order_free_sum(&terms);
            prop_assert_eq!(sum.to_bits(), order_free_sum(&backwards).to_bits());
            prop_assert!((sum - terms.iter().sum::<f64>()).abs() < 1e-9);
        }
    }
}
