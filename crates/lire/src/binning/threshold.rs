//! Thresholds as short as people would write them, on the same side of a value however it is stored.

use super::decimal::{LARGEST_WHOLE, MAX_DIGITS, magnitude, nearest, printed};

/// How values lose digits on their way between programs, the least loss first: nine digits in a text, the numbers
/// of 32 bits, six digits in a text, and these two one after the other.
const STORED: [fn(f64) -> f64; 4] =
    [|value| printed(value, 9), as_float32, |value| printed(value, 6), |value| printed(as_float32(value), 6)];

/// A threshold `t` with `below ≤ t < above` that is short in decimal, and that tells the two apart also when they
/// are stored as 32-bit numbers or printed with nine or six digits, as far as these keep them apart at all.
///
/// It lies in the middle half of what these forms leave of the gap, so that a value's spelling does not matter. In a
/// column of `whole` numbers, which are exact in all forms, it may lie anywhere: `age > 31`. Fewest significant
/// digits come first (5100 between 5095 and 5178), then fewest decimals, then the distance to the middle.
/// `below < above` must hold, both finite.
pub fn threshold_between(below: f64, above: f64, whole: bool) -> f64 {
    // Between neighbouring whole numbers every other number is longer; this is the usual case.
    if whole && above - below == 1.0 {
        return below;
    }
    let gap = (below, above);
    let (below, above) = STORED.into_iter().fold(gap, |kept, form| narrowed(kept, gap, form).unwrap_or(kept));
    if whole {
        return shortest(below, above);
    }
    // Quarters first: the whole gap may be larger than the largest number.
    let quarter = above / 4.0 - below / 4.0;
    let (low, high) = (below + quarter, above - quarter);
    if low < high { shortest(low, high) } else { low.clamp(below, above.next_down()) }
}

/// Whether the two values stay apart, and one threshold tells them apart, in all forms.
pub(super) fn stay_apart(below: f64, above: f64) -> bool {
    let gap = (below, above);
    STORED.into_iter().try_fold(gap, |kept, form| narrowed(kept, gap, form)).is_some()
}

/// Whether a value is a whole number that is exact.
pub(super) fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= LARGEST_WHOLE
}

/// The part of `kept` that also separates the ends of the gap as stored, if there is one. Each form starts from the
/// values themselves, not from what another form made of them.
fn narrowed(kept: (f64, f64), gap: (f64, f64), form: fn(f64) -> f64) -> Option<(f64, f64)> {
    let (low, high) = (form(gap.0), form(gap.1));
    let both = (kept.0.max(low), kept.1.min(high));
    (low < high && both.0 < both.1).then_some(both)
}

fn as_float32(value: f64) -> f64 {
    f64::from(value as f32)
}

/// The shortest decimal `t` with `below ≤ t < above`.
fn shortest(below: f64, above: f64) -> f64 {
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
