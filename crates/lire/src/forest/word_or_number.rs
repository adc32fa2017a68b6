//! Samplings as users write them: `sqrt`, `0.5` (a share), `10` (a number).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{FeatureSampling, RowSampling};
use crate::error::{Error, Result};

/// A word, a share (written with a point) or a number, in files and on the command line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a word such as \"all\", a share such as 0.5, or a whole number")]
pub(super) enum WordOrNumber {
    /// So many.
    Count(usize),
    /// This share.
    Share(f64),
    /// By name.
    Word(String),
}

impl FromStr for WordOrNumber {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let count = text.parse().map(Self::Count);
        let share = || text.parse().map(Self::Share);
        Ok(count.or_else(|_| share()).unwrap_or_else(|_| Self::Word(text.into())))
    }
}

impl fmt::Display for WordOrNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            // With the point that tells the share 1.0 from the number 1.
            Self::Share(share) => write!(f, "{share:?}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

impl TryFrom<WordOrNumber> for FeatureSampling {
    type Error = Error;

    fn try_from(written: WordOrNumber) -> Result<Self> {
        match written {
            WordOrNumber::Count(count) => Ok(Self::Count(count)),
            WordOrNumber::Share(share) => Ok(Self::Share(share)),
            WordOrNumber::Word(word) => match word.as_str() {
                "all" => Ok(Self::All),
                "sqrt" => Ok(Self::Sqrt),
                "log2" => Ok(Self::Log2),
                _ => Err(Error::config(
                    "max_features",
                    format!("`{word}` is unknown; give all, sqrt, log2, a share such as 0.5 or a number"),
                )),
            },
        }
    }
}

impl From<FeatureSampling> for WordOrNumber {
    fn from(sampling: FeatureSampling) -> Self {
        match sampling {
            FeatureSampling::All => Self::Word("all".into()),
            FeatureSampling::Sqrt => Self::Word("sqrt".into()),
            FeatureSampling::Log2 => Self::Word("log2".into()),
            FeatureSampling::Share(share) => Self::Share(share),
            FeatureSampling::Count(count) => Self::Count(count),
        }
    }
}

impl TryFrom<WordOrNumber> for RowSampling {
    type Error = Error;

    fn try_from(written: WordOrNumber) -> Result<Self> {
        match written {
            WordOrNumber::Share(share) => Ok(Self::Share(share)),
            WordOrNumber::Word(word) if word == "all" => Ok(Self::All),
            WordOrNumber::Word(word) if word == "bootstrap" => Ok(Self::Bootstrap),
            // All of the rows, which a share of 1 says as well.
            WordOrNumber::Count(1) => Ok(Self::Share(1.0)),
            other => Err(Error::config(
                "subsample",
                format!("`{other}` is unknown; give all, bootstrap or a share such as 0.8"),
            )),
        }
    }
}

impl From<RowSampling> for WordOrNumber {
    fn from(sampling: RowSampling) -> Self {
        match sampling {
            RowSampling::All => Self::Word("all".into()),
            RowSampling::Bootstrap => Self::Word("bootstrap".into()),
            RowSampling::Share(share) => Self::Share(share),
        }
    }
}

/// Both samplings are read and shown by what they are written as.
macro_rules! as_written {
    ($sampling:ty) => {
        impl FromStr for $sampling {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                let Ok(written) = text.parse::<WordOrNumber>();
                written.try_into()
            }
        }

        impl fmt::Display for $sampling {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                WordOrNumber::from(*self).fmt(f)
            }
        }
    };
}

as_written!(FeatureSampling);
as_written!(RowSampling);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_written_as_words_shares_and_numbers() {
        use FeatureSampling::{All, Count, Log2, Share, Sqrt};
        let cases = [
            (All, "\"all\""),
            (Sqrt, "\"sqrt\""),
            (Log2, "\"log2\""),
            (Share(0.5), "0.5"),
            (Share(1.0), "1.0"),
            (Count(10), "10"),
            (Count(1), "1"),
        ];
        for (sampling, json) in cases {
            assert_eq!(serde_json::to_string(&sampling).unwrap(), json);
            assert_eq!(serde_json::from_str::<FeatureSampling>(json).unwrap(), sampling);
            assert_eq!(sampling.to_string(), json.trim_matches('"'));
            assert_eq!(sampling.to_string().parse::<FeatureSampling>().unwrap(), sampling);
        }
    }

    #[test]
    fn rows_are_written_as_words_and_shares() {
        for (sampling, json) in [
            (RowSampling::All, "\"all\""),
            (RowSampling::Bootstrap, "\"bootstrap\""),
            (RowSampling::Share(0.8), "0.8"),
        ] {
            assert_eq!(serde_json::to_string(&sampling).unwrap(), json);
            assert_eq!(serde_json::from_str::<RowSampling>(json).unwrap(), sampling);
            assert_eq!(sampling.to_string().parse::<RowSampling>().unwrap(), sampling);
        }
    }

    #[test]
    fn what_is_unknown_is_told() {
        let message = "root".parse::<FeatureSampling>().unwrap_err().to_string();
        assert!(message.contains("`root` is unknown; give all, sqrt"), "{message}");
        let message = "10".parse::<RowSampling>().unwrap_err().to_string();
        assert!(message.contains("`10` is unknown; give all, bootstrap"), "{message}");
        let message = serde_json::from_str::<FeatureSampling>("true").unwrap_err().to_string();
        assert!(message.contains("expected a word"), "{message}");
    }
}
