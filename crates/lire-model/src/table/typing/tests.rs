//! Tests of the types of columns.

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
        Typed::Feature { hints, .. } => hints.first().map(ToString::to_string),
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
    let levels = ["10", "9", "9.0"].map(str::to_owned).to_vec();
    let expected = (FeatureKind::Category { levels }, Values::Codes(vec![1, 0, 2, MISSING]));
    assert_eq!(kind(&["9", "10", "9.0", ""], Some(Forced::Category)), expected);
    let levels = vec!["a".to_owned()];
    assert_eq!(kind(&["a", ""], None).0, FeatureKind::Category { levels });
}

#[test]
fn forced_numbers_refuse_text_and_all_refuse_infinity() {
    let message = typed("age", &["1", "old"], Some(Forced::Number)).unwrap_err().to_string();
    assert_eq!(message, "column `age`, row 2: `old` is not a number; declare it with the option `missing`");
    let message = typed("age", &["1", "2", "inf"], None).unwrap_err().to_string();
    assert_eq!(
        message,
        "column `age`, row 3: `inf` is not a finite number; declare it with the option `missing`"
    );
    let message = typed("age", &["1", "1e999"], None).unwrap_err().to_string();
    assert!(message.starts_with("column `age`, row 2: `1e999`"), "{message}");
}

#[test]
fn columns_that_cannot_help_are_left_out() {
    for (cells, reason) in [
        (["a", "b", "c"], "no value occurs twice"),
        (["31.1.2024", "31.1.2024", "1.2.2024"], "its cells look like dates"),
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
fn iso_texts_are_dates_times_and_durations() {
    for (cells, expected) in [
        (["2019-04-01", "", "1969-12-31"], FeatureKind::Date),
        (["2019-04-01T00:00:00Z", "2019-04-02", "2019-04-01"], FeatureKind::Date),
        (["2019-04-01T08:15", "2019-04-02", "NaT"], FeatureKind::Timestamp),
        (["3 days 04:00:00", "-1 days +20:00:00", "P2D"], FeatureKind::Duration),
        (["08:15", "23:59:59.5", "08:15"], FeatureKind::Time),
    ] {
        assert_eq!(kind(&cells, None).0, expected, "{cells:?}");
    }
    let days = kind(&["1970-01-02", "", "1969-12-31T00:00Z"], None).1;
    let Values::Numbers(days) = days else { panic!("numbers") };
    assert!(days[0] == 86.4e9 && days[1].is_nan() && days[2] == -86.4e9);
    assert_eq!(kind(&["2019", "2020", "2019"], None).0, FeatureKind::Integer, "years are numbers");
    for cells in [["2019-04-01", "08:15", "08:15"], ["2019-04-01", "5", "5"], ["3d", "4d", "3d"]] {
        assert!(matches!(kind(&cells, None).0, FeatureKind::Category { .. }), "{cells:?}");
    }
}

#[test]
fn tokens_among_dates_are_missing_or_told() {
    let mut cells = ["2019-04-01", "2019-04-02"].repeat(20);
    cells.push("n/a");
    let expected = "column `x`: 1 cell with `n/a` is taken as missing, because the others are dates; keep such texts \
                    with the option `categorical` = x";
    assert_eq!(note("x", &cells, None).unwrap(), expected);
    cells.push("soon");
    let told = note("x", &cells, None).unwrap();
    assert!(told.contains("all its values are dates except `n/a`, `soon`"), "{told}");
    assert!(note("x", &["2019-04-01T08:15", "2019-04-01T09:15Z"], None).unwrap().contains("as UTC"));
    let dates = ["2019-04-01", "2019-04-02", "2019-04-03"];
    assert_eq!(note("x", &dates, None), None, "dates that all differ are no identifier");
    assert_eq!(note("column 1", &dates, None), None);
}

#[test]
fn a_wish_keeps_identifiers_and_dates() {
    assert_eq!(note("x", &["a", "b", "c"], Some(Forced::Category)), None);
    assert_eq!(note("x", &["2024-01-01", "2024-01-02"], Some(Forced::Category)), None);
}

#[test]
fn a_few_texts_among_numbers_are_hinted_at() {
    let mut cells = ["1", "2", "3", "4", "5"].repeat(10);
    cells.push("none yet");
    let note = note("x", &cells, None).unwrap();
    let expected = "column `x`: all its values are numbers except `none yet`, so that it is a category; if that \
                    means missing, declare it with the option `missing` = \"none yet\"";
    assert_eq!(note, expected);
}

#[test]
fn spellings_of_missing_among_numbers_are_missing_and_remembered() {
    let cells = ["1.5", "NA", "2", "?", "null", "", "?"];
    let Typed::Feature { feature, values, hints } = typed("x", &cells, None).unwrap() else { panic!("kept") };
    assert_eq!(feature.kind, FeatureKind::Real);
    assert_eq!(feature.missing, ["?", "NA", "null"]);
    let Values::Numbers(values) = values else { panic!("numbers") };
    assert_eq!(values.iter().filter(|value| value.is_nan()).count(), 5);
    let expected = "column `x`: 4 cells with `?`, `NA`, `null` are taken as missing, because the others are numbers; \
                    keep such texts with the option `categorical` = x";
    assert_eq!(hints[0].to_string(), expected);
    assert_eq!(kind(&cells, Some(Forced::Number)).0, FeatureKind::Real);
    let levels = ["1.5", "2", "?", "NA", "null"].map(str::to_owned).to_vec();
    assert_eq!(kind(&cells, Some(Forced::Category)).0, FeatureKind::Category { levels });
    let levels = ["?", "a", "b"].map(str::to_owned).to_vec();
    assert_eq!(kind(&["a", "?", "b", "a"], None).0, FeatureKind::Category { levels });
}

#[test]
fn declared_codes_are_levels_as_they_are_written() {
    let levels = ["007", "0070", "7"].map(str::to_owned).to_vec();
    let codes = ["007", "7", "0070", "7"];
    assert_eq!(kind(&codes, Some(Forced::Category)).0, FeatureKind::Category { levels });
    assert!(note("x", &codes, None).unwrap().contains("give the option `categorical` = x"));
    let ids = ["1152921504606846976", "1152921504606846977", "1152921504606846976"];
    assert_eq!(kind(&ids, Some(Forced::Category)).0.levels().unwrap().len(), 2);
    let note = note("x", &ids, None).unwrap();
    assert!(note.contains("left out: its numbers differ only in digits beyond"), "{note}");
}

#[test]
fn what_the_source_calls_text_stays_text() {
    let of_text = |cells: &[&str], forced| {
        let cells = Interned::of(cells.iter().copied()).with_origin(Origin::Text);
        let column = RawColumn { name: "x".into(), cells: RawCells::Text(cells) };
        match type_column(column, forced, &MissingTokens::default(), &RowNumbers::default()).unwrap() {
            Typed::Feature { feature, hints, .. } => (feature.kind, hints.len()),
            Typed::LeftOut(note) => panic!("{note}"),
        }
    };
    let levels = ["007", "0070", "7"].map(str::to_owned).to_vec();
    assert_eq!(of_text(&["007", "7", "0070", "7"], None), (FeatureKind::Category { levels }, 0));
    assert_eq!(of_text(&["1", "7", "1"], Some(Forced::Number)).0, FeatureKind::Integer);
    let levels = ["1", "2", "nan"].map(str::to_owned).to_vec();
    assert_eq!(of_text(&["1", "2", "nan", "1"], None).0, FeatureKind::Category { levels });
    let mut cells = ["1", "2"].repeat(30);
    cells.push("NA");
    assert_eq!(of_text(&cells, None).1, 1, "hinted at");
}

#[test]
fn what_the_source_calls_numbers_stays_numbers() {
    let cells = Interned::of(["0", "1", "", "1"]).with_origin(Origin::Number);
    let column = RawColumn { name: "x".into(), cells: RawCells::Text(cells) };
    match type_column(column, None, &MissingTokens::default(), &RowNumbers::default()).unwrap() {
        Typed::Feature { feature, .. } => assert_eq!(feature.kind, FeatureKind::Integer),
        Typed::LeftOut(note) => panic!("{note}"),
    }
    assert!(matches!(kind(&["0", "1", "", "1"], None).0, FeatureKind::Boolean { .. }));
}

#[test]
fn pairs_that_differ_in_case_stay_apart_with_a_note() {
    for (cells, n_levels) in [(vec!["Yes", "no", "NO", "Yes"], 3), (vec!["T", "F", "t", "T"], 3)] {
        assert_eq!(kind(&cells, None).0.levels().unwrap().len(), n_levels);
        assert!(note("x", &cells, None).unwrap().contains("are kept apart"));
    }
    assert!(matches!(kind(&["0", "1", "1.0"], None).0, FeatureKind::Boolean { .. }));
    assert!(matches!(kind(&["Yes", "no", "Yes"], None).0, FeatureKind::Boolean { .. }));
}

#[test]
fn measured_columns_with_a_word_or_decimal_commas_are_no_identifiers() {
    let mut cells: Vec<String> = (0..30).map(|i| format!("0.{i:03}")).collect();
    cells.push("too low".into());
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    assert!(note("x", &cells, None).unwrap().contains("the option `missing` = \"too low\""));
    assert!(note("x", &["1,5", "2", "3,25"], None).unwrap().contains("decimal comma"));
    assert!(note("x", &["1,5", "2", "1,5"], None).unwrap().contains("decimal comma"));
}
