//! Option values with a form of their own.

use std::collections::BTreeMap;

use lire::config::{BaseRate, BaseRateSource, ClassWeight, ClassWeightRule};
use lire::rules::Direction;

/// What a count or a seed must be.
pub const WHOLE: &str = "a whole number from 0 up";

/// A number that is finite.
pub fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "give a number".to_owned())
}

/// A whole number.
pub fn whole<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let number = text.parse::<u64>().ok().and_then(|number| N::try_from(number).ok());
    number.ok_or_else(|| {
        let is_too_large = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_too_large { format!("give at most {}", u64::MAX) } else { format!("give {WHOLE}") }
    })
}

/// `a=increasing,b=decreasing`
pub fn directions(text: &str) -> Result<BTreeMap<String, Direction>, String> {
    pairs(text, |direction| match direction {
        "increasing" | "up" | "+" => Ok(Direction::Increasing),
        "decreasing" | "down" | "-" => Ok(Direction::Decreasing),
        other => Err(format!("`{other}` is not a direction; give increasing or decreasing")),
    })
}

/// `balanced`, or `yes=3,no=1`
pub fn class_weight(text: &str) -> Result<ClassWeight, String> {
    if text == "balanced" {
        return Ok(ClassWeight::Rule(ClassWeightRule::Balanced));
    }
    let weight = |weight: &str| weight.parse::<f64>().map_err(|_| format!("`{weight}` is no number"));
    pairs(text, weight).map(ClassWeight::Given).map_err(|error| format!("{error}; or say balanced"))
}

/// `data`, or a share
pub fn base_rate(text: &str) -> Result<BaseRate, String> {
    if text == "data" {
        return Ok(BaseRate::From(BaseRateSource::Data));
    }
    let share = text.parse().ok().filter(|share: &f64| share.is_finite());
    share.map(BaseRate::Share).ok_or_else(|| "give data, or a share such as 0.1".to_owned())
}

/// Names with values. A name may hold `=`, a value may not.
fn pairs<T>(text: &str, value: impl Fn(&str) -> Result<T, String>) -> Result<BTreeMap<String, T>, String> {
    let pair = |part: &str| match part.rsplit_once('=') {
        Some((name, given)) => Ok((name.to_owned(), value(given)?)),
        None => Err(format!("`{part}` is not a pair; write NAME=VALUE,NAME=VALUE")),
    };
    text.split(',').map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read() {
        let read = directions("age=increasing,a=b=-").unwrap();
        assert_eq!(read["age"], Direction::Increasing);
        assert_eq!(read["a=b"], Direction::Decreasing);
        assert_eq!(directions("age").unwrap_err(), "`age` is not a pair; write NAME=VALUE,NAME=VALUE");
        assert!(directions("age=sideways").unwrap_err().contains("give increasing or decreasing"));
    }

    #[test]
    fn whole_numbers_say_what_they_must_be() {
        assert_eq!(whole::<u64>("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(whole::<usize>("7"), Ok(7));
        for wrong in ["-1", "1.5", "ten", ""] {
            assert_eq!(whole::<u64>(wrong).unwrap_err(), "give a whole number from 0 up");
        }
        assert_eq!(whole::<u64>("18446744073709551616").unwrap_err(), "give at most 18446744073709551615");
    }

    #[test]
    fn class_weights_are_a_word_or_pairs() {
        assert_eq!(class_weight("balanced").unwrap(), ClassWeight::Rule(ClassWeightRule::Balanced));
        let ClassWeight::Given(given) = class_weight("<=50K=2,>50K=0.5").unwrap() else { panic!("pairs") };
        assert_eq!((given["<=50K"], given[">50K"]), (2.0, 0.5));
        assert!(class_weight("ballanced").unwrap_err().ends_with("or say balanced"));
        assert_eq!(base_rate("0.25").unwrap(), BaseRate::Share(0.25));
        assert!(base_rate("nan").is_err());
    }
}
