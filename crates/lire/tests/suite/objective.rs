//! Theorem 1 with its edges, and the joint step, against numerical minimisers over random sums.

use lire::coverage::Pair;
use lire::objective::{
    Bounds, Exponential, Limits, MIN_WEIGHT, Penalty, PenaltyKind, Range, Removal, Step, Steps, Sums,
    SupportSummary, Total, WEIGHT_LIMIT,
};

use crate::draws::Draws;
use crate::naive::{minimise_pair, minimise_weight, pair_loss};

const N_CASES: u64 = 4000;

/// A loss between 0 and 1, now and then tiny or 0.
fn random_loss(draws: &mut Draws) -> f64 {
    match draws.below(12) {
        0 => 0.0,
        1 => 10f64.powf(draws.between(-12.0, -2.0)),
        _ => draws.unit(),
    }
}

fn random_sums(draws: &mut Draws) -> Sums {
    let mut pair = || [random_loss(draws), random_loss(draws)];
    sums_of(pair(), pair())
}

/// The whole box, a part of it, or one sign only, as for a monotone feature.
fn random_bounds(draws: &mut Draws) -> Bounds {
    match draws.below(6) {
        0 => Bounds { low: 0.0, high: WEIGHT_LIMIT },
        1 => Bounds { low: -WEIGHT_LIMIT, high: 0.0 },
        2 => Bounds { low: -draws.unit(), high: draws.unit() },
        _ => Bounds::default(),
    }
}

fn random_ridge(draws: &mut Draws) -> f64 {
    if draws.chance(0.5) { 0.0 } else { 10f64.powf(draws.between(-5.0, 0.0)) }
}

fn sums_of(covered: Pair, uncovered: Pair) -> Sums {
    Sums { covered, uncovered, base: 0.0, range: Range::NONE }
}

fn total_of(sums: Pair) -> Total {
    Total { sums, base: 0.0, range: Range::NONE }
}

fn single_step(sums: &Sums, bounds: Bounds, ridge: f64) -> Step {
    let rows = || unreachable!("the sums say all");
    Exponential::single_step(sums, &Limits::new(bounds, ridge, 0.0), f64::INFINITY, rows).unwrap()
}

fn joint_step(sums: &Sums, bounds: Bounds, ridge: f64, intercept: f64) -> Step {
    let rows = || unreachable!("the sums say all");
    Exponential::joint_step(sums, &Limits::new(bounds, ridge, intercept), f64::INFINITY, rows).unwrap()
}

fn optimal_intercept(sums: Pair, intercept: f64) -> Removal {
    Exponential::intercept_step(total_of(sums), intercept, || unreachable!("the sums say all"))
}

/// What rounding may do to a loss.
fn slack(value: f64) -> f64 {
    1e-10 * (1.0 + value.abs())
}

#[test]
fn the_single_step_is_the_minimum_along_the_weight() {
    for seed in 0..N_CASES {
        let mut draws = Draws::new(seed);
        let (sums, bounds, ridge) =
            (random_sums(&mut draws), random_bounds(&mut draws), random_ridge(&mut draws));
        let step = single_step(&sums, bounds, ridge);
        let best = minimise_weight(sums.covered, bounds, ridge);
        let value = pair_loss(sums.covered, sums.uncovered, best, 0.0) + ridge / 2.0 * best * best;
        assert_eq!(step.shift, 0.0);
        assert!((bounds.low..=bounds.high).contains(&step.weight));
        assert!(step.loss <= value + slack(value), "seed {seed}: {step:?} against {value} at {best}");
        let told = pair_loss(sums.covered, sums.uncovered, step.weight, 0.0)
            + ridge / 2.0 * step.weight * step.weight;
        assert!((step.loss - told).abs() <= slack(told), "seed {seed}: the loss belongs to the weight");
    }
}

/// Theorem 1 as printed: `α* = ½ ln((1 − ε⁻)/ε⁻)`, gain `ε (1 − 2√(ε⁻(1 − ε⁻)))`.
#[test]
fn theorem_1_gives_weight_and_gain() {
    for seed in 0..N_CASES {
        let mut draws = Draws::new(seed);
        let (error, negative) = (draws.between(1e-3, 1.0), draws.between(1e-6, 1.0 - 1e-6));
        let sums = sums_of([error * (1.0 - negative), error * negative], [0.3, 0.2]);
        let step = single_step(&sums, Bounds::default(), 0.0);
        assert!((step.weight - 0.5 * ((1.0 - negative) / negative).ln()).abs() < 1e-9);
        let gain = error * (1.0 - 2.0 * (negative * (1.0 - negative)).sqrt());
        assert!((error + 0.5 - step.loss - gain).abs() < 1e-12);
    }
}

/// The printed test `|ε⁻ − ½| > B_m` says the same as comparing gain and price, where `0 < C_m < ε_m`.
#[test]
fn theorem_1_interval_is_the_comparison_of_gain_and_price() {
    let mut n_kept = 0;
    for seed in 0..N_CASES {
        let mut draws = Draws::new(seed);
        let (error, negative) = (draws.between(1e-3, 1.0), draws.between(1e-6, 1.0 - 1e-6));
        let price = error * draws.between(1e-3, 1.0 - 1e-3);
        let sums = sums_of([error * (1.0 - negative), error * negative], [0.0; 2]);
        let gain = error - single_step(&sums, Bounds::default(), 0.0).loss;
        let interval = (price * (2.0 * error - price)).sqrt() / (2.0 * error);
        if (gain - price).abs() > 1e-12 {
            assert_eq!((negative - 0.5).abs() > interval, gain > price, "seed {seed}");
        }
        n_kept += usize::from(gain > price);
    }
    assert!(n_kept > 500, "both sides were seen");
}

/// `ε_m ≤ C_m < 2 ε_m`: the printed `B_m` falls below ½ again, but the gain never reaches the price.
#[test]
fn theorem_1_edge_of_a_price_above_the_loss() {
    for seed in 0..N_CASES {
        let mut draws = Draws::new(seed);
        let (error, negative) = (draws.between(1e-3, 1.0), draws.unit());
        let price = error * draws.between(1.0, 2.0);
        let sums = sums_of([error * (1.0 - negative), error * negative], [0.0; 2]);
        assert!(error - single_step(&sums, Bounds::default(), 0.0).loss <= price);
    }
}

/// `C_m ≤ 0`: any weight beside 0 wins, and at `ε⁻ = ½` there is none.
#[test]
fn theorem_1_edge_of_a_negative_price() {
    let half = sums_of([0.25, 0.25], [0.3, 0.2]);
    let step = single_step(&half, Bounds::default(), 0.0);
    assert!(step.weight.abs() < MIN_WEIGHT && step.loss == 1.0);
    let uneven = sums_of([0.25, 0.26], [0.3, 0.2]);
    let step = single_step(&uneven, Bounds::default(), 0.0);
    assert!(step.weight <= -MIN_WEIGHT && step.loss < 1.01);
}

/// A rule that is pure on its rows runs to the box and is priced there.
#[test]
fn theorem_1_edge_of_pure_rules() {
    let limit = WEIGHT_LIMIT;
    for (covered, weight) in [([0.2, 0.0], limit), ([0.0, 0.2], -limit), ([0.0, 0.0], 0.0)] {
        let sums = sums_of(covered, [0.3, 0.5]);
        let step = single_step(&sums, Bounds::default(), 0.0);
        assert_eq!(step.weight, weight);
        assert!((step.loss - pair_loss(covered, [0.3, 0.5], weight, 0.0)).abs() < 1e-15);
    }
    let monotone = Bounds { low: 0.0, high: limit };
    assert_eq!(single_step(&sums_of([0.0, 0.2], [0.3, 0.5]), monotone, 0.0).weight, 0.0);
}

#[test]
fn the_joint_step_is_the_minimum_over_weight_and_intercept() {
    for seed in 0..N_CASES {
        let mut draws = Draws::new(seed);
        let (sums, bounds, ridge) =
            (random_sums(&mut draws), random_bounds(&mut draws), random_ridge(&mut draws));
        let intercept = draws.between(-1.0, 1.0) * if draws.chance(0.1) { WEIGHT_LIMIT } else { 2.0 };
        let step = joint_step(&sums, bounds, ridge, intercept);
        assert!((bounds.low..=bounds.high).contains(&step.weight), "seed {seed}");
        assert!((intercept + step.shift).abs() <= WEIGHT_LIMIT + 1e-12, "seed {seed}");
        let told = pair_loss(sums.covered, sums.uncovered, step.weight, step.shift)
            + ridge / 2.0 * step.weight * step.weight;
        assert!((step.loss - told).abs() <= slack(told), "seed {seed}: the loss belongs to the step");
        let single = single_step(&sums, bounds, ridge);
        assert!(
            step.loss <= single.loss + slack(single.loss),
            "seed {seed}: never worse than the single step"
        );
        let (weight, shift, value) = minimise_pair(sums.covered, sums.uncovered, bounds, ridge, intercept);
        assert!(
            step.loss <= value + 1e-9 * (1.0 + value),
            "seed {seed}: {step:?} against {value} at {weight}, {shift}: {sums:?} {bounds:?} {ridge} {intercept}"
        );
        let bound = Exponential::joint_lower_bound(&sums, ridge);
        assert!(bound <= step.loss + slack(bound), "seed {seed}: the bound is below every step");
        let (any_weight, any_shift) = (draws.between(-5.0, 5.0), draws.between(-5.0, 5.0));
        let any = pair_loss(sums.covered, sums.uncovered, any_weight, any_shift);
        assert!(bound <= any + slack(any), "seed {seed}: the bound is below every point");
    }
}

#[test]
fn a_removal_leaves_the_rows_as_without_the_rule() {
    for seed in 0..N_CASES {
        let mut draws = Draws::new(seed);
        let weight = draws.between(-4.0, 4.0);
        let (covered, other) = (
            [random_loss(&mut draws), random_loss(&mut draws)],
            [random_loss(&mut draws), random_loss(&mut draws)],
        );
        let total = [covered[0] + other[0], covered[1] + other[1]];
        let left = Exponential::without(total_of(total), covered, weight).unwrap().sums;
        // A covered positive row had its loss multiplied by exp(−α).
        let expected = [covered[0] * weight.exp() + other[0], covered[1] * (-weight).exp() + other[1]];
        assert!((left[0] - expected[0]).abs() <= slack(expected[0]));
        assert!((left[1] - expected[1]).abs() <= slack(expected[1]));
        let intercept = draws.between(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        let removal = optimal_intercept(left, intercept);
        let bounds = Bounds { low: -WEIGHT_LIMIT - intercept, high: WEIGHT_LIMIT - intercept };
        let shift = minimise_weight(left, bounds, 0.0);
        let value = left[0] * (-shift).exp() + left[1] * shift.exp();
        assert!((removal.loss - value).abs() <= slack(value), "seed {seed}: {removal:?} against {value}");
    }
}

/// Sums of what is covered may exceed the total by rounding; nothing becomes negative.
#[test]
fn rounding_leaves_no_negative_sums() {
    let sums = Sums::of::<Exponential>([0.3 + 1e-16, 0.2], total_of([0.3, 0.2 - 1e-17]));
    assert!(sums.uncovered.iter().all(|&sum| sum >= 0.0));
    let step = joint_step(&sums, Bounds::default(), 0.0, 0.0);
    assert!(step.loss.is_finite() && step.weight.is_finite() && step.shift.is_finite());
}

#[test]
fn penalties_are_functions_of_count_and_coverage() {
    let support = SupportSummary::default().with(0.5).with(0.25).with(0.3).without(0.3);
    assert_eq!(support.n_rules, 2);
    let ratio = Penalty { kind: PenaltyKind::Ratio, gamma: 0.1, lambda: 2.0 };
    let count = Penalty { kind: PenaltyKind::Count, ..ratio };
    assert!((ratio.of(support) - (0.2 + 2.0 * 0.375)).abs() < 1e-15);
    assert!((count.of(support) - (0.2 + 2.0 * 0.75)).abs() < 1e-15);
    assert_eq!(ratio.of(SupportSummary::default()), 0.0);
    assert_eq!(count.of(SupportSummary::default()), 0.0);
}
