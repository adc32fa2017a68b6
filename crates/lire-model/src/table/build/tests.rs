//! Tests of the builder of tables.

use super::*;

fn levels(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn schema() -> Schema {
    let feature = |name: &str, kind| Feature::new(name, kind, true);
    let features = vec![
        feature("age", FeatureKind::Integer),
        feature("smokes", FeatureKind::Boolean { levels: levels(&["no", "yes"]) }),
        feature("grade", FeatureKind::Category { levels: levels(&["1", "2", "a"]) }),
    ];
    Schema { features }
}

fn texts(cells: &[&str], origin: Origin) -> Cells<'static> {
    Cells::Texts(Cow::Owned(Interned::of(cells.iter().copied()).with_origin(origin)))
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn built(columns: Vec<(&str, Cells<'_>)>, n_rows: usize) -> std::result::Result<Vec<Values>, String> {
    let schema = schema();
    let missing = levels(&["-999", "unknown"]);
    let builder = columns
        .into_iter()
        .fold(TableBuilder::new(&schema, &missing), |builder, (name, cells)| builder.column(name, cells));
    builder.finish(n_rows).map(|table| table.columns().to_vec()).map_err(|error| error.to_string())
}

fn ages(values: &Values) -> Vec<Option<f64>> {
    let Values::Numbers(ages) = values else { panic!("ages are numbers") };
    ages.iter().map(|age| (!age.is_nan()).then_some(*age)).collect()
}

#[test]
fn the_same_cells_make_the_same_table_in_whatever_form_they_come() {
    let as_texts = vec![
        ("grade", texts(&["2", "a", "3", "unknown"], Origin::Untyped)),
        ("age", texts(&["31", "-999.0", "", "1"], Origin::Untyped)),
        ("smokes", texts(&["yes", "no", "unknown", "yes"], Origin::Text)),
    ];
    let cells = vec![
        (
            "age",
            Cells::Mixed(vec![Cell::Number(31.0), Cell::Integer(-999), Cell::Missing, Cell::Truth(true)]),
        ),
        (
            "smokes",
            Cells::Mixed(vec![Cell::Truth(true), Cell::Number(0.0), Cell::Number(f64::NAN), text(" YES ")]),
        ),
        ("grade", Cells::Mixed(vec![Cell::Integer(2), text("a"), Cell::Number(3.0), Cell::Missing])),
    ];
    let numbers = vec![
        ("smokes", texts(&["true", "false", "", "true"], Origin::Truth)),
        ("age", Cells::Numbers(vec![31.0, -999.0, f64::NAN, 1.0])),
        ("grade", Cells::Mixed(vec![text("2.0"), text("a"), text("z"), text("")])),
        ("further", Cells::Unusable("dates")),
    ];
    for columns in [as_texts, cells, numbers] {
        let table = built(columns, 4).unwrap();
        assert_eq!(ages(&table[0]), [Some(31.0), None, None, Some(1.0)]);
        assert_eq!(table[1], Values::Codes(vec![1, 0, MISSING, 1]));
        assert_eq!(table[2], Values::Codes(vec![1, 2, UNSEEN, MISSING]));
    }
}

#[test]
fn numbers_may_be_levels_and_truth_values_numbers() {
    let columns = vec![
        ("age", texts(&["true", "false"], Origin::Truth)),
        ("smokes", Cells::Numbers(vec![1.0, f64::NAN])),
        ("grade", Cells::Numbers(vec![2.0, 7.0])),
    ];
    let table = built(columns, 2).unwrap();
    assert_eq!(ages(&table[0]), [Some(1.0), Some(0.0)]);
    assert_eq!(table[1..], [Values::Codes(vec![1, MISSING]), Values::Codes(vec![1, UNSEEN])]);
}

/// The cells of a column as a feature of a kind has them.
fn as_kind(kind: FeatureKind, cells: Cells<'_>) -> std::result::Result<Vec<f64>, String> {
    let schema = Schema { features: vec![Feature::new("t", kind, true)] };
    let table = TableBuilder::new(&schema, &[]).column("t", cells).finish(2);
    table.map_err(|error| error.to_string()).map(|table| match &table.columns()[0] {
        Values::Numbers(numbers) => numbers.clone(),
        _ => panic!("numbers"),
    })
}

#[test]
fn dates_come_in_all_forms() {
    let (day, noon) = (86.4e9, 1.5 * 86.4e9);
    let cells = || {
        [
            Cells::Moments(Moment::Timestamp, vec![day, noon]),
            texts(&["1970-01-02", "1970-01-02 12:00"], Origin::Text),
            Cells::Mixed(vec![text("1970-01-02T02:00+02:00"), text("1970-01-02T12:00Z")]),
        ]
    };
    for cells in cells() {
        assert_eq!(as_kind(FeatureKind::Timestamp, cells), Ok(vec![day, noon]));
    }
    for cells in cells() {
        assert_eq!(as_kind(FeatureKind::Date, cells), Ok(vec![day, day]), "the day counts");
    }
    let none = || Cells::Numbers(vec![f64::NAN; 2]);
    assert!(as_kind(FeatureKind::Date, none()).unwrap().iter().all(|cell| cell.is_nan()));
    let waits = Cells::Moments(Moment::Duration, vec![1.0, 2.0]);
    for (kind, cells, expected) in [
        (FeatureKind::Date, Cells::Numbers(vec![1.0, 2.0]), "trained on dates here, but these are numbers"),
        (FeatureKind::Date, waits.clone(), "trained on dates here, but these are durations"),
        (FeatureKind::Real, waits, "trained on numbers here, but these are durations"),
        (
            FeatureKind::Date,
            texts(&["1970-01-02", "1.2.70"], Origin::Text),
            "row 2: `1.2.70` is not a date such as",
        ),
        (FeatureKind::Date, Cells::Mixed(vec![Cell::Number(3.0), Cell::Missing]), "row 1: `3` is not a date"),
        (FeatureKind::Real, texts(&["1970-01-02", "5"], Origin::Text), "`1970-01-02` is not a number"),
    ] {
        let message = as_kind(kind, cells).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_level_may_be_another_spelling_of_its_date() {
    let kind = FeatureKind::Category { levels: levels(&["2019-04-01", "2019-04-02 08:15", "soon"]) };
    let schema = Schema { features: vec![Feature::new("t", kind, true)] };
    let cells = texts(&["2019-04-01T00:00:00", "2019-04-02T08:15:00Z", "2019-04-03"], Origin::Text);
    let table = TableBuilder::new(&schema, &[]).column("t", cells).finish(3).unwrap();
    assert_eq!(table.columns()[0], Values::Codes(vec![0, 1, UNSEEN]));
    let moments = Cells::Moments(Moment::Date, vec![1.554_076_8e15, f64::NAN]);
    let table = TableBuilder::new(&schema, &[]).column("t", moments).finish(2).unwrap();
    assert_eq!(table.columns()[0], Values::Codes(vec![0, MISSING]));
}

#[test]
fn no_rows_are_a_table_too() {
    let columns = vec![
        ("age", texts(&[], Origin::Text)),
        ("smokes", Cells::Mixed(Vec::new())),
        ("grade", Cells::Numbers(Vec::new())),
    ];
    assert_eq!(built(columns, 0).unwrap()[2], Values::Codes(Vec::new()));
}

#[test]
fn each_fault_has_one_clear_message() {
    let good = || {
        vec![
            ("age", Cells::Numbers(vec![1.0])),
            ("smokes", texts(&["yes"], Origin::Text)),
            ("grade", texts(&["a"], Origin::Text)),
        ]
    };
    let with = |place: usize, cells: Cells<'static>| {
        let mut columns = good();
        columns[place].1 = cells;
        built(columns, 1).unwrap_err()
    };
    assert!(built(good(), 1).is_ok());
    assert_eq!(
        with(0, texts(&["old"], Origin::Text)),
        "column `age`, row 1: `old` is not a number; declare it with the option `missing`"
    );
    assert_eq!(
        with(0, Cells::Mixed(vec![text("old")])),
        "column `age`, row 1: `old` is not a number; declare it with the option `missing`"
    );
    assert_eq!(
        with(0, Cells::Numbers(vec![f64::INFINITY])),
        "column `age`, row 1: `inf` is not a finite number; declare it with the option `missing`"
    );
    assert_eq!(
        with(1, Cells::Unusable("dates")),
        "column `smokes`: it holds dates; numbers or texts are needed here"
    );
    assert_eq!(with(2, Cells::Numbers(vec![1.0, 2.0])), "column `grade`: 2 cells, expected 1");
    let mut twice = good();
    twice.push(("age", Cells::Numbers(vec![1.0])));
    assert_eq!(built(twice, 1).unwrap_err(), "the table: two columns are named `age`; rename one of them");
    assert_eq!(
        built(good().split_off(1), 1).unwrap_err(),
        "the table: no column `age`; the columns are `smokes`, `grade`"
    );
    assert_eq!(
        built(good().split_off(2), 1).unwrap_err(),
        "the table: 2 columns of the model are not in the table: `age`, `smokes`"
    );
    let names = Schema {
        features: vec![Feature::new("sex", FeatureKind::Category { levels: levels(&["f", "m"]) }, false)],
    };
    let numbers = TableBuilder::new(&names, &[]).column("sex", Cells::Numbers(vec![0.0]));
    assert_eq!(
        numbers.finish(1).unwrap_err().to_string(),
        "column `sex`: the model was trained on categories here, but these are numbers"
    );
    let positional = TableBuilder::new(&names, &[]).columns_in_order(Vec::new());
    assert_eq!(positional.unwrap_err().to_string(), "the table: 0 columns, the model has 1 features");
}
