//! l1 against scikit-learn, skglm and celer: the data are drawn here, the minima were found there.

use lire::solver::Weights;
use lire::solver::l1::L1_TOLERANCE;

use crate::draws::Draws;
use crate::l1_naive::NaiveL1;

/// What `l1_frozen.py` printed with scikit-learn 1.9.1, skglm 0.5 and celer 0.7.4.
struct Frozen {
    seed: u64,
    squared: bool,
    linear: bool,
    factors: bool,
    gamma: f64,
    /// scikit-learn's saga and skglm; for the lasso scikit-learn's `Lasso` and celer.
    objectives: [f64; 2],
    /// scikit-learn's weights.
    intercept: f64,
    weights: &'static [f64],
}

#[rustfmt::skip]
const FROZEN: [Frozen; 8] = [
    Frozen { seed: 1, squared: false, linear: false, factors: false, gamma: 0.02, objectives: [0.501_013_367_121, 0.501_013_367_121], intercept: 0.554_422_977, weights: &[0.818_983_450, -0.615_690_811, 0.020_489_992, -0.532_346_634, -0.321_903_528, -1.895_509_518, 0.0, -2.391_170_872] },
    Frozen { seed: 2, squared: false, linear: false, factors: true, gamma: 0.01, objectives: [0.460_690_799_779, 0.460_690_799_779], intercept: -0.575_580_548, weights: &[0.289_391_196, 2.106_872_248, 0.972_675_331, -0.494_024_430, 1.654_684_073, -1.816_684_809, -0.064_084_016, 1.951_174_626] },
    Frozen { seed: 3, squared: false, linear: true, factors: false, gamma: 0.01, objectives: [0.328_877_857_709, 0.328_877_857_709], intercept: 1.464_241_203, weights: &[0.0, 0.085_852_425, 1.360_911_105, 0.0, 0.161_936_992, 0.0, -1.445_589_498, -3.441_091_449, 2.966_432_948, 0.0, -2.210_982_241] },
    Frozen { seed: 4, squared: false, linear: true, factors: true, gamma: 0.005, objectives: [0.186_554_905_772, 0.186_554_905_772], intercept: 0.180_747_093, weights: &[0.0, -1.124_115_566, -6.119_513_570, 0.855_080_774, 3.001_170_519, -2.093_700_109, -4.654_671_379, 0.0, -1.159_163_423, 0.810_112_635, 0.040_695_083] },
    Frozen { seed: 5, squared: true, linear: false, factors: false, gamma: 0.05, objectives: [0.394_449_002_126, 0.394_449_002_126], intercept: -0.424_172_794, weights: &[-0.807_224_375, -0.851_723_142, -0.113_971_589, -0.319_051_926, 0.784_489_006, 0.405_783_862, 0.161_439_400, -0.667_848_247] },
    Frozen { seed: 6, squared: true, linear: false, factors: true, gamma: 0.02, objectives: [0.280_003_972_844, 0.280_003_972_844], intercept: 0.268_445_392, weights: &[-0.619_580_153, -1.331_824_136, -0.059_773_853, -0.505_137_277, -1.029_437_535, 0.0, 1.267_124_384, 1.100_270_462] },
    Frozen { seed: 7, squared: true, linear: true, factors: false, gamma: 0.02, objectives: [0.268_286_767_288, 0.268_286_767_288], intercept: 0.044_396_425, weights: &[-1.384_840_455, -0.800_425_592, -0.867_062_970, -0.575_553_897, 0.442_800_840, 0.024_626_115, 1.059_107_383, 1.642_803_534, -0.149_661_903, -0.020_821_576, 0.521_719_246] },
    Frozen { seed: 8, squared: true, linear: true, factors: true, gamma: 0.01, objectives: [0.215_962_586_322, 0.215_962_586_322], intercept: 0.298_619_790, weights: &[0.223_783_258, -0.878_418_344, 0.566_995_122, -1.334_244_918, 1.132_426_257, 0.084_604_649, -1.504_585_217, 0.768_464_398, 0.269_912_585, -0.098_700_360, 1.407_588_894] },
];

#[test]
fn other_solvers_find_the_same_minimum() {
    for case in FROZEN {
        let n_linear = if case.linear { 3 } else { 0 };
        let mut naive = NaiveL1::draw(&mut Draws::new(case.seed), 60, 8, n_linear, case.squared);
        if !case.factors {
            naive.factors.fill(1.0);
        }
        let problem = naive.problem();
        let solution = naive.l1(&problem).solve(&Weights::default(), case.gamma, L1_TOLERANCE);
        for expected in case.objectives {
            let distance = (solution.objective - expected).abs();
            assert!(
                distance < 1e-6 * expected,
                "seed {}: {} against {expected}",
                case.seed,
                solution.objective
            );
        }
        let found = naive.dense(&solution);
        assert!((found.intercept - case.intercept).abs() < 1e-4, "seed {}", case.seed);
        for (nth, (found, &expected)) in found.weights.iter().zip(case.weights).enumerate() {
            assert!((found - expected).abs() < 1e-4, "seed {}, {nth}: {found}, {expected}", case.seed);
        }
    }
}
