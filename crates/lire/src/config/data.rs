//! Which column is what.

use serde::{Deserialize, Serialize};

use super::flat::Group;
use super::uses::Purpose;
use crate::table::{ColumnOptions, DatasetOptions, Task};

/// What the columns of a table are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DataOptions {
    /// The column to predict.
    pub target: String,
    /// Whether the target holds classes or numbers; what it looks like if absent.
    pub task: Option<Task>,
    /// The label of the positive class of two; the rarer one if absent.
    pub positive: Option<String>,
    /// The column with the weight of each row.
    pub weight_column: Option<String>,
    /// The column of groups: rows of equal values, such as the visits of one patient, are never divided.
    pub groups: Option<String>,
    /// The column of times: models are validated on later rows than those that they learn from.
    pub time: Option<String>,
    /// Columns that are categories even if they look like numbers or dates.
    pub categorical: Vec<String>,
    /// Columns that must be numbers.
    pub numeric: Vec<String>,
    /// Columns that are not used.
    pub drop: Vec<String>,
    /// Texts that stand for a missing value, beside the empty cell.
    pub missing: Vec<String>,
    /// Skip rows without a target instead of refusing them.
    pub drop_missing_target: bool,
}

impl Group for DataOptions {
    fn purpose(_option: &str) -> Purpose {
        Purpose::All
    }
}

impl DataOptions {
    /// What the readers of a table need to know.
    pub fn dataset_options(&self) -> DatasetOptions {
        DatasetOptions {
            target: self.target.clone(),
            task: self.task,
            positive: self.positive.clone(),
            weight_column: self.weight_column.clone(),
            groups: self.groups.clone(),
            time: self.time.clone(),
            drop_missing_target: self.drop_missing_target,
            columns: ColumnOptions {
                categorical: self.categorical.clone(),
                numeric: self.numeric.clone(),
                drop: self.drop.clone(),
                missing: self.missing.clone(),
            },
        }
    }
}
