//! Columns in which most cells are the same: that value once, and the rows that differ from it.

use std::ops::Range;

use super::no_such_row;
use crate::error::{Error, Result};

/// A cell that has bits, by which it equals another.
pub trait Bits: Copy {
    /// The bits. They tell −0 from 0, and one NaN from another.
    fn bits(self) -> u64;
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Bits for u8 {
    fn bits(self) -> u64 {
        u64::from(self)
    }
}

impl Bits for u32 {
    fn bits(self) -> u64 {
        u64::from(self)
    }
}

/// The rows of a column that have cells of their own; all others share one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    rows: Vec<u32>,
    n_rows: usize,
}

impl Places {
    /// Some of so many rows. Fails unless they are ascending.
    pub fn new(rows: Vec<u32>, n_rows: usize) -> Result<Self> {
        if let Some(row) = rows.last().filter(|row| **row as usize >= n_rows) {
            return Err(no_such_row(*row as usize, n_rows));
        }
        if rows.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Error::data("rows", "the rows of a sparse column are not in ascending order"));
        }
        Ok(Self { rows, n_rows })
    }

    /// The rows with cells of their own, ascending.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The number of all rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Whether each row has a cell of its own.
    pub fn are_all(&self) -> bool {
        self.rows.len() == self.n_rows
    }

    /// The cells of all rows, from the shared one followed by those of these rows.
    pub fn spread<T: Copy>(&self, shared_first: &[T]) -> Vec<T> {
        let Some((&shared, own)) = shared_first.split_first() else { return Vec::new() };
        let mut cells = vec![shared; self.n_rows];
        for (&row, &cell) in self.rows.iter().zip(own) {
            cells[row as usize] = cell;
        }
        cells
    }
}

/// A column that is mostly one value.
///
/// No row is listed that has this value, so that equal columns are stored in the same way.
#[derive(Debug, Clone, PartialEq)]
pub struct Sparse<T> {
    shared: T,
    places: Places,
    cells: Vec<T>,
}

impl<T: Bits> Sparse<T> {
    /// A column from the value that most rows share, the rows that differ, and their cells.
    pub fn new(shared: T, mut places: Places, mut cells: Vec<T>) -> Result<Self> {
        if cells.len() != places.rows.len() {
            let message = format!("{} cells for {} rows of a sparse column", cells.len(), places.rows.len());
            return Err(Error::data("rows", message));
        }
        if cells.iter().any(|cell| cell.bits() == shared.bits()) {
            let differs: Vec<bool> = cells.iter().map(|cell| cell.bits() != shared.bits()).collect();
            let mut keep = differs.iter();
            places.rows.retain(|_| keep.next().copied().unwrap_or(true));
            let mut keep = differs.iter();
            cells.retain(|_| keep.next().copied().unwrap_or(true));
        }
        Ok(Self { shared, places, cells })
    }

    /// The value of all rows that are not listed.
    pub fn shared(&self) -> T {
        self.shared
    }

    /// The rows that differ, ascending.
    pub fn rows(&self) -> &[u32] {
        &self.places.rows
    }

    /// The cells of those rows.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// The rows that differ, with their cells.
    pub fn entries(&self) -> impl Iterator<Item = (usize, T)> + '_ {
        self.places.rows.iter().map(|&row| row as usize).zip(self.cells.iter().copied())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.places.n_rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether some row has the shared value.
    pub fn is_shared(&self) -> bool {
        !self.places.are_all()
    }

    /// The cell of a row that there is.
    pub fn at(&self, row: usize) -> T {
        *self.get(row)
    }

    /// The same as a reference.
    pub fn get(&self, row: usize) -> &T {
        debug_assert!(row < self.len(), "row {row} of {}", self.len());
        self.places.rows.binary_search(&(row as u32)).map_or(&self.shared, |place| &self.cells[place])
    }

    /// The cells at ascending rows.
    pub fn gather(&self, rows: &[u32]) -> Vec<T> {
        let first = rows.first().map_or(0, |&first| self.places.rows.partition_point(|&row| row < first));
        let mut own = self.places.rows[first..].iter().zip(&self.cells[first..]).peekable();
        let cell = |&row: &u32| {
            while own.next_if(|(place, _)| **place < row).is_some() {}
            own.peek().filter(|(place, _)| **place == row).map_or(self.shared, |(_, cell)| **cell)
        };
        rows.iter().map(cell).collect()
    }

    /// The cells of neighbouring rows.
    pub fn range(&self, rows: Range<usize>) -> Vec<T> {
        let first = self.places.rows.partition_point(|&row| (row as usize) < rows.start);
        let mut cells = vec![self.shared; rows.len()];
        for (&row, &cell) in self.places.rows[first..].iter().zip(&self.cells[first..]) {
            let Some(place) = cells.get_mut(row as usize - rows.start) else { break };
            *place = cell;
        }
        cells
    }

    /// The cells of all rows.
    pub fn to_vec(&self) -> Vec<T> {
        self.range(0..self.len())
    }

    /// Whether something holds for the value of each row.
    pub fn all(&self, holds: impl Fn(T) -> bool) -> bool {
        (!self.is_shared() || holds(self.shared)) && self.cells.iter().all(|&cell| holds(cell))
    }

    /// Each value as something else.
    pub fn map<U: Bits>(&self, change: impl Fn(T) -> U) -> Sparse<U> {
        let cells = self.cells.iter().map(|&cell| change(cell)).collect();
        Sparse::new(change(self.shared), self.places.clone(), cells)
            .expect("a cell for each row that differs")
    }

    /// The cells at the given rows, in that order.
    pub(super) fn select(&self, rows: &Selected) -> Self {
        let mut found: Vec<(u32, T)> = Vec::with_capacity(self.cells.len());
        for (row, cell) in self.entries() {
            found.extend(rows.places_of(row).iter().map(|&place| (place, cell)));
        }
        found.sort_unstable_by_key(|&(place, _)| place);
        let (rows_of, cells) = found.into_iter().unzip();
        Self { shared: self.shared, places: Places { rows: rows_of, n_rows: rows.size }, cells }
    }
}

/// Where each row of a table comes in a selection of them.
#[derive(Debug)]
pub(super) struct Selected {
    /// Where the places of each row begin, and the end of all.
    starts: Vec<u32>,
    places: Vec<u32>,
    size: usize,
}

impl Selected {
    /// Fails unless all rows are among so many.
    pub(super) fn of(rows: &[usize], n_rows: usize) -> Result<Self> {
        let mut starts = vec![0u32; n_rows + 1];
        for &row in rows {
            *starts.get_mut(row + 1).ok_or_else(|| no_such_row(row, n_rows))? += 1;
        }
        for row in 0..n_rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut places = vec![0u32; rows.len()];
        for (place, &row) in rows.iter().enumerate() {
            places[next[row] as usize] = place as u32;
            next[row] += 1;
        }
        Ok(Self { starts, places, size: rows.len() })
    }

    fn places_of(&self, row: usize) -> &[u32] {
        &self.places[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sparse(cells: &[f64]) -> Sparse<f64> {
        let rows: Vec<u32> = (0..cells.len() as u32)
            .filter(|row| row % 3 > 0 || cells[*row as usize].to_bits() != 0)
            .collect();
        let own = rows.iter().map(|&row| cells[row as usize]).collect();
        Sparse::new(0.0, Places::new(rows, cells.len()).unwrap(), own).unwrap()
    }

    proptest! {
        #[test]
        fn a_sparse_column_is_the_dense_one(
            cells in proptest::collection::vec(prop_oneof![4 => Just(0.0), 1 => Just(-0.0), 1 => -3.0..3.0f64], 1..60),
            picked in proptest::collection::vec(0usize..1000, 0..80),
            from in 0usize..60,
        ) {
            let column = sparse(&cells);
            let bits = |cells: &[f64]| cells.iter().map(|cell| cell.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&column.to_vec()), bits(&cells));
            prop_assert!(column.cells().iter().all(|cell| cell.to_bits() != 0), "explicit zeros are not kept");
            for (row, cell) in cells.iter().enumerate() {
                prop_assert_eq!(column.at(row).to_bits(), cell.to_bits());
            }
            let from = from.min(cells.len());
            prop_assert_eq!(bits(&column.range(from..cells.len())), bits(&cells[from..]));
            let picked: Vec<usize> = picked.iter().map(|row| row % cells.len()).collect();
            let mut ascending: Vec<u32> = picked.iter().map(|row| (row % cells.len()) as u32).collect();
            ascending.sort_unstable();
            let gathered: Vec<f64> = ascending.iter().map(|&row| cells[row as usize]).collect();
            prop_assert_eq!(bits(&column.gather(&ascending)), bits(&gathered));
            let selected = column.select(&Selected::of(&picked, cells.len()).unwrap());
            let expected: Vec<f64> = picked.iter().map(|&row| cells[row]).collect();
            prop_assert_eq!(bits(&selected.to_vec()), bits(&expected));
        }
    }

    #[test]
    fn rows_out_of_order_or_beyond_the_table_are_refused() {
        assert!(Places::new(vec![2, 1], 3).is_err());
        assert!(Places::new(vec![1, 1], 3).is_err());
        assert!(Places::new(vec![3], 3).is_err());
        assert!(Sparse::new(0.0, Places::new(vec![1], 3).unwrap(), Vec::new()).is_err());
        assert!(Selected::of(&[3], 3).is_err());
    }

    #[test]
    fn mapped_values_that_become_the_shared_one_are_not_listed() {
        let column = sparse(&[0.0, 1.0, 2.0, 0.0]);
        let mapped = column.map(|value| u32::from(value > 1.0));
        assert_eq!((mapped.shared(), mapped.rows(), mapped.cells()), (0, &[2][..], &[1][..]));
    }
}
