//! Rounding to decimals, exactly as printing and reading would, mostly without texts.
//!
//! Each function has a fast way that is exact where it applies, since a whole number below 2^53 times or over a power of
//! ten up to 10^22 is one operation on exact numbers, rounded once, as reading the text would be. Elsewhere texts decide.

/// Every finite `f64` prints with at most so many significant digits.
pub(super) const MAX_DIGITS: i32 = 17;
/// Whole numbers up to this size (2^53) are exact.
pub(super) const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;
/// The powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// A quotient this near to where rounding changes its direction is left to texts.
const NEAR_TIE: f64 = 1e-6;
/// So near to a power of ten, as a share, the number of digits is left to texts.
const NEAR_POWER: f64 = 1e-12;

/// The number that a text of so many significant digits tells of a value.
pub(super) fn printed(value: f64, digits: usize) -> f64 {
    printed_fast(value, digits).unwrap_or_else(|| printed_text(value, digits))
}

/// The multiple of `10^exponent` within the bounds that is nearest to the middle.
pub(super) fn nearest(middle: f64, exponent: i32, below: f64, above: f64) -> Option<f64> {
    let count = multiple(middle, exponent)?;
    let candidates = [count - 1, count, count + 1].map(|count| decimal(count, exponent));
    let inside = candidates.into_iter().filter(|&value| below <= value && value < above);
    // Ties go to the smaller value because `min_by` keeps the first. Adding zero turns −0 into 0.
    inside.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs())).map(|value| value + 0.0)
}

/// The exponent of the first digit: 2 for 314.
pub(super) fn magnitude(value: f64) -> i32 {
    magnitude_fast(value).unwrap_or_else(|| magnitude_text(value))
}

/// `count · 10^exponent`, rounded once.
fn decimal(count: i64, exponent: i32) -> f64 {
    let exact = count.unsigned_abs() <= LARGEST_WHOLE as u64;
    match POWERS.get(exponent.unsigned_abs() as usize) {
        Some(power) if exact && exponent < 0 => count as f64 / power,
        Some(power) if exact => count as f64 * power,
        // The text of a number is a number.
        _ => format!("{count}e{exponent}").parse().unwrap_or(f64::NAN),
    }
}

/// `value / 10^exponent`, nearly.
fn quotient(value: f64, exponent: i32) -> Option<f64> {
    let power = POWERS.get(exponent.unsigned_abs() as usize)?;
    Some(if exponent < 0 { value * power } else { value / power })
}

/// How many times `10^exponent` fits into the value, rounded; none if it has more digits than a number can. Where two
/// counts are as near, it may be either.
fn multiple(value: f64, exponent: i32) -> Option<i64> {
    let digits = magnitude(value) - exponent + 1;
    if digits > MAX_DIGITS {
        return None;
    }
    if digits < 1 {
        // Smaller than one step: it rounds to zero, or to one step, which the neighbours of zero cover.
        return Some(0);
    }
    match quotient(value, exponent) {
        Some(count) if count.abs() < LARGEST_WHOLE / 4.0 => Some(count.round() as i64),
        _ => multiple_text(value, exponent, digits),
    }
}

fn printed_fast(value: f64, digits: usize) -> Option<f64> {
    if value == 0.0 {
        return Some(value);
    }
    let exponent = magnitude_fast(value)? + 1 - i32::try_from(digits).ok()?;
    let count = quotient(value, exponent)?;
    let tie = (count.abs().fract() - 0.5).abs() < NEAR_TIE;
    (!tie && count.abs() < LARGEST_WHOLE / 4.0).then(|| decimal(count.round() as i64, exponent))
}

fn magnitude_fast(value: f64) -> Option<i32> {
    let size = value.abs();
    let exponent = size.log10().floor();
    if !exponent.is_finite() {
        return None;
    }
    let leading = quotient(size, exponent as i32)?;
    let clear = leading > 1.0 + NEAR_POWER && leading < 10.0 * (1.0 - NEAR_POWER);
    clear.then_some(exponent as i32)
}

fn printed_text(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

fn multiple_text(value: f64, exponent: i32, digits: i32) -> Option<i64> {
    debug_assert_eq!(digits, magnitude(value) - exponent + 1);
    // The formatter rounds decimals exactly, which a division by a power of ten would not.
    let text = format!("{value:.*e}", digits as usize - 1);
    let (mantissa, written) = text.split_once('e')?;
    let mantissa: i64 = mantissa.replace('.', "").parse().ok()?;
    // Rounding up may have made the number one digit longer: 9.6 becomes 1e1.
    let carried = written.parse::<i32>().ok()? - magnitude(value);
    Some(if carried > 0 { mantissa * 10 } else { mantissa })
}

fn magnitude_text(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of all sizes, also those that people write.
    fn numbers() -> impl Strategy<Value = f64> {
        let any = any::<f64>().prop_filter("finite", |value| value.is_finite());
        let written = (-99_999_i64..99_999, -12..12).prop_map(|(count, exponent)| decimal(count, exponent));
        let neighbour = written.clone().prop_flat_map(|value| {
            prop_oneof![Just(value.next_up()), Just(value.next_down()), Just(f64::from(value as f32))]
        });
        prop_oneof![any, written, neighbour]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn the_fast_ways_are_those_of_texts(value in numbers(), digits in 1..17_usize) {
            prop_assert_eq!(magnitude(value), magnitude_text(value));
            prop_assert_eq!(printed(value, digits).to_bits(), printed_text(value, digits).to_bits());
        }

        #[test]
        fn a_decimal_is_read_as_its_text(count in -(1_i64 << 53)..(1 << 53), exponent in -30..30) {
            let text: f64 = format!("{count}e{exponent}").parse().unwrap();
            prop_assert_eq!(decimal(count, exponent), text);
        }

        #[test]
        fn the_nearest_multiple_is_that_of_texts(value in numbers(), coarse in -3..17_i32) {
            let exponent = magnitude(value) - coarse;
            let digits = magnitude(value) - exponent + 1;
            let found = nearest(value, exponent, f64::MIN, f64::MAX);
            let count = if digits > MAX_DIGITS { None } else if digits < 1 { Some(0) } else {
                multiple_text(value, exponent, digits)
            };
            let expected = count.map(|count| {
                let texts = [count - 1, count, count + 1].map(|count| format!("{count}e{exponent}"));
                let numbers = texts.map(|text| text.parse::<f64>().unwrap());
                let distance = |number: &f64| (number - value).abs();
                numbers.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap() + 0.0
            });
            prop_assert_eq!(found, expected.filter(|number| number.is_finite()));
        }
    }
}
