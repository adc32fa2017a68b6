//! Divides rows to measure on some what was learned from others; each class has its share in every part.

use crate::error::{Error, Result};
use crate::table::{ClassLabels, TargetValues};

/// Rows divided into folds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    /// The fold of each row.
    pub of_row: Vec<usize>,
    /// The number of folds.
    pub n_folds: usize,
    /// The number of rows of the smallest class, if there are classes. If below the number of folds,
    /// some folds have none of them, which deserves a word to the user.
    pub smallest_class: Option<usize>,
}

/// Rows to train on and rows to test on, both ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdout {
    /// The rows to train on.
    pub train: Vec<usize>,
    /// The rows to test on.
    pub test: Vec<usize>,
}

impl Folds {
    /// The rows of one fold to test on, all others to train on.
    pub fn split(&self, fold: usize) -> Holdout {
        let (test, train) = (0..self.of_row.len()).partition(|&row| self.of_row[row] == fold);
        Holdout { train, test }
    }

    /// All splits, in order.
    pub fn splits(&self) -> impl Iterator<Item = Holdout> + '_ {
        (0..self.n_folds).map(|fold| self.split(fold))
    }
}

/// Divides rows into folds of equal size without shuffling: with [`stratified_folds`] for classes, each
/// of which needs two rows, and with [`plain_folds`] for numbers.
pub fn folds(target: &TargetValues, n_folds: usize) -> Result<Folds> {
    match target {
        TargetValues::Classes(of) => {
            let folds = stratified_folds(&of.labels, n_folds)?;
            refuse_single_rows(of)?;
            Ok(folds)
        }
        TargetValues::Numbers(values) => plain_folds(values.len(), n_folds),
    }
}

/// Divides rows into folds of equal size and class shares, without shuffling: exactly as
/// scikit-learn's `StratifiedKFold(n_folds)`.
pub fn stratified_folds<L: PartialEq>(labels: &[L], n_folds: usize) -> Result<Folds> {
    refuse_few_folds(n_folds)?;
    let classes = classes(labels);
    let sizes = classes.iter().map(Vec::len);
    let (smallest_class, largest) = (sizes.clone().min(), sizes.max().unwrap_or(0));
    if n_folds > largest {
        let message = format!("{n_folds} is more than the {largest} rows of the largest class; give fewer");
        return Err(Error::config("folds", message));
    }
    let mut of_row = vec![0; labels.len()];
    // Dealing out the rows sorted by class, like cards, says how many of each class a fold gets.
    // Which ones goes by row order: the first rows of a class to the first fold, and so on.
    let mut n_dealt = 0;
    for rows in &classes {
        let mut shares = vec![0; n_folds];
        (n_dealt..n_dealt + rows.len()).for_each(|card| shares[card % n_folds] += 1);
        n_dealt += rows.len();
        let folds = shares.iter().enumerate().flat_map(|(fold, &share)| std::iter::repeat_n(fold, share));
        rows.iter().zip(folds).for_each(|(&row, fold)| of_row[row] = fold);
    }
    Ok(Folds { of_row, n_folds, smallest_class })
}

/// Divides rows into folds of neighbours, the first folds having one more where they cannot be equal:
/// exactly as scikit-learn's `KFold(n_folds)`.
pub fn plain_folds(n_rows: usize, n_folds: usize) -> Result<Folds> {
    refuse_few_folds(n_folds)?;
    if n_folds > n_rows {
        let message = format!("{n_folds} is more than the {n_rows} rows; give fewer");
        return Err(Error::config("folds", message));
    }
    let size = |fold: usize| n_rows / n_folds + usize::from(fold < n_rows % n_folds);
    let of_row = (0..n_folds).flat_map(|fold| std::iter::repeat_n(fold, size(fold))).collect();
    Ok(Folds { of_row, n_folds, smallest_class: None })
}

/// Takes a random share of the rows for testing: of each class for itself with
/// [`stratified_holdout`], of numbers altogether. The same seed gives the same rows.
pub fn holdout(target: &TargetValues, test_share: f64, seed: u64) -> Result<Holdout> {
    match target {
        TargetValues::Classes(of) => stratified_holdout(&of.labels, test_share, seed),
        TargetValues::Numbers(values) => {
            let message = "there are no two rows, one to train and one to test on; add rows";
            draw(vec![(0..values.len()).collect()], test_share, seed, message)
        }
    }
}

/// Takes a random share of each class for testing, at least one row, and leaves at least one for
/// training; the only row of a class is for training. The same seed gives the same rows.
pub fn stratified_holdout<L: PartialEq>(labels: &[L], test_share: f64, seed: u64) -> Result<Holdout> {
    let message = "no class has two rows, one to train and one to test on; add rows";
    draw(classes(labels), test_share, seed, message)
}

/// Takes a random share of each group of rows for testing. If no group has two rows it fails with the
/// message.
fn draw(groups: Vec<Vec<usize>>, test_share: f64, seed: u64, message: &str) -> Result<Holdout> {
    if !(test_share > 0.0 && test_share < 1.0) {
        let message = format!("{test_share} is not a share; give a number between 0 and 1");
        return Err(Error::config("holdout", message));
    }
    let mut random = SplitMix64(seed);
    let mut is_test = vec![false; groups.iter().map(Vec::len).sum()];
    for mut rows in groups {
        let most = rows.len().saturating_sub(1);
        let n_test = ((rows.len() as f64 * test_share).round() as usize).max(1).min(most);
        for place in 0..n_test {
            // The beginning of a Fisher–Yates shuffle: each place takes any of the rows left.
            let other = place + random.below(rows.len() - place);
            rows.swap(place, other);
            is_test[rows[place]] = true;
        }
    }
    let (test, train): (Vec<usize>, Vec<usize>) = (0..is_test.len()).partition(|&row| is_test[row]);
    if test.is_empty() {
        return Err(Error::data("holdout", message));
    }
    Ok(Holdout { train, test })
}

fn refuse_few_folds(n_folds: usize) -> Result<()> {
    if n_folds < 2 {
        return Err(Error::config("folds", format!("{n_folds} is too few; give 2 or more")));
    }
    Ok(())
}

/// The only row of a class cannot be both learned from and measured on.
fn refuse_single_rows(of: &ClassLabels) -> Result<()> {
    let mut sizes = vec![0; of.classes.len()];
    of.labels.iter().for_each(|&label| sizes[label as usize] += 1);
    match sizes.iter().position(|&size| size == 1) {
        Some(class) => {
            let message = format!(
                "class `{}` has a single row, which cannot be both learned from and measured on; add rows of it, or \
                 leave it out",
                of.classes[class]
            );
            Err(Error::data("folds", message))
        }
        None => Ok(()),
    }
}

/// The rows of each class, the classes in order of first occurrence.
fn classes<L: PartialEq>(labels: &[L]) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (row, label) in labels.iter().enumerate() {
        match classes.iter_mut().find(|rows| labels[rows[0]] == *label) {
            Some(rows) => rows.push(row),
            None => classes.push(vec![row]),
        }
    }
    classes
}

/// Steele, Lea and Flood's generator (2014): tiny, and the same on every machine.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`, by the high half of a product: its bias is `n / 2⁶⁴`, too small to see.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The folds of scikit-learn 1.9.1, `StratifiedKFold(n_folds).split(X, labels)`.
    #[test]
    fn folds_are_those_of_scikit_learn() {
        let unbalanced = [
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0,
            0, 0, 1, 0, 0,
        ];
        let tenths = [
            0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 0, 1, 2, 4, 5, 5, 5, 6, 6, 6, 3, 7, 4, 7, 7, 8, 5, 8,
            8, 9, 6, 9, 9,
        ];
        let fifths = [
            0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 1, 3, 2, 3, 3, 4, 3, 4,
            4, 4, 4, 4, 4,
        ];
        let cases: [(&[u8], usize, &[usize]); 7] = [
            (&[1, 0, 1, 1, 0, 0, 1, 0, 1, 0], 3, &[0, 0, 0, 1, 0, 1, 1, 2, 2, 2]),
            (&[0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1], 3, &[0, 0, 0, 1, 1, 2, 2, 0, 1, 1, 2]),
            (&[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 3, &[0, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]),
            (&[0, 0, 0, 0, 0, 0, 1], 4, &[0, 0, 1, 1, 2, 3, 2]),
            (&[2, 0, 1, 2, 2, 0, 1, 0, 2, 1, 2, 0, 2], 4, &[0, 0, 0, 0, 1, 1, 2, 2, 1, 3, 2, 3, 3]),
            (&unbalanced, 10, &tenths),
            (&unbalanced, 5, &fifths),
        ];
        for (labels, n_folds, expected) in cases {
            assert_eq!(stratified_folds(labels, n_folds).unwrap().of_row, expected);
        }
    }

    /// The same with three to five classes in any order of their first rows.
    #[test]
    fn folds_of_several_classes_are_those_of_scikit_learn() {
        let cases: [(&[u32], usize, &[usize]); 3] = [
            (
                &[2, 2, 1, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 2, 2, 2, 0],
                3,
                &[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 1, 2, 2, 2],
            ),
            (
                &[1, 2, 0, 1, 0, 3, 0, 2, 3, 0, 3, 3, 0, 2, 0, 1, 1, 0, 0, 2, 0, 0, 2, 1, 2, 0, 0, 2, 1],
                5,
                &[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 2, 1, 2, 1, 2, 3, 3, 2, 3, 4, 2, 3, 3, 4, 4, 4, 4],
            ),
            (
                &[
                    1, 0, 0, 4, 0, 3, 0, 4, 1, 4, 1, 0, 2, 2, 2, 1, 0, 2, 0, 2, 2, 0, 3, 0, 1, 3, 0, 2, 1, 4,
                    4,
                ],
                10,
                &[
                    0, 0, 1, 0, 2, 1, 3, 6, 1, 7, 2, 4, 0, 4, 5, 3, 5, 6, 6, 7, 8, 7, 2, 8, 4, 3, 9, 9, 5, 8,
                    9,
                ],
            ),
        ];
        for (labels, n_folds, expected) in cases {
            assert_eq!(folds(&classes_of(6, labels), n_folds).unwrap().of_row, expected);
        }
    }

    /// The folds of scikit-learn 1.9.1, `KFold(n_folds).split(X)`.
    #[test]
    fn folds_of_numbers_are_those_of_scikit_learn() {
        let cases: [(usize, &[usize]); 4] = [
            (3, &[0, 0, 0, 1, 1, 2, 2]),
            (5, &[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]),
            (4, &[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]),
            (3, &[0, 1, 2]),
        ];
        for (n_folds, expected) in cases {
            let found = folds(&TargetValues::Numbers(vec![1.0; expected.len()]), n_folds).unwrap();
            assert_eq!((&found.of_row[..], found.smallest_class), (expected, None));
        }
    }

    fn classes_of(n_classes: usize, labels: &[u32]) -> TargetValues {
        let classes = (0..n_classes).map(|class| format!("c{class}")).collect();
        TargetValues::Classes(ClassLabels { classes, labels: labels.to_vec(), positive_chosen: false })
    }

    #[test]
    fn too_few_or_too_many_folds_are_refused() {
        assert!(stratified_folds(&[0, 1, 0, 1], 1).is_err());
        assert!(stratified_folds(&[0, 0, 1, 1], 3).is_err());
        assert!(stratified_folds::<bool>(&[], 2).is_err());
        // As in scikit-learn, a class that is too small for all folds is no failure.
        assert_eq!(stratified_folds(&[0, 0, 0, 1], 3).unwrap().smallest_class, Some(1));
    }

    #[test]
    fn impossible_folds_say_why() {
        let message = |target: &TargetValues, n_folds| folds(target, n_folds).unwrap_err().to_string();
        let numbers = TargetValues::Numbers(vec![1.0, 2.0]);
        assert_eq!(message(&numbers, 3), "`folds`: 3 is more than the 2 rows; give fewer");
        assert_eq!(message(&numbers, 1), "`folds`: 1 is too few; give 2 or more");
        let lonely = message(&classes_of(4, &[0, 2, 0, 1, 1, 0]), 2);
        assert!(lonely.starts_with("folds: class `c2` has a single row, which cannot"), "{lonely}");
        let few = message(&classes_of(2, &[0, 1, 0, 1]), 3);
        assert_eq!(few, "`folds`: 3 is more than the 2 rows of the largest class; give fewer");
    }

    #[test]
    fn a_holdout_without_a_class_of_two_rows_is_refused() {
        assert!(stratified_holdout(&[0, 1], 0.5, 1).is_err());
        assert!(stratified_holdout(&[0, 0], 0.0, 1).is_err());
        assert!(stratified_holdout(&[0, 0], f64::NAN, 1).is_err());
        assert!(holdout(&TargetValues::Numbers(vec![1.0]), 0.5, 1).is_err());
        assert!(holdout(&TargetValues::Numbers(vec![]), 0.5, 1).is_err());
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for the seed 1234567 of the reference implementation.
        let mut random = SplitMix64(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    proptest! {
        #[test]
        fn numbers_are_held_out_by_their_share(n_rows in 2usize..80, share in 0.05f64..0.95, seed in any::<u64>()) {
            let target = TargetValues::Numbers(vec![0.0; n_rows]);
            let split = holdout(&target, share, seed).unwrap();
            prop_assert_eq!(&split, &holdout(&target, share, seed).unwrap());
            let mut rows = [&split.train[..], &split.test[..]].concat();
            rows.sort_unstable();
            prop_assert_eq!(rows, (0..n_rows).collect::<Vec<_>>());
            prop_assert!(!split.train.is_empty() && !split.test.is_empty());
            prop_assert!((split.test.len() as f64 - share * n_rows as f64).abs() <= 1.0);
        }

        #[test]
        fn a_holdout_has_its_share_of_each_class(
            labels in proptest::collection::vec(0u8..3, 2..60),
            share in 0.05f64..0.95,
            seed in any::<u64>(),
        ) {
            let Ok(holdout) = stratified_holdout(&labels, share, seed) else {
                prop_assert!(classes(&labels).iter().all(|rows| rows.len() < 2));
                return Ok(());
            };
            prop_assert_eq!(&holdout, &stratified_holdout(&labels, share, seed).unwrap());
            let mut rows = [&holdout.train[..], &holdout.test[..]].concat();
            rows.sort_unstable();
            prop_assert_eq!(rows, (0..labels.len()).collect::<Vec<_>>());
            for class in classes(&labels).into_iter().filter(|rows| rows.len() > 1) {
                let n_test = class.iter().filter(|row| holdout.test.contains(row)).count();
                prop_assert!(n_test >= 1 && n_test < class.len());
                let wanted = share * class.len() as f64;
                prop_assert!((n_test as f64 - wanted).abs() <= 1.0);
            }
        }
    }
}
