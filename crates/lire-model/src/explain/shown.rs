//! Parts and their sum as they are printed: rounded so that the parts shown add to the sum shown.

/// Parts and their sum, each a whole number of units of the last place.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownSum {
    /// The parts, in their order.
    pub parts: Vec<f64>,
    /// What they add to.
    pub sum: f64,
}

/// From here on not every whole number is an `f64`. Numbers of so many digits are rounded each by itself.
const MOST_UNITS: f64 = 9_007_199_254_740_992.0; // 2^53

/// No number that is not zero has its first digit farther behind the point.
const MOST_DECIMALS: usize = 324;

/// Rounds parts and their sum to some decimals. The sum is rounded as usual. So are the parts; where these then do not
/// add to the sum, those that were rounded the farthest the other way are moved by one unit (largest remainders, the
/// first of equals), so that every part stays less than a unit from what it is.
///
/// ```
/// let shown = lire_model::explain::shown_sum(&[0.4, 0.4, 0.4], 1.2, 0);
/// assert_eq!((shown.parts, shown.sum), (vec![1.0, 0.0, 0.0], 1.0));
/// ```
pub fn shown_sum(parts: &[f64], sum: f64, decimals: usize) -> ShownSum {
    let scale = 10f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    let size: f64 = parts.iter().map(|part| part.abs()).sum::<f64>().max(sum.abs());
    // Beyond the digits of any number there is nothing to round.
    if decimals > MOST_DECIMALS || size.is_nan() || size * scale >= MOST_UNITS {
        return ShownSum { parts: parts.to_vec(), sum };
    }
    let mut units: Vec<i64> = parts.iter().map(|&part| rounded(part, decimals)).collect();
    let rest = |units: &[i64], part: usize| parts[part] * scale - units[part] as f64;
    let mut lacking = rounded(sum, decimals) - units.iter().sum::<i64>();
    let step = lacking.signum();
    let mut order: Vec<usize> = (0..parts.len()).filter(|&at| rest(&units, at) * step as f64 > 0.0).collect();
    order.sort_by(|&a, &b| rest(&units, b).abs().total_cmp(&rest(&units, a).abs()).then(a.cmp(&b)));
    for part in order {
        if lacking == 0 {
            break;
        }
        units[part] += step;
        lacking -= step;
    }
    ShownSum {
        sum: units.iter().sum::<i64>() as f64 / scale,
        parts: units.into_iter().map(|units| units as f64 / scale).collect(),
    }
}

/// A number in units of its last decimal, rounded exactly as it is printed.
fn rounded(number: f64, decimals: usize) -> i64 {
    let digits = format!("{number:.decimals$}").replace('.', "");
    digits.parse().expect("fewer units than 2^53 fit")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rounded_parts_that_add_up_stay() {
        let shown = shown_sum(&[0.1234, -0.4561], -0.3327, 3);
        assert_eq!((shown.parts, shown.sum), (vec![0.123, -0.456], -0.333));
    }

    #[test]
    fn a_part_of_nothing_shows_nothing() {
        let shown = shown_sum(&[0.0, 0.4, 0.4, -0.0], 0.8, 0);
        assert_eq!((shown.parts, shown.sum), (vec![0.0, 1.0, 0.0, 0.0], 1.0));
    }

    #[test]
    fn huge_numbers_stay_what_they_are() {
        let shown = shown_sum(&[1e99, -2.5e98], 7.5e98, 3);
        assert_eq!((shown.parts, shown.sum), (vec![1e99, -2.5e98], 7.5e98));
        assert_eq!(shown_sum(&[], 0.0, 3), ShownSum { parts: vec![], sum: 0.0 });
    }

    proptest! {
        #[test]
        fn parts_add_to_the_rounded_sum(
            parts in prop::collection::vec(prop_oneof![-3.0..3.0f64, -1e4..1e4f64, Just(0.0), Just(0.0005)], 1..30),
            decimals in 0..5usize,
        ) {
            let sum: f64 = parts.iter().fold(0.0, |sum, part| sum + part);
            let shown = shown_sum(&parts, sum, decimals);
            let unit = 0.1f64.powi(i32::try_from(decimals).unwrap());
            let read = |number: f64| format!("{number:.decimals$}").replace('.', "").parse::<i64>().unwrap();
            prop_assert_eq!(shown.parts.iter().map(|&part| read(part)).sum::<i64>(), read(shown.sum));
            // A sum just between two may end as its neighbour, if that is how its rounded additions fell.
            prop_assert!((shown.sum - sum).abs() <= unit * (0.5 + 1e-6), "{} for {sum}", shown.sum);
            for (shown, part) in shown.parts.iter().zip(&parts) {
                prop_assert!((shown - part).abs() < unit, "{shown} for {part}");
            }
        }
    }
}
