//! From an untyped column to a feature, looking at the whole column.

use super::date_hints::{almost_dates, mixed_zones, not_iso};
use super::hints::{almost_numeric, differs_in_case, like_codes, taken_as_missing};
use super::interned::{Interned, Origin};
use super::levels::Levels;
use super::note::Note;
use super::raw::{RawCells, RawColumn, RowNumbers};
use super::spellings::{is_spelling_of_missing, missing_among_numbers, survey_of_numbers};
use super::survey::{Meaning, MissingTokens, Survey};
use super::{Feature, FeatureKind, Moment, Values};
use crate::error::{Error, Result};

/// Beyond it `f64` does not hold every whole number, so that none is told from its neighbours.
pub(super) const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A type that the user asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Forced {
    Category,
    Number,
}

/// What became of a column.
#[derive(Debug, PartialEq)]
pub(super) enum Typed {
    Feature { feature: Feature, values: Values, hints: Vec<Note> },
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
    let found = Found::of(&cells, forced, missing);
    if forced == Some(Forced::Number) {
        refuse_text(&name, &cells, &found.survey, rows)?;
    }
    if let Some(reason) = reason_to_leave_out(&name, &cells, &found, forced) {
        return Ok(Typed::LeftOut(Note::left_out(&name, reason)));
    }
    let (feature, values, hints) = found.feature(name, &cells, forced, rows)?;
    Ok(Typed::Feature { feature, values, hints })
}

/// The feature that texts make which must all be kept, however little they help.
pub fn type_texts(name: &str, cells: &Interned, categorical: bool) -> Result<(Feature, Values, Vec<Note>)> {
    let forced = categorical.then_some(Forced::Category);
    let found = Found::of(cells, forced, &MissingTokens::default());
    found.feature(name.to_owned(), cells, forced, &RowNumbers::default())
}

/// The feature that dates, times or durations make; NaN is missing.
pub fn type_moments(name: String, moment: Moment, values: Vec<f64>) -> (Feature, Values) {
    let has_missing = values.iter().any(|value| value.is_nan());
    let moment = moment.of_column(values.iter().copied().filter(|value| !value.is_nan()));
    (Feature::new(name, moment.into(), has_missing), Values::Numbers(values))
}

/// Whether numbers are all whole, and small enough to be told from their neighbours; NaN is missing.
pub fn all_whole(numbers: &[f64]) -> bool {
    let whole = |value: &f64| value.is_nan() || (value.fract() == 0.0 && value.abs() <= LARGEST_WHOLE);
    numbers.iter().all(whole)
}

/// What a column holds, and which of its texts were taken as missing for that.
struct Found {
    survey: Survey,
    tokens: Vec<String>,
    n_taken: usize,
    /// What the numbers of the survey stand for, if they are not just numbers.
    moment: Option<Moment>,
}

impl Found {
    fn of(cells: &Interned, forced: Option<Forced>, missing: &MissingTokens) -> Self {
        let survey = match forced {
            Some(Forced::Number) => Survey::of_numbers(cells, missing),
            _ => Survey::of(cells, missing),
        };
        if forced == Some(Forced::Category) {
            return Self { survey, tokens: Vec::new(), n_taken: 0, moment: None };
        }
        let (survey, tokens, n_taken) = survey_of_numbers(cells, survey, missing);
        if survey.n_texts > 0
            && forced.is_none()
            && let Some(found) = Self::of_moments(cells, &survey, missing)
        {
            return found;
        }
        Self { survey, tokens, n_taken, moment: None }
    }

    /// Dates, times or durations, if all texts but spellings of missing values are of one of these kinds.
    fn of_moments(cells: &Interned, survey: &Survey, missing: &MissingTokens) -> Option<Self> {
        let mut texts = survey.known_codes().map(|code| cells.texts.get(code));
        let first = texts.find(|text| !is_spelling_of_missing(text))?;
        let moment = Moment::TRIED.into_iter().find(|moment| moment.recognise(first).is_some())?;
        let recognise = |text: &str| moment.recognise(text);
        let survey = Survey::of_moments(cells, missing, recognise);
        let (tokens, n_taken) = missing_among_numbers(cells, &survey);
        let survey = Survey::of_moments(cells, &missing.with(&tokens), recognise);
        let values = survey.meanings.iter().filter_map(|meaning| match meaning {
            Meaning::Number(value) => Some(*value),
            _ => None,
        });
        let moment = Some(moment.of_column(values));
        survey.is_numeric().then_some(Self { survey, tokens, n_taken, moment })
    }

    fn feature(
        self,
        name: String,
        cells: &Interned,
        forced: Option<Forced>,
        rows: &RowNumbers,
    ) -> Result<(Feature, Values, Vec<Note>)> {
        let (kind, values) = typed(&name, cells, &self, forced, rows)?;
        let mut advice = Vec::new();
        if !self.tokens.is_empty() {
            let others = self.moment.map_or("numbers", Moment::plural);
            advice.push(taken_as_missing(&name, &self.tokens, self.n_taken, others));
        }
        if forced.is_none() {
            advice.extend(match &kind {
                FeatureKind::Integer | FeatureKind::Real => like_codes(&name, cells, &self.survey),
                FeatureKind::Timestamp => mixed_zones(cells, &self.survey),
                FeatureKind::Boolean { .. }
                | FeatureKind::Date
                | FeatureKind::Duration
                | FeatureKind::Time => None,
                FeatureKind::Category { .. } => differs_in_case(cells, &self.survey)
                    .or_else(|| almost_numeric(&name, cells, &self.survey))
                    .or_else(|| not_iso(cells, &self.survey))
                    .or_else(|| almost_dates(cells, &self.survey)),
            });
        }
        let hints = advice.into_iter().map(|message| Note::hint(&name, message)).collect();
        let has_missing = self.survey.n_missing > 0;
        let feature = Feature { missing: self.tokens, ..Feature::new(name, kind, has_missing) };
        Ok((feature, values, hints))
    }
}

fn typed(
    name: &str,
    cells: &Interned,
    found: &Found,
    forced: Option<Forced>,
    rows: &RowNumbers,
) -> Result<(FeatureKind, Values)> {
    let survey = &found.survey;
    if let Some(moment) = found.moment {
        return Ok((moment.into(), Values::Numbers(to_numbers(name, cells, survey, rows)?.0)));
    }
    let boolean = match (forced, cells.origin) {
        (None, Origin::Truth) => Some(Levels::truth(cells, survey)),
        (None, Origin::Number) => None,
        (None, _) => Levels::boolean(cells, survey),
        _ => None,
    };
    if let Some(levels) = boolean {
        let codes = levels.codes(cells);
        return Ok((FeatureKind::Boolean { levels: levels.names }, Values::Codes(codes)));
    }
    if survey.is_numeric() && forced != Some(Forced::Category) {
        let (numbers, whole) = to_numbers(name, cells, survey, rows)?;
        let kind = if whole { FeatureKind::Integer } else { FeatureKind::Real };
        return Ok((kind, Values::Numbers(numbers)));
    }
    let levels = Levels::category(cells, survey);
    let codes = levels.codes(cells);
    Ok((FeatureKind::Category { levels: levels.names }, Values::Codes(codes)))
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
        let message =
            format!("`{}` is not a finite number; declare it with the option `missing`", cells.at(row));
        return Err(Error::data(rows.place(name, row), message));
    }
    let value = |meaning: &Meaning| if let Meaning::Number(value) = meaning { *value } else { f64::NAN };
    let by_code: Vec<f64> = survey.meanings.iter().map(value).collect();
    let whole = all_whole(&by_code);
    Ok((cells.codes.iter().map(|&code| by_code[code as usize]).collect(), whole))
}

/// Fails at the first cell that is neither number nor missing.
pub(super) fn refuse_text(name: &str, cells: &Interned, survey: &Survey, rows: &RowNumbers) -> Result<()> {
    refuse_other(name, cells, survey, rows, "a number")
}

/// Fails at the first cell that is not what the survey asked for, nor missing.
pub(super) fn refuse_other(
    name: &str,
    cells: &Interned,
    survey: &Survey,
    rows: &RowNumbers,
    wanted: &str,
) -> Result<()> {
    match survey.first_row(cells, |meaning| meaning == Meaning::Text) {
        None => Ok(()),
        Some(row) => {
            let message =
                format!("`{}` is not {wanted}; declare it with the option `missing`", cells.at(row));
            Err(Error::data(rows.place(name, row), message))
        }
    }
}

/// Why a column cannot serve as a feature, if so. A type that the user asked for keeps all but constants.
fn reason_to_leave_out(
    name: &str,
    cells: &Interned,
    found: &Found,
    forced: Option<Forced>,
) -> Option<String> {
    let survey = &found.survey;
    if let Some(reason) = constant(cells, survey, forced) {
        return Some(reason);
    }
    if forced.is_some() || found.moment.is_some() {
        return None;
    }
    if survey.is_numeric() {
        let reason = "it has no name and its cells only number the rows";
        return (is_unnamed(name) && only_rises(cells, survey)).then(|| reason.into());
    }
    let distinct = survey.known_codes().count();
    if let Some(reason) = not_iso(cells, survey) {
        Some(reason)
    } else if distinct > 1 && distinct == survey.n_known() {
        // A measured column with a word for missing is all distinct as well, and its owner wants to know.
        let identifier =
            || "no value occurs twice, as in an identifier; keep it with the option `categorical`".into();
        let almost = almost_numeric(name, cells, survey).or_else(|| almost_dates(cells, survey));
        Some(almost.unwrap_or_else(identifier))
    } else {
        None
    }
}

/// Tells a column in which nothing differs. One value beside missing cells still tells rows apart.
fn constant(cells: &Interned, survey: &Survey, forced: Option<Forced>) -> Option<String> {
    let mut known = survey.known_codes();
    let Some(first) = known.next() else { return Some("all its cells are missing".into()) };
    let meaning = |code: u32| survey.meanings[code as usize];
    // Two texts of one meaning are spellings of one number, where texts do not count.
    let may_differ = survey.is_numeric() && forced != Some(Forced::Category);
    let is_constant =
        survey.n_missing == 0 && known.all(|code| may_differ && meaning(code) == meaning(first));
    let differ_in_digits = || {
        matches!(meaning(first), Meaning::Number(value) if value.abs() > LARGEST_WHOLE)
            && survey.known_codes().nth(1).is_some()
    };
    is_constant.then(|| {
        if differ_in_digits() {
            return "its numbers differ only in digits beyond those that are computed with; if these are identifiers, \
                    keep it with the option `categorical`"
                .into();
        }
        format!("all its cells are `{}`", cells.texts.get(first))
    })
}

/// The name that a reader gives to a first column without one, such as a data frame's index.
pub fn name_of_unnamed(position: usize) -> String {
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

#[cfg(test)]
mod tests;
