//! A hash of everything in a model file that prediction uses, so that an edited file says so.
//!
//! The text that is hashed is canonical JSON as RFC 8785 has it: names sorted, no white space, numbers as JavaScript
//! prints them. Any language that writes JSON can make it.

use std::fmt::Write;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::ModelFile;

/// Parts of a term that tell about the training and are no part of prediction.
const TOLD: [&str; 4] = ["rule", "coverage", "rows", "std"];

/// The checksum of a file as it is.
pub(super) fn checksum(file: &ModelFile) -> String {
    let digest = Sha256::digest(canonical(&used_by_prediction(file)));
    let hex = digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    format!("sha256:{hex}")
}

fn used_by_prediction(file: &ModelFile) -> Value {
    let mut used = json!({
        "target": file.target,
        "terms": file.terms,
        "outputs": file.outputs,
        "link": file.link,
        "threshold": file.threshold,
        "features": file.features,
        "missing": file.config.missing(),
        "requires": file.requires,
    });
    for feature in used["features"].as_array_mut().into_iter().flatten() {
        if let Some(feature) = feature.as_object_mut() {
            feature.remove("levels_left_out");
        }
    }
    for term in used["terms"].as_array_mut().into_iter().flatten() {
        if let Some(term) = term.as_object_mut() {
            term.retain(|name, _| !TOLD.contains(&name.as_str()));
        }
    }
    used
}

fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(real) if number.is_f64() => text.push_str(&javascript(real)),
            _ => text.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                write_canonical(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            text.push('{');
            for (place, (name, value)) in fields.into_iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_canonical(value, text);
            }
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => text.push_str(&value.to_string()),
    }
}

/// A finite number as JavaScript prints it: the shortest digits that read back, in plain notation between 1e-6 and 1e21.
fn javascript(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let (n_digits, point) =
        (i32::try_from(digits.len()).unwrap_or(i32::MAX), exponent.parse::<i32>().unwrap_or(0) + 1);
    let magnitude = if (n_digits..=21).contains(&point) {
        format!("{digits}{}", "0".repeat((point - n_digits) as usize))
    } else if (1..=21).contains(&point) {
        let (whole, part) = digits.split_at(point as usize);
        format!("{whole}.{part}")
    } else if (-5..=0).contains(&point) {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let sign = if point > 0 { "+" } else { "-" };
        format!("{first}{dot}{rest}e{sign}{}", (point - 1).abs())
    };
    if number < 0.0 { format!("-{magnitude}") } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of RFC 8785, appendix B.
    #[test]
    fn numbers_are_those_of_javascript() {
        let known: [(u64, &str); 14] = [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
        ];
        for (bits, text) in known {
            assert_eq!(javascript(f64::from_bits(bits)), text);
        }
        assert_eq!([5.0, -0.25, 1e-7].map(javascript), ["5", "-0.25", "1e-7"]);
    }

    #[test]
    fn names_are_sorted_and_nothing_is_spaced() {
        let value: Value =
            serde_json::from_str("{\"b\": [1, 2.50], \"a\": {\"é\": null, \"\\n\": true}}").unwrap();
        assert_eq!(canonical(&value), "{\"a\":{\"\\n\":true,\"é\":null},\"b\":[1,2.5]}");
    }
}
