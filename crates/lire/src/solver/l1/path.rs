//! The solutions for many γ, each started from the one before.

use super::dual::Dual;
use super::search::Search;
use super::{L1Problem, L1Solution, Logistic, LossKind, Squared};
use crate::solver::Weights;

impl L1Problem<'_> {
    /// The solutions for some γ, in their order. They are found from the largest γ to the smallest, each started
    /// from the one before.
    pub fn path(&self, gammas: &[f64], tolerance: f64) -> Vec<L1Solution> {
        self.path_from(&Weights::default(), gammas, tolerance)
    }

    /// The smallest γ whose solution is the intercept and what costs nothing: no other column has a weight there.
    pub fn gamma_max(&self) -> f64 {
        match self.problem.loss {
            LossKind::Squared => Search::<Squared>::new(self, &Weights::default()).gamma_max(),
            LossKind::Exponential | LossKind::Logistic => {
                Search::<Logistic>::new(self, &Weights::default()).gamma_max()
            }
        }
    }

    pub(super) fn path_from(&self, start: &Weights, gammas: &[f64], tolerance: f64) -> Vec<L1Solution> {
        match self.problem.loss {
            LossKind::Squared => descend::<Squared>(self, start, gammas, tolerance),
            LossKind::Exponential | LossKind::Logistic => descend::<Logistic>(self, start, gammas, tolerance),
        }
    }
}

fn descend<L: Dual>(l1: &L1Problem, start: &Weights, gammas: &[f64], tolerance: f64) -> Vec<L1Solution> {
    let mut order: Vec<usize> = (0..gammas.len()).collect();
    order.sort_by(|&a, &b| gammas[b].total_cmp(&gammas[a]));
    let mut search = Search::<L>::new(l1, start);
    let mut found: Vec<(usize, L1Solution)> =
        order.into_iter().map(|nth| (nth, search.reach(gammas[nth], tolerance))).collect();
    found.sort_by_key(|&(nth, _)| nth);
    found.into_iter().map(|(_, solution)| solution).collect()
}

/// Some γ from the largest down to a share of it, each the same share of the one before.
pub fn gamma_grid(largest: f64, smallest_share: f64, n: usize) -> Vec<f64> {
    let exponent = |nth: usize| if n < 2 { 0.0 } else { nth as f64 / (n - 1) as f64 };
    (0..n).map(|nth| largest * smallest_share.powf(exponent(nth))).collect()
}
