"""Study 3 on the page: means of all methods, box plots, and both tables of tests."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from study import figures, paper, plans, summary
from study.store import Store
from study.tables import beside, heads, number, p_value, signed, table
from study.tasks import Plan

_MEASURES = ["accuracy", "f1", "auc", "support", "local_support", "ratio", "diversity", "seconds"]
_METHODS = list(figures.COLOURS)
_SYMBOLS = {
    "gamma": "γ",
    "lambda_": "λ",
    "lambda0": "λ0",
    "lambda1": "λ1",
    "trees": "trees",
    "leaves": "leaves",
    "C": "C",
}
_RIVALS = [plans.RULEFIT, plans.GLRM, plans.FOREST, plans.LIGHTGBM, plans.SVM]


def section(store: Store, plan: Plan, folder: Path) -> list[str]:
    """All parts of the section."""
    frame = store.frame("comparison")
    found = summary.means(frame, plan.n_folds)
    parts = [
        f"Each method tuned in each fold over the paper's ranges. **{plans.PUBLISHED}** and **{plans.SVM_SCALED}** are"
        " ours; the former stands beside the paper's LIRE. The support vector machine uses unscaled columns, as in "
        "the paper; another row has it on columns scaled to mean 0 and variance 1. Where a fold has more than "
        f"{plans.SVM_ROWS:,} training rows (Adult), it learns from {plans.SVM_ROWS:,} of them, drawn by class: its ten"
        " folds of ten machines would take hours otherwise. Seconds of the paper are in brackets."
    ]
    for name in plan.tables:
        rows = [_row(found, name, method) for method in _METHODS]
        parts += [f"### {name}", table(["", *heads(_MEASURES)], rows)]
    parts += [
        "### Folds side by side",
        "Boxes show the middle half of the folds. If the unscaled support vector machine is far below the others, "
        "only its median is given, above ▾.",
    ]
    parts += [f"![Comparison]({folder.name}/{name})" for name in figures.comparison(frame, plan.tables, folder)]
    parts += ["### Time", *_times(found, plan), "### Tests", *_tests(frame, plan)]
    return parts


def ranges() -> str:
    """The paper's table of tuning grids."""
    return table(["method", "tuned over"], ([method, _range(grid)] for method, grid in plans.TUNED.items()))


def _range(grid: list[dict[str, Any]]) -> str:
    first, *others = grid[0]
    told = [_values(grid, first)]
    for name in others:
        ratios = {round(setting[name] / setting[first], 9) for setting in grid}
        tied = f"{_SYMBOLS[name]} = {next(iter(ratios)):g} {_SYMBOLS[first]}"
        told.append(tied if len(ratios) == 1 else _values(grid, name))
    return "; ".join(told)


def _values(grid: list[dict[str, Any]], name: str) -> str:
    values = dict.fromkeys(setting[name] for setting in grid)
    return f"{_SYMBOLS[name]} of {', '.join(np.format_float_positional(value, trim='-') for value in values)}"


def _times(found: pd.DataFrame, plan: Plan) -> list[str]:
    """Seconds of a fit beside the paper's, and their mean over the tables."""
    methods = [plans.LIRE, plans.PUBLISHED, *_RIVALS]
    rows, sums = [], {method: [0.0, 0.0] for method in methods}
    for name in plan.tables:
        cells = []
        for method in methods:
            ours = summary.row_of(found, data=name, method=method)
            theirs = paper.compared(name, plans.LIRE if method == plans.PUBLISHED else method)
            cells.append(beside("seconds", ours, theirs))
            sums[method][0] += ours.get("seconds", math.nan) / len(plan.tables)
            sums[method][1] += theirs.get("seconds", math.nan) / len(plan.tables)
        rows.append([name, *cells])
    means = [f"{number('seconds', mine)} ({number('seconds', other)})" for mine, other in sums.values()]
    rows.append(["mean", *means])
    return [
        "Seconds of the last fit of a fold on one core, without tuning; the paper's, of another machine, in brackets. "
        f"On Adult the support vector machine learns from {plans.SVM_ROWS:,} rows here, and from all in the paper.",
        table(["", *methods], rows),
    ]


def _row(found: pd.DataFrame, name: str, method: str) -> list[str]:
    ours = summary.row_of(found, data=name, method=method)
    theirs = paper.compared(name, plans.LIRE if method == plans.PUBLISHED else method)
    if "support" in theirs:
        theirs["ratio"] = theirs["local_support"] / theirs["support"]
    return [method, *(beside(measure, ours, theirs) for measure in _MEASURES)]


def _tests(frame: pd.DataFrame, plan: Plan) -> list[str]:
    def cell(measure: str, name: str, method: str) -> str:
        mine = summary.p_value(frame, name, measure, method, plan.n_folds)
        return f"{p_value(mine)} ({p_value(paper.p_value(measure, name, method))})"

    lower = [
        [heads([measure])[0], name, *(cell(measure, name, method) for method in _RIVALS)]
        for measure in ("accuracy", "f1", "auc")
        for name in plan.tables
    ]
    larger = [
        [
            name,
            *(cell(measure, name, method) for measure in ("support", "local_support") for method in _RIVALS[:2]),
        ]
        for name in plan.tables
    ]
    return [
        "One-sided Wilcoxon signed-rank tests over the folds, exact, differences of 0 left out; the paper's p-values "
        "in brackets. † below .05, ‡ below .01. Below: that **LIRE is lower** than the method; a small value speaks "
        "against LIRE. With ten folds no p-value is below .001.",
        table(["", "", *_RIVALS], lower),
        "That **LIRE is larger** than the method:",
        table(
            ["", *(f"{what}: {method}" for what in ("rules", "per explanation") for method in _RIVALS[:2])],
            larger,
        ),
    ]


def published_differences(store: Store, plan: Plan) -> str:
    """The differences between our runs of the published search and the authors' accuracies."""
    compared = summary.means(store.frame("comparison"), plan.n_folds)
    traded = summary.means(store.frame("tradeoff"), plan.n_folds)
    found = []
    for _, row in compared[compared["method"] == plans.PUBLISHED].iterrows():
        theirs = paper.compared(row["data"], plans.LIRE)
        found.append((row["accuracy"] - theirs["accuracy"], f"{row['data']}, tuned"))
    for _, row in traded[traded["method"] == plans.PUBLISHED].iterrows():
        theirs = paper.traded(plans.LIRE, row["gamma"], row["lambda"])
        found.append((row["accuracy"] - theirs["accuracy"], f"{row['data']}, γ {row['gamma']:g}, λ {row['lambda']:g}"))
    if not found:
        return "no result yet"
    within, above = (sum(abs(each) <= 0.005 for each, _ in found), sum(each > 0.005 for each, _ in found))
    ends = [f"{signed('accuracy', each)} ({where})" for each, where in (min(found), max(found))]
    return (
        f"of {len(found)} mean accuracies {within} are within .005 of the authors', {above} above and "
        f"{len(found) - within - above} below; lowest {ends[0]}, highest {ends[1]}"
    )
