//! A row whose explanation shows well what explanations are.

use crate::error::Result;
use crate::explain::{LocalExplanation, explain_rows};
use crate::model::Model;
use crate::table::{Dataset, TargetValues};

/// An example's predicted number is at most this share of the spread of all numbers off.
const NEAR_NUMBER: f64 = 0.25;

/// How instructive a row is: rightly predicted by any rule, readable, of the positive class, with rules for and against
/// it, and of how many rules up to three.
type Worth = (bool, bool, bool, bool, usize);

/// The explanation of an instructive row: rightly predicted, of two to four rules, best with some against it.
pub fn example(model: &Model, data: &Dataset) -> Result<Option<LocalExplanation>> {
    data.check()?;
    let scored = model.score(&data.table)?;
    let decisions = model.decisions(&scored)?;
    let spread = model.file().training.scale.map_or(0.0, |scale| scale.std);
    let worth = |row: usize| -> Result<Worth> {
        let class = decisions.as_ref().map(|decisions| decisions[row].class);
        let is_right = match (&data.target.values, class) {
            (TargetValues::Classes(of), Some(class)) => of.labels[row] as usize == class,
            (TargetValues::Numbers(values), _) => {
                (scored.of_row(row)?[0] - values[row]).abs() <= NEAR_NUMBER * spread
            }
            _ => false,
        };
        let output = class.map_or(Ok(0), |class| model.output_of(class))?;
        let weights = &model.outputs()[output].weights;
        let fired = scored.fired.of_row(row)?.map(|rule| weights[rule]).filter(|&weight| weight != 0.0);
        let (mut n_rules, mut for_it, mut against) = (0, false, false);
        for weight in fired {
            n_rules += 1;
            for_it |= weight > 0.0;
            against |= weight < 0.0;
        }
        let is_readable = (2..=4).contains(&n_rules);
        Ok((is_right && n_rules > 0, is_readable, class == Some(1), for_it && against, n_rules.min(3)))
    };
    let worth: Vec<Worth> = (0..data.n_rows()).map(worth).collect::<Result<_>>()?;
    // The first of the best: `max_by_key` would take the last.
    let Some(best) = (0..data.n_rows()).rev().max_by_key(|&row| worth[row]) else { return Ok(None) };
    Ok(explain_rows(model, &data.table.select(&[best])?, best + 1, None)?.pop())
}
