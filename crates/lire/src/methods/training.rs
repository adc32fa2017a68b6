//! What a method learns from: features, the truth in the solver's units, and how much each row counts.

use std::borrow::Cow;

use crate::config::{BaseRate, ClassWeight, ClassWeightRule, Config};
use crate::coverage::Pair;
use crate::model::TargetScale;
use crate::split::exact_hashes;
use crate::table::{ClassLabels, Dataset, Table, TargetValues, Value, Values};

/// Training rows as the methods see them.
#[derive(Debug, Clone)]
pub struct Training<'a> {
    /// The features.
    pub table: Cow<'a, Table>,
    /// The truth; numbers are standardised.
    pub target: TargetValues,
    /// How much each row counts, class weights included.
    pub weights: Vec<f64>,
    /// Where the numbers lay before.
    pub scale: Option<TargetScale>,
}

impl<'a> Training<'a> {
    /// The rows of a checked data set, weighted by class if so configured.
    pub fn of(data: &'a Dataset, config: &Config) -> Self {
        let mut weights = data.weights_in_rows();
        let (target, scale) = match &data.target.values {
            TargetValues::Classes(of) => {
                if let Some(class_weight) = &config.classes.class_weight {
                    let factors = class_factors(of, class_weight, &weights);
                    for (weight, &label) in weights.iter_mut().zip(&of.labels) {
                        *weight *= factors[label as usize];
                    }
                }
                (data.target.values.clone(), None)
            }
            TargetValues::Numbers(values) => {
                let scale = spread(values, &weights);
                let standardised = values.iter().map(|value| (value - scale.mean) / scale.std).collect();
                (TargetValues::Numbers(standardised), Some(scale))
            }
        };
        Self { table: Cow::Borrowed(&data.table), target, weights, scale }
    }

    /// The given rows, in that order. They are rows of the data set.
    pub fn select(&self, rows: &[usize]) -> Training<'static> {
        let checked = "the data set has these rows";
        Training {
            table: Cow::Owned(self.table.select(rows).expect(checked)),
            target: self.target.select(rows).expect(checked),
            weights: rows.iter().map(|&row| self.weights[row]).collect(),
            scale: self.scale,
        }
    }

    /// The distinct rows that count, in an order that only their content decides, with their summed weights; these are
    /// scaled so that they work as counts of rows, unless they sum to more than that.
    ///
    /// Also gives how many rows each of them is.
    pub fn distinct(&self) -> (Training<'static>, Vec<f64>) {
        let contents = exact_hashes(&self.table);
        let mut order: Vec<usize> = (0..contents.len()).filter(|&row| self.weights[row] > 0.0).collect();
        let by_truth = |a: usize, b: usize| match &self.target {
            TargetValues::Classes(of) => of.labels[a].cmp(&of.labels[b]),
            TargetValues::Numbers(values) => values[a].total_cmp(&values[b]),
        };
        // Truth and weight decide among equal contents, so that rows are merged and their weights summed in the same
        // way whatever the order of the input.
        order.sort_by(|&a, &b| {
            let by_weight = || self.weights[a].total_cmp(&self.weights[b]);
            contents[a].cmp(&contents[b]).then_with(|| by_truth(a, b)).then_with(by_weight)
        });
        let same = |&a: &usize, &b: &usize| contents[a] == contents[b] && self.is_same(a, b);
        let runs: Vec<&[usize]> = order.chunk_by(same).collect();
        let sum = |run: &&[usize]| run.iter().map(|&row| self.weights[row]).sum();
        let weights: Vec<f64> = runs.iter().map(sum).collect();
        let firsts: Vec<usize> = runs.iter().map(|run| run[0]).collect();
        let scale = (weights.len() as f64 / weights.iter().sum::<f64>()).max(1.0);
        let counts = runs.iter().map(|run| run.len() as f64).collect();
        let weights = weights.iter().map(|weight| weight * scale).collect();
        (Training { weights, ..self.select(&firsts) }, counts)
    }

    /// Whether two rows have the same features and the same truth.
    fn is_same(&self, a: usize, b: usize) -> bool {
        let same = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan());
        let same_truth = match &self.target {
            TargetValues::Classes(of) => of.labels[a] == of.labels[b],
            TargetValues::Numbers(values) => same(values[a], values[b]),
        };
        let same_cell = |column: &Values| match (column.at(a), column.at(b)) {
            (Value::Number(one), Value::Number(other)) => same(one, other),
            (one, other) => one == other,
        };
        same_truth && self.table.columns().iter().all(same_cell)
    }

    /// How many outputs a model of these rows has.
    pub fn n_outputs(&self) -> usize {
        match &self.target {
            TargetValues::Classes(of) => of.outputs().len(),
            TargetValues::Numbers(_) => 1,
        }
    }

    /// The mass of each row, for each output.
    pub fn masses(&self) -> Vec<Vec<Pair>> {
        match &self.target {
            TargetValues::Classes(of) => {
                let against_others = |class: u32| {
                    let mass = |(&label, &weight): (&u32, &f64)| {
                        if label == class { [weight, 0.0] } else { [0.0, weight] }
                    };
                    of.labels.iter().zip(&self.weights).map(mass).collect()
                };
                of.outputs().map(against_others).collect()
            }
            TargetValues::Numbers(values) => {
                let mass = |(&value, &weight): (&f64, &f64)| [weight * value, weight];
                vec![values.iter().zip(&self.weights).map(mass).collect()]
            }
        }
    }

    /// For each output what must be added to the log-odds so that they refer to the wanted class shares instead of
    /// those of the weighted rows. The row weights are those before the class weights.
    pub fn log_odds_shifts(&self, row_weights: &[f64], base_rate: Option<BaseRate>) -> Vec<f64> {
        let TargetValues::Classes(of) = &self.target else { return vec![0.0] };
        let Some(base_rate) = base_rate else { return vec![0.0; of.outputs().len()] };
        let log_odds = |share: f64| (share / (1.0 - share)).ln();
        let (wanted, present) = (shares(of, row_weights), shares(of, &self.weights));
        let shift = |class: u32| {
            let wanted = match base_rate {
                BaseRate::From(_) => wanted[class as usize],
                BaseRate::Share(share) => share,
            };
            let shift = log_odds(wanted) - log_odds(present[class as usize]);
            if shift.is_finite() { shift } else { 0.0 }
        };
        of.outputs().map(shift).collect()
    }
}

/// The share of the weight in each class.
pub fn shares(of: &ClassLabels, weights: &[f64]) -> Vec<f64> {
    let totals = of.weights(weights).expect("the data set was checked: there is a weight for each label");
    let all: f64 = totals.iter().sum();
    totals.iter().map(|total| total / all).collect()
}

fn class_factors(of: &ClassLabels, class_weight: &ClassWeight, weights: &[f64]) -> Vec<f64> {
    match class_weight {
        ClassWeight::Rule(ClassWeightRule::Balanced) => {
            let n_classes = of.classes.len() as f64;
            let factor = |share: f64| if share > 0.0 { 1.0 / (n_classes * share) } else { 1.0 };
            shares(of, weights).into_iter().map(factor).collect()
        }
        ClassWeight::Given(given) => {
            of.classes.iter().map(|class| given.get(class).copied().unwrap_or(1.0)).collect()
        }
    }
}

/// The weighted mean and standard deviation. They are the same whatever the order of the rows.
fn spread(values: &[f64], weights: &[f64]) -> TargetScale {
    let mut weighted: Vec<(f64, f64)> =
        values.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(&v, &w)| (v, w)).collect();
    weighted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // Equal values first become one, so that a weight of 2 is the value twice, bit for bit.
    weighted.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0.0 };
        same
    });
    let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    // Sums of large numbers lose digits that differences from about their mean still have.
    let around = |centre: f64| {
        centre + weighted.iter().map(|(value, weight)| weight * (value - centre)).sum::<f64>() / total
    };
    let mean = around(around(0.0));
    let variance =
        weighted.iter().map(|(value, weight)| weight * (value - mean) * (value - mean)).sum::<f64>() / total;
    let std = variance.sqrt();
    TargetScale { mean, std: if std > 0.0 && std.is_finite() { std } else { 1.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_repeated_values() {
        let plain = spread(&[1.0, 4.0, 4.0, -2.5], &[1.0; 4]);
        assert_eq!(plain, spread(&[4.0, 1.0, 9.0, -2.5], &[2.0, 1.0, 0.0, 1.0]));
        assert!((plain.mean - 1.625).abs() < 1e-15);
        let variance = [1.0, 4.0, 4.0, -2.5].map(|v: f64| (v - 1.625).powi(2)).iter().sum::<f64>() / 4.0;
        assert!((plain.std - variance.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn far_from_zero_the_spread_is_the_same() {
        let values: Vec<f64> = (0..400).map(|place| f64::from(place * place % 97) * 0.25).collect();
        let near = spread(&values, &[1.0; 400]);
        let shifted: Vec<f64> = values.iter().map(|value| 1e15 + value).collect();
        let far = spread(&shifted, &[1.0; 400]);
        assert!((far.mean - 1e15 - near.mean).abs() <= 0.125, "{} and {}", far.mean, near.mean);
        assert!((far.std - near.std).abs() < 0.01, "{} and {}", far.std, near.std);
    }

    #[test]
    fn balanced_classes_weigh_the_same() {
        let of = ClassLabels {
            classes: ["a", "b", "c"].map(String::from).to_vec(),
            labels: vec![0, 0, 0, 1, 2, 2],
            positive_chosen: false,
        };
        let weights = [1.0, 1.0, 2.0, 1.0, 0.5, 0.5];
        let factors = class_factors(&of, &ClassWeight::Rule(ClassWeightRule::Balanced), &weights);
        let weighted: Vec<f64> =
            weights.iter().zip(&of.labels).map(|(weight, &label)| weight * factors[label as usize]).collect();
        for total in of.weights(&weighted).unwrap() {
            assert!((total - 2.0).abs() < 1e-12);
        }
    }
}
