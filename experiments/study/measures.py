"""The measures of models, and the test that compares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

QUALITY = ("accuracy", "f1", "auc")
SIZE = ("support", "local_support", "ratio", "diversity")
NAMES = {
    "accuracy": "accuracy",
    "f1": "F1",
    "auc": "AUC",
    "support": "rules",
    "local_support": "rules per explanation",
    "ratio": "ratio",
    "diversity": "diversity",
    "seconds": "seconds",
}


def quality(labels: np.ndarray, scores: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """How good predictions are; F1 is of the positive class."""
    return {
        "accuracy": float(accuracy_score(labels, predicted)),
        "f1": float(f1_score(labels, predicted, zero_division=0.0)),
        "auc": float(roc_auc_score(labels, scores)),
    }


def size(fired: np.ndarray) -> dict[str, float]:
    """Sizes of rules and explanations, from a matrix that says which rule holds for which row."""
    n_rules = fired.shape[1]
    local = float(fired.sum(axis=1).mean())
    return {
        "support": float(n_rules),
        "local_support": local,
        "ratio": local / n_rules if n_rules else 0.0,
        "diversity": diversity(fired),
    }


# A condition: the column, the threshold, and whether values are at most that.
Condition = tuple[int, float, bool]


def paths(trees: list[Any]) -> int:
    """The number of different paths (sequences of conditions) to the nodes of scikit-learn's trees."""
    return len({tuple(path) for tree in trees for path in _paths(tree)})


def conjunctions(trees: list[Any]) -> int:
    """The number of different conjunctions, regardless of the order of the conditions."""
    return len({_intervals(path) for tree in trees for path in _paths(tree)})


def _paths(tree: Any, node: int = 0, path: tuple[Condition, ...] = ()) -> Iterator[tuple[Condition, ...]]:
    if path:
        yield path
    if tree.children_left[node] >= 0:
        column, threshold = int(tree.feature[node]), float(tree.threshold[node])
        yield from _paths(tree, tree.children_left[node], (*path, (column, threshold, True)))
        yield from _paths(tree, tree.children_right[node], (*path, (column, threshold, False)))


def _intervals(path: tuple[Condition, ...]) -> frozenset[tuple[int, float, float]]:
    found: dict[int, tuple[float, float]] = {}
    for column, threshold, at_most in path:
        low, high = found.get(column, (-np.inf, np.inf))
        found[column] = (low, min(high, threshold)) if at_most else (max(low, threshold), high)
    return frozenset((column, low, high) for column, (low, high) in found.items())


def diversity(fired: np.ndarray) -> float:
    """The mean Jaccard distance of two rules; of two that hold nowhere it is 0. No number for fewer than two."""
    n_rules = fired.shape[1]
    if n_rules < 2:
        return float("nan")
    counts = fired.astype(np.float64)
    both = counts.T @ counts
    alone = np.diag(both)
    either = alone[:, None] + alone[None, :] - both
    distance = np.where(either > 0, 1.0 - both / np.maximum(either, 1.0), 0.0)
    return float(distance[np.triu_indices(n_rules, 1)].mean())


def wilcoxon(ours: np.ndarray, others: np.ndarray, alternative: str) -> float:
    """The one-sided p-value of the signed-rank test over folds, exact for the ties there are.

    Differences of 0 are left out. Scores that differ by less than a rounding error count as equal.
    """
    differences = np.round(np.asarray(ours) - np.asarray(others), 12)
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    if len(differences) == 1:  # SciPy asks for two. Of the two signs one is as extreme as this, or both are.
        return 0.5 if (differences[0] < 0) == (alternative == "less") else 1.0
    every = stats.PermutationMethod(n_resamples=np.inf)
    return float(stats.wilcoxon(differences, alternative=alternative, method=every).pvalue)
