//! A column of texts in little memory: each distinct text once, and a small code for each cell.

use std::collections::HashMap;

use ahash::RandomState;
use hashbrown::HashTable;

use super::{Moment, no_such_row, text_of_moment};
use crate::error::{Error, Result};

/// What the source of a column says of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Origin {
    /// Nothing, as in CSV: the type is found from the cells.
    #[default]
    Untyped,
    /// Numbers, also where all of them are 0 or 1.
    Number,
    /// Texts or categories, also where all of them look like numbers.
    Text,
    /// Truth values, written `false` and `true`.
    Truth,
}

/// The distinct texts of a column, in order of first occurrence, and the code of each cell's text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interned {
    pub(super) texts: Texts,
    pub(super) codes: Vec<u32>,
    pub(super) origin: Origin,
}

/// Takes a column cell by cell.
#[derive(Debug)]
pub struct Interner {
    texts: Texts,
    codes: Vec<u32>,
    known: HashTable<u32>,
    hasher: RandomState,
}

/// Many texts in one piece of memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Texts {
    text: String,
    ends: Vec<usize>,
}

/// A cell whose bytes are not UTF-8.
#[derive(Debug, PartialEq)]
pub struct NotUtf8;

impl Interned {
    /// Interns the given texts; an empty one is a missing cell.
    pub fn of<'a>(cells: impl IntoIterator<Item = &'a str>) -> Self {
        let mut interner = Interner::default();
        for cell in cells {
            let code = interner.code_of(cell.trim_ascii());
            interner.codes.push(code);
        }
        interner.finish()
    }

    /// Interns numbers as their shortest texts; NaN is a missing cell.
    pub fn of_numbers(cells: impl IntoIterator<Item = f64>) -> Self {
        let mut interner = Interner::default();
        let mut known: HashMap<u64, u32, RandomState> = HashMap::with_hasher(hasher());
        for cell in cells {
            let text = || if cell.is_nan() { String::new() } else { text_of_number(cell) };
            let code = *known.entry(cell.to_bits()).or_insert_with(|| interner.code_of(&text()));
            interner.codes.push(code);
        }
        interner.finish()
    }

    /// Interns dates, times or durations as their texts; NaN is a missing cell.
    pub fn of_moments(moment: Moment, cells: &[f64]) -> Self {
        let mut interner = Interner::default();
        let mut known: HashMap<u64, u32, RandomState> = HashMap::with_hasher(hasher());
        for cell in cells {
            let text = || if cell.is_nan() { String::new() } else { text_of_moment(moment, *cell) };
            let code = *known.entry(cell.to_bits()).or_insert_with(|| interner.code_of(&text()));
            interner.codes.push(code);
        }
        interner.finish()
    }

    /// Cells as places in a list of texts; a place beyond the list is a missing cell.
    pub fn of_places<'a>(texts: impl IntoIterator<Item = &'a str>, places: &[u32]) -> Self {
        let mut interner = Interner::default();
        let of_place: Vec<u32> = texts.into_iter().map(|text| interner.code_of(text.trim_ascii())).collect();
        let missing = interner.code_of("");
        interner.codes =
            places.iter().map(|&place| of_place.get(place as usize).copied().unwrap_or(missing)).collect();
        interner.finish()
    }

    /// The same cells, of which the source says this.
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The text of a cell, trimmed; empty where the cell is.
    pub fn cell(&self, row: usize) -> Result<&str> {
        if row < self.len() { Ok(self.at(row)) } else { Err(no_such_row(row, self.len())) }
    }

    /// The same of a row that there is.
    pub(super) fn at(&self, row: usize) -> &str {
        self.texts.get(self.codes[row])
    }

    /// The cells at the given rows, in that order. Texts that no cell has any longer stay in the dictionary.
    pub(super) fn into_rows(self, rows: &[usize]) -> Self {
        let codes = rows.iter().map(|&row| self.codes[row]).collect();
        Self { codes, ..self }
    }
}

/// The shortest decimal that stands for a number. Zero has no sign.
pub fn text_of_number(number: f64) -> String {
    (number + 0.0).to_string()
}

impl Default for Interner {
    fn default() -> Self {
        Self {
            texts: Texts::default(),
            codes: Vec::new(),
            known: HashTable::new(),
            // Fixed seeds: codes go by first occurrence, so the hash never shows; this only keeps timings alike.
            hasher: hasher(),
        }
    }
}

impl Interner {
    /// Adds a cell. Only a text not met before is checked to be UTF-8.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> std::result::Result<(), NotUtf8> {
        let bytes = bytes.trim_ascii();
        let code = match self.find(bytes) {
            Ok(code) => code,
            Err(hash) => self.insert(hash, std::str::from_utf8(bytes).map_err(|_| NotUtf8)?),
        };
        self.codes.push(code);
        Ok(())
    }

    /// The code of a text, which it gets now if it had none.
    pub fn code_of(&mut self, text: &str) -> u32 {
        match self.find(text.as_bytes()) {
            Ok(code) => code,
            Err(hash) => self.insert(hash, text),
        }
    }

    /// Adds a cell whose text has this code already.
    pub fn push_code(&mut self, code: u32) -> Result<()> {
        if code as usize >= self.texts.len() {
            return Err(Error::data(
                "column",
                format!("no text has the code {code} yet; codes come from `code_of`"),
            ));
        }
        self.push_known(code);
        Ok(())
    }

    /// Takes back all cells from a row on. Their texts keep their codes.
    pub fn truncate(&mut self, n_cells: usize) {
        self.codes.truncate(n_cells);
    }

    /// The number of cells so far.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is no cell yet.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The same of a code that `code_of` gave.
    pub(super) fn push_known(&mut self, code: u32) {
        self.codes.push(code);
    }

    /// The column.
    pub fn finish(self) -> Interned {
        Interned { texts: self.texts, codes: self.codes, origin: Origin::default() }
    }

    fn find(&self, bytes: &[u8]) -> std::result::Result<u32, u64> {
        let hash = self.hasher.hash_one(bytes);
        self.known.find(hash, |&code| self.texts.get(code).as_bytes() == bytes).copied().ok_or(hash)
    }

    fn insert(&mut self, hash: u64, text: &str) -> u32 {
        let code = self.texts.push(text);
        let Self { texts, known, hasher, .. } = self;
        known.insert_unique(hash, code, |&code| hasher.hash_one(texts.get(code).as_bytes()));
        code
    }
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, code: u32) -> &str {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.text[start..self.ends[code]]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|code| self.get(code))
    }

    fn push(&mut self, text: &str) -> u32 {
        let code = u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct texts fit into memory");
        self.text.push_str(text);
        self.ends.push(self.text.len());
        code
    }
}

/// Fast, and the same in every run.
pub(super) fn hasher() -> RandomState {
    RandomState::with_seeds(0x5eed, 0xc0de, 0xce11, 0x7ab1e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_by_first_occurrence() {
        let column = Interned::of(["b", "a", " b ", "", "a"]);
        assert_eq!(column.codes, [0, 1, 0, 2, 1]);
        assert_eq!(column.texts.iter().collect::<Vec<_>>(), ["b", "a", ""]);
    }

    #[test]
    fn numbers_come_back_from_their_texts() {
        let numbers = [0.1, f64::NAN, 1e300, -3.0, 0.1, 1e-7];
        let column = Interned::of_numbers(numbers);
        for (row, number) in numbers.into_iter().enumerate() {
            assert_eq!(column.at(row).parse().ok(), Some(number).filter(|number| !number.is_nan()));
        }
        assert_eq!(column.texts.len(), 5);
    }

    #[test]
    fn places_become_codes_of_trimmed_texts() {
        let column = Interned::of_places(["b ", "a", "b"], &[2, 0, u32::MAX, 1]);
        assert_eq!((0..4).map(|row| column.at(row)).collect::<Vec<_>>(), ["b", "b", "", "a"]);
        assert_eq!(column.codes[0], column.codes[1]);
    }

    #[test]
    fn many_distinct_texts_are_found_again() {
        let texts: Vec<String> = (0..5000).map(|i| format!("t{}", i % 2500)).collect();
        let column = Interned::of(texts.iter().map(String::as_str));
        assert_eq!(column.texts.len(), 2500);
        assert!((0..5000).all(|row| column.at(row) == texts[row]));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_told() {
        let mut interner = Interner::default();
        assert_eq!(interner.push_bytes(b"caf\xe9"), Err(NotUtf8));
    }
}
