//! Which rules of other outputs an output may choose from, beside those of its own trees.
//!
//! What parts two classes from a third serves all three. On eleven small tables of three to ten classes, models that choose
//! among the rules of all outputs have a log loss that is lower by half a per cent in the median, and by up to a tenth
//! where classes share conditions (`docs/choosing.md`). But each output then reads every rule of every output, which
//! takes too long on long tables and with many classes.

use crate::rules::Rule;
use crate::table::Schema;

/// Over all outputs together, rules of others may add so many cells, rows times rules, to what a search reads once.
pub const CELLS_OF_OTHERS: usize = 100_000_000;

/// The rules of each output, and behind them of each other output as many as fit, the same number of each; those of the
/// first trees first. Neither which rules these are nor their order depends on the order of the outputs.
pub fn with_others(own: Vec<Vec<Rule>>, n_rows: usize, n_cells: usize, schema: &Schema) -> Vec<Vec<Rule>> {
    let n_pairs = own.len() * own.len().saturating_sub(1);
    let most = n_cells.checked_div(n_rows * n_pairs).unwrap_or(0);
    if most == 0 {
        return own;
    }
    let text = |rule: &Rule| rule.text(schema).expect("candidates are rules on these columns");
    let texts: Vec<Vec<String>> = own.iter().map(|rules| rules.iter().map(text).collect()).collect();
    let of_output = |output: usize| {
        let mut seen: std::collections::HashSet<&str> = texts[output].iter().map(String::as_str).collect();
        let others = (0..own.len()).filter(|&other| other != output);
        let mut lent: Vec<(usize, &str, &Rule)> = others
            .flat_map(|other| {
                let rules = texts[other].iter().zip(&own[other]).enumerate().take(most);
                rules.map(|(rank, (text, rule))| (rank, text.as_str(), rule))
            })
            .collect();
        lent.sort_by_key(|&(rank, text, _)| (rank, text));
        lent.retain(|&(_, text, _)| seen.insert(text));
        own[output].iter().chain(lent.into_iter().map(|(.., rule)| rule)).cloned().collect()
    };
    (0..own.len()).map(of_output).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse;
    use crate::table::{Feature, FeatureKind};

    #[test]
    fn others_lend_the_same_number_each_whatever_their_order() {
        let feature = |name: &str| Feature::new(name, FeatureKind::Real, false);
        let schema = Schema { features: vec![feature("a"), feature("b")] };
        let rules = |texts: &[&str]| -> Vec<Rule> {
            texts.iter().map(|text| parse(text, &schema).unwrap()).collect()
        };
        let own = [
            rules(&["a > 1", "a > 2", "a > 3"]),
            rules(&["b > 1", "a > 1", "b > 2"]),
            rules(&["a ≤ 7", "b > 1", "b > 9"]),
        ];
        let texts = |rules: &[Rule]| -> Vec<String> {
            rules.iter().map(|rule| rule.text(&schema).unwrap()).collect()
        };
        let lent = |order: [usize; 3], n_cells: usize| -> Vec<String> {
            let ordered = order.map(|output| own[output].clone()).to_vec();
            let first = order.iter().position(|&output| output == 0).unwrap();
            texts(&with_others(ordered, 10, n_cells, &schema)[first])
        };
        // Ten rows and six pairs of outputs: sixty cells for each rule that each lends to each.
        let two = ["a > 1", "a > 2", "a > 3", "a ≤ 7", "b > 1"];
        assert_eq!(lent([0, 1, 2], 120), two);
        assert_eq!(lent([2, 0, 1], 120), two);
        assert_eq!(lent([1, 2, 0], 179), two);
        assert_eq!(lent([0, 1, 2], 59), texts(&own[0]));
        assert_eq!(lent([0, 1, 2], 6000), [&two[..], &["b > 2", "b > 9"]].concat());
        assert_eq!(with_others(vec![own[0].clone()], 10, 6000, &schema).len(), 1);
    }
}
