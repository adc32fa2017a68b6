//! Remarks on columns that look like identifiers of rows that belong together, such as the visits of one patient.
//!
//! A false alarm on every column of ages would teach people to overlook remarks. So values must repeat a few times each,
//! and the name or the spelling of the values must speak for an identifier too.

use super::Note;
use super::interned::Interned;
use super::survey::{Meaning, MissingTokens, Survey};

/// Fewer values than this are levels of a category rather than identifiers.
const FEWEST_VALUES: usize = 20;
/// A value of an identifier occurs so often.
const A_FEW_TIMES: std::ops::RangeInclusive<usize> = 2..=20;
/// This part of the values at least occurs a few times, and this part of the cells is known.
const MOST_VALUES: f64 = 2.0 / 3.0;
const MOST_CELLS: f64 = 0.95;
/// Texts without a telling name have so many digits at least, or such a length.
const LEAST_DIGITS: usize = 3;
const LEAST_LENGTH: usize = 8;

/// Last words of the names of identifiers.
const IDENTIFIERS: [&str; 7] = ["id", "ids", "identifier", "uid", "uuid", "guid", "pid"];
/// Words that may come last after what is identified.
const NUMBERS: [&str; 6] = ["no", "nr", "number", "key", "code", "hash"];
/// What has several rows in many tables.
const OWNERS: [&str; 41] = [
    "account",
    "animal",
    "applicant",
    "borrower",
    "buyer",
    "client",
    "clinic",
    "customer",
    "device",
    "donor",
    "driver",
    "employee",
    "family",
    "hospital",
    "household",
    "machine",
    "member",
    "merchant",
    "participant",
    "passenger",
    "patient",
    "person",
    "player",
    "policyholder",
    "proband",
    "pupil",
    "respondent",
    "school",
    "seller",
    "session",
    "shop",
    "speaker",
    "store",
    "student",
    "subject",
    "supplier",
    "tenant",
    "user",
    "vehicle",
    "vendor",
    "worker",
];

/// A remark on a column of texts or of untyped cells, if it looks like an identifier of groups.
pub fn hint_on_groups(name: &str, cells: &Interned) -> Option<Note> {
    if cells.len() < FEWEST_VALUES || cells.texts.len() < FEWEST_VALUES {
        return None;
    }
    let survey = Survey::of(cells, &MissingTokens::default());
    let is_named = names_identifier(name);
    let counts = Survey::counts(cells);
    if survey.is_numeric() {
        let number = |(meaning, &count): (&Meaning, &usize)| match meaning {
            Meaning::Number(number) => Some((*number, count)),
            _ => None,
        };
        let numbers: Vec<(f64, usize)> = survey.meanings.iter().zip(&counts).filter_map(number).collect();
        return is_named.then(|| hint_on_numbers(name, numbers, cells.len()))?;
    }
    let texts: Vec<&str> = survey.known_codes().map(|code| cells.texts.get(code)).collect();
    if !is_named && !are_spelled_like_identifiers(&texts) {
        return None;
    }
    let counts: Vec<usize> = survey.known_codes().map(|code| counts[code as usize]).collect();
    hint(name, &counts, cells.len())
}

/// The same of a column of numbers; NaN is missing.
pub fn hint_on_groups_of_numbers(name: &str, numbers: impl IntoIterator<Item = f64>) -> Option<Note> {
    if !names_identifier(name) {
        return None;
    }
    let mut n_cells = 0;
    let cells = numbers.into_iter().inspect(|_| n_cells += 1);
    let known: Vec<(f64, usize)> =
        cells.filter(|number| !number.is_nan()).map(|number| (number, 1)).collect();
    hint_on_numbers(name, known, n_cells)
}

/// The same of numbers, each with how often it is there.
fn hint_on_numbers(name: &str, mut numbers: Vec<(f64, usize)>, n_cells: usize) -> Option<Note> {
    if numbers.iter().any(|(number, _)| number.fract() != 0.0) {
        return None;
    }
    numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let sum = |same: &[(f64, usize)]| same.iter().map(|(_, count)| count).sum();
    let counts: Vec<usize> = numbers.chunk_by(|a, b| a.0 == b.0).map(sum).collect();
    hint(name, &counts, n_cells)
}

/// The remark, if values that occur so often are those of groups.
fn hint(name: &str, counts: &[usize], n_cells: usize) -> Option<Note> {
    let (n_values, n_known) = (counts.len(), counts.iter().sum::<usize>());
    let few = counts.iter().filter(|count| A_FEW_TIMES.contains(count)).count();
    let is_group = n_values >= FEWEST_VALUES
        && few as f64 >= MOST_VALUES * n_values as f64
        && n_known <= A_FEW_TIMES.end() * n_values
        && n_known as f64 >= MOST_CELLS * n_cells as f64;
    is_group.then(|| {
        let message = format!(
            "it looks like an identifier of rows that belong together: {n_values} values, most of which occur {} to {} \
             times; measures are too good if such rows are both learned from and measured on; keep them together with \
             the option `groups` = {name}",
            A_FEW_TIMES.start(),
            A_FEW_TIMES.end()
        );
        Note::hint(name, message)
    })
}

/// Whether a name such as `patient`, `customer_id`, `UserID` or `Account No.` is that of an identifier.
fn names_identifier(name: &str) -> bool {
    let words = words(name);
    let Some((last, others)) = words.split_last() else { return false };
    let is_owner = |word: &String| OWNERS.contains(&word.as_str());
    let is_id = |word: &str| IDENTIFIERS.contains(&word);
    let is_joined =
        || IDENTIFIERS.iter().any(|id| last.strip_suffix(id).is_some_and(|owner| OWNERS.contains(&owner)));
    is_id(last)
        || is_joined()
        || is_owner(last)
        || (NUMBERS.contains(&last.as_str()) && others.last().is_some_and(is_owner))
}

/// The words of a name, in small letters: `UserID` has two, as `user_id` has.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && after_small) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        after_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether texts are codes such as `P0012`: all of one pattern that begins with a letter and has some digits, or long
/// ones of one length in which letters and digits are mixed.
fn are_spelled_like_identifiers(texts: &[&str]) -> bool {
    let Some(first) = texts.first() else { return false };
    let pattern = |text: &str| -> Option<Vec<u8>> {
        let class = |byte: u8| match byte {
            b'0'..=b'9' => Some(b'9'),
            b'a'..=b'z' | b'A'..=b'Z' => Some(b'a'),
            b'-' | b'_' => Some(b'-'),
            _ => None,
        };
        text.bytes().map(class).collect()
    };
    let Some(of_first) = pattern(first) else { return false };
    let digits = of_first.iter().map(|&class| usize::from(class == b'9')).sum::<usize>();
    if of_first[0] == b'a' && digits >= LEAST_DIGITS {
        let prefix = |text: &str| text.chars().take_while(char::is_ascii_alphabetic).collect::<String>();
        return texts
            .iter()
            .all(|text| pattern(text).as_ref() == Some(&of_first) && prefix(text) == prefix(first));
    }
    let is_mixed = |text: &&&str| {
        let bytes = || text.bytes();
        bytes().any(|byte| byte.is_ascii_digit()) && bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    first.len() >= LEAST_LENGTH
        && texts.iter().all(|text| text.len() == first.len() && pattern(text).is_some())
        && texts.iter().filter(is_mixed).count() as f64 >= MOST_CELLS * texts.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many values, each so often.
    fn cells(value: impl Fn(usize) -> String, n_values: usize, often: usize) -> Interned {
        let cells: Vec<String> = (0..n_values * often).map(|row| value(row % n_values)).collect();
        Interned::of(cells.iter().map(String::as_str))
    }

    fn is_hinted(name: &str, value: impl Fn(usize) -> String, n_values: usize, often: usize) -> bool {
        hint_on_groups(name, &cells(value, n_values, often)).is_some()
    }

    #[test]
    fn identifiers_are_recognised() {
        let number = |value: usize| (value * 37 + 1000).to_string();
        for name in
            ["patient", "customer_id", "UserID", "PatientId", "Account No.", "subjectid", "id", "store key"]
        {
            assert!(is_hinted(name, number, 120, 5), "{name}");
        }
        assert!(is_hinted("patient", |value| format!("Smith {value}"), 40, 3));
        assert!(is_hinted("code", |value| format!("P{value:04}"), 120, 5));
        assert!(is_hinted(
            "who",
            |value| format!("{:016x}", (value as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            60,
            4
        ));
        let note = hint_on_groups("patient", &cells(number, 120, 5)).unwrap().to_string();
        assert!(note.starts_with(
            "column `patient`: it looks like an identifier of rows that belong together: 120 values"
        ));
        assert!(note.ends_with("the option `groups` = patient"), "{note}");
    }

    #[test]
    fn other_columns_are_not() {
        let number = |value: usize| value.to_string();
        for name in
            ["age", "hours", "idle", "paid", "n_patients", "void", "number", "family_size", "education-num"]
        {
            assert!(!is_hinted(name, number, 60, 5), "{name}");
        }
        assert!(!is_hinted("patient", number, 60, 1), "no value twice");
        assert!(!is_hinted("patient", number, 60, 50), "often");
        assert!(!is_hinted("patient", number, 8, 5), "few values");
        assert!(!is_hinted("patient", |value| format!("{value}.5"), 60, 5), "no whole numbers");
        for (what, value) in [("time", "0{}:15"), ("week", "W{}"), ("word", "word{}"), ("zip", "1{}45")] {
            assert!(!is_hinted(what, |number| value.replace("{}", &number.to_string()), 60, 5), "{what}");
        }
    }
}
