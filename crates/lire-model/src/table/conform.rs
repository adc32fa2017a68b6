//! Reads a raw table as a known schema wants it, to predict or to measure.

use rayon::prelude::*;

use super::levels::{LevelFinder, Tolerance};
use super::nearest::list;
use super::raw::{RawColumn, RawTable, RowNumbers};
use super::survey::{MissingTokens, Survey};
use super::typing::{refuse_text, to_numbers};
use super::{Feature, FeatureKind, MISSING, Schema, Table, UNSEEN, Values};
use crate::error::{Error, Result};

impl Table {
    /// Picks the schema's columns by name, whatever their order and whatever else there is. A text in a numeric
    /// column fails, an unknown category is [`UNSEEN`], and an empty cell or one of the `missing` texts is missing.
    pub fn for_schema(raw: &RawTable, schema: &Schema, missing: &[String]) -> Result<Self> {
        conform(raw, schema, &MissingTokens::new(missing))
    }
}

pub(super) fn conform(raw: &RawTable, schema: &Schema, missing: &MissingTokens) -> Result<Table> {
    let lacks = |feature: &&Feature| raw.columns().iter().all(|column| column.name != feature.name);
    let lacking: Vec<&str> =
        schema.features.iter().filter(lacks).map(|feature| feature.name.as_str()).collect();
    match lacking[..] {
        [] => {}
        // A single one may be a matter of spelling, where the nearest name helps.
        [only] => return raw.column(only).and(Err(Error::data(raw.source(), "a column is missing"))),
        _ => {
            let message =
                format!("{} columns of the model are not in the table: {}", lacking.len(), list(&lacking));
            return Err(Error::data(raw.source(), message));
        }
    }
    let columns: Vec<Result<Values>> = schema
        .features
        .par_iter()
        .map(|feature| values_for(feature, raw.column(&feature.name)?, missing, raw.row_numbers()))
        .collect();
    let columns: Result<Vec<Values>> = columns.into_iter().collect();
    Table::new(schema.clone(), columns?, raw.n_rows())
}

fn values_for(
    feature: &Feature,
    column: &RawColumn,
    missing: &MissingTokens,
    rows: &RowNumbers,
) -> Result<Values> {
    let cells = column.text()?;
    let missing = missing.with(&feature.missing);
    let (levels, tolerance) = match &feature.kind {
        FeatureKind::Integer | FeatureKind::Real => {
            let survey = Survey::of_numbers(cells, &missing);
            refuse_text(&feature.name, cells, &survey, rows)?;
            return Ok(Values::Numbers(to_numbers(&feature.name, cells, &survey, rows)?.0));
        }
        FeatureKind::Boolean { levels } => (levels, Tolerance::Boolean),
        FeatureKind::Category { levels } => (levels, Tolerance::Number),
    };
    let finder = LevelFinder::new(levels, tolerance);
    let level = |text: &str| match finder.find(text) {
        _ if missing.matches(text) => MISSING,
        Some(level) => level as u32,
        None => UNSEEN,
    };
    let of_code: Vec<u32> = cells.texts.iter().map(level).collect();
    Ok(Values::Codes(cells.codes.iter().map(|&code| of_code[code as usize]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(message, "column `age`, row 2: `old` is not a number; declare it with --missing");
    }
}
