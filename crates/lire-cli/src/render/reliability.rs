//! How reliable probabilities are.

use lire::measure::Reliability;

use super::grid::{Grid, Side, plain};
use super::numbers::{percent, total};
use crate::console::Look;

/// Rows by the probability that they were given, beside how many of them were of the class. Empty ranges are left out.
pub fn reliability_table(reliability: &Reliability, class: &str, look: Look) -> String {
    let is = format!("are {class}");
    let titles =
        [("given", Side::Left), ("on average", Side::Right), (&is, Side::Right), ("rows", Side::Right)];
    let mut grid = Grid::new(titles.map(|(title, side)| (title.to_owned(), side)).to_vec());
    let n_bins = reliability.bins.len();
    for (index, bin) in reliability.bins.iter().enumerate().filter(|(_, bin)| bin.weight > 0.0) {
        let ends = [index, index + 1].map(|end| 100 * end / n_bins);
        grid.row(vec![
            plain(format!("{} to {} %", ends[0], ends[1])),
            plain(percent(bin.probability)),
            plain(percent(bin.share)),
            plain(total(bin.weight)),
        ]);
    }
    grid.render(look)
}
