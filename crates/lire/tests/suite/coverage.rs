//! Packed coverage against columns of booleans.

use lire::coverage::{Coverage, MergedRows, Pair, RowPatterns};

use crate::draws::Draws;
use crate::naive::coverage_of;

/// Random columns: of any density, and among them empty, full, repeated, complementary and nested ones.
fn random_columns(draws: &mut Draws, n_rows: usize, n_rules: usize) -> Vec<Vec<bool>> {
    let mut columns: Vec<Vec<bool>> = Vec::new();
    for rule in 0..n_rules {
        let other = if rule > 0 { columns[draws.below(rule)].clone() } else { vec![false; n_rows] };
        let share = draws.unit();
        columns.push(match draws.below(10) {
            0 => vec![false; n_rows],
            1 => vec![true; n_rows],
            2 => other,
            3 => other.iter().map(|covered| !covered).collect(),
            4 | 5 => other.iter().map(|&covered| covered && draws.chance(share)).collect(),
            _ => (0..n_rows).map(|_| draws.chance(share)).collect(),
        });
    }
    columns
}

fn random_values(draws: &mut Draws, n_rows: usize) -> Vec<Pair> {
    (0..n_rows).map(|_| [draws.between(-1.0, 1.0), draws.between(0.0, 5.0)]).collect()
}

fn near(a: Pair, b: Pair) -> bool {
    (a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9
}

fn check(coverage: &Coverage, columns: &[Vec<bool>], n_rows: usize, draws: &mut Draws) {
    assert_eq!((coverage.n_rows(), coverage.n_rules()), (n_rows, columns.len()));
    let values = random_values(draws, n_rows);
    let sums = coverage.sums(&values);
    let mut some: Vec<u32> = (0..n_rows as u32).filter(|_| draws.chance(0.4)).collect();
    draws.shuffle(&mut some);
    let some_values: Vec<Pair> = some.iter().map(|&row| values[row as usize]).collect();
    let within = coverage.sums_within(&some, &some_values);
    for (rule, column) in columns.iter().enumerate() {
        let rows: Vec<u32> = (0..n_rows as u32).filter(|&row| column[row as usize]).collect();
        assert_eq!(coverage.rows_of(rule), rows);
        assert!((0..n_rows).all(|row| coverage.covers(rule, row) == column[row]));
        let sum_over = |rows: &mut dyn Iterator<Item = u32>| {
            rows.filter(|&row| column[row as usize]).fold([0.0; 2], |sum, row| {
                let value = values[row as usize];
                [sum[0] + value[0], sum[1] + value[1]]
            })
        };
        assert!(near(sums[rule], sum_over(&mut (0..n_rows as u32))), "rule {rule}");
        assert!(near(within[rule], sum_over(&mut some.iter().copied())), "rule {rule}");
    }
    let prints = coverage.fingerprints();
    for a in 0..columns.len() {
        for b in 0..a {
            assert_eq!(prints[a] == prints[b], columns[a] == columns[b], "rules {a} and {b}");
        }
    }
}

/// Row counts around the words of 64, rule counts around the groups of 8 and 64.
const SHAPES: [(usize, usize); 14] = [
    (0, 0),
    (0, 5),
    (1, 0),
    (1, 3),
    (63, 8),
    (64, 9),
    (65, 64),
    (100, 65),
    (130, 150),
    (999, 20),
    (1000, 200),
    (2049, 40),
    (5000, 70),
    (5001, 130),
];

#[test]
fn coverage_answers_like_columns_of_booleans() {
    for (seed, (n_rows, n_rules)) in SHAPES.into_iter().enumerate() {
        let mut draws = Draws::new(seed as u64);
        let columns = random_columns(&mut draws, n_rows, n_rules);
        check(&coverage_of(&columns, n_rows), &columns, n_rows, &mut draws);
    }
}

/// Twelve independent halves have 4096 joint cells, sixteen times what one byte holds.
#[test]
fn more_joint_cells_than_a_byte_holds() {
    let mut draws = Draws::new(3);
    let n_rows = 20_011;
    let columns: Vec<Vec<bool>> = (0..24).map(|_| (0..n_rows).map(|_| draws.chance(0.5)).collect()).collect();
    check(&coverage_of(&columns, n_rows), &columns, n_rows, &mut draws);
}

#[test]
fn kept_rules_answer_as_before() {
    for (seed, (n_rows, n_rules)) in SHAPES.into_iter().enumerate() {
        for share in [0.0, 0.1, 0.5, 1.0] {
            let mut draws = Draws::new(100 + seed as u64);
            let columns = random_columns(&mut draws, n_rows, n_rules);
            let kept: Vec<usize> = (0..n_rules).filter(|_| draws.chance(share)).collect();
            let left: Vec<Vec<bool>> = kept.iter().map(|&rule| columns[rule].clone()).collect();
            check(&coverage_of(&columns, n_rows).keep(&kept), &left, n_rows, &mut draws);
        }
    }
}

#[test]
fn merged_rows_are_the_distinct_rows_in_order_with_summed_masses() {
    for (seed, (n_rows, n_rules)) in SHAPES.into_iter().enumerate() {
        let mut draws = Draws::new(200 + seed as u64);
        // Few rules that differ, so that many rows agree.
        let mut columns = random_columns(&mut draws, n_rows, n_rules);
        for rule in 6..n_rules {
            columns[rule] = columns[rule % 6].clone();
        }
        let masses = random_values(&mut draws, n_rows);
        let mut expected: Vec<(Vec<bool>, Pair)> = Vec::new();
        for row in 0..n_rows {
            let signature: Vec<bool> = columns.iter().map(|column| column[row]).collect();
            match expected.iter_mut().find(|(other, _)| *other == signature) {
                Some((_, sum)) => *sum = [sum[0] + masses[row][0], sum[1] + masses[row][1]],
                None => expected.push((signature, masses[row])),
            }
        }
        let merged = MergedRows::of(coverage_of(&columns, n_rows));
        let summed = merged.merge(&masses);
        assert_eq!(summed.len(), expected.len());
        assert_eq!(merged.coverage.n_rows(), expected.len());
        for (row, (signature, mass)) in expected.iter().enumerate() {
            assert!(near(summed[row], *mass));
            assert!((0..n_rules).all(|rule| merged.coverage.covers(rule, row) == signature[rule]));
        }
        let distinct: Vec<Vec<bool>> = (0..n_rules)
            .map(|rule| expected.iter().map(|(signature, _)| signature[rule]).collect())
            .collect();
        check(&merged.coverage, &distinct, expected.len(), &mut draws);
    }
}

/// Patterns are compared as sets: their numbers may be any.
fn check_patterns(rows: &RowPatterns, list: &[usize], columns: &[Vec<bool>], masses: &[Pair]) {
    let found: Vec<(Vec<u16>, Pair)> =
        rows.patterns().iter().map(|(active, mass)| (active.to_vec(), *mass)).collect();
    let of_row = |row: usize| -> Vec<u16> {
        (0..list.len()).filter(|&at| columns[list[at]][row]).map(|at| at as u16).collect()
    };
    let mut sums = vec![[0.0; 2]; found.len()];
    for (row, &pattern) in rows.of_row().iter().enumerate() {
        assert_eq!(found[pattern as usize].0, of_row(row), "row {row}");
        let sum: &mut Pair = &mut sums[pattern as usize];
        *sum = [sum[0] + masses[row][0], sum[1] + masses[row][1]];
    }
    for (at, (active, mass)) in found.iter().enumerate() {
        assert!(near(sums[at], *mass));
        assert!(found[..at].iter().all(|(other, _)| other != active), "a pattern is listed twice");
    }
    assert_eq!(rows.patterns().len(), found.len());
}

#[test]
fn patterns_follow_insertions_and_removals() {
    for (seed, (n_rows, n_rules)) in SHAPES.into_iter().enumerate().filter(|(_, shape)| shape.1 > 0) {
        let mut draws = Draws::new(300 + seed as u64);
        let columns = random_columns(&mut draws, n_rows, n_rules);
        let masses = random_values(&mut draws, n_rows);
        let coverage = coverage_of(&columns, n_rows);
        let mut patterns = RowPatterns::of_no_rules(&masses);
        let mut list: Vec<usize> = Vec::new();
        for _ in 0..40 {
            let rule = draws.below(n_rules);
            if list.len() > 1 && draws.chance(0.4) {
                let position = draws.below(list.len());
                list.remove(position);
                patterns.remove(position);
            } else if !list.contains(&rule) {
                patterns.insert(&coverage, rule, &masses);
                list.push(rule);
            }
            check_patterns(&patterns, &list, &columns, &masses);
        }
    }
}

#[test]
fn patterns_of_a_list_are_those_of_its_insertions() {
    for (seed, (n_rows, n_rules)) in SHAPES.into_iter().enumerate() {
        let mut draws = Draws::new(400 + seed as u64);
        let columns = random_columns(&mut draws, n_rows, n_rules);
        let masses = random_values(&mut draws, n_rows);
        let coverage = coverage_of(&columns, n_rows);
        for share in [0.0, 0.1, 0.5] {
            let list: Vec<usize> = (0..n_rules).filter(|_| draws.chance(share)).collect();
            check_patterns(&RowPatterns::of(&coverage, &list, &masses), &list, &columns, &masses);
        }
    }
}

/// Each rule has a random number. The sums of these two sets of numbers agree in 64 bits, which once made one pattern
/// of them.
#[test]
fn patterns_whose_keys_agree_in_64_bits_stay_apart() {
    const SETS: [[usize; 4]; 2] = [[345, 495, 997, 1652], [113, 454, 517, 1055]];
    const GUEST: usize = 1999;
    let mut columns = vec![vec![false; 3]; 2000];
    for (row, set) in SETS.iter().enumerate() {
        for &rule in set {
            columns[rule][row] = true;
        }
    }
    columns[GUEST][0] = true;
    let masses = vec![[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]];
    let coverage = coverage_of(&columns, 3);
    let mut list = SETS.concat();
    list.sort_unstable();
    let rows = RowPatterns::of(&coverage, &list, &masses);
    assert_eq!(rows.patterns().len(), 3);
    check_patterns(&rows, &list, &columns, &masses);
    // Nor when a rule leaves that told them apart.
    list.insert(2, GUEST);
    let mut rows = RowPatterns::of_no_rules(&masses);
    for &rule in &list {
        rows.insert(&coverage, rule, &masses);
    }
    rows.remove(2);
    list.remove(2);
    assert_eq!(rows.patterns().len(), 3);
    check_patterns(&rows, &list, &columns, &masses);
}

/// Every sum is made in the same order, however many threads share the work.
#[test]
fn sums_do_not_depend_on_threads() {
    let mut draws = Draws::new(9);
    let columns = random_columns(&mut draws, 6000, 150);
    let values = random_values(&mut draws, 6000);
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let coverage = coverage_of(&columns, 6000);
            let sums = coverage.sums(&values);
            (sums, coverage.keep(&[3, 70, 71, 149]).fingerprints())
        })
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(4));
}
