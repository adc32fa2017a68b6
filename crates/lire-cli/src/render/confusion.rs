//! Which class was taken for which.

use lire::measure::Confusion;

use super::grid::{Cell, Grid, Side, plain, styled};
use super::numbers::percent;
use super::wrap::{cut, width};
use crate::console::{Look, Style};

/// The columns that the name of a class may take among several.
const NAME_WIDTH: usize = 16;
/// The most classes that another one is said to be mistaken for.
const MOST_MISTAKES: usize = 3;

/// Right and wrong labels, for people: as a matrix if it fits, else class by class.
pub fn confusion_table(confusion: &Confusion<usize>, look: Look) -> String {
    if confusion.classes.len() == 2 {
        return two_classes(confusion).render(look);
    }
    let matrix = matrix(confusion);
    let is_wide = |line: &str| width(line) > look.width;
    if matrix.render(Look { color: false, ..look }).lines().any(is_wide) {
        return class_by_class(confusion).render(look);
    }
    matrix.render(look)
}

/// The positive class comes first.
fn two_classes(confusion: &Confusion<usize>) -> Grid {
    let classes = &confusion.classes;
    let said = |class: usize| (format!("predicted {}", classes[class]), Side::Right);
    let mut grid = Grid::new(vec![("rows".to_owned(), Side::Left), said(1), said(0), found_title()]);
    for truth in [1, 0] {
        let cell = |said: usize| count(confusion, truth, said);
        grid.row(vec![
            plain(format!("truly {}", classes[truth])),
            cell(1),
            cell(0),
            share(confusion.cells[truth][truth], confusion.of_classes()[truth]),
        ]);
    }
    grid.row(right_when_said(confusion, &[1, 0]));
    grid
}

fn matrix(confusion: &Confusion<usize>) -> Grid {
    let all: Vec<usize> = (0..confusion.classes.len()).collect();
    let name = |class: usize| cut(&confusion.classes[class], NAME_WIDTH);
    let mut columns = vec![("truth, predicted as".to_owned(), Side::Left)];
    columns.extend(all.iter().map(|&class| (name(class), Side::Right)));
    columns.push(found_title());
    let mut grid = Grid::new(columns);
    for &truth in &all {
        let mut row = vec![plain(name(truth))];
        row.extend(all.iter().map(|&said| count(confusion, truth, said)));
        row.push(share(confusion.cells[truth][truth], confusion.of_classes()[truth]));
        grid.row(row);
    }
    grid.row(right_when_said(confusion, &all));
    grid
}

/// A line for each class, with those that it is mistaken for.
fn class_by_class(confusion: &Confusion<usize>) -> Grid {
    let mut grid = Grid::new(vec![
        ("class".to_owned(), Side::Left),
        ("rows".to_owned(), Side::Right),
        found_title(),
        ("right when said".to_owned(), Side::Right),
        ("mistaken for".to_owned(), Side::Flexible),
    ]);
    for (class, name) in confusion.classes.iter().enumerate() {
        let right = confusion.cells[class][class];
        grid.row(vec![
            plain(cut(name, 2 * NAME_WIDTH)),
            plain(confusion.of_classes()[class].to_string()),
            share(right, confusion.of_classes()[class]),
            share(right, confusion.said()[class]),
            plain(mistakes(confusion, class)),
        ]);
    }
    grid
}

/// What a class is most often mistaken for: `b (12), c (3)`.
fn mistakes(confusion: &Confusion<usize>, class: usize) -> String {
    let mut others: Vec<usize> = (0..confusion.classes.len())
        .filter(|&said| said != class && confusion.cells[class][said] > 0)
        .collect();
    others.sort_by_key(|&said| std::cmp::Reverse(confusion.cells[class][said]));
    let told = others.iter().take(MOST_MISTAKES).map(|&said| {
        format!("{} ({})", cut(&confusion.classes[said], NAME_WIDTH), confusion.cells[class][said])
    });
    let more = if others.len() > MOST_MISTAKES { ", …" } else { "" };
    told.collect::<Vec<_>>().join(", ") + more
}

fn found_title() -> (String, Side) {
    ("found".to_owned(), Side::Right)
}

/// The last line: how many of the rows that were said to be of a class are.
fn right_when_said(confusion: &Confusion<usize>, classes: &[usize]) -> Vec<Cell> {
    let mut row = vec![styled("right when said", Style::Faint)];
    row.extend(classes.iter().map(|&class| share(confusion.cells[class][class], confusion.said()[class])));
    row.push(share(confusion.right(), confusion.total()));
    row
}

/// Right ones stand out, and so do wrong ones among many zeros.
fn count(confusion: &Confusion<usize>, truth: usize, said: usize) -> Cell {
    match confusion.cells[truth][said] {
        rows if truth == said => styled(rows.to_string(), Style::Strong),
        0 if confusion.classes.len() > 2 => styled("·", Style::Faint),
        rows => plain(rows.to_string()),
    }
}

fn share(part: usize, whole: usize) -> Cell {
    let text = if whole > 0 { percent(part as f64 / whole as f64) } else { String::new() };
    styled(text, Style::Faint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Confusion<usize> {
        Confusion {
            classes: ["setosa", "versicolor", "virginica"].map(str::to_owned).to_vec(),
            cells: vec![vec![50, 0, 0], vec![0, 47, 3], vec![0, 4, 46]],
        }
    }

    #[test]
    fn several_classes_have_a_matrix() {
        let expected = [
            "  truth, predicted as   setosa  versicolor  virginica    found",
            "  ────────────────────────────────────────────────────────────",
            "  setosa                    50           ·          ·  100.0 %",
            "  versicolor                 ·          47          3   94.0 %",
            "  virginica                  ·           4         46   92.0 %",
            "  right when said      100.0 %      92.2 %     93.9 %   95.3 %",
        ];
        let table = confusion_table(&three(), Look { width: 80, color: false });
        assert_eq!(table.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn where_a_matrix_does_not_fit_each_class_has_a_line() {
        let expected = [
            "  class       rows    found  right when said  mistaken for",
            "  ───────────────────────────────────────────────────────────",
            "  setosa        50  100.0 %          100.0 %",
            "  versicolor    50   94.0 %           92.2 %  virginica (3)",
            "  virginica     50   92.0 %           93.9 %  versicolor (4)",
        ];
        let table = confusion_table(&three(), Look { width: 60, color: false });
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!((lines[0], &lines[2..]), (expected[0], &expected[2..]));
    }
}
