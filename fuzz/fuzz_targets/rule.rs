//! Text as a rule: read or refused, and what is read says the same when it is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lire::Error;
use lire::rules::parse;
use lire::table::{Feature, FeatureKind, Schema};

fn schema() -> Schema {
    let levels = |levels: &[&str]| levels.iter().map(|&level| level.to_owned()).collect();
    let feature = |name: &str, kind| Feature::new(name, kind, true);
    let features = vec![
        feature("age", FeatureKind::Integer),
        feature("in come & more", FeatureKind::Real),
        feature("smokes", FeatureKind::Boolean { levels: levels(&["no", "yes"]) }),
        feature("region", FeatureKind::Category { levels: levels(&["a", "b, c", "d\"e", "in", "é}"]) }),
    ];
    Schema { features }
}

fuzz_target!(|text: &str| {
    let schema = schema();
    match parse(text, &schema) {
        Ok(rule) => {
            let written = rule.text(&schema).expect("a rule on this schema");
            let again = parse(&written, &schema).unwrap_or_else(|error| panic!("{text:?} → {written:?}: {error}"));
            assert_eq!(again, rule, "{text:?} → {written:?}");
        }
        Err(Error::Data { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
});
