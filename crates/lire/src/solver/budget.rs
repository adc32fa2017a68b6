//! What ends a search before it has converged.

use super::{SolverConfig, StopReason};
use crate::watch::{OutputPlace, Progress, Stop, Watch};

/// Counts accepted moves and looks at the clock.
#[derive(Clone)]
pub(super) struct Budget<'a> {
    watch: &'a Watch<'a>,
    moves_left: usize,
    n_moves: usize,
    stopped: Option<StopReason>,
}

impl<'a> Budget<'a> {
    pub fn new(config: &SolverConfig, watch: &'a Watch<'a>) -> Self {
        Self { watch, moves_left: config.max_moves, n_moves: 0, stopped: None }
    }

    /// Whether to go on; looks at the clock, so it belongs into every loop that scans.
    pub fn allows(&mut self) -> bool {
        if self.stopped.is_none() {
            self.stopped = match self.watch.stop() {
                Some(Stop::TimeLimit) => Some(StopReason::TimeLimit),
                Some(Stop::Interrupted) => Some(StopReason::Interrupted),
                None => (self.moves_left == 0).then_some(StopReason::MoveLimit),
            };
        }
        self.stopped.is_none()
    }

    /// Counts an accepted move and reports it.
    pub fn spend(&mut self, objective: f64, n_rules: usize) {
        self.moves_left = self.moves_left.saturating_sub(1);
        self.n_moves += 1;
        self.watch.report(Progress::Move { objective, n_rules, output: OutputPlace::ONLY });
    }

    pub fn n_moves(&self) -> usize {
        self.n_moves
    }

    /// Why the search ended.
    pub fn stop_reason(&self) -> StopReason {
        self.stopped.unwrap_or(StopReason::Converged)
    }
}
