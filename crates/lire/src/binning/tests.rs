//! Tests of bins, thresholds and merged rows.

use proptest::prelude::*;

use super::*;
use crate::table::{Feature, FeatureKind, MISSING, Plain, Schema, TargetValues, UNSEEN, Values};

/// A table of these columns; categories get as many levels as their codes need.
pub(crate) fn table(columns: Vec<Values>) -> Table {
    let feature = |(position, values): (usize, &Values)| {
        let kind = match values.plain() {
            Plain::Numbers(_) => FeatureKind::Real,
            Plain::Codes(codes) => {
                let n = codes.iter().filter(|&&code| code < UNSEEN).max().map_or(0, |&code| code + 1);
                FeatureKind::Category { levels: (0..n).map(|level| format!("l{level:03}")).collect() }
            }
        };
        Feature::new(format!("x{position}"), kind, true)
    };
    let features = columns.iter().enumerate().map(feature).collect();
    let n_rows = columns.first().map_or(0, Values::len);
    Table::new(Schema { features }, columns, n_rows).unwrap()
}

fn digits(value: f64) -> usize {
    let text = format!("{value:e}");
    text.split('e').next().unwrap().chars().filter(char::is_ascii_digit).count()
}

#[test]
fn thresholds_are_as_people_write_them() {
    let whole = [
        (31.0, 32.0, 31.0),
        (5095.0, 5178.0, 5100.0),
        (0.0, 1.0, 0.0),
        (-1.0, 0.0, -1.0),
        (5.0, 7.0, 6.0),
        (-5178.0, -5095.0, -5100.0),
        (1_234_567.0, 1_234_568.0, 1_234_567.0),
        // With six digits these are 1234570 and 1240000.
        (1_234_567.0, 1_240_000.0, 1_237_000.0),
    ];
    for (below, above, expected) in whole {
        assert_eq!(threshold_between(below, above, true), expected, "between {below} and {above}");
    }
    let any = [
        (31.0, 32.0, 31.5),
        (0.35, 0.351_000_000_000_000_03, 0.3505),
        (0.1, 0.2, 0.15),
        (f64::from(0.1_f32), f64::from(0.2_f32), 0.15),
        (0.0, 1.0, 0.5),
        (-0.3, 5.0, 2.0),
        (0.02, 0.9, 0.5),
        (1e-300, 1.0, 0.5),
        (-1.0, 1e9, 5e8),
        (9.4, 10.9, 10.0),
        (1e-300, 3e-300, 2e-300),
        (-f64::MAX, f64::MAX, 0.0),
        (1e15, 1e15 + 0.125, 1e15),
        (1.0, 1.0_f64.next_up(), 1.0),
        // With six digits these are 0.123457 and 0.123458.
        (0.123_456_7, 0.123_457_6, 0.123_457_3),
    ];
    for (below, above, expected) in any {
        assert_eq!(threshold_between(below, above, false), expected, "between {below} and {above}");
    }
}

/// As a 32-bit number the first is so much larger that it would print as 0.782519, as the second does. From the
/// values themselves six digits keep the two apart: 0.782518 and 0.782519.
#[test]
fn six_digits_of_the_values_themselves_count() {
    let (below, above) = (0.782_518_496_319_624_5, 0.782_519_215_866_002_4);
    let threshold = threshold_between(below, above, false);
    assert!(below <= threshold && threshold < 0.782_519, "{threshold}");
}

/// A value as other programs hand it on: C's `%.{digits}g`, and 32-bit numbers.
fn stored(value: f64) -> [f64; 5] {
    let text = |value: f64, digits: usize| format!("{value:.*e}", digits - 1).parse::<f64>().unwrap();
    let short = f64::from(value as f32);
    [text(value, 17), text(value, 9), short, text(value, 6), text(short, 6)]
}

/// Values of all sizes with gaps from none to wide.
fn gaps() -> impl Strategy<Value = (f64, f64)> {
    let below = prop_oneof![
        -1e3..1e3,
        -1.0..1.0,
        (0_i32..2000).prop_map(|tenths| f64::from(tenths) / 10.0),
        (-30_i32..30, 1.0..10.0).prop_map(|(exponent, digits)| digits * 10_f64.powi(exponent)),
    ];
    let gap = prop_oneof![Just(0.0), 1e-17..1e-12, 1e-9..1e-6, 1e-6..1e-3, 1e-3..1e3, Just(0.1)];
    (below, gap, any::<bool>()).prop_filter_map("some gap", |(below, gap, relative): (f64, f64, bool)| {
        let above = below + if relative { gap * below.abs() } else { gap };
        let above = above.max(below.next_up());
        (below.abs() > 1e-30 && above.abs() > 1e-30).then_some((below, above))
    })
}

proptest! {
    #[test]
    fn thresholds_separate_values_however_they_are_stored((below, above) in gaps(), round in any::<bool>()) {
        let (below, above) = if round { (below.floor(), above.floor()) } else { (below, above) };
        prop_assume!(below < above);
        let threshold = threshold_between(below, above, round);
        prop_assert!(below <= threshold && threshold < above);
        prop_assert_eq!(threshold.to_string().parse::<f64>().unwrap(), threshold);
        // Two forms may contradict each other (printed with six digits, before and after 32 bits): the one that
        // loses less counts.
        let mut kept = (below, above);
        for (low, high) in stored(below).into_iter().zip(stored(above)) {
            let both = (kept.0.max(low), kept.1.min(high));
            if low < high && both.0 < both.1 {
                prop_assert!(low <= threshold && threshold < high, "{} for {} and {}", threshold, low, high);
                kept = both;
            }
        }
    }

    #[test]
    fn no_shorter_threshold_lies_well_inside(
        below in prop_oneof![-1e3..1e3, -1.0..1.0, any::<f64>().prop_filter("finite", |x| x.is_finite())],
        gap in prop_oneof![Just(0.0), 1e-12..1e-3, 1e-3..1e3],
    ) {
        let above = f64::max(below + gap, f64::next_up(below));
        prop_assume!(above.is_finite());
        let threshold = threshold_between(below, above, false);
        prop_assert!(below <= threshold && threshold < above);
        // With fewer digits, the numbers nearest to the quarters of the gap are all nearer to its ends, unless six
        // digits have moved these.
        prop_assume!(above - below > 1e-4 * below.abs().max(above.abs()));
        let quarter = (above - below) / 4.0;
        let slack = 0.05 * quarter;
        for fewer in 1..digits(threshold) {
            for bound in [below + quarter, above - quarter, below.midpoint(above)] {
                let near: f64 = format!("{bound:.*e}", fewer - 1).parse().unwrap();
                let inside = below + quarter + slack < near && near < above - quarter - slack;
                prop_assert!(!inside, "{} is shorter than {}", near, threshold);
            }
        }
    }
}

#[test]
fn crowded_columns_are_cut_where_six_digits_still_tell_values_apart() {
    // Values between 1 and 3 that no two of six digits tell apart, with a wider gap at every tenth.
    let numbers: Vec<f64> =
        (0..100_000).map(|i| 1.0 + f64::from(i / 10) * 2e-4 + f64::from(i % 10) * 1e-7).collect();
    let learned = BinnedTable::of(&table(vec![Values::Numbers(numbers.clone())]), &vec![1.0; numbers.len()]);
    for form in 0..5 {
        let other = numbers.iter().map(|&number| stored(number)[form]).collect();
        let again = learned.like(&table(vec![Values::Numbers(other)]));
        assert!(again.columns[0].bins == learned.columns[0].bins, "form {form}");
    }
}

#[test]
fn few_values_have_a_bin_each() {
    let numbers = vec![3.0, f64::NAN, 1.0, 2.0, -0.0, 0.0, 1.0];
    let binned = BinnedTable::of(&table(vec![Values::Numbers(numbers)]), &[1.0; 7]);
    let column = &binned.columns[0];
    assert_eq!(*column.bins.plain(), [3, MISSING_BIN, 1, 2, 0, 0, 1]);
    assert_eq!(column.edges, Edges::Cuts(vec![0.0, 1.0, 2.0]));
    assert!(column.has_missing);
}

#[test]
fn many_values_share_bins_of_equal_weight() {
    let numbers: Vec<f64> = (0..10_000).map(f64::from).collect();
    let binned = BinnedTable::of(&table(vec![Values::Numbers(numbers)]), &vec![1.0; 10_000]);
    let column = &binned.columns[0];
    assert_eq!(column.n_bins(), MAX_BINS);
    let mut counts = vec![0; MAX_BINS];
    column.bins.plain().iter().for_each(|&bin| counts[usize::from(bin)] += 1);
    assert!(counts.iter().all(|count| (36..=42).contains(count)), "{counts:?}");
}

#[test]
fn heavy_values_keep_a_bin_of_their_own() {
    let mut numbers: Vec<f64> = (1..=1000).map(f64::from).collect();
    numbers.extend(vec![0.0; 9000]);
    let binned = BinnedTable::of(&table(vec![Values::Numbers(numbers)]), &vec![1.0; 10_000]);
    let column = &binned.columns[0];
    assert!(column.n_bins() > 200 && column.n_bins() <= MAX_BINS);
    assert!(column.bins.plain().iter().enumerate().all(|(row, &bin)| (bin == 0) == (row >= 1000)));
}

#[test]
fn rare_and_unseen_levels_match_no_level() {
    let mut codes: Vec<u32> = (0..400).collect();
    codes.extend(100..400);
    let binned = BinnedTable::of(&table(vec![Values::Codes(codes)]), &vec![1.0; 700]);
    let column = &binned.columns[0];
    let Edges::Levels(levels) = &column.edges else { panic!("a category column has levels") };
    let expected: Vec<Option<u32>> = (100..354).map(Some).chain([None]).collect();
    assert_eq!(levels, &expected);
    let other = column.other_bin().unwrap();
    assert_eq!((column.bins[0], column.bins[399], column.bins[100]), (other, other, 0));

    let small = BinnedTable::of(&table(vec![Values::Codes(vec![0, 2, 2])]), &[1.0, 1.0, 1.0]);
    let scored = small.like(&table(vec![Values::Codes(vec![0, 1, 2, UNSEEN, MISSING])]));
    assert_eq!(*scored.columns[0].bins.plain(), [0, 2, 1, 2, MISSING_BIN]);
}

/// Columns of numbers and codes with gaps, labels and whole weights.
fn data() -> impl Strategy<Value = (Vec<Values>, Vec<bool>, Vec<f64>)> {
    (0_usize..60).prop_flat_map(|n| {
        let number = prop_oneof![4 => (0_i32..5).prop_map(f64::from), 1 => Just(f64::NAN)];
        let code = prop_oneof![4 => 0_u32..3, 1 => Just(MISSING)];
        let columns = (prop::collection::vec(number, n), prop::collection::vec(code, n))
            .prop_map(|(numbers, codes)| vec![Values::Numbers(numbers), Values::Codes(codes)]);
        let weights = prop::collection::vec((0_u8..4).prop_map(f64::from), n);
        (columns, prop::collection::vec(any::<bool>(), n), weights)
    })
}

fn merged(columns: &[Values], labels: &[bool], weights: &[f64]) -> Rows {
    let binned = BinnedTable::of(&table(columns.to_vec()), weights);
    Rows::merge(&binned, &TargetValues::of_bools(labels), weights)
}

proptest! {
    #[test]
    fn weights_mean_repetition_in_any_order((columns, labels, weights) in data(), turn in 0_usize..60) {
        let rows = merged(&columns, &labels, &weights);
        let mut repeated: Vec<usize> =
            (0..labels.len()).flat_map(|row| vec![row; weights[row] as usize]).collect();
        let n = repeated.len();
        repeated.rotate_left(turn % n.max(1));
        repeated.reverse();
        let columns: Vec<Values> = columns.iter().map(|column| column.select(&repeated).unwrap()).collect();
        let labels: Vec<bool> = repeated.iter().map(|&row| labels[row]).collect();
        let again = merged(&columns, &labels, &vec![1.0; n]);
        prop_assert_eq!(again.counts.iter().sum::<f64>(), n as f64);
        let n_counted = weights.iter().filter(|weight| **weight > 0.0).count();
        prop_assert_eq!(rows.counts.iter().sum::<f64>(), n_counted as f64, "a row is one, whatever it weighs");
        prop_assert_eq!(&Rows { counts: again.counts.clone(), ..rows.clone() }, &again);
        prop_assert_eq!(rows.row_scale, 1.0);
        prop_assert_eq!(rows.weights().iter().sum::<f64>(), n as f64);
    }
}

/// Numbers that rows with the same bins share or not: they follow from the bins but for their sign, that of
/// zero too.
fn numbers_of(columns: &[Values], labels: &[bool]) -> TargetValues {
    let [Values::Numbers(numbers), Values::Codes(codes)] = columns else { panic!("a number and a code") };
    let value = |((number, &code), &label): ((&f64, &u32), &bool)| {
        let sign = if label { -1.0 } else { 1.0 };
        sign * if number.is_nan() { f64::from(code == 1) } else { *number }
    };
    TargetValues::Numbers(numbers.iter().zip(codes).zip(labels).map(value).collect())
}

proptest! {
    #[test]
    fn rows_of_numbers_keep_each_number_apart((columns, labels, weights) in data(), turn in 0_usize..60) {
        let target = numbers_of(&columns, &labels);
        let TargetValues::Numbers(values) = &target else { panic!("numbers") };
        let merge = |columns: &[Values], target: &TargetValues, weights: &[f64]| {
            Rows::merge(&BinnedTable::of(&table(columns.to_vec()), weights), target, weights)
        };
        let rows = merge(&columns, &target, &weights);
        let Outcome::Number { values: merged, weights: sums } = &rows.outcomes[0] else { panic!("numbers") };

        // Naively: the distinct contents with their weights.
        let binned = BinnedTable::of(&table(columns.clone()), &weights);
        let mut expected: Vec<(Vec<u8>, f64, f64)> = Vec::new();
        for row in (0..values.len()).filter(|&row| weights[row] > 0.0) {
            let bins: Vec<u8> = binned.columns.iter().map(|column| column.bins[row]).collect();
            match expected.iter_mut().find(|(others, value, _)| *others == bins && *value == values[row]) {
                Some((_, _, sum)) => *sum += weights[row],
                None => expected.push((bins, values[row], weights[row])),
            }
        }
        prop_assert_eq!(rows.len(), expected.len());
        for row in 0..rows.len() {
            let bins: Vec<u8> = rows.binned.columns.iter().map(|column| column.bins[row]).collect();
            let same = |(others, value, _): &&(Vec<u8>, f64, f64)| *others == bins && *value == merged[row];
            prop_assert_eq!(expected.iter().find(same).map(|content| content.2), Some(sums[row]));
        }
        let mut hashes = rows.hashes.clone();
        hashes.sort_unstable();
        hashes.dedup();
        prop_assert_eq!(hashes.len(), rows.len(), "different contents are drawn apart");

        let mut repeated: Vec<usize> =
            (0..labels.len()).flat_map(|row| vec![row; weights[row] as usize]).collect();
        let n = repeated.len();
        repeated.rotate_left(turn % n.max(1));
        repeated.reverse();
        let columns: Vec<Values> = columns.iter().map(|column| column.select(&repeated).unwrap()).collect();
        let again = merge(&columns, &target.select(&repeated).unwrap(), &vec![1.0; n]);
        prop_assert_eq!(&Rows { counts: again.counts.clone(), ..rows }, &again);
    }
}

#[test]
fn fractional_weights_work_as_counts() {
    let columns = vec![Values::Numbers(vec![1.0, 2.0, 3.0, 1.0])];
    let rows = merged(&columns, &[true, false, true, false], &[0.1, 0.2, 0.1, 0.2]);
    let total: f64 = rows.weights().iter().sum();
    assert_eq!(rows.len(), 3);
    assert!((total - 3.0).abs() < 1e-12);
    assert!((rows.row_scale - 5.0).abs() < 1e-12);
}
