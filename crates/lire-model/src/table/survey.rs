//! What the distinct texts of a column are: missing, numbers, or other texts. All typing starts from it.

use super::interned::{Interned, Origin};

/// Which texts stand for a missing value, beside the empty one.
#[derive(Debug, Clone, Default)]
pub(super) struct MissingTokens {
    texts: Vec<String>,
    numbers: Vec<f64>,
}

/// One distinct text of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// No cell has this text: those that had it were dropped.
    Absent,
    Missing,
    /// A number, perhaps infinite, never NaN; or that of a moment.
    Number(f64),
    Text,
}

/// The meaning of each distinct text, and how many cells have it.
#[derive(Debug)]
pub(super) struct Survey {
    /// By code.
    pub(super) meanings: Vec<Meaning>,
    /// The number of missing cells.
    pub(super) n_missing: usize,
    /// The number of cells that are numbers.
    pub(super) n_numbers: usize,
    /// The number of cells that are neither.
    pub(super) n_texts: usize,
}

impl MissingTokens {
    pub(super) fn new(tokens: &[String]) -> Self {
        let texts: Vec<String> = tokens.iter().map(|token| token.trim_ascii().to_owned()).collect();
        let numbers = texts.iter().filter_map(|text| number(text)).collect();
        Self { texts, numbers }
    }

    /// These and others.
    pub(super) fn with(&self, tokens: &[String]) -> Self {
        let Self { mut texts, mut numbers } = Self::new(tokens);
        texts.extend_from_slice(&self.texts);
        numbers.extend_from_slice(&self.numbers);
        Self { texts, numbers }
    }

    /// Whether a number is one of the tokens.
    pub(super) fn matches_number(&self, number: f64) -> bool {
        self.numbers.contains(&number)
    }

    /// A token that is a number stands for every spelling of it.
    pub(super) fn matches(&self, text: &str) -> bool {
        text.is_empty()
            || self.texts.iter().any(|token| token == text)
            || (!self.numbers.is_empty() && number(text).is_some_and(|value| self.numbers.contains(&value)))
    }
}

/// The value of a text in usual or scientific notation, also `inf` and `nan`. Zero has no sign.
pub(super) fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().map(|value| value + 0.0)
}

impl Survey {
    /// As the source has the cells: what it calls texts are no numbers, whatever they look like.
    pub(super) fn of(column: &Interned, missing: &MissingTokens) -> Self {
        Self::by(column, missing, |text| if column.origin == Origin::Text { None } else { number(text) })
    }

    /// As cells that must be numbers.
    pub(super) fn of_numbers(column: &Interned, missing: &MissingTokens) -> Self {
        Self::by(column, missing, number)
    }

    /// What each text means for itself where it is known what the column holds, so that a part of the column means the
    /// same as within the whole: among numbers `nan` is missing, and an infinite number is one.
    pub(super) fn meanings_as(
        column: &Interned,
        missing: &MissingTokens,
        read: impl Fn(&str) -> Option<f64>,
    ) -> Vec<Meaning> {
        let meaning = |text: &str| match read(text) {
            _ if missing.matches(text) => Meaning::Missing,
            Some(value) if value.is_nan() => Meaning::Missing,
            Some(value) => Meaning::Number(value),
            None => Meaning::Text,
        };
        column.texts.iter().map(meaning).collect()
    }

    /// As cells that must be moments of a kind, or as cells in which such can be recognised.
    pub(super) fn of_moments(
        column: &Interned,
        missing: &MissingTokens,
        moment: impl Fn(&str) -> Option<f64>,
    ) -> Self {
        Self::by(column, missing, moment)
    }

    fn by(column: &Interned, missing: &MissingTokens, number: impl Fn(&str) -> Option<f64>) -> Self {
        let counts = Self::counts(column);
        let meaning = |(text, &count): (&str, &usize)| match number(text) {
            _ if count == 0 => Meaning::Absent,
            _ if missing.matches(text) => Meaning::Missing,
            Some(value) => Meaning::Number(value),
            None => Meaning::Text,
        };
        let mut meanings: Vec<Meaning> = column.texts.iter().zip(&counts).map(meaning).collect();
        // Among numbers `nan` is a missing one; among other texts it is a word like any other, and so is `inf`.
        let any_text = meanings.contains(&Meaning::Text);
        for meaning in &mut meanings {
            match meaning {
                Meaning::Number(value) if any_text && !value.is_finite() => *meaning = Meaning::Text,
                Meaning::Number(value) if value.is_nan() => *meaning = Meaning::Missing,
                _ => {}
            }
        }
        let cells = |which: fn(&Meaning) -> bool| {
            meanings.iter().zip(&counts).filter(|(meaning, _)| which(meaning)).map(|(_, count)| count).sum()
        };
        Self {
            n_missing: cells(|meaning| *meaning == Meaning::Missing),
            n_numbers: cells(|meaning| matches!(meaning, Meaning::Number(_))),
            n_texts: cells(|meaning| *meaning == Meaning::Text),
            meanings,
        }
    }

    /// The number of cells that are not missing.
    pub(super) fn n_known(&self) -> usize {
        self.n_numbers + self.n_texts
    }

    /// Whether all known cells are numbers.
    pub(super) fn is_numeric(&self) -> bool {
        self.n_texts == 0 && self.n_numbers > 0
    }

    /// The number of cells with each text, by code.
    pub(super) fn counts(column: &Interned) -> Vec<usize> {
        let mut counts = vec![0_usize; column.texts.len()];
        for &code in &column.codes {
            counts[code as usize] += 1;
        }
        counts
    }

    /// The codes of the texts that are not missing.
    pub(super) fn known_codes(&self) -> impl Iterator<Item = u32> {
        let known = |meaning: &Meaning| matches!(meaning, Meaning::Number(_) | Meaning::Text);
        (0_u32..).zip(&self.meanings).filter(move |(_, meaning)| known(meaning)).map(|(code, _)| code)
    }

    /// The first row with such a cell.
    pub(super) fn first_row(&self, column: &Interned, which: impl Fn(Meaning) -> bool) -> Option<usize> {
        column.codes.iter().position(|&code| which(self.meanings[code as usize]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn survey(cells: &[&str], tokens: &[&str]) -> Survey {
        let tokens: Vec<String> = tokens.iter().map(|&token| token.to_owned()).collect();
        Survey::of(&Interned::of(cells.iter().copied()), &MissingTokens::new(&tokens))
    }

    #[test]
    fn nan_is_missing_among_numbers_only() {
        assert_eq!(survey(&["1", "nan", "2e3"], &[]).n_missing, 1);
        assert_eq!(survey(&["Jan", "Nan"], &[]).n_texts, 2);
    }

    #[test]
    fn a_numeric_token_matches_every_spelling() {
        assert_eq!(survey(&["-9", "-9.0", "9", "?"], &["-9", "?"]).n_missing, 3);
    }

    /// The counts of missing cells, numbers and texts, cell by cell.
    fn naive(cells: &[String], missing: &[&str]) -> (usize, usize, usize) {
        let known: Vec<&str> = cells
            .iter()
            .map(|cell| cell.trim())
            .filter(|cell| !cell.is_empty() && !missing.contains(cell))
            .collect();
        let all_numbers = known.iter().all(|cell| cell.parse::<f64>().is_ok());
        let is_number = |cell: &&&str| match cell.parse::<f64>() {
            Ok(value) => value.is_finite() || (all_numbers && value.is_infinite()),
            Err(_) => false,
        };
        let numbers = known.iter().filter(is_number).count();
        let texts = if all_numbers { 0 } else { known.len() - numbers };
        (cells.len() - numbers - texts, numbers, texts)
    }

    proptest! {
        #[test]
        fn interning_changes_nothing(
            cells in prop::collection::vec("| |1|1\\.0|-3e2|nan|NaN|inf|x| x|\\?|0\\.5 ", 0..12),
        ) {
            let references: Vec<&str> = cells.iter().map(String::as_str).collect();
            let survey = survey(&references, &["?"]);
            prop_assert_eq!((survey.n_missing, survey.n_numbers, survey.n_texts), naive(&cells, &["?"]));
        }
    }
}
