//! Numbers as people read them in a table; machines get them in full elsewhere.

use lire::explain::{LocalExplanation, ShownSum, shown_sum};

/// From here on digits before the point are not worth reading one by one.
const HUGE: f64 = 1e15;
/// Below this, the shortest form of a number is mostly zeros.
const TINY: f64 = 1e-5;
/// Below this, the numbers of a table would have hardly a digit.
const SMALL: f64 = 1e-2;
/// A number so much larger than those that it goes with has a power of its own.
const MOST_FACTOR: f64 = 1e6;
/// A number of so many digits before the point and behind it is told from its neighbours.
const MOST_DIGITS: usize = 15;
/// A share below this would be printed as none.
const LEAST_SHARE: f64 = 0.0005;

/// With a sign, the real minus, and three decimals.
pub fn signed(number: f64) -> String {
    Notation::SCORE.signed(number)
}

/// A predicted number, with as many digits as are worth reading where the largest ones are of this size.
pub fn prediction(number: f64, scale: f64) -> String {
    let decimals = match number.abs() {
        HUGE.. => return scientific(number, 4),
        size if size < SMALL && scale.abs() < SMALL && size > 0.0 => return scientific(number, 4),
        1e5.. => 0,
        1e3.. => 1,
        1.0.. => 3,
        _ => 5,
    };
    real_minus(&format!("{number:.decimals$}"))
}

/// A number in its shortest form that reads back as the same.
pub fn shortest(number: f64) -> String {
    let is_plain = number == 0.0 || (TINY..HUGE).contains(&number.abs());
    if is_plain { number.to_string() } else { format!("{number:e}") }
}

/// As a power of ten and a factor with so many decimals.
pub fn scientific(number: f64, decimals: usize) -> String {
    real_minus(&format!("{number:.decimals$e}"))
}

/// How the numbers of a table are written that go together: so many decimals, and where they are very large or small the
/// same power of ten for all, so that they can be compared and added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notation {
    decimals: usize,
    exponent: i32,
}

impl Notation {
    /// For scores of classes.
    pub const SCORE: Self = Self { decimals: 3, exponent: 0 };

    /// For numbers of which the largest are of this size.
    pub fn of(scale: f64) -> Self {
        Self::of_sum(scale, scale)
    }

    /// For numbers of this size that go together with some of another, such as where they start from. Their digits are
    /// shown as far as the larger ones have them.
    pub fn of_sum(scale: f64, largest: f64) -> Self {
        let decimals = match scale.abs() {
            1e4.. => 0,
            1e3.. => 1,
            1e2.. => 2,
            _ => 3,
        };
        let held = MOST_DIGITS.saturating_sub(largest.abs().max(1.0).log10() as usize + 1);
        Self::with_decimals(largest, decimals.min(held))
    }

    /// The same with so many decimals where no power of ten is needed.
    pub fn with_decimals(scale: f64, decimals: usize) -> Self {
        let scale = scale.abs();
        if scale == 0.0 || !scale.is_finite() || (SMALL..HUGE).contains(&scale) {
            return Self { decimals, exponent: 0 };
        }
        Self { decimals: Self::SCORE.decimals, exponent: scale.log10().floor() as i32 }
    }

    /// With a sign, and the real minus.
    pub fn signed(self, number: f64) -> String {
        let (decimals, size) = (self.decimals, self.factor(number).abs());
        let most = if self.exponent == 0 { HUGE } else { MOST_FACTOR };
        let is_far = size >= most;
        let digits =
            if is_far { scientific(number.abs(), 3) } else { format!("{size:.decimals$}{}", self.power()) };
        let factor = digits.split('e').next().unwrap_or_default();
        let is_zero = factor.chars().all(|digit| matches!(digit, '0' | '.'));
        format!("{}{digits}", if number < 0.0 && !is_zero { '−' } else { '+' })
    }

    /// Without a sign, with three decimals.
    pub fn unsigned(self, number: f64) -> String {
        if self.exponent == 0 {
            measure(number)
        } else {
            format!("{:.3}{}", self.factor(number), self.power())
        }
    }

    /// The parts of a score and their sum as they are printed: what is shown adds up.
    pub fn sum_of(self, explanation: &LocalExplanation) -> (Vec<String>, String) {
        let parts: Vec<f64> = explanation.addends().map(|part| self.factor(part)).collect();
        let ShownSum { parts, sum } = shown_sum(&parts, self.factor(explanation.score), self.decimals);
        let plain = Self { exponent: 0, ..self };
        let spelled = |number: f64| plain.signed(number) + &self.power();
        (parts.into_iter().map(spelled).collect(), spelled(sum))
    }

    fn factor(self, number: f64) -> f64 {
        if self.exponent == 0 { number } else { number / 10_f64.powi(self.exponent) }
    }

    fn power(self) -> String {
        if self.exponent == 0 { String::new() } else { real_minus(&format!("e{}", self.exponent)) }
    }
}

/// With decimals enough to compare measures.
pub fn measure(number: f64) -> String {
    if number.abs() >= HUGE { scientific(number, 3) } else { real_minus(&format!("{number:.3}")) }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The share in percent of so many rows: where there are some it is never none.
pub fn percent_of_rows(share: f64, rows: usize) -> String {
    if rows > 0 && share < LEAST_SHARE { "<0.1 %".to_owned() } else { percent(share) }
}

/// So many of a thing: `1 rule`, `2 rules`.
pub fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// A sum of weights, which without weights is a count.
pub fn total(weight: f64) -> String {
    if weight >= HUGE { scientific(weight, 3) } else { format!("{weight:.0}") }
}

/// A mean count, without decimals where it is whole.
pub fn mean_count(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}

/// Seconds, with decimals only where they matter.
pub fn seconds(number: f64) -> String {
    match number {
        ..0.1 => format!("{number:.3} s"),
        ..10.0 => format!("{number:.2} s"),
        _ => format!("{number:.1} s"),
    }
}

fn real_minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([signed(0.5), signed(-0.8125), signed(-0.000_01)], ["+0.500", "−0.812", "+0.000"]);
        let signed_of = |number, scale| Notation::of(scale).signed(number);
        assert_eq!([signed_of(-12.5, 2e4), signed_of(12.5, 120.0)], ["−12", "+12.50"]);
        assert_eq!([mean_count(3.0), mean_count(2.94)], ["3", "2.9"]);
        assert_eq!([count(1, "rule"), count(2, "rule")], ["1 rule", "2 rules"]);
        assert_eq!(percent(0.5), "50.0 %");
    }

    #[test]
    fn huge_and_tiny_numbers_have_powers_of_ten() {
        assert_eq!(
            [(-1.234_56e90, 1e91), (9.99e14, 1e15), (2e-9, 3e-9), (2e-9, 1.0)]
                .map(|(n, scale)| prediction(n, scale)),
            ["−1.2346e90", "999000000000000", "2.0000e−9", "0.00000"]
        );
        assert_eq!([shortest(1e90), shortest(-2.5e-7), shortest(31.0)], ["1e90", "-2.5e-7", "31"]);
        assert_eq!([measure(-1.5e30), measure(0.25), total(12.0)], ["−1.500e30", "0.250", "12"]);
        let of_huge = Notation::of(3.2e90);
        assert_eq!(
            [3.2e90, -4.56e88, 1e80].map(|number| of_huge.signed(number)),
            ["+3.200e90", "−0.046e90", "+0.000e90"]
        );
        assert_eq!(of_huge.unsigned(3.2e89), "0.320e90");
        assert_eq!(
            [Notation::of(2e-9).signed(5.0), Notation::of(3.0).signed(-1e90)],
            ["+5.000e0", "−1.000e90"]
        );
        assert_eq!(Notation::of(-2e-9).signed(-1.5e-9), "−1.500e−9");
        assert_eq!(Notation::with_decimals(12_345.6, 3).signed(12_345.6), "+12345.600");
    }

    #[test]
    fn what_moves_a_number_far_from_zero_keeps_its_digits() {
        let shown = |largest: f64| Notation::of_sum(1.2914, largest).signed(-1.2914);
        assert_eq!([1e6, 1e11, 1e13, 1e14].map(shown), ["−1.291", "−1.291", "−1.3", "−1"]);
        assert_eq!(Notation::of_sum(1.3, 1e6).signed(1_000_001.162), "+1000001.162");
        assert_eq!(Notation::of_sum(1.3, 2e90), Notation::of(2e90));
    }

    #[test]
    fn parts_of_any_size_add_up() {
        for scale in [1e-30, 1e-3, 1.0, 1e6, 1e15, 1e90] {
            let parts = [0.4444 * scale, 0.4444 * scale, -0.1117 * scale];
            let explanation = LocalExplanation {
                row: 1,
                score: parts.iter().sum(),
                probability: None,
                label: None,
                class: None,
                intercept: parts[0],
                rules: Vec::new(),
                linear: Vec::new(),
                values: Vec::new(),
            };
            let rule = |&part: &f64| lire::explain::LocalRule {
                index: 0,
                rule: "a > 1".into(),
                conditions: lire::rules::RuleData { conditions: Vec::new() },
                coverage: 0.5,
                rows: 3,
                weight: part,
                contribution: part,
            };
            let explanation =
                LocalExplanation { rules: parts[1..].iter().map(rule).collect(), ..explanation };
            let (shown, sum) = Notation::of(explanation.score).sum_of(&explanation);
            let units = |text: &String| {
                let digits = text.split('e').next().unwrap();
                digits.replace('−', "-").replace(['+', '.'], "").parse::<i64>().unwrap()
            };
            assert_eq!(shown.iter().map(units).sum::<i64>(), units(&sum), "{shown:?} {sum}");
            assert!(sum.len() <= 18 && units(&sum) != 0, "{sum}");
        }
    }

    #[test]
    fn some_rows_are_never_no_share() {
        assert_eq!(percent_of_rows(0.000_2, 20), "<0.1 %");
        assert_eq!(percent_of_rows(0.000_5, 50), "0.1 %");
        assert_eq!(percent_of_rows(0.0, 0), "0.0 %");
    }
}
