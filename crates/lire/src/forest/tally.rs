//! Sums of gradient, curvature and mass in whole numbers.
//!
//! Whole numbers add up to the same sum in any order, and a parent minus one child is exactly the other
//! child. That makes trees independent of the number of threads, bit for bit, at the price of floats.

use std::ops::{Add, AddAssign, RangeInclusive, Sub, SubAssign};

/// Gradient, curvature and mass of some rows, in the units of a [`Scale`].
///
/// Curvature and mass share a word, so that adding a row to a histogram is one 128-bit addition. Neither
/// is negative and neither total exceeds its half of the word, so they never disturb each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub(super) struct Tally {
    gradient: i64,
    curvature_and_mass: u64,
}

impl Tally {
    pub(super) fn new(gradient: i64, curvature: u64, mass: u64) -> Self {
        Self { gradient, curvature_and_mass: curvature << 32 | mass }
    }

    pub(super) fn gradient(self) -> f64 {
        self.gradient as f64
    }

    pub(super) fn curvature(self) -> f64 {
        (self.curvature_and_mass >> 32) as f64
    }

    pub(super) fn mass(self) -> u32 {
        self.curvature_and_mass as u32
    }

    pub(super) fn is_empty(self) -> bool {
        self.mass() == 0
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            gradient: self.gradient + other.gradient,
            curvature_and_mass: self.curvature_and_mass + other.curvature_and_mass,
        }
    }
}

impl Sub for Tally {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            gradient: self.gradient - other.gradient,
            curvature_and_mass: self.curvature_and_mass - other.curvature_and_mass,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tally {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// How many units make one of a real quantity: powers of two, so that whole weights stay exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub(super) gradient: f64,
    pub(super) curvature: f64,
    pub(super) mass: f64,
}

/// A total gradient stays below this, so that it is exact as `f64` too.
const GRADIENT_LIMIT: f64 = (1_u64 << 50) as f64;
/// A total curvature or mass stays below this: half of what 32 bits hold, as each row may round up.
const HALF_WORD_LIMIT: f64 = (1_u64 << 31) as f64;

impl Scale {
    /// The finest scale for rows whose gradients, curvatures and masses sum to no more than these, all
    /// gradients taken as positive.
    pub(super) fn of(gradient: f64, curvature: f64, mass: f64) -> Self {
        let finest = |limit: f64, total: f64, exponents: RangeInclusive<f64>| {
            let exponent = (limit / total.max(f64::MIN_POSITIVE)).log2().floor();
            exponent.clamp(*exponents.start(), *exponents.end()).exp2()
        };
        Self {
            // Gradients are as large or small as the numbers predicted.
            gradient: finest(GRADIENT_LIMIT, gradient, -1000.0..=1000.0),
            curvature: finest(HALF_WORD_LIMIT, curvature, -900.0..=40.0),
            mass: finest(HALF_WORD_LIMIT, mass, -900.0..=40.0),
        }
    }

    pub(super) fn tally(&self, gradient: f64, curvature: f64, mass: f64) -> Tally {
        let rounded = |value: f64| round(value) as u64;
        Tally::new(
            round(gradient * self.gradient),
            rounded(curvature * self.curvature),
            rounded(mass * self.mass),
        )
    }
}

/// The nearest whole number, for values below 2^51 in size.
///
/// Adding this constant pushes the fraction out of the mantissa; `f64::round` would be a function call on
/// processors without its instruction.
fn round(value: f64) -> i64 {
    const SHIFT: f64 = (3_u64 << 51) as f64;
    (value + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()).cast_signed()
}
