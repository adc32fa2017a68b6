//! The version of the form of a report.

use serde::{Deserialize, Serialize};

/// The present version. Fields may be added within a version; none is removed, or means something else.
pub const REPORT_VERSION: u32 = 1;

/// The version of a report, which is always the present one: others are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Version;

impl From<Version> for u32 {
    fn from(_: Version) -> Self {
        REPORT_VERSION
    }
}

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, String> {
        if version == REPORT_VERSION {
            Ok(Self)
        } else {
            Err(format!(
                "version {version} of the report is unknown; this library reads version {REPORT_VERSION}"
            ))
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Version {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Version".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": REPORT_VERSION })
    }
}
