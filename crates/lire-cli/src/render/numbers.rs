//! Numbers as people read them in a table; machines get them in full elsewhere.

/// With a sign, the real minus, and three decimals.
pub fn signed(number: f64) -> String {
    let digits = format!("{:.3}", number.abs());
    let sign = if number < 0.0 && digits != "0.000" { '−' } else { '+' };
    format!("{sign}{digits}")
}

/// A predicted number, with as many digits as are worth reading.
pub fn prediction(number: f64) -> String {
    let decimals = match number.abs() {
        1e5.. => 0,
        1e3.. => 1,
        1.0.. => 3,
        _ => 5,
    };
    format!("{number:.decimals$}").replace('-', "−")
}

/// With a sign, and as many decimals as numbers of this scale need; three for small ones.
pub fn signed_of(number: f64, scale: f64) -> String {
    let decimals = match scale.abs() {
        1e4.. => 0,
        1e3.. => 1,
        1e2.. => 2,
        _ => 3,
    };
    let digits = format!("{:.decimals$}", number.abs());
    let is_zero = digits.chars().all(|digit| matches!(digit, '0' | '.'));
    format!("{}{digits}", if number < 0.0 && !is_zero { '−' } else { '+' })
}

/// With decimals enough to compare measures.
pub fn measure(number: f64) -> String {
    format!("{number:.3}").replace('-', "−")
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// So many of a thing: `1 rule`, `2 rules`.
pub fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([signed(0.5), signed(-0.8125), signed(-0.000_01)], ["+0.500", "−0.812", "+0.000"]);
        assert_eq!([signed_of(-12.5, 2e4), signed_of(12.5, 120.0)], ["−12", "+12.50"]);
        assert_eq!([mean_count(3.0), mean_count(2.94)], ["3", "2.9"]);
        assert_eq!([count(1, "rule"), count(2, "rule")], ["1 rule", "2 rules"]);
        assert_eq!(percent(0.5), "50.0 %");
    }
}
