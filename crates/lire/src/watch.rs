//! How a caller watches long work and ends it: a deadline, a flag, a callback.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Passed down into everything that takes long. The default watches nothing and never stops.
#[derive(Default, Clone, Copy)]
pub struct Watch<'a> {
    /// When to stop with what there is.
    pub deadline: Option<Instant>,
    /// Set by the caller (Ctrl-C, a callback) to stop with what there is.
    pub interrupt: Option<&'a AtomicBool>,
    /// Set by the caller to stop as if the deadline had passed.
    pub enough: Option<&'a AtomicBool>,
    /// Told about each step.
    pub on_progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// One step of long work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// So many trees of so many are grown.
    Trees {
        /// Trees grown so far.
        done: usize,
        /// Trees to grow.
        total: usize,
    },
    /// So many parts of a validation are done of so many.
    Validation {
        /// Parts done so far.
        done: usize,
        /// Parts in all.
        total: usize,
    },
    /// So many outputs of a model have their rules, of so many: one for each class where there are several.
    Outputs {
        /// Outputs done so far.
        done: usize,
        /// Outputs in all.
        total: usize,
    },
    /// The solver has accepted a move.
    Move {
        /// The objective after it.
        objective: f64,
        /// The number of rules after it.
        n_rules: usize,
        /// The output that the rules are for.
        output: OutputPlace,
    },
}

/// One of the outputs of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputPlace {
    /// Which, from 0.
    pub place: usize,
    /// How many there are: as many as classes, if there are several; else one.
    pub of: usize,
}

impl OutputPlace {
    /// The output of a model that has no other.
    pub const ONLY: Self = Self { place: 0, of: 1 };
}

/// Why work should end now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed, or the caller has enough.
    TimeLimit,
    /// The caller's flag is set.
    Interrupted,
}

// A function has nothing to show.
impl fmt::Debug for Watch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Watch").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl Watch<'_> {
    /// Whether to stop now, and why.
    pub fn stop(&self) -> Option<Stop> {
        let set = |flag: Option<&AtomicBool>| flag.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if set(self.interrupt) {
            return Some(Stop::Interrupted);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        (late || set(self.enough)).then_some(Stop::TimeLimit)
    }

    /// The same without reports, for work done side by side.
    pub fn silent(&self) -> Self {
        Self { on_progress: None, ..*self }
    }

    /// The same with a part of the time that is left.
    pub fn share(&self, part: f64) -> Self {
        let share = |deadline: Instant| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now).mul_f64(part.clamp(0.0, 1.0))
        };
        Self { deadline: self.deadline.map(share), ..*self }
    }

    /// Reports a step.
    pub fn report(&self, progress: Progress) {
        if let Some(on_progress) = self.on_progress {
            on_progress(progress);
        }
    }
}
