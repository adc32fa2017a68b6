"""The tasks: one for each study, table, method, setting and fold."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from study import data

# Raise it if results made by older code must not be mixed with new ones.
PROTOCOL = 1


@dataclass(frozen=True)
class Plan:
    """How large a run is: the whole study, or a smoke run on the shipped example."""

    folder: Path
    n_folds: int
    is_quick: bool

    @property
    def tables(self) -> list[str]:
        """The tables of the comparison."""
        return [data.EXAMPLE.name] if self.is_quick else list(data.SOURCES)

    @property
    def demonstration(self) -> str:
        """The table of the trade-off and of the demonstration."""
        return data.EXAMPLE.name if self.is_quick else "Adult"

    def some(self, values: list[Any], n_quick: int = 2) -> list[Any]:
        """All values of a grid, or its ends in a smoke run."""
        if not self.is_quick or len(values) <= n_quick:
            return values
        return values[: n_quick - 1] + values[-1:]


@dataclass(frozen=True)
class Task:
    """One fit (with its tuning, if any) measured on one fold."""

    study: str
    table: str
    method: str
    setting: str
    fold: int
    kind: str
    parameters: str
    cost: float

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """The key of the result of this task."""
        return self.study, self.table, self.method, self.setting, str(self.fold)

    def stamp(self, plan: Plan) -> str:
        """Changes with anything that the result depends on: data, parameters, folds, the library's build."""
        source = data.checksum(data.path_of(self.table, plan.folder))
        parts = (PROTOCOL, self.kind, self.parameters, plan.n_folds, source, library_of(self.kind))
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


# The time of a fit on Adult, in seconds of one core; only for estimates of the time left.
COSTS = {
    "lire": 0.7,
    "rulefit": 0.5,
    "glrm": 0.5,
    "forest": 1.5,
    "lightgbm": 2.5,
    "svm": 14.0,
    "published-candidates": 1.3,
}
# The cost relative to Adult.
SHARES = {"Adult": 1.0, "FICO": 0.6, "COMPAS": 0.15, "Bank": 0.2, "Heart": 0.15, "Example": 0.05}


def tasks_of(
    plan: Plan,
    *,
    study: str,
    table: str,
    method: str,
    kind: str,
    setting: str,
    parameters: dict[str, Any],
    cost: float = 1.0,
) -> list[Task]:
    """A task for each fold. The cost is relative to one fit of that kind."""
    spelled = json.dumps(parameters, sort_keys=True)
    seconds = cost * COSTS[kind] * SHARES[table] * max(1, len(parameters.get("grid", [])))
    return [Task(study, table, method, setting, fold, kind, spelled, seconds) for fold in range(plan.n_folds)]


@lru_cache
def library_of(kind: str) -> str:
    """The library behind a method: its version, and of ours its build."""
    if kind in ("lire", "rulefit", "glrm", "forest"):
        import lire

        build = hashlib.sha256(Path(lire._native.__file__).read_bytes()).hexdigest()[:12]
        return f"lire {lire.__version__} {build}"
    name = "lightgbm" if kind == "lightgbm" else "scikit-learn"
    return f"{name} {version(name)}"


def spelled(**values: float) -> str:
    """A setting as shown in tables: `gamma=0.001 lambda=0.1`."""
    return " ".join(f"{name}={value:g}" for name, value in values.items())
