//! Finds out what a target column holds: which classes, or numbers.

use super::hints::differs_in_case;
use super::interned::Interned;
use super::levels::{LevelFinder, Levels, Tolerance};
use super::nearest::list;
use super::note::Note;
use super::raw::{RawColumn, RawTable, RowNumbers};
use super::survey::{Meaning, MissingTokens, Survey, number};
use super::target::{Target, TargetValues, Task};
use super::typing::to_numbers;
use super::{MISSING, Moment};
use crate::error::{Error, Result};

/// A column of at most so many different whole numbers is one of classes unless the user says otherwise.
const MAX_INTEGER_CLASSES: usize = 10;

/// What the user says of the target.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wish<'a> {
    pub task: Option<Task>,
    pub positive: Option<&'a str>,
}

/// Finds the classes or numbers of a column without missing cells.
pub(super) fn find_target(
    column: &RawColumn,
    wish: Wish,
    weights: Option<&[f64]>,
    missing: &MissingTokens,
    rows: &RowNumbers,
) -> Result<(Target, Vec<Note>)> {
    let name = &column.name;
    let cells = column.text()?;
    let survey = Survey::of(cells, missing);
    let task = match wish.task {
        Some(task) => task,
        None => infer_task(name, cells, &survey)?,
    };
    if task == Task::Regression {
        if wish.positive.is_some() {
            return Err(Error::config(
                "positive",
                "a number has no positive class; leave the option `positive` out",
            ));
        }
        let values = to_finite(name, cells, &Survey::of_numbers(cells, missing), rows)?;
        if values.iter().all(|&value| value == values[0]) {
            let message = format!("every row is {}; there is nothing to predict", cells.at(0));
            return Err(Error::data(format!("column `{name}`"), message));
        }
        return Ok((Target { name: name.clone(), values: TargetValues::Numbers(values) }, Vec::new()));
    }
    let (mut classes, mut labels) = classes_in_order(cells, &survey);
    refuse_single_class(name, &classes)?;
    let mut notes: Vec<Note> = hint_on_case(name, cells, &survey).into_iter().collect();
    if let [_, _] = &classes[..] {
        let (positive_side, note) =
            choose_side(name, &classes, wish.positive, || rarer_side(&labels, weights))?;
        notes.extend(note);
        if positive_side == 0 {
            classes.reverse();
            for label in &mut labels {
                *label = 1 - *label;
            }
        }
    } else if wish.positive.is_some() {
        let message =
            format!("column `{name}` has {} classes; the option `positive` is for two", classes.len());
        return Err(Error::config("positive", message));
    }
    Ok((Target::of_classes(name, classes, labels, wish.positive.is_some()), notes))
}

/// What is to be said of classes that are given as such.
pub fn hint_on_classes(name: &str, classes: &[String]) -> Option<Note> {
    let cells = Interned::of(classes.iter().map(String::as_str));
    hint_on_case(name, &cells, &Survey::of(&cells, &MissingTokens::default()))
}

fn hint_on_case(name: &str, cells: &Interned, survey: &Survey) -> Option<Note> {
    differs_in_case(cells, survey).map(|message| Note::hint(name, message))
}

/// Text, boolean, or a few whole numbers are classes; what other numbers are, only the user can say.
fn infer_task(name: &str, cells: &Interned, survey: &Survey) -> Result<Task> {
    if !survey.is_numeric() || Levels::boolean(cells, survey).is_some() {
        return Ok(Task::Classification);
    }
    let mut numbers: Vec<f64> = survey
        .meanings
        .iter()
        .filter_map(|meaning| if let Meaning::Number(value) = meaning { Some(*value) } else { None })
        .collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
    let whole = numbers.iter().all(|value| value.fract() == 0.0);
    if whole && numbers.len() <= MAX_INTEGER_CLASSES {
        return Ok(Task::Classification);
    }
    let message = format!(
        "column `{name}` holds {} different numbers; say `task = regression` to predict the number, or \
         `task = classification` to take each as a class",
        numbers.len()
    );
    Err(Error::config("task", message))
}

/// The numbers of a column without missing cells, all finite.
pub(super) fn to_finite(
    name: &str,
    cells: &Interned,
    survey: &Survey,
    rows: &RowNumbers,
) -> Result<Vec<f64>> {
    if let Some(row) = survey.first_row(cells, |meaning| meaning == Meaning::Text) {
        if Moment::TRIED.iter().any(|moment| moment.recognise(cells.at(row)).is_some()) {
            let message = format!(
                "`{}` is a date, a time or a duration, and a regression predicts numbers; derive some first, such as days \
                 since a date",
                cells.at(row)
            );
            return Err(Error::data(rows.place(name, row), message));
        }
        let message = format!(
            "`{}` is not a number, as the target of a regression must be; correct it, declare it with the option `missing`, or \
             say `task = classification`",
            cells.at(row)
        );
        return Err(Error::data(rows.place(name, row), message));
    }
    if let Some(row) = survey.first_row(cells, |meaning| meaning == Meaning::Missing) {
        let message = format!("`{}` is missing as a number; leave such rows out", cells.at(row));
        return Err(Error::data(rows.place(name, row), message));
    }
    Ok(to_numbers(name, cells, survey, rows)?.0)
}

/// Fails unless there are several classes.
fn refuse_single_class(name: &str, classes: &[String]) -> Result<()> {
    match classes {
        [only] => {
            let message = format!("every row is `{only}`; a target needs two classes");
            Err(Error::data(format!("column `{name}`"), message))
        }
        _ => Ok(()),
    }
}

/// The rows whose target is missing.
pub(super) fn rows_without(cells: &Interned, survey: &Survey) -> Vec<usize> {
    let is_missing = |code: u32| survey.meanings[code as usize] == Meaning::Missing;
    (0..cells.len()).filter(|&row| is_missing(cells.codes[row])).collect()
}

/// Fails if there are rows without a target.
pub(super) fn refuse_missing(raw: &RawTable, name: &str, rows: &[usize]) -> Result<()> {
    let Some(&first) = rows.first() else { return Ok(()) };
    let message = format!(
        "the target is missing here, and in {} of {} rows altogether; fill it in, or leave such rows out with \
         the option `drop_missing_target`",
        rows.len(),
        raw.n_rows()
    );
    Err(Error::data(raw.row_numbers().place(name, first), message))
}

/// The classes in their natural order (no before yes, numbers by value, else by bytes) and that of each row.
fn classes_in_order(cells: &Interned, survey: &Survey) -> (Vec<String>, Vec<u32>) {
    let levels = Levels::boolean(cells, survey).unwrap_or_else(|| Levels::by_value(cells, survey));
    let mut codes = levels.codes(cells);
    debug_assert!(!codes.contains(&MISSING), "rows without a target are dropped or refused before");
    let names = levels.names;
    if !survey.is_numeric() {
        return (names, codes);
    }
    let value = |name: &String| number(name).unwrap_or(f64::NAN);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| value(&names[a]).total_cmp(&value(&names[b])));
    let mut place = vec![0; names.len()];
    for (position, &class) in order.iter().enumerate() {
        place[class] = position as u32;
    }
    for code in &mut codes {
        *code = place[*code as usize];
    }
    (order.iter().map(|&class| names[class].clone()).collect(), codes)
}

/// The side that the user named, else the rarer one with a note that says so.
fn choose_side(
    name: &str,
    pair: &[String],
    positive: Option<&str>,
    rarer: impl Fn() -> usize,
) -> Result<(usize, Option<Note>)> {
    let Some(label) = positive else {
        let side = rarer();
        let message = format!(
            "positive class: `{}` (the rarer one; choose another with the option `positive`)",
            pair[side]
        );
        return Ok((side, Some(Note::choice(message))));
    };
    let side = LevelFinder::new(pair, Tolerance::Case).find(label).ok_or_else(|| {
        let message = format!("`{label}` is not a class of column `{name}`, which has {}", list(pair));
        Error::config("positive", message)
    })?;
    Ok((side, None))
}

/// The class with less weight; of equals the later, which is yes, true or 1.
fn rarer_side(sides: &[u32], weights: Option<&[f64]>) -> usize {
    let mut totals = [0.0; 2];
    for (row, &side) in sides.iter().enumerate() {
        totals[side as usize] += weights.map_or(1.0, |weights| weights[row]);
    }
    usize::from(totals[1] <= totals[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_as(cells: &[&str], wish: Wish, weights: Option<&[f64]>) -> Result<(Target, Vec<Note>)> {
        let column = RawColumn::of_texts("y", cells.iter().copied());
        find_target(&column, wish, weights, &MissingTokens::default(), &RowNumbers::default())
    }

    fn find(cells: &[&str], positive: Option<&str>) -> Result<(Target, Vec<Note>)> {
        find_as(cells, Wish { task: None, positive }, None)
    }

    fn labels(target: &Target) -> Vec<u32> {
        match &target.values {
            TargetValues::Classes(of) => of.labels.clone(),
            TargetValues::Numbers(_) => panic!("classes"),
        }
    }

    fn regression() -> Wish<'static> {
        Wish { task: Some(Task::Regression), positive: None }
    }

    #[test]
    fn the_rarer_class_is_positive() {
        let cells = ["a", "b", "a", "a", "b"];
        let (target, note) = find(&cells, None).unwrap();
        assert_eq!(target.classes(), ["a", "b"]);
        assert_eq!(labels(&target), [0, 1, 0, 0, 1]);
        let message = "positive class: `b` (the rarer one; choose another with the option `positive`)";
        assert_eq!(note[0].to_string(), message);
        let (target, _) = find_as(&cells, Wish::default(), Some(&[1.0, 9.0, 1.0, 1.0, 1.0])).unwrap();
        assert_eq!(target.classes(), ["b", "a"]);
        assert_eq!(labels(&target), [1, 0, 1, 1, 0]);
    }

    #[test]
    fn of_equals_the_later_is_positive() {
        assert_eq!(find(&["1", "0", "1", "0"], None).unwrap().0.classes()[1], "1");
        assert_eq!(find(&["10", "9", "10", "9"], None).unwrap().0.classes()[1], "10");
        assert_eq!(find(&["Y", "N", "N", "Y"], None).unwrap().0.classes()[1], "Y");
    }

    #[test]
    fn the_positive_class_is_chosen_by_any_spelling_of_its_number() {
        let (target, note) = find(&["1.0", "2.0", "1", "2"], Some("1")).unwrap();
        assert_eq!(target.classes(), ["2", "1"]);
        assert_eq!(labels(&target), [1, 0, 1, 0]);
        assert!(note.is_empty());
    }

    #[test]
    fn dates_are_no_numbers_to_predict() {
        let column = RawColumn::of_texts("day", ["2019-04-01", "2019-04-02"]);
        let wish = Wish { task: Some(Task::Regression), positive: None };
        let found = find_target(&column, wish, None, &MissingTokens::default(), &RowNumbers::default());
        let message = found.unwrap_err().to_string();
        assert!(
            message.contains("row 1: `2019-04-01` is a date") && message.contains("days since"),
            "{message}"
        );
    }

    #[test]
    fn classes_that_differ_in_case_stay_apart_with_a_note() {
        let (target, notes) = find(&["yes", "Yes", "YES ", "yes", "Yes", "YES"], None).unwrap();
        assert_eq!(target.classes(), ["YES", "Yes", "yes"]);
        assert!(
            notes[0].to_string().starts_with("column `y`: `YES`, `Yes`, `yes` differ in upper"),
            "{}",
            notes[0]
        );
        assert_eq!(find(&["0", "1", "1.0"], None).unwrap().0.classes(), ["1", "0"]);
    }

    #[test]
    fn several_classes_are_in_their_natural_order() {
        let (target, note) = find(&["10", "9", "2", "2", "10", "9"], None).unwrap();
        assert_eq!(target.classes(), ["2", "9", "10"]);
        assert_eq!(labels(&target), [2, 1, 0, 0, 2, 1]);
        assert!(note.is_empty());
        let message = find(&["a", "b", "c", "a", "b", "c"], Some("a")).unwrap_err().to_string();
        assert_eq!(message, "`positive`: column `y` has 3 classes; the option `positive` is for two");
    }

    #[test]
    fn numbers_are_predicted_on_request() {
        let cells = ["1.5", "2.5", "-3e2"];
        let message = find(&cells, None).unwrap_err().to_string();
        assert!(message.starts_with("`task`: column `y` holds 3 different numbers; say `task = regression`"));
        let (target, _) = find_as(&cells, regression(), None).unwrap();
        assert_eq!(target.values, TargetValues::Numbers(vec![1.5, 2.5, -300.0]));
        let eleven: Vec<String> = (0..22).map(|row| (row % 11).to_string()).collect();
        let eleven: Vec<&str> = eleven.iter().map(String::as_str).collect();
        assert!(find(&eleven, None).unwrap_err().to_string().contains("11 different numbers"));
        let as_classes = Wish { task: Some(Task::Classification), positive: None };
        assert_eq!(find_as(&eleven, as_classes, None).unwrap().0.classes().len(), 11);
    }

    #[test]
    fn unsuitable_targets_are_refused() {
        let message = |cells: &[&str], positive| find(cells, positive).unwrap_err().to_string();
        assert_eq!(message(&["a", "a"], None), "column `y`: every row is `a`; a target needs two classes");
        let unknown = message(&["a", "b", "a", "b"], Some("c"));
        assert_eq!(unknown, "`positive`: `c` is not a class of column `y`, which has `a`, `b`");
        let text = find_as(&["1", "x"], regression(), None).unwrap_err().to_string();
        assert!(
            text.starts_with("column `y`, row 2: `x` is not a number, as the target of a regression"),
            "{text}"
        );
        let same = find_as(&["2", "2.0"], regression(), None).unwrap_err().to_string();
        assert_eq!(same, "column `y`: every row is 2; there is nothing to predict");
    }

    #[test]
    fn known_classes_are_found_again() {
        let columns = vec![RawColumn::of_texts("y", ["1.0", "0", "1"])];
        let raw = RawTable::new("x.csv", columns, 3).unwrap();
        let classes = ["0".to_owned(), "1".to_owned()];
        assert_eq!(labels(&Target::known(&raw, "y", &classes, &[]).unwrap()), [1, 0, 1]);
        let numbers = Target::known(&raw, "y", &[], &[]).unwrap();
        assert_eq!(numbers.values, TargetValues::Numbers(vec![1.0, 0.0, 1.0]));
        let other = ["a".to_owned(), "b".to_owned()];
        let message = Target::known(&raw, "y", &other, &[]).unwrap_err().to_string();
        assert_eq!(message, "column `y`, row 1: `1.0` is not a class of the model, which knows `a`, `b`");
    }
}
