//! Numeric features as terms of their own, beside the rules.

use crate::config::Settings;
use crate::coverage::ScaledFeature;
use crate::methods::Training;
use crate::model;
use crate::objective::{Bounds, WEIGHT_LIMIT};
use crate::rules::Direction;
use crate::solver::l1::DenseColumn;
use crate::table::{Schema, Table};

/// A linear term with its column over the training rows.
#[derive(Debug, Clone)]
pub struct LinearColumn {
    scaled: ScaledFeature,
    /// The column, bounded as the constraints ask.
    pub dense: DenseColumn,
}

impl LinearColumn {
    /// What one unit of the feature adds, from the weight of the column.
    pub fn slope(&self, weight: f64) -> f64 {
        self.scaled.slope(weight)
    }

    /// The column for the rows of another table.
    pub fn values(&self, table: &Table) -> Vec<f64> {
        match table.columns()[self.scaled.feature].numbers() {
            Some(values) => self.scaled.column(&values),
            None => vec![0.0; table.n_rows()],
        }
    }

    /// The term as models know it.
    pub fn for_model(&self, schema: &Schema) -> model::LinearTerm {
        let ScaledFeature { feature, low, high, mean, std } = self.scaled;
        model::LinearTerm { feature: schema.features[feature].name.clone(), low, high, mean, std }
    }
}

/// A column for each numeric feature that may be used and is not constant.
pub fn linear_columns(training: &Training, settings: &Settings) -> Vec<LinearColumn> {
    let columns = training.table.columns().iter().enumerate();
    let usable = columns.filter(|(feature, _)| !settings.excluded.contains(feature));
    usable
        .filter_map(|(feature, values)| {
            let values = &*values.numbers()?;
            let scaled = ScaledFeature::fit(feature, values, &training.weights)?;
            let bounds = match settings.monotone[feature] {
                None => Bounds::default(),
                Some(Direction::Increasing) => Bounds { low: 0.0, high: WEIGHT_LIMIT },
                Some(Direction::Decreasing) => Bounds { low: -WEIGHT_LIMIT, high: 0.0 },
            };
            let dense = DenseColumn { bounds, ..DenseColumn::new(scaled.column(values)) };
            Some(LinearColumn { scaled, dense })
        })
        .collect()
}
