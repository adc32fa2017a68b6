//! Methods on the same folds, side by side.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Version;
use crate::error::Result;
use crate::evaluate::{Comparison, Contender};
use crate::measure::{Measure, Summaries};
use crate::model::sections::DividedBy;
use crate::split::Division;

/// Methods side by side, and the rows that they were compared on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparisonReport {
    /// The version of this form.
    pub version: Version,
    /// The number of rows.
    pub n_rows: usize,
    /// How many of them share their features with another row, and stay together with it.
    pub rows_with_copies: usize,
    /// The number of folds.
    pub folds: usize,
    /// What decided how rows were divided, beside equal features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<DividedBy>,
    /// The methods. The first is tested against each other one.
    pub methods: Vec<ComparedMethod>,
}

/// One of the methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedMethod {
    /// Its name.
    pub method: String,
    /// Mean and spread of each measure that any of the methods has.
    #[serde(flatten)]
    pub measures: Summaries,
    /// The chance of such differences if the first method were no worse, by Wilcoxon's one-sided test; none for the
    /// first method itself.
    pub p_values: Option<BTreeMap<Measure, f64>>,
}

impl ComparisonReport {
    /// Compares methods that were assessed on the same splits of so many rows.
    pub fn of(contenders: &[Contender], division: &Division, n_rows: usize) -> Result<Self> {
        let compared = Comparison::of(contenders)?;
        let method = |(place, name): (usize, &String)| {
            let of_method = || compared.measures.iter().map(|of| (of.measure, &of.methods[place]));
            let p_value = |(measure, of): (Measure, &crate::evaluate::MethodMeasure)| {
                Some((measure, of.test.as_ref()?.p_value))
            };
            ComparedMethod {
                method: name.clone(),
                measures: Summaries(of_method().map(|(measure, of)| (measure, of.summary)).collect()),
                p_values: (place > 0).then(|| of_method().filter_map(p_value).collect()),
            }
        };
        Ok(Self {
            version: Version,
            n_rows,
            rows_with_copies: division.n_with_copies(),
            folds: compared.n_splits,
            divided_by: division.divided_by().cloned(),
            methods: compared.methods.iter().enumerate().map(method).collect(),
        })
    }

    /// The measures, in their order.
    pub fn measures(&self) -> Vec<Measure> {
        let first = self.methods.first().map(|first| &first.measures.0[..]).unwrap_or_default();
        first.iter().map(|(measure, _)| *measure).collect()
    }
}

impl ComparedMethod {
    /// The p-value of the test of a measure, if there is one.
    pub fn p_value(&self, measure: Measure) -> Option<f64> {
        self.p_values.as_ref()?.get(&measure).copied()
    }
}
