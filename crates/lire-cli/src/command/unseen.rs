//! Categories that a model does not list, counted over all rows and told once.

use lire::Model;
use lire::table::{Plain, Table, UNSEEN};

use crate::console::Console;
use crate::render::numbers::count;

/// More unseen columns than this are not told one by one.
const TOLD_COLUMNS: usize = 10;

/// How many cells of each feature hold such a category.
#[derive(Debug, Default)]
pub struct Unseen {
    cells: Vec<usize>,
    n_rows: usize,
}

impl Unseen {
    /// Adds rows of the model's schema.
    pub fn add(&mut self, table: &Table) {
        self.n_rows += table.n_rows();
        self.cells.resize(table.columns().len(), 0);
        for (cells, values) in self.cells.iter_mut().zip(table.columns()) {
            if let Plain::Codes(codes) = values.plain() {
                *cells += codes.iter().filter(|&&code| code == UNSEEN).count();
            }
        }
    }

    /// Tells them, unless training had as many that are left out of the model file.
    pub fn tell(&self, model: &Model, console: &Console) {
        let mut unseen = Vec::new();
        for (place, (feature, &cells)) in model.schema().features.iter().zip(&self.cells).enumerate() {
            if cells > 0 && !model.expects_unlisted(place, cells, self.n_rows) {
                unseen.push((feature, cells));
            }
        }
        for (feature, cells) in unseen.iter().take(TOLD_COLUMNS) {
            let (name, cells) = (&feature.name, count(*cells, "cell"));
            let which = match feature.levels_left_out {
                0 => "a category that training did not see; it equals no other".to_owned(),
                left_out => format!(
                    "a category that the model does not list: training did not see it, or it is one of {left_out} that \
                     too few training rows had"
                ),
            };
            console.note(&format!("column `{name}`: {cells} with {which}"));
        }
        if let Some(more) = unseen.len().checked_sub(TOLD_COLUMNS).filter(|more| *more > 0) {
            console.note(&format!(
                "{} more with categories that the model does not list",
                count(more, "column")
            ));
        }
    }
}
