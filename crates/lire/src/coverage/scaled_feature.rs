//! A numeric feature as a column of the ensemble, scaled to the spread of an average rule.

/// The share of the weight at either end beyond which values are drawn in.
const WINSORISED_SHARE: f64 = 0.025;
/// The standard deviation of a rule whose coverage is drawn evenly from 0 to 1 (Friedman and Popescu 2008).
const SPREAD_OF_A_RULE: f64 = 0.4;
/// A standard deviation below this share of the values is what rounding makes of equal numbers.
const LEAST_SPREAD: f64 = 1e-12;
/// Values beyond this are no linear term: their squares leave the range of numbers.
const LARGEST: f64 = 1e100;
/// Values that spread by less are none either: what one unit adds would not be finite.
const SMALLEST_STD: f64 = 1e-100;

/// How a feature becomes a linear term: `0.4 · (clamp(x, low, high) − mean) / std`, and 0 where x is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScaledFeature {
    /// The position of the feature.
    pub feature: usize,
    /// Values below count as this one.
    pub low: f64,
    /// Values above count as this one.
    pub high: f64,
    /// The mean of the training values, drawn in.
    pub mean: f64,
    /// Their standard deviation.
    pub std: f64,
}

impl ScaledFeature {
    /// The term of a feature's training values, where NaN is missing. None if they are all the same once the
    /// outermost 2.5 % of the weight at either end are drawn in, or not finite.
    pub fn fit(feature: usize, values: &[f64], weights: &[f64]) -> Option<Self> {
        let mut known: Vec<(f64, f64)> = values
            .iter()
            .copied()
            .zip(weights.iter().copied())
            .filter(|(value, weight)| !value.is_nan() && *weight > 0.0)
            .collect();
        // By weight as well, so that the sums below round the same way whatever the order of the rows.
        known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let total: f64 = known.iter().map(|(_, weight)| weight).sum();
        let low = reached(known.iter(), WINSORISED_SHARE * total)?;
        let high = reached(known.iter().rev(), WINSORISED_SHARE * total)?;
        let average = |of: &dyn Fn(f64) -> f64| {
            known.iter().map(|&(value, weight)| weight * of(value.clamp(low, high))).sum::<f64>() / total
        };
        // A share at either end below a half leaves low ≤ high, but squares of huge numbers are not finite.
        if !(low.abs() <= LARGEST && high.abs() <= LARGEST) {
            return None;
        }
        // Rounding must not push it over an end.
        let mean = average(&|value| value).clamp(low, high);
        let std = average(&|value| (value - mean).powi(2)).sqrt();
        let varies = std > LEAST_SPREAD * low.abs().max(high.abs()) && std >= SMALLEST_STD;
        varies.then_some(Self { feature, low, high, mean, std })
    }

    /// The value of the term where the feature has the value `x`.
    pub fn value(&self, x: f64) -> f64 {
        if x.is_nan() {
            return 0.0;
        }
        SPREAD_OF_A_RULE * (x.clamp(self.low, self.high) - self.mean) / self.std
    }

    /// What one unit of the feature adds where the term has this weight.
    pub fn slope(&self, weight: f64) -> f64 {
        SPREAD_OF_A_RULE * weight / self.std
    }

    /// The values of the term on the values of its feature.
    pub fn column(&self, values: &[f64]) -> Vec<f64> {
        values.iter().map(|&x| self.value(x)).collect()
    }
}

/// The first value, on the way from one end, at which so much weight is reached.
fn reached<'a>(ascending: impl Iterator<Item = &'a (f64, f64)>, weight: f64) -> Option<f64> {
    /// Sums of weights that should be equal differ by rounding.
    const ROUNDING: f64 = 1e-9;
    let mut sum = 0.0;
    for &(value, part) in ascending {
        sum += part;
        if sum >= weight * (1.0 - ROUNDING) {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_drawn_in() {
        // Of 200 values the fifth from either end is the first to have 2.5 % of the weight behind it.
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        let term = ScaledFeature::fit(3, &values, &[1.0; 200]).expect("the values differ");
        assert_eq!((term.feature, term.low, term.high), (3, 5.0, 196.0));
        let drawn: Vec<f64> = values.iter().map(|value| value.clamp(5.0, 196.0)).collect();
        let mean = drawn.iter().sum::<f64>() / 200.0;
        let variance = drawn.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 200.0;
        assert!((term.mean - mean).abs() < 1e-12 && (term.std - variance.sqrt()).abs() < 1e-12);
        assert_eq!(term.value(-1e9), term.value(5.0));
        assert_eq!(term.value(f64::INFINITY), term.value(196.0));
        assert_eq!(term.value(f64::NAN), 0.0);
        assert!((term.value(150.0) - 0.4 * (150.0 - mean) / variance.sqrt()).abs() < 1e-12);
        let column = term.column(&drawn);
        let spread = column.iter().map(|value| value * value).sum::<f64>() / 200.0;
        assert!(column.iter().sum::<f64>().abs() < 1e-9 && (spread - 0.16).abs() < 1e-12);
    }

    #[test]
    fn weights_are_repetition_and_order_is_nothing() {
        let values = [4.0, f64::NAN, 1.0, 2.5, -3.0, 1.0, 7.0];
        let weights = [2.0, 5.0, 1.0, 3.0, 1.0, 2.0, 0.0];
        let term = ScaledFeature::fit(0, &values, &weights).expect("the values differ");
        let repeated: Vec<f64> =
            values.iter().zip(weights).flat_map(|(&value, weight)| vec![value; weight as usize]).collect();
        let same = ScaledFeature::fit(0, &repeated, &vec![1.0; repeated.len()]).expect("the values differ");
        assert_eq!((term.low, term.high), (same.low, same.high));
        assert!((term.mean - same.mean).abs() < 1e-12 && (term.std - same.std).abs() < 1e-12);
        let backwards = |numbers: &[f64]| numbers.iter().rev().copied().collect::<Vec<f64>>();
        assert_eq!(ScaledFeature::fit(0, &backwards(&values), &backwards(&weights)), Some(term));
    }

    #[test]
    fn columns_without_spread_give_no_term() {
        assert_eq!(ScaledFeature::fit(0, &[], &[]), None);
        assert_eq!(ScaledFeature::fit(0, &[f64::NAN; 3], &[1.0; 3]), None);
        assert_eq!(ScaledFeature::fit(0, &[0.1; 7], &[0.3; 7]), None);
        assert_eq!(ScaledFeature::fit(0, &[1.0, f64::INFINITY, 2.0], &[1.0; 3]), None);
        // A value on one row in a hundred is drawn in altogether.
        let rare: Vec<f64> = (0..100).map(|row| if row == 7 { 1.0 } else { 0.0 }).collect();
        assert_eq!(ScaledFeature::fit(0, &rare, &[1.0; 100]), None);
    }
}
