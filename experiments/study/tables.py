"""Numbers and tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from study.measures import NAMES

DIGITS = {"accuracy": 4, "f1": 4, "auc": 4, "support": 1, "local_support": 2, "ratio": 3, "diversity": 3}
NOTHING = "–"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are right-aligned."""
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def number(measure: str, value: float | None) -> str:
    """A number with the digits that its measure has: `.8588`, `67.9`."""
    if value is None or math.isnan(value):
        return NOTHING
    if measure == "seconds":
        return f"{value:.3g}" if value < 100 else f"{value:.0f}"
    text = f"{value:.{DIGITS[measure]}f}"
    return text.replace("0.", ".", 1) if measure in ("accuracy", "f1", "auc", "ratio", "diversity") else text


def beside(measure: str, ours: dict[str, float], theirs: dict[str, float]) -> str:
    """Ours, the paper's and the difference: `.8590 (.8588, +.0002)`."""
    mine, other = ours.get(measure), theirs.get(measure)
    if mine is None or math.isnan(mine):
        return NOTHING if other is None else f"{NOTHING} ({number(measure, other)})"
    if other is None:
        return number(measure, mine)
    if measure == "seconds":
        return f"{number(measure, mine)} ({number(measure, other)})"
    return f"{number(measure, mine)} ({number(measure, other)}, {signed(measure, mine - other)})"


def signed(measure: str, difference: float) -> str:
    """A difference with its sign, if anything is left of it."""
    text = number(measure, abs(difference))
    return f"{'±' if float(text) == 0 else '−' if difference < 0 else '+'}{text}"


def p_value(value: float | None) -> str:
    """A p-value with the paper's daggers: † below .05, ‡ below .01."""
    if value is None:
        return NOTHING
    dagger = "‡" if value < 0.01 else "†" if value < 0.05 else ""
    return f"{value:.3f}{dagger}"


def heads(measures: Sequence[str]) -> list[str]:
    """The heads of columns of measures."""
    return [NAMES[measure] for measure in measures]
