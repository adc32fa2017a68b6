//! Rows in order, put together until no part tells of few of them.

/// Neighbours put together from the first on, until each part has at least so many rows; a rest that has fewer joins
/// the part before it. `None` if there are fewer rows in all. `rows` says how many rows a neighbour stands for.
///
/// The parts are ranges of neighbours, in order and without gaps.
pub fn merged(rows: &[usize], at_least: usize) -> Option<Vec<std::ops::Range<usize>>> {
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (place, rows) in rows.iter().enumerate() {
        sum += rows;
        if sum >= at_least {
            parts.push(start..place + 1);
            (start, sum) = (place + 1, 0);
        }
    }
    parts.last_mut()?.end = rows.len();
    Some(parts)
}

/// A number with so many significant digits: files need no more to draw or to compare it.
pub(super) fn short(number: f64, digits: usize) -> f64 {
    format!("{number:.*e}", digits - 1).parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_rows_enough_and_none_is_lost() {
        assert_eq!(merged(&[1, 1, 3, 9, 2, 2], 5), Some(vec![0..3, 3..6]));
        assert_eq!(merged(&[5, 5], 5), Some(vec![0..1, 1..2]));
        assert_eq!(merged(&[1, 1, 1], 5), None);
        assert_eq!(merged(&[], 5), None);
    }

    #[test]
    fn numbers_are_cut_to_their_first_digits() {
        assert_eq!(
            [0.123_456_7, 1234.5, -1e-9, 0.0].map(|number| short(number, 3)),
            [0.123, 1230.0, -1e-9, 0.0]
        );
    }
}
