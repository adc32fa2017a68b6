//! What a reader has to say beside its result: data for the caller to show, never printed here.

use std::fmt;

use serde::Serialize;

/// A remark about the data that is no failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Note {
    /// What kind of remark it is.
    pub kind: NoteKind,
    /// The column that it is about, if it is about one.
    pub column: Option<String>,
    /// What was noticed and what can be done.
    pub message: String,
}

/// The kinds of remarks, for callers that show them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoteKind {
    /// A column is not among the features.
    LeftOut,
    /// A column is used, but perhaps not as it was meant.
    Hint,
    /// Rows are not used.
    RowsDropped,
    /// A choice was made that the user may want to make.
    Choice,
}

impl Note {
    pub(super) fn left_out(column: &str, message: impl Into<String>) -> Self {
        let message = format!("left out: {}", message.into());
        Self { kind: NoteKind::LeftOut, column: Some(column.into()), message }
    }

    /// A remark on a column that is used.
    pub fn hint(column: &str, message: impl Into<String>) -> Self {
        Self { kind: NoteKind::Hint, column: Some(column.into()), message: message.into() }
    }

    pub(super) fn rows_dropped(column: &str, message: impl Into<String>) -> Self {
        Self { kind: NoteKind::RowsDropped, column: Some(column.into()), message: message.into() }
    }

    pub(super) fn choice(message: impl Into<String>) -> Self {
        Self { kind: NoteKind::Choice, column: None, message: message.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(column) => write!(f, "column `{column}`: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
