//! Finds the bins of one column and puts its cells into them.

use super::moments::MomentThresholds;
use super::threshold::{is_whole, stay_apart, threshold_between};
use super::{BinnedColumn, Bins, Edges, MAX_BINS, MAX_LEVELS, MISSING_BIN, other_bin};
use crate::table::{Bits, MISSING, Moment, Sparse, UNSEEN, Values};

/// The end of a bin moves by at most so many distinct values.
const MAX_MOVE: usize = 8;

impl BinnedColumn {
    /// Finds the bins from the rows of positive weight and puts all rows into them.
    pub(super) fn of(values: &Values, moment: Option<Moment>, weights: &[f64]) -> Self {
        let edges = match values {
            Values::Numbers(numbers) => Edges::Cuts(cuts(numbers, moment, weights)),
            Values::Codes(codes) => Edges::Levels(levels(codes, weights)),
            Values::SparseNumbers(numbers) => Edges::Cuts(cuts_of_sparse(numbers, moment, weights)),
            Values::SparseCodes(codes) => Edges::Levels(levels(&codes.to_vec(), weights)),
        };
        let bins = bins_of(&edges, values);
        let has_missing = is_met(&bins, MISSING_BIN, weights);
        Self { bins, edges, has_missing }
    }

    /// Puts other cells into the same bins.
    pub(super) fn like(&self, values: &Values) -> Self {
        let bins = bins_of(&self.edges, values);
        Self { bins, edges: self.edges.clone(), has_missing: self.has_missing }
    }
}

/// The bin of each cell. Cells of another type than the edges are missing: they have no value to compare.
fn bins_of(edges: &Edges, values: &Values) -> Bins {
    match edges {
        Edges::Cuts(cuts) => {
            let bin = |number: f64| {
                let above = cuts.partition_point(|&cut| cut < number) as u8;
                if number.is_nan() { MISSING_BIN } else { above }
            };
            match values {
                Values::Numbers(numbers) => {
                    numbers.iter().map(|&number| bin(number)).collect::<Vec<_>>().into()
                }
                Values::SparseNumbers(numbers) => numbers.map(bin).into(),
                Values::Codes(_) | Values::SparseCodes(_) => vec![MISSING_BIN; values.len()].into(),
            }
        }
        Edges::Levels(levels) => {
            let other = other_bin(levels);
            let n_codes = levels.iter().flatten().max().map_or(0, |&level| level as usize + 1);
            let mut bin_of = vec![other; n_codes];
            for (bin, level) in levels.iter().enumerate() {
                if let Some(level) = level {
                    bin_of[*level as usize] = bin as u8;
                }
            }
            let bin = |code: u32| match code {
                MISSING => MISSING_BIN,
                code => bin_of.get(code as usize).copied().unwrap_or(other),
            };
            match values {
                Values::Codes(codes) => codes.iter().map(|&code| bin(code)).collect::<Vec<_>>().into(),
                Values::SparseCodes(codes) => codes.map(bin).into(),
                Values::Numbers(_) | Values::SparseNumbers(_) => vec![MISSING_BIN; values.len()].into(),
            }
        }
    }
}

/// Whether a row of positive weight has the bin.
fn is_met(bins: &Bins, bin: u8, weights: &[f64]) -> bool {
    match bins {
        Bins::Dense(bins) => bins.iter().zip(weights).any(|(&of_row, &weight)| of_row == bin && weight > 0.0),
        Bins::Sparse(bins) if bins.shared() == bin => has_shared(bins, weights),
        Bins::Sparse(bins) => bins.entries().any(|(row, of_row)| of_row == bin && weights[row] > 0.0),
    }
}

/// Whether a row of positive weight has the value that most rows share.
fn has_shared<T: Bits>(column: &Sparse<T>, weights: &[f64]) -> bool {
    let mut own = column.rows().iter().peekable();
    weights.iter().zip(0u32..).any(|(&weight, row)| own.next_if(|own| **own == row).is_none() && weight > 0.0)
}

/// The thresholds between the bins of a sparse column: those of the dense one.
fn cuts_of_sparse(numbers: &Sparse<f64>, moment: Option<Moment>, weights: &[f64]) -> Vec<f64> {
    let own = numbers.entries().filter(|&(row, number)| !number.is_nan() && weights[row] > 0.0);
    let mut distinct: Vec<f64> = own.map(|(_, number)| number + 0.0).collect();
    if !numbers.shared().is_nan() && has_shared(numbers, weights) {
        distinct.push(numbers.shared() + 0.0);
    }
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    if distinct.len() > MAX_BINS || moment.is_some() {
        return cuts(&numbers.to_vec(), moment, weights);
    }
    let whole = distinct.iter().all(|&number| is_whole(number));
    distinct.windows(2).map(|pair| threshold_between(pair[0], pair[1], whole)).collect()
}

/// The thresholds between the bins of a number column, ascending.
fn cuts(numbers: &[f64], moment: Option<Moment>, weights: &[f64]) -> Vec<f64> {
    let distinct = distinct(numbers, weights);
    let last_of_bin = if distinct.len() <= MAX_BINS {
        (0..distinct.len().saturating_sub(1)).collect()
    } else if moment.is_some() {
        quantiles(&distinct)
    } else {
        at_clear_gaps(quantiles(&distinct), &distinct)
    };
    if moment.is_some() {
        let thresholds =
            MomentThresholds::of(&distinct.iter().map(|&(value, _)| value).collect::<Vec<f64>>());
        let cut = |last: usize| thresholds.between(distinct[last].0, distinct[last + 1].0);
        return last_of_bin.into_iter().map(cut).collect();
    }
    let whole = distinct.iter().all(|&(number, _)| is_whole(number));
    let cut = |last: usize| threshold_between(distinct[last].0, distinct[last + 1].0, whole);
    last_of_bin.into_iter().map(cut).collect()
}

/// The distinct known values, ascending, with their summed weights.
fn distinct(numbers: &[f64], weights: &[f64]) -> Vec<(f64, f64)> {
    let known = numbers.iter().zip(weights).filter(|&(number, &weight)| !number.is_nan() && weight > 0.0);
    // Adding zero turns −0 into 0: the two are one value.
    let mut pairs: Vec<(f64, f64)> = known.map(|(&number, &weight)| (number + 0.0, weight)).collect();
    // Equal values are ordered by weight, so that rounding does not depend on the order of the rows.
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    pairs.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    pairs
}

/// The positions of the last value of each bin but the last, so that bins weigh about the same.
///
/// A value as heavy as a bin gets one of its own; what remains is shared evenly among the bins that remain.
fn quantiles(distinct: &[(f64, f64)]) -> Vec<usize> {
    let mut unbinned: f64 = distinct.iter().map(|pair| pair.1).sum();
    let mut last_of_bin = Vec::with_capacity(MAX_BINS);
    let mut filled = 0.0;
    for (position, pair) in distinct.iter().enumerate().take(distinct.len() - 1) {
        filled += pair.1;
        let bins_left = MAX_BINS - last_of_bin.len();
        if bins_left == 1 {
            break;
        }
        let share = unbinned / bins_left as f64;
        // A heavy value does not take the light ones before it into its bin.
        let next_overflows = filled + distinct[position + 1].1 / 2.0 > share;
        if filled >= share || next_overflows {
            last_of_bin.push(position);
            unbinned -= filled;
            filled = 0.0;
        }
    }
    last_of_bin
}

/// The same ends of bins, moved a little where their gap is so narrow that a file of fewer digits would close it.
fn at_clear_gaps(mut last_of_bin: Vec<usize>, distinct: &[(f64, f64)]) -> Vec<usize> {
    for bin in 0..last_of_bin.len() {
        let place = last_of_bin[bin];
        let first = if bin == 0 { 0 } else { last_of_bin[bin - 1] + 1 };
        let end = last_of_bin.get(bin + 1).copied().unwrap_or(distinct.len() - 1);
        let nearby = (0..=MAX_MOVE).flat_map(|by| [place.checked_sub(by), Some(place + by)]).flatten();
        let clear = |&last: &usize| {
            (first..end).contains(&last) && stay_apart(distinct[last].0, distinct[last + 1].0)
        };
        last_of_bin[bin] = nearby.into_iter().find(clear).unwrap_or(place);
    }
    last_of_bin
}

/// The level of each bin of a category column.
fn levels(codes: &[u32], weights: &[f64]) -> Vec<Option<u32>> {
    let known = || codes.iter().zip(weights).filter(|&(&code, &weight)| code < UNSEEN && weight > 0.0);
    let n_codes = known().map(|(&code, _)| code as usize + 1).max().unwrap_or(0);
    let mut occurs = vec![false; n_codes];
    known().for_each(|(&code, _)| occurs[code as usize] = true);
    let present: Vec<u32> = (0..n_codes as u32).filter(|&code| occurs[code as usize]).collect();
    if present.len() <= MAX_LEVELS {
        return present.into_iter().map(Some).collect();
    }
    let mut weight_of = vec![Vec::new(); n_codes];
    known().for_each(|(&code, &weight)| weight_of[code as usize].push(weight));
    let total = |code: u32| {
        let mut parts = weight_of[code as usize].clone();
        // Summed in sorted order, so that rounding does not depend on the order of the rows.
        parts.sort_unstable_by(f64::total_cmp);
        parts.iter().sum::<f64>()
    };
    let mut weighed: Vec<(f64, u32)> = present.into_iter().map(|code| (total(code), code)).collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut own: Vec<u32> = weighed[..MAX_LEVELS].iter().map(|&(_, code)| code).collect();
    own.sort_unstable();
    own.into_iter().map(Some).chain([None]).collect()
}
