"""The paper's own numbers, transcribed: K. Kanamori, "Learning Locally Interpretable Rule Ensemble", 2023.

Accuracies, AUCs, supports and the trade-off are means over ten folds of its authors' result files; times, p-values, the
data and the demonstration are its tables.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pandas as pd

_FOLDER = Path(__file__).parents[1] / "paper"

# The smoke run is shown with the paper's numbers for other data, so that every part of the page is generated.
_STANDS_FOR = {"Example": "Heart"}


@lru_cache
def table(name: str) -> pd.DataFrame:
    """One of the transcribed tables."""
    return pd.read_csv(_FOLDER / f"{name}.csv")


def known_as(data: str) -> str:
    """The paper's name for a table."""
    return _STANDS_FOR.get(data, data)


def compared(data: str, method: str) -> dict[str, float]:
    """The paper's means for a method in the comparison, without those that it does not report."""
    rows = table("comparison")
    found = rows[(rows["data"] == known_as(data)) & (rows["method"] == method)]
    return {} if found.empty else _numbers(found.iloc[0])


def traded(method: str, gamma: float, lambda_: float | None) -> dict[str, float]:
    """The paper's means on Adult at given prices."""
    rows = table("tradeoff")
    rows = rows[(rows["method"] == method) & (rows["gamma"] == gamma)]
    rows = rows[rows["lambda"].isna() if lambda_ is None else rows["lambda"] == lambda_]
    return {} if rows.empty else _numbers(rows.iloc[0])


def p_value(measure: str, data: str, method: str) -> float | None:
    """The paper's p-value of LIRE against a method."""
    name = known_as(data)
    rows = table("p_values")
    rows = rows[(rows["measure"] == measure) & (rows["data"] == name) & (rows["method"] == method)]
    return None if rows.empty else float(rows["p"].iloc[0])


def dataset(data: str) -> dict[str, float]:
    """Rows, one-hot columns and mean number of candidates in the paper."""
    rows = table("datasets")
    return _numbers(rows[rows["data"] == known_as(data)].iloc[0])


def _numbers(row: pd.Series) -> dict[str, float]:
    numbers = {str(name): value for name, value in row.items() if name not in ("data", "method")}
    return {name: float(value) for name, value in numbers.items() if pd.notna(value)}
