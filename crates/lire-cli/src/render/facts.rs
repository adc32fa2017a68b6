//! Named facts, one below the other.

use super::grid::{Grid, Side, plain, styled};
use crate::console::{Look, Style};

/// Names at the left, what there is to say of each at the right.
pub fn render(facts: &[(&str, String)], look: Look) -> String {
    let mut grid = Grid::new(vec![(String::new(), Side::Left), (String::new(), Side::Flexible)]);
    for (name, fact) in facts {
        let style = if fact.starts_with("caution") { Style::Warning } else { Style::Plain };
        grid.row(vec![
            styled(*name, Style::Faint),
            if style == Style::Plain { plain(fact) } else { styled(fact, style) },
        ]);
    }
    grid.render(look)
}
