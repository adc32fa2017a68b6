//! Reads a raw table as a known schema wants it, to predict or to measure.

use std::borrow::Cow;

use super::build::{Cells, TableBuilder};
use super::raw::{RawCells, RawTable};
use super::survey::MissingTokens;
use super::{Schema, Table};
use crate::error::Result;

impl Table {
    /// Picks the schema's columns by name, whatever their order and whatever else there is. A text in a numeric
    /// column fails, an unknown category is [`UNSEEN`](super::UNSEEN), and an empty cell or one of the `missing` texts is
    /// missing.
    pub fn for_schema(raw: &RawTable, schema: &Schema, missing: &[String]) -> Result<Self> {
        conform(raw, schema, &MissingTokens::new(missing))
    }
}

pub(super) fn conform(raw: &RawTable, schema: &Schema, missing: &MissingTokens) -> Result<Table> {
    let mut builder = TableBuilder::with_tokens(schema, missing.clone())
        .source(raw.source())
        .row_numbers(raw.row_numbers().clone());
    for column in raw.columns() {
        builder = builder.column(&column.name, cells(&column.cells));
    }
    builder.finish(raw.n_rows())
}

fn cells(cells: &RawCells) -> Cells<'_> {
    match cells {
        RawCells::Text(cells) => Cells::Texts(Cow::Borrowed(cells)),
        RawCells::Unusable(what) => Cells::Unusable(what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Feature, FeatureKind, MISSING, RawColumn, UNSEEN, Values};

    fn schema() -> Schema {
        let levels = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let feature = |name: &str, kind| Feature::new(name, kind, false);
        let features = vec![
            feature("age", FeatureKind::Integer),
            feature("smokes", FeatureKind::Boolean { levels: levels(&["0", "1"]) }),
            feature("grade", FeatureKind::Category { levels: levels(&["1", "2", "?"]) }),
        ];
        Schema { features }
    }

    fn table(columns: &[(&str, [&str; 3])], missing: &[&str]) -> Result<Table> {
        let columns = columns.iter().map(|(name, cells)| RawColumn::of_texts(*name, *cells)).collect();
        let missing: Vec<String> = missing.iter().map(|&token| token.to_owned()).collect();
        Table::for_schema(&RawTable::new("new.csv", columns, 3)?, &schema(), &missing)
    }

    #[test]
    fn columns_are_picked_by_name_and_levels_by_what_they_mean() {
        let columns = [
            ("grade", ["2.0", "3", "?"]),
            ("other", ["x", "y", "z"]),
            ("smokes", ["true", "0.0", ""]),
            ("age", ["31", "-", "nan"]),
        ];
        let table = table(&columns, &["-"]).unwrap();
        let Values::Numbers(ages) = &table.columns()[0] else { panic!("ages are numbers") };
        assert!(ages[0] == 31.0 && ages[1].is_nan() && ages[2].is_nan());
        assert_eq!(table.columns()[1], Values::Codes(vec![1, 0, MISSING]));
        assert_eq!(table.columns()[2], Values::Codes(vec![1, UNSEEN, 2]));
    }

    #[test]
    fn what_is_lacking_is_listed() {
        let message = table(&[("age", ["1", "2", "3"])], &[]).unwrap_err().to_string();
        assert_eq!(message, "new.csv: 2 columns of the model are not in the table: `smokes`, `grade`");
        let columns = [("age", ["1", "2", "3"]), ("smokes", ["1", "0", "1"]), ("Grade", ["1", "2", "3"])];
        let message = table(&columns, &[]).unwrap_err().to_string();
        assert!(message.starts_with("new.csv: no column `grade`; did you mean `Grade`?"), "{message}");
    }

    #[test]
    fn text_among_numbers_is_refused() {
        let columns = [("age", ["1", "old", "3"]), ("smokes", ["1", "0", "1"]), ("grade", ["1", "2", "3"])];
        let message = table(&columns, &[]).unwrap_err().to_string();
        assert_eq!(
            message,
            "column `age`, row 2: `old` is not a number; declare it with the option `missing`"
        );
    }

    #[test]
    fn cells_mean_the_same_in_any_part_of_a_file() {
        let with_ages = |ages| [("age", ages), ("smokes", ["1", "0", "1"]), ("grade", ["1", "2", "3"])];
        let message = |ages| table(&with_ages(ages), &[]).unwrap_err().to_string();
        assert!(message(["nan", "1", "old"]).starts_with("column `age`, row 3: `old` is not a number"));
        assert!(
            message(["inf", "1", "old"]).starts_with("column `age`, row 1: `inf` is not a finite number")
        );
    }
}
