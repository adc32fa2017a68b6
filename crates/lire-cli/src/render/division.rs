//! By what rows were divided into those to learn from and those to measure on, in words.

use lire::model::sections::{DividedBy, DividingColumn};

use super::numbers::count;
use super::visible::visible;

/// Several splits of so many rows: `5-fold cross-validation of 600 rows in 120 groups (column `patient`)`.
pub fn several(n_splits: usize, n_rows: usize, by: Option<&DividedBy>) -> String {
    let rows = count(n_rows, "row");
    match (by.and_then(groups), by.and_then(forwards)) {
        (None, None) => format!("{n_splits}-fold cross-validation of {rows}"),
        (Some(groups), None) => format!("{n_splits}-fold cross-validation of {rows} in {groups}"),
        (None, Some(forwards)) => format!("{} {forwards} of {rows}", count(n_splits, "split")),
        (Some(groups), Some(forwards)) => {
            format!(
                "{} {forwards} of {rows} in {groups}, none of them on both sides",
                count(n_splits, "split")
            )
        }
    }
}

/// How models were compared on so many splits, to go on after the metric: `in a 5-fold cross-validation of 120 groups`.
pub fn compared_on(n_splits: usize, by: Option<&DividedBy>) -> String {
    let groups = by.and_then(groups).map(|groups| format!(" of {groups}")).unwrap_or_default();
    match (n_splits, by.and_then(forwards)) {
        (1, None) => format!("on rows held out{groups}"),
        (n, None) => format!("in a {n}-fold cross-validation{groups}"),
        (n, Some(forwards)) => format!("on {} {forwards}{groups}", count(n, "split")),
    }
}

/// Which rows were held out, to append to how many; empty where nothing but equal features decided.
pub fn held_out(by: Option<&DividedBy>) -> String {
    let latest = by.and_then(|by| by.time.as_ref()).map(|time| format!(", the latest{}", column(time)));
    let groups = by.and_then(groups).map(|groups| format!("; none of the {groups} is on both sides"));
    [latest, groups].into_iter().flatten().collect()
}

fn groups(by: &DividedBy) -> Option<String> {
    let groups = by.groups.as_ref()?;
    Some(format!("{}{}", count(groups.distinct, "group"), column(groups)))
}

fn forwards(by: &DividedBy) -> Option<String> {
    Some(format!("forwards in time{}", column(by.time.as_ref()?)))
}

fn column(of: &DividingColumn) -> String {
    of.column.as_ref().map(|name| format!(" (column `{}`)", visible(name))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(groups: Option<usize>, time: Option<usize>) -> DividedBy {
        let of = |name: &str, distinct| DividingColumn { column: Some(name.to_owned()), distinct };
        DividedBy { groups: groups.map(|n| of("patient", n)), time: time.map(|n| of("year", n)) }
    }

    #[test]
    fn all_ways_have_words() {
        assert_eq!(several(5, 600, None), "5-fold cross-validation of 600 rows");
        let of_groups = by(Some(120), None);
        assert_eq!(
            several(5, 600, Some(&of_groups)),
            "5-fold cross-validation of 600 rows in 120 groups (column `patient`)"
        );
        let of_times = by(None, Some(9));
        assert_eq!(several(5, 600, Some(&of_times)), "5 splits forwards in time (column `year`) of 600 rows");
        assert_eq!(
            several(1, 600, Some(&by(Some(120), Some(9)))),
            "1 split forwards in time (column `year`) of 600 rows in 120 groups (column `patient`), none of them on both \
             sides"
        );
        assert_eq!(
            compared_on(5, Some(&of_groups)),
            "in a 5-fold cross-validation of 120 groups (column `patient`)"
        );
        assert_eq!(compared_on(4, Some(&of_times)), "on 4 splits forwards in time (column `year`)");
        assert_eq!(compared_on(1, None), "on rows held out");
        assert_eq!(held_out(None), "");
        assert_eq!(
            held_out(Some(&of_groups)),
            "; none of the 120 groups (column `patient`) is on both sides"
        );
        assert_eq!(held_out(Some(&of_times)), ", the latest (column `year`)");
    }
}
