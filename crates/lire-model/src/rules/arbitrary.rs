//! Random tables and rules for the properties that tests check, here and in `lire`.

use proptest::prelude::*;

use super::{Condition, Rule, Test};
use crate::table::{Feature, FeatureKind, MISSING, Moment, Schema, Table, Values};

/// A small table and a rule on it.
pub fn table_and_rule() -> impl Strategy<Value = (Table, Rule)> {
    table_and_two_rules().prop_map(|(table, rule, _)| (table, rule))
}

/// A small table and two rules on it.
pub fn table_and_two_rules() -> impl Strategy<Value = (Table, Rule, Rule)> {
    dice().prop_map(|mut dice| {
        let table = dice.table();
        let (one, other) = (dice.rule(table.schema()), dice.rule(table.schema()));
        (table, one, other)
    })
}

/// Rules on features and levels with names made to confuse a reader.
pub fn hostile_schema_and_rule() -> impl Strategy<Value = (Schema, Rule)> {
    dice().prop_map(|mut dice| {
        let names = dice.hostile_names();
        let features = names.into_iter().map(|name| {
            let kind = match dice.below(5) {
                0 => FeatureKind::Real,
                1 => [FeatureKind::Date, FeatureKind::Timestamp, FeatureKind::Duration, FeatureKind::Time]
                    [dice.below(4)]
                .clone(),
                _ => FeatureKind::Category { levels: dice.hostile_names() },
            };
            Feature::new(name, kind, true)
        });
        let schema = Schema { features: features.collect() };
        let rule = dice.rule(&schema);
        (schema, rule)
    })
}

/// A small generator of dependent random choices.
#[derive(Debug)]
pub struct Dice(u64);

/// Dice of any seed.
pub fn dice() -> impl Strategy<Value = Dice> {
    any::<u64>().prop_map(Dice)
}

impl Dice {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Heads or tails.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Some of the numbers below `n`, at least one.
    pub fn subset(&mut self, n: usize) -> Vec<u32> {
        let mut members: Vec<u32> = (0..n as u32).filter(|_| self.flip()).collect();
        if members.is_empty() {
            members.push(self.below(n) as u32);
        }
        members
    }

    fn hostile_names(&mut self) -> Vec<String> {
        const PARTS: [&str; 26] = [
            " & ",
            "&",
            "≤",
            "<=",
            ">",
            "=",
            "≠",
            "`",
            "\"",
            "\\",
            "\n",
            " ",
            "  ",
            "or",
            " or missing",
            "missing",
            "is",
            "in",
            "not in",
            "{",
            "}",
            ", ",
            "é",
            "a",
            "1",
            "\u{7}",
        ];
        let mut names = Vec::new();
        for _ in 0..=self.below(4) {
            let name: String = (0..self.below(4)).map(|_| PARTS[self.below(PARTS.len())]).collect();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// A table of up to five columns: small halves, and categories.
    pub fn table(&mut self) -> Table {
        let n_rows = 1 + self.below(150);
        let (mut features, mut columns) = (Vec::new(), Vec::new());
        for position in 0..=self.below(4) {
            let has_missing = self.flip();
            let (kind, values) =
                if self.flip() { self.numbers(n_rows, has_missing) } else { self.codes(n_rows, has_missing) };
            features.push(Feature::new(format!("x{position}"), kind, has_missing));
            columns.push(values);
        }
        Table::new(Schema { features }, columns, n_rows).expect("columns as the schema says")
    }

    fn numbers(&mut self, n_rows: usize, has_missing: bool) -> (FeatureKind, Values) {
        let mut draw = || match self.below(5) {
            0 if has_missing => f64::NAN,
            _ => self.below(16) as f64 / 2.0 - 3.5,
        };
        (FeatureKind::Real, Values::Numbers((0..n_rows).map(|_| draw()).collect()))
    }

    fn codes(&mut self, n_rows: usize, has_missing: bool) -> (FeatureKind, Values) {
        let n_levels = 2 + self.below(3);
        let mut draw = || match self.below(5) {
            0 if has_missing => MISSING,
            _ => self.below(n_levels) as u32,
        };
        let codes = (0..n_rows).map(|_| draw()).collect();
        let levels = (0..n_levels).map(|level| format!("level {level}")).collect();
        (FeatureKind::Category { levels }, Values::Codes(codes))
    }

    /// A rule in normal form, perhaps without conditions.
    pub fn rule(&mut self, schema: &Schema) -> Rule {
        let mut conditions = Vec::new();
        for (feature, described) in schema.features.iter().enumerate() {
            if self.flip() {
                let (test, takes_missing) = (self.test(&described.kind), self.flip());
                conditions.push(Condition { feature, test, takes_missing });
            }
        }
        Rule::conjunction(conditions).unwrap_or_default()
    }

    fn test(&mut self, kind: &FeatureKind) -> Test {
        match (self.below(8), kind.levels()) {
            (0, _) => Test::Known,
            (1, _) => Test::Missing,
            (_, None) => {
                let moment = kind.moment();
                let mut bound = || {
                    let count = self.below(7) as f64 - 3.0;
                    let value = moment.map_or(count, |moment| match moment {
                        // Any instants within the years, and times of day.
                        Moment::Time => (count + 3.0) * 3_723_000_001.0,
                        _ => moment.narrowed(count * 12_345_678_901_234_567.0),
                    });
                    self.flip().then_some(value)
                };
                Test::Interval { above: bound(), at_most: bound() }
            }
            (2..5, Some(levels)) => Test::In(self.subset(levels.len())),
            (_, Some(levels)) => Test::NotIn(self.subset(levels.len())),
        }
    }
}
