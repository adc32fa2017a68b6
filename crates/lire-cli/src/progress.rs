//! What long work shows of itself: a line on the terminal that is gone when the work is done.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lire::Watch;
use lire::watch::Progress;

use crate::console::Console;
use crate::render::visible::visible;

/// How often a spinner turns.
const TICK: Duration = Duration::from_millis(100);

/// A line about the work at hand. Shows nothing where standard error is no terminal.
pub struct Activity {
    bar: ProgressBar,
    what: String,
    /// The stage whose steps are counted.
    stage: AtomicUsize,
}

impl Activity {
    /// Starts showing what is being done.
    pub fn start(console: &Console, what: impl Into<String>) -> Self {
        let what = visible(&what.into()).into_owned();
        let target = if console.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style("{spinner} {msg}  {elapsed}"));
        bar.set_message(what.clone());
        bar.enable_steady_tick(TICK);
        Self { bar, what, stage: AtomicUsize::new(NO_STAGE) }
    }

    /// Shows how many rows are done, and which share of all that is, where it is known.
    pub fn rows(&self, n_rows: usize, share: Option<f64>) {
        const STEPS: u64 = 1000;
        if let Some(share) = share {
            if self.bar.length().is_none() {
                self.bar.set_length(STEPS);
                self.bar.set_style(style("{spinner} {msg}  {bar:24} {percent} %  {elapsed}"));
            }
            self.bar.set_position((share * STEPS as f64) as u64);
        }
        self.bar.set_message(format!("{}: {n_rows} rows", self.what));
    }

    /// Follows a fit, until a deadline if there is one.
    pub fn watch<T>(&self, deadline: Option<Instant>, work: impl FnOnce(&Watch) -> T) -> T {
        let follow = |progress| self.follow(progress);
        work(&Watch { deadline, on_progress: Some(&follow), ..Watch::default() })
    }

    fn follow(&self, progress: Progress) {
        match progress {
            Progress::Trees { done, total } => self.count(Stage::Trees, done, total),
            Progress::Validation { done, total } => self.count(Stage::Comparison, done, total),
            // Where there is one output, its moves tell more.
            Progress::Outputs { total: 1, .. } => {}
            Progress::Outputs { done, total } => self.count(Stage::Classes, done, total),
            // Several classes at a time: how many are done tells more.
            Progress::Move { output, .. } if output.of > 1 => self.begin_count(Stage::Classes, output.of),
            Progress::Move { objective, n_rules, .. } => {
                if self.stage.swap(NO_STAGE, Ordering::Relaxed) != NO_STAGE {
                    self.bar.set_style(style("{spinner} {msg}  {elapsed}"));
                }
                let rules = if n_rules == 1 { "rule" } else { "rules" };
                self.bar.set_message(format!(
                    "{}: choosing rules, {n_rules} {rules}, objective {objective:.5}",
                    self.what
                ));
            }
        }
    }
}

/// A stage with steps to count.
#[derive(Clone, Copy)]
enum Stage {
    Trees,
    Comparison,
    Classes,
}

/// No stage with steps to count.
const NO_STAGE: usize = usize::MAX;

impl Stage {
    fn message(self) -> &'static str {
        match self {
            Self::Trees => "growing trees",
            Self::Comparison => "comparing models",
            Self::Classes => "choosing rules of each class",
        }
    }
}

impl Activity {
    /// Shows how many steps of a stage are done.
    fn count(&self, stage: Stage, done: usize, total: usize) {
        self.begin_count(stage, total);
        self.bar.set_position(done as u64);
    }

    /// Begins to show them, unless it has begun.
    fn begin_count(&self, stage: Stage, total: usize) {
        if self.stage.swap(stage as usize, Ordering::Relaxed) != stage as usize {
            self.bar.set_position(0);
            self.bar.set_style(style("{spinner} {msg}  {bar:24} {pos}/{len}  {elapsed}"));
            self.bar.set_message(format!("{}: {}", self.what, stage.message()));
        }
        self.bar.set_length(total as u64);
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    style.progress_chars("━╸─").tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lire::watch::OutputPlace;

    #[test]
    fn several_classes_are_counted_and_one_output_tells_its_moves() {
        let activity = Activity {
            bar: ProgressBar::hidden(),
            what: "fitting".to_owned(),
            stage: AtomicUsize::new(NO_STAGE),
        };
        let shown = || (activity.bar.message(), activity.bar.position(), activity.bar.length());
        let step =
            |of: usize| Progress::Move { objective: 0.25, n_rules: 3, output: OutputPlace { place: 1, of } };
        activity.follow(Progress::Trees { done: 7, total: 5200 });
        assert_eq!(shown(), ("fitting: growing trees".to_owned(), 7, Some(5200)));
        activity.follow(step(26));
        assert_eq!(shown(), ("fitting: choosing rules of each class".to_owned(), 0, Some(26)));
        activity.follow(Progress::Outputs { done: 4, total: 26 });
        activity.follow(step(26));
        assert_eq!(shown(), ("fitting: choosing rules of each class".to_owned(), 4, Some(26)));
        activity.follow(Progress::Validation { done: 1, total: 52 });
        assert_eq!(shown(), ("fitting: comparing models".to_owned(), 1, Some(52)));
        activity.follow(step(1));
        activity.follow(Progress::Outputs { done: 1, total: 1 });
        assert_eq!(shown().0, "fitting: choosing rules, 3 rules, objective 0.25000");
    }
}
