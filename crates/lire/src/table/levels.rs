//! The levels of boolean and category columns: found in the data, and found again in other data.

use ahash::{HashMap, HashMapExt};

use super::MISSING;
use super::interned::Interned;
use super::survey::{Meaning, Survey, number};

/// The two-valued spellings, the negative one first; 0/1 is told by value.
const PAIRS: [[&str; 2]; 5] = [["no", "yes"], ["n", "y"], ["false", "true"], ["f", "t"], ["0", "1"]];

/// The levels of a column and what each distinct text of it stands for.
#[derive(Debug, PartialEq)]
pub(super) struct Levels {
    pub(super) names: Vec<String>,
    /// By code: the position among the names, or [`MISSING`].
    pub(super) of_code: Vec<u32>,
}

impl Levels {
    /// The negative and the positive level, if the known values are such a pair in any case of letters.
    pub(super) fn boolean(column: &Interned, survey: &Survey) -> Option<Self> {
        let side = |pair: &[&str; 2], code: u32| match survey.meanings[code as usize] {
            Meaning::Number(value) => pair.iter().position(|text| number(text) == Some(value)),
            _ => pair.iter().position(|text| text.eq_ignore_ascii_case(column.texts.get(code))),
        };
        PAIRS.iter().find_map(|pair| {
            let sides: Option<Vec<(usize, u32)>> =
                survey.known_codes().map(|code| side(pair, code).map(|side| (side, code))).collect();
            let groups = group(sides?);
            let [negative, positive] = &groups[..] else { return None };
            let names = match pair[0] {
                "0" => pair.map(str::to_owned).to_vec(),
                _ => vec![plainest(column, negative), plainest(column, positive)],
            };
            Some(Self::new(names, &groups, survey))
        })
    }

    /// All known values, sorted by their bytes. Among numbers, spellings of one value are one level.
    pub(super) fn category(column: &Interned, survey: &Survey) -> Self {
        let groups = if survey.is_numeric() {
            let value = |code: u32| match survey.meanings[code as usize] {
                Meaning::Number(value) => OrderedNumber(value),
                _ => unreachable!("all known texts of a numeric column are numbers"),
            };
            group(survey.known_codes().map(|code| (value(code), code)).collect())
        } else {
            survey.known_codes().map(|code| vec![code]).collect()
        };
        let mut named: Vec<(String, Vec<u32>)> =
            groups.into_iter().map(|codes| (plainest(column, &codes), codes)).collect();
        named.sort();
        let (names, groups): (Vec<String>, Vec<Vec<u32>>) = named.into_iter().unzip();
        Self::new(names, &groups, survey)
    }

    /// The level of each cell.
    pub(super) fn codes(&self, column: &Interned) -> Vec<u32> {
        column.codes.iter().map(|&code| self.of_code[code as usize]).collect()
    }

    fn new(names: Vec<String>, groups: &[Vec<u32>], survey: &Survey) -> Self {
        let mut of_code = vec![MISSING; survey.meanings.len()];
        for (level, codes) in (0_u32..).zip(groups) {
            for &code in codes {
                of_code[code as usize] = level;
            }
        }
        Self { names, of_code }
    }
}

/// How freely a text may be taken for a level that it does not spell exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tolerance {
    /// Another spelling of the same number.
    Number,
    /// Also other letter case.
    Case,
    /// Also the same side of another pair: `true` for `1`.
    Boolean,
}

/// Finds levels by the texts that stand for them. It is never walked through, so that hashing shows nowhere.
#[derive(Debug)]
pub(super) struct LevelFinder<'a> {
    exact: HashMap<&'a str, usize>,
    by_value: HashMap<u64, usize>,
    by_case: HashMap<String, usize>,
    tolerance: Tolerance,
}

impl<'a> LevelFinder<'a> {
    pub(super) fn new(levels: &'a [String], tolerance: Tolerance) -> Self {
        let mut finder =
            Self { exact: HashMap::new(), by_value: HashMap::new(), by_case: HashMap::new(), tolerance };
        for (position, level) in levels.iter().enumerate() {
            finder.exact.entry(level).or_insert(position);
            if let Some(value) = number(level).filter(|value| !value.is_nan()) {
                finder.by_value.entry(value.to_bits()).or_insert(position);
            }
            if tolerance != Tolerance::Number {
                finder.by_case.entry(level.to_lowercase()).or_insert(position);
            }
        }
        finder
    }

    /// The level that a text stands for: spelled alike, else by value, and so on as far as is tolerated.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let by_value = || number(text).and_then(|value| self.by_value.get(&value.to_bits()));
        let found = self.exact.get(text).or_else(by_value).copied();
        match self.tolerance {
            Tolerance::Number => found,
            Tolerance::Case => found.or_else(|| self.by_case.get(&text.to_lowercase()).copied()),
            Tolerance::Boolean => found
                .or_else(|| self.by_case.get(&text.to_lowercase()).copied())
                .or_else(|| side_of_pair(text)),
        }
    }
}

/// Whether two levels, the negative one first, are such a pair.
pub(super) fn is_pair(levels: &[String]) -> bool {
    let same = |pair: &[&str; 2]| pair.iter().zip(levels).all(|(a, b)| a.eq_ignore_ascii_case(b));
    levels.len() == 2 && PAIRS.iter().any(same)
}

/// Zero for the negative value of any pair, one for the positive.
fn side_of_pair(text: &str) -> Option<usize> {
    let value = number(text);
    let same = |name: &str| name.eq_ignore_ascii_case(text) || (value.is_some() && number(name) == value);
    PAIRS.iter().find_map(|pair| pair.iter().position(|name| same(name)))
}

/// The spelling that names several: the shortest, then the first by bytes. It does not depend on the rows' order.
fn plainest(column: &Interned, codes: &[u32]) -> String {
    let spellings = codes.iter().map(|&code| column.texts.get(code));
    spellings.min_by_key(|text| (text.len(), *text)).unwrap_or_default().to_owned()
}

/// Codes with equal keys together, in the keys' order.
fn group<K: Ord>(mut keyed: Vec<(K, u32)>) -> Vec<Vec<u32>> {
    keyed.sort();
    keyed.chunk_by(|a, b| a.0 == b.0).map(|chunk| chunk.iter().map(|(_, code)| *code).collect()).collect()
}

struct OrderedNumber(f64);

impl Ord for OrderedNumber {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for OrderedNumber {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OrderedNumber {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OrderedNumber {}

#[cfg(test)]
mod tests {
    use super::super::survey::MissingTokens;
    use super::*;

    fn surveyed(cells: &[&str]) -> (Interned, Survey) {
        let column = Interned::of(cells.iter().copied());
        let survey = Survey::of(&column, &MissingTokens::default());
        (column, survey)
    }

    #[test]
    fn pairs_in_any_case_are_boolean_and_keep_their_spelling() {
        let boolean = |cells: &[&str]| {
            let (column, survey) = surveyed(cells);
            Levels::boolean(&column, &survey).map(|levels| (levels.names.join("/"), levels.codes(&column)))
        };
        assert_eq!(boolean(&["Yes", "No", "", "Yes"]), Some(("No/Yes".into(), vec![1, 0, MISSING, 1])));
        assert_eq!(boolean(&["true", "TRUE", "F"]), None);
        assert_eq!(boolean(&["1.0", "0", "1"]), Some(("0/1".into(), vec![1, 0, 1])));
        assert_eq!(boolean(&["1", "1"]), None);
        assert_eq!(boolean(&["0", "1", "2"]), None);
        assert_eq!(boolean(&["y", "n", "maybe"]), None);
    }

    #[test]
    fn spellings_of_one_number_are_one_level() {
        let (column, survey) = surveyed(&["10", "2.0", "2", "10.0"]);
        let levels = Levels::category(&column, &survey);
        assert_eq!(levels.names, ["10", "2"]);
        assert_eq!(levels.codes(&column), [0, 1, 1, 0]);
    }

    #[test]
    fn levels_are_found_as_freely_as_tolerated() {
        let levels = ["0".to_owned(), "1".to_owned()];
        assert_eq!(LevelFinder::new(&levels, Tolerance::Number).find("1.0"), Some(1));
        assert_eq!(LevelFinder::new(&levels, Tolerance::Case).find("true"), None);
        assert_eq!(LevelFinder::new(&levels, Tolerance::Boolean).find("true"), Some(1));
        let levels = ["No".to_owned(), "Yes".to_owned()];
        assert_eq!(LevelFinder::new(&levels, Tolerance::Number).find("yes"), None);
        assert_eq!(LevelFinder::new(&levels, Tolerance::Case).find("yes"), Some(1));
        assert_eq!(LevelFinder::new(&levels, Tolerance::Boolean).find("0.0"), Some(0));
        assert_eq!(LevelFinder::new(&levels, Tolerance::Boolean).find("perhaps"), None);
    }
}
