//! Optional sections of the model file: what is known of a model beyond what prediction needs.
//!
//! A file keeps each section as it was read. One that this library does not know, or that a newer version wrote in
//! another form, is no error: it is kept and written back unchanged. [`Sections::get`] reads a section as its type.

mod alternatives;
mod baseline;
mod bound;
mod conformance;
mod divided;
mod edits;
mod held_out;
mod monitoring;
mod provenance;
mod reasons;
mod scale;
#[cfg(feature = "schema")]
mod schema;
mod selection;
mod spread;
mod teacher;
mod write;

pub use alternatives::{Alternative, AlternativeTerm, Alternatives};
pub use baseline::BaselineContributions;
pub use bound::Bound;
pub use conformance::{CellValue, Conformance, ConformanceVector};
pub use divided::{DividedBy, DividingColumn};
pub use edits::{Edit, EditHistory};
pub use held_out::{ClassCurves, EvaluatedModel, HeldOutEvaluation, ReliabilityCell};
pub use monitoring::{Monitoring, ScoreHistogram};
pub use provenance::{DataProvenance, Provenance};
pub use reasons::{ReasonCode, ReasonCodes};
pub use scale::{PointsProbability, PointsTable, ScoreScale};
pub use selection::{Estimate, FrontierModel, SelectionRecord};
pub use spread::FeatureSpread;
pub use teacher::Teacher;
pub(super) use write::write_sections;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};

/// The type of an optional section.
pub trait Section: Serialize + DeserializeOwned + PartialEq {
    /// The section's name in the file.
    const NAME: &'static str;
}

/// The optional sections of a model file, by name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sections(BTreeMap<String, Value>);

impl Sections {
    /// The section of this type; none where the file has none, or one that this library cannot read.
    pub fn get<S: Section>(&self) -> Option<S> {
        self.0.get(S::NAME).and_then(|section| serde_json::from_value(section.clone()).ok())
    }

    /// A section as the file has it.
    pub fn raw(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The names of all sections, known ones and others.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there is no section.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts a section in the place of the one of its type. A number that is not finite, which no file can hold, is an
    /// error.
    pub fn set<S: Section>(&mut self, section: &S) -> Result<()> {
        let value = serde_json::to_value(section).ok();
        let same =
            |value: &Value| serde_json::from_value::<S>(value.clone()).is_ok_and(|read| read == *section);
        match value.filter(same) {
            Some(value) => {
                self.0.insert(S::NAME.to_owned(), value);
                Ok(())
            }
            None => Err(Error::model(
                format!("section `{}`", S::NAME),
                "it has a number that is not finite, which a file cannot store",
            )),
        }
    }

    /// Takes the section of this type out.
    pub fn remove<S: Section>(&mut self) {
        self.0.remove(S::NAME);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound() -> Bound {
        Bound {
            objective: 0.5,
            lower_bound: 0.4,
            proven: false,
            scope: "the candidate rules".into(),
            seconds: None,
        }
    }

    #[test]
    fn a_section_comes_back_as_it_was_set() {
        let mut sections = Sections::default();
        assert!(sections.is_empty() && sections.get::<Bound>().is_none());
        sections.set(&bound()).unwrap();
        let text = serde_json::to_string(&sections).unwrap();
        let read: Sections = serde_json::from_str(&text).unwrap();
        assert_eq!((read.get::<Bound>(), read.names().collect::<Vec<_>>()), (Some(bound()), vec!["bound"]));
        sections.remove::<Bound>();
        assert!(sections.is_empty());
    }

    #[test]
    fn a_section_that_cannot_be_read_is_kept_as_it_is() {
        let text = r#"{"bound":{"certificate":[1,{"x":null}],"objective":"unknown"},"new":7}"#;
        let sections: Sections = serde_json::from_str(text).unwrap();
        assert_eq!(sections.get::<Bound>(), None);
        assert_eq!(serde_json::to_string(&sections).unwrap(), text);
    }

    #[test]
    fn what_a_newer_version_adds_to_a_section_is_neither_in_the_way_nor_lost() {
        let mut newer = serde_json::to_value(bound()).unwrap();
        newer["certificate"] = "abc".into();
        let sections: Sections = serde_json::from_value(serde_json::json!({ "bound": newer })).unwrap();
        assert_eq!(sections.get::<Bound>(), Some(bound()));
        assert_eq!(sections.raw("bound"), Some(&newer));
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        let mut sections = Sections::default();
        let message = sections.set(&Bound { objective: f64::NAN, ..bound() }).unwrap_err().to_string();
        assert!(message.starts_with("section `bound`:") && sections.is_empty(), "{message}");
    }
}
