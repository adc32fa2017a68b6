//! The levels of boolean and category columns: found in the data, and found again in other data.

use std::collections::{HashMap, HashSet};

use ahash::RandomState;

use super::MISSING;
use super::date::instant;
use super::interned::{Interned, hasher};
use super::survey::{Meaning, Survey, number};
use super::typing::LARGEST_WHOLE;

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
    /// The negative and the positive level, if the known values are such a pair. Its two texts may be in any case of
    /// letters, but texts that differ in nothing else are levels of their own, and then there is no pair.
    pub(super) fn boolean(column: &Interned, survey: &Survey) -> Option<Self> {
        let (groups, pair) = sides_of_pair(column, survey)?;
        let [negative, positive] = &groups[..] else { return None };
        if pair[0] == "0" && survey.is_numeric() {
            return Some(Self::new(pair.map(str::to_owned).to_vec(), &groups, survey));
        }
        let ([no], [yes]) = (&negative[..], &positive[..]) else { return None };
        let names = [*no, *yes].map(|code| column.texts.get(code).to_owned());
        Some(Self::new(names.to_vec(), &groups, survey))
    }

    /// `false` and `true`, which the source says that all cells are.
    pub(super) fn truth(column: &Interned, survey: &Survey) -> Self {
        let names = ["false", "true"].map(str::to_owned);
        let with = |name: &String| {
            survey.known_codes().filter(|&code| column.texts.get(code) == name).collect::<Vec<u32>>()
        };
        let groups: Vec<Vec<u32>> = names.iter().map(with).collect();
        Self::new(names.to_vec(), &groups, survey)
    }

    /// All known texts, sorted by their bytes.
    pub(super) fn category(column: &Interned, survey: &Survey) -> Self {
        Self::named(column, survey.known_codes().map(|code| vec![code]).collect(), survey)
    }

    /// The same, but among numbers spellings of one value are one level.
    pub(super) fn by_value(column: &Interned, survey: &Survey) -> Self {
        if !survey.is_numeric() {
            return Self::category(column, survey);
        }
        // Of numbers beyond those that are held exactly, only equal texts are surely equal.
        let key = |code: u32| match survey.meanings[code as usize] {
            Meaning::Number(value) if value.abs() > LARGEST_WHOLE => {
                (OrderedNumber(value), column.texts.get(code))
            }
            Meaning::Number(value) => (OrderedNumber(value), ""),
            _ => unreachable!("all known texts of a numeric column are numbers"),
        };
        Self::named(column, group(survey.known_codes().map(|code| (key(code), code)).collect()), survey)
    }

    fn named(column: &Interned, groups: Vec<Vec<u32>>, survey: &Survey) -> Self {
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
    /// Another spelling of the same number, or of the same date or time.
    Number,
    /// Also other letter case.
    Case,
    /// Also the same side of another pair: `true` for `1`.
    Boolean,
}

/// Finds levels by the texts that stand for them. It is never walked through, so that hashing shows nowhere.
#[derive(Debug)]
pub(super) struct LevelFinder<'a> {
    exact: HashMap<&'a str, usize, RandomState>,
    /// None where several levels have the value, and so on.
    by_value: HashMap<Value, Option<usize>, RandomState>,
    by_case: HashMap<String, Option<usize>, RandomState>,
    tolerance: Tolerance,
}

impl<'a> LevelFinder<'a> {
    pub(super) fn new(levels: &'a [String], tolerance: Tolerance) -> Self {
        let mut finder = Self {
            exact: HashMap::with_hasher(hasher()),
            by_value: HashMap::with_hasher(hasher()),
            by_case: HashMap::with_hasher(hasher()),
            tolerance,
        };
        for (position, level) in levels.iter().enumerate() {
            let level = level.trim_ascii();
            finder.exact.entry(level).or_insert(position);
            if let Some(value) = value_of(level) {
                let found = finder.by_value.entry(value);
                found.and_modify(|level| *level = None).or_insert(Some(position));
            }
            if tolerance != Tolerance::Number {
                let found = finder.by_case.entry(level.to_lowercase());
                found.and_modify(|level| *level = None).or_insert(Some(position));
            }
        }
        finder
    }

    /// The same, where only their own spelling stands for some levels.
    pub(super) fn with_exact(mut self, exact: &[String]) -> Self {
        for value in exact.iter().filter_map(|level| value_of(level.trim_ascii())) {
            self.by_value.insert(value, None);
        }
        self
    }

    /// The level that a text stands for: spelled alike, else by value, and so on as far as is tolerated. Blanks around
    /// either never count.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let text = text.trim_ascii();
        let by_value = || self.by_value.get(&value_of(text)?).copied()?;
        let by_case = || self.by_case.get(&text.to_lowercase()).copied()?;
        let found = self.exact.get(text).copied().or_else(by_value);
        match self.tolerance {
            Tolerance::Number => found,
            Tolerance::Case => found.or_else(by_case),
            Tolerance::Boolean => found.or_else(by_case).or_else(|| side_of_pair(text)),
        }
    }
}

/// The levels kept of which one that is left out is another spelling of the same number. Only their own spelling may
/// stand for them, as before.
pub fn told_apart_by_spelling(kept: &[String], left: &[String]) -> Vec<String> {
    let value = |level: &String| value_of(level.trim_ascii());
    let of_left: HashSet<Value> = left.iter().filter_map(value).collect();
    kept.iter().filter(|level| value(level).is_some_and(|value| of_left.contains(&value))).cloned().collect()
}

/// Whether a level could also be met as a number.
pub(super) fn reads_as_number(level: &str) -> bool {
    number(level.trim_ascii()).is_some()
}

/// What a level may be spelled as in several ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Value {
    /// A number, by its bits.
    Number(u64),
    /// A date or a timestamp.
    Instant(i64),
}

fn value_of(text: &str) -> Option<Value> {
    let number = plain_number(text).map(|value| Value::Number(value.to_bits()));
    number.or_else(|| Some(Value::Instant(instant(text)?.micros)))
}

/// The value of a number that is no code: one without leading zeros and small enough to be told from its neighbours.
fn plain_number(text: &str) -> Option<f64> {
    number(text).filter(|value| value.abs() <= LARGEST_WHOLE && !has_leading_zeros(text))
}

/// Whether a text is a whole number with zeros before it, as codes have.
pub(super) fn has_leading_zeros(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether more texts than two are spellings of such a pair, or several of one side, that differ in letter case only.
pub(super) fn is_pair_but_for_case(column: &Interned, survey: &Survey) -> bool {
    !survey.is_numeric()
        && sides_of_pair(column, survey).is_some_and(|(groups, _)| groups.iter().any(|group| group.len() > 1))
}

/// The pair that all known texts are spellings of, in any case of letters, and the codes on each side that occurs.
fn sides_of_pair(column: &Interned, survey: &Survey) -> Option<(Vec<Vec<u32>>, [&'static str; 2])> {
    let side = |pair: &[&str; 2], code: u32| match survey.meanings[code as usize] {
        Meaning::Number(value) => pair.iter().position(|text| number(text) == Some(value)),
        _ => pair.iter().position(|text| text.eq_ignore_ascii_case(column.texts.get(code))),
    };
    PAIRS.into_iter().find_map(|pair| {
        let sides: Option<Vec<(usize, u32)>> =
            survey.known_codes().map(|code| side(&pair, code).map(|side| (side, code))).collect();
        Some((group(sides?), pair))
    })
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
        assert_eq!(boolean(&["Yes", "no", "NO"]), None);
        assert_eq!(boolean(&["T", "F", "t"]), None);
        assert_eq!(boolean(&["1.0", "0", "1"]), Some(("0/1".into(), vec![1, 0, 1])));
        assert_eq!(boolean(&["1", "1"]), None);
        assert_eq!(boolean(&["0", "1", "2"]), None);
        assert_eq!(boolean(&["y", "n", "maybe"]), None);
    }

    #[test]
    fn by_value_spellings_of_one_number_are_one_level() {
        let (column, survey) = surveyed(&["10", "2.0", "2", "10.0"]);
        let levels = Levels::by_value(&column, &survey);
        assert_eq!(levels.names, ["10", "2"]);
        assert_eq!(levels.codes(&column), [0, 1, 1, 0]);
        let (column, survey) = surveyed(&["1152921504606846976", "1152921504606846977"]);
        assert_eq!(Levels::by_value(&column, &survey).names.len(), 2);
    }

    #[test]
    fn categories_are_the_texts() {
        let (column, survey) = surveyed(&["007", "7", "0070", "7"]);
        let levels = Levels::category(&column, &survey);
        assert_eq!(levels.names, ["007", "0070", "7"]);
        assert_eq!(levels.codes(&column), [0, 2, 1, 2]);
    }

    #[test]
    fn codes_are_found_by_their_texts_only() {
        let levels = ["007", "7", "1152921504606846976"].map(str::to_owned);
        let finder = LevelFinder::new(&levels, Tolerance::Number);
        assert_eq!(
            ["007", "7", "7.0", "7 "].map(|text| finder.find(text)),
            [Some(0), Some(1), Some(1), Some(1)]
        );
        assert_eq!(["07", "1152921504606846977"].map(|text| finder.find(text)), [None, None]);
        let levels = ["1", "1.0"].map(str::to_owned);
        assert_eq!(LevelFinder::new(&levels, Tolerance::Number).find("1.00"), None);
        let levels = ["yes", "Yes"].map(str::to_owned);
        assert_eq!(LevelFinder::new(&levels, Tolerance::Case).find("YES"), None);
    }

    #[test]
    fn blanks_around_a_level_do_not_count() {
        let levels = ["a ".to_owned(), "b ".to_owned()];
        assert_eq!(LevelFinder::new(&levels, Tolerance::Number).find("b"), Some(1));
    }

    #[test]
    fn pairs_are_told_apart_from_one_another_by_case_only() {
        let looks = |cells: &[&str]| {
            let (column, survey) = surveyed(cells);
            is_pair_but_for_case(&column, &survey)
        };
        assert!(looks(&["Yes", "no", "NO"]) && looks(&["yes", "Yes", "YES"]));
        assert!(!looks(&["Yes", "no"]) && !looks(&["0", "1", "1.0"]) && !looks(&["yes", "Yes", "maybe"]));
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
