//! What long work shows of itself: a line on the terminal that is gone when the work is done.

use std::sync::atomic::{AtomicBool, Ordering};
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
    solving: AtomicBool,
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
        Self { bar, what, solving: AtomicBool::new(false) }
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
            Progress::Trees { done, total } => {
                if self.bar.length() != Some(total as u64) {
                    self.bar.set_length(total as u64);
                    self.bar.set_style(style("{spinner} {msg}  {bar:24} {pos}/{len}  {elapsed}"));
                    self.bar.set_message(format!("{}: growing trees", self.what));
                }
                self.bar.set_position(done as u64);
            }
            Progress::Validation { done, total } => {
                self.bar.set_length(total as u64);
                self.bar.set_style(style("{spinner} {msg}  {bar:24} {pos}/{len}  {elapsed}"));
                self.bar.set_message(format!("{}: comparing models", self.what));
                self.bar.set_position(done as u64);
            }
            Progress::Move { objective, n_rules } => {
                if !self.solving.swap(true, Ordering::Relaxed) {
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

impl Drop for Activity {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    style.progress_chars("━╸─").tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ")
}
