//! A typed table as another schema has it: its columns in that order, its levels counted as there.

use std::borrow::Cow;

use super::build::{moments_for, trained_on};
use super::levels::{LevelFinder, Tolerance};
use super::nearest::{advice, list};
use super::{Feature, FeatureKind, MISSING, Schema, Table, UNSEEN, Values};
use crate::error::{Error, Result};

impl Table {
    /// This table with the columns of a schema. Columns are found by name and levels by their texts; other columns are
    /// left out, and levels that the schema does not list are [`UNSEEN`]. A column that is absent or of another type is
    /// an error.
    pub fn aligned(&self, schema: &Schema) -> Result<Cow<'_, Self>> {
        let is_alike =
            |(own, wanted): (&Feature, &Feature)| own.name == wanted.name && same_cells(own, wanted);
        let (own, wanted) = (&self.schema.features, &schema.features);
        if own.len() == wanted.len() && own.iter().zip(wanted).all(is_alike) {
            return Ok(Cow::Borrowed(self));
        }
        let absent: Vec<&str> = wanted
            .iter()
            .map(|feature| feature.name.as_str())
            .filter(|name| self.schema.position(name).is_none())
            .collect();
        match absent[..] {
            [] => {}
            [only] => {
                let known: Vec<&str> = own.iter().map(|feature| feature.name.as_str()).collect();
                return Err(Error::data("the table", format!("no column `{only}`{}", advice(only, &known))));
            }
            _ => {
                let message =
                    format!("{} columns of the model are not in the table: {}", absent.len(), list(&absent));
                return Err(Error::data("the table", message));
            }
        }
        let column = |feature: &Feature| {
            let place = self.schema.position(&feature.name).expect("absent columns were refused");
            recoded(&own[place], &self.columns[place], feature)
        };
        let columns = wanted.iter().map(column).collect::<Result<_>>()?;
        Ok(Cow::Owned(Self::new(schema.clone(), columns, self.n_rows)?))
    }
}

/// Whether two features have the same cells for the same values.
fn same_cells(own: &Feature, wanted: &Feature) -> bool {
    match (own.kind.levels(), wanted.kind.levels()) {
        (None, None) => own.kind.moment() == wanted.kind.moment(),
        (Some(_), Some(_)) => own.kind == wanted.kind && own.exact == wanted.exact,
        _ => false,
    }
}

fn recoded(own: &Feature, values: &Values, wanted: &Feature) -> Result<Values> {
    let (levels, known) = match (own.kind.levels(), wanted.kind.levels()) {
        (None, None) => {
            return match (own.kind.moment(), wanted.kind.moment(), values.numbers()) {
                (Some(given), _, Some(moments)) => moments_for(wanted, given, moments.into_owned()),
                (None, Some(_), _) => Err(trained_on(wanted, "numbers")),
                _ => Ok(values.clone()),
            };
        }
        (Some(levels), Some(known)) => (levels, known),
        _ => return Err(trained_on(wanted, own.kind.plural())),
    };
    if same_cells(own, wanted) {
        return Ok(values.clone());
    }
    let tolerance = match wanted.kind {
        FeatureKind::Boolean { .. } => Tolerance::Boolean,
        _ => Tolerance::Number,
    };
    let finder = LevelFinder::new(known, tolerance).with_exact(&wanted.exact);
    let of_code: Vec<u32> =
        levels.iter().map(|level| finder.find(level).map_or(UNSEEN, |place| place as u32)).collect();
    let code = |code: u32| match code {
        MISSING | UNSEEN => code,
        level => of_code[level as usize],
    };
    Ok(match values {
        Values::Codes(codes) => Values::Codes(codes.iter().map(|&own| code(own)).collect()),
        Values::SparseCodes(codes) => Values::SparseCodes(codes.map(code)),
        Values::Numbers(_) | Values::SparseNumbers(_) => unreachable!("columns with levels hold codes"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(name: &str, levels: &[&str]) -> Feature {
        let levels = levels.iter().map(|&level| level.to_owned()).collect();
        Feature::new(name, FeatureKind::Category { levels }, false)
    }

    fn schema(features: Vec<Feature>) -> Schema {
        Schema { features }
    }

    fn table() -> Table {
        let features =
            vec![category("plan", &["a", "b", "c"]), Feature::new("age", FeatureKind::Integer, false)];
        let plan = Values::Codes(vec![0, 2, MISSING, 1, UNSEEN]);
        let age = Values::Numbers(vec![1.0, 2.0, f64::NAN, 4.0, 5.0]);
        Table::new(schema(features), vec![plan, age], 5).unwrap()
    }

    #[test]
    fn columns_are_put_in_order_and_levels_counted_anew() {
        let wanted =
            schema(vec![Feature::new("age", FeatureKind::Real, true), category("plan", &["b", "x", "c"])]);
        let table = table();
        let aligned = table.aligned(&wanted).unwrap();
        assert_eq!(aligned.schema(), &wanted);
        assert_eq!(aligned.columns()[1], Values::Codes(vec![UNSEEN, 2, MISSING, 0, UNSEEN]));
        let Values::Numbers(ages) = &aligned.columns()[0] else { panic!("ages are numbers") };
        assert_eq!(ages[..2], [1.0, 2.0]);
    }

    #[test]
    fn the_same_columns_are_not_copied() {
        let table = table();
        assert!(matches!(table.aligned(table.schema()).unwrap(), Cow::Borrowed(_)));
        let only_age = schema(vec![Feature::new("age", FeatureKind::Integer, false)]);
        assert_eq!(table.aligned(&only_age).unwrap().columns().len(), 1);
    }

    #[test]
    fn other_tables_are_refused_in_one_message() {
        let message = |features| table().aligned(&schema(features)).unwrap_err().to_string();
        assert_eq!(
            message(vec![category("age", &["1"])]),
            "column `age`: the model was trained on categories here, but these are numbers"
        );
        assert_eq!(
            message(vec![Feature::new("plan", FeatureKind::Real, false)]),
            "column `plan`: the model was trained on numbers here, but these are categories"
        );
        assert_eq!(
            message(vec![category("plam", &["a"])]),
            "the table: no column `plam`; did you mean `plan`? The columns are `plan`, `age`"
        );
        assert_eq!(
            message(vec![category("x", &["a"]), category("y", &["a"])]),
            "the table: 2 columns of the model are not in the table: `x`, `y`"
        );
    }
}
