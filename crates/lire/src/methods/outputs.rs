//! The outputs of a model side by side: one for each class where there are several.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::side_by_side::side_by_side_in_time;
use crate::watch::{OutputPlace, Progress, Watch};

/// Chooses rules for each output, the time divided among them, and tells how far that is.
pub fn of_outputs<T: Send>(
    n_outputs: usize,
    watch: &Watch,
    choose: impl Fn(usize, &Watch) -> T + Sync,
) -> Vec<T> {
    let n_done = AtomicUsize::new(0);
    side_by_side_in_time(n_outputs, watch, |output, watch| {
        let of_output = |progress| watch.report(of(progress, OutputPlace { place: output, of: n_outputs }));
        let chosen = choose(output, &Watch { on_progress: Some(&of_output), ..*watch });
        let done = 1 + n_done.fetch_add(1, Ordering::Relaxed);
        watch.report(Progress::Outputs { done, total: n_outputs });
        chosen
    })
}

/// Grows something for each output, and tells of all trees together.
pub fn trees_of_outputs<T: Send>(
    n_outputs: usize,
    watch: &Watch,
    grow: impl Fn(usize, &Watch) -> T + Sync,
) -> Vec<T> {
    let n_trees = AtomicUsize::new(0);
    let together = |progress| match progress {
        Progress::Trees { total, .. } => {
            let done = 1 + n_trees.fetch_add(1, Ordering::Relaxed);
            watch.report(Progress::Trees { done, total: total * n_outputs });
        }
        other => watch.report(other),
    };
    let together = Watch { on_progress: Some(&together), ..*watch };
    side_by_side_in_time(n_outputs, &together, grow)
}

/// The same step, of a certain output.
fn of(progress: Progress, output: OutputPlace) -> Progress {
    match progress {
        Progress::Move { objective, n_rules, .. } => Progress::Move { objective, n_rules, output },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn steps_tell_their_output_and_trees_are_counted_together() {
        let told = Mutex::new(Vec::new());
        let tell = |progress| told.lock().unwrap().push(progress);
        let watch = Watch { on_progress: Some(&tell), ..Watch::default() };
        let step = Progress::Move { objective: 0.5, n_rules: 2, output: OutputPlace::ONLY };
        let chosen = of_outputs(3, &watch, |output, watch| {
            watch.report(step);
            10 * output
        });
        assert_eq!(chosen, [0, 10, 20]);
        let moves = |told: &[Progress]| {
            let mut places: Vec<(usize, usize)> = told
                .iter()
                .filter_map(|progress| match progress {
                    Progress::Move { output, .. } => Some((output.place, output.of)),
                    _ => None,
                })
                .collect();
            places.sort_unstable();
            places
        };
        assert_eq!(moves(&told.lock().unwrap()), [(0, 3), (1, 3), (2, 3)]);
        let n_done = |told: &[Progress]| {
            told.iter().filter(|progress| matches!(progress, Progress::Outputs { total: 3, .. })).count()
        };
        assert_eq!(n_done(&told.lock().unwrap()), 3);

        told.lock().unwrap().clear();
        trees_of_outputs(2, &watch, |_, watch| watch.report(Progress::Trees { done: 1, total: 1 }));
        let told = told.into_inner().unwrap();
        assert_eq!(told.len(), 2);
        for done in [1, 2] {
            assert!(told.contains(&Progress::Trees { done, total: 2 }));
        }
    }
}
