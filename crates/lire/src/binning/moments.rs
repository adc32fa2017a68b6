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
    pub(super) fn of(values: &[f64]) -> Self {
        let divides = |unit: &f64| values.iter().all(|value| value % unit == 0.0);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::Moment;

    /// The threshold between two texts in a column of these and some others, spelled.
    fn between(kind: Moment, below: &str, above: &str, others: &[&str]) -> String {
        let value = |text: &str| kind.read(text).unwrap();
        let values: Vec<f64> = [below, above].iter().chain(others).map(|text| value(text)).collect();
        let threshold = MomentThresholds::of(&values).between(value(below), value(above));
        assert!(value(below) <= threshold && threshold < value(above));
        kind.spell(threshold)
    }

    #[test]
    fn the_shortest_spelling_is_taken() {
        let (date, stamp, wait) = (Moment::Date, Moment::Timestamp, Moment::Duration);
        for (kind, below, above, expected) in [
            (date, "2019-04-01", "2019-04-02", "2019-04-01"),
            (date, "2019-04-01", "2019-04-04", "2019-04-02"),
            (stamp, "2019-04-01 08:15", "2019-04-01 08:16", "2019-04-01 08:15"),
            (stamp, "2019-04-01 08:15", "2019-04-03 10:00", "2019-04-02 00:00"),
            (stamp, "2019-04-01 08:15:10", "2019-04-01 09:45:50", "2019-04-01 09:00"),
            (stamp, "1969-12-31 23:59:58", "1969-12-31 23:59:59", "1969-12-31 23:59:58"),
            (wait, "3d", "4d", "3d"),
            (wait, "3d 2h", "3d 20h", "3d 11h"),
            (wait, "80d", "150d", "100d"),
        ] {
            assert_eq!(between(kind, below, above, &[]), expected, "{below} {above}");
        }
    }

    #[test]
    fn fractions_of_seconds_leave_room_for_coarser_units() {
        let text = between(Moment::Timestamp, "2019-04-01 08:15:10.9", "2019-04-01 08:15:12.3", &[]);
        assert_eq!(text, "2019-04-01 08:15:11.4", "not at a second, which is where 12.3 may end");
        let text =
            between(Moment::Timestamp, "2019-04-01 08:15:10.000001", "2019-04-01 08:15:10.000002", &[]);
        assert_eq!(text, "2019-04-01 08:15:10.000001");
        // Days beside fractions elsewhere in the column.
        let others = ["2019-04-09 08:15:10.5"];
        assert_eq!(between(Moment::Timestamp, "2019-04-01", "2019-04-03", &others), "2019-04-02 00:00");
    }

    proptest! {
        /// Whatever unit a file has, both values stay on their sides, unless that unit makes them one.
        #[test]
        fn no_unit_moves_a_value_across(
            below in -62_000_000_000_000_000_i64..252_000_000_000_000_000,
            gap in prop_oneof![1_i64..3_000, 1_000_i64..3_000_000, 1_000_000_i64..1_000_000_000_000],
            unit in prop_oneof![Just(1_i64), Just(1_000), Just(1_000_000), Just(86_400_000_000)],
        ) {
            // As the values are held, which far from 1970 is to the second.
            let coarse = if below.abs() > 1 << 52 { 1_000_000 } else { 1 };
            let below = (below.div_euclid(unit) * unit).div_euclid(coarse) * coarse;
            let step = unit.max(coarse);
            let above = below + (gap + step - 1) / step * step;
            let (low, high) = (below as f64, above as f64);
            let threshold = MomentThresholds::of(&[low, high]).between(low, high);
            prop_assert!(low <= threshold && threshold < high);
            for stored in [1_000, 1_000_000] {
                let down = |micros: i64| (micros.div_euclid(stored) * stored) as f64;
                if low < down(above) {
                    prop_assert!(down(below) <= threshold && threshold < down(above), "{} in {}", threshold, stored);
                }
            }
            let kind = Moment::Timestamp;
            prop_assert_eq!(kind.read(&kind.spell(threshold)), Some(threshold));
        }
    }
}
