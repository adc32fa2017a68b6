"""Makes the frozen values of `l1_frozen.rs`: the minima that scikit-learn, skglm and celer find.

The data come from the same generator as the tests' own (`draws.rs`), so that only results need to be kept. Run with
scikit-learn 1.9.1, skglm 0.5, celer 0.7.4 and numpy 2.4.6; it prints what stands in the test.
"""

import warnings

import numpy as np
from celer import Lasso as CelerLasso
from skglm import SparseLogisticRegression
from sklearn.linear_model import Lasso, LogisticRegression

warnings.filterwarnings("ignore")
MASK = (1 << 64) - 1


class Draws:
    """`Draws` of `draws.rs`."""

    def __init__(self, seed):
        self.state = (seed * 0x2545F4914F6CDD1D + 7) & MASK

    def word(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        return word ^ (word >> 31)

    def unit(self):
        return (self.word() >> 11) / (1 << 53)

    def between(self, low, high):
        return low + (high - low) * self.unit()

    def below(self, limit):
        return self.word() % limit


N_ROWS, N_RULES, N_LINEAR = 60, 8, 3


def case(seed, with_linear):
    """Columns, scores with noise, weights and factors, drawn in the order in which the test draws them."""
    draws = Draws(seed)
    columns = []
    for _ in range(N_RULES):
        share = draws.between(0.15, 0.6)
        columns.append([1.0 if draws.unit() < share else 0.0 for _ in range(N_ROWS)])
    for _ in range(N_LINEAR if with_linear else 0):
        columns.append([draws.between(-1.0, 1.0) for _ in range(N_ROWS)])
    effects = [draws.between(-1.5, 1.5) for _ in columns]
    numbers = [
        sum(effect * column[row] for effect, column in zip(effects, columns)) + draws.between(-1.0, 1.0)
        for row in range(N_ROWS)
    ]
    weights = [1 + draws.below(3) for _ in range(N_ROWS)]
    factors = [draws.between(0.5, 2.0) for _ in columns]
    return np.array(columns).T, np.array(numbers), np.array(weights), np.array(factors)


def objective(squared, columns, target, weights, prices, intercept, found):
    scores = intercept + columns @ found
    if squared:
        losses = 0.5 * (target - scores) ** 2
    else:
        losses = np.logaddexp(0, np.where(target > 0, -scores, scores))
    return np.average(losses, weights=weights) + prices @ np.abs(found)


def main():
    for seed, squared, with_linear, with_factors, gamma in [
        (1, False, False, False, 0.02),
        (2, False, False, True, 0.01),
        (3, False, True, False, 0.01),
        (4, False, True, True, 0.005),
        (5, True, False, False, 0.05),
        (6, True, False, True, 0.02),
        (7, True, True, False, 0.02),
        (8, True, True, True, 0.01),
    ]:
        columns, numbers, weights, factors = case(seed, with_linear)
        if not with_factors:
            factors = np.ones_like(factors)
        target = numbers if squared else np.where(numbers > 0, 1, -1)
        scaled = columns / factors
        repeated = np.repeat(np.arange(len(weights)), weights)
        results = []
        if squared:
            model = Lasso(alpha=gamma, tol=1e-14, max_iter=10**7).fit(scaled, target, sample_weight=weights)
            results.append((model.intercept_, model.coef_ / factors))
            model = CelerLasso(alpha=gamma, tol=1e-14, weights=factors).fit(columns[repeated], target[repeated])
            results.append((model.intercept_, model.coef_))
        else:
            model = LogisticRegression(
                l1_ratio=1, solver="saga", C=1 / (weights.sum() * gamma), tol=1e-14, max_iter=10**6
            ).fit(scaled, target, sample_weight=weights)
            results.append((model.intercept_[0], model.coef_[0] / factors))
            model = SparseLogisticRegression(alpha=gamma, tol=1e-13, max_iter=1000)
            model.fit(scaled[repeated], target[repeated])
            results.append((np.ravel(model.intercept_)[0], np.ravel(model.coef_) / factors))
        values = [objective(squared, columns, target, weights, gamma * factors, *result) for result in results]
        intercept, found = results[0]
        listed = ", ".join(f"{weight:.9f}" for weight in found)
        print(
            f"Frozen {{ seed: {seed}, squared: {squared}, linear: {with_linear}, factors: {with_factors}, "
            f"gamma: {gamma}, objectives: [{values[0]:.12f}, {values[1]:.12f}], intercept: {intercept:.9f}, "
            f"weights: &[{listed}] }},".replace("True", "true").replace("False", "false")
        )


if __name__ == "__main__":
    main()
