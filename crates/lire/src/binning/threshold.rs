//! Thresholds as short as people would write them.

/// Every finite `f64` prints with at most so many significant digits.
const MAX_DIGITS: i32 = 17;

/// A threshold `t` with `below ≤ t < above` that is as short as possible in decimal.
///
/// Fewest significant digits come first (5100 between 5095 and 5178), then fewest decimals (0 rather than
/// 0.5 between 0 and 1), then the distance to the middle. `below < above` must hold, both finite.
pub fn short_threshold(below: f64, above: f64) -> f64 {
    // Between neighbouring whole numbers every other number is longer; this is the usual case.
    if below.fract() == 0.0 && above - below == 1.0 {
        return below;
    }
    let middle = below / 2.0 + above / 2.0;
    let largest = magnitude(below.abs().max(above.abs()));
    (1..=MAX_DIGITS)
        .flat_map(|digits| {
            let finest = magnitude(middle) - digits + 1;
            // A grid coarser than the largest number holds only zero, which the first grid finds.
            let coarsest = 0.min(largest + 1);
            let fewer_decimals = (finest + 1..=coarsest).rev();
            std::iter::once(0).filter(move |_| finest < 0).chain(fewer_decimals).chain([finest])
        })
        .find_map(|exponent| nearest(middle, exponent, below, above))
        .unwrap_or(below)
}

/// The multiple of `10^exponent` within the bounds that is nearest to the middle.
fn nearest(middle: f64, exponent: i32, below: f64, above: f64) -> Option<f64> {
    let count = multiple(middle, exponent)?;
    let candidates = [count - 1, count, count + 1].map(|count| format!("{count}e{exponent}").parse::<f64>());
    let inside = candidates.into_iter().flatten().filter(|&value| below <= value && value < above);
    // Ties go to the smaller value because `min_by` keeps the first. Adding zero turns −0 into 0.
    inside.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs())).map(|value| value + 0.0)
}

/// How many times `10^exponent` fits into the value, rounded; none if it has more digits than a number can.
fn multiple(value: f64, exponent: i32) -> Option<i64> {
    let digits = magnitude(value) - exponent + 1;
    if digits > MAX_DIGITS {
        return None;
    }
    if digits < 1 {
        // Smaller than one step: it rounds to zero, or to one step, which the neighbours of zero cover.
        return Some(0);
    }
    // The formatter rounds decimals exactly, which a division by a power of ten would not.
    let text = format!("{value:.*e}", digits as usize - 1);
    let (mantissa, written) = text.split_once('e')?;
    let mantissa: i64 = mantissa.replace('.', "").parse().ok()?;
    // Rounding up may have made the number one digit longer: 9.6 becomes 1e1.
    let carried = written.parse::<i32>().ok()? - magnitude(value);
    Some(if carried > 0 { mantissa * 10 } else { mantissa })
}

/// The exponent of the first digit: 2 for 314.
fn magnitude(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}
