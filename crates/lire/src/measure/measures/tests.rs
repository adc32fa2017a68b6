//! Measures against scikit-learn's values, naive formulas, and each other.

use proptest::prelude::*;

use super::*;

/// The measures of classes in their order, then those of numbers.
fn values(measures: &Measures) -> Vec<f64> {
    measures.kinds().iter().map(|&kind| measures.get(kind).unwrap()).collect()
}

fn assert_close(measures: &Measures, expected: &[f64]) {
    // scikit-learn has no calibration error, which comes last.
    let found = values(measures);
    let of_sklearn = found.len() - usize::from(measures.classes().is_some());
    assert_eq!(of_sklearn, expected.len());
    for (kind, (found, expected)) in measures.kinds().iter().zip(found.iter().zip(expected)) {
        assert!((found - expected).abs() < 1e-13, "{}: {found} is not {expected}", kind.key());
    }
}

mod two_classes {
    use super::*;

    const LABELS: [bool; 10] = [true, false, true, true, false, false, true, false, true, false];
    /// With ties within and between the classes, and certainties both right and wrong.
    const PROBABILITIES: [f64; 10] = [0.9, 0.9, 0.8, 0.4, 0.4, 0.1, 0.4, 0.0, 1.0, 1.0];
    const WEIGHTS: [f64; 10] = [1.0, 2.0, 0.5, 3.0, 1.0, 0.0, 2.0, 1.0, 0.25, 4.0];

    pub fn measure(labels: &[bool], probabilities: &[f64], weights: &[f64]) -> Result<Measures> {
        let said = ClassPredictions {
            scores: vec![probabilities.to_vec()],
            probabilities: vec![probabilities.to_vec()],
            labels: probabilities.iter().map(|&p| u32::from(p > 0.5)).collect(),
        };
        Measures::of(&TargetValues::of_bools(labels), &Predictions::Classes(said), weights)
    }

    // The expected numbers of the next two tests are scikit-learn 1.9.1's: accuracy_score,
    // balanced_accuracy_score, f1_score, roc_auc_score, average_precision_score, log_loss and
    // brier_score_loss, with and without sample_weight.

    #[test]
    fn measures_are_those_of_scikit_learn() {
        let measures = measure(&LABELS, &PROBABILITIES, &[1.0; 10]).unwrap();
        assert_close(&measures, &[0.6, 0.6, 0.6, 0.64, 0.57, 4.112_351_015_225_537, 0.275]);
        assert_eq!(measures.classes().unwrap().counts.cells, [[3, 2], [2, 3]]);
    }

    #[test]
    fn weighted_measures_are_those_of_scikit_learn() {
        let measures = measure(&LABELS, &PROBABILITIES, &WEIGHTS).unwrap();
        let expected = [
            0.254_237_288_135_593_2,
            0.254_629_629_629_629_65,
            0.241_379_310_344_827_6,
            0.240_740_740_740_740_76,
            0.408_084_200_860_488_2,
            10.446_711_546_909_045,
            0.515_932_203_389_830_5,
        ];
        assert_close(&measures, &expected);
        let measures = measures.classes().unwrap();
        assert_eq!(measures.confusion.cells, [[2.0, 6.0], [5.0, 1.75]]);
        assert_eq!(measures.counts.cells[0][0], 2, "the row without weight does not count");
    }

    #[test]
    fn programs_read_flat_names() {
        let measures = measure(&[true, false], &[0.75, 0.5], &[1.0, 1.0]).unwrap();
        let json = serde_json::to_value(&measures).unwrap();
        assert_eq!((&json["accuracy"], &json["brier"]), (&1.0.into(), &0.15625.into()));
        assert_eq!(
            (&json["confusion"]["true_positive"], &json["counts"]["false_negative"]),
            (&1.0.into(), &0.into())
        );
    }

    #[test]
    fn a_single_class_has_no_auc() {
        let only = measure(&[true, true], &[0.9, 0.2], &[1.0, 1.0]).unwrap();
        let only = only.classes().unwrap();
        assert_eq!((only.auc, only.balanced_accuracy), (None, 0.5));
        let only = measure(&[false, false], &[0.1, 0.2], &[1.0, 1.0]).unwrap();
        let only = only.classes().unwrap();
        assert_eq!((only.auc, only.average_precision, only.f1), (None, None, 0.0));
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        assert!(measure(&[], &[], &[]).is_err());
        assert!(measure(&[true], &[0.5], &[0.0]).is_err());
        assert!(measure(&[true], &[f64::NAN], &[1.0]).is_err());
        assert!(measure(&[true], &[1.5], &[1.0]).is_err());
        assert!(measure(&[true], &[0.5], &[-1.0]).is_err());
        assert!(measure(&[true, false], &[0.5], &[1.0]).is_err());
    }

    proptest! {
        #[test]
        fn a_weight_is_a_repetition(rows in proptest::collection::vec((any::<bool>(), 0u8..=4, 0usize..4), 1..30)) {
            let unzip = |rows: &[(bool, f64, f64)]| {
                let labels: Vec<bool> = rows.iter().map(|row| row.0).collect();
                let probabilities: Vec<f64> = rows.iter().map(|row| row.1).collect();
                let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
                measure(&labels, &probabilities, &weights)
            };
            let weighted: Vec<_> = rows.iter().map(|&(y, p, w)| (y, f64::from(p) / 4.0, w as f64)).collect();
            let repeated: Vec<_> = rows
                .iter()
                .flat_map(|&(y, p, w)| std::iter::repeat_n((y, f64::from(p) / 4.0, 1.0), w))
                .collect();
            match (unzip(&weighted), unzip(&repeated)) {
                (Ok(one), Ok(other)) => {
                    prop_assert_eq!(&one.classes().unwrap().confusion, &other.classes().unwrap().confusion);
                    for &kind in one.kinds() {
                        let (one, other) = (one.get(kind), other.get(kind));
                        prop_assert_eq!(one.is_some(), other.is_some());
                        prop_assert!(one.zip(other).is_none_or(|(one, other)| (one - other).abs() < 1e-12));
                    }
                }
                (one, other) => prop_assert!(one.is_err() && other.is_err()),
            }
        }
    }
}

mod several_classes {
    use super::*;

    fn target(n_classes: usize, labels: &[u32]) -> TargetValues {
        let classes = (0..n_classes).map(|class| class.to_string()).collect();
        TargetValues::Classes(ClassLabels { classes, labels: labels.to_vec(), positive_chosen: false })
    }

    /// From rows of probabilities, which also order; the first of the highest is predicted.
    fn predict(rows: &[Vec<f64>], n_classes: usize) -> ClassPredictions {
        let columns: Vec<Vec<f64>> =
            (0..n_classes).map(|class| rows.iter().map(|row| row[class]).collect()).collect();
        let highest = |row: &Vec<f64>| row.iter().copied().fold(0.0, f64::max);
        let label = |row: &Vec<f64>| row.iter().position(|&p| p == highest(row)).unwrap() as u32;
        ClassPredictions {
            scores: columns.clone(),
            probabilities: columns,
            labels: rows.iter().map(label).collect(),
        }
    }

    fn measure(labels: &[u32], rows: &[Vec<f64>], weights: &[f64]) -> Result<Measures> {
        let n_classes = rows.first().map_or(3, Vec::len);
        Measures::of(&target(n_classes, labels), &Predictions::Classes(predict(rows, n_classes)), weights)
    }

    const LABELS: [u32; 12] = [2, 0, 1, 1, 0, 2, 2, 0, 1, 0, 2, 1];
    /// In sixteenths: with ties, and certainties both right and wrong.
    const SIXTEENTHS: [[u8; 3]; 12] = [
        [1, 3, 12],
        [10, 4, 2],
        [4, 8, 4],
        [8, 6, 2],
        [6, 6, 4],
        [0, 5, 11],
        [9, 4, 3],
        [16, 0, 0],
        [2, 14, 0],
        [3, 10, 3],
        [4, 4, 8],
        [10, 0, 6],
    ];
    const WEIGHTS: [f64; 12] = [1.0, 2.0, 0.5, 3.0, 1.0, 0.0, 2.0, 1.0, 0.25, 4.0, 1.5, 0.75];

    fn probabilities() -> Vec<Vec<f64>> {
        SIXTEENTHS.iter().map(|row| row.iter().map(|&p| f64::from(p) / 16.0).collect()).collect()
    }

    // The expected numbers of the next two tests are scikit-learn 1.9.1's, with P the probabilities and
    // p = P.argmax(1): accuracy_score(y, p), balanced_accuracy_score(y, p), f1_score(y, p,
    // average="macro"), roc_auc_score(y, P, multi_class="ovr", average="macro"),
    // average_precision_score(y, P, average="macro"), log_loss(y, P), brier_score_loss(y, P) and
    // confusion_matrix(y, p), without and with sample_weight.

    #[test]
    fn measures_are_those_of_scikit_learn() {
        let measures = measure(&LABELS, &probabilities(), &[1.0; 12]).unwrap();
        let expected = [
            0.666_666_666_666_666_6,
            0.666_666_666_666_666_6,
            0.676_190_476_190_476_1,
            0.770_833_333_333_333_4,
            0.725_925_925_925_926,
            3.667_122_472_263_941,
            0.516_927_083_333_333_4,
        ];
        assert_close(&measures, &expected);
        assert_eq!(measures.classes().unwrap().counts.cells, [[3, 1, 0], [2, 2, 0], [1, 0, 3]]);
    }

    #[test]
    fn weighted_measures_are_those_of_scikit_learn() {
        let measures = measure(&LABELS, &probabilities(), &WEIGHTS).unwrap();
        let expected = [
            0.426_470_588_235_294_1,
            0.407_407_407_407_407_44,
            0.442_384_033_933_329_76,
            0.630_833_333_333_333_4,
            0.591_594_573_470_518_5,
            2.567_487_187_972_592_5,
            0.672_334_558_823_529_4,
        ];
        assert_close(&measures, &expected);
        let cells = [[4.0, 4.0, 0.0], [3.75, 0.75, 0.0], [2.0, 0.0, 2.5]];
        assert_eq!(measures.classes().unwrap().confusion.cells, cells);
    }

    #[test]
    fn classes_that_do_not_occur_are_left_out_of_means() {
        let rows = [vec![0.5, 0.25, 0.25], vec![0.25, 0.5, 0.25], vec![0.5, 0.25, 0.25]];
        let measures = measure(&[0, 1, 1], &rows, &[1.0; 3]).unwrap();
        let measures = measures.classes().unwrap();
        assert_eq!((measures.balanced_accuracy, measures.auc), (0.75, Some(0.75)));
        assert!((measures.f1 - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(measure(&[0, 0, 0], &rows, &[1.0; 3]).unwrap().classes().unwrap().auc, None);
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let message = |labels: &[u32], rows: &[Vec<f64>]| {
            measure(labels, rows, &vec![1.0; labels.len()]).unwrap_err().to_string()
        };
        let certain = vec![1.0, 0.0, 0.0];
        let off = message(&[0], &[vec![0.5, 0.25, 0.0]]);
        assert_eq!(off, "evaluation, row 1: the probabilities of the classes do not add up to 1");
        let unknown = message(&[0, 3], &[certain.clone(), certain.clone()]);
        assert_eq!(unknown, "evaluation, row 2: the class is not one of the target's");
        assert_eq!(
            message(&[0, 1], std::slice::from_ref(&certain)),
            "evaluation: there are 2 rows, but 1 predicted labels"
        );
        let one_column =
            ClassPredictions { scores: vec![vec![0.5]], probabilities: vec![vec![0.5]], labels: vec![0] };
        assert!(Measures::of(&target(3, &[0]), &Predictions::Classes(one_column), &[1.0]).is_err());
        let numbers = Measures::of(&target(3, &[0]), &Predictions::Numbers(vec![0.0]), &[1.0]);
        assert_eq!(
            numbers.unwrap_err().to_string(),
            "evaluation: numbers were predicted, but the target has classes"
        );
        let classes = Predictions::Classes(predict(&[certain], 3));
        assert!(Measures::of(&TargetValues::Numbers(vec![0.0]), &classes, &[1.0]).is_err());
    }

    /// Rows of a class, probabilities in parts of their sum, and a weight.
    fn rows(n_classes: usize) -> impl Strategy<Value = Vec<(u32, Vec<f64>, f64)>> {
        let parts = proptest::collection::vec(0u8..6, n_classes).prop_map(|mut parts| {
            parts[0] += 1;
            let sum: u8 = parts.iter().sum();
            parts.iter().map(|&part| f64::from(part) / f64::from(sum)).collect::<Vec<f64>>()
        });
        let row = (0..n_classes as u32, parts, (0u8..8).prop_map(|weight| f64::from(weight) / 4.0));
        proptest::collection::vec(row, 1..25)
    }

    /// The share of a condition's weight in which another one holds too.
    fn share(weights: &[f64], of: impl Fn(usize) -> bool, holds: impl Fn(usize) -> bool) -> f64 {
        let sum = |keep: &dyn Fn(usize) -> bool| -> f64 {
            (0..weights.len()).filter(|&row| keep(row)).map(|row| weights[row]).sum()
        };
        sum(&|row| of(row) && holds(row)) / sum(&of)
    }

    fn mean_of_numbers(values: impl Iterator<Item = f64>) -> f64 {
        let numbers: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
        numbers.iter().sum::<f64>() / numbers.len() as f64
    }

    proptest! {
        /// Each from its definition: shares of rows, pairs of rows, thresholds at each row's score.
        #[test]
        fn measures_agree_with_naive_formulas(rows in (3usize..6).prop_flat_map(rows)) {
            let labels: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let p: Vec<Vec<f64>> = rows.iter().map(|row| row.1.clone()).collect();
            let w: Vec<f64> = rows.iter().map(|row| row.2).collect();
            prop_assume!(w.iter().any(|&weight| weight > 0.0));
            let n_classes = p[0].len();
            let said = predict(&p, n_classes).labels;
            let is = |class: usize| { let labels = &labels; move |row: usize| labels[row] as usize == class };
            let says = |class: usize| { let said = &said; move |row: usize| said[row] as usize == class };

            let recalls = (0..n_classes).map(|class| share(&w, is(class), says(class)));
            let f1s = (0..n_classes).map(|class| {
                let precision = share(&w, says(class), is(class));
                let recall = share(&w, is(class), says(class));
                match (precision.is_nan(), recall.is_nan()) {
                    (true, true) => f64::NAN,
                    (true, false) | (false, true) => 0.0,
                    _ if precision + recall == 0.0 => 0.0,
                    _ => 2.0 * precision * recall / (precision + recall),
                }
            });
            let areas = (0..n_classes).map(|class| {
                let (mut pairs, mut ordered) = (0.0, 0.0);
                for a in (0..p.len()).filter(|&a| is(class)(a)) {
                    for b in (0..p.len()).filter(|&b| !is(class)(b)) {
                        pairs += w[a] * w[b];
                        let above = f64::from(p[a][class] > p[b][class]);
                        ordered += w[a] * w[b] * (above + f64::from(p[a][class] == p[b][class]) / 2.0);
                    }
                }
                ordered / pairs
            });
            // A row of the class finds the precision at its own score, and adds its weight of recall.
            let precisions = (0..n_classes).map(|class| {
                let (mut sum, mut total) = (0.0, 0.0);
                for a in (0..p.len()).filter(|&a| is(class)(a) && w[a] > 0.0) {
                    sum += w[a] * share(&w, |b| p[b][class] >= p[a][class], is(class));
                    total += w[a];
                }
                sum / total
            });
            let total: f64 = w.iter().sum();
            let mean = |cost: &dyn Fn(usize) -> f64| (0..p.len()).map(|row| w[row] * cost(row)).sum::<f64>() / total;
            let log_loss = mean(&|row| {
                -p[row][labels[row] as usize].clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln()
            });
            let brier = mean(&|row| {
                (0..n_classes).map(|class| (p[row][class] - f64::from(u8::from(is(class)(row)))).powi(2)).sum()
            });
            let expected = [
                share(&w, |_| true, |row| labels[row] == said[row]),
                mean_of_numbers(recalls),
                mean_of_numbers(f1s),
                mean_of_numbers(areas),
                mean_of_numbers(precisions),
                log_loss,
                brier,
            ];
            let found = measure(&labels, &p, &w).unwrap();
            for (&kind, expected) in found.kinds().iter().zip(expected) {
                let found = found.get(kind).unwrap_or(f64::NAN);
                let agree = (found - expected).abs() < 1e-12 || found.is_nan() && expected.is_nan();
                prop_assert!(agree, "{}: {} is not {}", kind.key(), found, expected);
            }
        }

        /// Two classes, given as three of which one never occurs, have the measures of two classes; but
        /// F1 is the mean of both classes, and the Brier score counts both probabilities.
        #[test]
        fn two_classes_are_a_case_of_several(rows in rows(2)) {
            let labels: Vec<u32> = rows.iter().map(|row| row.0).collect();
            // Multiples of 1/64, so that 1 − p is exact both ways; and no ties of the classes.
            let positive: Vec<f64> =
                rows.iter().map(|row| ((row.1[1] * 60.0).round() + 1.5) / 64.0).collect();
            let w: Vec<f64> = rows.iter().map(|row| row.2).collect();
            prop_assume!(w.iter().any(|&weight| weight > 0.0));
            let is_positive: Vec<bool> = labels.iter().map(|&label| label == 1).collect();
            let three: Vec<Vec<f64>> = positive.iter().map(|&p| vec![1.0 - p, p, 0.0]).collect();
            let two = two_classes::measure(&is_positive, &positive, &w).unwrap();
            let three = measure(&labels, &three, &w).unwrap();
            let (two, three) = (two.classes().unwrap(), three.classes().unwrap());
            prop_assert_eq!(two.accuracy, three.accuracy);
            prop_assert_eq!(two.balanced_accuracy, three.balanced_accuracy);
            prop_assert_eq!(two.auc.is_some(), three.auc.is_some());
            prop_assert!(two.auc.zip(three.auc).is_none_or(|(two, three)| (two - three).abs() < 1e-12));
            prop_assert!((two.log_loss - three.log_loss).abs() < 1e-12);
            prop_assert!((2.0 * two.brier - three.brier).abs() < 1e-12);
        }
    }
}

mod numbers {
    use super::*;

    fn measure(truth: &[f64], said: &[f64], weights: &[f64]) -> Result<Measures> {
        let truth = TargetValues::Numbers(truth.to_vec());
        Measures::of(&truth, &Predictions::Numbers(said.to_vec()), weights)
    }

    /// scikit-learn 1.9.1's `r2_score`, the root of its `mean_squared_error`, and its
    /// `mean_absolute_error`, without and with `sample_weight`.
    #[test]
    fn measures_are_those_of_scikit_learn() {
        let truth = [3.5, -1.0, 0.0, 12.25, 7.0, 7.0, -3.0, 0.001, 2.0, 5.0];
        let said = [3.0, -1.5, 0.25, 10.0, 7.5, 8.0, -2.0, 0.0, 2.0, 4.125];
        let weights = [1.0, 2.0, 0.5, 3.0, 0.0, 1.0, 2.0, 1.0, 0.25, 4.0];
        let plain = measure(&truth, &said, &[1.0; 10]).unwrap();
        assert_close(&plain, &[0.955_008_386_060_964_7, 0.929_549_675_918_398_8, 0.6876]);
        let weighted = measure(&truth, &said, &weights).unwrap();
        assert_close(&weighted, &[0.943_566_229_442_863_3, 1.222_147_346_105_706, 1.008_542_372_881_355_8]);
    }

    #[test]
    fn a_constant_target_has_no_variance_to_explain() {
        // The mean of three times 0.1 is not 0.1.
        let measures = measure(&[0.1, 0.1, 0.1, 5.0], &[0.1, 0.1, 0.2, 0.0], &[1.0, 1.0, 1.0, 0.0]).unwrap();
        assert_eq!(measures.numbers().unwrap().r2, None);
        assert_eq!(serde_json::to_value(&measures).unwrap()["r2"], serde_json::Value::Null);
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        assert!(measure(&[], &[], &[]).is_err());
        assert!(measure(&[1.0], &[1.0, 2.0], &[1.0]).is_err());
        assert!(measure(&[1.0], &[f64::NAN], &[1.0]).is_err());
        assert!(measure(&[f64::INFINITY], &[1.0], &[1.0]).is_err());
        assert!(measure(&[1.0], &[1.0], &[1.0, 1.0]).is_err());
    }

    proptest! {
        #[test]
        fn a_weight_is_a_repetition(rows in proptest::collection::vec((-9i8..9, -9i8..9, 0usize..4), 1..30)) {
            let weighted: Vec<(f64, f64, f64)> =
                rows.iter().map(|&(y, f, w)| (f64::from(y), f64::from(f), w as f64)).collect();
            let repeated: Vec<(f64, f64, f64)> = weighted
                .iter()
                .flat_map(|&(y, f, w)| std::iter::repeat_n((y, f, 1.0), w as usize))
                .collect();
            let measured = |rows: &[(f64, f64, f64)]| {
                let column = |of: fn(&(f64, f64, f64)) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
                measure(&column(|row| row.0), &column(|row| row.1), &column(|row| row.2))
            };
            match (measured(&weighted), measured(&repeated)) {
                (Ok(one), Ok(other)) => {
                    for &kind in one.kinds() {
                        let (one, other) = (one.get(kind), other.get(kind));
                        prop_assert_eq!(one.is_some(), other.is_some());
                        prop_assert!(one.zip(other).is_none_or(|(one, other)| (one - other).abs() < 1e-10));
                    }
                }
                (one, other) => prop_assert!(one.is_err() && other.is_err()),
            }
        }
    }
}
