//! Common spellings of a missing value, which keep a column of numbers from being one.

use super::interned::Interned;
use super::survey::{Meaning, MissingTokens, Survey};

/// In small letters.
const SPELLINGS: [&str; 19] = [
    "?", "??", "-", "--", ".", "*", "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "nat", "null", "none",
    "nil", "missing", "(null)",
];
/// A column is one of numbers if at least this part of the cells that are not missing are.
const OTHERWISE_NUMERIC: f64 = 0.95;

/// The texts of the column that stand for a missing value because its other cells are numbers, sorted; and how many
/// cells have them.
pub(super) fn missing_among_numbers(cells: &Interned, survey: &Survey) -> (Vec<String>, usize) {
    let spelled: Vec<u32> = survey
        .known_codes()
        .filter(|&code| {
            survey.meanings[code as usize] == Meaning::Text && is_spelling_of_missing(cells.texts.get(code))
        })
        .collect();
    if spelled.is_empty() {
        return (Vec::new(), 0);
    }
    let counts = Survey::counts(cells);
    let n_spelled: usize = spelled.iter().map(|&code| counts[code as usize]).sum();
    let n_others = survey.n_known() - n_spelled;
    if survey.n_numbers == 0 || (survey.n_numbers as f64) < OTHERWISE_NUMERIC * n_others as f64 {
        return (Vec::new(), 0);
    }
    let mut tokens: Vec<String> = spelled.iter().map(|&code| cells.texts.get(code).to_owned()).collect();
    tokens.sort();
    (tokens, n_spelled)
}

/// What a column of numbers holds, where common spellings of missing are missing; also these and how many cells have
/// them.
pub(super) fn survey_of_numbers(
    cells: &Interned,
    survey: Survey,
    missing: &MissingTokens,
) -> (Survey, Vec<String>, usize) {
    let (tokens, n_spelled) = missing_among_numbers(cells, &survey);
    if tokens.is_empty() {
        return (survey, tokens, 0);
    }
    (Survey::of_numbers(cells, &missing.with(&tokens)), tokens, n_spelled)
}

/// Whether a text commonly says that a value is missing.
pub(super) fn is_spelling_of_missing(text: &str) -> bool {
    text.len() <= 8 && SPELLINGS.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cells: &[&str]) -> (Vec<String>, usize) {
        let cells = Interned::of(cells.iter().copied());
        missing_among_numbers(&cells, &Survey::of(&cells, &MissingTokens::default()))
    }

    #[test]
    fn they_are_missing_among_numbers() {
        let expected = ["?", "NA", "None", "null"].map(str::to_owned).to_vec();
        assert_eq!(found(&["1", "NA", "2.5", "?", "", "null", "None", "NA"]), (expected, 5));
    }

    #[test]
    fn they_are_words_among_other_texts() {
        assert_eq!(found(&["1", "?", "a", "b"]).1, 0);
        assert_eq!(found(&["?", "none", "?"]).1, 0);
        let mut cells = vec!["1"; 95];
        cells.extend(["?", "a", "a", "a", "a", "a"]);
        assert_eq!(found(&cells).1, 1, "95 of 100 are numbers");
        cells.push("b");
        assert_eq!(found(&cells).1, 0, "95 of 101 are numbers");
    }
}
