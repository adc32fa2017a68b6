//! The solutions for many γ, each started from the one before.

use super::working::Paused;
use super::working_set_solver::WorkingSetSolver;
use super::{Accuracy, L1Problem, L1Solution, Logistic, LossKind, Squared};
use crate::solver::Weights;

/// A way from one γ to the next, each solution started from the one before.
pub struct L1Path<'p>(Losses<'p>);

enum Losses<'p> {
    Squared(WorkingSetSolver<'p, Squared>),
    Logistic(WorkingSetSolver<'p, Logistic>),
}

impl L1Path<'_> {
    /// Goes to the solution for one γ. From large γ to small ones is fastest.
    pub fn reach(&mut self, gamma: f64, accuracy: Accuracy) -> L1Solution {
        match &mut self.0 {
            Losses::Squared(search) => search.reach(gamma, accuracy),
            Losses::Logistic(search) => search.reach(gamma, accuracy),
        }
    }

    /// Lets go of the problem, so that columns can be added to it, and keeps what makes going on cheap.
    pub fn pause(self) -> Paused {
        match self.0 {
            Losses::Squared(search) => search.paused(),
            Losses::Logistic(search) => search.paused(),
        }
    }

    fn gamma_max(self) -> f64 {
        match self.0 {
            Losses::Squared(search) => search.gamma_max(),
            Losses::Logistic(search) => search.gamma_max(),
        }
    }
}

impl L1Problem<'_> {
    /// The beginning of a path: no rules but those that cost nothing.
    pub fn walk(&self) -> L1Path<'_> {
        self.walk_from(&Weights::default())
    }

    /// Goes on with a path that was paused. Since then rules may have been added behind the others, one of which is
    /// sure to get a weight.
    pub fn resume(&self, paused: Paused, entering: Option<usize>) -> L1Path<'_> {
        L1Path(match self.problem.loss {
            LossKind::Squared => Losses::Squared(WorkingSetSolver::resumed(self, paused, entering)),
            // As [`LossKind::of_l1`] says.
            LossKind::Exponential | LossKind::Logistic => {
                Losses::Logistic(WorkingSetSolver::resumed(self, paused, entering))
            }
        })
    }

    fn walk_from(&self, start: &Weights) -> L1Path<'_> {
        L1Path(match self.problem.loss {
            LossKind::Squared => Losses::Squared(WorkingSetSolver::new(self, start)),
            LossKind::Exponential | LossKind::Logistic => {
                Losses::Logistic(WorkingSetSolver::new(self, start))
            }
        })
    }

    /// The solutions for some γ, in their order. They are found from the largest γ to the smallest, each started
    /// from the one before.
    pub fn path(&self, gammas: &[f64], tolerance: f64) -> Vec<L1Solution> {
        self.path_from(&Weights::default(), gammas, tolerance)
    }

    /// The smallest γ whose solution is the intercept and what costs nothing: no other column has a weight there.
    pub fn gamma_max(&self) -> f64 {
        self.walk().gamma_max()
    }

    pub(super) fn path_from(&self, start: &Weights, gammas: &[f64], tolerance: f64) -> Vec<L1Solution> {
        let mut order: Vec<usize> = (0..gammas.len()).collect();
        order.sort_by(|&a, &b| gammas[b].total_cmp(&gammas[a]));
        let mut walk = self.walk_from(start);
        let mut found: Vec<(usize, L1Solution)> =
            order.into_iter().map(|nth| (nth, walk.reach(gammas[nth], Accuracy::of(tolerance)))).collect();
        found.sort_by_key(|&(nth, _)| nth);
        found.into_iter().map(|(_, solution)| solution).collect()
    }
}

/// Some γ from the largest down to a share of it, each the same share of the one before.
pub fn gamma_grid(largest: f64, smallest_share: f64, n: usize) -> Vec<f64> {
    let exponent = |nth: usize| if n < 2 { 0.0 } else { nth as f64 / (n - 1) as f64 };
    (0..n).map(|nth| largest * smallest_share.powf(exponent(nth))).collect()
}
