//! Thresholds between dates, times and durations: as short as people would write them.

/// Steps of a threshold in microseconds, the coarsest first: a hundred days, ten days, a day, an hour, ten minutes, a
/// minute, ten seconds, a second and its decimal places.
const STEPS: [f64; 14] = [8.64e12, 8.64e11, DAY, 3.6e9, 6e8, 6e7, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1.0];
const DAY: f64 = 8.64e10;
/// The units of columns, the coarsest first: days, hours, minutes, seconds.
const UNITS: [f64; 4] = [DAY, 3.6e9, 6e7, 1e6];
/// What times are rounded down to on their way between programs, the least loss first: milliseconds, seconds.
const STORED: [f64; 2] = [1e3, 1e6];

/// Thresholds of one column.
pub(super) struct MomentThresholds {
    /// The coarsest unit of which all values are whole multiples; finer values have none.
    unit: Option<f64>,
}

impl MomentThresholds {
    /// For a column of these known values.
    pub(super) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let divides = |unit: &f64| values.clone().all(|value| value % unit == 0.0);
        Self { unit: UNITS.into_iter().find(divides) }
    }

    /// A threshold `t` with `below ≤ t < above` of the shortest spelling, the nearest to the middle.
    ///
    /// Where all values are whole days, hours, minutes or seconds, which all programs store exactly, so is the threshold,
    /// anywhere in the gap: `opened > 2019-04-01`. Between finer values it lies in the middle half of what remains of the
    /// gap where the values are stored as seconds or milliseconds. `below < above` must hold.
    pub(super) fn between(&self, below: f64, above: f64) -> f64 {
        if let Some(unit) = self.unit {
            let steps = STEPS.into_iter().filter(|step| *step >= unit);
            return nearest_step(below, above, steps).unwrap_or(below);
        }
        let above = STORED.into_iter().fold(above, |kept, unit| {
            let stored = (above / unit).floor() * unit;
            if below < stored { kept.min(stored) } else { kept }
        });
        let quarter = (above - below) / 4.0;
        let inside = nearest_step(below + quarter, above - quarter, STEPS.into_iter());
        inside.or_else(|| nearest_step(below, above, STEPS.into_iter())).unwrap_or(below)
    }
}

/// The multiple of the first possible step with `low ≤ t < high` that is nearest to the middle.
fn nearest_step(low: f64, high: f64, steps: impl Iterator<Item = f64>) -> Option<f64> {
    let middle = low / 2.0 + high / 2.0;
    let mut steps = steps;
    steps.find_map(|step| {
        let count = (middle / step).round();
        let candidates = [count - 1.0, count, count + 1.0].map(|count| count * step);
        let inside = candidates.into_iter().filter(|&value| low <= value && value < high);
        // Ties go to the smaller value because `min_by` keeps the first. Adding zero turns −0 into 0.
        inside.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs())).map(|value| value + 0.0)
    })
}
