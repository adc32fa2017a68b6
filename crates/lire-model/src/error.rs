//! What can go wrong, in the few kinds that callers tell apart.

use std::path::PathBuf;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure with a message for the person who caused it: where, what, and what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter has a value that cannot be used.
    #[error("`{parameter}`: {message}")]
    Config {
        /// The parameter's name, as the user knows it.
        parameter: String,
        /// What is wrong with it and what would be right.
        message: String,
    },
    /// The data cannot be used.
    #[error("{place}: {message}")]
    Data {
        /// File, column and row, as far as they are known.
        place: String,
        /// What is wrong and what to do next.
        message: String,
    },
    /// A model file cannot be used.
    #[error("{place}: {message}")]
    Model {
        /// The file, and the part of it.
        place: String,
        /// What is wrong and what to do next.
        message: String,
    },
    /// The outside world refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file that was to be read or written.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The caller asked to stop before there was any result.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// A [`Error::Config`] from its two parts.
    pub fn config(parameter: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Config { parameter: parameter.into(), message: message.into() }
    }

    /// A [`Error::Data`] from its two parts.
    pub fn data(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Data { place: place.into(), message: message.into() }
    }

    /// A [`Error::Model`] from its two parts.
    pub fn model(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Model { place: place.into(), message: message.into() }
    }

    /// A [`Error::Io`] from its two parts.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
