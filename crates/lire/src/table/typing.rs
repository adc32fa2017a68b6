//! From an untyped column to a feature, looking at the whole column.

use super::date::is_date;
use super::interned::Interned;
use super::levels::Levels;
use super::nearest::list;
use super::note::Note;
use super::raw::{RawCells, RawColumn, RowNumbers};
use super::survey::{Meaning, MissingTokens, Survey, number};
use super::{Feature, FeatureKind, Values};
use crate::error::{Error, Result};

/// A category is hinted to be numeric if so few distinct texts stand in the way …
const FEW_TOKENS: usize = 3;
/// … and at least this part of its known cells are numbers.
const MOSTLY_NUMBERS: f64 = 0.9;
/// Beyond it `f64` does not hold every whole number, so that none is told from its neighbours.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A type that the user asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Forced {
    Category,
    Number,
}

/// What became of a column.
#[derive(Debug, PartialEq)]
pub(super) enum Typed {
    Feature { feature: Feature, values: Values, hint: Option<Note> },
    LeftOut(Note),
}

/// Finds the column's type and converts its cells.
pub(super) fn type_column(
    column: RawColumn,
    forced: Option<Forced>,
    missing: &MissingTokens,
    rows: &RowNumbers,
) -> Result<Typed> {
    let name = column.name;
    let cells = match column.cells {
        RawCells::Text(cells) => cells,
        RawCells::Unusable(what) => {
            return Ok(Typed::LeftOut(Note::left_out(
                &name,
                format!("it holds {what}, which rules cannot use"),
            )));
        }
    };
    let survey = Survey::of(&cells, missing);
    if forced == Some(Forced::Number) {
        refuse_text(&name, &cells, &survey, rows)?;
    }
    if let Some(reason) = reason_to_leave_out(&name, &cells, &survey, forced) {
        return Ok(Typed::LeftOut(Note::left_out(&name, reason)));
    }
    let boolean = if forced.is_none() { Levels::boolean(&cells, &survey) } else { None };
    let has_numbers = survey.is_numeric() && forced != Some(Forced::Category);
    let (kind, values) = match boolean {
        Some(levels) => {
            let codes = levels.codes(&cells);
            (FeatureKind::Boolean { levels: levels.names }, Values::Codes(codes))
        }
        None if has_numbers => {
            let (numbers, whole) = to_numbers(&name, &cells, &survey, rows)?;
            (if whole { FeatureKind::Integer } else { FeatureKind::Real }, Values::Numbers(numbers))
        }
        None => {
            let levels = Levels::category(&cells, &survey);
            let codes = levels.codes(&cells);
            (FeatureKind::Category { levels: levels.names }, Values::Codes(codes))
        }
    };
    let advice = if forced.is_none() { almost_numeric(&cells, &survey) } else { None };
    let hint = advice.map(|message| Note::hint(&name, message));
    let feature = Feature { name, kind, has_missing: survey.n_missing > 0 };
    Ok(Typed::Feature { feature, values, hint })
}

/// The cells as numbers, NaN where missing, and whether all are whole. Text must have been refused before.
pub(super) fn to_numbers(
    name: &str,
    cells: &Interned,
    survey: &Survey,
    rows: &RowNumbers,
) -> Result<(Vec<f64>, bool)> {
    let infinite = |meaning| matches!(meaning, Meaning::Number(value) if value.is_infinite());
    if let Some(row) = survey.first_row(cells, infinite) {
        let message = format!("`{}` is not a finite number; declare it with --missing", cells.cell(row));
        return Err(Error::data(rows.place(name, row), message));
    }
    let value = |meaning: &Meaning| if let Meaning::Number(value) = meaning { *value } else { f64::NAN };
    let by_code: Vec<f64> = survey.meanings.iter().map(value).collect();
    let whole = |value: &f64| value.is_nan() || (value.fract() == 0.0 && value.abs() <= LARGEST_WHOLE);
    let all_whole = by_code.iter().all(whole);
    Ok((cells.codes.iter().map(|&code| by_code[code as usize]).collect(), all_whole))
}

/// Fails at the first cell that is neither number nor missing.
pub(super) fn refuse_text(name: &str, cells: &Interned, survey: &Survey, rows: &RowNumbers) -> Result<()> {
    match survey.first_row(cells, |meaning| meaning == Meaning::Text) {
        None => Ok(()),
        Some(row) => {
            let message = format!("`{}` is not a number; declare it with --missing", cells.cell(row));
            Err(Error::data(rows.place(name, row), message))
        }
    }
}

/// Why a column cannot serve as a feature, if so. A type that the user asked for keeps all but constants.
fn reason_to_leave_out(
    name: &str,
    cells: &Interned,
    survey: &Survey,
    forced: Option<Forced>,
) -> Option<String> {
    if let Some(reason) = constant(cells, survey) {
        return Some(reason);
    }
    if forced.is_some() {
        return None;
    }
    if survey.is_numeric() {
        let reason = "it has no name and its cells only number the rows";
        return (is_unnamed(name) && only_rises(cells, survey)).then(|| reason.into());
    }
    let distinct = survey.known_codes().count();
    if survey.known_codes().all(|code| is_date(cells.texts.get(code))) {
        Some("its cells are dates; derive numbers from them first, such as an age or a month".into())
    } else if distinct > 1 && distinct == survey.n_known() {
        // A measured column with a word for missing is all distinct as well, and its owner wants to know.
        let identifier = || "no value occurs twice, as in an identifier; keep it with --categorical".into();
        Some(almost_numeric(cells, survey).unwrap_or_else(identifier))
    } else {
        None
    }
}

/// Tells a column in which nothing differs. One value beside missing cells still tells rows apart.
fn constant(cells: &Interned, survey: &Survey) -> Option<String> {
    let mut known = survey.known_codes();
    let Some(first) = known.next() else { return Some("all its cells are missing".into()) };
    let meaning = |code: u32| survey.meanings[code as usize];
    // Two texts of one meaning are spellings of one number.
    let same = |code: u32| meaning(code) != Meaning::Text && meaning(code) == meaning(first);
    let is_constant = survey.n_missing == 0 && known.all(same);
    is_constant.then(|| format!("all its cells are `{}`", cells.texts.get(first)))
}

/// The name that a reader gives to a first column without one, such as a data frame's index.
pub(super) fn name_of_unnamed(position: usize) -> String {
    format!("column {}", position + 1)
}

fn is_unnamed(name: &str) -> bool {
    name == name_of_unnamed(0)
}

fn only_rises(cells: &Interned, survey: &Survey) -> bool {
    let value = |code: u32| match survey.meanings[code as usize] {
        Meaning::Number(value) => value,
        _ => f64::NAN,
    };
    cells.codes.windows(2).all(|pair| value(pair[0]) < value(pair[1]))
}

/// Tells a column that would be numeric but for a few texts, or for the way its numbers are written.
fn almost_numeric(cells: &Interned, survey: &Survey) -> Option<String> {
    let texts = || survey.known_codes().filter(|&code| survey.meanings[code as usize] == Meaning::Text);
    let has_decimal_comma = |code| {
        let text = cells.texts.get(code);
        text.matches(',').count() == 1 && number(&text.replace(',', ".")).is_some()
    };
    if survey.n_texts > 0 && texts().all(has_decimal_comma) {
        return Some(
            "its numbers are written with a decimal comma, so that they are texts; write a point".into(),
        );
    }
    let tokens: Vec<&str> = texts().take(FEW_TOKENS + 1).map(|code| cells.texts.get(code)).collect();
    let mostly_numbers = survey.n_numbers as f64 >= MOSTLY_NUMBERS * survey.n_known() as f64;
    if tokens.is_empty() || tokens.len() > FEW_TOKENS || !mostly_numbers {
        return None;
    }
    let declared: Vec<String> = tokens.iter().map(|token| format!("--missing \"{token}\"")).collect();
    Some(format!(
        "all its values are numbers except {}, so that it is a category; if that means missing, declare it with {}",
        list(&tokens),
        declared.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::MISSING;

    fn typed(name: &str, cells: &[&str], forced: Option<Forced>) -> Result<Typed> {
        let column = RawColumn::of_texts(name, cells.iter().copied());
        type_column(column, forced, &MissingTokens::default(), &RowNumbers::default())
    }

    fn kind(cells: &[&str], forced: Option<Forced>) -> (FeatureKind, Values) {
        match typed("x", cells, forced).unwrap() {
            Typed::Feature { feature, values, .. } => (feature.kind, values),
            Typed::LeftOut(note) => panic!("{note}"),
        }
    }

    fn note(name: &str, cells: &[&str], forced: Option<Forced>) -> Option<String> {
        match typed(name, cells, forced).unwrap() {
            Typed::Feature { hint, .. } => hint.map(|hint| hint.to_string()),
            Typed::LeftOut(note) => Some(note.to_string()),
        }
    }

    #[test]
    fn numbers_are_integer_or_real() {
        assert_eq!(
            kind(&["1", "2.0", "1e3"], None),
            (FeatureKind::Integer, Values::Numbers(vec![1., 2., 1000.]))
        );
        assert_eq!(kind(&["1", "-.5"], None), (FeatureKind::Real, Values::Numbers(vec![1., -0.5])));
        assert_eq!(kind(&["0", "1"], Some(Forced::Number)).0, FeatureKind::Integer);
    }

    #[test]
    fn categories_are_sorted_and_forced_numbers_keep_their_text() {
        let levels = vec!["10".to_owned(), "9".to_owned()];
        let expected = (FeatureKind::Category { levels }, Values::Codes(vec![1, 0, 1, MISSING]));
        assert_eq!(kind(&["9", "10", "9.0", ""], Some(Forced::Category)), expected);
        let levels = vec!["a".to_owned()];
        assert_eq!(kind(&["a", ""], None).0, FeatureKind::Category { levels });
    }

    #[test]
    fn forced_numbers_refuse_text_and_all_refuse_infinity() {
        let message = typed("age", &["1", "n/a"], Some(Forced::Number)).unwrap_err().to_string();
        assert_eq!(message, "column `age`, row 2: `n/a` is not a number; declare it with --missing");
        let message = typed("age", &["1", "2", "inf"], None).unwrap_err().to_string();
        assert_eq!(message, "column `age`, row 3: `inf` is not a finite number; declare it with --missing");
        let message = typed("age", &["1", "1e999"], None).unwrap_err().to_string();
        assert!(message.starts_with("column `age`, row 2: `1e999`"), "{message}");
    }

    #[test]
    fn columns_that_cannot_help_are_left_out() {
        for (cells, reason) in [
            (["a", "b", "c"], "no value occurs twice"),
            (["2024-01-01", "2024-01-01", "2024-01-02"], "its cells are dates"),
            (["yes", "yes", "yes"], "all its cells are `yes`"),
            (["1", "1.0", "1"], "all its cells are `1`"),
            (["", "", ""], "all its cells are missing"),
        ] {
            let note = note("x", &cells, None).unwrap();
            assert!(note.starts_with(&format!("column `x`: left out: {reason}")), "{note}");
        }
        assert!(note("column 1", &["0", "1", "2"], None).unwrap().contains("only number the rows"));
        assert_eq!(note("x", &["0", "1", "2"], None), None);
    }

    #[test]
    fn a_wish_keeps_identifiers_and_dates() {
        assert_eq!(note("x", &["a", "b", "c"], Some(Forced::Category)), None);
        assert_eq!(note("x", &["2024-01-01", "2024-01-02"], Some(Forced::Category)), None);
    }

    #[test]
    fn a_few_texts_among_numbers_are_hinted_at() {
        let mut cells = ["1", "2", "3", "4", "5"].repeat(10);
        cells.push("?");
        let note = note("x", &cells, None).unwrap();
        let expected = "column `x`: all its values are numbers except `?`, so that it is a category; if that means \
                        missing, declare it with --missing \"?\"";
        assert_eq!(note, expected);
    }

    #[test]
    fn measured_columns_with_a_word_or_decimal_commas_are_no_identifiers() {
        let mut cells: Vec<String> = (0..30).map(|i| format!("0.{i:03}")).collect();
        cells.push("n/a".into());
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        assert!(note("x", &cells, None).unwrap().contains("--missing \"n/a\""));
        assert!(note("x", &["1,5", "2", "3,25"], None).unwrap().contains("decimal comma"));
        assert!(note("x", &["1,5", "2", "1,5"], None).unwrap().contains("decimal comma"));
    }
}
