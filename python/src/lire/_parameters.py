"""Converts parameters to the library's form."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state

# More threads than cores only cost time; a few more are allowed, for comparisons.
_MOST_THREADS = max(16, os.cpu_count() or 1)
_DIRECTIONS = {1: "increasing", -1: "decreasing"}


def as_json(name: str, value: Any) -> Any:
    """A parameter as a JSON value: numpy scalars become numbers; numbers that are not finite are refused."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"`{name}`: {value} is not a finite number")
    return value


def base_rate(wish: Any) -> str | float:
    """The class shares that probabilities refer to."""
    if isinstance(wish, str) and wish == "data":
        return wish
    if isinstance(wish, bool) or not isinstance(wish, Real):
        raise ValueError(f"base_rate: {wish!r} is neither 'data' nor a share between 0 and 1")
    return float(as_json("base_rate", wish))


def categorical_places(wish: Sequence[Any] | None, names: list[str]) -> list[int]:
    """The positions of the columns that are categories whatever their type."""
    if wish is None:
        return []
    # As a plain array, a list of names and positions would become one of texts.
    wishes = np.atleast_1d(np.asarray(wish, dtype=object)).tolist()
    if wishes and all(isinstance(one, bool | np.bool_) for one in wishes):
        if len(wishes) != len(names):
            raise ValueError(f"categorical_features has {len(wishes)} entries for {len(names)} features")
        return [int(place) for place in np.flatnonzero(wishes)]
    return list(dict.fromkeys(_position(one, names, "categorical_features") for one in wishes))


def directions(wish: Mapping[Any, int] | Sequence[int] | None, names: list[str]) -> dict[str, str]:
    """The features with which the prediction must rise or fall."""
    if wish is None:
        return {}
    if not isinstance(wish, Mapping | Sequence | np.ndarray) or isinstance(wish, str):
        raise TypeError(f"monotone_constraints must be a dict or an array of -1, 0 and 1, not {wish!r}")
    if not isinstance(wish, Mapping):
        if len(wish) != len(names):
            raise ValueError(f"monotone_constraints has {len(wish)} entries for {len(names)} features")
        wish = dict(zip(names, np.asarray(wish).tolist(), strict=True))
    signs = {names[_position(key, names, "monotone_constraints")]: sign for key, sign in wish.items()}
    unknown = set(signs.values()) - {-1, 0, 1}
    if unknown:
        raise ValueError(f"monotone_constraints: {unknown.pop()!r} is not -1, 0 or 1")
    return {name: _DIRECTIONS[sign] for name, sign in signs.items() if sign != 0}


def seed(random_state: Any) -> int:
    """A seed, drawn at random if none is given."""
    if isinstance(random_state, int | np.integer):
        if random_state < 0:
            raise ValueError(f"random_state is {random_state}; give a number from 0 up")
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def threads(n_jobs: int | None) -> int:
    """The number of threads; 0 for one per core."""
    if n_jobs is not None and not isinstance(n_jobs, int | np.integer):
        raise TypeError(f"n_jobs must be a whole number or None, not {n_jobs!r}")
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs < 0:
        return max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs cannot be 0; give 1 or more, or -1 for all cores")
    return min(int(n_jobs), _MOST_THREADS)


def splits(
    cv: Any, y: np.ndarray, is_classifier: bool, groups: Any = None
) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """The splits of a cross-validation given as a splitter or as indices."""
    if cv is None or isinstance(cv, int | np.integer):
        return None
    parts = check_cv(cv, y, classifier=is_classifier).split(np.zeros((len(y), 1)), y, groups)
    found = [(np.asarray(train, dtype=np.int64), np.asarray(test, dtype=np.int64)) for train, test in parts]
    if not found:
        raise ValueError("cv gives no splits")
    for rows in (part for split in found for part in split):
        if rows.size == 0 or rows.min() < 0 or rows.max() >= len(y):
            raise ValueError(f"cv: each split needs rows to train on and to test on, from 0 to {len(y) - 1}")
    return found


def _position(wish: Any, names: list[str], parameter: str) -> int:
    if isinstance(wish, str):
        if wish not in names:
            raise ValueError(f"{parameter}: there is no feature `{wish}`")
        return names.index(wish)
    if not isinstance(wish, int | np.integer):
        raise TypeError(f"{parameter}: {wish!r} is neither the name nor the position of a feature")
    if not -len(names) <= wish < len(names):
        raise ValueError(f"{parameter}: there is no feature {wish}, only {len(names)} of them")
    return int(wish) % len(names)
