//! Names and types of the feature columns, as the model file stores them.

use serde::{Deserialize, Serialize};

use super::Moment;
use super::nearest::advice;

/// The feature columns of a table, in order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Schema {
    /// One entry a column.
    pub features: Vec<Feature>,
}

/// One feature column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Feature {
    /// The column's name.
    pub name: String,
    /// Its type, with the levels of a category.
    #[serde(flatten)]
    pub kind: FeatureKind,
    /// Whether a training row lacked it. A feature that was always known never takes missing values.
    pub has_missing: bool,
    /// Texts that stood for a missing value because all else in the column was a number, beside those declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Levels that only their own spelling stands for, because another spelling of the same number was a level too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<String>,
    /// How many levels are not listed because fewer training rows had them than a model file may tell of.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub levels_left_out: usize,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Feature {
    /// A feature in which no text stands for a missing value.
    pub fn new(name: impl Into<String>, kind: FeatureKind, has_missing: bool) -> Self {
        let (missing, exact) = (Vec::new(), Vec::new());
        Self { name: name.into(), kind, has_missing, missing, exact, levels_left_out: 0 }
    }
}

/// The type of a feature column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FeatureKind {
    /// Whole numbers.
    Integer,
    /// Any finite numbers.
    Real,
    /// Days.
    Date,
    /// Points in time, in UTC.
    Timestamp,
    /// Differences of points in time.
    Duration,
    /// Times of day.
    Time,
    /// Two values such as no/yes, false/true or 0/1.
    Boolean {
        /// The two values as the data spells them, the negative one first.
        levels: Vec<String>,
    },
    /// Any other text.
    Category {
        /// The values seen in training, sorted.
        levels: Vec<String>,
    },
}

impl Schema {
    /// The position of the feature of that name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }

    /// The type of the feature of that name.
    pub(crate) fn kind_of(&self, name: &str) -> Option<&FeatureKind> {
        self.position(name).map(|place| &self.features[place].kind)
    }
}

impl Schema {
    /// Continues a message about a feature that does not exist with the nearest that does.
    pub fn advice(&self, name: &str) -> String {
        let known: Vec<&str> = self.features.iter().map(|feature| feature.name.as_str()).collect();
        advice(name, &known)
    }
}

impl FeatureKind {
    /// The levels of a boolean or category column; none for numbers and moments.
    pub fn levels(&self) -> Option<&[String]> {
        match self {
            Self::Integer | Self::Real | Self::Date | Self::Timestamp | Self::Duration | Self::Time => None,
            Self::Boolean { levels } | Self::Category { levels } => Some(levels),
        }
    }

    /// What the numbers of a column of dates, times or durations stand for; none where numbers are just numbers.
    pub fn moment(&self) -> Option<Moment> {
        match self {
            Self::Date => Some(Moment::Date),
            Self::Timestamp => Some(Moment::Timestamp),
            Self::Duration => Some(Moment::Duration),
            Self::Time => Some(Moment::Time),
            Self::Integer | Self::Real | Self::Boolean { .. } | Self::Category { .. } => None,
        }
    }

    /// What cells of this type are, in the plural.
    pub(crate) fn plural(&self) -> &'static str {
        match (self.moment(), self.levels()) {
            (Some(moment), _) => moment.plural(),
            (None, Some(_)) => "categories",
            (None, None) => "numbers",
        }
    }

    /// The type's name, as messages show it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Real => "real",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::Time => "time",
            Self::Boolean { .. } => "boolean",
            Self::Category { .. } => "category",
        }
    }
}

impl From<Moment> for FeatureKind {
    fn from(moment: Moment) -> Self {
        match moment {
            Moment::Date => Self::Date,
            Moment::Timestamp => Self::Timestamp,
            Moment::Duration => Self::Duration,
            Moment::Time => Self::Time,
        }
    }
}
