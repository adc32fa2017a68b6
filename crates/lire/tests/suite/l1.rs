//! The l1 start: optimality conditions from rows, a slow solver, and scikit-learn's results.

use lire::solver::Weights;
use lire::solver::l1::{L1_TOLERANCE, L1Solution, solve_l1};

use crate::draws::Draws;
use crate::naive::Naive;

fn solved(naive: &Naive, gamma: f64) -> L1Solution {
    solve_l1(&naive.problem(), &Weights::default(), gamma, L1_TOLERANCE)
}

/// `ln(1 + e^x)`, written to stay finite.
fn softplus(x: f64) -> f64 {
    if x > 30.0 { x } else { x.exp().ln_1p() }
}

fn logistic_loss(naive: &Naive, weights: &Weights) -> f64 {
    let row = |row: usize| {
        let score = naive.score(weights, row);
        naive.masses[row][0] * softplus(-score) + naive.masses[row][1] * softplus(score)
    };
    (0..naive.masses.len()).map(row).sum::<f64>() / naive.total()
}

fn objective(naive: &Naive, weights: &Weights, gamma: f64) -> f64 {
    logistic_loss(naive, weights) + gamma * weights.rules.iter().map(|(_, weight)| weight.abs()).sum::<f64>()
}

/// The derivative of the loss by the intercept and by each rule's weight.
fn gradient(naive: &Naive, weights: &Weights) -> (f64, Vec<f64>) {
    let total = naive.total();
    let slopes: Vec<f64> = (0..naive.masses.len())
        .map(|row| {
            let probability = 1.0 / (1.0 + (-naive.score(weights, row)).exp());
            let [positive, negative] = naive.masses[row];
            ((positive + negative) * probability - positive) / total
        })
        .collect();
    let by_rule = |column: &Vec<bool>| {
        slopes.iter().zip(column).filter(|(_, covered)| **covered).map(|(slope, _)| slope).sum()
    };
    (slopes.iter().sum(), naive.columns.iter().map(by_rule).collect())
}

/// How far the optimality conditions are from holding.
fn violation(naive: &Naive, weights: &Weights, gamma: f64) -> f64 {
    let (intercept, slopes) = gradient(naive, weights);
    let mut largest = intercept.abs();
    for (rule, slope) in slopes.into_iter().enumerate() {
        let weight =
            weights.rules.iter().find(|(other, _)| *other == rule).map_or(0.0, |(_, weight)| *weight);
        largest = largest.max(match weight {
            0.0 => slope.abs() - gamma,
            weight => (slope + gamma * weight.signum()).abs(),
        });
    }
    largest
}

/// Accelerated proximal gradient steps from 0, restarted when they turn back.
fn slow_solution(naive: &Naive, gamma: f64) -> Weights {
    let n_rules = naive.n_rules();
    // The curvature of the logistic loss is at most a quarter of the squared norm of a row.
    let step = 4.0 / (n_rules + 1) as f64;
    let as_weights = |point: &[f64]| Weights {
        intercept: point[0],
        rules: point[1..].iter().copied().enumerate().collect(),
    };
    let mut point = vec![0.0; n_rules + 1];
    let mut ahead = point.clone();
    let mut momentum = 1.0f64;
    let mut value = f64::INFINITY;
    for _ in 0..60_000 {
        let (intercept, slopes) = gradient(naive, &as_weights(&ahead));
        let mut next = vec![ahead[0] - step * intercept];
        next.extend(slopes.iter().zip(&ahead[1..]).map(|(slope, weight)| {
            let free = weight - step * slope;
            free.signum() * (free.abs() - step * gamma).max(0.0)
        }));
        let next_value = objective(naive, &as_weights(&next), gamma);
        let next_momentum = if next_value > value {
            1.0
        } else {
            f64::midpoint(1.0, (1.0 + 4.0 * momentum * momentum).sqrt())
        };
        let pull = if next_value > value { 0.0 } else { (momentum - 1.0) / next_momentum };
        let moved = next.iter().zip(&point).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        ahead = next.iter().zip(&point).map(|(a, b)| a + pull * (a - b)).collect();
        (point, momentum, value) = (next, next_momentum, next_value);
        if moved < 1e-12 {
            break;
        }
    }
    as_weights(&point)
}

#[test]
fn optimality_conditions_hold() {
    for seed in 0..80 {
        let mut draws = Draws::new(30_000 + seed);
        let (n_rows, n_rules) = (30 + draws.below(300), 1 + draws.below(80));
        let mut naive = Naive::random(&mut draws, n_rows, n_rules);
        if seed % 4 == 0 && n_rules > 2 {
            naive.columns[1] = naive.columns[0].clone();
        }
        let gamma = 10f64.powf(draws.between(-3.5, -1.0));
        let solution = solved(&naive, gamma);
        assert!(violation(&naive, &solution.weights, gamma) < 1e-6, "seed {seed}");
        assert!((solution.objective - objective(&naive, &solution.weights, gamma)).abs() < 1e-9);
        assert!(solution.violation < 1e-6);
        assert!(solution.weights.rules.iter().all(|(_, weight)| *weight != 0.0));
    }
}

#[test]
fn a_slow_solver_finds_no_better() {
    for seed in 0..25 {
        let mut draws = Draws::new(31_000 + seed);
        let naive = Naive::random(&mut draws, 60, 10);
        let gamma = [0.002, 0.01, 0.05][seed as usize % 3];
        let expected = objective(&naive, &slow_solution(&naive, gamma), gamma);
        let found = solved(&naive, gamma).objective;
        assert!((found - expected).abs() < 1e-8, "seed {seed}: {found} against {expected}");
    }
}

/// The largest slope at the intercept-only model is where the first rule enters.
#[test]
fn a_price_above_the_largest_slope_gives_the_empty_model() {
    for seed in 0..20 {
        let naive = Naive::random(&mut Draws::new(32_000 + seed), 80, 15);
        let sums = naive.masses.iter().fold([0.0; 2], |sum, mass| [sum[0] + mass[0], sum[1] + mass[1]]);
        let empty = Weights { intercept: (sums[0] / sums[1]).ln(), rules: Vec::new() };
        let largest =
            gradient(&naive, &empty).1.iter().fold(0.0f64, |largest, slope| largest.max(slope.abs()));
        let solution = solved(&naive, largest * 1.000_001);
        assert!(solution.weights.rules.is_empty());
        assert!((solution.weights.intercept - empty.intercept).abs() < 1e-6);
        assert!(!solved(&naive, largest * 0.99).weights.rules.is_empty());
    }
}

#[test]
fn a_warm_start_ends_in_the_same_place() {
    let naive = Naive::random(&mut Draws::new(33_000), 200, 30);
    let far = solved(&naive, 0.001).weights;
    let warm = solve_l1(&naive.problem(), &far, 0.02, L1_TOLERANCE);
    assert!((warm.objective - solved(&naive, 0.02).objective).abs() < 1e-9);
    assert!(violation(&naive, &warm.weights, 0.02) < 1e-6);
}

/// Results of scikit-learn 1.9.1, `LogisticRegression(penalty="l1", solver="saga", C=1/(W γ), tol=1e-14)`, on
/// columns and labels drawn with `numpy.random.default_rng(1)`; weights were given as `sample_weight`.
struct Frozen {
    gamma: f64,
    /// One text a rule: `1` where it covers the row.
    columns: &'static [&'static str],
    labels: &'static str,
    weights: &'static str,
    intercept: f64,
    coefficients: &'static [f64],
    objective: f64,
}

const FROZEN: [Frozen; 3] = [
    Frozen {
        gamma: 0.02,
        columns: &[
            "010110010100110100000011",
            "011011000000000110101111",
            "100110000000010011000001",
            "010010110110010000101111",
        ],
        labels: "000001000001000011000000",
        weights: "111111111111111111111111",
        intercept: -0.821_134_188_312_893_8,
        coefficients: &[
            -1.478_529_459_564_589_5,
            0.124_307_991_637_121_64,
            0.507_111_302_563_502_9,
            -1.885_893_752_853_047_3,
        ],
        objective: 0.364_867_714_992_346_66,
    },
    Frozen {
        gamma: 0.01,
        columns: &[
            "110001100011101101001101101101",
            "110100011000101001010101101011",
            "100011101111001100101001111011",
            "100101100001110010111001111101",
            "100100101100001000001000001100",
        ],
        labels: "101000001100000000001000000000",
        weights: "212232222122332212111131313311",
        intercept: -2.006_438_780_515_305,
        coefficients: &[
            -1.052_273_031_349_655_3,
            0.0,
            0.266_355_247_977_277_7,
            -0.816_490_996_292_558_8,
            2.244_116_082_879_023,
        ],
        objective: 0.336_200_056_508_736_1,
    },
    Frozen {
        gamma: 0.005,
        columns: &[
            "1101110110100011010101010001101101110011",
            "1011001110000111110100000011001101000001",
            "0000110101111000100111110011011010100111",
            "1100000010001110010000101110010101000101",
            "1110000110110100110001000111011000010011",
            "1000110000110011011111100000101000100010",
        ],
        labels: "1011010101110010110101110101111100111111",
        weights: "1223231323122211112223221131133121211233",
        intercept: -0.457_090_901_554_413_56,
        coefficients: &[
            1.216_606_877_379_454_3,
            -0.002_924_895_036_930_853_6,
            1.138_643_369_941_851,
            -0.926_864_853_850_196,
            0.749_795_042_172_769_5,
            0.0,
        ],
        objective: 0.520_526_608_564_802_4,
    },
];

#[test]
fn scikit_learn_finds_the_same_weights() {
    for case in FROZEN {
        let digits = |text: &str| text.bytes().map(|digit| f64::from(digit - b'0')).collect::<Vec<f64>>();
        let columns = case.columns.iter().map(|text| text.bytes().map(|bit| bit == b'1').collect()).collect();
        let masses =
            digits(case.labels).into_iter().zip(digits(case.weights)).map(|(y, w)| [y * w, (1.0 - y) * w]);
        let naive = Naive {
            columns,
            masses: masses.collect(),
            loss: lire::objective::LossKind::Exponential,
            ridge: 0.0,
            kind: lire::objective::PenaltyKind::Ratio,
            bounds: vec![lire::objective::Bounds::default(); case.columns.len()],
        };
        let L1Solution { weights, objective, .. } = solved(&naive, case.gamma);
        assert!((objective - case.objective).abs() < 1e-9);
        assert!((weights.intercept - case.intercept).abs() < 1e-5);
        for (rule, &expected) in case.coefficients.iter().enumerate() {
            let found =
                weights.rules.iter().find(|(other, _)| *other == rule).map_or(0.0, |(_, weight)| *weight);
            assert!((found - expected).abs() < 1e-5, "rule {rule}: {found} against {expected}");
            assert_eq!(found == 0.0, expected == 0.0, "rule {rule}");
        }
    }
}
