//! Steps of the logistic and the squared loss along one rule, and their bounds, against a slow minimiser over rows.

use lire::coverage::Pair;
use lire::objective::{
    Bounds, Level, Limits, Logistic, Loss, LossKind, Range, Score, Spread, Squared, Step, Steps, Sums, Total,
    WEIGHT_LIMIT,
};

use crate::convex::{Point, minimise};
use crate::draws::Draws;
use crate::naive::loss_at;

const N_CASES: u64 = 3000;

/// Rows at a few scores, covered by a rule or not.
struct Case {
    loss: LossKind,
    covered: Vec<(Pair, f64)>,
    uncovered: Vec<(Pair, f64)>,
    bounds: Bounds,
    ridge: f64,
    intercept: f64,
}

impl Case {
    fn random(loss: LossKind, seed: u64) -> Self {
        let mut draws = Draws::new(31_000 + seed);
        let spread = [0.0, 1.0, 6.0][draws.below(3)];
        let mut rows = |n_levels: usize| -> Vec<(Pair, f64)> {
            // Now and then all of one class, so that the weight runs to its box.
            let pure = draws.below(6);
            (0..n_levels)
                .map(|_| {
                    let (a, b) = (draws.unit(), draws.unit());
                    let mass = match loss {
                        LossKind::Squared => [a * draws.between(-2.0, 2.0), a],
                        _ if pure == 0 => [a, 0.0],
                        _ if pure == 1 => [0.0, b],
                        _ => [a, b],
                    };
                    (mass, draws.between(-1.0, 1.0) * spread)
                })
                .collect()
        };
        let (covered, uncovered) = (rows(1 + seed as usize % 4), rows(seed as usize % 5));
        let bounds = match draws.below(6) {
            0 => Bounds { low: 0.0, high: WEIGHT_LIMIT },
            1 => Bounds { low: -WEIGHT_LIMIT, high: 0.0 },
            2 => Bounds { low: -draws.unit(), high: draws.unit() },
            _ => Bounds::default(),
        };
        let ridge = if draws.chance(0.5) { 0.0 } else { 10f64.powf(draws.between(-5.0, 0.0)) };
        let intercept = draws.between(-1.0, 1.0) * if draws.chance(0.1) { WEIGHT_LIMIT } else { 2.0 };
        Self { loss, covered, uncovered, bounds, ridge, intercept }
    }

    fn limits(&self) -> Limits {
        Limits::new(self.bounds, self.ridge, self.intercept)
    }

    fn rows(&self) -> impl Iterator<Item = (bool, Pair, f64)> {
        let side = |inside: bool, rows: &[(Pair, f64)]| {
            rows.iter().map(|&(mass, score)| (inside, mass, score)).collect::<Vec<_>>()
        };
        side(true, &self.covered).into_iter().chain(side(false, &self.uncovered))
    }

    /// Loss with ridge after a weight and a shift.
    fn at(&self, weight: f64, shift: f64) -> Point {
        let mut point = Point::zero(2);
        for (inside, mass, score) in self.rows() {
            let moved = score + shift + if inside { weight } else { 0.0 };
            let (value, slope, bend) = loss_at(self.loss, mass, moved);
            point.add(if inside { &[0, 1] } else { &[1] }, value, slope, bend);
        }
        point.add(&[0], 0.5 * self.ridge * weight * weight, self.ridge * weight, self.ridge);
        point
    }

    /// The least value within limits.
    fn least(&self, limits: &Limits) -> (Vec<f64>, f64) {
        let low = [limits.bounds.low, limits.shifts.low];
        let high = [limits.bounds.high, limits.shifts.high];
        let x = minimise(|x| self.at(x[0], x[1]), &low, &high, &[0.0, 0.0]);
        let value = self.at(x[0], x[1]).value;
        (x, value)
    }

    fn sums<L: Steps>(&self) -> Sums {
        let (mut covered, mut all) = ([0.0; 2], [0.0; 2]);
        let mut range = Range::NONE;
        for (inside, mass, score) in self.rows() {
            let row = L::row(mass, L::rates(Score::of(score)));
            all = [all[0] + row[0], all[1] + row[1]];
            if inside {
                covered = [covered[0] + row[0], covered[1] + row[1]];
            }
            range = range.with(mass, score);
        }
        Sums::of::<L>(covered, Total { sums: all, base: L::base(self.at(0.0, 0.0).value), range })
    }

    fn spread(&self) -> Spread {
        let levels = |rows: &[(Pair, f64)]| {
            rows.iter().map(|&(mass, score)| Level::new(mass, Score::of(score))).collect()
        };
        Spread { covered: levels(&self.covered), uncovered: levels(&self.uncovered) }
    }
}

/// A step is as good as the least value, and says its own value.
fn check_step(case: &Case, limits: &Limits, step: Step, seed: u64) {
    assert!((limits.bounds.low..=limits.bounds.high).contains(&step.weight), "seed {seed}");
    assert!((limits.shifts.low..=limits.shifts.high).contains(&step.shift), "seed {seed}");
    let told = case.at(step.weight, step.shift).value;
    assert!((step.loss - told).abs() < 1e-10 * (1.0 + told.abs()), "seed {seed}: {step:?} is {told}");
    let (x, least) = case.least(limits);
    assert!(step.loss < least + 1e-9 * (1.0 + least.abs()), "seed {seed}: {step:?}, {least} at {x:?}");
    assert!(step.loss > least - 1e-9 * (1.0 + least.abs()), "seed {seed}: {step:?}, {least} at {x:?}");
}

fn check_steps<L: Steps>(loss: LossKind) {
    for seed in 0..N_CASES {
        let case = Case::random(loss, seed);
        let (sums, limits) = (case.sums::<L>(), case.limits());
        let joint = L::joint_step(&sums, &limits, f64::INFINITY, || case.spread()).unwrap();
        check_step(&case, &limits, joint, seed);
        let single = L::single_step(&sums, &limits, f64::INFINITY, || case.spread()).unwrap();
        check_step(&case, &limits.unshifted(), single, seed);
        assert!(joint.loss <= single.loss + 1e-9 * (1.0 + single.loss.abs()), "seed {seed}");
        // With a cutoff a step is found whenever it leads below.
        let near = 1e-6 * (1.0 + joint.loss.abs());
        let above = L::joint_step(&sums, &limits, joint.loss + near, || case.spread());
        assert!(above.is_some_and(|step| step.loss < joint.loss + near), "seed {seed}: a cutoff above");
        let below = L::joint_step(&sums, &limits, joint.loss - near, || case.spread());
        assert!(below.is_none_or(|step| step.loss >= joint.loss - near), "seed {seed}: a cutoff below");
    }
}

#[test]
fn logistic_steps_are_minima() {
    check_steps::<Logistic>(LossKind::Logistic);
}

#[test]
fn squared_steps_are_minima() {
    check_steps::<Squared>(LossKind::Squared);
}

fn check_bounds<L: Steps>(loss: LossKind) -> (usize, usize) {
    let (mut n_tight, mut n_free) = (0, 0);
    for seed in 0..N_CASES {
        let case = Case::random(loss, seed);
        let (sums, limits) = (case.sums::<L>(), case.limits());
        let slack = 1e-10 * (1.0 + sums.base.abs());
        let joint = L::joint_lower_bound(&sums, case.ridge);
        let single = L::single_lower_bound(&sums, case.ridge);
        let (least, least_single) = (case.least(&limits).1, case.least(&limits.unshifted()).1);
        assert!(joint <= least + slack, "seed {seed}: {joint} above {least}");
        assert!(single <= least_single + slack, "seed {seed}: {single} above {least_single}");
        let mut draws = Draws::new(seed);
        for _ in 0..20 {
            let (weight, shift) = (draws.between(-9.0, 9.0), draws.between(-9.0, 9.0));
            assert!(joint <= case.at(weight, shift).value + slack, "seed {seed}: at {weight}, {shift}");
            assert!(single <= case.at(weight, 0.0).value + slack, "seed {seed}: at {weight}");
            // Taking out a rule of a weight is a step by less that weight, without its ridge.
            let bound = L::removal_lower_bound(&sums, weight);
            let out = case.at(-weight, shift).value - 0.5 * case.ridge * weight * weight;
            assert!(bound <= out + slack, "seed {seed}: removal of {weight} at {shift}");
        }
        // Where slopes are moderate the bound should not be idle.
        if sums.covered[0].abs() < 0.3 * sums.covered[1] && sums.uncovered[0].abs() < 0.3 * sums.uncovered[1]
        {
            n_free += 1;
            let gain = sums.base - case.least(&Limits::new(Bounds::default(), case.ridge, 0.0)).1;
            n_tight += usize::from(sums.base - joint <= 1.3 * gain + slack);
        }
    }
    (n_tight, n_free)
}

#[test]
fn logistic_bounds_bound() {
    let (n_tight, n_free) = check_bounds::<Logistic>(LossKind::Logistic);
    assert!(n_free > 50 && n_tight * 10 >= n_free * 9, "{n_tight} of {n_free}");
}

#[test]
fn squared_bounds_bound() {
    let (n_tight, n_free) = check_bounds::<Squared>(LossKind::Squared);
    assert!(n_free > 50 && n_tight == n_free, "{n_tight} of {n_free}");
}

/// Taking a rule out and the intercept that is best then.
fn check_removals<L: Steps>(loss: LossKind) {
    for seed in 0..N_CASES {
        let case = Case::random(loss, seed);
        let weight = Draws::new(seed).between(-3.0, 3.0);
        let sums = case.sums::<L>();
        // The rows as they are once the rule is out.
        let moved: Vec<(Pair, f64)> = case
            .rows()
            .map(|(inside, mass, score)| (mass, score - if inside { weight } else { 0.0 }))
            .collect();
        let out = Case { covered: Vec::new(), uncovered: moved, ridge: 0.0, ..case };
        let expected = Total {
            sums: out.sums::<L>().uncovered,
            base: L::base(out.at(0.0, 0.0).value),
            range: Range::NONE,
        };
        let all = [sums.covered[0] + sums.uncovered[0], sums.covered[1] + sums.uncovered[1]];
        let all = Total { sums: all, base: sums.base, range: sums.range };
        if let Some(found) = L::without(all, sums.covered, weight) {
            for (found, expected) in [
                (found.sums[0], expected.sums[0]),
                (found.sums[1], expected.sums[1]),
                (found.base, expected.base),
            ] {
                assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "seed {seed}");
            }
        }
        let removal = L::intercept_step(expected, out.intercept, || out.spread());
        let still = Bounds { low: 0.0, high: 0.0 };
        let limits = Limits { bounds: still, ..out.limits() };
        let step = Step { weight: 0.0, shift: removal.shift, loss: removal.loss };
        check_step(&out, &limits, step, seed);
    }
}

#[test]
fn removals_leave_the_best_intercept() {
    check_removals::<Logistic>(LossKind::Logistic);
    check_removals::<Squared>(LossKind::Squared);
}

/// What re-fitting computes from a score and its exponential is what the definition says, far out too.
#[test]
fn values_at_scores_far_out() {
    fn check<L: Loss>(loss: LossKind, scores: &[f64]) {
        for &score in scores {
            for mass in [[0.3, 0.7], [0.0, 0.2], [1.5, 0.4]] {
                if loss == LossKind::Squared && mass[1] == 0.0 {
                    continue;
                }
                let constant =
                    if loss == LossKind::Squared { 0.5 * mass[0] * mass[0] / mass[1] } else { 0.0 };
                let (value, slope, bend) = loss_at(loss, mass, score);
                let found = L::derivatives(mass, score);
                let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
                assert!(near(found.value + constant, value), "{loss:?} at {score}: {found:?}, {value}");
                assert!(near(found.slope, slope) && near(found.bend, bend), "{loss:?} at {score}: {found:?}");
                assert_eq!(found.value, L::value(mass, score));
            }
        }
    }
    check::<Logistic>(LossKind::Logistic, &[-650.0, -40.0, -3.0, 0.0, 1e-9, 2.0, 37.0, 300.0]);
    check::<Squared>(LossKind::Squared, &[-400.0, -1.0, 0.0, 2.5, 60.0]);
}
